// Factors of Eigen's sparse matrices for use once: LU of a square matrix, rank-revealing QR of any.
// For a matrix that is factorized again and again with one pattern there is SparseLU.
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <vector>

namespace hydae::linalg {

using SparseMatrix = Eigen::SparseMatrix<double>;

class SparseLuFactors {
 public:
  explicit SparseLuFactors(SparseMatrix matrix);
  ~SparseLuFactors();
  SparseLuFactors(SparseLuFactors&&) noexcept;
  SparseLuFactors& operator=(SparseLuFactors&&) noexcept;

  bool is_regular() const;  // false: a pivot is zero, and nothing can be solved
  int size() const;
  int determinant_sign() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& rhs) const;
  Eigen::VectorXd solve_transposed(const Eigen::VectorXd& rhs) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

// A P = Q (R11 R12; 0 0) with rank() rows R11, R12.
class SparseQrFactors {
 public:
  // Columns whose remainder is shorter than `threshold` count as dependent; negative: a threshold
  // from the size of the matrix and the precision of its numbers.
  explicit SparseQrFactors(SparseMatrix matrix, double threshold = -1);
  ~SparseQrFactors();
  SparseQrFactors(SparseQrFactors&&) noexcept;
  SparseQrFactors& operator=(SparseQrFactors&&) noexcept;

  int rows() const;
  int rank() const;
  const std::vector<int>& column_order() const;  // column k of A P is column_order()[k] of A
  const SparseMatrix& R() const;                 // the rank() rows (R11 R12)
  Eigen::VectorXd q_times(const Eigen::VectorXd& x) const;
  Eigen::VectorXd q_transpose_times(const Eigen::VectorXd& x) const;
  // Minimises |A x - rhs| with zeros for the dependent columns.
  Eigen::VectorXd solve(const Eigen::VectorXd& rhs) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace hydae::linalg

// Factors of dense matrices for solving linear systems, square and least squares. Eigen's templates
// for them are instantiated in dense_factors.cc and nowhere else.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

namespace hydae::linalg {

// P A = L U with row pivots, A square.
class DenseLu {
 public:
  explicit DenseLu(const Eigen::MatrixXd& matrix);
  ~DenseLu();
  DenseLu(DenseLu&&) noexcept;
  DenseLu& operator=(DenseLu&&) noexcept;

  bool has_zero_pivot() const;
  double reciprocal_condition() const;  // estimate, 1-norm
  int determinant_sign() const;         // 1 or -1; a zero pivot counts as positive
  Eigen::MatrixXd solve(const Eigen::MatrixXd& rhs) const;
  Eigen::MatrixXd inverse() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

// P A Q = L U with row and column pivots, A of any shape and rank.
class FullPivotLu {
 public:
  explicit FullPivotLu(const Eigen::MatrixXd& matrix);
  ~FullPivotLu();
  FullPivotLu(FullPivotLu&&) noexcept;
  FullPivotLu& operator=(FullPivotLu&&) noexcept;

  int rank() const;  // by a tolerance from the size of the matrix and the precision of its numbers
  // Unknowns that the matrix leaves free are zero; meaningless if there is no solution.
  Eigen::VectorXd solve(const Eigen::VectorXd& rhs) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

// Complete orthogonal decomposition A P = Q (T 0; 0 0) Z of a matrix of any shape and rank, by QR
// with column pivots.
class OrthogonalFactors {
 public:
  // Pivots below `rank_tolerance` times the largest count as zero.
  OrthogonalFactors(const Eigen::MatrixXd& matrix, double rank_tolerance);
  // The same with a tolerance from the size of the matrix and the precision of its numbers.
  explicit OrthogonalFactors(const Eigen::MatrixXd& matrix);
  ~OrthogonalFactors();
  OrthogonalFactors(OrthogonalFactors&&) noexcept;
  OrthogonalFactors& operator=(OrthogonalFactors&&) noexcept;

  int rank() const;
  // All columns in the order of the pivots: the first rank() are independent.
  std::vector<int> column_order() const;
  // Square and orthogonal: the first rank() columns span the range of A.
  Eigen::MatrixXd Q() const;
  // The smallest X among those that minimise |A X - rhs|.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& rhs) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

// The solution of A x = rhs for a regular A, by row pivots.
Eigen::VectorXd solve_regular(const Eigen::MatrixXd& A, const Eigen::VectorXd& rhs);

// The smallest x among those that minimise |A x - rhs|.
Eigen::VectorXd solve_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& rhs);

// Orthonormal columns that span what is orthogonal to the columns of a matrix of full column rank.
Eigen::MatrixXd orthogonal_complement(const Eigen::MatrixXd& matrix);

// As many rows of a matrix of full column rank as it has columns, ascending: a well-conditioned
// square part, found by elimination with row and column pivots.
std::vector<int> independent_rows(const Eigen::MatrixXd& matrix);

}  // namespace hydae::linalg

// LU factors of a sparse square matrix whose pattern never changes (KLU behind). The first call of
// factorize() orders and pivots; later ones reuse the pivots as long as they are good.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace hydae::linalg {

class SparseLU {
 public:
  // Compressed columns: rows of column j are row[start[j]] .. row[start[j+1]-1], in any order.
  SparseLU(std::vector<int> start, std::vector<int> row);
  ~SparseLU();
  SparseLU(SparseLU&&) noexcept;
  SparseLU& operator=(SparseLU&&) noexcept;

  int size() const;
  // Estimated entries of both factors, relative to a full matrix; up to 1 or a little more.
  double factor_fill() const;
  // False if the matrix is singular to working precision or not finite.
  bool factorize(std::span<const double> values);
  // Largest ratio of an entry in a column to the pivot of the column, after scaling of the rows:
  // large if the matrix is close to a singular one.
  double pivot_ratio() const;
  // Overwrites the right-hand side with the solution.
  void solve(std::span<double> rhs);
  void solve_transposed(std::span<double> rhs);

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace hydae::linalg

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
  // A pivot on the diagonal of the ordering is kept while it is at least `pivot_threshold` of the
  // largest entry in its column.
  SparseLU(std::vector<int> start, std::vector<int> row, double pivot_threshold = 1e-3);
  ~SparseLU();
  SparseLU(SparseLU&&) noexcept;
  SparseLU& operator=(SparseLU&&) noexcept;

  int size() const;
  // Estimated entries of both factors, relative to a full matrix; up to 1 or a little more.
  double factor_fill() const;
  // False if the matrix is singular to working precision or not finite.
  bool factorize(std::span<const double> values);
  // The next factorize() chooses its pivots anew.
  void forget_pivots();
  // Largest ratio of an entry in a column to the pivot of the column, after scaling of the rows:
  // large if the matrix is close to a singular one.
  double pivot_ratio() const;
  // Of the diagonal blocks of the block triangular form: +1, -1. A sign by itself says nothing, but
  // where one changes from one matrix to the next, the block has been singular in between.
  void read_determinant_signs(std::vector<int>& signs) const;
  // Overwrites the right-hand side with the solution.
  void solve(std::span<double> rhs);
  void solve_transposed(std::span<double> rhs);

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace hydae::linalg

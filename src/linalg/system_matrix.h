// A square matrix of fixed pattern that is filled, factorised and solved with again and again: the
// system matrix of one block. Chooses by size and density between an explicit inverse, dense LU
// (Eigen) and sparse LU (KLU).
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace hydae::linalg {

class Factorization;

class SystemMatrix {
 public:
  using Position = std::pair<int, int>;                    // row, column
  enum class Method { kBest, kInverse, kDense, kSparse };  // kInverse: up to kMaxSmall unknowns

  // Entries may repeat; repeated positions share one value.
  SystemMatrix(int n, std::span<const Position> entries, Method method = Method::kBest);
  ~SystemMatrix();
  SystemMatrix(SystemMatrix&&) noexcept;
  SystemMatrix& operator=(SystemMatrix&&) noexcept;

  int size() const { return size_; }
  const char* method() const;  // "inverse", "dense lu", "sparse lu"
  // Of sparse LU: estimated entries of the factors relative to a full matrix; 0 otherwise.
  double factor_fill() const;

  // Where entry number e lives in values(). All other values stay zero.
  int slot(int e) const { return slots_[e]; }
  std::span<double> values() { return values_; }

  // False if singular to working precision; then condition() tells how far.
  bool factorize();
  // Reciprocal of the relative change of an entry that makes the matrix singular: exact for
  // explicit inverses, estimated from the pivots for LU. Infinite if a pivot vanished.
  double condition() const { return condition_; }

  // The explicit inverse by columns (small_inverse.h), at a fixed place; null for the other
  // methods.
  const double* inverse() const;
  // x = A^-1 b. `x` has room for padded(size()) numbers; x and b are different.
  void solve(const double* b, double* x);

 private:
  int size_ = 0;
  std::vector<int> slots_;
  std::vector<double> values_;
  double condition_ = 0;
  std::unique_ptr<Factorization> factorization_;
};

}  // namespace hydae::linalg

// Minimum-norm least-squares solutions of A x = b for any shape and rank: x = A^+ b. Small matrices
// by complete orthogonal decomposition (column-pivoted QR, then the other side); large ones by
// sparse LU if they are square and well conditioned, otherwise by two sparse QR decompositions.
// Some unknowns may be weightless: then x is the solution whose other entries are shortest.
#pragma once

#include <memory>
#include <vector>

#include "init/problem.h"

namespace hydae::init {

class PseudoInverse {
 public:
  PseudoInverse();
  ~PseudoInverse();
  PseudoInverse(PseudoInverse&&) noexcept;
  PseudoInverse& operator=(PseudoInverse&&) noexcept;

  // Pivots below rank_tolerance times the largest count as zero. `A` must be finite. `weightless`
  // by column; empty: none is.
  void compute(const Matrix& A, double rank_tolerance, const std::vector<bool>& weightless = {});

  int rank() const;
  Vector apply(const Vector& b) const;
  // rank() columns of A that are linearly independent, ascending.
  std::vector<int> independent_columns() const;

  struct Factors {  // one kind of decomposition
    virtual ~Factors() = default;
    virtual int rank() const = 0;
    virtual Vector apply(const Vector& b) const = 0;
    virtual std::vector<int> independent_columns() const = 0;
  };

 private:
  std::unique_ptr<Factors> factors_;
};

}  // namespace hydae::init

// LU factors of [J; c^T], an n x (n+1) Jacobian with one row more: regular at regular points and at
// turning points of the curve F(z) = 0 if c is not far from its tangent.
#pragma once

#include <memory>

#include "init/problem.h"

namespace hydae::init {

class BorderedMatrix {
 public:
  BorderedMatrix();
  ~BorderedMatrix();

  // False if singular to working precision or not finite.
  bool factorize(const Matrix& J, const Vector& row);
  Vector solve(const Vector& top, double bottom) const;
  int determinant_sign() const { return determinant_sign_; }

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
  int determinant_sign_ = 0;
};

}  // namespace hydae::init

// Newton's method on the square system { F(z) = 0, row . (z - anchor) = 0 } and the tangent of F =
// 0.
#pragma once

#include "init/curve.h"

namespace hydae::init {

class CurveCorrector {
 public:
  CurveCorrector(const Curve& curve, double tolerance) : curve_(curve), tolerance_(tolerance) {}

  // Moves z onto the curve within the plane through its present place. Full Newton steps that must
  // contract; false otherwise.
  bool correct(Vector& z, const Vector& row);
  // The same with row . z = value as the plane.
  bool correct_to(Vector& z, const Vector& row, double value);

  // Unit tangent at z with row . t > 0; empty if there is none to be found with this row.
  Vector tangent(const Vector& z, const Vector& row);
  // Sign of det [J; t^T] where tangent() was called last.
  int determinant_sign() const { return matrix_.determinant_sign(); }

  int num_corrections() const { return num_corrections_; }
  int last_iterations() const { return last_iterations_; }

 private:
  const Curve& curve_;
  double tolerance_;
  BorderedMatrix matrix_;
  Vector f_;
  Matrix J_;
  int num_corrections_ = 0;
  int last_iterations_ = 0;
};

}  // namespace hydae::init

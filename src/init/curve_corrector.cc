#include "init/curve_corrector.h"

#include <limits>

namespace hydae::init {

bool CurveCorrector::correct(Vector& z, const Vector& row) {
  return correct_to(z, row, row.dot(z));
}

bool CurveCorrector::correct_to(Vector& z, const Vector& row, double value) {
  constexpr int kMaxIterations = 10;  // a point that takes more is too far away
  constexpr double kContraction =
      0.6;  // of corrections: slower ones tell that the step was too long
  double last = std::numeric_limits<double>::infinity();
  for (last_iterations_ = 1; last_iterations_ <= kMaxIterations; ++last_iterations_) {
    if (!curve_.evaluate(z, f_) || !curve_.differentiate(z, J_)) return false;
    if (!matrix_.factorize(J_, row)) return false;
    const Vector correction = matrix_.solve(-f_, value - row.dot(z));
    ++num_corrections_;
    const double size = correction.norm() / (1 + z.norm());
    // Near the end rounding may keep a correction of the size of the tolerance alive.
    if (!(size <= kContraction * last) && !(size <= 10 * tolerance_)) return false;
    z += correction;
    if (size <= tolerance_) return true;
    last = size;
  }
  return false;
}

Vector CurveCorrector::tangent(const Vector& z, const Vector& row) {
  if (!curve_.differentiate(z, J_) || !matrix_.factorize(J_, row)) return {};
  Vector t = matrix_.solve(Vector::Zero(curve_.num_equations), 1);
  const double length = t.norm();
  if (!std::isfinite(length) || length == 0) return {};
  return t / length;
}

}  // namespace hydae::init

#include "sim/singularity.h"

#include <cmath>
#include <fmt/format.h>

namespace hydae {

void SingularityWatch::observe(double t, double reach, double radius) {
  const double direction = reach >= t ? 1 : -1;
  const double predicted = t + direction * radius;
  // A singularity on the real axis stays where it is while the steps come closer; one off the axis
  // recedes. The estimate scatters by some per cent of the radius.
  const bool agrees = std::isfinite(predicted) && agreeing_ > 0 &&
                      std::abs(predicted - predicted_) < 0.2 * radius && radius < radius_;
  if (agrees) {
    ++agreeing_;
  } else {
    agreeing_ = 1;
    first_radius_ = radius;
  }
  predicted_ = predicted;
  radius_ = radius;
}

std::optional<std::string> SingularityWatch::warning() const {
  if (agreeing_ < kStepsInARow || radius_ > kNear * first_radius_) return std::nullopt;
  return fmt::format("the solution seems to have a singularity near t = {:.5g}", predicted_);
}

}  // namespace hydae

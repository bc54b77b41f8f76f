// Watches the radius of convergence from step to step: when the distance to the nearest singularity
// shrinks towards a time on the real axis, the solution is about to end there.
#pragma once

#include <optional>
#include <string>

namespace hydae {

class SingularityWatch {
 public:
  void observe(double t, double reach, double radius);
  // "the solution seems to have a singularity near t = 1.5446"
  std::optional<std::string> warning() const;

 private:
  static constexpr int kStepsInARow = 4;
  static constexpr double kNear = 0.5;  // of the radius at which the agreement began
  double predicted_ = 0, radius_ = 0, first_radius_ = 0;
  int agreeing_ = 0;
};

}  // namespace hydae

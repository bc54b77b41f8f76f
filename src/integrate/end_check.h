// Whether the equations hold where a step of BDF ends. Newton's iteration ends where its
// corrections are small, and a matrix of long ago may make them small whatever the equations say:
// y' = -1/(2y), linearised next to y = 0. So from time to time, and always where steps grow, the
// equations are looked at themselves; if they are missed by more than a tenth of a derivative, a
// matrix made at this place decides by how much the solution is off.
#pragma once

#include <optional>
#include <vector>

#include "integrate/bdf_stepper.h"
#include "integrate/newton_matrix.h"

namespace hydae::integrate {

class EndCheck {
 public:
  // `problem` must outlive the check.
  explicit EndCheck(const BdfProblem& problem) : problem_(problem) {}

  // At a start; `is_again`: of a step that did not hold.
  void start(bool is_again);

  struct End {
    double t = 0, step = 0;
    const double *y = nullptr, *yp = nullptr;
    const double* weight = nullptr;  // 1 / tolerance of a step, by component
  };
  // Once for every step: whether it is to be looked at.
  bool is_due(double step);
  bool holds(const End& end);
  // Again and again steps have not held: there is nothing to step on.
  bool is_hopeless() const { return num_missed_ > kMostMissed; }

 private:
  static constexpr int kMostMissed = 50;  // with fewer than a period of steps in between
  bool is_plainly_missed(const End& end);
  bool is_near(const End& end);
  bool fill_residual(const End& end);

  const BdfProblem& problem_;
  std::optional<NewtonMatrix> matrix_;  // made when it is first needed
  std::vector<double> residual_, moved_, correction_;
  unsigned num_steps_ = 0;  // since the start
  double longest_ = 0;      // that was looked at
  int num_missed_ = 0;
  unsigned num_wary_ = 0;  // steps that are all looked at, since one did not hold
};

}  // namespace hydae::integrate

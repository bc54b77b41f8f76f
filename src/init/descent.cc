#include "init/descent.h"

#include <fmt/format.h>
#include <limits>

namespace hydae::init {

Descent::Descent(System& system, const Vector& start, const Options& options)
    : system_(system),
      options_(options),
      y_(system.space().into_bounds(start)),
      solver_(options.rank_tolerance, system.space().weightless()) {}

Outcome Descent::run() {
  Outcome outcome;
  if (system_.evaluate(y_, f_)) {
    iterate(outcome);
  } else {
    outcome.status = Status::kUndefined;
    outcome.detail = "equations not defined at the start";
  }
  outcome.y = y_;
  judge(system_, options_, outcome);
  return outcome;
}

void judge(System& system, const Options& options, Outcome& outcome) {
  Vector f;
  Matrix J;
  if (!system.evaluate(outcome.y, f)) {
    outcome.residual_norm = std::numeric_limits<double>::infinity();
    if (outcome.status == Status::kSolved) outcome.status = Status::kNotConverged;
    return;
  }
  system.differentiate(outcome.y, J);  // for the sizes of the equations
  outcome.residual_norm = system.residual_norm(f);
  if (outcome.status == Status::kSolved && system.is_at_pole(f)) {
    outcome.status = Status::kNotConverged;
    outcome.residual_norm = std::numeric_limits<double>::infinity();
    outcome.detail = "ended at a pole of the equations";
    return;
  }
  if (outcome.status != Status::kSolved || outcome.residual_norm <= options.residual_tolerance)
    return;
  outcome.status = Status::kInconsistent;
  outcome.detail =
      fmt::format("residual {:.3g} cannot be made smaller nearby", outcome.residual_norm);
}

}  // namespace hydae::init

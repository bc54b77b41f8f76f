// Solutions x(lambda) of an algebraic system f(x, lambda) = 0 with as many equations as free
// unknowns: along the parameter as far as it goes, or along the curve by arc length, around turning
// points and closed curves.
#pragma once

#include <string>
#include <vector>

#include "init/curve.h"
#include "init/problem.h"

namespace hydae::init {

struct ContinuationPoint {
  Vector x;
  double lambda = 0;
  double arclength = 0;  // in units of the nominal values
  PointKind kind = PointKind::kRegular;
};

struct Continuation {
  PathEnd end = PathEnd::kBadStart;
  std::string message;  // why it ended, if not where it was meant to
  std::vector<ContinuationPoint> points;
  int count(PointKind kind) const;
};

// Starts with the solution at `start` closest to the guesses, found by solve(). Values of lambda in
// the options are the user's; steps are in units of the nominal values. Bounds hold for the start
// only. UsageError if the system is not square.
Continuation follow_arc(const ParametricProblem& problem, double start, const PathOptions& options);
Continuation follow_parameter(const ParametricProblem& problem, double start, double target,
                              const PathOptions& options);

}  // namespace hydae::init

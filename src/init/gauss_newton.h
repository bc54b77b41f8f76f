// Damped Gauss-Newton method for f(y) = 0 of any shape and rank. A step is the shortest solution of
// the linearised equations within the bounds; it is shortened until the simplified correction -J^+
// f at the new point is smaller than the step itself (natural monotonicity test, Deuflhard 2011,
// sections 2.1 and 4.4). The test is that of a residual scaled by J^+: it does not depend on how
// equations are scaled. Where the residual is not defined the step is shortened, too.
#pragma once

#include "init/problem.h"
#include "init/system.h"

namespace hydae::init {

// Where a method ended.
struct Outcome {
  Status status = Status::kNotConverged;
  Vector y;
  double residual_norm = 0;
  int iterations = 0;
  bool is_unique = false;  // known: no other solution in the neighbourhood
  std::string detail;
};

Outcome gauss_newton(System& system, const Vector& start, const Options& options);

// For fewer equations than unknowns: moves the solution y along f = 0 towards the point closest to
// the guesses, and returns it; or y, if that does not converge.
Vector move_to_closest_point(System& system, const Vector& y, const Options& options,
                             int& iterations);

// Judges a point where a method came to rest: solved or inconsistent.
void judge(System& system, const Options& options, Outcome& outcome);

}  // namespace hydae::init

// Homotopies for n equations in n unknowns: a family H(y, lambda) = 0 with a known solution at
// lambda = 0 and f(y) = 0 at lambda = 1, followed by arc length, so that it may turn back on the
// way. With more unknowns than equations the least independent ones stay at the start value.
//   Newton:      f(y) - (1 - lambda) f(y0)
//   affine:      lambda f(y) + (1 - lambda) J(y0) (y - y0)
//   fixed point: lambda f(y) + (1 - lambda) Q (y - y0), Q the orthogonal factor of J(y0) = Q P
//   user:        f(y, lambda)
#pragma once

#include "init/gauss_newton.h"

namespace hydae::init {

// `method` is one of the three homotopies from a start y0. The result is refined by Gauss-Newton.
Outcome follow_homotopy(System& system, Method method, const Vector& start, const Options& options);

// From a solution of the simplified equations (parameter 0) to the actual ones (parameter 1).
Outcome follow_user_homotopy(System& system, const Vector& simplified, const Options& options);

// Solutions that the Newton homotopy connects with the start, in both of its directions, along no
// more than some times `reach`.
std::vector<Outcome> connected_solutions(System& system, const Vector& start, double reach,
                                         const Options& options);

}  // namespace hydae::init

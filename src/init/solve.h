// Finds a consistent point: methods from fast to stubborn, each one only when the one before did
// not succeed. Damped Gauss-Newton, Levenberg-Marquardt, homotopies followed by arc length, and
// Ipopt. Every result is judged by the same test, whoever found it. Docs:
// docs/math/initialization.md.
#pragma once

#include "init/problem.h"

namespace hydae::init {

// Throws UsageError if sizes do not fit; everything else is in the report.
Solution solve(const Problem& problem, const Options& options = {});

// With a user's homotopy: first the actual equations (lambda = 1) by the fast methods; then the
// simplified ones (lambda = 0), whose solution is followed to lambda = 1; then everything else on
// the actual ones.
Solution solve(const ParametricProblem& problem, const Options& options = {});

}  // namespace hydae::init

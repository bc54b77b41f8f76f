// Step size from Taylor coefficients. The error of a truncated series is read off an envelope of
// the last eight coefficients, in two windows of four, so that a series with gaps (an even
// function, a lacunary one) does not fool it. (Envelope in the manner of Jorba and Zou 2005;
// windows: docs/math/taylor.md.)
#pragma once

#include <cmath>
#include <span>

namespace hydae::integrate {

struct StepChoice {
  double tau = 0;    // step in units of the scale of the expansion
  double decay = 0;  // of the logarithm of coefficients per order; infinite for a polynomial
  // The coefficients have something to say about the whole step. They have not where they vanish,
  // or where they are rounding errors: a function may be as good as constant now and not later.
  bool is_earned = true;

  // Estimated radius of convergence, same units.
  double radius() const { return std::exp(decay); }
};

// `sizes[n]`, n = 0 .. p: size of coefficient n relative to the tolerance, the largest over all
// components. Only the last eight are looked at. `rounding`: size of rounding errors in the same
// units. `is_first`: no step before that bounds the growth.
StepChoice choose_step(std::span<const double> sizes, double rounding, bool is_first);

// Order from the tolerance: a step costs almost the same for every order, so that high orders pay.
int order_for_tolerance(double tolerance);

}  // namespace hydae::integrate

// Polynomials in power form, p(x) = p[0] + p[1] x + ... + p[n] x^n, as spans of coefficients.
// An empty span is the zero polynomial. Nothing here allocates.
#pragma once

#include <span>

namespace hydae::poly {

struct ValueAndSlope {
  double value = 0;
  double slope = 0;
};

// Horner's scheme.
double evaluate(std::span<const double> p, double x);
ValueAndSlope evaluate_with_slope(std::span<const double> p, double x);

// Replaces p(x) by q(s) = p(centre + width * s).
void recentre(std::span<double> p, double centre, double width);

// Replaces p by its derivative of the given order and returns its coefficients, a prefix of `p`.
std::span<double> differentiate(std::span<double> p, int order);

struct Bracket {
  double lower = 0;
  double upper = 0;
  bool is_increasing = true;  // sign of p - target at `upper` relative to `lower`
};

// A point of [lower, upper] where p takes the value `target`, to the last bits. The caller vouches
// that p - target changes its sign once from `lower` to `upper`, in the stated direction; the end
// values themselves are not evaluated. Newton's method with bisection whenever it would leave the
// bracket or does not halve it.
double solve_in_bracket(std::span<const double> p, double target, Bracket bracket);

}  // namespace hydae::poly

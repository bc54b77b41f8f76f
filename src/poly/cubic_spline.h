// The cubic spline through points whose second derivative is continuous, and whose third derivative
// is so at the second and the last but one ("not a knot": de Boor, A Practical Guide to Splines,
// 1978, IV). Points of a polynomial of degree three give that polynomial.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace hydae::poly {

// Of each interval [x_i, x_i+1] the coefficients in (x - x_i) / (x_i+1 - x_i). `x` ascends strictly
// and has at least two entries; two points give a line, three a parabola.
std::vector<std::array<double, 4>> cubic_spline(std::span<const double> x,
                                                std::span<const double> y);

}  // namespace hydae::poly

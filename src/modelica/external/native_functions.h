// Functions that exist as code, made by what tells them apart: their sizes. The names say the same,
// so that a flat text can refer to them.
#pragma once

#include <optional>
#include <string>

#include <hydae/expr.h>

namespace hydae::modelica::native {

// A (n by n), then B (n by m) -> X with A*X = B: dgesv3x1.
Function make_linear_solver(int n, int m);
// A (n by k), B (n by m) -> the X of least norm with the least |A*X - B|, then the rank of A.
Function make_least_squares(int n, int k, int m);
// n samples -> amplitudes, then phases.
Function make_fourier(int n);
// State -> random number, next state; nothing if there is no generator of this name.
std::optional<Function> find_generator(const std::string& name);

// The function of this name, as the others make it.
std::optional<Function> find_native(const std::string& name);

}  // namespace hydae::modelica::native

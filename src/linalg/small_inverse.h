// Explicit inverses of small dense matrices: for a system that is solved some twenty times per
// factorisation, one product with the inverse is two to five times faster than two triangular
// solves.
//
// Matrices are stored by columns with leading dimension padded(n); the padding rows are ignored.
#pragma once

namespace hydae::linalg {

inline constexpr int kMaxSmall = 40;

constexpr int padded(int n) { return (n + 3) / 4 * 4; }

// Replaces `a` by its inverse, with scaled partial pivoting. Returns the smallest pivot relative to
// the largest entry of its column: small if `a` is badly scaled or nearly singular. Zero, with `a`
// destroyed, if a pivot is zero or not finite.
double invert(int n, double* a);

// y = inverse * x. `y` has room for padded(n) numbers and is not `x`.
void multiply(int n, const double* inverse, const double* x, double* y);
// The function that does this for matrices of size n.
using MultiplyKernel = void (*)(int n, const double* inverse, const double* x, double* y);
MultiplyKernel multiply_kernel(int n);

// max |a_ij (a^-1)_ji|: the reciprocal of the smallest relative change of one entry of `a` that
// makes it singular. Invariant under scaling of rows and columns.
double sensitivity(int n, const double* a, const double* inverse);

}  // namespace hydae::linalg

#include "linalg/small_inverse.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "linalg/small_kernels.h"

namespace hydae::linalg {

namespace {

const MultiplyKernel* chosen_products() {
  static const MultiplyKernel* const table = HYDAE_CHOOSE_VARIANT(multiply_kernels)();
  return table;
}

}  // namespace

double invert(int n, double* a) {
  HYDAE_CHECK(n >= 1 && n <= kMaxSmall);
  static double (*const kernel)(int, double*) = HYDAE_CHOOSE_VARIANT(invert);
  return kernel(n, a);
}

void multiply(int n, const double* inverse, const double* x, double* y) {
  chosen_products()[n](n, inverse, x, y);
}

MultiplyKernel multiply_kernel(int n) {
  HYDAE_CHECK(n >= 1 && n <= kMaxSmall);
  return chosen_products()[n];
}

double sensitivity(int n, const double* a, const double* inverse) {
  const int ld = padded(n);
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      largest = std::max(largest, std::abs(a[i + j * ld] * inverse[j + i * ld]));
    }
  }
  return largest;
}

}  // namespace hydae::linalg

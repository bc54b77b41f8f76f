// What small_inverse.h computes, as each build of small_kernels.cc and small_products.cc has it.
#pragma once

#include "linalg/simd.h"
#include "linalg/small_inverse.h"

namespace hydae::linalg {

HYDAE_DECLARE_VARIANTS(double invert(int n, double* a))
HYDAE_DECLARE_VARIANTS(const MultiplyKernel* multiply_kernels())  // by size

}  // namespace hydae::linalg

// What small_inverse.h computes, as one build of small_kernels.cc has it.
#pragma once

#include "linalg/small_inverse.h"

namespace hydae::linalg {

struct SmallKernels {
  double (*invert)(int n, double* a);
  const MultiplyKernel* multiply;  // by size
};

}  // namespace hydae::linalg

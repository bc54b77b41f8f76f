#include "integrate/step_kernels.h"
#include "linalg/simd.h"

namespace hydae::integrate {

HYDAE_DECLARE_VARIANTS(const StepKernels& kernels())

const StepKernels& step_kernels() {
  static const StepKernels& chosen = HYDAE_CHOOSE_VARIANT(kernels)();
  return chosen;
}

}  // namespace hydae::integrate

// Kernels for the processor that runs the program: docs/design/codegen.md, "Kernels".
#include "codegen/kernels.h"
#include "linalg/simd.h"

namespace hydae::codegen {

HYDAE_DECLARE_VARIANTS(const KernelTable& kernel_table())

namespace {

const KernelTable& chosen_kernels() {
  static const KernelTable& table = HYDAE_CHOOSE_VARIANT(kernel_table)();
  return table;
}

}  // namespace

const Kernel* kernels(SeriesOp op, Variant variant) {
  return chosen_kernels().kernels(op, variant);
}
const RowKernel* row_kernels(Variant variant) { return chosen_kernels().row_kernels(variant); }
const FormKernel* form_kernels() { return chosen_kernels().form_kernels; }

}  // namespace hydae::codegen

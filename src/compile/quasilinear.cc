#include "compile/quasilinear.h"

#include "expr/linearity.h"

namespace hydae {

IdVector<EqId, bool> nonlinear_equations(const System& system,
                                         const structure::Analysis& structure) {
  IdVector<EqId, bool> nonlinear(system.residuals.size(), false);
  for (EqId eq : ids<EqId>(system.residuals.size())) {
    const BlockId block = structure.fine.block_of(eq);
    const auto is_leading = [&](Leaf leaf) {
      const auto column = system.find_column(leaf.variable);
      return column && structure.fine.block_of(*column) == block &&
             leaf.order == structure.offsets.d[*column] - structure.offsets.c[eq];
    };
    nonlinear[eq] =
        linearity(system.graph(), system.residuals[eq], is_leading) == Linearity::kNonlinear;
  }
  return nonlinear;
}

}  // namespace hydae

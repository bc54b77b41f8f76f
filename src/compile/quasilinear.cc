#include "compile/quasilinear.h"

#include <algorithm>

#include "expr/linearity.h"

namespace hydae {

std::vector<bool> nonlinear_equations(const System& system, const structure::Analysis& structure) {
  std::vector<bool> nonlinear(system.residuals.size(), false);
  for (EqId eq : ids<EqId>(system.residuals.size())) {
    const BlockId block = structure.fine.block_of(eq);
    const auto is_leading = [&](Leaf leaf) {
      const auto column = system.find_column(leaf.variable);
      return column && structure.fine.block_of(*column) == block &&
             leaf.order == structure.offsets.d[*column] - structure.offsets.c[eq];
    };
    nonlinear[eq.index()] =
        linearity(system.graph(), system.residuals[eq], is_leading) == Linearity::kNonlinear;
  }
  return nonlinear;
}

bool is_quasilinear(const structure::Analysis& structure, const std::vector<bool>& nonlinear,
                    BlockId block) {
  const auto eqs = structure.fine.eqs(block);
  return std::none_of(eqs.begin(), eqs.end(),
                      [&](EqId eq) { return structure.local.c[eq] == 0 && nonlinear[eq.index()]; });
}

}  // namespace hydae

// Which equations contain the leading derivatives x_j^(d_j - c_i) of their block nonlinearly. A
// block is quasilinear if no equation that is not differentiated in it (local offset 0) does: a
// derivative of an equation is always linear in its highest derivatives.
#pragma once

#include <vector>

#include "compile/system.h"
#include "structure/analysis.h"

namespace hydae {

// By equation.
std::vector<bool> nonlinear_equations(const System& system, const structure::Analysis& structure);

bool is_quasilinear(const structure::Analysis& structure, const std::vector<bool>& nonlinear,
                    BlockId block);

}  // namespace hydae

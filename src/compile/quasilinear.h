// Which equations contain the leading derivatives x_j^(d_j - c_i) of their block nonlinearly. What
// follows for the blocks and stages is in structure/scheme.h.
#pragma once

#include "compile/system.h"
#include "structure/analysis.h"

namespace hydae {

IdVector<EqId, bool> nonlinear_equations(const System& system,
                                         const structure::Analysis& structure);

}  // namespace hydae

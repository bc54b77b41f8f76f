// Repair of systems on which structural analysis fails: the system Jacobian J is singular
// identically, because terms cancel that the structure cannot see. Three equivalent
// transformations, each of which lowers the degrees of freedom that the structure shows:
//
// - linear combination of equations, by u^T J = 0 (Tan, Nedialkov, Pryce 2017),
// - expression substitution, by J v = 0 (the same),
// - augmentation: an equation is evaluated on the solutions of others, which are solved for new
//   unknowns (Oki 2023).
//
// docs/math/repair.md has the formulas and their conditions.
#pragma once

#include <optional>

#include <hydae/analyze.h>

#include "compile/jacobian.h"
#include "compile/system.h"
#include "structure/analysis.h"

namespace hydae {

// Changes `system` and says what it did; nothing if no repair is known.
std::optional<Repair> repair(System& system, const structure::Analysis& structure,
                             const SingularBlock& block, const std::vector<SamplePoint>& points);

}  // namespace hydae

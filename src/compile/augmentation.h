// Repair of a singular block by augmentation: an equation that depends on others of the block is
// evaluated on their solutions, for which they get new unknowns, and numbers in the places of what
// then no longer matters. It needs no condition on the orders of derivatives, unlike combinations
// and substitutions, and is tried after them (Oki 2023; docs/math/repair.md).
#pragma once

#include <optional>
#include <vector>

#include <hydae/analyze.h>

#include "compile/jacobian.h"
#include "compile/system.h"
#include "structure/analysis.h"

namespace hydae {

// Changes `system` and says what it did; nothing if no row of the block depends on others.
std::optional<Repair> augment(System& system, const structure::Analysis& structure,
                              const SingularBlock& block, const std::vector<SamplePoint>& points);

}  // namespace hydae

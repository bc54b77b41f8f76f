// A highest-value transversal is often not the only one. The others differ from it by cycles of
// tight entries, d_j - c_i = sigma_ij, and each cycle lies in one fine block.
#pragma once

#include <optional>

#include "structure/analysis.h"

namespace hydae::structure {

// Another highest-value transversal, along one shortest cycle in each fine block that has one: in
// all with more than one equation. None if the transversal is the only one.
std::optional<Matching> find_second_transversal(const SignatureMatrix& sigma,
                                                const Analysis& analysis);

}  // namespace hydae::structure

// Derivatives beyond those that the equations contain. x_j^(d_j + k) follows from the equations of
// its block, differentiated k times more, and from derivatives of what they read as highest ones:
// their blocks are differentiated as well. No state is added.
#pragma once

#include <optional>
#include <span>

#include "compile/analyzed_system.h"

namespace hydae {

// With offsets that reach all derivatives in the roots; none if they do so already. Throws
// ModelError [not-for-ida] where a function that exists as code would be differentiated more than
// twice.
std::optional<AnalyzedSystem> with_higher_derivatives(const AnalyzedSystem& prepared,
                                                      std::span<const NodeId> roots);

}  // namespace hydae

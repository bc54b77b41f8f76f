// What a truncated power series leaves out, from its own terms.
#pragma once

#include <optional>
#include <span>

namespace hydae::poly {

// An estimate of |sum of the terms beyond the last| on [0, 1], or nothing if the terms do not
// decrease: then nothing is known. The last four terms are compared with the largest of the others
// except the constant, which says nothing about the rest: tanh(100 (t - 1)) is -1 to all digits
// where its series is far from converging. docs/math/events.md, "Convergence".
std::optional<double> estimate_tail(std::span<const double> series);

}  // namespace hydae::poly

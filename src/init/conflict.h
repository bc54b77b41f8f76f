// A smallest reason why requirements cannot hold together, e.g. which fixed initial values
// contradict each other. "Minimal" means that each of them is needed: leave out any one and the
// rest can hold. There may be other minimal sets. Method: QuickXplain (Junker 2004), which asks
// about k log(n/k) + k questions for a conflict of k among n.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace hydae::init {

// `can_hold` says whether the given requirements (indices, ascending) can hold together; leaving
// out requirements must never make the rest impossible. A conflict among the first requirements is
// found before one that needs later ones: put those to be blamed first. Empty optional: all can
// hold; an empty set: even without any requirement it cannot hold.
std::optional<std::vector<int>> find_minimal_conflict(
    int count, const std::function<bool(std::span<const int>)>& can_hold);

}  // namespace hydae::init

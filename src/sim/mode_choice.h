// What decides about the mode, besides discrete values: switches, and guards that are held at zero.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/pinned_guard.h"
#include "sim/switch_search.h"

namespace hydae {

struct ModeChoice {
  Switches switches;
  std::vector<PinnedGuard> pins;  // sorted
  auto operator<=>(const ModeChoice&) const = default;
};

inline bool is_pinned_in(const std::vector<PinnedGuard>& pins, std::size_t surface) {
  return std::any_of(pins.begin(), pins.end(),
                     [&](const PinnedGuard& pin) { return pin.surface == surface; });
}

// The choice that leaves a surface to a side, with those that follow it.
inline void leave(const HybridModel& model, std::size_t surface, int side, ModeChoice& choice) {
  model.set_side(surface, side, choice.switches.bits);
  std::erase_if(choice.pins, [&](const PinnedGuard& pin) {
    if (pin.surface == surface) return true;
    if (!pin.follows || pin.follows->surface != surface) return false;
    model.set_side(pin.surface, pin.follows->is_opposite ? -side : side, choice.switches.bits);
    return true;
  });
}

// Two exits for each hold: the share below 0 or above 1; the reaction of the wrong sign. Without
// its reaction a guard moves to the side from which it came.
inline std::pair<std::size_t, int> surface_and_side(const std::vector<PinnedGuard>& pins,
                                                    std::size_t exit) {
  const PinnedGuard& pin = pins[exit / 2];
  return {pin.surface, pin.is_sliding() ? (exit % 2 == 0 ? -1 : 1) : pin.free_side};
}

}  // namespace hydae

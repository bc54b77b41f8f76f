// What decides about the mode, besides discrete values: switches, and guards that are held at zero.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/hold.h"
#include "sim/switch_search.h"

namespace hydae {

struct ModeChoice {
  Switches switches;
  std::vector<Hold> holds;  // sorted
  auto operator<=>(const ModeChoice&) const = default;
};

inline bool is_held_in(const std::vector<Hold>& holds, std::size_t surface) {
  return std::any_of(holds.begin(), holds.end(),
                     [&](const Hold& hold) { return hold.surface == surface; });
}

// The choice that leaves a surface to a side.
inline void leave(const HybridModel& model, std::size_t surface, int side, ModeChoice& choice) {
  std::erase_if(choice.holds, [&](const Hold& hold) { return hold.surface == surface; });
  model.set_side(surface, side, choice.switches.bits);
}

// Two exits for each hold: the share below 0 or above 1; the reaction of the wrong sign. Without
// its reaction a guard moves to the side from which it came.
inline std::pair<std::size_t, int> surface_and_side(const std::vector<Hold>& holds,
                                                    std::size_t exit) {
  const Hold& hold = holds[exit / 2];
  return {hold.surface, hold.is_sliding() ? (exit % 2 == 0 ? -1 : 1) : hold.free_side};
}

}  // namespace hydae

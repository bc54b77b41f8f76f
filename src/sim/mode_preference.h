// Of several modes that agree with their own solutions, the one that is taken: nothing jumps in it,
// then it is the nearest to the mode before the instant. Where that leaves a choice, it is said.
// docs/math/instant.md.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "sim/trial_solver.h"

namespace hydae {

class ModePreference {
 public:
  // What the search that has found a mode has met on its way.
  struct Met {
    const std::vector<Trial>& refuted;       // with a solution that contradicts them
    const std::set<std::size_t>& switching;  // relations that a solution asked to change
    bool has_cycled = false;                 // following what solutions ask for led nowhere
  };
  ModePreference(TrialSolver& trials, const EventPass& pass)
      : trials_(trials), model_(trials.model()), pass_(pass) {}

  Trial choose(Trial found, const Met& met);

 private:
  using Places = std::vector<std::size_t>;
  // Smaller is better.
  struct Rank {
    bool jumps = false;
    std::size_t distance = 0;
    auto operator<=>(const Rank&) const = default;
  };
  Places free_places(const Trial& found, const Met& met) const;
  std::vector<Switches> candidates(const Trial& found, const Places& places, const Met& met) const;
  std::size_t distance(const Switches& switches) const;
  Rank rank(const Trial& trial) const;
  void say_choice(Trial& best, const std::vector<Switches>& rivals) const;

  TrialSolver& trials_;
  const HybridModel& model_;
  const EventPass& pass_;
};

}  // namespace hydae

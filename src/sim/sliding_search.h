// Trials that differ in the sides of some surfaces only and lead back to each other: the solution
// can leave to no side, so it stays on some of the surfaces. docs/math/sliding.md.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/outcome.h"
#include "sim/trial_solver.h"

namespace hydae {

class SlidingSearch {
 public:
  SlidingSearch(TrialSolver& trials, const EventPass& pass)
      : trials_(trials), model_(trials.model()), pass_(pass) {}

  // `cycle`: trials that had a solution. Nothing if no combination of sides and surfaces is
  // consistent; a failure if several are.
  std::optional<Outcome<Trial>> run(const std::vector<Trial>& cycle);

 private:
  using Surfaces = std::vector<std::size_t>;
  std::optional<Trial> pivot(const Trial& from, const Surfaces& surfaces);
  std::optional<Outcome<Trial>> enumerate(const Trial& from, const Surfaces& surfaces);
  std::vector<Trial> consistent_trials(const Trial& from, const Surfaces& surfaces);
  std::optional<Outcome<Trial>> share(const Trial& from, const Surfaces& surfaces);
  SharedHold partner_of(std::size_t surface, const Surfaces& held,
                        const TaylorSolution& moving) const;
  void find_memories(const Trial& from, const std::set<std::size_t>& surfaces);
  bool differs_in_followers(const Trial& a, const Trial& b);
  bool is_reached(std::size_t surface) const;
  bool moves_a_state(const Trial& trial, const Trial& from) const;
  Outcome<Trial> solve(const ModeChoice& choice, const Trial& from);
  std::set<std::size_t> contested_surfaces(const std::vector<Trial>& cycle) const;
  std::vector<std::pair<std::size_t, int>> moves(const Surfaces& surfaces,
                                                 const std::vector<int>& sides,
                                                 const ModeChoice& wanted) const;
  void place(const Surfaces& surfaces, const std::vector<int>& sides, ModeChoice& choice) const;
  std::vector<std::string> texts_of(const Surfaces& surfaces) const;

  TrialSolver& trials_;
  const HybridModel& model_;
  EventPass pass_;
  bool has_followers_ = false;  // discrete variables that differ along the cycle
  std::map<std::size_t, std::vector<SideValues>> memories_;  // by surface
};

}  // namespace hydae

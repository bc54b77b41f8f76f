// One search for a mode that agrees with its own solution, at one instant and with all values under
// pre() frozen. Every trial starts from the left limits of the pass.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/outcome.h"
#include "sim/trial_solver.h"

namespace hydae {

class ModeSearch {
 public:
  ModeSearch(TrialSolver& trials, const EventPass& pass)
      : trials_(trials), model_(trials.model()), pass_(pass) {}

  Outcome<Trial> run(const ModeChoice& first);

  // Switches that have a solution, and what it asks for, if the two differ in silent relations
  // only.
  struct SilentConflict {
    Switches from, wanted;
  };
  const std::optional<SilentConflict>& silent_conflict() const { return silent_conflict_; }

 private:
  Outcome<Trial> find(const ModeChoice& first);
  Outcome<Trial> search(ModeChoice first);
  bool is_set_off(const Trial& trial) const;
  std::set<std::size_t> undone_by(const Trial& trial) const;
  std::optional<Outcome<Trial>> keep_undone();
  std::optional<Outcome<Trial>> keep(const ModeChoice& from, std::set<std::size_t> relations);
  std::optional<Outcome<Trial>> try_switches(ModeChoice& first);
  std::optional<Outcome<Trial>> resolve_cycle();
  std::optional<Outcome<Trial>> slide();
  std::optional<Outcome<Trial>> release();
  void refresh_memories(ModeChoice& choice);
  std::optional<Trial> search_widely();
  std::optional<Trial> follow(ModeChoice choice, std::set<Switches>& tried);
  ModeChoice wanted_by(const Trial& trial) const;
  void note_conflict(Trial trial, const ModeChoice& wanted);
  Failure no_mode() const;

  TrialSolver& trials_;
  const HybridModel& model_;
  EventPass pass_;
  ModeChoice begin_;
  // Relations that keep the truth that they are tried with, whatever their guards say.
  std::set<std::size_t> held_;
  std::vector<Trial> solved_;        // without their solutions
  std::set<std::size_t> switching_;  // relations that some solution asked to change
  bool is_contest_ = true;           // both sides of limits lead back to them
  bool has_no_solution_ = false;     // of some mode that was tried
  bool has_cycled_ = false;          // what solutions ask for led back to what was tried
  int num_trials_ = 0;
  std::optional<Failure> first_failure_;  // of the first trial
  std::optional<SilentConflict> silent_conflict_;
};

// Relations in which two sets of bits differ.
std::set<std::size_t> differences(const std::vector<bool>& a, const std::vector<bool>& b);
// Relations whose guards are affine in time: their truth is known whatever the solution is.
std::vector<std::size_t> time_relations(const HybridModel& model);
// The others, by surface.
std::vector<SwitchGroup> switch_groups(const HybridModel& model);

}  // namespace hydae

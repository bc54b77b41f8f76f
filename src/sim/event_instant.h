// The instant of an event: passes of the discrete part, each with a mode that agrees with its own
// solution, until nothing changes any more. A trial is accepted by assignment; nothing else of it
// reaches the run.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "sim/contact_response.h"
#include "sim/impact.h"
#include "sim/mode_search.h"
#include "sim/trial_solver.h"

namespace hydae {

// The state that a run has come to, with what is computed from it.
struct Committed {
  HybridState state;
  SolutionPtr solution;
  SwitchTable table;  // of the state

  explicit Committed(const HybridModel& model) : table(model) {}
  void fill_table() { table.fill(content_of(state)); }
  StateView view() const { return {state, *solution, table.numbers()}; }
};

// The trial becomes the state of the run.
void accept_trial(const Trial& trial, Committed& run);

class EventInstant {
 public:
  struct Tools {
    TrialSolver& trials;
    ContactResponse& contacts;
    ImpactSolver& impacts;
    ModeSelector& selector;
    const RunSettings& settings;
    RunReport& report;
    // Of the next time event behind the start of a solution, at most `limit`.
    std::function<double(const TaylorSolution& solution, double limit)> next_time_event;
    // The solution is what the run follows up to t.
    std::function<void(const TaylorSolution& solution, double t)> record_until;
  };
  EventInstant(const Tools& tools, Committed& run)
      : tools_(tools), model_(tools.trials.model()), run_(run) {}

  // `event` with its left limits and its cause. Its time moves on a little where a silent switch
  // leads to an expression that is undefined just there.
  Outcome<Done> settle(Event& event);

 private:
  // Bits, discrete values and conditions after a pass.
  using Seen = std::tuple<std::vector<bool>, std::vector<double>, std::vector<bool>>;
  struct PassResult {
    ModeChoice choice;
    bool is_last = false;
  };
  // What an event changes of the state before it has been settled.
  struct Changed {
    ModeChoice choice;
    std::vector<double> discrete;
    std::vector<bool> conditions;
  };
  Outcome<Done> iterate(Event& event);
  void begin_again(const Changed& before, Event& event);
  bool settle_exactly(const Changed& before, Event& event);
  Outcome<PassResult> run_pass(const ModeChoice& candidate, Event& event, std::set<Seen>& seen);
  ModeChoice first_candidate(const Cause& cause) const;
  std::optional<ModeSearch::SilentConflict> gap_at(const ModeSearch& search, const Failure& failure,
                                                   const ModeChoice& candidate,
                                                   const Cause& cause) const;
  std::optional<Trial> step_over(const ModeSearch::SilentConflict& conflict, Event& event);
  bool show_reset_guards(const Trial& trial, Event& event);
  void accept(const Trial& trial, Event& event);
  Outcome<Done> obey_assertions(double t, const DiscreteOutcome& outcome);
  Outcome<bool> act(const DiscreteOutcome& outcome, Event& event);
  Outcome<Done> apply_impacts(const DiscreteOutcome& outcome, Event& event);
  void remember_resets(const DiscreteOutcome& outcome, Event& event) const;
  Failure cycle_failure(double t, const std::vector<double>& before) const;
  EventPass pass_of(const Event& event);

  const Tools& tools_;
  const HybridModel& model_;
  Committed& run_;
  SolutionPtr before_;                  // the instant
  std::vector<double> guard_errors_{};  // see EventPass
};

}  // namespace hydae

// The guards of a run over one step: which outputs are watched, with what is remembered of them,
// and what makes an event there. For steps of both solvers.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "sim/cause.h"
#include "sim/guard_record.h"
#include "sim/guard_signs.h"
#include "sim/guard_watch.h"
#include "sim/hybrid_state.h"
#include "sim/outcome.h"
#include "sim/output_rooms.h"
#include "sim/run_report.h"
#include "sim/taylor_solution.h"

namespace hydae {

struct Crossing {
  double t = 0;
  Cause cause;
};

// A part of a step of BDF, in units of it, that is left to the Taylor method.
struct Suspicion {
  double from = 0, until = 1;
};

class StepGuards {
 public:
  StepGuards(const HybridModel& model, double rtol, const GuardSigns& signs, OutputRooms& outputs,
             RunReport& report)
      : model_(model),
        rtol_(rtol),
        signs_(signs),
        outputs_(outputs),
        report_(report),
        record_(model, report) {}

  // Whether every step is to be gone through with proofs, too.
  void set_certified(bool is_certified) { watch_.set_certified(is_certified); }
  std::vector<EventFunction> functions() const { return record_.functions(); }

  // The first event of the step at hand, which becomes shorter where the solution is not accurate
  // enough for a guard, unless it is as good as it can be. Fails where a guard is not even a
  // number.
  Outcome<std::optional<Crossing>> find_crossing(TaylorSolution& solution,
                                                 const std::vector<double>& table,
                                                 HybridState& state, bool is_best = false);
  // At a time whose series have no reach: guards that vanish within `time` from there.
  std::optional<Crossing> crossing_within(double time, TaylorSolution& solution,
                                          const std::vector<double>& table, HybridState& state);
  // Behind find_crossing() without one, where the step has led to a branch point: guards that have
  // come to nothing there.
  std::optional<Crossing> crossing_at_end(TaylorSolution& solution,
                                          const std::vector<double>& table, HybridState& state);
  // Where a guard vanishes, perhaps, in a step of BDF.
  std::optional<Suspicion> find_suspicion(StepOutputs& outputs, const CompiledMode& mode,
                                          HybridState& state);
  // Behind find_suspicion(): the event as BDF itself has it, if there is one.
  std::optional<Crossing> crossing_by_bdf(StepOutputs& outputs, const CompiledMode& mode,
                                          HybridState& state);

 private:
  void choose_guards(StepOutputs& outputs, const CompiledMode& mode, HybridState& state);
  void note_first_size(StepOutputs& outputs, std::size_t relation, GuardMemory& memory) const;
  void watch_output(const CompiledMode& mode, std::size_t output, const GuardMemory& memory);
  static bool vanishes_within(double time, double scale, const TaylorSolution& solution,
                              const WatchedGuard& guard);
  void forget_past_errors(StepOutputs& outputs);
  void add_series(const integrate::TaylorStepper& stepper);
  void remember(StepOutputs& outputs, double place, GuardMemory& memory) const;
  void remember_derivatives(const integrate::TaylorStepper& stepper, GuardMemory& memory) const;
  void add_root(const GuardRoot& root, double step, GuardMemory& memory, Cause& cause) const;
  Cause cause_of(const GuardEvent& event, const CompiledMode& mode, double step,
                 GuardMemory& memory) const;
  void note_grazing(std::size_t relation, double t);
  void note_grades(const StepOutputs& outputs, double until);
  double place_before(StepOutputs& outputs, const GuardRoot& root) const;

  const HybridModel& model_;
  double rtol_;
  const GuardSigns& signs_;
  OutputRooms& outputs_;
  RunReport& report_;
  GuardWatch watch_;
  GuardRecord record_;
  // Of the step at hand; kept for their room.
  std::vector<WatchedGuard> guards_;
  std::vector<std::vector<double>> series_;
  std::set<std::size_t> grazed_;  // relations whose grazing was told
  int num_fruitless_ = 0;         // suspicions in a row
};

}  // namespace hydae

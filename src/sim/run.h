// One run of a hybrid model. The loop reads like the method: initialise, expand, choose step, look
// for events, advance, record; at an event: locate, choose mode, restart.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <hydae/simulate.h>

#include "integrate/taylor_stepper.h"
#include "poly/first_event.h"
#include "sim/discrete_part.h"
#include "sim/hybrid_model.h"
#include "sim/mode.h"
#include "sim/output_grid.h"
#include "sim/recorder.h"
#include "sim/singularity.h"

namespace hydae {

// Options of a run with everything filled in.
struct RunSettings {
  double start = 0, stop = 1, rtol = 1e-6, atol = 1e-6;
  double direction() const { return stop >= start ? 1 : -1; }
};

RunSettings settings_of(const Model& model, const SimulateOptions& options);

class Run {
 public:
  Run(const Model& model, const SimulateOptions& options);

  Simulation run();

 private:
  // What happens at one instant.
  struct Cause {
    std::set<std::size_t> relations;  // whose guards vanish here
    std::set<std::size_t> ticks;      // of sample() that are due
    bool is_time_event = false;
    bool is_silent = false;  // only silent relations: no event for the model
  };
  // The solution just before the instant.
  struct LeftLimit {
    std::vector<std::vector<double>>
        jets;  // by variable of the model: as many derivatives as known
    double value(Leaf leaf) const;
  };
  struct Trial {
    Mode* mode = nullptr;
    std::vector<bool> bits;
    DiscreteOutcome discrete;
    std::vector<ImpulseWeight> impulses;
  };

  // run_initial.cc
  bool initialize();
  std::vector<double> pre_at_start();
  bool initialize_in_mode(const std::vector<bool>& bits, std::vector<bool>& new_bits);

  // run_loop.cc
  void integrate();
  bool step();
  double next_time_event(double limit, Cause& cause);
  std::optional<double> find_event(Cause& cause);
  void record_until(double t);
  void fail(std::string status, std::string message);
  void report_expand_failure();
  bool are_assertions_met(double t);

  // run_event.cc
  bool process_event(double t, Cause cause);
  std::optional<Trial> search_mode(double t, const Cause& cause, const LeftLimit& left,
                                   std::vector<bool> first_bits, const std::set<std::size_t>& held);
  bool try_mode(double t, const LeftLimit& left, Trial& trial);
  std::vector<bool> bits_from_jets(const Cause& cause, const std::vector<bool>& bits);
  std::vector<bool> truths_of(double t, const std::vector<bool>& bits,
                              const std::vector<double>& discrete,
                              const std::function<double(Leaf)>& continuous);
  void record_event(double t, const Cause& cause, const std::vector<bool>& old_bits,
                    const LeftLimit& left, int old_mode,
                    const std::vector<std::pair<Mode*, ImpulseWeight>>& impulses);
  LeftLimit left_limit(double t);

  // shared
  integrate::TaylorStepper& stepper_of(Mode& mode);
  std::vector<double> tape_table(const Mode& mode, const std::vector<double>& discrete) const;
  void set_bits(const std::vector<bool>& bits);
  std::vector<double> absolute_tolerances() const;
  double current_value(Leaf leaf, double t) const;
  Instant instant(double t) const;
  std::string mode_name(const std::vector<bool>& bits) const;

  const Model& model_;
  const SimulateOptions& options_;
  RunSettings settings_;
  HybridModel hybrid_;
  ModeCache modes_;
  DiscretePart discrete_part_;
  ExpressionList conditions_;  // of selects
  ExpressionList assertions_;
  ExpressionList time_guards_;  // value and slope of each time-only guard, at time 0
  std::vector<std::size_t> time_relations_;
  ExpressionList tick_data_;  // start and interval of each sample

  // State of the run.
  Mode* mode_ = nullptr;
  integrate::TaylorStepper* stepper_ = nullptr;
  std::vector<bool> bits_;
  std::vector<double> discrete_;  // by VarId
  std::vector<double> table_;     // parameters, bits, ticks
  std::vector<bool> conditions_true_;
  std::set<const WhenAction*> told_;

  std::map<Mode*, std::unique_ptr<integrate::TaylorStepper>> steppers_;
  poly::FirstEventFinder finder_;
  std::vector<std::vector<double>> guard_series_;
  // After an event: how many leading coefficients of each guard are zero there but for rounding.
  std::vector<int> known_zeros_;
  std::optional<OutputGrid> grid_;
  std::optional<Recorder> recorder_;
  SingularityWatch watch_;
  int events_in_a_row_ = 0;  // without time moving on
  double last_event_time_ = 0;
  double last_step_ = 0;
  bool is_terminated_ = false;
  Simulation result_;
};

}  // namespace hydae

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
#include "poly/jet_sign.h"
#include "sim/contact_law.h"
#include "sim/contact_system.h"
#include "sim/discrete_part.h"
#include "sim/hybrid_model.h"
#include "sim/impact.h"
#include "sim/mode.h"
#include "sim/output_grid.h"
#include "sim/recorder.h"
#include "sim/singularity.h"
#include "sim/zeno.h"

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
    std::vector<std::pair<std::size_t, int>> exits;  // surfaces that are left, and to which side
    bool is_zeno = false;
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
    std::vector<Hold> holds;
    DiscreteOutcome discrete;
    std::vector<ImpulseWeight> impulses;
    std::vector<std::string> warnings;
    bool agrees_with(const Trial& other) const {
      return bits == other.bits && holds == other.holds && discrete.values == other.discrete.values;
    }
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
  poly::Guard guard_over_step(std::size_t output);
  void note_grazing(std::size_t relation, double tau);
  void record_until(double t);
  void fail(std::string status, std::string message);
  void warn_once(const std::string& text);
  void report_expand_failure();
  bool are_assertions_met(double t);

  // run_event.cc
  bool process_event(double t, Cause cause);
  std::optional<Trial> search_mode(double t, const Cause& cause, const LeftLimit& left, Trial first,
                                   const std::set<std::size_t>& held);
  bool try_mode(double t, const LeftLimit& left, Trial& trial);
  std::vector<bool> bits_from_jets(const Cause& cause, const std::vector<bool>& bits);
  poly::JetSign guard_sign(const Cause& cause, std::size_t relation) const;
  std::vector<bool> truths_of(double t, const std::vector<bool>& bits,
                              const std::vector<double>& discrete,
                              const std::function<double(Leaf)>& continuous);
  void record_event(double t, const Cause& cause, const std::vector<bool>& old_bits,
                    const std::vector<Hold>& old_holds, const LeftLimit& left,
                    std::vector<Impulse> impulses);
  LeftLimit left_limit(double t);
  RestartInput restart_input(double t, const LeftLimit& left,
                             const std::vector<double>& discrete) const;
  void remember_resets(const DiscreteOutcome& outcome);
  void add_impulse(VarId variable, const ImpulseWeight& weight, std::vector<Impulse>& impulses);

  // run_sliding.cc
  CornerTruths corner_truths(double t, const Trial& trial, const LeftLimit& left);
  std::vector<Hold> holds_from_jets(Trial& wanted);
  bool is_held(std::size_t relation) const;
  void leave(std::size_t surface, int side, Trial& trial) const;
  void add_exit(std::size_t exit, Cause& cause) const;
  std::optional<Trial> search_sliding(double t, const Cause& cause, const LeftLimit& left,
                                      const std::vector<Trial>& cycle);
  bool is_consistent(double t, const Cause& cause, const LeftLimit& left, Trial& trial);
  std::vector<std::size_t> contested_surfaces(const std::vector<Trial>& cycle) const;
  std::vector<std::string> surface_texts(const std::vector<std::size_t>& surfaces) const;

  // run_contact.cc
  std::vector<double> gaps_at(double t, const std::function<double(Leaf)>& values);
  std::vector<std::size_t> touching_contacts(const std::vector<double>& gaps) const;
  ContactSystem& contact_system(double t, const std::vector<std::size_t>& contacts,
                                const std::vector<double>& discrete, const LeftLimit& left);
  static bool measure_impact(ContactSystem& system, RestartInput& input, ContactImpact& impact);
  bool collide(double t, const std::vector<std::size_t>& contacts, LeftLimit& left,
               std::vector<Impulse>& impulses);
  void accept_impact(const ContactSystem& contact, LeftLimit& left, std::vector<Impulse>& impulses);
  std::optional<ContactImpulses> impulses_by_law(double t, ContactImpact& impact,
                                                 const std::vector<std::size_t>& contacts);
  bool respond_to_contacts(double t, LeftLimit& left, std::vector<Impulse>& impulses);
  bool try_closures(const std::vector<std::size_t>& touching);
  bool has_violated_contact() const;

  // run_zeno.cc
  void watch_accumulation(double t, const Cause& cause);
  bool close_accumulation();
  std::vector<double> differential_state() const;
  void set_differential_state(const std::vector<double>& state, LeftLimit& left) const;
  bool hold_by_reactions(const Cause& cause, const LeftLimit& left, const std::vector<bool>& flight,
                         double t, Trial& trial);
  std::vector<EqId> reaction_rows() const;

  // run_impact.cc
  bool apply_impacts(double t, const DiscreteOutcome& outcome, LeftLimit& left,
                     std::vector<Impulse>& impulses);

  // shared
  integrate::TaylorStepper& stepper_of(Mode& mode);
  std::vector<double> tape_table(const Mode& mode, const std::vector<double>& discrete) const;
  void set_bits(const std::vector<bool>& bits);
  std::vector<double> absolute_tolerances() const;
  double current_value(Leaf leaf, double t) const;
  Instant instant(double t) const;
  std::string mode_name(const std::vector<bool>& bits, const std::vector<Hold>& holds) const;

  const Model& model_;
  const SimulateOptions& options_;
  RunSettings settings_;
  HybridModel hybrid_;
  ModeCache modes_;
  DiscretePart discrete_part_;
  ImpactSolver impact_solver_;
  ExpressionList gaps_;  // gap and speed of each contact
  std::map<std::pair<int, std::vector<std::size_t>>, std::unique_ptr<ContactSystem>>
      contact_systems_;
  ExpressionList conditions_;  // of selects
  ExpressionList assertions_;
  ExpressionList time_guards_;  // value and slope of each time-only guard, at time 0
  std::vector<std::size_t> time_relations_;
  ExpressionList tick_data_;  // start and interval of each sample

  // State of the run.
  Mode* mode_ = nullptr;
  integrate::TaylorStepper* stepper_ = nullptr;
  std::vector<bool> bits_;
  std::vector<Hold> holds_;
  std::vector<double> discrete_;  // by VarId
  std::vector<double> table_;     // parameters, bits, ticks
  std::vector<bool> conditions_true_;
  std::set<const WhenAction*> told_;
  std::set<std::size_t> grazed_;                  // relations whose grazing was told
  std::set<std::vector<double>> tried_closures_;  // of contacts, at this instant
  ZenoWatch zeno_;
  std::vector<VarId>
      reset_variables_;  // by the last event: targets of reinit, carriers of impulses

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

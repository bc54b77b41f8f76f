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
#include "poly/interpolate.h"
#include "poly/jet_sign.h"
#include "sim/contact_law.h"
#include "sim/contact_state.h"
#include "sim/contact_system.h"
#include "sim/discrete_part.h"
#include "sim/hybrid_model.h"
#include "sim/hybrid_state.h"
#include "sim/impact.h"
#include "sim/mode.h"
#include "sim/observed_values.h"
#include "sim/outcome.h"
#include "sim/output_grid.h"
#include "sim/recorder.h"
#include "sim/settings.h"
#include "sim/singularity.h"
#include "sim/stiffness.h"
#include "sim/switch_search.h"
#include "sim/zeno.h"

namespace hydae {

class BdfSolver;

class Run {
 public:
  Run(HybridModel model, const SimulateOptions& options, bool uses_bdf);
  ~Run();

  Simulation run();

 private:
  // What happens at one instant.
  struct Cause {
    std::set<std::size_t> relations;  // whose guards vanish here
    std::set<std::size_t> woken;      // of these, whose guards were dormant: they are past zero
    std::set<std::size_t> ticks;      // of sample() that are due
    bool is_initial = false;
    bool is_time_event = false;
    bool is_silent = false;  // only silent relations: no event for the model
    double uncertainty = 0;  // of its time
    double time_error = 0;   // of its time, for an error of the tolerance in the guards
    std::map<std::size_t, double> left_guards;       // values of the guards, as far as located
    std::vector<std::pair<std::size_t, int>> exits;  // surfaces that are left, and to which side
    bool is_zeno = false;
  };
  // The solution just before the instant.
  struct LeftLimit {
    std::vector<std::vector<double>>
        jets;  // by variable of the model: as many derivatives as known
    // Of the first limit of an event.
    std::vector<double> discrete{}, observed{};
    double value(Leaf leaf) const;
    // Of the series that it is taken from. No mode: it was changed since.
    const Mode* mode = nullptr;
    std::vector<double> inputs{};
  };
  struct Trial {
    Mode* mode = nullptr;
    std::vector<bool> bits;
    std::vector<double> counts;
    std::vector<Hold> holds;
    DiscreteOutcome discrete;
    std::vector<ImpulseWeight> impulses;
    std::vector<std::string> warnings;
    bool is_solved = false;  // at the start: the solution has a series
    bool agrees_with(const Trial& other) const {
      return bits == other.bits && counts == other.counts && holds == other.holds &&
             discrete.values == other.discrete.values;
    }
  };
  // One instant at which something switches.
  struct Event {
    double t = 0;
    Cause cause;
    LeftLimit first_left;  // before the event
    LeftLimit left;        // before the pass of the event iteration
    std::vector<bool> old_bits;
    std::vector<double> old_counts;
    std::vector<Hold> old_holds;
    std::vector<Impulse> impulses;
    int pass = 0;
  };

  // A part of a step of BDF, in units of it, that is left to the Taylor method.
  struct Suspicion {
    double from = 0, until = 1;
  };

  // run_initial.cc
  bool initialize();
  bool initialize_with(const std::vector<double>& pre);
  std::vector<double> initial_pre(const std::vector<double>& pre,
                                  const std::function<double(Leaf)>& continuous);
  bool initialize_discrete(std::vector<double>& pre);
  Switches guess_switches(const std::vector<double>& pre);
  std::optional<Switches> switches_at_point(const std::vector<double>& pre, const Trial& trial);
  std::optional<Switches> try_initial_mode(const std::vector<double>& pre, Trial& trial);
  bool accept_initial(const std::vector<double>& pre, const Trial& trial);
  std::set<std::size_t> relations_at_limit(const Cause& cause,
                                           const std::set<std::size_t>& relations) const;
  bool warn_of_repelling_limits(const std::vector<double>& pre, Trial& trial);
  bool initialize_in_mode();
  Instant initial_instant(const std::vector<double>& pre);
  double start_of(Leaf leaf) const;

  // run_loop.cc
  void integrate();
  bool step();
  bool process_start();
  void process_end();
  double next_time_event(double limit, Cause& cause);
  const std::vector<std::size_t>& find_watched_outputs();
  void keep_before_singularity();
  void keep_guards_accurate();
  std::optional<double> find_event(Cause& cause);
  poly::Guard guard_over_step(std::size_t output);
  poly::Guard make_guard(std::size_t output, double remainder);
  void remember_sizes(std::size_t relation);
  bool is_silent(const std::set<std::size_t>& relations) const;
  void note_grazing(std::size_t relation, double tau);
  void record_until(double t);
  bool are_assertions_met(double t);

  // run_failure.cc
  void fail(Failure failure);
  void fail(Status status, std::string message) { fail({status, std::move(message)}); }
  void warn_once(const std::string& text);
  void report_expand_failure();
  void report_step_too_small(const std::string& when);
  void report_singularity();
  std::string name_and_place(EqId equation) const;
  std::string equations_of_block(int block) const;
  std::string place_of(NodeId node) const;

  // run_bdf.cc
  bool is_turn_of_bdf() const;
  bool step_bdf();
  bool begin_bdf();
  bool end_bdf(double t);
  BdfSolver& bdf_of(Mode& mode);
  void interpolate_outputs(double from, double to);
  std::optional<Suspicion> find_suspicion();
  double place_before(double root, std::span<const double> series) const;
  void extend_histories_by_bdf(double from, double to, double until);
  bool is_held_up_by_stiffness();
  double now() const;

  // run_event.cc
  bool process_event(double t, Cause cause);
  bool is_chattering(double t);
  Event begin_event(double t, Cause cause);
  Trial first_candidate(const Cause& cause) const;
  bool settle(Event& event);
  void accept(const Trial& trial, Event& event);
  bool obey_assertions(double t, const DiscreteOutcome& outcome);
  std::optional<bool> act(const DiscreteOutcome& outcome, Event& event);
  void finish_event(Event& event);
  bool try_mode(double t, const LeftLimit& left, Trial& trial);
  void report_event_cycle(double t, const std::vector<double>& before);
  void record_event(const Event& event);
  LeftLimit left_limit(double t);
  std::vector<double> inputs_of(const Mode& mode);
  void load_inputs();
  std::vector<double> restarted_state(const Mode& mode, const RestartInput& input,
                                      const RestartResult& restarted) const;
  RestartInput restart_input(double t, const LeftLimit& left,
                             const std::vector<double>& discrete) const;
  void remember_resets(const DiscreteOutcome& outcome);
  void add_impulse(VarId variable, const ImpulseWeight& weight, std::vector<Impulse>& impulses);

  // run_observed.cc
  std::vector<double> observed_at(double t, const ObservedValues::Values& value);
  ObservedValues::Values current_values(double t) const;
  static ObservedValues::Values left_values(const LeftLimit& left);
  void observe_impulses(double t, const LeftLimit& left, std::vector<Impulse>& impulses);
  double mean_at_event(NodeId root, double t, const LeftLimit& left);

  // run_sliding.cc
  ModeTruths mode_truths(double t, const Trial& trial);
  std::vector<std::vector<std::size_t>> sliding_groups(const std::vector<Hold>& holds) const;
  std::vector<Hold> holds_from_jets(Trial& wanted);
  bool is_held(std::size_t relation) const;
  static constexpr double kShareNoise = 1e-10;
  bool is_share(std::size_t output) const;
  void leave(std::size_t surface, int side, Trial& trial) const;
  void place(const std::vector<std::size_t>& surfaces, const std::vector<int>& sides,
             Trial& trial) const;
  void add_exit(std::size_t exit, Cause& cause) const;
  std::optional<Trial> search_sliding(double t, const Cause& cause, const LeftLimit& left,
                                      const std::vector<Trial>& cycle);
  std::optional<Trial> pivot_sliding(double t, const Cause& cause, const LeftLimit& left,
                                     Trial trial, const std::vector<std::size_t>& surfaces);
  std::optional<Trial> enumerate_sliding(double t, const Cause& cause, const LeftLimit& left,
                                         const Trial& from,
                                         const std::vector<std::size_t>& surfaces);
  std::optional<Trial> wanted_after(double t, const Cause& cause, const LeftLimit& left,
                                    Trial& trial);
  bool is_consistent(double t, const Cause& cause, const LeftLimit& left, Trial& trial);
  std::set<std::size_t> contested_surfaces(const std::vector<Trial>& cycle) const;
  std::vector<std::string> surface_texts(const std::vector<std::size_t>& surfaces) const;

  // run_contact.cc
  std::vector<ContactMotion> contact_motions(double t, const std::function<double(Leaf)>& values);
  std::vector<std::size_t> touching_contacts(const std::vector<ContactMotion>& motions) const;
  ContactSystem& contact_system(double t, const std::vector<std::size_t>& contacts,
                                const std::vector<double>& discrete);
  ContactImpact make_impact(const std::vector<std::size_t>& contacts) const;
  static bool measure_impact(ContactSystem& system, RestartInput& input, ContactImpact& impact);
  bool collide(double t, const std::vector<std::size_t>& contacts, bool is_collision,
               LeftLimit& left, std::vector<Impulse>& impulses);
  void accept_impact(const ContactSystem& contact, LeftLimit& left, std::vector<Impulse>& impulses);
  std::optional<ContactImpulses> impulses_by_law(double t, ContactImpact& impact,
                                                 const std::vector<std::size_t>& contacts);
  bool respond_to_contacts(double t, LeftLimit& left, std::vector<Impulse>& impulses);
  ContactState violated_state(const HybridContact& contact, const ContactMotion& motion,
                              double smallest) const;
  bool try_contact_states(const std::vector<std::size_t>& touching,
                          const std::vector<ContactMotion>& motions);
  void warn_of_other_continuations(double t);
  std::string names_of(const std::vector<std::size_t>& contacts) const;
  bool has_violated_contact() const;

  // run_zeno.cc
  void watch_accumulation(double t, const Cause& cause);
  bool close_accumulation();
  void close_contacts(double t, const Cause& cause, const LeftLimit& left);
  std::vector<double> differential_state() const;
  void set_differential_state(const std::vector<double>& state, LeftLimit& left) const;
  bool hold_by_reactions(const Cause& cause, const LeftLimit& left, const std::vector<bool>& flight,
                         double t, Trial& trial);
  std::vector<EqId> reaction_rows() const;

  // run_impact.cc
  bool apply_impacts(double t, const DiscreteOutcome& outcome, LeftLimit& left,
                     std::vector<Impulse>& impulses);

  // run_search.cc
  std::optional<Trial> search_mode(double t, const Cause& cause, const LeftLimit& left, Trial first,
                                   const std::set<std::size_t>& held);
  std::optional<Trial> search_widely(double t, const Cause& cause, const LeftLimit& left,
                                     const Trial& first);
  bool evaluate_trial(double t, const LeftLimit& left, Trial& trial);
  std::set<std::size_t> switches_between(const std::vector<bool>& a,
                                         const std::vector<bool>& b) const;
  std::optional<Trial> step_over(double& t, const LeftLimit& left);
  bool agree_for_continuous(const std::vector<double>& a, const std::vector<double>& b) const;
  Switches switches_from_jets(const Cause& cause, const Switches& from);
  std::vector<bool> bits_from_jets(const Cause& cause, const std::vector<bool>& bits) {
    return switches_from_jets(cause, {bits, {}}).bits;
  }
  poly::JetSign guard_sign(const Cause& cause, std::size_t relation) const;
  bool is_dormant(std::size_t relation) const;
  double count_from_jet(const Counter& counter) const;
  std::vector<double> jet_noise(std::size_t relation, const Cause& cause,
                                std::span<const double> series) const;
  void load_table(const std::vector<bool>& bits, const std::vector<double>& counts,
                  const std::vector<double>& values, const std::vector<double>& pre,
                  bool is_initial = false);
  std::vector<bool> truths_of(double t, bool is_initial);

  // run_delay.cc
  void begin_histories();
  void hold_histories(double t);
  bool is_held_signal(std::size_t delay) const;
  void extend_histories(double until);
  void choose_pieces(double t);

  // shared
  integrate::TaylorStepper& stepper_of(Mode& mode);
  std::vector<double> column_tolerances(const Mode& mode) const;
  double current_value(Leaf leaf, double t) const;
  Instant instant(double t) const;
  void warn_of_magnified_errors(double t, const Cause& cause, const LeftLimit& left);
  std::string mode_name(const std::vector<bool>& bits, const std::vector<Hold>& holds) const;

  HybridModel hybrid_;
  const Model& model_;
  const SimulateOptions& options_;
  RunSettings settings_;
  std::vector<double> atol_;  // by unknown of the system
  ModeCache modes_;
  DiscretePart discrete_part_;
  ImpactSolver impact_solver_;
  ExpressionList motions_;  // gap, its speed and slip velocity of each contact
  std::map<std::pair<int, std::vector<std::size_t>>, std::unique_ptr<ContactSystem>>
      contact_systems_;
  ExpressionList conditions_;  // of selects
  ExpressionList assertions_;
  ExpressionList time_guards_;  // value and slope of each time-only guard, at time 0
  std::vector<std::size_t> time_relations_;
  ExpressionList tick_data_;  // start and interval of each sample
  ExpressionList coefficients_;
  ExpressionList past_times_;  // time - lag of each delay
  ObservedValues observed_;    // all of them

  // State of the run.
  Mode* mode_ = nullptr;
  integrate::TaylorStepper* stepper_ = nullptr;
  HybridState state_;
  std::vector<double> table_;  // see HybridModel
  // Of the last search: switches that have a solution, and what it asks for, if the two differ in
  // silent relations only.
  std::optional<std::pair<Switches, Switches>> silent_conflict_;
  std::set<std::size_t> grazed_;                // relations whose grazing was told
  std::set<std::vector<double>> tried_states_;  // of contacts, at this instant
  ZenoWatch zeno_;
  std::vector<VarId>
      reset_variables_;  // by the last event: targets of reinit, carriers of impulses

  std::map<const Mode*, std::vector<std::size_t>> places_read_;  // of the table
  std::vector<double> inputs_;    // what the series at hand were made with, see inputs_of()
  bool is_settled_here_ = false;  // the series at hand begin at the instant of the last left limit
  std::map<Mode*, std::unique_ptr<integrate::TaylorStepper>> steppers_;
  std::map<Mode*, std::unique_ptr<BdfSolver>> bdf_solvers_;
  BdfSolver* bdf_ = nullptr;  // ahead of the Taylor series while it runs
  bool uses_bdf_ = false;
  std::optional<double> taylor_until_;  // where BDF hands over for a while
  std::vector<std::optional<poly::Interpolation>> outputs_over_step_;  // of BDF
  StiffnessWatch stiffness_;
  std::vector<double> tolerances_;  // of the state, for the watch
  poly::FirstEventFinder finder_;
  std::vector<std::vector<double>> guard_series_;
  // Of the step at hand; kept for their room.
  std::vector<std::size_t> watched_;
  std::vector<poly::Guard> guards_;
  std::vector<double> smallest_guards_;  // for each relation: smaller ones do not count
  std::optional<OutputGrid> grid_;
  std::optional<Recorder> recorder_;
  SingularityWatch watch_;
  std::map<Leaf, double> initial_point_;    // of the last mode that initialization tried
  std::set<std::size_t> initial_conflict_;  // relations that no side of their limit agrees with
  int events_in_a_row_ = 0;                 // without time moving on
  double last_event_time_ = 0;
  double last_step_ = 0;
  bool is_terminated_ = false;
  const Diagnostics* first_defects_ = nullptr;  // of the first mode that initialization tried
  Simulation result_;
};

}  // namespace hydae

// Module: sim
// simulate(model, options): from guesses to a trajectory. Never throws for a computation that does
// not succeed: the summary has the reason and the trajectory holds what was reached.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <hydae/export.h>
#include <hydae/initial_point.h>
#include <hydae/input_signal.h>
#include <hydae/model.h>
#include <hydae/saved_state.h>
#include <hydae/solution.h>
#include <hydae/status.h>
#include <hydae/trajectory.h>

namespace HYDAE_EXPORT hydae {

enum class Solver : std::uint8_t { kAuto, kTaylor, kIda };

// How `ida` makes its Jacobian: exact but for functions that exist as code, which are differenced
// over their own inputs; or by differences of all equations together, for comparison.
enum class JacobianBy : std::uint8_t { kAssembly, kDifferences };

// What `ida` integrates with: CVODE where the reduced system is an ordinary differential equation
// and IDA elsewhere, or IDA everywhere, for comparison.
enum class BdfCode : std::uint8_t { kBest, kIda };

struct BdfOptions {
  BdfCode code = BdfCode::kBest;
  JacobianBy jacobian = JacobianBy::kAssembly;
};

// Who receives results while they are made, and what they are.
struct Sinks {
  RowSink* rows = nullptr;           // takes the rows; then the trajectory of the result has none
  SolutionSink* solution = nullptr;  // takes the solution as polynomials, beside the rows
  // Rows of both limits at every event behind the start as well; otherwise exactly the output
  // times, at an event the right limit.
  bool event_rows = true;
  // The summary has records of all events; otherwise of the last one, and counts: the memory of a
  // long run does not grow with its events then.
  bool keeps_events = true;
};

// What becomes of equations that follow from the others and leave something open: reactions of an
// overconstrained mechanism, currents of sources side by side.
enum class Redundant : std::uint8_t {
  kRefuse,  // they are named
  // They are left out, as long as they hold all the same: a run that finds otherwise ends. What is
  // left open is as close to its start values as can be, in units of nominal values.
  kDrop,
};

// A coefficient that jumps together with an impulse that it multiplies, from v- to v+: its value is
// that of no limit. docs/math/restart.md.
enum class ImpulseCoefficients : std::uint8_t {
  kPath,    // the mean along the straight way from v- to v+: exact for total differentials
  kMean,    // of A(v-) and A(v+): Uhlig et al., (7)
  kMiddle,  // A at the middle of v- and v+: Uhlig et al., (8)
};

// How sure it is that a relation has switched where it had to, and nowhere else; from the best to
// the worst. docs/math/events.md, "Grades".
enum class EventGrade : std::uint8_t {
  kCertified,  // proved, by interval arithmetic, for the polynomials that the solution is stored as
  kEstimated,  // by series whose remainders are estimated
  kSampled,    // at some place by values alone: code, a root of zero, a kink, a pole
};
const char* name_of(EventGrade grade);  // "certified", ...

// What is meant where a model leaves it open, and how sure its events have to be.
struct RunRules {
  Guesses guesses = Guesses::kKept;  // how start values that are not fixed are treated
  Redundant redundant = Redundant::kRefuse;
  ImpulseCoefficients impulse_coefficients = ImpulseCoefficients::kPath;
  // kCertified: every step is gone through with proofs, too; what cannot be proved is named.
  EventGrade events = EventGrade::kEstimated;
};

// What a run is doing, for somebody who watches it from another thread.
struct RunActivity {
  std::atomic<const char*> doing{"starting"};  // a literal that continues "the run is ..."
  std::atomic<double> t{0};                    // reached
  std::atomic<long> events{0};                 // so far
};

// A state that a run goes on from, and one that it saves.
struct StateTransfer {
  // In place of the start of the model. The start of the run, start values and parameters are those
  // of the state and must not be given; tolerances, order and solver are, unless they are given.
  // The first row is that of the state.
  std::optional<SavedState> resume;
  // Called with the state at `save_at`, or where the run ends: at its stop, by terminate(), or by
  // `progress`; not where it fails. The run itself goes on from there as one that resumes it does.
  std::function<void(const SavedState&)> save;
  std::optional<double> save_at;
};

// What is not given comes from the model's `experiment`, then from the defaults named here.
struct SimulateOptions {
  std::optional<double> start, stop;  // 0, 1
  std::optional<double> tolerance;    // relative: 1e-6
  std::optional<double> atol;         // absolute, times the nominal value: the relative tolerance
  Solver solver = Solver::kAuto;
  int order = 0;                   // of the Taylor series; 0: from the tolerance
  std::optional<double> max_step;  // none
  BdfOptions bdf;

  // Output times: `points` from start to stop, or start + k * interval and stop, or exactly
  // `times`. Not given: the interval of the model, otherwise 501 points.
  std::optional<int> points;
  std::optional<double> interval;
  std::vector<double> times;
  std::vector<std::string> variables;  // patterns of names to record; empty: all
  bool with_derivatives = true;        // record der(x), ... up to the highest order the model has

  std::vector<InputSignal> inputs;  // of those that have one; others keep their start values
  std::vector<ParameterOverride> parameters;
  std::vector<StartOverride> start_values;
  RunRules rules;

  StateTransfer state;

  // Called after every step with the time reached; false stops the run with Status::kCancelled.
  std::function<bool(double t)> progress;
  Sinks sinks;
  RunActivity* activity = nullptr;  // is kept up to date
};

struct Impulse {
  std::string variable;
  int order = 0;  // 0: Dirac delta, 1: its derivative, ...
  double weight = 0;
};

struct Jump {
  std::string variable;
  double left = 0, right = 0;
};

struct EventRecord {
  double t = 0;
  std::string kind;                    // "state", "time", "sliding", "zeno"
  std::vector<std::string> relations;  // that switched, as text
  std::string from_mode, to_mode;
  std::vector<Impulse> impulses;
  std::vector<Jump> jumps;
  int passes = 1;  // of the event iteration, the last one, which changes nothing, included
};

// A singularity of the solution on the real axis that its Taylor coefficients point to: near it the
// variable behaves like (t - time)^-exponent.
struct SingularityForecast {
  double t = 0;
  std::string variable;
  double exponent = 0;
};

// What is known of one relation, at the end of a run.
struct EventFunction {
  std::string relation;                       // as text
  EventGrade grade = EventGrade::kCertified;  // the worst that was met; of `time > 1` the best
  long sampled_steps = 0;                     // in which values alone decided somewhere
  std::optional<double> unproved;  // where it was first not proved, if that was asked for
};

// An equation that was left out; see Redundant.
struct DroppedEquation {
  std::string equation, source;  // name; file:line:column, empty for models built in C++
  std::vector<std::string> follows_from;
};

// How much the solver did.
struct SolverEffort {
  int order = 0;
  long steps = 0, rejected_steps = 0, jacobians = 0, factorizations = 0, newton_iterations = 0;
  long state_selections = 0;  // changes of the states that the solver integrates
  int modes_visited = 1;  // different truths of the relations that were met, the first one included
  long mode_cache_hits = 0;  // searches for a mode that found it made before
};

// How far the solution was from what every step must satisfy.
struct SolutionQuality {
  // Of equations that had to be differentiated, from step to step, in units of the equations.
  double max_constraint_residual = 0;
  double max_dropped_residual = 0;  // of dropped equations, from step to step
  double max_projection = 0;        // largest change by a projection, in units of the tolerance
};

struct Summary : SolverEffort, SolutionQuality {
  Status status = Status::kSuccess;  // or the reason
  std::string message;               // for a person; empty on success
  std::vector<std::string> warnings;
  std::vector<MovedStart> moved_starts;  // start values that were given and not kept
  double t_end = 0;
  std::string solver;         // that finished the run: "taylor", "ida"
  std::string solver_choice;  // why, where `auto` has chosen; empty if the choice was the user's
  std::string bdf;            // what `ida` used: "CVODE", "IDA", "CVODE and IDA"; empty if nothing
  double tolerance = 0, atol = 0;
  // What the absolute tolerance is relative to, of variables without a nominal value whose scale
  // was derived from what was met; those that are not listed have one.
  std::map<std::string, double> scales;
  long num_events = 0;
  std::vector<EventRecord> events;  // all of them, or the last one: Sinks::keeps_events
  std::set<std::string> modes;  // truths of the relations, before the first event and behind each
  std::vector<EventFunction> event_functions;  // relations that were watched
  std::vector<DroppedEquation> dropped_equations;
  std::vector<std::string>
      least_norm;  // variables that only the least norm determines without them
  std::optional<SingularityForecast> singularity;  // ahead of t_end; also among the warnings
  std::map<std::string, double>
      seconds;  // parse, flatten, analyze, compile, initialize, integrate, output

  bool succeeded() const { return status == Status::kSuccess; }
};

struct Simulation {
  Trajectory trajectory;
  Summary summary;
};

// Throws ModelError for a model that is wrong, UsageError for options that make no sense.
Simulation simulate(const Model& model, const SimulateOptions& options = {});

// Throws UsageError naming the inputs of the model that have neither a signal nor a start value in
// the options.
void require_signals(const Model& model, const SimulateOptions& options);

std::string to_json(const Summary& summary);

}  // namespace hydae

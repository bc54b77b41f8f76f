// The instant of an event: passes of the discrete part, each with a mode that agrees with its own
// solution. A trial always starts from the committed left limits; nothing it finds is kept unless
// it is accepted.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "expr/walk.h"
#include "sim/run.h"

namespace hydae {
namespace {

constexpr int kMostPasses = 1000;
constexpr int kMostEventsInARow = 2000;  // without time moving on

std::vector<std::size_t> slides_in(const std::vector<Hold>& holds) {
  std::vector<std::size_t> surfaces;
  for (const Hold& hold : holds)
    if (hold.is_sliding()) surfaces.push_back(hold.surface);
  return surfaces;
}

}  // namespace

double Run::LeftLimit::value(Leaf leaf) const {
  const auto& jet = jets[leaf.variable.index()];
  const auto order = static_cast<std::size_t>(leaf.order);
  return order < jet.size() ? jet[order] : std::numeric_limits<double>::quiet_NaN();
}

Run::LeftLimit Run::left_limit(double t) {
  LeftLimit left;
  left.jets.resize(model_.num_variables());
  const System& system = mode_->prepared.system;
  const auto& d = mode_->prepared.structure.offsets.d;
  constexpr int kMoreOrders = 4;  // than the old mode has: the new one may ask for them
  for (VarId column : ids<VarId>(system.unknowns.size())) {
    const VarId variable = system.unknowns[column];
    if (variable.index() >= model_.num_variables()) continue;
    for (int order = 0; order <= d[column] + kMoreOrders; ++order)
      left.jets[variable.index()].push_back(
          stepper_->value(static_cast<int>(column.index()), order, t));
  }
  left.mode = mode_;
  left.inputs = inputs_;
  is_settled_here_ = stepper_->time() == t;
  return left;
}

// The numbers of the table that equations and outputs of a mode read.
std::vector<double> Run::inputs_of(const Mode& mode) {
  auto [at, is_new] = places_read_.try_emplace(&mode);
  if (is_new) {
    std::vector<NodeId> roots(mode.prepared.system.residuals.begin(),
                              mode.prepared.system.residuals.end());
    roots.insert(roots.end(), mode.outputs.begin(), mode.outputs.end());
    Walk walk;
    for (NodeId id : walk.order(hybrid_.graph(), roots))
      if (hybrid_.graph().op(id) == Op::kParameter)
        at->second.push_back(hybrid_.graph().node(id).parameter.index());
  }
  std::vector<double> inputs;
  inputs.reserve(at->second.size());
  for (std::size_t place : at->second) inputs.push_back(table_[place]);
  return inputs;
}

void Run::load_inputs() {
  stepper_->set_parameters(table_);
  inputs_ = inputs_of(*mode_);
  is_settled_here_ = false;
}

RestartInput Run::restart_input(double t, const LeftLimit& left,
                                const std::vector<double>& discrete) const {
  RestartInput input;
  input.time = t;
  input.parameters = table_;
  input.left = [this, &left](Leaf leaf) {
    return leaf.variable.index() < model_.num_variables() ? left.value(leaf) : 0.0;
  };
  input.held = [&discrete](Leaf leaf) { return discrete[leaf.variable.index()]; };
  input.noise = std::max(1e-11, 10 * settings_.rtol);
  return input;
}

// An error before the event shifts its time, and through the jump of the derivatives becomes an
// error after it. Where a guard meets its limit almost tangentially it grows without bounds. The
// time at which a function of time alone switches is exact.
void Run::warn_of_magnified_errors(double t, const Cause& cause, const LeftLimit& left) {
  const auto is_exact = [this](std::size_t k) { return hybrid_.relations()[k].is_time_only; };
  if (std::any_of(cause.relations.begin(), cause.relations.end(), is_exact)) return;
  double largest = 0;
  for (VarId column : ids<VarId>(mode_->prepared.system.unknowns.size())) {
    const VarId variable = mode_->prepared.system.unknowns[column];
    if (mode_->prepared.structure.offsets.d[column] == 0 ||
        variable.index() >= model_.num_variables())
      continue;
    const double before = left.value({variable, 1});
    const double jump = current_value({variable, 1}, t) - before;
    const double error =
        settings_.rtol * std::abs(current_value({variable, 0}, t)) + settings_.atol;
    if (std::isfinite(jump)) largest = std::max(largest, std::abs(jump) * cause.time_error / error);
  }
  if (largest <= 1 / std::sqrt(settings_.rtol)) return;
  std::vector<std::string> texts;
  for (std::size_t k : cause.relations) texts.push_back(hybrid_.relations()[k].text);
  result_.summary.warnings.push_back(fmt::format(
      "event at t = {:.10g}: {} {} almost tangentially; errors grow {:.2g} times there", t,
      quoted_list(texts), texts.size() == 1 ? "reaches its limit" : "reach their limits", largest));
}

std::vector<double> Run::restarted_state(const Mode& mode, const RestartInput& input,
                                         const RestartResult& restarted) const {
  std::vector<double> state;
  for (const codegen::JetEntry& entry : mode.compiled.program->entries()) {
    const auto variable = static_cast<std::size_t>(entry.variable);
    const auto order = static_cast<std::size_t>(entry.order);
    if (variable < restarted.right.size() && order < restarted.right[variable].size())
      state.push_back(restarted.right[variable][order]);
    else
      state.push_back(input.left({mode.prepared.system.unknowns[VarId(variable)], entry.order}));
  }
  return state;
}

// The solution just after t with the switches and discrete values of the trial. Where they change
// nothing for the equations it goes on as it is.
bool Run::try_mode(double t, const LeftLimit& left, Trial& trial) {
  Mode& mode = modes_.find_or_make(mode_truths(t, trial), trial.holds, table_);
  trial.mode = &mode;
  if (mode.defects.has_errors()) {
    fail(Status::kIllPosedMode,
         fmt::format("event at t = {:.10g}: {}", t, mode.defects.items()[0].message));
    return false;
  }
  trial.impulses.clear();
  trial.warnings.clear();
  const bool is_same = left.mode == &mode && inputs_of(mode) == left.inputs;
  if (is_same && is_settled_here_ && mode_ == &mode) return true;
  // Of unknowns that are not the model's own (of holds and repairs) no left limits are kept.
  const auto& unknowns = mode.prepared.system.unknowns;
  const bool goes_on = is_same && std::all_of(unknowns.begin(), unknowns.end(), [&](VarId id) {
                         return id.index() < model_.num_variables();
                       });
  const RestartInput input = restart_input(t, left, trial.discrete.values);
  RestartResult restarted;
  if (!goes_on) restarted = mode.restart().solve(input);
  if (!restarted.succeeded()) {
    fail(failure_named(restarted.status, Status::kRestartFailed,
                       fmt::format("event at t = {:.10g}: {}", t, restarted.message)));
    return false;
  }
  trial.impulses = restarted.impulses;
  trial.warnings = restarted.warnings;
  mode_ = &mode;
  stepper_ = &stepper_of(mode);
  load_inputs();
  stepper_->start(t, restarted_state(mode, input, restarted), settings_.direction(), last_step_);
  if (!stepper_->expand(settings_.stop)) {
    report_expand_failure();
    return false;
  }
  return true;
}

bool Run::process_event(double t, Cause cause) {
  if (is_chattering(t)) return false;
  Event event = begin_event(t, std::move(cause));
  if (!settle(event)) return false;
  if (!hybrid_.contacts().empty()) warn_of_other_continuations(event.t);
  finish_event(event);
  return true;
}

bool Run::is_chattering(double t) {
  events_in_a_row_ = t == last_event_time_ ? events_in_a_row_ + 1 : 0;
  last_event_time_ = t;
  if (events_in_a_row_ <= kMostEventsInARow) return false;
  fail(Status::kChattering,
       fmt::format("more than {} events at t = {:.10g}", kMostEventsInARow, t));
  return true;
}

Run::Event Run::begin_event(double t, Cause cause) {
  stiffness_.forget();
  Event event;
  event.t = t;
  event.old_bits = state_.switches.bits;
  event.old_counts = state_.switches.counts;
  event.old_holds = state_.holds;
  event.left = event.first_left = left_limit(t);
  event.first_left.discrete = state_.discrete;
  event.first_left.observed = observed_at(t, current_values(t));
  if (!cause.is_silent) recorder_->record(t, current_values(t));
  extend_histories(t);
  choose_pieces(t);
  for (std::size_t k : cause.ticks) table_[hybrid_.tick_slot(k)] = 1.0;
  tried_states_.clear();
  reset_variables_.clear();
  event.cause = std::move(cause);
  return event;
}

// The switches as the event leaves them.
Run::Trial Run::first_candidate(const Cause& cause) const {
  Trial candidate;
  candidate.bits = state_.switches.bits;
  candidate.counts = state_.switches.counts;
  candidate.holds = state_.holds;
  for (std::size_t k : cause.relations)
    if (!hybrid_.relations()[k].is_bound) candidate.bits[k] = !candidate.bits[k];
  for (const auto& [surface, side] : cause.exits) leave(surface, side, candidate);
  return candidate;
}

// The event iteration: a mode for the values under pre() as they are, then what it sets off, until
// nothing changes any more.
bool Run::settle(Event& event) {
  Trial candidate = first_candidate(event.cause);
  // Bits, discrete values and conditions after each pass.
  std::set<std::tuple<std::vector<bool>, std::vector<double>, std::vector<bool>>> seen;
  for (; event.pass < kMostPasses; ++event.pass) {
    auto trial = search_mode(event.t, event.cause, event.left, candidate, {});
    if (!trial && event.cause.is_silent) trial = step_over(event.t, event.left);
    // What the event sets off may undo its own relation (a threshold that switches the direction).
    // Then the relation has its new value for one pass, and the next pass looks again.
    const bool is_undone =
        !trial && event.pass == 0 && result_.summary.status == Status::kModeCycle;
    if (is_undone)
      trial = search_mode(event.t, event.cause, event.left, candidate, event.cause.relations);
    if (!trial) return false;
    const bool has_changed = trial->discrete.values != state_.discrete ||
                             trial->discrete.conditions != state_.conditions;
    const std::vector<double> before = state_.discrete;
    accept(*trial, event);
    if (!obey_assertions(event.t, trial->discrete)) return false;
    const auto has_acted = act(trial->discrete, event);
    if (!has_acted) return false;
    if (!has_changed && !*has_acted && !is_undone) return true;
    if (!*has_acted && !is_undone &&
        !seen.emplace(state_.switches.bits, state_.discrete, state_.conditions).second) {
      report_event_cycle(event.t, before);
      return false;
    }
    candidate = *trial;
  }
  fail(Status::kEventIteration,
       fmt::format("event at t = {:.10g}: the discrete part does not settle "
                   "within {} passes",
                   event.t, kMostPasses));
  return false;
}

// The trial becomes the state of the run.
void Run::accept(const Trial& trial, Event& event) {
  for (const std::string& warning : trial.warnings)
    warn_once(fmt::format("event at t = {:.10g}: {}", event.t, warning));
  for (const ImpulseWeight& impulse : trial.impulses)
    add_impulse(trial.mode->prepared.system.unknowns[impulse.column], impulse, event.impulses);
  state_.switches.bits = trial.bits;
  state_.switches.counts = trial.counts;
  state_.holds = trial.holds;
  state_.discrete = trial.discrete.values;
  state_.conditions = trial.discrete.conditions;
  for (std::size_t k : event.cause.ticks) table_[hybrid_.tick_slot(k)] = 0.0;
  load_table(state_.switches.bits, state_.switches.counts, state_.discrete, state_.discrete);
}

// False if the run ends with an assertion.
bool Run::obey_assertions(double t, const DiscreteOutcome& outcome) {
  auto& warnings = result_.summary.warnings;
  if (outcome.failed_assertion != nullptr) {
    fail(Status::kAssertionFailed,
         fmt::format("assertion at t = {:.10g}: {}", t, outcome.failed_assertion->message));
    return false;
  }
  for (const WhenAction* warning : outcome.warnings)
    warnings.push_back(fmt::format("assertion at t = {:.10g}: {}", t, warning->message));
  if (outcome.terminate != nullptr && !is_terminated_) {
    is_terminated_ = true;
    warnings.push_back(fmt::format("terminated at t = {:.10g}: {}", t, outcome.terminate->message));
  }
  return true;
}

// Sets the left limits of the next pass: reinit(), impact laws, contacts. Whether any of them did
// something; nothing if one has failed.
std::optional<bool> Run::act(const DiscreteOutcome& outcome, Event& event) {
  remember_resets(outcome);
  event.left = left_limit(event.t);
  for (const Reinit& reinit : outcome.reinits)
    event.left.jets[reinit.target.variable.index()][static_cast<std::size_t>(reinit.target.order)] =
        reinit.value;
  if (!outcome.reinits.empty()) event.left.mode = nullptr;
  if (!apply_impacts(event.t, outcome, event.left, event.impulses)) return std::nullopt;
  const bool has_contacts = respond_to_contacts(event.t, event.left, event.impulses);
  if (!result_.summary.succeeded()) return std::nullopt;
  return !outcome.reinits.empty() || !outcome.impacts.empty() || has_contacts;
}

void Run::finish_event(Event& event) {
  const double t = event.t;
  const LeftLimit& left = event.first_left;
  if (t == settings_.start && !event.impulses.empty() &&
      is_correction(contact_motions(t, [&](Leaf leaf) { return left.value(leaf); })))
    event.impulses.clear();
  // A flat guard may come so close to zero that it looks like a crossing, and turn out not to be.
  const bool is_nothing = event.pass == 0 && state_.switches.bits == event.old_bits &&
                          state_.switches.counts == event.old_counts &&
                          state_.holds == event.old_holds && event.cause.ticks.empty() &&
                          event.impulses.empty();
  const bool is_quiet =
      event.cause.is_silent && state_.holds == event.old_holds && state_.discrete == left.discrete;
  if (!is_quiet && !is_nothing) {
    if (event.cause.is_silent) recorder_->record(t, left_values(left));
    recorder_->record(t, current_values(t));
    observe_impulses(t, left, event.impulses);
    record_event(event);
    warn_of_magnified_errors(t, event.cause, left);
  }
  hold_histories(t);
  watch_accumulation(t, event.cause);
}

// The passes of one instant have come back to where they were.
void Run::report_event_cycle(double t, const std::vector<double>& before) {
  std::vector<std::string> names;
  for (VarId variable : hybrid_.discrete_variables())
    if (state_.discrete[variable.index()] != before[variable.index()])
      names.push_back(model_.all_variables()[variable].name);
  fail(Status::kEventIteration,
       fmt::format("event at t = {:.10g}: the discrete part goes round in circles and never "
                   "settles; still changing: {}",
                   t, quoted_list(names)));
}

void Run::remember_resets(const DiscreteOutcome& outcome) {
  for (const Reinit& reinit : outcome.reinits) reset_variables_.push_back(reinit.target.variable);
  for (std::size_t impact : outcome.impacts)
    for (VarId carrier : hybrid_.impacts()[impact].carriers) reset_variables_.push_back(carrier);
}

void Run::add_impulse(VarId variable, const ImpulseWeight& weight, std::vector<Impulse>& impulses) {
  if (variable.index() >= model_.num_variables()) return;  // of a repair
  const std::string& name = model_.all_variables()[variable].name;
  for (Impulse& impulse : impulses)
    if (impulse.variable == name && impulse.order == weight.order) {
      impulse.weight += weight.weight;
      return;
    }
  impulses.push_back({name, weight.order, weight.weight});
}

void Run::record_event(const Event& event) {
  const Cause& cause = event.cause;
  const LeftLimit& left = event.first_left;
  EventRecord record;
  record.t = event.t;
  record.passes = event.pass + 1;
  const bool has_slid = slides_in(state_.holds) != slides_in(event.old_holds);
  record.kind = cause.is_zeno         ? "zeno"
                : has_slid            ? "sliding"
                : cause.is_time_event ? "time"
                                      : "state";
  std::set<std::size_t> left_surfaces;
  for (const auto& [surface, side] : cause.exits) left_surfaces.insert(surface);
  for (std::size_t k = 0; k < state_.switches.bits.size(); ++k)
    if (state_.switches.bits[k] != event.old_bits[k] || cause.relations.count(k) != 0 ||
        left_surfaces.count(hybrid_.surface_of(k)) != 0)
      record.relations.push_back(hybrid_.relations()[k].text);
  record.from_mode = mode_name(event.old_bits, event.old_holds);
  record.to_mode = mode_name(state_.switches.bits, state_.holds);
  record.impulses = event.impulses;
  const double noise = std::max(1e-11, 10 * settings_.rtol);
  const auto note_jump = [&](VarId variable, double before, double after) {
    if (std::abs(after - before) > noise * std::max({1.0, std::abs(before), std::abs(after)}))
      record.jumps.push_back({model_.all_variables()[variable].name, before, after});
  };
  const std::vector<double> observed = observed_at(event.t, current_values(event.t));
  std::size_t next_observed = 0;
  for (VarId variable : ids<VarId>(model_.num_variables())) {
    if (hybrid_.observed().contains(variable)) {
      note_jump(variable, left.observed[next_observed], observed[next_observed]);
      ++next_observed;
    } else if (!left.jets[variable.index()].empty()) {
      note_jump(variable, left.value({variable, 0}), current_value({variable, 0}, event.t));
    }
  }
  result_.summary.events.push_back(std::move(record));
}

}  // namespace hydae

// A run in parts: its state taken out, and runs that go on from it.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "base/derivative_name.h"
#include "sim/expansion_failure.h"
#include "sim/run.h"
#include "sim/saved_content.h"

namespace hydae {
namespace {

// What a file has lost or gained on the way; null if its lists are as long as the model's.
const char* find_misfit(const HybridModel& model, std::size_t num_conditions,
                        const HybridState& state) {
  const std::size_t n = model.relations().size(), num_delays = model.delays().size();
  const GuardMemory& guards = state.guards;
  if (state.switches.bits.size() != n) return "it has other relations";
  if (state.switches.counts.size() != model.counters().size()) return "it has other counters";
  if (state.conditions.size() != num_conditions) return "it has other conditions";
  if (state.histories.size() != num_delays ||
      state.pieces.size() > num_delays + model.inputs().size())
    return "it has other delays";
  for (const History& history : state.histories)
    if (history.pieces().empty()) return "a delay has no past";
  const bool fits = guards.sizes.size() == n && guards.scales.size() <= n &&
                    guards.is_given.size() == guards.scales.size() &&
                    (guards.residues.size() == n || guards.scales.empty());
  return fits ? nullptr : "it has other guards";
}

// What the point of a state consists of: where the mode has series, what they start from;
// otherwise all derivatives that are solved for.
std::vector<codegen::JetEntry> point_entries(const CompiledMode& mode) {
  if (mode.compiled.program) {
    const auto entries = mode.compiled.program->entries();
    return {entries.begin(), entries.end()};
  }
  std::vector<codegen::JetEntry> entries;
  const auto& d = mode.prepared.structure.offsets.d;
  for (VarId column : ids<VarId>(d.size()))
    for (int order = 0; order <= d[column]; ++order)
      entries.push_back({static_cast<int>(column.index()), order});
  return entries;
}

std::vector<std::string> entry_names(const CompiledMode& mode) {
  std::vector<std::string> names;
  for (const codegen::JetEntry& entry : point_entries(mode)) {
    const VarId column(static_cast<std::size_t>(entry.variable));
    names.push_back(derivative_name(mode.prepared.system.unknown_names[column], entry.order));
  }
  return names;
}

}  // namespace

Outcome<Done> Run::start() {
  if (auto ready = initialize(); !ready) return ready;
  parts_.inputs.forget_due();  // they are part of the start
  if (auto begun = process_start(); !begun) return begun;
  return check_assertions(settings_.start);
}

// A run that is divided starts anew at each division, whether somebody has taken a snapshot there
// or not: then all continuations are the same.
Outcome<Done> Run::advance_to(double t) {
  if (t == now()) return Done{};
  parts_.settings.stop = t;
  if (!is_resumed_) {
    Outcome<HybridState> here = snapshot();
    if (!here) return std::move(here).failure();
    if (auto resumed = resume(*std::move(here)); !resumed) return resumed;
  }
  is_resumed_ = false;
  Outcome<Done> outcome = Done{};
  do {
    while (outcome && now() != t && !run_.state.is_terminated)
      outcome = is_turn_of_bdf() ? step_bdf() : step();
    // Series where it stands, for those who ask. They may show that the last step was too long.
    if (outcome && bdf_ == nullptr && !stepper().expand(beyond(now())))
      outcome = expansion_failure(hybrid_.model(), *run_.solution);
  } while (outcome && now() != t && !run_.state.is_terminated);
  return outcome;
}

// A limit for series at t that are not for a step.
double Run::beyond(double t) const {
  return t + settings_.direction() * std::max(1.0, std::abs(t));
}

Outcome<HybridState> Run::snapshot() {
  if (bdf_ != nullptr && choice_.has_series && !is_resumed_)
    if (auto ended = end_bdf(now()); !ended) return ended.failure();
  HybridState state = run_.state;
  state.t = now();
  state.uses_bdf = choice_.uses_bdf;
  if (is_resumed_) return state;  // its point is what the series were made from
  state.scales = parts_.workspaces.scales().scales();
  state.point.clear();
  if (!choice_.has_series) {
    for (const codegen::JetEntry& entry : point_entries(mode()))
      state.point.push_back(view().solution.value(VarId(static_cast<std::size_t>(entry.variable)),
                                                  entry.order, state.t));
    return state;
  }
  if (!stepper().expand(beyond(now()))) return expansion_failure(hybrid_.model(), *run_.solution);
  const auto entries = stepper().state();
  state.point.assign(entries.begin(), entries.end());
  return state;
}

Outcome<Done> Run::resume(HybridState state) {
  const ModeSelector::Selected selected =
      parts_.selector.select(state.t, content_of(state), state.holds);
  if (selected.mode.defects.has_errors())
    return Failure{Status::kIllPosedMode, selected.mode.defects.items().front().message};
  if (parts_.options.solver == Solver::kAuto && choice_.has_series)
    choice_.uses_bdf = choice_.uses_bdf || state.uses_bdf;
  parts_.workspaces.scales().set_scales(state.scales);
  run_.state = std::move(state);
  watch_ = {};
  stiffness_.forget();
  bdf_ = nullptr;
  taylor_until_.reset();
  parts_.workspaces.forget_bdf();
  is_resumed_ = true;
  return choice_.has_series ? resume_series(selected) : resume_bdf(selected.mode);
}

Outcome<Done> Run::resume_series(const ModeSelector::Selected& selected) {
  SolutionPtr solution = parts_.workspaces.take_series(selected.mode);
  solution->load(selected.numbers);
  const HybridState& state = run_.state;
  solution->stepper().start(state.t, state.point, settings_.direction(), state.last_step);
  run_.solution = std::move(solution);
  run_.fill_table();
  if (!stepper().expand(beyond(now()))) return expansion_failure(hybrid_.model(), *run_.solution);
  return Done{};
}

Outcome<Done> Run::resume_bdf(const CompiledMode& mode) {
  run_.fill_table();
  std::map<Leaf, double> values;
  const std::vector<codegen::JetEntry> entries = point_entries(mode);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const VarId column(static_cast<std::size_t>(entries[k].variable));
    values[{mode.prepared.system.unknowns[column], entries[k].order}] = run_.state.point.at(k);
  }
  return start_bdf(mode, run_.state.t, [&](Leaf leaf) {
    const auto at = values.find(leaf);
    return at == values.end() ? std::numeric_limits<double>::quiet_NaN() : at->second;
  });
}

Outcome<SavedState> Run::save() {
  Outcome<HybridState> here = snapshot();
  if (!here) return std::move(here).failure();
  const Model& model = hybrid_.model();
  auto saved = std::make_shared<SavedContent>();
  saved->model = model.name();
  saved->fingerprint = fingerprint_of(model);
  saved->start = settings_.start;
  saved->tolerance = settings_.rtol;
  saved->atol = parts_.options.atol;
  saved->order = parts_.options.order;
  saved->solver = parts_.options.solver;
  for (const StartOverride& start : parts_.options.start_values)
    if (start.fixed) saved->fixed_starts.emplace_back(start.variable, start.value);
  saved->state = *std::move(here);
  const std::vector<double> parameters = model.parameter_values();
  for (ParamId parameter : ids<ParamId>(parameters.size()))
    saved->parameters.emplace_back(model.parameters()[parameter].name,
                                   parameters[parameter.index()]);
  const std::vector<std::string> names = entry_names(mode());
  for (std::size_t k = 0; k < names.size(); ++k)
    saved->point.emplace_back(names[k], saved->state.point[k]);
  for (VarId variable : hybrid_.discrete_variables())
    saved->discrete.emplace_back(model.all_variables()[variable].name,
                                 saved->state.discrete[variable.index()]);
  for (const Relation& relation : hybrid_.relations()) saved->relations.push_back(relation.text);
  return SavedState(std::move(saved));
}

// The fingerprint of the model has been compared; the rest is a matter of the same forms.
Outcome<Done> Run::resume(const SavedContent& saved) {
  const auto refused = [&](const char* what) {
    return Failure{Status::kInitializationFailed,
                   fmt::format("{} does not fit the model: {}", saved.origin, what)};
  };
  HybridState state = restored_state(hybrid_.model(), saved);
  if (const char* misfit = find_misfit(hybrid_, parts_.discrete_part.num_conditions(), state))
    return refused(misfit);
  parts_.inputs.adopt(state);
  const ModeSelector::Selected selected =
      parts_.selector.select(state.t, content_of(state), state.holds);
  const std::vector<std::string> names = entry_names(selected.mode);
  const bool fits =
      std::ranges::equal(names, saved.point, {}, {}, [](const auto& named) { return named.first; });
  if (!fits) return refused("the variables of its point are others");
  parts_.report.reach(state.t);
  return resume(std::move(state));
}

// Inputs that somebody else has changed, by an event where the run stands.
Outcome<Done> Run::take_inputs() {
  if (!parts_.inputs.has_due()) return Done{};
  const double t = now();
  if (bdf_ != nullptr)
    if (auto ended = end_bdf(t); !ended) return ended;
  is_resumed_ = false;
  Cause cause;
  cause.is_time_event = true;
  cause.inputs = parts_.inputs.jumps_at(t, run_.state);
  cause.is_silent = cause.inputs.empty();
  if (auto done = process_event(t, std::move(cause)); !done) return done;
  return check_assertions(t);
}

Outcome<Done> Run::set_inputs(const std::map<std::size_t, double>& values) {
  for (const auto& [input, value] : values) parts_.inputs.set(input, value, run_.state);
  return run_.solution ? take_inputs() : Done{};
}

double Run::value(Leaf leaf) {
  const StateView here = view();
  const auto& observed = hybrid_.observed().variables;
  const auto at = std::find_if(observed.begin(), observed.end(), [&](const ObservedVariable& seen) {
    return seen.variable == leaf.variable;
  });
  if (at == observed.end()) return here.value(leaf, now());
  return parts_.log.observed(now(),
                             here.values(now()))[static_cast<std::size_t>(at - observed.begin())];
}

}  // namespace hydae

#include "sim/checkpoints.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "base/derivative_name.h"
#include "sim/expansion_failure.h"

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
                    (guards.residues.size() == n || guards.scales.empty()) &&
                    (guards.others.empty() || guards.others.rbegin()->first < n);
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

Outcome<HybridState> Checkpoints::take() {
  if (active_.bdf() != nullptr && choice_.has_series() && !is_fresh_)
    if (auto ended = active_.end_bdf(active_.time()); !ended) return std::move(ended).failure();
  HybridState state = active_.state();
  state.t = active_.time();
  state.uses_bdf = choice_.uses_bdf();
  if (is_fresh_) return state;  // its point is what the series were made from
  state.scales = parts_.workspaces.scales().scales();
  if (!choice_.has_series()) {
    read_point(state);
    return state;
  }
  if (auto expanded = active_.expand_here(); !expanded) return std::move(expanded).failure();
  const auto entries = active_.stepper().state();
  state.point.assign(entries.begin(), entries.end());
  return state;
}

void Checkpoints::read_point(HybridState& state) const {
  state.point.clear();
  for (const codegen::JetEntry& entry : point_entries(active_.mode()))
    state.point.push_back(active_.view().solution.value(
        VarId(static_cast<std::size_t>(entry.variable)), entry.order, state.t));
}

Outcome<Done> Checkpoints::restore(HybridState state) {
  const ModeSelector::Selected selected =
      parts_.selector.select(state.t, content_of(state), state.pins);
  if (selected.mode.defects.has_errors())
    return Failure{Status::kIllPosedMode, selected.mode.defects.items().front().message};
  choice_.resume(state);
  parts_.workspaces.scales().set_scales(state.scales);
  active_.state() = std::move(state);
  active_.drop_bdf();
  is_fresh_ = true;
  return choice_.has_series() ? restore_series(selected) : restore_bdf(selected.mode);
}

Outcome<Done> Checkpoints::restore_series(const ModeSelector::Selected& selected) {
  SolutionPtr solution = parts_.workspaces.take_series(selected.mode);
  solution->load(selected.numbers);
  Committed& run = active_.committed();
  solution->stepper().start(run.state.t, run.state.point, parts_.settings.direction(),
                            run.state.last_step);
  run.solution = std::move(solution);
  run.fill_table();
  return active_.expand_here();
}

Outcome<Done> Checkpoints::restore_bdf(const CompiledMode& mode) {
  active_.committed().fill_table();
  const HybridState& state = active_.state();
  std::map<Leaf, double> values;
  const std::vector<codegen::JetEntry> entries = point_entries(mode);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const VarId column(static_cast<std::size_t>(entries[k].variable));
    values[{mode.prepared.system.unknowns[column], entries[k].order}] = state.point.at(k);
  }
  return active_.start_bdf(mode, state.t, [&](Leaf leaf) {
    const auto at = values.find(leaf);
    return at == values.end() ? std::numeric_limits<double>::quiet_NaN() : at->second;
  });
}

Outcome<SavedState> Checkpoints::save() {
  Outcome<HybridState> here = take();
  if (!here) return std::move(here).failure();
  auto saved = std::make_shared<SavedContent>();
  saved->model = parts_.model.model().name();
  saved->fingerprint = fingerprint_of(parts_.model.model());
  saved->start = parts_.settings.start;
  saved->tolerance = parts_.settings.rtol;
  saved->atol = parts_.options.atol;
  saved->order = parts_.options.order;
  saved->solver = parts_.options.solver;
  for (const StartOverride& start : parts_.options.start_values)
    if (start.fixed) saved->fixed_starts.emplace_back(start.variable, start.value);
  saved->state = *std::move(here);
  write_numbers(*saved);
  return SavedState(std::move(saved));
}

// With their names, for a reader and for whoever compares models.
void Checkpoints::write_numbers(SavedContent& saved) const {
  const Model& model = parts_.model.model();
  const std::vector<double> parameters = model.parameter_values();
  for (ParamId parameter : ids<ParamId>(parameters.size()))
    saved.parameters.emplace_back(model.parameters()[parameter].name,
                                  parameters[parameter.index()]);
  const std::vector<std::string> names = entry_names(active_.mode());
  for (std::size_t k = 0; k < names.size(); ++k)
    saved.point.emplace_back(names[k], saved.state.point[k]);
  for (VarId variable : parts_.model.discrete_variables())
    saved.discrete.emplace_back(model.all_variables()[variable].name,
                                saved.state.discrete[variable.index()]);
  for (const Relation& relation : parts_.model.relations())
    saved.relations.push_back(relation.text);
}

// The fingerprint of the model has been compared; the rest is a matter of the same forms.
Outcome<Done> Checkpoints::restore(const SavedContent& saved) {
  const auto refused = [&](const char* what) {
    return Failure{Status::kInitializationFailed,
                   fmt::format("{} does not fit the model: {}", saved.origin, what)};
  };
  HybridState state = restored_state(parts_.model.model(), saved);
  if (const char* misfit = find_misfit(parts_.model, parts_.discrete_part.num_conditions(), state))
    return refused(misfit);
  parts_.inputs.adopt(state);
  const ModeSelector::Selected selected =
      parts_.selector.select(state.t, content_of(state), state.pins);
  const std::vector<std::string> names = entry_names(selected.mode);
  const bool fits =
      std::ranges::equal(names, saved.point, {}, {}, [](const auto& named) { return named.first; });
  if (!fits)
    return refused("the variables of its point are others; take the --solver that has saved it");
  parts_.report.reach(state.t);
  return restore(std::move(state));
}

}  // namespace hydae

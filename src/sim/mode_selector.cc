#include "sim/mode_selector.h"

#include <map>
#include <optional>
#include <set>

#include "expr/walk.h"

namespace hydae {
namespace {

// Selects may read several surfaces through discrete variables that follow them.
std::set<std::vector<std::size_t>> coupled_by_memories(const HybridModel& model,
                                                       const std::vector<PinnedGuard>& pins) {
  std::set<std::vector<std::size_t>> coupled;
  if (std::all_of(pins.begin(), pins.end(),
                  [](const PinnedGuard& pin) { return pin.memories.empty(); }))
    return coupled;
  std::vector<NodeId> roots = model.selecting_residuals();
  for (const Relation& relation : model.relations()) roots.push_back(relation.guard);
  Walk walk;
  const auto order = walk.order(model.graph(), roots);
  for (NodeId id : std::vector<NodeId>(order.begin(), order.end()))
    if (model.graph().op(id) == Op::kSelect)
      coupled.insert(sliding_surfaces_below(model, pins, id));
  return coupled;
}

}  // namespace

ModeSelector::Selected ModeSelector::select(double t, const TableContent& content,
                                            const std::vector<PinnedGuard>& pins) {
  ModeTruths truths = find_truths(t, content, pins);
  const std::vector<double>& numbers = table_.fill(content);
  const CompiledMode& mode = modes_.find_or_make(truths, pins, numbers);
  return {mode, std::move(truths), numbers};
}

// The conditions on all combinations of sides of the sliding surfaces that some select reads
// together.
ModeTruths ModeSelector::find_truths(double t, const TableContent& content,
                                     const std::vector<PinnedGuard>& pins) {
  Switches switches = content.switches;
  std::vector<double> values = content.values;
  TableContent at_corner{switches,           values,        content.pre,
                         content.pieces,     content.ticks, content.is_initial,
                         content.is_terminal};
  std::map<std::size_t, const PinnedGuard*> hold_of;  // by surface
  const auto go = [&](const PinnedGuard& pin, bool is_positive) {
    model_.set_side(pin.surface, is_positive ? 1 : -1, switches.bits);
    for (const SideValues& memory : pin.memories)
      values[memory.variable.index()] = memory.on(is_positive);
  };
  for (const PinnedGuard& pin : pins)
    if (pin.is_sliding()) go(*(hold_of[pin.surface] = &pin), false);
  ModeTruths result;
  result.truths = truths_at(t, at_corner);
  for (std::vector<std::size_t>& surfaces : sliding_groups(model_, pins)) {
    SlidingGroup group;
    for (std::size_t corner = 0; corner < (std::size_t{1} << surfaces.size()); ++corner) {
      for (std::size_t s = 0; s < surfaces.size(); ++s)
        go(*hold_of.at(surfaces[s]), (corner >> s & 1) != 0);
      group.corners.push_back(truths_at(t, at_corner));
    }
    for (std::size_t surface : surfaces) go(*hold_of.at(surface), false);
    group.surfaces = std::move(surfaces);
    result.groups.push_back(std::move(group));
  }
  return result;
}

// Conditions read the table only, besides time.
std::vector<bool> ModeSelector::truths_at(double t, const TableContent& content) {
  EvaluationContext now;
  now.t = t;
  now.continuous = now.before = [](Leaf) { return 0.0; };
  now.discrete = &content.values;
  now.pre = &content.pre;
  now.table = &table_.fill(content);
  now.is_initial = content.is_initial;
  now.is_terminal = content.is_terminal;
  std::vector<bool> truths;
  for (double value : conditions_.evaluate(now)) truths.push_back(value == 1.0);
  return truths;
}

std::vector<std::vector<std::size_t>> sliding_groups(const HybridModel& model,
                                                     const std::vector<PinnedGuard>& pins) {
  std::map<std::size_t, std::size_t> group_of;  // by surface: the first surface of its group
  for (const PinnedGuard& pin : pins)
    if (pin.is_sliding()) group_of[pin.surface] = pin.surface;
  std::set<std::vector<std::size_t>> all = coupled_by_memories(model, pins);
  all.insert(model.coupled_surfaces().begin(), model.coupled_surfaces().end());
  for (const std::vector<std::size_t>& coupled : all) {
    std::optional<std::size_t> common;
    for (std::size_t surface : coupled) {
      const auto at = group_of.find(surface);
      if (at == group_of.end()) continue;
      const std::size_t joined = at->second;
      if (!common) common = joined;
      for (auto& [other, group] : group_of)
        if (group == joined) group = *common;
    }
  }
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (const auto& [surface, group] : group_of) groups[group].push_back(surface);
  std::vector<std::vector<std::size_t>> result;
  for (auto& [group, surfaces] : groups) result.push_back(std::move(surfaces));
  return result;
}

}  // namespace hydae

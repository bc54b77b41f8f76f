#include "sim/mode_selector.h"

#include <map>
#include <optional>

namespace hydae {

ModeSelector::Selected ModeSelector::select(double t, const TableContent& content,
                                            const std::vector<Hold>& holds) {
  ModeTruths truths = find_truths(t, content, holds);
  const std::vector<double>& numbers = table_.fill(content);
  const CompiledMode& mode = modes_.find_or_make(truths, holds, numbers);
  return {mode, std::move(truths), numbers};
}

// The conditions on all combinations of sides of the sliding surfaces that some select reads
// together.
ModeTruths ModeSelector::find_truths(double t, const TableContent& content,
                                     const std::vector<Hold>& holds) {
  Switches switches = content.switches;
  TableContent at_corner{switches,       content.values, content.pre,
                         content.pieces, content.ticks,  content.is_initial};
  for (const Hold& hold : holds)
    if (hold.is_sliding()) model_.set_side(hold.surface, -1, switches.bits);
  ModeTruths result;
  result.truths = truths_at(t, at_corner);
  const std::vector<bool> negative = switches.bits;
  for (std::vector<std::size_t>& surfaces : sliding_groups(model_, holds)) {
    SlidingGroup group;
    for (std::size_t corner = 0; corner < (std::size_t{1} << surfaces.size()); ++corner) {
      switches.bits = negative;
      for (std::size_t s = 0; s < surfaces.size(); ++s)
        if ((corner >> s & 1) != 0) model_.set_side(surfaces[s], 1, switches.bits);
      group.corners.push_back(truths_at(t, at_corner));
    }
    group.surfaces = std::move(surfaces);
    result.groups.push_back(std::move(group));
  }
  return result;
}

// Conditions read the table only, besides time.
std::vector<bool> ModeSelector::truths_at(double t, const TableContent& content) {
  Instant now;
  now.t = t;
  now.continuous = now.before = [](Leaf) { return 0.0; };
  now.discrete = &content.values;
  now.pre = &content.pre;
  now.table = &table_.fill(content);
  now.is_initial = content.is_initial;
  std::vector<bool> truths;
  for (double value : conditions_.evaluate(now)) truths.push_back(value == 1.0);
  return truths;
}

std::vector<std::vector<std::size_t>> sliding_groups(const HybridModel& model,
                                                     const std::vector<Hold>& holds) {
  std::map<std::size_t, std::size_t> group_of;  // by surface: the first surface of its group
  for (const Hold& hold : holds)
    if (hold.is_sliding()) group_of[hold.surface] = hold.surface;
  for (const std::vector<std::size_t>& coupled : model.coupled_surfaces()) {
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

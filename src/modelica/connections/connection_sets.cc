#include "modelica/connections/connection_sets.h"

#include <algorithm>

namespace hydae::modelica {
namespace {

std::uint64_t key_of(ConnectionSets::Terminal terminal) {
  return std::uint64_t{terminal.cell.index()} * 2 + (terminal.is_outside ? 1 : 0);
}

}  // namespace

std::size_t ConnectionSets::place_of(Terminal terminal) {
  const auto [found, is_new] = place_of_.emplace(key_of(terminal), members_.size());
  if (is_new) members_.push_back({terminal, members_.size()});
  return found->second;
}

std::optional<std::size_t> ConnectionSets::find_place(Terminal terminal) const {
  const auto found = place_of_.find(key_of(terminal));
  return found == place_of_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t ConnectionSets::leader_of(std::size_t place) {
  while (members_[place].leader != place) {
    members_[place].leader = members_[members_[place].leader].leader;
    place = members_[place].leader;
  }
  return place;
}

void ConnectionSets::join(Terminal a, Terminal b, Kind kind, const ConnectionOrigin& origin) {
  if (kind == Kind::kPotential) a.is_outside = b.is_outside = false;
  const std::size_t left = leader_of(place_of(a)), right = leader_of(place_of(b));
  for (const Terminal each : {a, b}) members_[place_of(each)].kind = kind;
  if (left == right) return;
  // The older place leads, so that the result does not depend on how sets were joined.
  const auto [first, second] = std::minmax(left, right);
  members_[second].leader = first;
  if (!members_[first].origin.source.is_valid()) members_[first].origin = origin;
  if (kind == Kind::kPotential)
    potentials_.push_back({a.cell, b.cell, origin.instance, origin.source});
}

void ConnectionSets::add_flow(NodeId cell, const ConnectionOrigin& origin) {
  Member& added = members_[place_of({cell, false})];
  added.kind = Kind::kFlow;
  if (!added.origin.source.is_valid()) added.origin = origin;
}

std::map<std::size_t, ConnectionSets::Places> ConnectionSets::sets_of(Kind kind) {
  std::map<std::size_t, Places> sets;
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (members_[i].kind == kind) sets[leader_of(i)].push_back(i);
  return sets;
}

}  // namespace hydae::modelica

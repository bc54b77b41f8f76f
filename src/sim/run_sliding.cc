// Guards held at zero: which mode this makes, when it ends, and when it begins.
// docs/math/sliding.md.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

#include "poly/jet_sign.h"
#include "sim/run.h"

namespace hydae {
namespace {

constexpr std::size_t kMostContested = 4;  // surfaces that a select couples: 3^4 combinations
constexpr std::size_t kFew = 2;            // surfaces, whether coupled or not
constexpr int kPatience = 3;               // trials without fewer violations

bool is_held_in(const std::vector<Hold>& holds, std::size_t surface) {
  return std::any_of(holds.begin(), holds.end(),
                     [&](const Hold& hold) { return hold.surface == surface; });
}

}  // namespace

bool Run::is_held(std::size_t relation) const {
  return is_held_in(mode_->holds, hybrid_.surface_of(relation));
}

// The conditions in the mode of a trial, on all combinations of sides of the surfaces on which it
// slides that some select reads together.
ModeTruths Run::mode_truths(double t, const Trial& trial) {
  const auto truths_at = [&](const std::vector<bool>& bits) {
    load_table(bits, trial.counts, trial.discrete.values, state_.discrete);
    return truths_of(t, false);
  };
  std::vector<bool> bits = trial.bits;
  for (const Hold& hold : trial.holds)
    if (hold.is_sliding()) hybrid_.set_side(hold.surface, -1, bits);
  ModeTruths result;
  result.truths = truths_at(bits);
  for (std::vector<std::size_t>& surfaces : sliding_groups(trial.holds)) {
    SlidingGroup group;
    for (std::size_t corner = 0; corner < (std::size_t{1} << surfaces.size()); ++corner) {
      std::vector<bool> sides = bits;
      for (std::size_t s = 0; s < surfaces.size(); ++s)
        if ((corner >> s & 1) != 0) hybrid_.set_side(surfaces[s], 1, sides);
      group.corners.push_back(truths_at(sides));
    }
    group.surfaces = std::move(surfaces);
    result.groups.push_back(std::move(group));
  }
  load_table(trial.bits, trial.counts, trial.discrete.values, state_.discrete);
  return result;
}

// The surfaces of sliding holds; those that some select reads together are together.
std::vector<std::vector<std::size_t>> Run::sliding_groups(const std::vector<Hold>& holds) const {
  std::map<std::size_t, std::size_t> group_of;  // by surface: the first surface of its group
  for (const Hold& hold : holds)
    if (hold.is_sliding()) group_of[hold.surface] = hold.surface;
  for (const std::vector<std::size_t>& coupled : hybrid_.coupled_surfaces()) {
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

// Whether an output is the share of one side of a sliding surface: a number between 0 and 1, and
// constantly one of them where a side keeps the solution on the surface by itself.
bool Run::is_share(std::size_t output) const {
  const OutputLayout& layout = mode_->layout;
  return layout.is_exit(output) && mode_->holds[layout.exit_of(output) / 2].is_sliding();
}

void Run::leave(std::size_t surface, int side, Trial& trial) const {
  std::erase_if(trial.holds, [&](const Hold& hold) { return hold.surface == surface; });
  hybrid_.set_side(surface, side, trial.bits);
}

// Each surface to its side; on 0 the trial slides.
void Run::place(const std::vector<std::size_t>& surfaces, const std::vector<int>& sides,
                Trial& trial) const {
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    leave(surfaces[s], sides[s], trial);
    if (sides[s] != 0) continue;
    Hold slide;
    slide.surface = surfaces[s];
    trial.holds.push_back(slide);
  }
  std::sort(trial.holds.begin(), trial.holds.end());
}

// Two exits for each hold: the share below 0 or above 1; the reaction of the wrong sign. Without
// its reaction a guard moves to the side from which it came.
void Run::add_exit(std::size_t exit, Cause& cause) const {
  const Hold& hold = mode_->holds[exit / 2];
  const int side = hold.is_sliding() ? (exit % 2 == 0 ? -1 : 1) : hold.free_side;
  cause.exits.emplace_back(hold.surface, side);
  cause.is_silent = false;
}

// The holds that last just after the instant; the bits of the others go to their sides.
std::vector<Hold> Run::holds_from_jets(Trial& wanted) {
  Cause left;
  const OutputLayout& layout = mode_->layout;
  state_.guards.known_zeros.resize(layout.exit(layout.num_exits), 0);
  for (std::size_t exit = 0; exit < layout.num_exits; ++exit) {
    const auto series = stepper_->output_series(static_cast<int>(layout.exit(exit)));
    double size = 0;
    if (is_share(layout.exit(exit))) size = 1;
    for (double coefficient : series) size = std::max(size, std::abs(coefficient));
    const poly::JetSign sign = poly::find_jet_sign(series, kShareNoise * size);
    if (sign.sign < 0) add_exit(exit, left);
    state_.guards.known_zeros[layout.exit(exit)] = sign.sign == 0 ? 0 : sign.order;
  }
  Trial result = wanted;
  for (const auto& [surface, side] : left.exits) leave(surface, side, result);
  wanted.bits = result.bits;
  return result.holds;
}

// Surfaces whose sides the cycle cannot agree on.
std::set<std::size_t> Run::contested_surfaces(const std::vector<Trial>& cycle) const {
  std::set<std::size_t> surfaces;
  for (std::size_t k = 0; k < hybrid_.relations().size(); ++k)
    if (std::any_of(cycle.begin(), cycle.end(),
                    [&](const Trial& trial) { return trial.bits[k] != cycle.front().bits[k]; }))
      surfaces.insert(hybrid_.surface_of(k));
  return surfaces;
}

// What the solution in the mode of the trial asks for; nothing if there is no solution.
std::optional<Run::Trial> Run::wanted_after(double t, const Cause& cause, const LeftLimit& left,
                                            Trial& trial) {
  if (!try_mode(t, left, trial)) return std::nullopt;
  Trial wanted = trial;
  wanted.bits = bits_from_jets(cause, trial.bits);
  wanted.holds = holds_from_jets(wanted);
  return wanted;
}

bool Run::is_consistent(double t, const Cause& cause, const LeftLimit& left, Trial& trial) {
  const auto wanted = wanted_after(t, cause, left, trial);
  return wanted && wanted->bits == trial.bits && wanted->holds == trial.holds;
}

// A cycle of trials that differ in the sides of some surfaces only: the solution can leave to no
// side, so it stays on some of them.
std::optional<Run::Trial> Run::search_sliding(double t, const Cause& cause, const LeftLimit& left,
                                              const std::vector<Trial>& cycle) {
  for (const Trial& trial : cycle)
    if (trial.discrete.values != cycle.front().discrete.values || !trial.discrete.reinits.empty() ||
        !trial.discrete.impacts.empty())
      return std::nullopt;
  const std::set<std::size_t> contested = contested_surfaces(cycle);
  if (contested.empty()) return std::nullopt;
  std::optional<Trial> found;
  if (contested.size() > kFew)
    found = pivot_sliding(t, cause, left, cycle.front(), {contested.begin(), contested.end()});
  if (!found) {  // what the solution crosses at the same instant may not do so if it slides
    std::set<std::size_t> surfaces = contested;
    for (std::size_t k : cause.relations)
      if (!hybrid_.relations()[k].is_bound && !hybrid_.relations()[k].is_time_only)
        surfaces.insert(hybrid_.surface_of(k));
    if (surfaces.size() > kMostContested) surfaces = contested;
    found = enumerate_sliding(t, cause, left, cycle.front(), {surfaces.begin(), surfaces.end()});
  }
  if (!found) return std::nullopt;
  result_.summary.status = Status::kSuccess;
  result_.summary.message.clear();
  return found;
}

// Surfaces that no select reads together make a mixed complementarity problem: a share between 0
// and 1 and a guard that stays zero, or a share at one end and a guard that leaves to that side.
// All that is violated moves by one place, between the two sides and the surface, as long as fewer
// are violated from time to time; then one at a time (see SwitchSearch).
std::optional<Run::Trial> Run::pivot_sliding(double t, const Cause& cause, const LeftLimit& left,
                                             Trial trial,
                                             const std::vector<std::size_t>& surfaces) {
  std::vector<int> sides(surfaces.size(), 0);
  place(surfaces, sides, trial);
  for (const auto& group : sliding_groups(trial.holds))
    if (group.size() > 1) return std::nullopt;
  std::size_t fewest = surfaces.size() + 1;
  int patience = kPatience;
  std::set<std::vector<bool>> tried;
  while (tried.insert(trial.bits).second) {
    const auto wanted = wanted_after(t, cause, left, trial);
    if (!wanted) return std::nullopt;
    if (wanted->bits == trial.bits && wanted->holds == trial.holds) return trial;
    std::vector<std::pair<std::size_t, int>> moves;
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
      const int side =
          is_held_in(wanted->holds, surfaces[s]) ? 0 : hybrid_.side_of(surfaces[s], wanted->bits);
      if (side != sides[s]) moves.emplace_back(s, sides[s] == 0 ? side : 0);
    }
    patience = moves.size() < fewest ? kPatience : patience - 1;
    fewest = std::min(fewest, moves.size());
    if (patience < 0 && moves.size() > 1) moves.resize(1);
    for (const auto& [s, side] : moves) sides[s] = side;
    trial.bits = wanted->bits;
    place(surfaces, sides, trial);
  }
  return std::nullopt;
}

// All ways to leave or to slide, so that one sees whether there is more than one; the fewest
// surfaces first.
std::optional<Run::Trial> Run::enumerate_sliding(double t, const Cause& cause,
                                                 const LeftLimit& left, const Trial& from,
                                                 const std::vector<std::size_t>& surfaces) {
  if (surfaces.size() > kMostContested) return std::nullopt;
  std::size_t num_choices = 1;
  for (std::size_t s = 0; s < surfaces.size(); ++s) num_choices *= 3;
  std::vector<Trial> found;
  for (std::ptrdiff_t count = 0; count <= std::ssize(surfaces) && found.empty(); ++count)
    for (std::size_t choice = 0; choice < num_choices; ++choice) {
      std::vector<int> sides;
      for (std::size_t s = 0, rest = choice; s < surfaces.size(); ++s, rest /= 3)
        sides.push_back(static_cast<int>(rest % 3) - 1);
      if (std::count(sides.begin(), sides.end(), 0) != count) continue;
      Trial trial = from;
      place(surfaces, sides, trial);
      if (is_consistent(t, cause, left, trial)) found.push_back(trial);
    }
  if (found.empty()) return std::nullopt;
  if (found.size() > 1) {
    fail(Status::kAmbiguousSliding,
         fmt::format("event at t = {:.10g}: {} sliding modes are possible; surfaces: {}", t,
                     found.size(), quoted_list(surface_texts(surfaces))));
    return std::nullopt;
  }
  if (!is_consistent(t, cause, left, found.front())) return std::nullopt;
  return found.front();
}

std::vector<std::string> Run::surface_texts(const std::vector<std::size_t>& surfaces) const {
  std::vector<std::string> texts;
  for (std::size_t surface : surfaces)
    texts.push_back(
        hybrid_.relations()[hybrid_.surfaces()[surface].relations.front().relation].text);
  return texts;
}

}  // namespace hydae

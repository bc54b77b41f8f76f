#include "sim/sliding_search.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sim/contact_switches.h"

namespace hydae {
namespace {

constexpr std::size_t kMostContested = 4;  // surfaces that a select couples: 3^4 combinations
constexpr std::size_t kFew = 2;            // surfaces, whether coupled or not
constexpr int kPatience = 3;               // trials without fewer violations
constexpr double kMostMove = 100;          // of a state, in units of its error

bool agrees(const ModeChoice& wanted, const ModeChoice& choice) {
  return wanted.switches.bits == choice.switches.bits && wanted.pins == choice.pins;
}

}  // namespace

std::optional<Outcome<Trial>> SlidingSearch::run(const std::vector<Trial>& cycle) {
  for (const Trial& trial : cycle)
    if (!trial.discrete.reinits.empty() || !trial.discrete.impacts.empty()) return std::nullopt;
  std::set<std::size_t> contested = contested_surfaces(cycle);
  std::erase_if(contested, [this](std::size_t surface) { return !is_reached(surface); });
  if (contested.empty()) return std::nullopt;
  if (pass_.blends_memories) find_memories(cycle.front(), contested);
  for (const Trial& trial : cycle)
    if (!differs_in_followers(trial, cycle.front())) return std::nullopt;
  if (contested.size() > kFew)
    if (auto found = pivot(cycle.front(), {contested.begin(), contested.end()}))
      return *std::move(found);
  // What the solution crosses at the same instant may not do so if it slides.
  std::set<std::size_t> surfaces = contested;
  for (std::size_t k : pass_.cause.relations)
    if (!model_.relations()[k].is_bound && !model_.relations()[k].is_time_only)
      surfaces.insert(model_.surface_of(k));
  if (surfaces.size() > kMostContested) surfaces = contested;
  if (auto found = enumerate(cycle.front(), {surfaces.begin(), surfaces.end()}))
    return *std::move(found);
  return share(cycle.front(), {contested.begin(), contested.end()});
}

// Surfaces that cannot be held all at once, because the rest of them hold some at zero already: two
// brakes on one shaft. These have the shares of others, so that all are used to the same degree,
// and break loose together.
std::optional<Outcome<Trial>> SlidingSearch::share(const Trial& from, const Surfaces& surfaces) {
  Surfaces held, sharing;
  ModeChoice choice = from.choice;
  for (std::size_t surface : surfaces) {
    ModeChoice more = choice;
    place({surface}, {0}, more);
    const bool is_free = static_cast<bool>(solve(more, from));
    (is_free ? held : sharing).push_back(surface);
    if (is_free) choice = std::move(more);
  }
  if (held.empty() || sharing.empty()) return std::nullopt;
  const Outcome<Trial> moving = solve(from.choice, from);
  if (!moving) return std::nullopt;
  place(sharing, std::vector<int>(sharing.size(), 0), choice);
  for (PinnedGuard& pin : choice.pins)
    if (std::find(sharing.begin(), sharing.end(), pin.surface) != sharing.end())
      pin.follows = partner_of(pin.surface, held, *moving->solution);
  Outcome<Trial> found = solve(choice, from);
  if (!found || !agrees(found->reading.wanted, choice)) return std::nullopt;
  const auto is_held_too = [&](std::size_t surface) {
    return trials_.signs().vanishes(*found->solution,
                                    model_.surfaces()[surface].relations.front().relation);
  };
  if (!std::all_of(sharing.begin(), sharing.end(), is_held_too)) return std::nullopt;
  held.insert(held.end(), sharing.begin(), sharing.end());
  found->note = fmt::format(
      "event at t = {:.10g}: what holds {} at zero is not unique, the motion is: they are used to "
      "the same degree",
      pass_.t, quoted_list(texts_of(held)));
  return found;
}

// The one whose guard is a multiple of that of the surface while nothing is held, if there is one.
SharedHold SlidingSearch::partner_of(std::size_t surface, const Surfaces& held,
                                     const TaylorSolution& moving) const {
  const auto series = [&](std::size_t of) {
    const Surface::Side& first = model_.surfaces()[of].relations.front();
    const auto output = moving.output(first.relation);
    std::vector<double> values(output.begin(), output.end());
    for (double& value : values) value *= first.sign;
    return values;
  };
  const std::vector<double> own = series(surface);
  SharedHold best{held.front(), false};
  double smallest = 2;
  for (std::size_t other : held) {
    const std::vector<double> its = series(other);
    double product = 0, own_size = 0, its_size = 0;
    for (std::size_t n = 0; n < std::min(own.size(), its.size()); ++n) {
      product += own[n] * its[n];
      own_size += own[n] * own[n];
      its_size += its[n] * its[n];
    }
    const double cosine = product / std::sqrt(own_size * its_size);
    if (1 - std::abs(cosine) >= smallest) continue;
    smallest = 1 - std::abs(cosine);
    best = {other, cosine < 0};
  }
  return best;
}

// What has a memory follows a surface if crossing it to and fro sets it anew each time.
void SlidingSearch::find_memories(const Trial& from, const std::set<std::size_t>& surfaces) {
  for (std::size_t surface : surfaces)
    if (auto found = trials_.memories_of(pass_, from.choice, surface); found && !found->empty())
      memories_[surface] = *std::move(found);
}

// At most in discrete variables that follow relations, as they stand or from event to event.
bool SlidingSearch::differs_in_followers(const Trial& a, const Trial& b) {
  const auto is_memory = [this](VarId variable) {
    return std::any_of(memories_.begin(), memories_.end(), [&](const auto& entry) {
      return std::any_of(entry.second.begin(), entry.second.end(),
                         [&](const SideValues& values) { return values.variable == variable; });
    });
  };
  for (VarId variable : model_.discrete_variables()) {
    if (a.discrete.values[variable.index()] == b.discrete.values[variable.index()]) continue;
    if (!follows_relations(model_, pass_.state, variable) && !is_memory(variable)) return false;
    has_followers_ = true;
  }
  return true;
}

// Only where its guard is zero can the solution be held on a surface.
bool SlidingSearch::is_reached(std::size_t surface) const {
  const std::size_t relation = model_.surfaces()[surface].relations.front().relation;
  const SolutionPtr& before = pass_.left.solution;
  const bool is_cause = pass_.cause.relations.count(relation) != 0 || pass_.cause.is_zeno;
  return is_cause || !before || is_pinned_in(pass_.state.pins, surface) ||
         trials_.signs().is_zero_before(*before, pass_.t, pass_.state.guards, relation);
}

// On a surface a state moves by no more than it does anyway, up to errors.
bool SlidingSearch::moves_a_state(const Trial& trial, const Trial& from) const {
  return !trial.choice.pins.empty() &&
         trial.largest_jump > kMostMove * std::max(1.0, from.largest_jump);
}

Outcome<Trial> SlidingSearch::solve(const ModeChoice& choice, const Trial& from) {
  Outcome<Trial> trial = has_followers_ ? trials_.solve(pass_, choice)
                                        : trials_.solve_with(pass_, choice, from.discrete);
  if (trial && moves_a_state(*trial, from))
    return Failure{Status::kModeCycle, "a sliding mode would move a state"};
  return trial;
}

// Surfaces whose sides the cycle cannot agree on.
std::set<std::size_t> SlidingSearch::contested_surfaces(const std::vector<Trial>& cycle) const {
  std::set<std::size_t> surfaces;
  const auto bit = [](const Trial& trial, std::size_t k) { return trial.choice.switches.bits[k]; };
  for (std::size_t k = 0; k < model_.relations().size(); ++k)
    if (!model_.relations()[k].is_of_contact &&
        std::any_of(cycle.begin(), cycle.end(),
                    [&](const Trial& trial) { return bit(trial, k) != bit(cycle.front(), k); }))
      surfaces.insert(model_.surface_of(k));
  return surfaces;
}

// Each surface to its side; on 0 the trial slides.
void SlidingSearch::place(const Surfaces& surfaces, const std::vector<int>& sides,
                          ModeChoice& choice) const {
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    leave(model_, surfaces[s], sides[s], choice);
    if (sides[s] != 0) continue;
    PinnedGuard slide;
    slide.surface = surfaces[s];
    if (const auto at = memories_.find(surfaces[s]); at != memories_.end())
      slide.memories = at->second;
    choice.pins.push_back(std::move(slide));
  }
  std::sort(choice.pins.begin(), choice.pins.end());
}

// Surfaces that no select reads together make a mixed complementarity problem: a share between 0
// and 1 and a guard that stays zero, or a share at one end and a guard that leaves to that side.
// All that is violated moves by one place, between the two sides and the surface, as long as fewer
// are violated from time to time; then one at a time (see SwitchSearch).
std::optional<Trial> SlidingSearch::pivot(const Trial& from, const Surfaces& surfaces) {
  std::vector<int> sides(surfaces.size(), 0);
  ModeChoice choice = from.choice;
  place(surfaces, sides, choice);
  for (const auto& group : sliding_groups(model_, choice.pins))
    if (group.size() > 1) return std::nullopt;
  std::size_t fewest = surfaces.size() + 1;
  int patience = kPatience;
  std::set<std::vector<bool>> tried;
  while (tried.insert(choice.switches.bits).second) {
    Outcome<Trial> trial = solve(choice, from);
    if (!trial) return std::nullopt;
    const ModeChoice& wanted = trial->reading.wanted;
    if (agrees(wanted, choice)) return *std::move(trial);
    auto next = moves(surfaces, sides, wanted);
    patience = next.size() < fewest ? kPatience : patience - 1;
    fewest = std::min(fewest, next.size());
    if (patience < 0 && next.size() > 1) next.resize(1);
    for (const auto& [s, side] : next) sides[s] = side;
    choice.switches.bits = wanted.switches.bits;
    place(surfaces, sides, choice);
  }
  return std::nullopt;
}

// By place among the surfaces: where it goes next.
std::vector<std::pair<std::size_t, int>> SlidingSearch::moves(const Surfaces& surfaces,
                                                              const std::vector<int>& sides,
                                                              const ModeChoice& wanted) const {
  std::vector<std::pair<std::size_t, int>> result;
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const int side = is_pinned_in(wanted.pins, surfaces[s])
                         ? 0
                         : model_.side_of(surfaces[s], wanted.switches.bits);
    if (side != sides[s]) result.emplace_back(s, sides[s] == 0 ? side : 0);
  }
  return result;
}

// All ways to leave or to slide, so that one sees whether there is more than one.
std::optional<Outcome<Trial>> SlidingSearch::enumerate(const Trial& from,
                                                       const Surfaces& surfaces) {
  if (surfaces.size() > kMostContested) return std::nullopt;
  std::vector<Trial> found = consistent_trials(from, surfaces);
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return std::move(found.front());
  return Failure{Status::kAmbiguousSliding,
                 fmt::format("event at t = {:.10g}: {} sliding modes are possible; surfaces: {}",
                             pass_.t, found.size(), quoted_list(texts_of(surfaces)))};
}

// Those that slide on the fewest surfaces.
std::vector<Trial> SlidingSearch::consistent_trials(const Trial& from, const Surfaces& surfaces) {
  std::size_t num_choices = 1;
  for (std::size_t s = 0; s < surfaces.size(); ++s) num_choices *= 3;
  std::vector<Trial> found;
  for (std::ptrdiff_t count = 0; count <= std::ssize(surfaces) && found.empty(); ++count)
    for (std::size_t combination = 0; combination < num_choices; ++combination) {
      std::vector<int> sides;
      for (std::size_t s = 0, rest = combination; s < surfaces.size(); ++s, rest /= 3)
        sides.push_back(static_cast<int>(rest % 3) - 1);
      if (std::count(sides.begin(), sides.end(), 0) != count) continue;
      ModeChoice choice = from.choice;
      place(surfaces, sides, choice);
      Outcome<Trial> trial = solve(choice, from);
      if (trial && agrees(trial->reading.wanted, choice)) found.push_back(*std::move(trial));
    }
  return found;
}

std::vector<std::string> SlidingSearch::texts_of(const Surfaces& surfaces) const {
  std::vector<std::string> texts;
  for (std::size_t surface : surfaces)
    texts.push_back(model_.relations()[model_.surfaces()[surface].relations.front().relation].text);
  return texts;
}

}  // namespace hydae

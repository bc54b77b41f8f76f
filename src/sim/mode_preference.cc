#include "sim/mode_preference.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/contact_switches.h"
#include "sim/mode_search.h"

namespace hydae {
namespace {

// Relations whose combinations are looked at: 2^6 trials at most, each as cheap as a restart once
// its mode is known. With more of them the mode that was found stands.
constexpr std::size_t kMostFreePlaces = 6;
// Errors of what persists that are no jump yet: a restart corrects what the integration has left.
constexpr double kSmallestJump = 100;

}  // namespace

std::size_t ModePreference::distance(const Switches& switches) const {
  return differences(switches.bits, pass_.state.switches.bits).size();
}

ModePreference::Rank ModePreference::rank(const Trial& trial) const {
  return {trial.largest_jump > kSmallestJump, distance(trial.choice.switches)};
}

// Relations in which another mode might agree as well. Those of time and of impacts are decided
// elsewhere.
ModePreference::Places ModePreference::free_places(const Trial& found, const Met& met) const {
  std::set<std::size_t> places = differences(found.choice.switches.bits, pass_.state.switches.bits);
  places.insert(met.switching.begin(), met.switching.end());
  std::erase_if(places, [&](std::size_t k) {
    const Relation& relation = model_.relations()[k];
    const bool is_of_impact = relation.is_of_contact && !is_of_switch(model_, pass_.state, k);
    return relation.is_time_only || relation.is_bound || is_of_impact ||
           is_pinned_in(found.choice.pins, model_.surface_of(k));
  });
  return {places.begin(), places.end()};
}

// Modes that could be better, nearest to the last one first, without those that were tried.
std::vector<Switches> ModePreference::candidates(const Trial& found, const Places& places,
                                                 const Met& met) const {
  std::vector<Switches> list;
  const Rank limit = rank(found);
  for (unsigned set = 1; set < 1u << places.size(); ++set) {
    Switches next = found.choice.switches;
    for (std::size_t k = 0; k < places.size(); ++k)
      if (set >> k & 1u) next.bits[places[k]].flip();
    const bool is_refuted =
        std::any_of(met.refuted.begin(), met.refuted.end(), [&](const Trial& trial) {
          return trial.choice.switches == next && trial.choice.pins == found.choice.pins;
        });
    if (!is_refuted && (limit.jumps || distance(next) <= limit.distance))
      list.push_back(std::move(next));
  }
  std::stable_sort(list.begin(), list.end(), [this](const Switches& a, const Switches& b) {
    return distance(a) < distance(b);
  });
  return list;
}

// The mode that a straight search finds, without a jump, is the only one that is looked for: where
// what the solutions ask for has led to it, the others have been refuted on the way. On surfaces
// that are newly held all combinations have been looked at (SlidingSearch).
Trial ModePreference::choose(Trial found, const Met& met) {
  if (!met.has_cycled && !rank(found).jumps) return found;
  if (found.choice.pins != pass_.state.pins) return found;
  const Places places = free_places(found, met);
  if (places.empty() || places.size() > kMostFreePlaces) return found;
  Trial best = std::move(found);
  std::vector<Switches> rivals;  // as good as the best
  for (const Switches& candidate : candidates(best, places, met)) {
    Outcome<Trial> trial = trials_.solve(pass_, {candidate, best.choice.pins});
    if (!trial || !trial->is_consistent() || rank(best) < rank(*trial)) continue;
    if (rank(*trial) < rank(best)) {
      best = *std::move(trial);
      rivals.clear();
    } else {
      rivals.push_back(candidate);
    }
  }
  if (!rivals.empty()) say_choice(best, rivals);
  return best;
}

void ModePreference::say_choice(Trial& best, const std::vector<Switches>& rivals) const {
  std::set<std::size_t> open;
  for (const Switches& rival : rivals) {
    const auto differing = differences(rival.bits, best.choice.switches.bits);
    open.insert(differing.begin(), differing.end());
  }
  best.warnings.push_back(
      fmt::format("{} modes agree with their own solutions, and none of them is nearer to the "
                  "last; they differ in {}",
                  rivals.size() + 1, quoted_list(texts_of(model_, open))));
}

}  // namespace hydae

#include "sim/mode_search.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/contact_switches.h"
#include "sim/mode_preference.h"
#include "sim/sliding_search.h"

namespace hydae {
namespace {

// Of a search for a mode that no violated relation leads to.
constexpr std::size_t kMostWidePlaces = 24, kMostWideTrials = 500;
constexpr std::size_t kMostReleased = 3;  // surfaces that are left one after the other

}  // namespace

std::set<std::size_t> differences(const std::vector<bool>& a, const std::vector<bool>& b) {
  std::set<std::size_t> places;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k] != b[k]) places.insert(k);
  return places;
}

std::vector<std::size_t> time_relations(const HybridModel& model) {
  std::vector<std::size_t> list;
  for (std::size_t k = 0; k < model.relations().size(); ++k)
    if (model.relations()[k].is_time_only) list.push_back(k);
  return list;
}

std::vector<SwitchGroup> switch_groups(const HybridModel& model) {
  std::vector<SwitchGroup> groups;
  for (const Surface& surface : model.surfaces()) {
    SwitchGroup group;
    for (const auto& [k, sign] : surface.relations) {
      const Relation& relation = model.relations()[k];
      if (relation.is_time_only || relation.is_bound) continue;
      group.places.push_back(k);
      group.negative.push_back(relation.truth(-sign));
      group.positive.push_back(relation.truth(sign));
    }
    if (!group.places.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

Outcome<Trial> ModeSearch::run(const ModeChoice& first) {
  Outcome<Trial> found = find(first);
  if (found)
    for (ModeChoice* choice : {&found->choice, &found->reading.wanted})
      forget_switched(model_, pass_.state, choice->switches);
  return found;
}

Outcome<Trial> ModeSearch::find(const ModeChoice& first) {
  begin_ = first;
  refresh_memories(begin_);
  Outcome<Trial> found = search(begin_);
  if (found && held_.empty() && !found->is_undone)
    return ModePreference(trials_, pass_)
        .choose(*std::move(found), {solved_, switching_, has_cycled_});
  if (!found.has_failed_with(Status::kModeCycle) || !held_.empty()) return found;
  if (pass_.is_first)
    if (auto kept = keep(begin_, pass_.cause.relations)) return *std::move(kept);
  return found;
}

// Relations that the trial has taken as changed by the event, and that its solution changes back.
std::set<std::size_t> ModeSearch::undone_by(const Trial& trial) const {
  const std::vector<bool>& tried = trial.choice.switches.bits;
  std::set<std::size_t> undone = differences(tried, trial.reading.wanted.switches.bits);
  std::erase_if(undone, [&](std::size_t k) {
    const Relation& relation = model_.relations()[k];
    return tried[k] == pass_.state.switches.bits[k] || relation.is_silent || relation.is_of_contact;
  });
  return undone;
}

// A relation has set off something that undoes it: it is true for this pass, and what it has set
// off lasts.
std::optional<Outcome<Trial>> ModeSearch::keep_undone() {
  for (const Trial& trial : solved_) {
    const auto undone = undone_by(trial);
    if (undone.empty() || !is_set_off(trial)) continue;
    if (auto kept = keep(trial.choice, undone)) return kept;
  }
  return std::nullopt;
}

std::optional<Outcome<Trial>> ModeSearch::keep(const ModeChoice& from,
                                               std::set<std::size_t> relations) {
  std::erase_if(relations, [this](std::size_t k) { return model_.relations()[k].is_of_contact; });
  if (relations.empty()) return std::nullopt;  // that would be the same search once more
  ModeSearch other(trials_, pass_);
  other.held_ = std::move(relations);
  Outcome<Trial> found = other.run(from);
  if (!found) return std::nullopt;
  found->is_undone = true;
  return found;
}

// The trial sets discrete values that have a memory, or resets states.
bool ModeSearch::is_set_off(const Trial& trial) const {
  const std::vector<double>&after = trial.discrete.values, &before = pass_.state.discrete;
  return !trial.discrete.reinits.empty() || !trial.discrete.impacts.empty() ||
         std::any_of(model_.discrete_variables().begin(), model_.discrete_variables().end(),
                     [&](VarId variable) {
                       return !follows_relations(model_, pass_.state, variable) &&
                              after[variable.index()] != before[variable.index()];
                     });
}

Outcome<Trial> ModeSearch::search(ModeChoice first) {
  std::set<ModeChoice> begun;
  while (begun.insert(first).second)
    if (auto found = try_switches(first)) return *std::move(found);
  if (!solved_.empty())
    if (auto sliding = slide()) return *std::move(sliding);
  if (has_no_solution_)
    if (auto found = release()) return *std::move(found);
  if (!first_failure_ && held_.empty())
    if (auto kept = keep_undone()) return *std::move(kept);
  if (!first_failure_ && !solved_.empty() && !pass_.cause.is_silent)
    if (auto found = search_widely()) return *std::move(found);
  // Without a solution for the switches as the event left them, that is the reason.
  return first_failure_ ? *first_failure_ : no_mode();
}

// What follows a sliding surface from event to event may have other values after this one.
void ModeSearch::refresh_memories(ModeChoice& choice) {
  for (PinnedGuard& pin : choice.pins)
    if (!pin.memories.empty())
      if (auto found = trials_.memories_of(pass_, choice, pin.surface); found && !found->empty())
        pin.memories = *std::move(found);
}

// With the same guards held at zero. Without a result: `first` is what the last solution asks for,
// if it asks for other holds.
std::optional<Outcome<Trial>> ModeSearch::try_switches(ModeChoice& first) {
  SwitchSearch search(first.switches, time_relations(model_), switch_groups(model_));
  std::optional<Switches> wanted;
  do {
    if (search.has_cycled() && !has_cycled_) {
      has_cycled_ = true;
      if (auto found = resolve_cycle()) return found;
    }
    wanted.reset();
    ++num_trials_;
    Outcome<Trial> trial = trials_.solve(pass_, {search.candidate(), first.pins});
    if (!trial) {
      has_no_solution_ = true;
      if (num_trials_ == 1) first_failure_ = trial.failure();
      continue;
    }
    ModeChoice next = wanted_by(*trial);
    if (next == trial->choice) return trial;
    wanted = next.switches;
    const bool has_new_holds = next.pins != first.pins;
    note_conflict(*std::move(trial), next);
    if (has_new_holds) {
      first = std::move(next);
      return std::nullopt;
    }
  } while (search.advance(wanted));
  return std::nullopt;
}

// Both sides of a limit lead back to it; or the event has undone its own relations and nothing
// else.
std::optional<Outcome<Trial>> ModeSearch::resolve_cycle() {
  if (is_contest_)
    if (auto sliding = slide()) return sliding;
  const Trial& first = solved_.front();
  const auto undone = undone_by(first);
  const std::set<std::size_t>& cause = pass_.cause.relations;
  if (!held_.empty() || undone.empty() || !is_set_off(first) ||
      wanted_by(first).pins != first.choice.pins ||
      undone != differences(first.choice.switches.bits, first.reading.wanted.switches.bits) ||
      !std::includes(cause.begin(), cause.end(), undone.begin(), undone.end()))
    return std::nullopt;
  return keep(first.choice, undone);
}

ModeChoice ModeSearch::wanted_by(const Trial& trial) const {
  ModeChoice wanted = trial.reading.wanted;
  for (std::size_t k : held_) wanted.switches.bits[k] = trial.choice.switches.bits[k];
  return wanted;
}

void ModeSearch::note_conflict(Trial trial, const ModeChoice& wanted) {
  const auto conflict = differences(trial.choice.switches.bits, wanted.switches.bits);
  switching_.insert(conflict.begin(), conflict.end());
  is_contest_ =
      is_contest_ && trials_.signs().at_limit(trials_.subject(pass_, trial), conflict) == conflict;
  if (are_silent(model_, conflict) && wanted.pins == trial.choice.pins)
    silent_conflict_ = {trial.choice.switches, wanted.switches};
  trial.solution.reset();
  solved_.push_back(std::move(trial));
}

std::optional<Outcome<Trial>> ModeSearch::slide() {
  return SlidingSearch(trials_, pass_).run(solved_);
}

// Where what was switched leaves a surface nothing that holds it (both sides have come to the same
// equations), it is left.
std::optional<Outcome<Trial>> ModeSearch::release() {
  if (begin_.pins.size() > kMostReleased) return std::nullopt;
  for (const PinnedGuard& pin : begin_.pins)
    for (const int side : {-1, 1}) {
      ModeChoice choice = begin_;
      leave(model_, pin.surface, side, choice);
      ModeSearch other(trials_, pass_);
      other.held_ = held_;
      if (Outcome<Trial> found = other.run(choice)) return found;
    }
  return std::nullopt;
}

// The solution may have to jump further than any relation asks for: a trigger with positive
// feedback goes from one end of its range to the other, since neither the end nor the range between
// is consistent. Modes that differ in one or two relations are tried, with what they ask for.
std::optional<Trial> ModeSearch::search_widely() {
  const ModeChoice& first = solved_.front().choice;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < first.switches.bits.size(); ++k)
    if (!model_.relations()[k].is_time_only && !model_.relations()[k].is_bound) places.push_back(k);
  if (places.size() > kMostWidePlaces) return std::nullopt;
  std::set<Switches> tried;
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = a; b < places.size(); ++b) {
      ModeChoice choice = first;
      choice.switches.bits[places[a]].flip();
      if (b != a) choice.switches.bits[places[b]].flip();
      if (auto found = follow(std::move(choice), tried)) return found;
    }
  return std::nullopt;
}

// From one mode to what it asks for, with the same holds.
std::optional<Trial> ModeSearch::follow(ModeChoice choice, std::set<Switches>& tried) {
  while (tried.insert(choice.switches).second && tried.size() <= kMostWideTrials) {
    Outcome<Trial> trial = trials_.solve(pass_, choice);
    if (!trial) return std::nullopt;
    if (trial->reading.wanted.pins != choice.pins) return std::nullopt;
    if (trial->is_consistent()) return *std::move(trial);
    choice = trial->reading.wanted;
  }
  return std::nullopt;
}

Failure ModeSearch::no_mode() const {
  return {Status::kModeCycle,
          fmt::format("event at t = {:.10g}: no mode agrees with its own solution ({} tried); "
                      "switching: {}",
                      pass_.t, num_trials_, quoted_list(texts_of(model_, switching_)))};
}

}  // namespace hydae

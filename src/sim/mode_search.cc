#include "sim/mode_search.h"

#include <fmt/format.h>

#include "sim/sliding_search.h"

namespace hydae {
namespace {

// Of a search for a mode that no violated relation leads to.
constexpr std::size_t kMostWidePlaces = 24, kMostWideTrials = 500;

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

Outcome<Trial> ModeSearch::run(ModeChoice first, std::set<std::size_t> held) {
  held_ = std::move(held);
  std::set<ModeChoice> begun;
  while (begun.insert(first).second)
    if (auto found = try_switches(first)) return *std::move(found);
  if (!solved_.empty())
    if (auto sliding = slide()) return *std::move(sliding);
  if (!first_failure_ && !solved_.empty() && !pass_.cause.is_silent)
    if (auto found = search_widely()) return *std::move(found);
  // Without a solution for the switches as the event left them, that is the reason.
  return first_failure_ ? *first_failure_ : no_mode();
}

// With the same guards held at zero. Without a result: `first` is what the last solution asks for,
// if it asks for other holds.
std::optional<Outcome<Trial>> ModeSearch::try_switches(ModeChoice& first) {
  SwitchSearch search(first.switches, time_relations(model_));
  std::optional<Switches> wanted;
  do {
    if (search.has_cycled() && is_contest_) {
      if (auto sliding = slide()) return sliding;
      is_contest_ = false;
    }
    wanted.reset();
    ++num_trials_;
    Outcome<Trial> trial = trials_.solve(pass_, {search.candidate(), first.holds});
    if (!trial) {
      if (num_trials_ == 1) first_failure_ = trial.failure();
      continue;
    }
    ModeChoice next = wanted_by(*trial);
    if (next == trial->choice) return trial;
    wanted = next.switches;
    const bool has_new_holds = next.holds != first.holds;
    note_conflict(*std::move(trial), next);
    if (has_new_holds) {
      first = std::move(next);
      return std::nullopt;
    }
  } while (search.advance(wanted));
  return std::nullopt;
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
  if (are_silent(model_, conflict) && wanted.holds == trial.choice.holds)
    silent_conflict_ = {trial.choice.switches, wanted.switches};
  trial.solution.reset();
  solved_.push_back(std::move(trial));
}

std::optional<Outcome<Trial>> ModeSearch::slide() {
  return SlidingSearch(trials_, pass_).run(solved_);
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
    if (trial->reading.wanted.holds != choice.holds) return std::nullopt;
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

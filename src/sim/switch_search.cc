#include "sim/switch_search.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace hydae {
namespace {

void take_over(Switches& target, const Switches& from, std::size_t place) {
  if (place < target.bits.size())
    target.bits[place] = from.bits[place];
  else
    target.counts[place - target.bits.size()] = from.counts[place - target.bits.size()];
}

}  // namespace

SwitchSearch::SwitchSearch(Switches first, const std::vector<std::size_t>& decided,
                           std::vector<SwitchGroup> groups)
    : first_(first),
      candidate_(std::move(first)),
      fewest_(std::numeric_limits<std::size_t>::max()),
      groups_(std::move(groups)) {
  for (std::size_t k = 0; k < first_.bits.size(); ++k)
    if (std::find(decided.begin(), decided.end(), k) == decided.end()) involved_.push_back(k);
  if (involved_.size() > kMostInvolved) involved_.clear();
}

std::vector<std::size_t> SwitchSearch::violated(const Switches& candidate, const Switches& wanted) {
  std::vector<std::size_t> places;
  const std::size_t n = candidate.bits.size();
  for (std::size_t k = 0; k < n; ++k)
    if (wanted.bits[k] != candidate.bits[k]) places.push_back(k);
  for (std::size_t k = 0; k < candidate.counts.size(); ++k)
    if (wanted.counts[k] != candidate.counts[k]) places.push_back(n + k);
  return places;
}

bool SwitchSearch::advance(const std::optional<Switches>& wanted) {
  tried_.insert(candidate_);
  if (++num_trials_ >= kMostTrials) return false;
  if (wanted) {
    const std::vector<std::size_t> places = violated(candidate_, *wanted);
    for (std::size_t place : places)
      if (place < candidate_.bits.size() &&
          std::find(involved_.begin(), involved_.end(), place) == involved_.end())
        involved_.push_back(place);
    solved_.emplace_back(candidate_, *wanted);
    if (take_all(*wanted, places.size()) || take_one(candidate_, *wanted, places)) return true;
  } else if (!solved_.empty()) {
    // Some of what was flipped leads nowhere: from the last solution flip less.
    const auto& [from, asked] = solved_.back();
    if (take_one(from, asked, violated(from, asked))) return true;
  }
  return take_neighbour() || take_combination() || take_sides();
}

bool SwitchSearch::try_next(Switches next) {
  if (tried_.count(next) != 0) return false;
  candidate_ = std::move(next);
  return true;
}

bool SwitchSearch::take_all(const Switches& wanted, std::size_t num_violated) {
  if (num_violated < fewest_) {
    fewest_ = num_violated;
    patience_ = kPatience;
  } else if (patience_ > 0) {
    --patience_;
  } else {
    return false;
  }
  if (try_next(wanted)) return true;
  has_cycled_ = true;
  return false;
}

bool SwitchSearch::take_one(const Switches& from, const Switches& wanted,
                            const std::vector<std::size_t>& places) {
  for (std::size_t place : places) {
    Switches next = from;
    take_over(next, wanted, place);
    if (try_next(std::move(next))) return true;
  }
  return false;
}

// What is flipped step by step may lead away from a solution that is one flip from an earlier
// candidate: a clutch that asks for forward and backward sliding in turn, and is stuck.
bool SwitchSearch::take_neighbour() {
  for (; next_solved_ < std::min(solved_.size(), kMostNeighbourhoods); ++next_solved_) {
    const auto& [from, asked] = solved_[next_solved_];
    if (take_one(from, asked, violated(from, asked))) return true;
  }
  return false;
}

// Combinations of the switches that were ever violated, from the first candidate, by the number of
// flips. A switch that turns up later starts them anew; what was tried is not tried again.
bool SwitchSearch::take_combination() {
  if (involved_.empty() || involved_.size() > kMostInvolved) return false;
  if (num_combined_ != involved_.size()) {
    num_combined_ = involved_.size();
    combinations_.clear();
    for (unsigned set = 1; set < 1u << num_combined_; ++set) combinations_.push_back(set);
    std::stable_sort(combinations_.begin(), combinations_.end(),
                     [](unsigned a, unsigned b) { return std::popcount(a) < std::popcount(b); });
    next_combination_ = 0;
  }
  while (next_combination_ < combinations_.size()) {
    const unsigned set = combinations_[next_combination_++];
    Switches next = first_;
    if (!solved_.empty()) next.counts = solved_.back().second.counts;
    for (std::size_t k = 0; k < num_combined_; ++k)
      if (set >> k & 1u) next.bits[involved_[k]] = !next.bits[involved_[k]];
    if (try_next(std::move(next))) return true;
  }
  return false;
}

// Of the first candidate.
bool SwitchSearch::is_positive(const SwitchGroup& group) const {
  for (std::size_t n = 0; n < group.places.size(); ++n)
    if (first_.bits[group.places[n]] != group.positive[n]) return false;
  return true;
}

// All ways to put the groups on one side or the other, if they are few: bits that are written twice
// make more combinations than there are, most of them without a meaning.
bool SwitchSearch::take_sides() {
  if (groups_.size() > kMostInvolved) return false;
  while (next_sides_ < 1u << groups_.size()) {
    const unsigned set = next_sides_++;
    Switches next = first_;
    if (!solved_.empty()) next.counts = solved_.back().second.counts;
    for (std::size_t k = 0; k < groups_.size(); ++k) {
      const SwitchGroup& group = groups_[k];
      const bool is_flipped = (set >> k & 1u) != 0;
      for (std::size_t n = 0; n < group.places.size(); ++n)
        next.bits[group.places[n]] =
            is_positive(group) != is_flipped ? group.positive[n] : group.negative[n];
    }
    if (try_next(std::move(next))) return true;
  }
  return false;
}

}  // namespace hydae

#include "poly/first_event.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace hydae::poly {

const FirstEvent& FirstEventFinder::find(std::span<const Guard> guards) {
  result_.tau = 0;
  result_.guards.clear();
  result_.grazing.clear();
  result_.undecided_guards.clear();
  result_.failed_guards.clear();
  candidates_.clear();
  until_ = 1;
  for (std::size_t k = 0; k < guards.size(); ++k) inspect(static_cast<int>(k), guards[k]);
  choose_simultaneous();
  return result_;
}

void FirstEventFinder::inspect(int index, const Guard& guard) {
  const RootSearch& search =
      finder_.find(guard.coefficients, {.remainder = guard.remainder,
                                        .num_known_zeros = guard.num_known_zeros,
                                        .until = until_,
                                        .stops_at_first = true});
  switch (search.status) {
    case RootStatus::kNotFinite: result_.failed_guards.push_back(index); return;
    case RootStatus::kIdenticallyZero:
    case RootStatus::kBelowRemainder: result_.undecided_guards.push_back(index); return;
    case RootStatus::kComplete: inspect_roots(index, search, guard.held_sign); return;
  }
}

void FirstEventFinder::inspect_roots(int index, const RootSearch& search, int held_sign) {
  const int first_sign = search.start ? search.start->sign_after : search.start_sign;
  if (first_sign == -held_sign && held_sign != 0) {
    Root root = search.start.value_or(Root{.sign_after = first_sign});
    root.sign_before = held_sign;
    add_candidate(index, root);
    return;
  }
  for (const Root& root : search.roots) {
    if (root.kind() == RootKind::kTouch) {
      result_.grazing.push_back({index, root});
    } else {
      add_candidate(index, root);
      return;
    }
  }
}

void FirstEventFinder::add_candidate(int index, const Root& root) {
  candidates_.push_back({index, root});
  until_ = std::min(until_, root.upper);
}

void FirstEventFinder::choose_simultaneous() {
  const auto ends_first = std::min_element(
      candidates_.begin(), candidates_.end(),
      [](const GuardRoot& a, const GuardRoot& b) { return a.root.upper < b.root.upper; });
  if (ends_first == candidates_.end()) return;
  const Root first = ends_first->root;
  result_.tau = first.tau;
  std::copy_if(candidates_.begin(), candidates_.end(), std::back_inserter(result_.guards),
               [&](const GuardRoot& other) { return other.root.lower <= first.upper; });
  std::erase_if(result_.grazing,
                [&](const GuardRoot& touch) { return touch.root.lower > first.upper; });
}

}  // namespace hydae::poly

#include "init/conflict.h"

#include <algorithm>
#include <cstddef>

namespace hydae::init {
namespace {

using Question = std::function<bool(std::span<const int>)>;

// The members of `candidates` that, together with `background`, form a minimal conflict. The
// background alone can hold unless it has just grown. Halving: recursion depth log2(count).
std::vector<int> explain(std::vector<int> background, bool has_grown,
                         std::span<const int> candidates, const Question& can_hold) {
  std::sort(background.begin(), background.end());
  if (has_grown && !can_hold(background)) return {};
  if (candidates.size() == 1) return {candidates[0]};
  const auto first = candidates.first(candidates.size() / 2);
  const auto second = candidates.subspan(candidates.size() / 2);

  auto with_first = background;
  with_first.insert(with_first.end(), first.begin(), first.end());
  std::vector<int> from_second = explain(std::move(with_first), true, second, can_hold);

  background.insert(background.end(), from_second.begin(), from_second.end());
  std::vector<int> result = explain(std::move(background), !from_second.empty(), first, can_hold);
  result.insert(result.end(), from_second.begin(), from_second.end());
  return result;
}

}  // namespace

std::optional<std::vector<int>> find_minimal_conflict(int count, const Question& can_hold) {
  std::vector<int> all(static_cast<std::size_t>(std::max(0, count)));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  if (can_hold(all)) return std::nullopt;
  if (all.empty() || !can_hold({})) return std::vector<int>{};
  std::vector<int> conflict = explain({}, false, all, can_hold);
  std::sort(conflict.begin(), conflict.end());
  return conflict;
}

}  // namespace hydae::init

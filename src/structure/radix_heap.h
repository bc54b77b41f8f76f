// A monotone priority queue for integer keys: what is pushed is never below what was popped last,
// as in Dijkstra's algorithm. Bucket b holds keys whose highest bit that differs from the last
// popped key is bit b - 1, so small integers cost little and large ones do no harm. (Ahuja,
// Mehlhorn, Orlin & Tarjan 1990, "Faster algorithms for the shortest path problem".)
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hydae::structure {

template <class Value>
class RadixHeap {
 public:
  using Key = std::uint32_t;

  bool empty() const { return size_ == 0; }
  void push(Key key, Value value) {
    buckets_[bucket_of(key)].emplace_back(key, value);
    ++size_;
  }
  // The least key, of equal ones the first pushed; call only if not empty.
  std::pair<Key, Value> pop() {
    if (front_ == buckets_[0].size()) refill();
    --size_;
    return buckets_[0][front_++];
  }

 private:
  std::size_t bucket_of(Key key) const {
    return static_cast<std::size_t>(std::bit_width(key ^ last_));
  }

  // Distributes the first bucket that is not empty around its least key: all go to lower buckets.
  void refill() {
    buckets_[0].clear();
    front_ = 0;
    std::size_t b = 1;
    while (buckets_[b].empty()) ++b;
    last_ =
        std::min_element(buckets_[b].begin(), buckets_[b].end(), [](const auto& x, const auto& y) {
          return x.first < y.first;
        })->first;
    for (const auto& item : buckets_[b]) buckets_[bucket_of(item.first)].push_back(item);
    buckets_[b].clear();
  }

  std::array<std::vector<std::pair<Key, Value>>, 33> buckets_;
  std::size_t front_ = 0;  // of bucket 0: all before is popped
  std::size_t size_ = 0;
  Key last_ = 0;
};

}  // namespace hydae::structure

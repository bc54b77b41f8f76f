// A map from nodes to small values for one walk: open addressing, cleared in constant time, no
// memory traffic once it has grown. Its cost follows the nodes put in, not the size of the graph.
#pragma once

#include <cstdint>
#include <vector>

#include <hydae/ids.h>

namespace hydae {

template <class T>
class NodeMap {
 public:
  void clear() {
    size_ = 0;
    if (++epoch_ != 0) return;
    entries_.assign(entries_.size(), {});  // the stamps have wrapped around
    epoch_ = 1;
  }

  std::size_t size() const { return size_; }

  // Null if there is none; valid until the next insert.
  T* find(NodeId id) {
    if (size_ == 0) return nullptr;
    Entry& entry = entries_[slot_of(id)];
    return entry.epoch == epoch_ ? &entry.value : nullptr;
  }
  const T* find(NodeId id) const { return const_cast<NodeMap*>(this)->find(id); }

  // False, and nothing changes, if the node has a value.
  bool insert(NodeId id, T value) {
    if (2 * (size_ + 1) > entries_.size()) grow();
    Entry& entry = entries_[slot_of(id)];
    if (entry.epoch == epoch_) return false;
    entry = {epoch_, id, value};
    ++size_;
    return true;
  }

 private:
  struct Entry {
    std::uint32_t epoch = 0;
    NodeId id;
    T value{};
  };

  std::size_t slot_of(NodeId id) const {
    // Runs of 16 ids stay together, for the cache; the runs are scattered.
    const std::size_t mask = entries_.size() - 1;
    const std::uint64_t run = (id.index() >> 4) * std::uint64_t{0x9e3779b97f4a7c15} >> 32;
    std::size_t slot = (run << 4 | (id.index() & 15)) & mask;
    while (entries_[slot].epoch == epoch_ && entries_[slot].id != id) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    std::vector<Entry> old(entries_.empty() ? 16 : 2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old)
      if (entry.epoch == epoch_) entries_[slot_of(entry.id)] = entry;
  }

  std::vector<Entry> entries_;  // a power of two, at most half full
  std::size_t size_ = 0;
  std::uint32_t epoch_ = 1;  // entries of other epochs are empty
};

}  // namespace hydae

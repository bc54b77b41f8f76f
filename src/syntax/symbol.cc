#include "syntax/symbol.h"

#include <deque>
#include <string>

#include "base/check.h"

namespace hydae::syntax {

namespace {

// FNV-1a with a final mix, so that low and high bits are both usable.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h ^ (h >> 32);
}

}  // namespace

// One part of the table with its own lock: open addressing over the texts of this shard.
struct SymbolTable::Shard {
  static constexpr std::uint32_t kFree = 0xffffffffu;

  mutable std::mutex mutex;
  std::deque<std::string> texts;  // addresses never change
  std::vector<std::uint32_t> slots = std::vector<std::uint32_t>(64, kFree);

  // The slot that holds `text`, or the free one where it belongs.
  std::size_t slot_of(std::string_view text, std::uint64_t h) const {
    std::size_t slot = (h >> kShardBits) & (slots.size() - 1);
    while (slots[slot] != kFree && texts[slots[slot]] != text)
      slot = (slot + 1) & (slots.size() - 1);
    return slot;
  }

  void grow() {
    slots.assign(2 * slots.size(), kFree);
    for (std::uint32_t i = 0; i < texts.size(); ++i) slots[slot_of(texts[i], hash(texts[i]))] = i;
  }
};

SymbolTable::SymbolTable() {
  for (auto& shard : shards_) shard = std::make_unique<Shard>();
}

SymbolTable::~SymbolTable() = default;

Symbol SymbolTable::intern(std::string_view text) {
  const std::uint64_t h = hash(text);
  const std::size_t shard_index = h % kNumShards;
  Shard& shard = *shards_[shard_index];
  const std::lock_guard lock(shard.mutex);
  std::size_t slot = shard.slot_of(text, h);
  if (shard.slots[slot] == Shard::kFree) {
    if (2 * (shard.texts.size() + 1) > shard.slots.size()) {
      shard.grow();
      slot = shard.slot_of(text, h);
    }
    shard.slots[slot] = static_cast<std::uint32_t>(shard.texts.size());
    shard.texts.emplace_back(text);
  }
  return Symbol((std::size_t{shard.slots[slot]} << kShardBits) | shard_index);
}

Symbol SymbolTable::find(std::string_view text) const {
  const std::uint64_t h = hash(text);
  const std::size_t shard_index = h % kNumShards;
  const Shard& shard = *shards_[shard_index];
  const std::lock_guard lock(shard.mutex);
  const std::uint32_t index = shard.slots[shard.slot_of(text, h)];
  return index == Shard::kFree ? Symbol()
                               : Symbol((std::size_t{index} << kShardBits) | shard_index);
}

std::string_view SymbolTable::text(Symbol symbol) const {
  HYDAE_CHECK(symbol.is_valid());
  const Shard& shard = *shards_[symbol.index() % kNumShards];
  const std::lock_guard lock(shard.mutex);
  return shard.texts[symbol.index() >> kShardBits];
}

std::size_t SymbolTable::size() const {
  std::size_t count = 0;
  for (const auto& shard : shards_) {
    const std::lock_guard lock(shard->mutex);
    count += shard->texts.size();
  }
  return count;
}

}  // namespace hydae::syntax

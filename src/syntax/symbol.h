// Interned identifiers. A `Symbol` stands for one spelling: equal symbols, equal identifiers, and
// nothing compares strings after the lexer. Quotes belong to a quoted identifier: `'x'` and `x` are
// two symbols. The table may be used from several threads at once; which number a spelling gets
// then depends on timing, so nothing may be ordered by symbol number.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include <hydae/ids.h>

namespace hydae::syntax {

using Symbol = Id<struct SymbolTag>;

class SymbolTable {
 public:
  SymbolTable();
  ~SymbolTable();
  SymbolTable(const SymbolTable&) = delete;
  SymbolTable& operator=(const SymbolTable&) = delete;

  Symbol intern(std::string_view text);
  // The symbol of `text` if it was interned before, else an invalid one.
  Symbol find(std::string_view text) const;
  // Valid as long as the table.
  std::string_view text(Symbol symbol) const;
  std::size_t size() const;

 private:
  struct Shard;
  static constexpr std::size_t kShardBits = 4, kNumShards = std::size_t{1} << kShardBits;
  std::array<std::unique_ptr<Shard>, kNumShards> shards_;
};

}  // namespace hydae::syntax

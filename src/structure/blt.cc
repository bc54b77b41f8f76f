#include "structure/blt.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "base/check.h"

namespace hydae::structure {
namespace {

// Tarjan's algorithm, with the call stack kept by hand. The successors of an equation are the
// equations matched with the variables it contains.
class StrongComponents {
 public:
  StrongComponents(const SignatureMatrix& pattern, const Matching& matching)
      : pattern_(pattern),
        matching_(matching),
        number_(pattern.num_eqs(), kUnseen),
        low_(pattern.num_eqs(), 0),
        next_(pattern.num_eqs(), 0),
        component_(pattern.num_eqs()) {
    for (EqId eq : ids<EqId>(pattern.num_eqs())) {
      if (number_[eq] == kUnseen) visit(eq);
    }
  }

  std::size_t count() const { return count_; }
  const IdVector<EqId, BlockId>& component() const { return component_; }

 private:
  static constexpr std::uint32_t kUnseen = 0;

  void visit(EqId root) {
    enter(root);
    while (!calls_.empty()) {
      const EqId eq = calls_.back();
      const auto row = pattern_.row(eq);
      if (next_[eq] < row.size()) {
        follow(eq, matching_.var_to_eq[row[next_[eq]++].var]);
      } else {
        calls_.pop_back();
        if (low_[eq] == number_[eq]) close_component(eq);
        if (!calls_.empty()) low_[calls_.back()] = std::min(low_[calls_.back()], low_[eq]);
      }
    }
  }

  void enter(EqId eq) {
    number_[eq] = low_[eq] = ++counter_;
    calls_.push_back(eq);
    open_.push_back(eq);
  }

  void follow(EqId from, EqId to) {
    if (number_[to] == kUnseen) {
      enter(to);
    } else if (!component_[to].is_valid()) {
      low_[from] = std::min(low_[from], number_[to]);
    }
  }

  void close_component(EqId root) {
    EqId eq;
    do {
      eq = open_.back();
      open_.pop_back();
      component_[eq] = BlockId(count_);
    } while (eq != root);
    ++count_;
  }

  const SignatureMatrix& pattern_;
  const Matching& matching_;
  IdVector<EqId, std::uint32_t> number_;
  IdVector<EqId, std::uint32_t> low_;
  IdVector<EqId, std::uint32_t> next_;
  IdVector<EqId, BlockId> component_;
  std::vector<EqId> calls_;
  std::vector<EqId> open_;
  std::uint32_t counter_ = 0;
  std::size_t count_ = 0;
};

// The rank by which ready blocks are taken: outer block first, then smallest equation.
using Rank = std::pair<BlockId, EqId>;

std::vector<Rank> compute_ranks(const Blocks& blocks, const Blocks* outer) {
  std::vector<Rank> ranks(blocks.size());
  for (BlockId b : ids<BlockId>(blocks.size())) {
    const EqId first = blocks.eqs(b).front();
    ranks[b.index()] = {outer ? outer->block_of(first) : BlockId(0), first};
  }
  return ranks;
}

// For each block the number of entries of its equations in other blocks' variables.
std::vector<std::size_t> count_needs(const SignatureMatrix& pattern, const Blocks& blocks) {
  std::vector<std::size_t> needs(blocks.size(), 0);
  for (EqId eq : ids<EqId>(pattern.num_eqs())) {
    for (const auto& entry : pattern.row(eq)) {
      if (blocks.block_of(entry.var) != blocks.block_of(eq)) ++needs[blocks.block_of(eq).index()];
    }
  }
  return needs;
}

// Kahn's topological sort with a priority queue. Result: new id of each block.
IdVector<BlockId, BlockId> canonical_order(const SignatureMatrix& pattern, const Blocks& blocks,
                                           const Blocks* outer) {
  const std::vector<Rank> ranks = compute_ranks(blocks, outer);
  std::vector<std::size_t> needs = count_needs(pattern, blocks);
  std::priority_queue<Rank, std::vector<Rank>, std::greater<>> ready;
  for (BlockId b : ids<BlockId>(blocks.size())) {
    if (needs[b.index()] == 0) ready.push(ranks[b.index()]);
  }
  IdVector<BlockId, BlockId> position(blocks.size());
  std::size_t count = 0;
  while (!ready.empty()) {
    const BlockId block = blocks.block_of(ready.top().second);
    ready.pop();
    position[block] = BlockId(count++);
    for (VarId var : blocks.vars(block)) {
      for (const auto& entry : pattern.column(var)) {
        const BlockId user = blocks.block_of(entry.eq);
        if (user != block && --needs[user.index()] == 0) ready.push(ranks[user.index()]);
      }
    }
  }
  HYDAE_CHECK(count == blocks.size());
  return position;
}

}  // namespace

Blocks::Blocks(std::size_t num_blocks, IdVector<EqId, BlockId> block_of_eq,
               const Matching& matching)
    : start_(num_blocks + 1, 0),
      eqs_(block_of_eq.size()),
      vars_(block_of_eq.size()),
      block_of_eq_(std::move(block_of_eq)),
      block_of_var_(matching.var_to_eq.size()) {
  for (BlockId b : block_of_eq_) ++start_[b.index() + 1];
  for (std::size_t b = 0; b < num_blocks; ++b) start_[b + 1] += start_[b];
  std::vector<std::uint32_t> next_eq(start_.begin(), start_.end() - 1);
  std::vector<std::uint32_t> next_var = next_eq;
  for (EqId eq : ids<EqId>(block_of_eq_.size())) eqs_[next_eq[block_of_eq_[eq].index()]++] = eq;
  for (VarId var : ids<VarId>(block_of_var_.size())) {
    block_of_var_[var] = block_of_eq_[matching.var_to_eq[var]];
    vars_[next_var[block_of_var_[var].index()]++] = var;
  }
}

std::size_t Blocks::largest() const {
  std::size_t largest = 0;
  for (BlockId b : ids<BlockId>(size())) largest = std::max(largest, eqs(b).size());
  return largest;
}

Blocks compute_block_triangular_form(const SignatureMatrix& pattern, const Matching& matching,
                                     const Blocks* outer) {
  HYDAE_CHECK(matching.is_perfect() && matching.eq_to_var.size() == pattern.num_eqs());
  const StrongComponents components(pattern, matching);
  const Blocks unsorted(components.count(), components.component(), matching);
  const IdVector<BlockId, BlockId> position = canonical_order(pattern, unsorted, outer);
  IdVector<EqId, BlockId> block_of_eq = components.component();
  for (BlockId& block : block_of_eq) block = position[block];
  return Blocks(components.count(), std::move(block_of_eq), matching);
}

std::optional<Blocks> find_block_triangular_form(const SignatureMatrix& pattern) {
  const Matching matching = compute_maximum_matching(pattern);
  if (!matching.is_perfect()) return std::nullopt;
  return compute_block_triangular_form(pattern, matching);
}

}  // namespace hydae::structure

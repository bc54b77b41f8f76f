// Block triangular form (BLT): equations and variables of a square, perfectly matched pattern
// sorted into the smallest possible diagonal blocks, in an order in which they can be solved: the
// equations of a block contain only variables of this block and of earlier ones.
//
// Blocks are the strong components of the graph "equation i needs the equation that determines
// variable j" (Tarjan 1972; Duff & Reid 1978). The partition does not depend on the matching. Of
// all orders possible the one is taken in which each next block is, among those whose needs are
// met, the one with the smallest equation number; inside a block, numbers ascend. So the result is
// a function of the pattern alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <hydae/ids.h>

#include "structure/matching.h"
#include "structure/signature.h"

namespace hydae::structure {

class Blocks {
 public:
  Blocks() = default;
  // `block_of_eq` in the order wanted; ids 0 .. num_blocks - 1, none empty. A variable belongs to
  // the block of its equation.
  Blocks(std::size_t num_blocks, IdVector<EqId, BlockId> block_of_eq, const Matching& matching);

  std::size_t size() const { return start_.size() - 1; }
  std::span<const EqId> eqs(BlockId block) const { return range(eqs_, block); }
  std::span<const VarId> vars(BlockId block) const { return range(vars_, block); }
  BlockId block_of(EqId eq) const { return block_of_eq_[eq]; }
  BlockId block_of(VarId var) const { return block_of_var_[var]; }

  // All equations (variables), block after block.
  std::span<const EqId> eqs() const { return eqs_; }
  std::span<const VarId> vars() const { return vars_; }
  std::size_t largest() const;
  bool operator==(const Blocks&) const = default;

 private:
  template <class I>
  std::span<const I> range(const std::vector<I>& items, BlockId block) const {
    return {items.data() + start_[block.index()], items.data() + start_[block.index() + 1]};
  }

  std::vector<std::uint32_t> start_ = {0};
  std::vector<EqId> eqs_;
  std::vector<VarId> vars_;
  IdVector<EqId, BlockId> block_of_eq_;
  IdVector<VarId, BlockId> block_of_var_;
};

// `matching` must be perfect and use entries of `pattern` only. With `outer`, itself a block
// triangular form of a pattern that contains this one, each block lies inside one of `outer` and
// the order follows it.
Blocks compute_block_triangular_form(const SignatureMatrix& pattern, const Matching& matching,
                                     const Blocks* outer = nullptr);

// Matches, then sorts. None if the pattern is structurally singular or not square.
std::optional<Blocks> find_block_triangular_form(const SignatureMatrix& pattern);

}  // namespace hydae::structure

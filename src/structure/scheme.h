// How to solve a DAE stage by stage from its offsets: which initial values it needs, which
// equations they must satisfy, and what each stage k = -max d, ..., 0, 1, ... solves, fine block by
// fine block: f_i^(c_i + k) = 0 for x_j^(d_j + k), with all lower derivatives known. An equation
// that has not been differentiated yet (c_i + k = 0) may be nonlinear in these unknowns; after that
// it is linear in them. (Nedialkov & Pryce 2007, "Solving DAEs by Taylor series (II)"; Pryce,
// Nedialkov & Tan 2015.)
#pragma once

#include <vector>

#include <hydae/ids.h>

#include "structure/analysis.h"

namespace hydae::structure {

// The derivative of an equation or variable of the given order.
struct EqOrder {
  EqId eq;
  int order = 0;
  bool operator==(const EqOrder&) const = default;
};
struct VarOrder {
  VarId var;
  int order = 0;
  bool operator==(const VarOrder&) const = default;
};

// What one fine block solves in one stage. No equations: the unknowns are free initial values.
struct BlockStage {
  BlockId block;
  std::vector<EqOrder> eqs;
  std::vector<VarOrder> unknowns;  // never fewer than equations
  bool is_linear = true;
  bool is_square() const { return eqs.size() == unknowns.size(); }
  bool operator==(const BlockStage&) const = default;
};

class SolutionScheme {
 public:
  // `is_nonlinear[i]`: equation i, as written, is nonlinear in the leading derivatives of its own
  // fine block, those x_j^(sigma_ij) with d_j - c_i = sigma_ij. The analysis must be well posed and
  // is copied in part: offsets and fine blocks.
  SolutionScheme(const Analysis& analysis, IdVector<EqId, bool> is_nonlinear);

  // A block is quasilinear if its equations that need no differentiation in the block alone (local
  // c_i = 0) are linear in the leading derivatives.
  bool is_quasilinear(BlockId block) const { return is_quasilinear_[block]; }

  // Initial values x_j, x_j', ... are needed up to, not including, this order: d_j of the block
  // alone, and one more if it is not quasilinear.
  int num_initial_values(VarId var) const;
  // They must satisfy f_i, f_i', ... up to, not including, this order.
  int num_constraints(EqId eq) const;

  // The first stage in which anything is solved: -max d; 0 for an empty system.
  int first_stage() const { return first_stage_; }
  // The blocks that have unknowns in stage k, in the order in which they are to be solved.
  std::vector<BlockStage> stage(int k) const;
  BlockStage block_stage(BlockId block, int k) const;

 private:
  Offsets offsets_;
  Offsets local_;
  Blocks fine_;
  IdVector<EqId, bool> is_nonlinear_;
  IdVector<BlockId, bool> is_quasilinear_;
  int first_stage_ = 0;
};

}  // namespace hydae::structure

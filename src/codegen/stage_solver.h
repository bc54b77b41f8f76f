// The stages of an expansion. Stage k appends one coefficient to every series and solves every
// block once; a block with lead e is then in its local stage kappa = k + e:
//   kappa > 0   linear, unknowns read as 0;
//   kappa = 0   the same, or a Newton iteration if the block is not quasilinear;
//   kappa < 0   projection: the unknowns are known but for a small correction.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "codegen/block_matrices.h"
#include "codegen/expansion.h"
#include "codegen/series_store.h"
#include "codegen/time_scale.h"

namespace hydae::codegen {

// What the stages of one expansion work on.
struct StageParts {
  const Program& program;
  const LinkedTape& tape;
  const TimeScale& scale;
  BlockMatrices& matrices;
  SeriesStore& series;
  ExpandResult& result;  // a failure is described here
};

// All that return a bool: false after a failure.
class StageSolver {
 public:
  explicit StageSolver(const StageParts& parts);

  void set_nominal(std::span<const double> values) {
    nominal_.assign(values.begin(), values.end());
  }
  // ExpandRequest::wants_values and disturbance.
  void set_request(bool wants_values, unsigned disturbance) {
    wants_values_ = wants_values;
    disturbance_ = disturbance;
  }
  // Loads the state and computes matrices at it. Guesses that are not known are left out together
  // with the projections that need them.
  bool begin(double time, std::span<const double> input, bool has_guesses);
  bool run(int first, int last);
  bool fail(ExpandStatus status, int block);

 private:
  bool run_prologue();
  bool compute_matrix(int block);
  bool run_stage(int k);
  bool run_regular_stages(int first, int last);
  void run_regular_stage(const LinkedBundle& bundle, int k);
  bool run_instrs(const Instr* first, const Instr* last, int k);
  void run_outputs(int k);
  void disturb_block(int block, int k);
  bool solve_block(int block, int k);
  bool project_block(int block, int k);
  bool iterate_block(int block, int k);
  void begin_iteration(const LinkedBlock& block, int k);
  void evaluate_rows(const LinkedBlock& block, int k, bool with_leading);
  void add_solution(const LinkedBlock& block, int k, double share);
  double newton_change(const LinkedBlock& block);
  bool is_rounding(const LinkedBlock& block, int k) const;
  bool is_below_nominal(int block) const;
  // Of an operation that is not differentiable at its argument.
  bool is_enough(const Instr& instr) const {
    return wants_values_ && std::isfinite(parts_.series.data()[instr.out]);
  }
  bool fail_function(const Instr& instr);

  StageParts parts_;
  std::span<const double> input_;  // state and guesses as given
  bool has_guesses_ = true;
  bool wants_values_ = false;
  unsigned disturbance_ = 0;
  // Per row or column of a block, padded. solution_: x_j^(d_j+k) h^kappa / kappa! (kappa! for >=
  // 0).
  std::vector<double> rhs_, solution_, newton_value_;
  std::vector<double> newton_size_;  // largest magnitude of each unknown met in the iteration
  std::vector<double> nominal_;      // per variable
};

}  // namespace hydae::codegen

// The interpreter of a linked tape: one expansion after another in one workspace. The method in the
// order of docs/math/taylor.md: load the state, compute the matrices, project in the stages k < 0,
// solve in the stages k >= 0.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "codegen/expansion.h"
#include "codegen/linked_tape.h"

namespace hydae::codegen {

class Engine {
 public:
  Engine(std::shared_ptr<const Program> program, int max_order);

  void set_parameters(std::span<const double> values);
  void set_nominal(std::span<const double> values) {
    nominal_.assign(values.begin(), values.end());
  }
  ExpandResult expand(const ExpandRequest& request);

  const Program& program() const { return *program_; }
  std::shared_ptr<const Program> shared_program() const { return program_; }
  int max_order() const { return max_order_; }
  double time() const { return time_; }
  double scale() const { return scale_; }
  int order() const { return order_; }
  std::span<const double> series(int variable) const;
  std::span<const double> output_series(int output) const;
  std::span<const double> state() const { return state_; }
  std::span<const double> displacement() const { return displacement_; }
  double first_change(double tau) const;

 private:
  ScalarId find_bad_scalar() const;

  // --- scale of time
  void choose_scale(double step);
  void make_unit_tables();
  void scale_columns(const std::vector<double>& unit, int width, std::vector<double>& table);
  void fill_tables();
  const double* row_factors(int kappa) const {
    return row_factor_.data() + (kappa + first_kappa_) * num_c_;
  }
  // Indexed by local d_j - q, which may be negative.
  const double* fill_factors(int kappa) const {
    return fill_factor_.data() + (kappa + first_kappa_) * num_fill_ - tape_.fill_factors.first;
  }

  // --- before the stages: all return false after a failure, described in result_
  void check(const ExpandRequest& request) const;
  bool is_input_valid();
  bool complete_guesses();
  bool project();
  void load();
  bool run_prologue();
  bool compute_matrix(int block);
  void compute_partials(const LinkedBlock& block);
  double compute_scalar_matrix(int block);

  // --- stages, likewise (engine_stages.cc)
  bool run_stages(int first, int last);
  bool run_stage(int k);
  bool run_regular_stages(int first, int last);
  void run_regular_stage(const LinkedBundle& bundle, int k);
  bool run_instrs(const Instr* first, const Instr* last, int k);
  void run_outputs(int k);
  bool solve_block(int block, int k);
  bool project_block(int block, int k);
  bool iterate_block(int block, int k);
  void evaluate_rows(const LinkedBlock& block, int k, bool with_leading);
  void solve_linear(int block);
  void solve_bundle(const LinkedBundle& bundle);
  void store_solution(const LinkedBlock& block, int k);
  void add_solution(const LinkedBlock& block, int k, double factor);
  void correct(Range corrections, int k);
  double newton_change(const LinkedBlock& block);
  bool is_rounding(const LinkedBlock& block, int k) const;
  bool is_below_nominal(int block) const;
  bool is_finite();
  int find_overflow() const;

  double read_projected_state();
  double rounding_of_state() const;
  void read_guesses();
  // Of an operation that is not differentiable at its argument.
  bool is_enough(const Instr& instr) const {
    return request_.wants_values && std::isfinite(data_[instr.out]);
  }
  bool fail_function(const Instr& instr);
  bool fail(ExpandStatus status, int block);

  std::shared_ptr<const Program> program_;
  LinkedTape tape_;
  int max_order_;
  int first_kappa_ = 0, num_kappa_ = 0, num_c_ = 0, num_fill_ = 0, num_orders_ = 0;
  int scale_exponent_ = 0, max_exponent_ = 0;

  double time_ = 0, scale_ = 0;
  int order_ = 0;
  ExpandRequest request_;
  ExpandResult result_;

  std::vector<double> data_;
  std::vector<double> scalars_;
  // Per row or column of a block, padded. solution_: x_j^(d_j+k) h^kappa / kappa! (kappa! for >=
  // 0).
  std::vector<double> rhs_, solution_, newton_value_;
  std::vector<double> deltas_, partials_, gradients_;
  std::vector<double> inverse_, condition_;  // per block
  std::vector<double> unit_row_factor_, unit_fill_factor_, column_power_;
  std::vector<double> row_factor_, fill_factor_, power_, inverse_power_;
  std::vector<double> input_, state_, displacement_;
  std::vector<int> sleepers_;        // operations that may be as good as constant
  std::vector<double> nominal_;      // per variable
  std::vector<double> newton_size_;  // largest magnitude of each unknown met in the iteration
  ScalarId bad_scalar_ = -1;
  bool has_guesses_ = true;  // false while they are being found
};

}  // namespace hydae::codegen

// The interpreter of a linked tape: one expansion after another in one workspace. The method in the
// order of docs/math/taylor.md: load the state, compute the matrices, project in the stages k < 0,
// solve in the stages k >= 0 (StageSolver).
#pragma once

#include <memory>
#include <vector>

#include "codegen/stage_solver.h"

namespace hydae::codegen {

class Engine {
 public:
  Engine(std::shared_ptr<const Program> program, int max_order, RowTerms terms);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void set_parameters(std::span<const double> values);
  void set_nominal(std::span<const double> values) { stages_.set_nominal(values); }
  void forget_past() { scale_.let_go(); }
  ExpandResult expand(const ExpandRequest& request);

  const Program& program() const { return *program_; }
  std::shared_ptr<const Program> shared_program() const { return program_; }
  int max_order() const { return max_order_; }
  double time() const { return time_; }
  double scale() const { return scale_.value(); }
  int order() const { return order_; }
  std::span<const double> series(int variable) const;
  std::span<const double> output_series(int output) const;
  std::span<const double> state() const { return state_; }
  std::span<const double> displacement() const { return displacement_; }
  double first_change(double tau) const;

 private:
  // --- before the stages: false after a failure, described in result_
  void check(const ExpandRequest& request) const;
  bool is_input_valid();
  bool complete_guesses();
  bool project();

  // --- results
  bool is_finite();
  int find_overflow() const;
  double read_projected_state();
  double rounding_of_state() const;
  void read_guesses();

  std::shared_ptr<const Program> program_;
  int max_order_;
  LinkedTape tape_;
  TimeScale scale_;
  BlockMatrices matrices_;
  SeriesStore series_;
  ExpandResult result_;
  StageSolver stages_;

  double time_ = 0;
  int order_ = 0;
  ExpandRequest request_;
  std::vector<double> scalars_;
  ScalarId bad_scalar_ = -1;
  std::vector<double> input_, state_, displacement_;
  std::vector<int> sleepers_;  // operations that may be as good as constant
};

}  // namespace hydae::codegen

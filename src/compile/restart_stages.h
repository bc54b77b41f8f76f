// The stages of a restart: the equations of one stage after the other, solved for right limits and
// the coefficients of impulses (restart_limits.h). What surrounds the stages (errors, guards,
// values that must hold) is in restart.cc. docs/math/restart.md.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/restart_drifts.h"
#include "compile/restart_limits.h"
#include "compile/restart_loops.h"
#include "compile/restart_matrix.h"
#include "expr/jacobian.h"

namespace hydae {

struct RestartStages {
  explicit RestartStages(const AnalyzedSystem& p);

  // --- once per mode
  void make_evaluators();
  void make_loops();

  // --- one restart
  // Takes over the left limits of `input`, which must outlive the restart.
  void begin(const RestartInput& in);
  // All stages below zero, with these weights of deltas from outside. False: see `result`.
  bool solve_stages(const std::vector<std::pair<EqId, double>>& sources);
  void solve_loops(int l);
  bool meets_derivative_of_delta() const;
  double error_of(Leaf leaf) const;
  Point point(const std::vector<double>& values) const;
  void average_jacobian();
  double impulsive_residual(EqId eq, int depth) const;
  void evaluate_residuals(int l, std::vector<double>& f);
  void fill_matrix(int l);
  bool solve_stage(int l);
  double size_of_step(int l, const std::vector<double>& step, std::vector<double> terms);
  void add_terms(int l, std::vector<double>& terms);
  bool is_satisfied(int l, const std::vector<double>& f);
  bool fail_singular(const std::vector<double>& f);
  bool fail_undefined(int l, const std::vector<double>& f);
  bool fail(const char* status, std::string message);

  struct Stage {
    std::vector<EqId> regular;  // equations with c_i + l >= 0
    std::optional<Evaluator> evaluator;
  };

  const AnalyzedSystem& prepared;
  const System& system;
  const IdVector<EqId, int>& c;
  const IdVector<VarId, int>& d;
  std::size_t n;
  int max_c = 0;
  RestartSlots slots;
  std::optional<Evaluator> equations;
  std::vector<Leaf> columns;
  std::optional<Jacobian> jacobian;
  std::vector<Stage> stages;
  std::vector<RestartLoops> loops;  // by stage, -max_c .. 0
  RestartDrifts drifts;
  RestartMatrix matrix;
  const RestartInput* input = nullptr;
  RestartResult result;
  RestartLimits limits;
  std::vector<double> source;                                         // by equation
  std::vector<std::vector<std::pair<std::size_t, double>>> averaged;  // by equation: column, value
};

}  // namespace hydae

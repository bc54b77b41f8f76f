// The stages of a restart: left and right limits of all columns, the coefficients of their
// impulses, and the equations of one stage after the other. What surrounds the stages (errors,
// guards, values that must hold) is in restart.cc. docs/math/restart.md.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/restart.h"
#include "compile/restart_loops.h"
#include "expr/jacobian.h"
#include "linalg/equilibrate.h"
#include "linalg/system_matrix.h"

namespace hydae {

struct RestartStages {
  explicit RestartStages(const AnalyzedSystem& p);

  // --- once per mode
  void lay_out();
  std::size_t slot_of(Leaf leaf);
  void make_evaluators();
  void make_loops();
  bool is_slot(Leaf leaf) const;
  void make_drifts();
  int derivatives_left(NodeId root) const;
  void make_matrix(const AnalyzedSystem& p);

  // --- one restart
  // Takes over the left limits of `input`, which must outlive the restart.
  void begin(const RestartInput& in);
  // All stages below zero, with these weights of deltas from outside. False: see `result`.
  bool solve_stages(const std::vector<std::pair<EqId, double>>& sources);
  void solve_loops(int l);
  bool meets_derivative_of_delta() const;
  double error_of(Leaf leaf) const;
  void load_drifts();
  std::size_t slot(VarId column, int order) const;
  Point point(const std::vector<double>& values) const;
  double& unknown(VarId column, int l);
  double impulse(VarId column, int order) const;
  void average_jacobian();
  double content(Leaf leaf, int s) const;
  double impulsive_residual(EqId eq, int depth) const;
  void evaluate_residuals(int l, std::vector<double>& f);
  void fill_matrix(int l);
  double& entry(std::size_t e);
  void scale_matrix();
  double factor(std::size_t e) const;
  bool solve_stage(int l);
  double size_of_step(int l, const std::vector<double>& step, std::vector<double> terms);
  void add_terms(int l, std::vector<double>& terms);
  double size_of_content(Leaf leaf, int s) const;
  bool is_satisfied(int l, const std::vector<double>& f);
  bool fail_singular(const std::vector<double>& f);
  Eigen::MatrixXd dense_matrix();
  template <typename Id>
  static std::vector<std::string> names_of(const Eigen::MatrixXd& vectors,
                                           const IdVector<Id, std::string>& names);
  std::string equation_text(EqId eq) const;
  std::string code_in(EqId eq) const;
  bool fail_undefined(int l, const std::vector<double>& f);
  bool fail(const char* status, std::string message);

  struct Stage {
    std::vector<EqId> regular;  // equations with c_i + l >= 0
    std::optional<Evaluator> evaluator;
  };
  struct Drift {
    EqId eq;
    Leaf leaf;
    int order;  // of the time derivative
    bool is_known = true;
  };

  const AnalyzedSystem& prepared;
  const System& system;
  const IdVector<EqId, int>& c;
  const IdVector<VarId, int>& d;
  std::size_t n;
  int max_c = 0;
  std::size_t num_slots = 0;
  std::vector<std::size_t> first_slot;  // of a column
  std::vector<Leaf> held_leaves;
  std::optional<Evaluator> equations;
  std::vector<Leaf> columns;
  std::optional<Jacobian> jacobian;
  std::vector<Stage> stages;
  std::vector<RestartLoops> loops;  // by stage, -max_c .. 0
  std::vector<Drift> drifts;
  bool has_drifts = false;
  std::optional<Evaluator> drift_values;
  std::vector<std::pair<EqId, VarId>> tight;
  std::vector<linalg::SystemMatrix::Position> positions;
  linalg::Equilibration scaling;  // of the matrix as it is factorised
  std::optional<linalg::SystemMatrix> matrix;
  const RestartInput* input = nullptr;
  RestartResult result;
  std::vector<double> left, right;                                    // by slot
  std::vector<double> drift;                                          // by drifts
  std::vector<double> source;                                         // by equation
  std::vector<std::vector<double>> impulses;                          // by column and order
  std::vector<std::vector<std::pair<std::size_t, double>>> averaged;  // by equation: column, value
};

}  // namespace hydae

#include "partition/free_states.h"

#include "linalg/dense_factors.h"
#include "partition/first_order.h"
#include "partition/point_rates.h"
#include "partition/rank.h"

namespace hydae::partition {

namespace {

constexpr double kRankTolerance = 1e-10;
// A state that the model fixes is left to the constraints only if its coefficients are this much
// larger than those of the others.
constexpr double kWeightOfFixed = 1e-4;

class FreeStates {
 public:
  FreeStates(const Model& model, const ModelPartition& partition)
      : model_(model), p_(partition), result_(partition.variables.size(), false) {
    for (VarId j : p_.combined.differential_variables) states_.push_back(index(j));
    for (const auto* pairs : {&p_.combined.index1, &p_.combined.index2}) {
      for (const Pair& pair : *pairs) {
        algebraic_.push_back(index(pair.variable));
        add_constraint(p_.equations[pair.equation.index()]);
      }
    }
  }

  IdVector<VarId, bool> find() {
    for (int j : states_) result_[VarId(static_cast<std::size_t>(j))] = is_fixed(j);
    const bool is_large = constraints_.size() + states_.size() > 2u * kDenseLimit;
    if (is_large || p_.combined.is_transformed() || states_.empty()) return std::move(result_);
    for (int j : states_) result_[VarId(static_cast<std::size_t>(j))] = true;
    if (constraints_.empty()) return std::move(result_);
    const Matrix on_states = eliminate_algebraic(compute_jacobian());
    const linalg::OrthogonalFactors factors(on_states, kRankTolerance);
    const std::vector<int> order = factors.column_order();
    for (int k = 0; k < factors.rank(); ++k) {
      const int state = states_[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])];
      result_[VarId(static_cast<std::size_t>(state))] = false;
    }
    return std::move(result_);
  }

 private:
  static int index(VarId column) { return static_cast<int>(column.index()); }

  void add_constraint(const SystemEquation& equation) {
    constraints_.push_back(equation.residual);
    constraints_.insert(constraints_.end(), equation.lower.begin(), equation.lower.end());
  }

  bool is_fixed(int column) const {
    const SystemVariable& variable = p_.variables[static_cast<std::size_t>(column)];
    if (!variable.variable.is_valid()) return false;
    for (const StartValue& start : model_.all_variables()[variable.variable].starts) {
      if (start.order == variable.order && start.fixed) return true;
    }
    return false;
  }

  // Of all constraints by all columns at the point that decided.
  Matrix compute_jacobian() const {
    FirstOrderSystem system;
    system.model = &model_;
    PointRates motion;
    motion.t = p_.combined.t;
    motion.parameters = model_.parameter_values();
    for (const SystemVariable& variable : p_.variables) {
      SystemColumn column;
      column.symbol = variable.symbol;
      column.name = variable.name;
      system.add_column(std::move(column));
      motion.values.push_back(variable.values[p_.combination.deciding_point]);
    }
    motion.rates.assign(motion.values.size(), 0.0);
    motion.second_rates = motion.rates;
    for (const auto& [variable, value] : p_.held) motion.held[{variable, 0}] = value;
    const RowMatrix jacobian(MotionEvaluator(system, constraints_).differentiate(motion).by_value);
    return Matrix(apply(compute_scaling(jacobian), jacobian));
  }

  // What the constraints say about the states alone, with the weights of the columns.
  Matrix eliminate_algebraic(const Matrix& jacobian) const {
    const linalg::OrthogonalFactors factors(jacobian(Eigen::all, algebraic_), kRankTolerance);
    const Matrix Q = factors.Q();
    Matrix result =
        Q.rightCols(jacobian.rows() - factors.rank()).transpose() * jacobian(Eigen::all, states_);
    for (std::size_t k = 0; k < states_.size(); ++k) {
      if (is_fixed(states_[k])) result.col(static_cast<Eigen::Index>(k)) *= kWeightOfFixed;
    }
    return result;
  }

  const Model& model_;
  const ModelPartition& p_;
  IdVector<VarId, bool> result_;
  std::vector<int> states_, algebraic_;  // columns
  std::vector<NodeId> constraints_;
};

}  // namespace

IdVector<VarId, bool> find_free_states(const Model& model, const ModelPartition& partition) {
  return FreeStates(model, partition).find();
}

}  // namespace hydae::partition

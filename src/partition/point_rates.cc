#include "partition/point_rates.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

#include "base/check.h"
#include "compile/given_starts.h"
#include "compile/start_values.h"
#include "expr/derivative.h"
#include "expr/jacobian.h"
#include "linalg/dense_factors.h"
#include "linalg/sparse_factors.h"
#include "partition/rank.h"

namespace hydae::partition {

namespace {

constexpr int kMostNewtonSteps = 20;
constexpr double kRateTolerance = 1e-12;  // relative pivots below leave a rate open

// The smallest x among those that minimise |A x - b|, in units in which rows and columns of A are
// of comparable size. For large systems one with few entries.
Vector solve_least_squares(const SparseMatrix& matrix, const Vector& rhs) {
  if (matrix.rows() == 0 || matrix.cols() == 0) return Vector::Zero(matrix.cols());
  const RowMatrix by_rows(matrix);
  const Scaling scaling = compute_scaling(by_rows);
  const Vector scaled_rhs = scaling.rows.asDiagonal() * rhs;
  const SparseMatrix scaled(apply(scaling, by_rows));
  Vector x;
  if (std::max(matrix.rows(), matrix.cols()) <= kDenseLimit) {
    x = linalg::OrthogonalFactors(Matrix(scaled), kRateTolerance).solve(scaled_rhs);
  } else {
    x = linalg::SparseQrFactors(scaled).solve(scaled_rhs);
  }
  return scaling.columns.asDiagonal() * x;
}

std::vector<int> columns_with_entries(const SparseMatrix& matrix) {
  std::vector<int> columns;
  for (int j = 0; j < matrix.outerSize(); ++j) {
    if (matrix.col(j).nonZeros() > 0) columns.push_back(j);
  }
  return columns;
}

// Columns of one matrix, then columns of another.
SparseMatrix join_columns(const SparseMatrix& a, const std::vector<int>& of_a,
                          const SparseMatrix& b = SparseMatrix(),
                          const std::vector<int>& of_b = {}) {
  std::vector<Eigen::Triplet<double>> entries;
  int place = 0;
  const auto append = [&](const SparseMatrix& matrix, const std::vector<int>& columns) {
    for (int j : columns) {
      for (SparseMatrix::InnerIterator e(matrix, j); e; ++e) {
        entries.emplace_back(static_cast<int>(e.row()), place, e.value());
      }
      ++place;
    }
  };
  append(a, of_a);
  append(b, of_b);
  SparseMatrix result(a.rows(), place);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

[[noreturn]] void throw_undefined(const PointRates& motion, const std::string& what) {
  Diagnostics diagnostics;
  diagnostics
      .error("undefined-point",
             fmt::format("the equations are not defined at t = {}: {}", motion.t, what))
      .help = "give start values at which they are, or a consistent point";
  throw ModelError(std::move(diagnostics));
}

std::vector<NodeId> residuals_of(const FirstOrderSystem& system, int differentiations) {
  std::vector<NodeId> roots;
  for (const SystemRow& row : system.rows) {
    roots.push_back(total_derivative(system.graph(), row.residual, differentiations));
  }
  return roots;
}

Vector to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// Rates of differential variables: Newton's method on the equations with derivatives, in one step
// if these are linear in them.
SparseMatrix find_state_rates(const FirstOrderSystem& system, PointRates& motion) {
  MotionEvaluator evaluator(system, residuals_of(system, 0));
  MotionEvaluator::Derivatives at = evaluator.differentiate(motion);
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    const std::vector<int> states = columns_with_entries(at.by_rate);
    Vector residual = to_vector(at.values);
    const RowMatrix by_rows(at.by_rate);
    for (int i = 0; i < residual.size(); ++i) {
      if (by_rows.row(i).nonZeros() == 0) residual[i] = 0;
    }
    const Vector change = solve_least_squares(join_columns(at.by_rate, states), -residual);
    double size = 0, largest = 0;
    for (std::size_t k = 0; k < states.size(); ++k) {
      double& rate = motion.rates[static_cast<std::size_t>(states[k])];
      rate += change[static_cast<Eigen::Index>(k)];
      size = std::max(size, std::abs(rate));
      largest = std::max(largest, std::abs(change[static_cast<Eigen::Index>(k)]));
    }
    if (!(largest > 1e-14 * size)) break;
    at = evaluator.differentiate(motion);
  }
  return std::move(at.by_rate);
}

// Rates of the other columns and second rates of the differential ones, from F' = 0, in which both
// are linear: dF/dx' x'' + dF/dz z' + (what is known) = 0.
void find_other_rates(const FirstOrderSystem& system, const SparseMatrix& mass,
                      PointRates& motion) {
  const std::vector<int> states = columns_with_entries(mass);
  std::vector<int> others;
  for (int j = 0; j < mass.cols(); ++j) {
    const bool is_state = std::binary_search(states.begin(), states.end(), j);
    if (!is_state && !system.columns[VarId(static_cast<std::size_t>(j))].is_input)
      others.push_back(j);
  }
  for (int j : others) motion.rates[static_cast<std::size_t>(j)] = 0;
  const SparseMatrix jacobian =
      MotionEvaluator(system, residuals_of(system, 0)).differentiate(motion).by_value;
  const Vector known = to_vector(MotionEvaluator(system, residuals_of(system, 1)).evaluate(motion));
  const SparseMatrix both = join_columns(mass, states, jacobian, others);
  const Vector solution = solve_least_squares(both, -known);
  if (!solution.allFinite()) return;
  for (std::size_t k = 0; k < states.size(); ++k) {
    motion.second_rates[static_cast<std::size_t>(states[k])] =
        solution[static_cast<Eigen::Index>(k)];
  }
  for (std::size_t k = 0; k < others.size(); ++k) {
    motion.rates[static_cast<std::size_t>(others[k])] =
        solution[static_cast<Eigen::Index>(states.size() + k)];
  }
}

// Values that are known for a variable and its derivatives, by name as in StartOverride.
class KnownValues {
 public:
  KnownValues(const Model& model, const TimePoint& point, const std::vector<double>& parameters)
      : model_(model), parameters_(parameters) {
    for (const StartOverride& value : point.values) {
      check_name(value.variable);
      if (const auto named = find_named_leaf(model, value.variable))
        given_[named->leaf] = named->factor * value.value;
    }
  }

  std::optional<double> find(VarId variable, int order) const {
    if (const auto given = given_.find({variable, order}); given != given_.end())
      return given->second;
    return start_value(model_, {variable, order}, parameters_);
  }

 private:
  // "x", "der(x)", "der(x, 2)" with a name of the model.
  void check_name(const std::string& text) const {
    std::string name = text;
    if (name.starts_with("der(") && name.ends_with(")")) {
      name = name.substr(4, name.size() - 5);
      const std::size_t comma = name.rfind(',');
      if (comma != std::string::npos && name.find(']', comma) == std::string::npos)
        name.resize(comma);
    }
    if (model_.find_variable(name) || model_.find_parameter(name) ||
        model_.find_alias(name) != nullptr)
      return;
    std::vector<std::string> names;
    for (const Variable& variable : model_.all_variables()) names.push_back(variable.name);
    const std::vector<std::string> near = nearest_names(name, names);
    throw UsageError(fmt::format("partition: there is no variable `{}`{}", name,
                                 near.empty() ? "" : "; near: " + quoted_list(near)));
  }

  const Model& model_;
  const std::vector<double>& parameters_;
  std::map<Leaf, double> given_;
};

}  // namespace

MotionEvaluator::MotionEvaluator(const FirstOrderSystem& system, std::vector<NodeId> roots)
    : system_(system),
      roots_(std::move(roots)),
      evaluator_(system.graph(), roots_, &system.model->functions(), [&](Leaf leaf) {
        const std::size_t n = system.columns.size();
        if (const auto column = system.find_column(leaf.variable)) {
          HYDAE_CHECK(leaf.order <= 2);
          return static_cast<std::size_t>(leaf.order) * n + column->index();
        }
        return 3 * n + leaf.variable.index();  // held between events
      }) {
  given_.assign(evaluator_.given().size(), 0.0);
}

void MotionEvaluator::set_point(const PointRates& motion) {
  const std::size_t n = system_.columns.size();
  slots_.assign(3 * n + system_.model->num_variables(), 0.0);
  std::copy(motion.values.begin(), motion.values.end(), slots_.begin());
  std::copy(motion.rates.begin(), motion.rates.end(), slots_.begin() + static_cast<long>(n));
  std::copy(motion.second_rates.begin(), motion.second_rates.end(),
            slots_.begin() + static_cast<long>(2 * n));
  for (const auto& [leaf, value] : motion.held) slots_[3 * n + leaf.variable.index()] = value;
}

Point MotionEvaluator::point(const PointRates& motion) const {
  return {.time = motion.t,
          .parameters = motion.parameters,
          .values = slots_,
          .pre_values = slots_,
          .given = given_};
}

std::vector<double> MotionEvaluator::evaluate(const PointRates& motion) {
  set_point(motion);
  const auto values = evaluator_.evaluate(point(motion));
  check_defined(values, motion);
  return {values.begin(), values.end()};
}

MotionEvaluator::Derivatives MotionEvaluator::differentiate(const PointRates& motion) {
  const auto n = static_cast<Eigen::Index>(system_.columns.size());
  std::vector<Leaf> leaves;
  for (int order : {0, 1}) {
    for (const SystemColumn& column : system_.columns) leaves.push_back({column.symbol, order});
  }
  set_point(motion);
  Jacobian jacobian(evaluator_, leaves);
  const auto values = jacobian.evaluate(point(motion));
  check_defined(values, motion);
  std::vector<Eigen::Triplet<double>> by_value, by_rate;
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    for (const JacobianEntry& entry : jacobian.row(i)) {
      const auto column = static_cast<Eigen::Index>(entry.column);
      if (entry.value == 0) continue;
      if (!std::isfinite(entry.value)) {
        throw_undefined(
            motion, fmt::format("the derivative of {}", quoted(system_.to_string(roots_[i], 200))));
      }
      (column < n ? by_value : by_rate)
          .emplace_back(static_cast<int>(i), static_cast<int>(column % n), entry.value);
    }
  }
  const auto rows = static_cast<Eigen::Index>(roots_.size());
  Derivatives result{{values.begin(), values.end()}, SparseMatrix(rows, n), SparseMatrix(rows, n)};
  result.by_value.setFromTriplets(by_value.begin(), by_value.end());
  result.by_rate.setFromTriplets(by_rate.begin(), by_rate.end());
  return result;
}

void MotionEvaluator::check_defined(std::span<const double> values,
                                    const PointRates& motion) const {
  const bool is_defined =
      std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  if (is_defined) return;
  const auto culprit = evaluator_.find_undefined();
  throw_undefined(motion, culprit ? quoted(system_.to_string(*culprit, 200)) : "a function failed");
}

PointRates make_motion(const FirstOrderSystem& system, const TimePoint& point,
                       std::vector<std::string>& assumed_zero) {
  const Model& model = *system.model;
  PointRates motion;
  motion.t = point.t;
  motion.parameters = model.parameter_values();
  const KnownValues known(model, point, motion.parameters);
  for (const SystemColumn& column : system.columns) {
    const auto value = known.find(column.variable, column.order);
    if (!value) assumed_zero.push_back(column.name);
    motion.values.push_back(value.value_or(0));
    motion.rates.push_back(known.find(column.variable, column.order + 1).value_or(0));
  }
  motion.second_rates.assign(motion.values.size(), 0.0);
  for (VarId variable : ids<VarId>(model.num_variables())) {
    if (model.all_variables()[variable].kind == VariableKind::kReal) continue;
    motion.held[{variable, 0}] = known.find(variable, 0).value_or(0);
  }
  find_rates(system, motion);
  return motion;
}

void extend_motion(const FirstOrderSystem& system, PointRates& motion) {
  for (std::size_t j = motion.values.size(); j < system.columns.size(); ++j) {
    const VarId base = system.columns[VarId(j)].rate_of;
    motion.values.push_back(motion.rates[base.index()]);
    motion.rates.push_back(motion.second_rates[base.index()]);
    motion.second_rates.push_back(0);
  }
  find_rates(system, motion);
}

void find_rates(const FirstOrderSystem& system, PointRates& motion) {
  const SparseMatrix mass = find_state_rates(system, motion);
  find_other_rates(system, mass, motion);
}

}  // namespace hydae::partition

#include "compile/redundancy.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <random>
#include <set>

#include <hydae/analyze.h>

#include "compile/consistent_point.h"
#include "compile/given_starts.h"
#include "compile/least_norm.h"
#include "compile/null_vector.h"
#include "compile/start_values.h"
#include "expr/derivative.h"
#include "expr/incidence.h"
#include "linalg/dense_factors.h"
#include "linalg/rank.h"
#include "linalg/svd.h"

namespace hydae {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t kMostRows = 900;     // of a dense rank decision
constexpr int kNumGenericPoints = 4;       // what follows from the others does so at all of them
constexpr double kNullVectorNoise = 1e-8;  // of the largest entry: half of the digits
constexpr double kRounding = 1e-12;        // of a value at a point, in nominal units
constexpr double kSpread = 0.3;            // of other points around the start values, relative

struct GenericPoint {
  double time = 0;
  std::vector<double> values;  // by column of the initial system
};

// All equations with their derivatives at some consistent points.
class EquationArray {
 public:
  EquationArray(const AnalyzedSystem& prepared, const InitializeOptions& options, double stop)
      : start_(options.time.value_or(prepared.system.model->experiment.start_time.value_or(0.0))),
        stop_(stop),
        parameters_(prepared.system.model->parameter_values()) {
    InitializeOptions closest = options;
    closest.guesses = Guesses::kClosest;
    closest.start_values.clear();
    system_ = make_initial_system(prepared, closest);
    for (InitialColumn& column : system_.columns) column.is_fixed = false;
    keep_equations(prepared);
  }

  const InitialSystem& system() const { return system_; }
  const std::vector<EqId>& row_to_equation() const { return row_to_equation_; }
  const std::vector<GenericPoint>& points() const { return points_; }
  const std::optional<Diagnostic>& contradiction() const { return contradiction_; }

  // Around the start values. These themselves only show that there is one, and serve where there is
  // no other: they are often special (a pendulum at the end of its swing), so that ranks there are
  // not those of the motion. False if there is none.
  bool find_points() {
    std::mt19937 random(7);
    for (int k = 0; k <= kNumGenericPoints; ++k) {
      const InitialSystem here = k == 0 ? system_ : moved(random);
      const PointSettings settings{start_ + 0.19 * k * (stop_ - start_), parameters_, k == 0};
      const ConsistentPoint point = solve_initial_system(here, settings);
      if (point.is_solved()) {
        points_.push_back({settings.time, without_rounding(point.values)});
      } else if (k == 0) {
        contradiction_ = explain_contradiction(system_, settings, point);
        return false;
      }
    }
    if (points_.size() > 1) points_.erase(points_.begin());
    return true;
  }

  MatrixXd jacobian(const GenericPoint& point) const {
    InitialGroup all;
    for (std::size_t i = 0; i < system_.rows.size(); ++i) all.rows.push_back(static_cast<int>(i));
    for (std::size_t j = 0; j < system_.columns.size(); ++j)
      all.columns.push_back(static_cast<int>(j));
    GroupEquations equations(system_, {point.time, parameters_}, point.values);
    equations.select(all);
    const auto n = static_cast<Index>(point.values.size());
    MatrixXd J = MatrixXd::Zero(static_cast<Index>(system_.rows.size()), n);
    const init::Vector x = Eigen::Map<const init::Vector>(point.values.data(), n);
    for (const auto& entry : equations.jacobian_entries(x))
      J(entry.row(), entry.col()) +=
          entry.value() * system_.columns[slot(static_cast<int>(entry.col()))].nominal;
    return J;
  }

 private:
  // Initial equations, and derivatives that only they ask for, say nothing about later times.
  void keep_equations(const AnalyzedSystem& prepared) {
    int last_stage = 0;
    for (const InitialColumn& column : system_.columns)
      last_stage = std::max(last_stage, column.stage);
    std::vector<InitialRow> rows;
    std::size_t place = 0;
    for (EqId eq : ids<EqId>(prepared.system.residuals.size())) {
      const int c = prepared.structure.offsets.c[eq];
      for (int order = 0; order <= c + last_stage; ++order, ++place) {
        if (order > c) continue;
        rows.push_back(system_.rows[place]);
        row_to_equation_.push_back(eq);
      }
    }
    system_.rows = std::move(rows);
  }

  // A coefficient z that is zero but for rounding would count as an entry once its row is scaled.
  std::vector<double> without_rounding(std::vector<double> values) const {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (std::abs(values[k]) < kRounding * system_.columns[k].nominal) values[k] = 0;
    return values;
  }

  InitialSystem moved(std::mt19937& random) const {
    std::uniform_real_distribution<double> uniform(-kSpread, kSpread);
    InitialSystem other = system_;
    for (InitialColumn& column : other.columns)
      column.guess += uniform(random) * std::max(column.nominal, std::abs(column.guess));
    return other;
  }

  double start_, stop_;
  std::vector<double> parameters_;
  InitialSystem system_;
  std::vector<EqId> row_to_equation_;
  std::vector<GenericPoint> points_;
  std::optional<Diagnostic> contradiction_;
};

MatrixXd rows_of(const MatrixXd& matrix, const std::vector<int>& rows) {
  return matrix(rows, Eigen::all);
}

int rank_of(const MatrixXd& matrix) {
  if (matrix.size() == 0) return 0;
  return static_cast<int>(matrix.cols() - linalg::null_space(matrix).cols());
}

// Orthonormal columns z with z^T A = 0, each row of A relative to its largest entry.
MatrixXd left_null_space(MatrixXd A) {
  for (Index i = 0; i < A.rows(); ++i)
    if (const double size = A.row(i).cwiseAbs().maxCoeff(); size > 0) A.row(i) /= size;
  const MatrixXd Z = linalg::null_space(A.transpose());
  if (Z.cols() == 0) return Z;
  return linalg::OrthogonalFactors(Z).Q().leftCols(Z.cols());
}

// Whether rows of orthonormal columns are independent: entries that are rounding say nothing.
bool are_independent(const MatrixXd& rows) {
  const Eigen::VectorXd values = linalg::singular_values(rows);
  return rows.rows() <= rows.cols() && values.minCoeff() > kNullVectorNoise;
}

// Which equations can be left out so that the rank of all the others with their derivatives stays
// what it is, at every point. With the left null space Z: rows I follow from the other rows if and
// only if Z_I has full row rank.
class ImpliedSearch {
 public:
  ImpliedSearch(const EquationArray& array, std::size_t num_equations)
      : equation_rows_(num_equations) {
    const auto& equations = array.row_to_equation();
    for (std::size_t row = 0; row < equations.size(); ++row)
      equation_rows_[equations[row].index()].push_back(static_cast<int>(row));
    for (const GenericPoint& point : array.points())
      null_spaces_.push_back(left_null_space(array.jacobian(point)));
  }

  // The last ones that are possible: what comes first is taken for what was meant.
  std::vector<EqId> find() {
    std::vector<EqId> found;
    for (std::size_t k = equation_rows_.size(); k-- > 0;) {
      std::vector<int> rows = rows_;
      rows.insert(rows.end(), equation_rows_[k].begin(), equation_rows_[k].end());
      if (!follow_from_others(rows)) continue;
      rows_ = std::move(rows);
      found.insert(found.begin(), EqId(k));
    }
    return found;
  }

  // Equations in the combination that gives `implied` without the others that are left out.
  std::vector<EqId> origins(EqId implied) const {
    const MatrixXd& Z = null_spaces_.front();
    const MatrixXd chosen = rows_of(Z, rows_);
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(chosen.rows());
    for (std::size_t k = 0; k < rows_.size(); ++k)
      if (rows_[k] == equation_rows_[implied.index()].front()) unit[static_cast<Index>(k)] = 1;
    const Eigen::VectorXd combination = Z * linalg::OrthogonalFactors(chosen).solve(unit);
    const double largest = combination.cwiseAbs().maxCoeff();
    std::vector<EqId> equations;
    for (std::size_t k = 0; k < equation_rows_.size(); ++k)
      if (EqId(k) != implied &&
          std::any_of(equation_rows_[k].begin(), equation_rows_[k].end(), [&](int row) {
            return std::abs(combination[row]) > kNullVectorNoise * largest;
          }))
        equations.emplace_back(k);
    return equations;
  }

 private:
  bool follow_from_others(const std::vector<int>& rows) const {
    return std::all_of(null_spaces_.begin(), null_spaces_.end(), [&](const MatrixXd& Z) {
      return Z.cols() > 0 && are_independent(rows_of(Z, rows));
    });
  }

  std::vector<std::vector<int>> equation_rows_;  // by equation
  std::vector<MatrixXd> null_spaces_;            // by point
  std::vector<int> rows_;                        // of what is left out
};

// Closes a system that has fewer equations than unknowns: of what its leading derivatives y leave
// open, N with J N = 0, the smallest deviation from the start values, N^T (y - start) = 0 in
// nominal units. Where N is constant these are linear equations, else y - start = J^T mu. What was
// given no start value and only repeats others, derivatives of states, does not count in the norm.
class Closure {
 public:
  Closure(Model& model, const AnalyzedSystem& prepared, const EquationArray& array,
          std::span<const StartOverride> overrides)
      : model_(model),
        prepared_(prepared),
        system_(prepared.system),
        graph_(model.graph()),
        initial_(array.system()),
        parameters_(model.parameter_values()),
        starts_(collect_given_starts(model, parameters_, overrides).chosen) {
    for (const GenericPoint& point : array.points()) jacobians_.push_back(leading_jacobian(point));
  }

  // Whether the model has as many equations as unknowns now.
  bool close(const IdVector<EqId, EqId>& to_model, std::vector<std::string>& shared) {
    const std::size_t num_open = system_.unknowns.size() - system_.residuals.size();
    if (num_open == 0) return true;
    std::set<int> support;
    for (const MatrixXd& J : jacobians_) {
      const MatrixXd N = linalg::null_space(J);
      if (static_cast<std::size_t>(N.cols()) != num_open) return false;
      for (Index j = 0; j < N.rows(); ++j)
        if (N.row(j).cwiseAbs().maxCoeff() > kNullVectorNoise * N.cwiseAbs().maxCoeff())
          support.insert(static_cast<int>(j));
    }
    columns_.assign(support.begin(), support.end());
    choose_counted(num_open);
    for (int column : columns_) shared.push_back(name_of(column));
    const MatrixXd constant = constant_null_basis(jacobians_);
    if (static_cast<std::size_t>(constant.cols()) == num_open) {
      for (Index k = 0; k < constant.cols(); ++k) add_linear_condition(constant.col(k));
      return true;
    }
    return add_multipliers(to_model, num_open);
  }

 private:
  Leaf leaf_of(int column) const {
    const VarId var(static_cast<std::size_t>(column));
    return {system_.unknowns[var], prepared_.structure.offsets.d[var]};
  }
  std::string name_of(int column) const {
    const Leaf leaf = leaf_of(column);
    return model_.variable_name(leaf.variable, leaf.order);
  }
  double nominal_of(int column) const {
    const auto& nominal = model_.all_variables()[leaf_of(column).variable].nominal;
    const double value =
        nominal ? std::abs(number_of(model_, *nominal, parameters_).value_or(1.0)) : 1.0;
    return value > 0 && std::isfinite(value) ? value : 1.0;
  }

  // All of them, if the others do not say what is closest.
  void choose_counted(std::size_t num_open) {
    std::vector<int> counted;
    for (int column : columns_) {
      const Leaf leaf = leaf_of(column);
      if (starts_.contains(leaf) || leaf.order == 0) counted.push_back(column);
    }
    const bool suffices = std::ranges::all_of(jacobians_, [&](const MatrixXd& J) {
      const MatrixXd N = linalg::null_space(J);
      return static_cast<std::size_t>(rank_of(rows_of(N, counted))) == num_open;
    });
    if (!suffices) counted = columns_;
    counted_.insert(counted.begin(), counted.end());
  }

  // (y - start) / nominal^2
  Expr deviation(int column) const {
    if (!counted_.contains(column)) return 0.0;
    const Leaf leaf = leaf_of(column);
    const double nominal = nominal_of(column);
    const Expr y(graph_, graph_.variable(leaf.variable, leaf.order));
    const auto start = starts_.find(leaf);
    return (y - (start == starts_.end() ? 0.0 : start->second.leaf_value())) / (nominal * nominal);
  }

  // df_i / dx_j^(d_j - c_i)
  MatrixXd leading_jacobian(const GenericPoint& point) const {
    const auto& offsets = prepared_.structure.offsets;
    std::vector<NodeId> roots(system_.residuals.begin(), system_.residuals.end());
    Evaluator evaluator(system_.graph(), roots, &model_.functions());
    Jacobian jacobian(evaluator, evaluator.leaves());
    std::vector<double> values, held;
    for (Leaf leaf : evaluator.leaves()) values.push_back(value_at(point, leaf));
    for (Leaf leaf : evaluator.pre_leaves()) held.push_back(value_at(point, leaf));
    const std::vector<double> given(evaluator.given().size(), 0.5);
    jacobian.evaluate({.time = point.time,
                       .parameters = parameters_,
                       .values = values,
                       .pre_values = held,
                       .given = given});
    MatrixXd J = MatrixXd::Zero(static_cast<Index>(roots.size()),
                                static_cast<Index>(system_.unknowns.size()));
    for (std::size_t i = 0; i < roots.size(); ++i)
      for (const JacobianEntry& entry : jacobian.row(i)) {
        const Leaf leaf = evaluator.leaves()[entry.column];
        const auto column = system_.find_column(leaf.variable);
        if (column && leaf.order == offsets.d[*column] - offsets.c[EqId(i)])
          J(static_cast<Index>(i), static_cast<Index>(column->index())) = entry.value;
      }
    return J;
  }

  double value_at(const GenericPoint& point, Leaf leaf) const {
    if (const auto at = initial_.leaf_to_column.find(leaf); at != initial_.leaf_to_column.end())
      return point.values[slot(at->second)];
    const auto held = initial_.held.find(leaf);
    return held == initial_.held.end() ? 0.0 : held->second;
  }

  void add_linear_condition(const Eigen::VectorXd& direction) {
    Expr sum = 0.0;
    for (int column : columns_)
      if (direction[column] != 0 && counted_.contains(column))
        sum = sum + direction[column] * deviation(column);
    add(sum);
  }

  bool add_multipliers(const IdVector<EqId, EqId>& to_model, std::size_t num_open) {
    const std::size_t num_rows = columns_.size() - num_open;
    const auto part = [&](const MatrixXd& J) -> MatrixXd { return J(Eigen::all, columns_); };
    const linalg::OrthogonalFactors factors(part(jacobians_.front()).transpose(),
                                            linalg::kRankTolerance);
    if (static_cast<std::size_t>(factors.rank()) != num_rows) return false;
    std::vector<int> rows = factors.column_order();
    rows.resize(num_rows);
    std::sort(rows.begin(), rows.end());
    for (const MatrixXd& J : jacobians_)
      if (static_cast<std::size_t>(rank_of(rows_of(part(J), rows))) != num_rows) return false;
    std::vector<Expr> multipliers;
    for (std::size_t k = 0; k < rows.size(); ++k) multipliers.push_back(new_multiplier());
    for (int column : columns_) {
      const Leaf y = leaf_of(column);
      Expr sum = deviation(column);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const EqId eq(static_cast<std::size_t>(rows[k]));
        const Leaf leaf{y.variable, y.order - prepared_.structure.offsets.c[eq]};
        if (leaf.order < 0) continue;
        const NodeId slope = partial(graph_, model_.residual(to_model[eq]), leaf);
        if (!graph_.is_constant(slope, 0)) sum = sum - Expr(graph_, slope) * multipliers[k];
      }
      add(sum);
    }
    return true;
  }

  Expr new_multiplier() {
    Variable variable;
    for (int k = 1; variable.name.empty() || model_.find_variable(variable.name); ++k)
      variable.name = fmt::format("least_norm.multiplier[{}]", k);
    variable.is_protected = true;
    return model_.variable(variable);
  }
  void add(const Expr& residual) {
    model_.equation(residual == 0.0, fmt::format("least_norm[{}]", ++num_added_));
  }

  Model& model_;
  const AnalyzedSystem& prepared_;
  const System& system_;
  Graph& graph_;
  const InitialSystem& initial_;
  std::vector<double> parameters_;
  std::vector<MatrixXd> jacobians_;
  std::map<Leaf, GivenStart> starts_;
  std::vector<int> columns_;  // that are open
  std::set<int> counted_;     // of them, in the norm
  int num_added_ = 0;
};

// Equations of the model that are those of a system, in its order.
IdVector<EqId, EqId> continuous_to_model(const Model& model) {
  IdVector<EqId, EqId> result;
  for (EqId eq : ids<EqId>(model.num_equations()))
    if (!is_discrete_equation(model, model.equations()[eq])) result.push_back(eq);
  return result;
}

// The index calculation leaves equations without a partner as they are. What they say about the
// highest derivatives of their variables counts as well: x' = .., y' = .., x + y = 1.
void differentiate_unmatched(AnalyzedSystem& prepared) {
  structure::Offsets& offsets = prepared.structure.offsets;
  for (EqId eq : ids<EqId>(prepared.system.residuals.size())) {
    std::optional<int> slack;
    for (const auto& [column, order] : prepared.sigma.row(eq))
      slack = std::min(slack.value_or(offsets.d[column] - order), offsets.d[column] - order);
    if (slack) offsets.c[eq] = std::max(offsets.c[eq], *slack);
  }
}

}  // namespace

Redundancy find_redundancy(const Model& given, const InitializeOptions& options, double stop) {
  Redundancy result;
  Model model = given.extended();
  AnalyzedSystem prepared = with_offsets_of_index(make_system(model, start_mode(model)));
  differentiate_unmatched(prepared);
  EquationArray array(prepared, options, stop);
  if (array.system().columns.empty() || array.system().rows.size() > kMostRows) return result;
  if (!array.find_points()) {
    result.contradiction = array.contradiction();
    return result;
  }
  ImpliedSearch search(array, prepared.system.residuals.size());
  const IdVector<EqId, EqId> to_model = continuous_to_model(model);
  const std::vector<EqId> implied = search.find();
  if (implied.empty()) return result;
  std::vector<EqId> left_out;
  for (EqId eq : implied) {
    ImpliedEquation entry{to_model[eq], {}};
    for (EqId origin : search.origins(eq)) entry.from.push_back(to_model[origin]);
    result.implied.push_back(std::move(entry));
    left_out.push_back(to_model[eq]);
  }
  // The check of a run does not follow relations of equations that are left out.
  for (EqId eq : left_out)
    if (contents(model.graph(), model.residual(eq)).has_relations) return result;
  model.imply(left_out);
  AnalyzedSystem rest = with_offsets_of_index(make_system(model, start_mode(model)));
  differentiate_unmatched(rest);
  const std::size_t num_eqs = rest.system.residuals.size(), num_vars = rest.system.unknowns.size();
  if (num_vars < num_eqs || num_vars - num_eqs > implied.size()) return result;
  Closure closure(model, rest, array, options.start_values);
  if (closure.close(continuous_to_model(model), result.shared) &&
      analyze_system(model, start_mode(model)).structure.is_well_posed)
    result.model = std::move(model);
  return result;
}

Diagnostic describe_redundancy(const Model& model, const Redundancy& redundancy) {
  Diagnostic d;
  d.code = "redundant-equations";
  std::vector<std::string> names;
  for (const ImpliedEquation& implied : redundancy.implied)
    names.push_back(model.equations()[implied.equation].name);
  const bool is_one = names.size() == 1;
  d.message = fmt::format("equation{} {} follow{} from the others", is_one ? "" : "s",
                          quoted_list(names), is_one ? "s" : "");
  d.range = model.equations()[redundancy.implied.front().equation].source;
  for (const ImpliedEquation& implied : redundancy.implied) {
    const Equation& equation = model.equations()[implied.equation];
    std::vector<std::string> origins;
    for (EqId origin : implied.from) origins.push_back(model.equations()[origin].name);
    const std::string text =
        origins.empty() ? fmt::format("`{}` is always true", equation.name)
                        : fmt::format("`{}` follows from {}", equation.name, quoted_list(origins));
    d.notes.push_back({text, equation.source});
    for (EqId origin : implied.from)
      if (implied.from.size() <= 4)
        d.notes.push_back({fmt::format("`{}` is here", model.equations()[origin].name),
                           model.equations()[origin].source});
  }
  if (!redundancy.shared.empty())
    d.notes.push_back({fmt::format("without {} nothing determines how {} share what acts on them",
                                   is_one ? "it" : "them", quoted_list(redundancy.shared)),
                       {}});
  return d;
}

}  // namespace hydae

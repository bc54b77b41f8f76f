#include "compile/consistent_point.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "expr/jacobian.h"
#include "expr/walk.h"
#include "init/conflict.h"
#include "init/solve.h"

namespace hydae {
namespace {

constexpr std::size_t kLargestDense = 200;      // unknowns of a group
constexpr std::size_t kMostFixedInSearch = 64;  // fixed values among which a conflict is looked for
constexpr std::size_t kLargestSearchSystem = 3000;  // rows of a system in which one is looked for

class GroupSolver {
 public:
  GroupSolver(const InitialSystem& system, const PointSettings& settings,
              std::vector<double>& values)
      : system_(system), settings_(settings), values_(values) {
    // Slots: columns first, then the variables that events determine.
    std::size_t slot = system.columns.size();
    for (const auto& [leaf, value] : system.held) held_slots_[leaf] = slot++;
    point_values_.resize(slot);
    for (const auto& [leaf, held] : held_slots_) point_values_[held] = system.held.at(leaf);
  }

  init::Solution solve(const InitialGroup& group) {
    group_ = &group;
    prepare_evaluation();
    if (!has_homotopy_) return init::solve(make_problem());
    return init::solve(make_parametric_problem());
  }

 private:
  void prepare_evaluation() {
    std::vector<NodeId> roots;
    for (int row : group_->rows) roots.push_back(system_.rows[index(row)].residual);
    const System& system = system_.prepared->system;
    has_homotopy_ = contains_homotopy(system.graph(), roots);
    jacobian_.reset();
    evaluator_.emplace(system.graph(), roots, &system.model->functions(),
                       [&](Leaf leaf) { return slot_of(leaf); });
    std::vector<Leaf> leaves;
    for (int column : group_->columns) leaves.push_back(system_.columns[index(column)].leaf);
    jacobian_.emplace(*evaluator_, leaves);
    given_.assign(evaluator_->given().size(), 0.0);
  }

  static std::size_t index(int k) { return static_cast<std::size_t>(k); }

  std::size_t slot_of(Leaf leaf) const {
    if (const auto column = system_.leaf_to_column.find(leaf);
        column != system_.leaf_to_column.end())
      return index(column->second);
    return held_slots_.at(leaf);
  }

  static bool contains_homotopy(const Graph& graph, std::span<const NodeId> roots) {
    Walk walk;
    const auto nodes = walk.order(graph, roots);
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](NodeId id) { return graph.op(id) == Op::kHomotopy; });
  }

  Point point_at(const init::Vector& x, double homotopy) {
    std::copy(values_.begin(), values_.end(), point_values_.begin());
    for (std::size_t k = 0; k < group_->columns.size(); ++k)
      point_values_[index(group_->columns[k])] = x[static_cast<Eigen::Index>(k)];
    Point point;
    point.time = settings_.time;
    point.parameters = settings_.parameters;
    point.values = point_values_;
    point.pre_values = point_values_;
    point.given = given_;
    point.is_initial = true;
    point.homotopy = homotopy;
    return point;
  }

  void residual(const init::Vector& x, double homotopy, init::Vector& f) {
    const auto values = evaluator_->evaluate(point_at(x, homotopy));
    std::copy(values.begin(), values.end(), f.data());
  }

  template <class Put>
  void for_jacobian(const init::Vector& x, double homotopy, Put put) {
    jacobian_->evaluate(point_at(x, homotopy));
    for (std::size_t i = 0; i < group_->rows.size(); ++i)
      for (const JacobianEntry& entry : jacobian_->row(i))
        put(static_cast<int>(i), static_cast<int>(entry.column), entry.value);
  }

  void dense_jacobian(const init::Vector& x, double homotopy, init::DenseMatrix& J) {
    for_jacobian(x, homotopy, [&](int i, int j, double value) { J(i, j) = value; });
  }

  void sparse_jacobian(const init::Vector& x, double homotopy, init::Matrix& J) {
    std::vector<Eigen::Triplet<double>> entries;
    for_jacobian(x, homotopy,
                 [&](int i, int j, double value) { entries.emplace_back(i, j, value); });
    J.setFromTriplets(entries.begin(), entries.end());
  }

  init::Unknowns unknowns() const {
    init::Unknowns result;
    const auto n = static_cast<Eigen::Index>(group_->columns.size());
    result.guess.resize(n);
    result.nominal.resize(n);
    result.lower.resize(n);
    result.upper.resize(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const InitialColumn& column =
          system_.columns[index(group_->columns[index(static_cast<int>(k))])];
      result.guess[k] = column.guess;
      result.nominal[k] = column.nominal;
      result.lower[k] = column.min;
      result.upper[k] = column.max;
      result.names.push_back(column.name);
    }
    return result;
  }

  init::Equations equations() const {
    init::Equations result;
    result.count = static_cast<int>(group_->rows.size());
    for (int row : group_->rows) result.names.push_back(system_.rows[index(row)].name);
    return result;
  }

  bool is_dense() const { return group_->columns.size() <= kLargestDense; }

  init::Problem make_problem() {
    init::Problem problem;
    problem.unknowns = unknowns();
    problem.equations = equations();
    problem.residual = [this](const auto& x, auto& f) { residual(x, 1, f); };
    if (is_dense())
      problem.dense_jacobian = [this](const auto& x, auto& J) { dense_jacobian(x, 1, J); };
    else
      problem.sparse_jacobian = [this](const auto& x, auto& J) { sparse_jacobian(x, 1, J); };
    return problem;
  }

  init::ParametricProblem make_parametric_problem() {
    init::ParametricProblem problem;
    problem.unknowns = unknowns();
    problem.equations = equations();
    problem.residual = [this](const auto& x, double l, auto& f) { residual(x, l, f); };
    if (is_dense())
      problem.dense_jacobian = [this](const auto& x, double l, auto& J) {
        dense_jacobian(x, l, J);
      };
    else
      problem.sparse_jacobian = [this](const auto& x, double l, auto& J) {
        sparse_jacobian(x, l, J);
      };
    return problem;
  }

  const InitialSystem& system_;
  const PointSettings& settings_;
  std::vector<double>& values_;
  std::map<Leaf, std::size_t> held_slots_;
  std::vector<double> point_values_, given_;
  const InitialGroup* group_ = nullptr;
  bool has_homotopy_ = false;
  std::optional<Evaluator> evaluator_;
  std::optional<Jacobian> jacobian_;
};

}  // namespace

ConsistentPoint solve_initial_system(const InitialSystem& system, const PointSettings& settings) {
  ConsistentPoint result;
  for (const InitialColumn& column : system.columns) result.values.push_back(column.guess);
  result.report.status = init::Status::kSolved;
  GroupSolver solver(system, settings, result.values);
  for (const InitialGroup& group : system.groups) {
    const init::Solution solution = solver.solve(group);
    result.iterations += solution.report.iterations;
    result.residual_norm = std::max(result.residual_norm, solution.report.residual_norm);
    if (!solution.is_solved() || solution.report.method > result.report.method)
      result.report = solution.report;
    for (std::size_t k = 0; k < group.columns.size(); ++k)
      result.values[static_cast<std::size_t>(group.columns[k])] =
          solution.x[static_cast<Eigen::Index>(k)];
    if (!solution.is_solved()) break;
  }
  return result;
}

namespace {

// The fixed columns, as few as possible, that cannot hold together; empty if that is not the
// reason, or if looking for them would take too long.
std::vector<int> find_conflicting_columns(InitialSystem system, const PointSettings& settings) {
  std::vector<int> fixed;
  for (std::size_t k = 0; k < system.columns.size(); ++k)
    if (system.columns[k].is_fixed) fixed.push_back(static_cast<int>(k));
  if (fixed.size() > kMostFixedInSearch || system.rows.size() > kLargestSearchSystem) return {};
  const auto can_hold = [&](std::span<const int> chosen) {
    for (int column : fixed) system.columns[static_cast<std::size_t>(column)].is_fixed = false;
    for (int k : chosen)
      system.columns[static_cast<std::size_t>(fixed[static_cast<std::size_t>(k)])].is_fixed = true;
    arrange_groups(system);
    return solve_initial_system(system, settings).is_solved();
  };
  const auto conflict = init::find_minimal_conflict(static_cast<int>(fixed.size()), can_hold);
  std::vector<int> columns;
  for (int k : conflict.value_or(std::vector<int>{}))
    columns.push_back(fixed[static_cast<std::size_t>(k)]);
  return columns;
}

}  // namespace

Diagnostic explain_failure(const InitialSystem& system, const PointSettings& settings,
                           const ConsistentPoint& point) {
  Diagnostic d;
  std::vector<std::string> texts;
  for (int k : find_conflicting_columns(system, settings)) {
    const InitialColumn& column = system.columns[static_cast<std::size_t>(k)];
    texts.push_back(fmt::format("{} = {}", column.name, column.guess));
  }
  if (texts.empty()) {
    d.code = "initialization-failed";
    d.message = "initialization: " + point.report.message;
    d.help = point.report.help;
    return d;
  }
  d.code = "conflicting-start-values";
  d.message = fmt::format("initialization: fixed start values cannot hold together: {}",
                          quoted_list(texts));
  d.label = "each of them is needed for the contradiction";
  d.help = "let one of them be a guess";
  return d;
}

}  // namespace hydae

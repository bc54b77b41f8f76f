#include "compile/group_equations.h"

#include <algorithm>

#include "expr/walk.h"

namespace hydae {
namespace {

constexpr std::size_t kLargestDenseGroup = 200;  // unknowns of a group

bool contains_homotopy(const Graph& graph, std::span<const NodeId> roots) {
  Walk walk;
  const auto nodes = walk.order(graph, roots);
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](NodeId id) { return graph.op(id) == Op::kHomotopy; });
}

}  // namespace

GroupEquations::GroupEquations(const InitialSystem& system, PointSettings settings,
                               const std::vector<double>& values)
    : system_(system), settings_(std::move(settings)), values_(values) {}

void GroupEquations::select(const InitialGroup& group) {
  code_failure_.clear();
  group_ = &group;
  homotopy_ = 1;
  std::vector<NodeId> roots;
  for (int row : group.rows) roots.push_back(system_.rows[slot(row)].residual);
  const System& system = system_.prepared->system;
  has_homotopy_ = contains_homotopy(system.graph(), roots);
  jacobian_.reset();
  evaluator_.emplace(system.graph(), roots, &system.model->functions());
  std::vector<Leaf> leaves;
  for (int column : group.columns) leaves.push_back(system_.columns[slot(column)].leaf);
  jacobian_.emplace(*evaluator_, leaves);
  given_.assign(evaluator_->given().size(), 0.0);
  current_.assign(evaluator_->leaves(), leaves, [this](Leaf leaf) { return value_of(leaf); });
  pre_.assign(evaluator_->pre_leaves(), leaves, [this](Leaf leaf) { return value_before(leaf); });
}

double GroupEquations::value_of(Leaf leaf) const {
  const auto column = system_.leaf_to_column.find(leaf);
  return column != system_.leaf_to_column.end() ? values_[slot(column->second)]
                                                : system_.held.at(leaf);
}

double GroupEquations::value_before(Leaf leaf) const {
  const auto before = system_.held_before.find(leaf);
  return before != system_.held_before.end() ? before->second : value_of(leaf);
}

void GroupEquations::LeafValues::assign(std::span<const Leaf> leaves, std::span<const Leaf> free,
                                        const std::function<double(Leaf)>& value) {
  values.clear();
  for (Leaf leaf : leaves) values.push_back(value(leaf));
  places.clear();
  for (std::size_t k = 0; k < free.size(); ++k) {
    const auto at = std::lower_bound(leaves.begin(), leaves.end(), free[k]);
    if (at != leaves.end() && *at == free[k])
      places.emplace_back(k, static_cast<std::size_t>(at - leaves.begin()));
  }
}

void GroupEquations::LeafValues::set_free(const init::Vector& x) {
  for (const auto& [k, place] : places) values[place] = x[static_cast<Eigen::Index>(k)];
}

Point GroupEquations::point_at(const init::Vector& x) {
  current_.set_free(x);
  pre_.set_free(x);
  Point point;
  point.time = settings_.time;
  point.parameters = settings_.parameters;
  point.values = current_.values;
  point.pre_values = pre_.values;
  point.given = given_;
  point.is_initial = true;
  point.homotopy = homotopy_;
  return point;
}

void GroupEquations::residual(const init::Vector& x, init::Vector& f) {
  const auto values = evaluator_->evaluate(point_at(x));
  std::copy(values.begin(), values.end(), f.data());
  if (code_failure_.empty()) code_failure_ = evaluator_->call_failure();
}

void GroupEquations::dense_jacobian(const init::Vector& x, init::DenseMatrix& J) {
  jacobian_->evaluate(point_at(x));
  for (std::size_t i = 0; i < group_->rows.size(); ++i)
    for (const JacobianEntry& entry : jacobian_->row(i))
      J(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(entry.column)) = entry.value;
}

std::vector<Eigen::Triplet<double>> GroupEquations::jacobian_entries(const init::Vector& x) {
  jacobian_->evaluate(point_at(x));
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < group_->rows.size(); ++i)
    for (const JacobianEntry& entry : jacobian_->row(i))
      entries.emplace_back(static_cast<int>(i), static_cast<int>(entry.column), entry.value);
  return entries;
}

void GroupEquations::sparse_jacobian(const init::Vector& x, init::Matrix& J) {
  const auto entries = jacobian_entries(x);
  J.setFromTriplets(entries.begin(), entries.end());
}

init::Unknowns GroupEquations::unknowns() const {
  init::Unknowns result;
  const auto n = static_cast<Eigen::Index>(group_->columns.size());
  result.guess.resize(n);
  result.nominal.resize(n);
  result.lower.resize(n);
  result.upper.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const int number = group_->columns[static_cast<std::size_t>(k)];
    const InitialColumn& column = system_.columns[slot(number)];
    result.guess[k] = column.has_start ? column.guess : values_[slot(number)];
    result.is_wanted.push_back(column.has_start);
    result.nominal[k] = column.nominal;
    result.lower[k] = std::max(column.min, column.root_min);
    result.upper[k] = std::min(column.max, column.root_max);
    result.names.push_back(column.name);
  }
  // Where nobody wants anything the defaults are as good a centre as any.
  if (std::find(result.is_wanted.begin(), result.is_wanted.end(), true) == result.is_wanted.end())
    result.is_wanted.clear();
  return result;
}

init::Equations GroupEquations::equations() const {
  init::Equations result;
  result.count = static_cast<int>(group_->rows.size());
  for (int row : group_->rows) result.names.push_back(system_.rows[slot(row)].name);
  if (const SourceSet* sources = system_.prepared->system.model->sources.get())
    result.place = [this, sources](int equation) {
      return sources->place(system_.rows[slot(group_->rows[slot(equation)])].source);
    };
  return result;
}

bool GroupEquations::is_dense() const { return group_->columns.size() <= kLargestDenseGroup; }

init::Problem GroupEquations::problem() {
  init::Problem problem;
  problem.unknowns = unknowns();
  problem.equations = equations();
  problem.residual = [this](const auto& x, auto& f) { residual(x, f); };
  if (is_dense())
    problem.dense_jacobian = [this](const auto& x, auto& J) { dense_jacobian(x, J); };
  else
    problem.sparse_jacobian = [this](const auto& x, auto& J) { sparse_jacobian(x, J); };
  return problem;
}

init::ParametricProblem GroupEquations::make_parametric(SetParameter set) {
  init::ParametricProblem problem;
  problem.unknowns = unknowns();
  problem.equations = equations();
  problem.residual = [this, set](const auto& x, double lambda, auto& f) {
    set(lambda);
    residual(x, f);
  };
  if (is_dense())
    problem.dense_jacobian = [this, set](const auto& x, double lambda, auto& J) {
      set(lambda);
      dense_jacobian(x, J);
    };
  else
    problem.sparse_jacobian = [this, set](const auto& x, double lambda, auto& J) {
      set(lambda);
      sparse_jacobian(x, J);
    };
  return problem;
}

init::ParametricProblem GroupEquations::homotopy_problem() {
  return make_parametric([this](double lambda) { homotopy_ = lambda; });
}

init::ParametricProblem GroupEquations::parametric_problem(
    std::function<PointSettings(double lambda)> settings) {
  settings_at_ = std::move(settings);
  lambda_.reset();
  return make_parametric([this](double lambda) {
    if (lambda_ == lambda) return;
    settings_ = settings_at_(lambda);
    lambda_ = lambda;
  });
}

}  // namespace hydae

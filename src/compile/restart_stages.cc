#include "compile/restart_stages.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hydae/diagnostic.h>

#include "expr/derivative.h"
#include "expr/incidence.h"
#include "expr/walk.h"
#include "linalg/rank.h"

namespace hydae {
namespace {

constexpr int kMostRestartIterations = 30;
constexpr double kRestartConverged = 1e-13;
constexpr int kRoundingPatterns = 3;  // of signs of roundings

}  // namespace

RestartStages::RestartStages(const AnalyzedSystem& p)
    : prepared(p),
      system(p.system),
      c(p.structure.offsets.c),
      d(p.structure.offsets.d),
      n(p.system.unknowns.size()) {
  for (int value : c) max_c = std::max(max_c, value);
  lay_out();
  make_evaluators();
  make_loops();
  if (n > 0) make_matrix(p);
}

// Slots: derivatives 0 .. d_j of each column, then held values as they are met.
void RestartStages::lay_out() {
  for (VarId column : ids<VarId>(n)) {
    first_slot.push_back(num_slots);
    num_slots += static_cast<std::size_t>(d[column]) + 1;
  }
  ++num_slots;  // for derivatives that no stage knows
}

std::size_t RestartStages::slot_of(Leaf leaf) {
  if (const auto column = system.find_column(leaf.variable))
    return is_slot(leaf) ? slot(*column, leaf.order) : num_slots - 1;
  for (std::size_t k = 0; k < held_leaves.size(); ++k)
    if (held_leaves[k] == leaf) return num_slots + k;
  held_leaves.push_back(leaf);
  return num_slots + held_leaves.size() - 1;
}

// Rows that hold at the right limits, by stage; and the Jacobian of all equations by all leaves.
void RestartStages::make_evaluators() {
  const auto slots = [this](Leaf leaf) { return slot_of(leaf); };
  const auto* functions = &system.model->functions();
  std::vector<NodeId> residuals(system.residuals.begin(), system.residuals.end());
  equations.emplace(system.graph(), residuals, functions, slots);
  columns = equations->leaves();
  std::erase_if(columns, [&](Leaf leaf) { return !system.find_column(leaf.variable); });
  jacobian.emplace(*equations, columns);
  stages.resize(static_cast<std::size_t>(max_c));
  for (int l = -max_c; l < 0; ++l) {
    Stage& stage = stages[static_cast<std::size_t>(l + max_c)];
    std::vector<NodeId> roots;
    for (EqId eq : ids<EqId>(n)) {
      if (c[eq] + l < 0) continue;
      stage.regular.push_back(eq);
      roots.push_back(total_derivative(system.graph(), system.residuals[eq], c[eq] + l));
    }
    stage.evaluator.emplace(system.graph(), roots, functions, slots);
  }
}

// Only the loops of algebraic variables and of blocks that are solved ahead can leave Newton's
// method with a choice of roots.
void RestartStages::make_loops() {
  for (int l = -max_c; l <= 0; ++l)
    loops.emplace_back(prepared, l, [this](Leaf leaf) { return slot_of(leaf); });
}

bool RestartStages::is_slot(Leaf leaf) const {
  const auto column = system.find_column(leaf.variable);
  return column && leaf.order <= d[*column];
}

// Time derivatives of coefficients that are not constant. A delta^(s) is the sum over r of
// (-1)^r (s over r) A^(r) delta^(s-r). Made when the first derivative of delta is met.
void RestartStages::make_drifts() {
  has_drifts = true;
  std::vector<NodeId> roots;
  for (EqId eq : ids<EqId>(n)) {
    for (const Partial& partial : gradient(system.graph(), system.residuals[eq])) {
      if (!system.find_column(partial.leaf.variable)) continue;
      const int differentiable = derivatives_left(partial.derivative);
      for (int r = 1; r < max_c; ++r) {
        if (r > differentiable) {
          drifts.push_back({eq, partial.leaf, r, /*is_known=*/false});
          roots.push_back(system.graph().constant(0));
          break;
        }
        const NodeId derivative = total_derivative(system.graph(), partial.derivative, r);
        if (system.graph().is_constant(derivative, 0)) break;
        drifts.push_back({eq, partial.leaf, r});
        roots.push_back(derivative);
      }
    }
  }
  if (!roots.empty()) drift_values.emplace(system.graph(), roots, &system.model->functions());
}

// How often an expression can be differentiated: code as a whole twice.
int RestartStages::derivatives_left(NodeId root) const {
  int most = std::numeric_limits<int>::max();
  Walk walk;
  for (NodeId id : walk.order(system.graph(), root)) {
    if (!is_call(system.graph().op(id))) continue;
    const Node node = system.graph().node(id);
    most = std::min(most, 2 - (node.input >= 0) - (node.second_input >= 0));
  }
  return most;
}

void RestartStages::make_matrix(const AnalyzedSystem& p) {
  for (EqId eq : ids<EqId>(n))
    for (const auto& [var, order] : p.sigma.row(eq))
      if (order == d[var] - c[eq]) {
        tight.push_back({eq, var});
        positions.emplace_back(static_cast<int>(eq.index()), static_cast<int>(var.index()));
      }
  matrix.emplace(static_cast<int>(n), positions);
}

// All stages below zero, with these weights of deltas from outside.
bool RestartStages::solve_stages(const std::vector<std::pair<EqId, double>>& sources) {
  right = left;
  impulses.assign(n, {});
  source.assign(n, 0.0);
  int depth = max_c;
  for (const auto& [eq, weight] : sources) {
    source[eq.index()] += weight;
    depth = std::max(depth, c[eq] + 1);
  }
  for (int l = -depth; l < 0; ++l) {
    if (!has_drifts && meets_derivative_of_delta()) {
      make_drifts();
      load_drifts();
    }
    if (l >= -max_c) solve_loops(l);
    if (!solve_stage(l)) return false;
  }
  return true;
}

// A loop that is not solved here is left to those who come after: they say what is missing.
void RestartStages::solve_loops(int l) {
  RestartLoops& loop = loops[static_cast<std::size_t>(l + max_c)];
  if (loop.empty() || !loop.solve(point(right), input->old_parameters, right) || l < 0) return;
  for (VarId column : loop.columns())
    result.right[column.index()].push_back(right[slot(column, d[column])]);
}

void RestartStages::begin(const RestartInput& in) {
  input = &in;
  result = {};
  left.assign(num_slots + held_leaves.size(), 0.0);
  for (VarId column : ids<VarId>(n))
    for (int order = 0; order <= d[column]; ++order)
      left[slot(column, order)] = input->left({system.unknowns[column], order});
  for (std::size_t k = 0; k < held_leaves.size(); ++k)
    left[num_slots + k] = input->held(held_leaves[k]);
  for (double& value : left)
    if (!std::isfinite(value)) value = 0;  // was not determined before
  if (has_drifts) load_drifts();
}

// Whether some leaf contains a derivative of delta, as far as the stages are solved.
bool RestartStages::meets_derivative_of_delta() const {
  for (Leaf leaf : columns)
    for (int s = 1; s < max_c; ++s)
      if (std::abs(content(leaf, s)) > error_of(leaf)) return true;
  return false;
}

double RestartStages::error_of(Leaf leaf) const {
  if (input->error) return input->error(leaf);
  const VarId column = *system.find_column(leaf.variable);
  return input->noise * std::max(1.0, std::abs(left[slot(column, leaf.order)]));
}

// A coefficient that multiplies a derivative of delta is continuous: left limits are as good as
// right ones, and known.
void RestartStages::load_drifts() {
  drift.assign(drifts.size(), 0.0);
  if (!drift_values) return;
  std::vector<double> values, pre_values;
  for (Leaf leaf : drift_values->leaves()) {
    const bool is_column = system.find_column(leaf.variable).has_value();
    const double value = is_column ? input->left(leaf) : input->held(leaf);
    values.push_back(std::isfinite(value) ? value : 0.0);
  }
  for (Leaf leaf : drift_values->pre_leaves()) pre_values.push_back(input->held(leaf));
  Point p;
  p.time = input->time;
  p.parameters = input->parameters;
  p.values = values;
  p.pre_values = pre_values;
  const auto found = drift_values->evaluate(p);
  for (std::size_t k = 0; k < drift.size(); ++k)
    if (std::isfinite(found[k])) drift[k] = found[k];
  for (std::size_t k = 0; k < drift.size(); ++k)
    if (!drifts[k].is_known) drift[k] = std::numeric_limits<double>::quiet_NaN();
}

std::size_t RestartStages::slot(VarId column, int order) const {
  return first_slot[column.index()] + static_cast<std::size_t>(order);
}

Point RestartStages::point(const std::vector<double>& values) const {
  Point p;
  p.time = input->time;
  p.parameters = input->parameters;
  p.values = values;
  p.pre_values = values;
  return p;
}

// The unknown of column j at stage l: a right value, or an impulse coefficient.
double& RestartStages::unknown(VarId column, int l) {
  const int order = d[column] + l;
  if (order >= 0) return right[slot(column, order)];
  auto& coefficients = impulses[column.index()];
  const auto index = static_cast<std::size_t>(-order - 1);
  if (coefficients.size() <= index) coefficients.resize(index + 1, 0.0);
  return coefficients[index];
}

double RestartStages::impulse(VarId column, int order) const {
  const auto& coefficients = impulses[column.index()];
  const auto index = static_cast<std::size_t>(order);
  return index < coefficients.size() ? coefficients[index] : 0.0;
}

// Jacobian rows averaged along the straight path from the left to the right values: what
// multiplies a jump. For an exact differential the average makes the jump of the primitive.
void RestartStages::average_jacobian() {
  averaged.assign(n, {});
  std::vector<double> values(right.size());
  for (std::size_t s = 0; s < input->coefficients.size(); ++s) {
    const auto [share, weight] = input->coefficients[s];
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = left[k] + share * (right[k] - left[k]);
    jacobian->evaluate(point(values));
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = jacobian->row(i);
      if (s == 0) averaged[i].assign(row.size(), {0, 0.0});
      for (std::size_t k = 0; k < row.size(); ++k) {
        averaged[i][k].first = row[k].column;
        averaged[i][k].second += weight * row[k].value;
      }
    }
  }
}

// Coefficient of delta^(s) in the leaf: a jump of a lower derivative, or an impulse.
double RestartStages::content(Leaf leaf, int s) const {
  const VarId column = *system.find_column(leaf.variable);
  if (leaf.order <= s) return impulse(column, s - leaf.order);
  const std::size_t k = slot(column, leaf.order - 1 - s);
  return right[k] - left[k];
}

// Coefficient of delta^(depth-1) in equation i.
double RestartStages::impulsive_residual(EqId eq, int depth) const {
  double sum = depth == 1 ? source[eq.index()] : 0;
  for (const auto& [place, value] : averaged[eq.index()])
    sum += value * content(columns[place], depth - 1);
  for (std::size_t k = 0; k < drifts.size(); ++k) {
    if (drifts[k].eq != eq || drift[k] == 0) continue;
    const int r = drifts[k].order, s = depth - 1 + r;
    double factor = r % 2 == 0 ? 1 : -1;  // (-1)^r times s over r
    for (int i = 1; i <= r; ++i) factor *= static_cast<double>(s - r + i) / i;
    const double part = content(drifts[k].leaf, s);
    if (drifts[k].is_known || std::abs(part) > error_of(drifts[k].leaf))
      sum += factor * drift[k] * part;
  }
  return sum;
}

void RestartStages::evaluate_residuals(int l, std::vector<double>& f) {
  f.assign(n, 0.0);
  if (l >= -max_c && !stages[static_cast<std::size_t>(l + max_c)].regular.empty()) {
    Stage& stage = stages[static_cast<std::size_t>(l + max_c)];
    const auto values = stage.evaluator->evaluate(point(right));
    for (std::size_t k = 0; k < stage.regular.size(); ++k) f[stage.regular[k].index()] = values[k];
  }
  average_jacobian();
  for (EqId eq : ids<EqId>(n))
    if (c[eq] + l < 0) f[eq.index()] = impulsive_residual(eq, -(c[eq] + l));
}

// Rows of equations that hold at the right limits are taken there, impulsive ones on average.
void RestartStages::fill_matrix(int l) {
  std::fill(matrix->values().begin(), matrix->values().end(), 0.0);
  jacobian->evaluate(point(right));
  std::size_t e = 0;
  for (EqId eq : ids<EqId>(n)) {
    const bool is_regular = c[eq] + l >= 0;
    const auto row = jacobian->row(eq.index());
    for (; e < tight.size() && tight[e].first == eq; ++e) {
      const Leaf leaf{system.unknowns[tight[e].second], d[tight[e].second] - c[eq]};
      for (std::size_t k = 0; k < row.size(); ++k)
        if (columns[row[k].column] == leaf)
          matrix->values()[static_cast<std::size_t>(matrix->slot(static_cast<int>(e)))] =
              is_regular ? row[k].value : averaged[eq.index()][k].second;
    }
  }
}

double& RestartStages::entry(std::size_t e) {
  return matrix->values()[static_cast<std::size_t>(matrix->slot(static_cast<int>(e)))];
}

void RestartStages::scale_matrix() {
  std::vector<linalg::MatrixEntry> entries;
  for (std::size_t e = 0; e < positions.size(); ++e)
    entries.push_back({positions[e].first, positions[e].second, entry(e)});
  const int size = static_cast<int>(n);
  scaling = linalg::equilibrate(size, size, entries);
  for (std::size_t e = 0; e < positions.size(); ++e) entry(e) *= factor(e);
}

double RestartStages::factor(std::size_t e) const {
  return scaling.rows[static_cast<std::size_t>(positions[e].first)] *
         scaling.columns[static_cast<std::size_t>(positions[e].second)];
}

bool RestartStages::solve_stage(int l) {
  std::vector<double> f, step(n + 8), rhs(n), terms(n, 0.0);
  for (int iteration = 0; iteration < kMostRestartIterations; ++iteration) {
    evaluate_residuals(l, f);
    if (!std::all_of(f.begin(), f.end(), [](double value) { return std::isfinite(value); }))
      return fail_undefined(l, f);
    fill_matrix(l);
    scale_matrix();
    if (!matrix->factorize())
      return (std::isfinite(matrix->condition()) && is_satisfied(l, f)) || fail_singular(f);
    for (std::size_t i = 0; i < n; ++i) rhs[i] = -f[i] * scaling.rows[i];
    matrix->solve(rhs.data(), step.data());
    for (std::size_t i = 0; i < n; ++i) {
      terms[i] = std::max(terms[i], std::abs(f[i]));
      step[i] *= scaling.columns[i];
    }
    for (VarId column : ids<VarId>(n)) unknown(column, l) += step[column.index()];
    const double size = size_of_step(l, step, terms);
    if (size <= kRestartConverged || (iteration > 4 && size <= 1e-10)) return true;
  }
  return fail("restart-failed", "no right limits of the new mode were found from the left limits");
}

// The largest change of an unknown, relative to its value, or to what roundings of the terms of all
// equations make of it: a velocity that comes out as zero is the difference of others, in whatever
// unit. `terms`: the largest residuals, by equation.
double RestartStages::size_of_step(int l, const std::vector<double>& step,
                                   std::vector<double> terms) {
  std::vector<double> unit(n, 0.0), rhs(n), response(n + 8);
  const auto largest = [&] {
    double size = 0;
    for (VarId column : ids<VarId>(n)) {
      const double change = std::abs(step[column.index()]), value = std::abs(unknown(column, l));
      if (change > 0) size = std::max(size, change / std::max(value, unit[column.index()]));
    }
    return size;
  };
  if (const double by_values = largest(); by_values <= kRestartConverged) return by_values;
  add_terms(l, terms);
  for (int pattern = 0; pattern < kRoundingPatterns; ++pattern) {
    for (std::size_t i = 0; i < n; ++i)
      rhs[i] = (((i >> pattern) & 1U) != 0 ? -1 : 1) * terms[i] * scaling.rows[i];
    matrix->solve(rhs.data(), response.data());
    for (std::size_t i = 0; i < n; ++i)
      unit[i] = std::max(unit[i], std::abs(response[i] * scaling.columns[i]));
  }
  return largest();
}

// Of equations whose residuals are the sums of these.
void RestartStages::add_terms(int l, std::vector<double>& terms) {
  for (EqId eq : ids<EqId>(n))
    if (c[eq] + l < 0)
      for (const auto& [place, value] : averaged[eq.index()])
        terms[eq.index()] += std::abs(value) * size_of_content(columns[place], -(c[eq] + l) - 1);
  for (std::size_t e = 0; e < positions.size(); ++e)
    terms[tight[e].first.index()] += std::abs(entry(e) / factor(e) * unknown(tight[e].second, l));
}

// Of what content() is the difference of.
double RestartStages::size_of_content(Leaf leaf, int s) const {
  const VarId column = *system.find_column(leaf.variable);
  if (leaf.order <= s) return std::abs(impulse(column, s - leaf.order));
  const std::size_t k = slot(column, leaf.order - 1 - s);
  return std::abs(right[k]) + std::abs(left[k]);
}

// Whether the equations of the stage hold already, within the errors of the left limits: then
// nothing jumps, however badly the matrix is conditioned.
bool RestartStages::is_satisfied(int l, const std::vector<double>& f) {
  std::vector<double> sizes(n, 0.0);
  for (std::size_t e = 0; e < positions.size(); ++e)
    sizes[static_cast<std::size_t>(positions[e].first)] +=
        std::abs(entry(e) / factor(e) * unknown(tight[e].second, l));
  for (std::size_t i = 0; i < n; ++i)
    if (std::abs(f[i]) > input->noise * sizes[i]) return false;
  return true;
}

// A singular matrix leaves jumps free if the equations agree, and contradicts itself otherwise.
bool RestartStages::fail_singular(const std::vector<double>& f) {
  const std::string condition = fmt::format(
      "the system Jacobian of the new mode is singular at the restart (condition "
      "number {:.2g})",
      matrix->condition());
  if (n > 500) return fail("singular-jacobian", condition);
  const Eigen::MatrixXd dense = dense_matrix();
  const Eigen::MatrixXd free = linalg::null_space(dense);
  const Eigen::MatrixXd dependent = linalg::null_space(dense.transpose());
  if (free.cols() == 0) return fail("singular-jacobian", condition);
  const Eigen::Map<const Eigen::VectorXd> residual(f.data(), static_cast<Eigen::Index>(n));
  const double contradiction =
      (dependent.transpose() * residual).cwiseAbs().maxCoeff() / dependent.cwiseAbs().maxCoeff();
  if (contradiction > input->noise)
    return fail("over-specified-change",
                fmt::format("the change of mode is over-determined: {} contradict each other by "
                            "{:.3g}; {}",
                            quoted_list(names_of(dependent, system.equation_names)), contradiction,
                            condition));
  return fail(
      "under-specified-change",
      fmt::format("the change of mode leaves {} free: nothing determines {}; add a law "
                  "(reinit, or an equation in the when-clause); {}",
                  free.cols() == 1 ? std::string("one jump") : fmt::format("{} jumps", free.cols()),
                  quoted_list(names_of(free, system.unknown_names)), condition));
}

// As it was before it was scaled.
Eigen::MatrixXd RestartStages::dense_matrix() {
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t e = 0; e < positions.size(); ++e)
    dense(positions[e].first, positions[e].second) = entry(e) / factor(e);
  return dense;
}

// Of the rows that take part in the given null vectors.
template <typename Id>
std::vector<std::string> RestartStages::names_of(const Eigen::MatrixXd& vectors,
                                                 const IdVector<Id, std::string>& names) {
  std::vector<std::string> list;
  const double size = vectors.cwiseAbs().maxCoeff();
  for (Eigen::Index row = 0; row < vectors.rows(); ++row)
    if (vectors.row(row).cwiseAbs().maxCoeff() > 1e-6 * size)
      list.push_back(names[Id(static_cast<std::size_t>(row))]);
  return list;
}

// "equation `f2` (tank.mo:14:3)".
std::string RestartStages::equation_text(EqId eq) const {
  const SourceSet* sources = system.model->sources.get();
  const std::string place = sources != nullptr ? sources->place(system.equation_sources[eq]) : "";
  return fmt::format("equation `{}`{}", system.equation_names[eq],
                     place.empty() ? "" : fmt::format(" ({})", place));
}

std::string RestartStages::code_in(EqId eq) const {
  Walk walk;
  for (NodeId id : walk.order(system.graph(), system.residuals[eq]))
    if (is_call(system.graph().op(id)))
      return system.model->functions()[system.graph().node(id).function].name;
  return "";
}

bool RestartStages::fail_undefined(int l, const std::vector<double>& f) {
  for (const Drift& part : drifts)
    if (!part.is_known && c[part.eq] + l < 0 && !std::isfinite(f[part.eq.index()]))
      return fail("impulse-through-code",
                  fmt::format("a derivative of an impulse meets {}, where function `{}` exists "
                              "as code only",
                              equation_text(part.eq), code_in(part.eq)));
  const Stage* stage = l >= -max_c ? &stages[static_cast<std::size_t>(l + max_c)] : nullptr;
  const bool has_failed_code =
      stage != nullptr && stage->evaluator && !stage->evaluator->call_failure().empty();
  return fail("undefined-function",
              fmt::format("an equation of the new mode is undefined at the restart{}{}",
                          has_failed_code ? ": " : "",
                          has_failed_code ? stage->evaluator->call_failure() : std::string()));
}

bool RestartStages::fail(const char* status, std::string message) {
  result.status = status;
  result.message = std::move(message);
  return false;
}

}  // namespace hydae

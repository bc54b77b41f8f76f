#include "compile/restart_stages.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hydae/diagnostic.h>

#include "expr/derivative.h"
#include "expr/walk.h"
#include "linalg/rank.h"

namespace hydae {
namespace {

constexpr int kMostRestartIterations = 30;   // Newton's method from the left limits
constexpr double kRestartConverged = 1e-13;  // last correction, relative
constexpr int kRoundingPatterns = 3;         // of signs of roundings

// Of the rows that take part in the given null vectors.
template <typename Id>
std::vector<std::string> names_of(const Eigen::MatrixXd& vectors,
                                  const IdVector<Id, std::string>& names) {
  std::vector<std::string> list;
  const double size = vectors.cwiseAbs().maxCoeff();
  for (Eigen::Index row = 0; row < vectors.rows(); ++row)
    if (vectors.row(row).cwiseAbs().maxCoeff() > 1e-6 * size)
      list.push_back(names[Id(static_cast<std::size_t>(row))]);
  return list;
}

// "equation `f2` (tank.mo:14:3)".
std::string equation_text(const System& system, EqId eq) {
  const SourceSet* sources = system.model->sources.get();
  const std::string place = sources != nullptr ? sources->place(system.equation_sources[eq]) : "";
  return fmt::format("equation `{}`{}", system.equation_names[eq],
                     place.empty() ? "" : fmt::format(" ({})", place));
}

std::string code_in(const System& system, EqId eq) {
  Walk walk;
  for (NodeId id : walk.order(system.graph(), system.residuals[eq]))
    if (is_call(system.graph().op(id)))
      return system.model->functions()[system.graph().node(id).function].name;
  return "";
}

}  // namespace

RestartStages::RestartStages(const AnalyzedSystem& p)
    : prepared(p),
      system(p.system),
      c(p.structure.offsets.c),
      d(p.structure.offsets.d),
      n(p.system.unknowns.size()),
      slots(p),
      matrix(p),
      limits(p, slots) {
  for (int value : c) max_c = std::max(max_c, value);
  make_evaluators();
  make_loops();
}

// Rows that hold at the right limits, by stage; and the Jacobian of all equations by all leaves.
void RestartStages::make_evaluators() {
  const auto find_slot = [this](Leaf leaf) { return slots.find_or_add(leaf); };
  const auto* functions = &system.model->functions();
  std::vector<NodeId> residuals(system.residuals.begin(), system.residuals.end());
  equations.emplace(system.graph(), residuals, functions, find_slot);
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
    stage.evaluator.emplace(system.graph(), roots, functions, find_slot);
  }
}

// Only the loops of algebraic variables and of blocks that are solved ahead can leave Newton's
// method with a choice of roots.
void RestartStages::make_loops() {
  for (int l = -max_c; l <= 0; ++l)
    loops.emplace_back(prepared, l, [this](Leaf leaf) { return slots.find_or_add(leaf); });
}

// All stages below zero, with these weights of deltas from outside.
bool RestartStages::solve_stages(const std::vector<std::pair<EqId, double>>& sources) {
  limits.right = limits.left;
  limits.impulses.assign(n, {});
  source.assign(n, 0.0);
  int depth = max_c;
  for (const auto& [eq, weight] : sources) {
    source[eq.index()] += weight;
    depth = std::max(depth, c[eq] + 1);
  }
  for (int l = -depth; l < 0; ++l) {
    if (!drifts.are_made() && meets_derivative_of_delta()) {
      drifts.make(prepared, max_c);
      drifts.load(system, *input);
    }
    if (l >= -max_c) solve_loops(l);
    if (!solve_stage(l)) return false;
  }
  return true;
}

// A loop that is not solved here is left to those who come after: they say what is missing.
void RestartStages::solve_loops(int l) {
  RestartLoops& loop = loops[static_cast<std::size_t>(l + max_c)];
  if (loop.empty() || !loop.solve(point(limits.right), input->old_parameters, limits.right) ||
      l < 0)
    return;
  for (VarId column : loop.columns())
    result.right[column.index()].push_back(limits.right[slots.at(column, d[column])]);
}

void RestartStages::begin(const RestartInput& in) {
  input = &in;
  result = {};
  limits.left.assign(slots.size(), 0.0);
  for (VarId column : ids<VarId>(n))
    for (int order = 0; order <= d[column]; ++order)
      limits.left[slots.at(column, order)] = input->left({system.unknowns[column], order});
  for (std::size_t k = 0; k < slots.held().size(); ++k)
    limits.left[slots.first_held() + k] = input->held(slots.held()[k]);
  for (double& value : limits.left)
    if (!std::isfinite(value)) value = 0;  // was not determined before
  if (drifts.are_made()) drifts.load(system, *input);
}

// Whether some leaf contains a derivative of delta, as far as the stages are solved.
bool RestartStages::meets_derivative_of_delta() const {
  for (Leaf leaf : columns)
    for (int s = 1; s < max_c; ++s)
      if (std::abs(limits.content(leaf, s)) > error_of(leaf)) return true;
  return false;
}

double RestartStages::error_of(Leaf leaf) const {
  if (input->error) return input->error(leaf);
  const VarId column = *system.find_column(leaf.variable);
  return input->noise * std::max(1.0, std::abs(limits.left[slots.at(column, leaf.order)]));
}

Point RestartStages::point(const std::vector<double>& values) const {
  Point p;
  p.time = input->time;
  p.parameters = input->parameters;
  p.values = values;
  p.pre_values = values;
  return p;
}

// Jacobian rows averaged along the straight path from the left to the right values: what
// multiplies a jump. For an exact differential the average makes the jump of the primitive.
void RestartStages::average_jacobian() {
  averaged.assign(n, {});
  std::vector<double> values(limits.right.size());
  for (std::size_t s = 0; s < input->coefficients.size(); ++s) {
    const auto [share, weight] = input->coefficients[s];
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = limits.left[k] + share * (limits.right[k] - limits.left[k]);
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

void RestartStages::evaluate_residuals(int l, std::vector<double>& f) {
  f.assign(n, 0.0);
  if (l >= -max_c && !stages[static_cast<std::size_t>(l + max_c)].regular.empty()) {
    Stage& stage = stages[static_cast<std::size_t>(l + max_c)];
    const auto values = stage.evaluator->evaluate(point(limits.right));
    for (std::size_t k = 0; k < stage.regular.size(); ++k) f[stage.regular[k].index()] = values[k];
  }
  average_jacobian();
  for (EqId eq : ids<EqId>(n))
    if (c[eq] + l < 0) f[eq.index()] = impulsive_residual(eq, -(c[eq] + l));
}

// Rows of equations that hold at the right limits are taken there, impulsive ones on average.
void RestartStages::fill_matrix(int l) {
  matrix.clear();
  const auto& tight = matrix.tight();
  jacobian->evaluate(point(limits.right));
  std::size_t e = 0;
  for (EqId eq : ids<EqId>(n)) {
    const bool is_regular = c[eq] + l >= 0;
    const auto row = jacobian->row(eq.index());
    for (; e < tight.size() && tight[e].first == eq; ++e) {
      const Leaf leaf{system.unknowns[tight[e].second], d[tight[e].second] - c[eq]};
      for (std::size_t k = 0; k < row.size(); ++k)
        if (columns[row[k].column] == leaf)
          matrix.entry(e) = is_regular ? row[k].value : averaged[eq.index()][k].second;
    }
  }
}

// Coefficient of delta^(depth-1) in equation i.
double RestartStages::impulsive_residual(EqId eq, int depth) const {
  double sum = depth == 1 ? source[eq.index()] : 0;
  for (const auto& [place, value] : averaged[eq.index()])
    sum += value * limits.content(columns[place], depth - 1);
  for (const RestartDrifts::Drift& drift : drifts.list()) {
    if (drift.eq != eq || drift.value == 0) continue;
    const int r = drift.order, s = depth - 1 + r;
    double factor = r % 2 == 0 ? 1 : -1;  // (-1)^r times s over r
    for (int i = 1; i <= r; ++i) factor *= static_cast<double>(s - r + i) / i;
    const double part = limits.content(drift.leaf, s);
    if (drift.is_known || std::abs(part) > error_of(drift.leaf)) sum += factor * drift.value * part;
  }
  return sum;
}

bool RestartStages::solve_stage(int l) {
  std::vector<double> f, step(n + 8), rhs(n), terms(n, 0.0);
  for (int iteration = 0; iteration < kMostRestartIterations; ++iteration) {
    evaluate_residuals(l, f);
    if (!std::all_of(f.begin(), f.end(), [](double value) { return std::isfinite(value); }))
      return fail_undefined(l, f);
    fill_matrix(l);
    matrix.scale();
    if (!matrix.factorize())
      return (std::isfinite(matrix.condition()) && is_satisfied(l, f)) || fail_singular(f);
    for (std::size_t i = 0; i < n; ++i) {
      rhs[i] = -f[i];
      terms[i] = std::max(terms[i], std::abs(f[i]));
    }
    matrix.solve(rhs, step);
    for (VarId column : ids<VarId>(n)) limits.unknown(column, l) += step[column.index()];
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
      const double change = std::abs(step[column.index()]),
                   value = std::abs(limits.unknown(column, l));
      if (change > 0) size = std::max(size, change / std::max(value, unit[column.index()]));
    }
    return size;
  };
  if (const double by_values = largest(); by_values <= kRestartConverged) return by_values;
  add_terms(l, terms);
  for (int pattern = 0; pattern < kRoundingPatterns; ++pattern) {
    for (std::size_t i = 0; i < n; ++i) rhs[i] = (((i >> pattern) & 1U) != 0 ? -1 : 1) * terms[i];
    matrix.solve(rhs, response);
    for (std::size_t i = 0; i < n; ++i) unit[i] = std::max(unit[i], std::abs(response[i]));
  }
  return largest();
}

// Of equations whose residuals are the sums of these.
void RestartStages::add_terms(int l, std::vector<double>& terms) {
  for (EqId eq : ids<EqId>(n))
    if (c[eq] + l < 0)
      for (const auto& [place, value] : averaged[eq.index()])
        terms[eq.index()] +=
            std::abs(value) * limits.size_of_content(columns[place], -(c[eq] + l) - 1);
  for (std::size_t e = 0; e < matrix.tight().size(); ++e) {
    const auto [eq, column] = matrix.tight()[e];
    terms[eq.index()] += std::abs(matrix.unscaled(e) * limits.unknown(column, l));
  }
}

// Whether the equations of the stage hold already, within the errors of the left limits: then
// nothing jumps, however badly the matrix is conditioned.
bool RestartStages::is_satisfied(int l, const std::vector<double>& f) {
  std::vector<double> sizes(n, 0.0);
  for (std::size_t e = 0; e < matrix.tight().size(); ++e) {
    const auto [eq, column] = matrix.tight()[e];
    sizes[eq.index()] += std::abs(matrix.unscaled(e) * limits.unknown(column, l));
  }
  for (std::size_t i = 0; i < n; ++i)
    if (std::abs(f[i]) > input->noise * sizes[i]) return false;
  return true;
}

// A singular matrix leaves jumps free if the equations agree, and contradicts itself otherwise.
bool RestartStages::fail_singular(const std::vector<double>& f) {
  const std::string condition = fmt::format(
      "the system Jacobian of the new mode is singular at the restart (condition "
      "number {:.2g})",
      matrix.condition());
  if (n > 500) return fail("singular-jacobian", condition);
  const Eigen::MatrixXd dense = matrix.dense();
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

bool RestartStages::fail_undefined(int l, const std::vector<double>& f) {
  for (const RestartDrifts::Drift& part : drifts.list())
    if (!part.is_known && c[part.eq] + l < 0 && !std::isfinite(f[part.eq.index()]))
      return fail("impulse-through-code",
                  fmt::format("a derivative of an impulse meets {}, where function `{}` exists "
                              "as code only",
                              equation_text(system, part.eq), code_in(system, part.eq)));
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

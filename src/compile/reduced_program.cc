#include "compile/reduced_program.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hydae/error.h>

#include "base/check.h"
#include "compile/finite.h"
#include "expr/incidence.h"
#include "expr/substitute.h"

namespace hydae {
namespace {

constexpr double kDifference = 1e-6;  // relative step of a difference in time

// Guards may hold assigned variables.
std::vector<NodeId> with_assignments(const AnalyzedSystem& prepared, const Reduced& reduced,
                                     std::span<const NodeId> guards) {
  Graph& graph = prepared.system.graph();
  for (const Leaf& leaf : leaves(graph, guards)) {
    const auto column = prepared.system.find_column(leaf.variable);
    HYDAE_CHECK(!column || leaf.order <= prepared.structure.offsets.d[*column]);
  }
  Substitution substitution;
  for (const Assignment& assignment : reduced.assignments)
    substitution.leaves[assignment.leaf] = assignment.value;
  return substitute(graph, guards, substitution);
}

std::vector<NodeId> iterated_residuals(const Reduced& reduced) {
  std::vector<NodeId> roots;
  for (std::size_t i = 0; i < reduced.num_iterated_equations; ++i)
    roots.push_back(reduced.equations[i].residual);
  return roots;
}

std::vector<NodeId> assigned_values(const Reduced& reduced) {
  std::vector<NodeId> roots;
  for (const Assignment& assignment : reduced.assignments) roots.push_back(assignment.value);
  return roots;
}

void write_chains(const Reduced& reduced, const double* y, const double* yp, double* r) {
  for (std::size_t k = 0; k < reduced.chains.size(); ++k)
    r[reduced.num_iterated_equations + k] = yp[reduced.chains[k].state] - y[reduced.chains[k].next];
}

}  // namespace

ReducedProgram::ReducedProgram(const AnalyzedSystem& prepared, Reduced reduced,
                               std::span<const NodeId> guards)
    : prepared_(prepared),
      reduced_(std::make_unique<const Reduced>(std::move(reduced))),
      guard_nodes_(with_assignments(prepared, *reduced_, guards)),
      inputs_(prepared, *reduced_, guard_nodes_),
      residuals_(inputs_.program(iterated_residuals(*reduced_))),
      assignments_(inputs_.program(assigned_values(*reduced_))),
      matrix_(prepared, *reduced_, inputs_),
      linear_(prepared, *reduced_, matrix_, inputs_),
      rest_(*reduced_, matrix_),
      full_y_(reduced_->unknowns.size()),
      full_yp_(reduced_->unknowns.size()),
      assigned_(reduced_->assignments.size()) {}

void ReducedProgram::set_fixed(std::span<const double> parameters, std::span<const double> held) {
  residuals_.set_fixed(parameters, held);
  assignments_.set_fixed(parameters, held);
  matrix_.set_fixed(parameters, held);
  linear_.set_fixed(parameters, held);
}

bool ReducedProgram::has_finite_assignments() const { return are_finite(assigned_); }

bool ReducedProgram::is_defined(const ValueProgram& program, std::span<const double> values) {
  if (are_finite(values)) return true;
  if (const auto node = program.find_undefined()) {
    const bool is_in_code = is_call(prepared_.system.graph().op(*node));
    undefined_ = is_in_code && !program.call_failure().empty()
                     ? program.call_failure()
                     : fmt::format("`{}` is undefined", prepared_.system.to_string(*node));
  }
  return false;
}

bool ReducedProgram::residual(double t, const double* y, const double* yp, double* r) {
  evaluate(residuals_, t, y, yp, r);
  const bool is_iterated_defined = is_defined(residuals_, {r, residuals_.num_roots()});
  write_chains(*reduced_, y, yp, r);
  if (!is_iterated_defined || linear_.is_empty()) return is_iterated_defined;
  double* rows = r + row_of_equation(*reduced_, reduced_->num_iterated_equations);
  evaluate(linear_.equations().rows(), t, y, yp, rows);
  return is_defined(linear_.equations().rows(), {rows, linear_.equations().size()});
}

// For the first `given` unknowns.
bool ReducedProgram::solve_linear(double t, const double* y, const double* yp, std::size_t given) {
  using Outcome = LinearEquations::Outcome;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  switch (linear_.solve(t, y, yp, given)) {
    case Outcome::kSolved: return true;
    case Outcome::kUndefinedRows: return is_defined(linear_.equations().rows(), std::span(&nan, 1));
    case Outcome::kUndefinedCoefficients:
      return is_defined(linear_.equations().coefficients(), std::span(&nan, 1));
    case Outcome::kSingular: break;
  }
  undefined_ = linear_.singular_block();
  if (undefined_.empty()) undefined_ = "linear equations are singular";
  return false;
}

bool ReducedProgram::complete(double t, std::span<double> y, std::span<double> yp) {
  if (linear_.is_empty()) return true;
  const bool is_solved = solve_linear(t, y.data(), yp.data(), reduced_->num_iterated);
  linear_.write(is_solved, y, yp);
  return is_solved;
}

// The iterated unknowns with what linear equations give, in full_y_ and full_yp_.
bool ReducedProgram::extend(double t, const double* y, const double* yp) {
  std::copy(y, y + reduced_->num_iterated, full_y_.begin());
  std::copy(yp, yp + reduced_->num_iterated, full_yp_.begin());
  return complete(t, full_y_, full_yp_);
}

bool ReducedProgram::iterated_residual(double t, const double* y, const double* yp, double* r) {
  if (!linear_.is_empty()) {
    if (!extend(t, y, yp)) return false;
    y = full_y_.data();
    yp = full_yp_.data();
  }
  evaluate(residuals_, t, y, yp, r);
  write_chains(*reduced_, y, yp, r);
  return is_defined(residuals_, {r, residuals_.num_roots()});
}

bool ReducedProgram::derivatives(double t, const double* y, double* yp) {
  if (!solve_linear(t, y, nullptr, reduced_->num_states)) return false;
  linear_.write_derivatives(y, yp);
  return true;
}

bool ReducedProgram::linearize(double t, const double* y, const double* yp) {
  if (linear_.is_empty()) return differentiate(t, y, yp);
  return extend(t, y, yp) && differentiate(t, full_y_.data(), full_yp_.data());
}

bool ReducedProgram::differentiate(double t, const double* y, const double* yp) {
  matrix_.evaluate(t, y, yp);
  return is_defined(matrix_.program(), matrix_.values());
}

bool ReducedProgram::solve_rest(double t, std::span<double> y, std::span<double> yp) {
  return rest_.solve(*this, t, y, yp);
}

void ReducedProgram::estimate_rates(double t, std::span<const double> y, std::span<double> yp) {
  double rate = 1 / std::max(1.0, std::abs(t));
  for (std::size_t i = 0; i < reduced_->num_states; ++i)
    rate = std::max(rate, std::abs(yp[i]) / std::max(1e-3, std::abs(y[i])));
  const double step = kDifference / rate;
  std::vector<double> next(y.begin(), y.end()), next_rate(yp.begin(), yp.end());
  for (std::size_t i = 0; i < reduced_->num_states; ++i) next[i] += step * yp[i];
  if (!solve_rest(t + step, next, next_rate)) return;
  for (std::size_t i = reduced_->num_states; i < next.size(); ++i) yp[i] = (next[i] - y[i]) / step;
}

void ReducedProgram::load(double t, std::span<const double> y, std::span<const double> yp) {
  y_.assign(y.begin(), y.end());
  yp_.assign(yp.begin(), yp.end());
  if (!assigned_.empty()) evaluate(assignments_, t, y_.data(), yp_.data(), assigned_.data());
}

double ReducedProgram::value(VarId column, int order) const {
  const LeafPlace at = reduced_->place(column, order);
  switch (at.kind) {
    case LeafPlace::Kind::kValue: return y_[at.index];
    case LeafPlace::Kind::kDerivative: return yp_[at.index];
    default: return assigned_[at.index];
  }
}

std::string ReducedProgram::unknown_name(std::size_t i) const {
  return name_of(prepared_, reduced_->unknowns[i]);
}

}  // namespace hydae

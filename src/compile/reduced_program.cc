#include "compile/reduced_program.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hydae/error.h>

#include "base/check.h"
#include "compile/finite.h"
#include "expr/derivative.h"
#include "expr/incidence.h"
#include "expr/rewrite.h"
#include "expr/substitute.h"
#include "expr/walk.h"

namespace hydae {
namespace {

constexpr int kMostIterations = 40;
constexpr double kConverged = 1e-13;  // of a correction, relative
constexpr double kGoodEnough = 1e-8;  // where corrections stop shrinking
constexpr double kShortestShare = 1e-4;
constexpr double kDifference = 1e-6;  // relative step of a difference in time

// Where an exponential overflows its reciprocal is zero, and so are the derivatives of that; they
// would be infinite over infinite. As far as derivatives know, it stays at 1e150.
class BoundedExponentials {
 public:
  explicit BoundedExponentials(Graph& graph) : graph_(graph) {}
  NodeId operator()(NodeId id, const std::vector<NodeId>& operands) const {
    constexpr double kLargest = 345;
    const Op op = graph_.op(id);
    if ((op != Op::kExp && op != Op::kCosh && op != Op::kSinh) || graph_.is_constant(operands[0]))
      return {};
    NodeId argument = graph_.binary(Op::kMin, operands[0], graph_.constant(kLargest));
    if (op != Op::kExp) argument = graph_.binary(Op::kMax, argument, graph_.constant(-kLargest));
    return graph_.unary(op, argument);
  }

 private:
  Graph& graph_;
};

}  // namespace

ReducedProgram::ReducedProgram(const AnalyzedSystem& prepared, Reduced reduced,
                               std::span<const NodeId> given_guards)
    : prepared_(prepared),
      reduced_(std::move(reduced)),
      n_(reduced_.unknowns.size()),
      num_guards_(static_cast<int>(given_guards.size())) {
  guard_nodes_ = with_assignments(given_guards);
  find_held(guard_nodes_);
  std::vector<NodeId> roots;
  for (std::size_t i = 0; i < reduced_.num_iterated_equations; ++i)
    roots.push_back(reduced_.equations[i].residual);
  residuals_ = make_program(roots);
  roots.clear();
  for (const Assignment& assignment : reduced_.assignments) roots.push_back(assignment.value);
  assignments_ = make_program(roots);
  guards_ = make_program(guard_nodes_);
  make_entries();
  make_linear();
  make_rest();
  full_y_.resize(n_);
  full_yp_.resize(n_);
  assigned_.resize(reduced_.assignments.size());
}

// --- making
// --------------------------------------------------------------------------------------------

// Guards may hold assigned variables.
std::vector<NodeId> ReducedProgram::with_assignments(std::span<const NodeId> guards) const {
  Graph& graph = prepared_.system.graph();
  for (const Leaf& leaf : leaves(graph, guards)) {
    const auto column = prepared_.system.find_column(leaf.variable);
    HYDAE_CHECK(!column || leaf.order <= prepared_.structure.offsets.d[*column]);
  }
  Substitution substitution;
  for (const Assignment& assignment : reduced_.assignments)
    substitution.leaves[assignment.leaf] = assignment.value;
  return substitute(graph, guards, substitution);
}

void ReducedProgram::find_held(std::span<const NodeId> guards) {
  const Graph& graph = prepared_.system.graph();
  std::vector<NodeId> roots(guards.begin(), guards.end());
  for (const ReducedEquation& equation : reduced_.equations) roots.push_back(equation.residual);
  for (const Assignment& assignment : reduced_.assignments) roots.push_back(assignment.value);
  Walk walk;
  for (NodeId id : walk.order(graph, roots, Walk::Scope::kGiven)) {
    const Op op = graph.op(id);
    if (op != Op::kVariable && op != Op::kPre) continue;
    const Leaf leaf = graph.leaf_of(id);
    if (op != Op::kPre && prepared_.system.find_column(leaf.variable)) continue;
    held_places_[{op == Op::kPre, leaf}] = held_.size();
    held_.push_back({op == Op::kPre, leaf});
  }
}

// Running inputs: y, then y'.
std::size_t ReducedProgram::place(const Node& node) const {
  const Leaf leaf = node.leaf();
  const auto column = prepared_.system.find_column(leaf.variable);
  if (node.op == Op::kPre || !column) return 2 * n_ + held_places_.at({node.op == Op::kPre, leaf});
  const LeafPlace place = reduced_.place(*column, leaf.order);
  HYDAE_CHECK(place.kind != LeafPlace::Kind::kAssigned);
  return place.index + (place.kind == LeafPlace::Kind::kDerivative ? n_ : 0);
}

ValueProgram ReducedProgram::make_program(std::span<const NodeId> roots) const {
  const ValueProgram::Inputs inputs{2 * n_, held_.size(),
                                    [this](const Node& node) { return place(node); }};
  return ValueProgram(prepared_.system.graph(), roots, inputs,
                      &prepared_.system.model->functions());
}

// Iterated equations, chains, solved equations.
std::uint32_t ReducedProgram::row_of_equation(std::size_t i) const {
  const bool is_iterated = i < reduced_.num_iterated_equations;
  return static_cast<std::uint32_t>(is_iterated ? i : i + reduced_.chains.size());
}

void ReducedProgram::make_entries() {
  Graph& graph = prepared_.system.graph();
  std::vector<NodeId> roots;
  Rewriter<BoundedExponentials> bounded(graph, BoundedExponentials(graph));
  for (std::size_t i = 0; i < reduced_.equations.size(); ++i)
    for (const Partial& partial : gradient(graph, reduced_.equations[i].residual)) {
      const auto column = prepared_.system.find_column(partial.leaf.variable);
      if (!column) continue;
      const LeafPlace at = reduced_.place(*column, partial.leaf.order);
      entries_.push_back({row_of_equation(i), at.index, at.kind == LeafPlace::Kind::kDerivative,
                          bounded.rewrite(partial.derivative)});
    }
  const NodeId one = graph.constant(1), minus_one = graph.constant(-1);
  auto row = static_cast<std::uint32_t>(reduced_.num_iterated_equations);
  for (const ChainRow& chain : reduced_.chains) {
    entries_.push_back({row, chain.state, true, one});
    entries_.push_back({row, chain.next, false, minus_one});
    ++row;
  }
  std::vector<Position> positions;
  for (const Entry& entry : entries_) {
    roots.push_back(entry.value);
    positions.push_back({entry.column, entry.row});
  }
  jacobian_ = make_program(roots);
  entry_values_.resize(entries_.size());
  pattern_ = compress(n_, positions);
}

// In the linear equations the derivatives by y' of the highest states count among the unknowns if
// the system is an ODE.
void ReducedProgram::make_linear() {
  if (reduced_.num_iterated_equations == reduced_.equations.size()) return;
  constexpr std::uint32_t kGiven = 0xffffffff;
  std::vector<std::uint32_t> inputs, unknown_of_input(2 * n_, kGiven);
  const auto add = [&](std::size_t input) {
    unknown_of_input[input] = static_cast<std::uint32_t>(inputs.size());
    inputs.push_back(static_cast<std::uint32_t>(input));
  };
  if (reduced_.is_ode) {
    std::vector<bool> has_chain(n_, false);
    for (const ChainRow& chain : reduced_.chains) has_chain[chain.state] = true;
    for (std::size_t i = 0; i < reduced_.num_states; ++i)
      if (!has_chain[i]) add(n_ + i);
  }
  for (std::size_t i = reduced_.num_iterated; i < n_; ++i) add(i);
  const std::uint32_t first_row = row_of_equation(reduced_.num_iterated_equations);
  std::vector<Position> positions;
  std::vector<NodeId> rows, coefficients;
  for (const Entry& entry : entries_) {
    const std::uint32_t unknown = unknown_of_input[entry.column + (entry.is_derivative ? n_ : 0)];
    if (entry.row < first_row || unknown == kGiven) continue;
    positions.push_back({unknown, entry.row - first_row});
    coefficients.push_back(entry.value);
  }
  for (std::size_t i = reduced_.num_iterated_equations; i < reduced_.equations.size(); ++i)
    rows.push_back(reduced_.equations[i].residual);
  linear_.emplace(LinearEquations::Parts{make_program(rows), make_program(coefficients),
                                         std::move(positions), std::move(inputs)});
}

void ReducedProgram::make_rest() {
  std::vector<Position> positions;
  const auto belongs = [&](const Entry& entry) {
    return entry.is_derivative == reduced_.unknowns[entry.column].is_state;
  };
  for (const Entry& entry : entries_)
    if (belongs(entry)) positions.push_back({entry.column, entry.row});
  CompressedColumns pattern = compress(n_, positions);
  std::size_t next = 0;
  for (const Entry& entry : entries_)
    rest_slot_.push_back(belongs(entry) ? pattern.slot[next++] : kNone);
  rest_values_.resize(pattern.row.size());
  if (n_ > 0) rest_.emplace(std::move(pattern.start), std::move(pattern.row));
  correction_.resize(n_);
}

// --- running
// -------------------------------------------------------------------------------------------

void ReducedProgram::set_fixed(std::span<const double> parameters, std::span<const double> held) {
  for (ValueProgram* program : {&*residuals_, &*assignments_, &*guards_, &*jacobian_})
    program->set_fixed(parameters, held);
  if (linear_) linear_->set_fixed(parameters, held);
}

void ReducedProgram::run(ValueProgram& program, double t, const double* y, const double* yp,
                         double* out) {
  const std::span<double> inputs = program.inputs();
  std::copy(y, y + n_, inputs.begin());
  std::copy(yp, yp + n_, inputs.begin() + static_cast<std::ptrdiff_t>(n_));
  program.evaluate(t, {out, program.num_roots()});
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

void ReducedProgram::write_chains(const double* y, const double* yp, double* r) const {
  for (std::size_t k = 0; k < reduced_.chains.size(); ++k)
    r[reduced_.num_iterated_equations + k] =
        yp[reduced_.chains[k].state] - y[reduced_.chains[k].next];
}

bool ReducedProgram::residual(double t, const double* y, const double* yp, double* r) {
  run(*residuals_, t, y, yp, r);
  const bool is_iterated_defined = is_defined(*residuals_, {r, residuals_->num_roots()});
  write_chains(y, yp, r);
  if (!is_iterated_defined || !linear_) return is_iterated_defined;
  double* rows = r + row_of_equation(reduced_.num_iterated_equations);
  run(linear_->rows(), t, y, yp, rows);
  return is_defined(linear_->rows(), {rows, linear_->size()});
}

// For the first `given` unknowns; the solution stays in linear_.
bool ReducedProgram::solve_linear(double t, const double* y, const double* yp, std::size_t given) {
  const std::span<double> values = linear_->inputs().first(n_), rates = linear_->inputs().last(n_);
  std::copy(y, y + given, values.begin());
  if (reduced_.is_ode)
    for (const ChainRow& chain : reduced_.chains) rates[chain.state] = y[chain.next];
  else
    std::copy(yp, yp + given, rates.begin());
  const LinearEquations::Outcome outcome = linear_->solve(t);
  if (outcome != LinearEquations::Outcome::kSolved) explain(outcome);
  return outcome == LinearEquations::Outcome::kSolved;
}

bool ReducedProgram::complete(double t, std::span<double> y, std::span<double> yp) {
  if (!linear_) return true;
  const bool is_solved = solve_linear(t, y.data(), yp.data(), reduced_.num_iterated);
  for (const ChainRow& chain : reduced_.chains)
    if (reduced_.is_ode) yp[chain.state] = y[chain.next];
  for (std::size_t k = 0; k < linear_->size(); ++k) {
    const std::uint32_t place = linear_->places()[k];
    (place < n_ ? y[place] : yp[place - n_]) =
        is_solved ? linear_->solution()[k] : std::numeric_limits<double>::quiet_NaN();
  }
  return is_solved;
}

void ReducedProgram::explain(LinearEquations::Outcome outcome) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  switch (outcome) {
    case LinearEquations::Outcome::kSolved: return;
    case LinearEquations::Outcome::kUndefinedRows:
      is_defined(linear_->rows(), std::span(&nan, 1));
      return;
    case LinearEquations::Outcome::kUndefinedCoefficients:
      is_defined(linear_->coefficients(), std::span(&nan, 1));
      return;
    case LinearEquations::Outcome::kSingular: break;
  }
  undefined_ = singular_block();
  if (undefined_.empty()) undefined_ = "linear equations are singular";
}

std::string ReducedProgram::singular_block(double least) const {
  constexpr std::size_t kMostNames = 5;
  if (!linear_) return "";
  const auto worst = linear_->find_worst_block();
  if (!worst || !(worst->condition > least)) return "";
  std::string names;
  for (std::size_t i = 0; i < std::min(kMostNames, worst->unknowns.size()); ++i) {
    const std::size_t place = linear_->places()[worst->unknowns[i]];
    const std::string name = place < n_ ? unknown_name(place) : derivative_name(place - n_, 1);
    names += fmt::format("{}`{}`", i == 0 ? "" : ", ", name);
  }
  if (worst->unknowns.size() > kMostNames)
    names += fmt::format(" and {} more", worst->unknowns.size() - kMostNames);
  return fmt::format("the linear equations for {} are singular (condition {:.1e})", names,
                     worst->condition);
}

void ReducedProgram::read_linear_state(LinearState& state) const {
  state.signs.clear();
  state.size = 0;
  if (!linear_ || linear_->has_fixed_coefficients()) return;
  linear_->read_signs(state.signs);
  for (double value : linear_->solution()) state.size = std::max(state.size, std::abs(value));
}

// The iterated unknowns with what linear equations give, in full_y_ and full_yp_.
bool ReducedProgram::extend(double t, const double* y, const double* yp) {
  std::copy(y, y + reduced_.num_iterated, full_y_.begin());
  std::copy(yp, yp + reduced_.num_iterated, full_yp_.begin());
  return complete(t, full_y_, full_yp_);
}

bool ReducedProgram::iterated_residual(double t, const double* y, const double* yp, double* r) {
  if (linear_) {
    if (!extend(t, y, yp)) return false;
    y = full_y_.data();
    yp = full_yp_.data();
  }
  run(*residuals_, t, y, yp, r);
  write_chains(y, yp, r);
  return is_defined(*residuals_, {r, residuals_->num_roots()});
}

bool ReducedProgram::derivatives(double t, const double* y, double* yp) {
  if (!solve_linear(t, y, nullptr, reduced_.num_states)) return false;
  for (const ChainRow& chain : reduced_.chains) yp[chain.state] = y[chain.next];
  for (std::size_t k = 0; k < linear_->size(); ++k)
    if (const std::uint32_t place = linear_->places()[k]; place >= n_)
      yp[place - n_] = linear_->solution()[k];
  return true;
}

bool ReducedProgram::linearize(double t, const double* y, const double* yp) {
  if (linear_) {
    if (!extend(t, y, yp)) return false;
    y = full_y_.data();
    yp = full_yp_.data();
  }
  run(*jacobian_, t, y, yp, entry_values_.data());
  return is_defined(*jacobian_, entry_values_);
}

void ReducedProgram::matrix(double cj, double* values) const {
  std::fill(values, values + pattern_.row.size(), 0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    values[pattern_.slot[k]] +=
        entries_[k].is_derivative ? cj * entry_values_[k] : entry_values_[k];
}

void ReducedProgram::mass_times(const double* b, double* product) const {
  std::fill(product, product + n_, 0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (entries_[k].is_derivative)
      product[entries_[k].row] += entry_values_[k] * b[entries_[k].column];
}

bool ReducedProgram::guards(double t, const double* y, const double* yp, double* g) {
  run(*guards_, t, y, yp, g);
  return is_defined(*guards_, {g, guards_->num_roots()});
}

// Newton's iteration, damped: a step is halved until the correction that the same matrix gives
// behind it is smaller (Deuflhard 2004, 2.1). The states do not move; a correction is small if it
// is so for every unknown.
bool ReducedProgram::solve_rest(double t, std::span<double> y, std::span<double> yp) {
  if (n_ == 0) return true;
  double previous = std::numeric_limits<double>::infinity();
  if (!residual(t, y.data(), yp.data(), correction_.data())) return false;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    if (!factorize_rest(t, y, yp)) return false;
    rest_->solve(correction_);
    const double size = correction_size(correction_);
    if (!std::isfinite(size)) return false;
    if (size <= kConverged || (size <= kGoodEnough && size > 0.5 * previous)) {
      move_rest(y, yp, correction_, 1);
      return true;
    }
    previous = size;
    if (!take_step(t, y, yp, size)) return false;
  }
  return false;
}

bool ReducedProgram::factorize_rest(double t, std::span<const double> y,
                                    std::span<const double> yp) {
  run(*jacobian_, t, y.data(), yp.data(), entry_values_.data());
  if (!is_defined(*jacobian_, entry_values_)) return false;
  std::fill(rest_values_.begin(), rest_values_.end(), 0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (rest_slot_[k] != kNone) rest_values_[rest_slot_[k]] += entry_values_[k];
  measure_rest(y, yp);
  return rest_->factorize(rest_values_);
}

// How large an unknown would be with the largest term of its equation to itself: that is what its
// rounding errors are relative to, also where the terms cancel, in any unit of time.
void ReducedProgram::measure_rest(std::span<const double> y, std::span<const double> yp) {
  row_size_.assign(n_, 0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const Entry& entry = entries_[k];
    const double value =
        entry.is_derivative ? std::abs(yp[entry.column]) : std::max(1.0, std::abs(y[entry.column]));
    row_size_[entry.row] = std::max(row_size_[entry.row], std::abs(entry_values_[k]) * value);
  }
  rest_size_.assign(n_, std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const Entry& entry = entries_[k];
    if (rest_slot_[k] == kNone || entry_values_[k] == 0) continue;
    double& size = rest_size_[entry.column];
    size = std::min(size, row_size_[entry.row] / std::abs(entry_values_[k]));
  }
  for (double& size : rest_size_)
    if (!(size > 0)) size = 1;
}

double ReducedProgram::correction_size(std::span<const double> correction) const {
  double largest = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    const double part = std::abs(correction[i]) / rest_size_[i];
    if (!(part <= largest)) largest = part;  // a NaN stays
  }
  return largest;
}

void ReducedProgram::move_rest(std::span<double> y, std::span<double> yp,
                               std::span<const double> correction, double share) const {
  for (std::size_t i = 0; i < n_; ++i)
    (reduced_.unknowns[i].is_state ? yp[i] : y[i]) -= share * correction[i];
}

// Behind the step, the residual is in correction_.
bool ReducedProgram::take_step(double t, std::span<double> y, std::span<double> yp, double size) {
  step_ = correction_;
  for (double share = 1; share >= kShortestShare; share /= 2) {
    move_rest(y, yp, step_, share);
    if (residual(t, y.data(), yp.data(), correction_.data())) {
      next_ = correction_;
      rest_->solve(next_);
      if (correction_size(next_) < size || size <= kGoodEnough) return true;
    }
    move_rest(y, yp, step_, -share);
  }
  return false;
}

void ReducedProgram::estimate_rates(double t, std::span<const double> y, std::span<double> yp) {
  double rate = 1 / std::max(1.0, std::abs(t));
  for (std::size_t i = 0; i < reduced_.num_states; ++i)
    rate = std::max(rate, std::abs(yp[i]) / std::max(1e-3, std::abs(y[i])));
  const double step = kDifference / rate;
  std::vector<double> next(y.begin(), y.end()), next_rate(yp.begin(), yp.end());
  for (std::size_t i = 0; i < reduced_.num_states; ++i) next[i] += step * yp[i];
  if (!solve_rest(t + step, next, next_rate)) return;
  for (std::size_t i = reduced_.num_states; i < n_; ++i) yp[i] = (next[i] - y[i]) / step;
}

void ReducedProgram::load(double t, std::span<const double> y, std::span<const double> yp) {
  y_.assign(y.begin(), y.end());
  yp_.assign(yp.begin(), yp.end());
  if (!assigned_.empty()) run(*assignments_, t, y_.data(), yp_.data(), assigned_.data());
}

double ReducedProgram::value(VarId column, int order) const {
  const LeafPlace at = reduced_.place(column, order);
  switch (at.kind) {
    case LeafPlace::Kind::kValue: return y_[at.index];
    case LeafPlace::Kind::kDerivative: return yp_[at.index];
    default: return assigned_[at.index];
  }
}

std::string ReducedProgram::derivative_name(std::size_t i, int more) const {
  const Unknown& unknown = reduced_.unknowns[i];
  const std::string& name = prepared_.system.unknown_names[unknown.column];
  const int order = unknown.leaf.order + more;
  if (order == 0) return name;
  return order == 1 ? fmt::format("der({})", name) : fmt::format("der({}, {})", name, order);
}

std::string ReducedProgram::unknown_name(std::size_t i) const { return derivative_name(i, 0); }

}  // namespace hydae

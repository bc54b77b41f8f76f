#include "compile/reduced_program.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hydae/error.h>

#include "base/check.h"
#include "expr/derivative.h"
#include "expr/incidence.h"
#include "expr/substitute.h"
#include "expr/walk.h"
#include "structure/matching.h"

namespace hydae {
namespace {

constexpr int kMostIterations = 40;
constexpr double kConverged = 1e-13;  // of a correction, relative
constexpr double kGoodEnough = 1e-8;  // where corrections stop shrinking
constexpr double kShortestShare = 1e-4;
constexpr double kDifference = 1e-6;  // relative step of a difference in time

}  // namespace

ReducedProgram::ReducedProgram(const Prepared& prepared, Reduced reduced,
                               std::span<const NodeId> given_guards)
    : prepared_(prepared),
      reduced_(std::move(reduced)),
      n_(reduced_.unknowns.size()),
      num_guards_(static_cast<int>(given_guards.size())) {
  const std::vector<NodeId> guards = with_assignments(given_guards);
  find_held(guards);
  std::vector<NodeId> roots;
  for (const ReducedEquation& equation : reduced_.equations) roots.push_back(equation.residual);
  residuals_ = make_program(roots);
  roots.clear();
  for (const Assignment& assignment : reduced_.assignments) roots.push_back(assignment.value);
  assignments_ = make_program(roots);
  guards_ = make_program(guards);
  make_entries();
  make_pattern();
  make_rest();
  assigned_.resize(reduced_.assignments.size());
}

// --- making
// --------------------------------------------------------------------------------------------

// Guards may hold assigned variables, and derivatives that no equation has.
std::vector<NodeId> ReducedProgram::with_assignments(std::span<const NodeId> guards) const {
  Graph& graph = prepared_.system.graph();
  for (const Leaf& leaf : leaves(graph, guards)) {
    const auto column = prepared_.system.find_column(leaf.variable);
    if (!column || leaf.order <= prepared_.structure.offsets.d[*column]) continue;
    Diagnostics diagnostics;
    diagnostics
        .error("not-for-ida", fmt::format("a relation contains `{}`, which no equation gives",
                                          prepared_.system.to_string(graph.variable(leaf))))
        .help = "use --solver taylor";
    throw ModelError(std::move(diagnostics));
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

// Rows: the equations, then the chains.
void ReducedProgram::make_entries() {
  Graph& graph = prepared_.system.graph();
  std::vector<NodeId> roots;
  for (std::size_t i = 0; i < reduced_.equations.size(); ++i)
    for (const Partial& partial : gradient(graph, reduced_.equations[i].residual)) {
      const auto column = prepared_.system.find_column(partial.leaf.variable);
      if (!column) continue;
      const LeafPlace at = reduced_.place(*column, partial.leaf.order);
      entries_.push_back({static_cast<std::uint32_t>(i), at.index,
                          at.kind == LeafPlace::Kind::kDerivative, partial.derivative});
    }
  const NodeId one = graph.constant(1), minus_one = graph.constant(-1);
  auto row = static_cast<std::uint32_t>(reduced_.equations.size());
  for (const ChainRow& chain : reduced_.chains) {
    entries_.push_back({row, chain.state, true, one});
    entries_.push_back({row, chain.next, false, minus_one});
    ++row;
  }
  for (const Entry& entry : entries_) roots.push_back(entry.value);
  jacobian_ = make_program(roots);
  entry_values_.resize(entries_.size());
}

namespace {

struct Position {
  std::uint32_t column, row;
  auto operator<=>(const Position&) const = default;
};

// A row for each column such that no row is taken twice, if there are such.
std::optional<structure::Matching> match_rows(std::size_t n, const std::vector<Position>& sorted) {
  std::vector<structure::SignatureEntry> entries;
  for (const Position& p : sorted) entries.push_back({EqId(p.row), VarId(p.column), 0});
  auto matching = structure::compute_maximum_matching(structure::SignatureMatrix(n, n, entries));
  if (matching.size() < n) return std::nullopt;
  return matching;
}

// Compressed columns of the positions, and the place of each of them. The first row of a column is
// the one that matches it: KLU's search for a transversal, which is quadratic at worst, takes it.
// The others ascend.
template <class Index>
std::vector<std::uint32_t> compress(std::size_t n, const std::vector<Position>& positions,
                                    std::vector<Index>& start, std::vector<Index>& row) {
  std::vector<Position> sorted = positions;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (const auto matching = match_rows(n, sorted)) {
    auto begin = sorted.begin();
    for (auto at = begin; at != sorted.end(); ++at) {
      if (at->column != begin->column) begin = at;
      if (matching->var_to_eq[VarId(at->column)] == EqId(at->row)) std::rotate(begin, at, at + 1);
    }
  }
  start.assign(n + 1, 0);
  row.clear();
  for (const Position& position : sorted) {
    ++start[position.column + 1];
    row.push_back(static_cast<Index>(position.row));
  }
  for (std::size_t j = 0; j < n; ++j) start[j + 1] += start[j];
  std::vector<std::uint32_t> slots;
  for (const Position& position : positions) {
    const auto wanted = static_cast<Index>(position.row);
    auto at = row.begin() + static_cast<std::ptrdiff_t>(start[position.column]);
    const auto end = row.begin() + static_cast<std::ptrdiff_t>(start[position.column + 1]);
    if (*at != wanted) at = std::lower_bound(at + 1, end, wanted);
    slots.push_back(static_cast<std::uint32_t>(at - row.begin()));
  }
  return slots;
}

}  // namespace

void ReducedProgram::make_pattern() {
  std::vector<Position> positions;
  for (const Entry& entry : entries_) positions.push_back({entry.column, entry.row});
  slot_ = compress(n_, positions, column_start_, row_);
}

void ReducedProgram::make_rest() {
  std::vector<Position> positions;
  const auto belongs = [&](const Entry& entry) {
    return entry.is_derivative == reduced_.unknowns[entry.column].is_state;
  };
  for (const Entry& entry : entries_)
    if (belongs(entry)) positions.push_back({entry.column, entry.row});
  std::vector<int> start, row;
  const std::vector<std::uint32_t> slots = compress(n_, positions, start, row);
  std::size_t next = 0;
  for (const Entry& entry : entries_) rest_slot_.push_back(belongs(entry) ? slots[next++] : kNone);
  rest_values_.resize(row.size());
  if (n_ > 0) rest_.emplace(std::move(start), std::move(row));
  correction_.resize(n_);
}

// --- running
// -------------------------------------------------------------------------------------------

void ReducedProgram::set_fixed(std::span<const double> parameters, std::span<const double> held) {
  for (ValueProgram* program : {&*residuals_, &*assignments_, &*guards_, &*jacobian_})
    program->set_fixed(parameters, held);
}

void ReducedProgram::run(ValueProgram& program, double t, const double* y, const double* yp,
                         double* out) {
  const std::span<double> inputs = program.inputs();
  std::copy(y, y + n_, inputs.begin());
  std::copy(yp, yp + n_, inputs.begin() + static_cast<std::ptrdiff_t>(n_));
  program.evaluate(t, {out, program.num_roots()});
}

namespace {

// One test for all: an infinity or NaN stays in the sum.
bool are_finite(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += 0 * value;
  return sum == 0;
}

}  // namespace

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
  run(*residuals_, t, y, yp, r);
  const std::size_t num_equations = reduced_.equations.size();
  for (std::size_t k = 0; k < reduced_.chains.size(); ++k)
    r[num_equations + k] = yp[reduced_.chains[k].state] - y[reduced_.chains[k].next];
  return is_defined(*residuals_, {r, num_equations});
}

bool ReducedProgram::jacobian(double t, double cj, const double* y, const double* yp,
                              double* values) {
  run(*jacobian_, t, y, yp, entry_values_.data());
  std::fill(values, values + row_.size(), 0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    values[slot_[k]] += entries_[k].is_derivative ? cj * entry_values_[k] : entry_values_[k];
  return is_defined(*jacobian_, entry_values_);
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
    const double size = correction_size(y, yp, correction_);
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
  return rest_->factorize(rest_values_);
}

double ReducedProgram::correction_size(std::span<const double> y, std::span<const double> yp,
                                       std::span<const double> correction) const {
  double largest = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    const double value = reduced_.unknowns[i].is_state ? yp[i] : y[i];
    const double part = std::abs(correction[i]) / std::max(1.0, std::abs(value));
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
      if (correction_size(y, yp, next_) < size || size <= kGoodEnough) return true;
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

std::string ReducedProgram::unknown_name(std::size_t i) const {
  const Unknown& unknown = reduced_.unknowns[i];
  const std::string& name = prepared_.system.unknown_names[unknown.column];
  if (unknown.leaf.order == 0) return name;
  if (unknown.leaf.order == 1) return fmt::format("der({})", name);
  return fmt::format("der({}, {})", name, unknown.leaf.order);
}

}  // namespace hydae

#include "expr/jacobian.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <hydae/error.h>

#include "expr/local_derivative.h"
#include "expr/scalar.h"

namespace hydae {

Jacobian::Jacobian(Evaluator& evaluator, std::span<const Leaf> columns) : evaluator_(evaluator) {
  find_columns(columns);
  find_active();
  partials_.resize(evaluator.operands_.size());
  adjoints_.resize(evaluator.num_instructions());
  std::vector<bool> seen(evaluator.num_instructions());
  row_begin_.push_back(0);
  for (std::uint32_t root : evaluator.roots_) make_row(root, seen);
}

void Jacobian::find_columns(std::span<const Leaf> columns) {
  const std::vector<Leaf>& leaves = evaluator_.leaves_;
  std::vector<std::uint32_t> leaf_to_column(leaves.size(), kNoColumn);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto found = std::lower_bound(leaves.begin(), leaves.end(), columns[j]);
    if (found == leaves.end() || *found != columns[j]) continue;
    std::uint32_t& column = leaf_to_column[static_cast<std::size_t>(found - leaves.begin())];
    if (column != kNoColumn) throw UsageError("a leaf is asked for in two columns of a Jacobian");
    column = static_cast<std::uint32_t>(j);
  }
  column_.assign(evaluator_.num_instructions(), kNoColumn);
  for (std::size_t i = 0; i < column_.size(); ++i)
    if (evaluator_.instructions_[i].op == Op::kVariable)
      column_[i] = leaf_to_column[evaluator_.instructions_[i].index];
}

void Jacobian::find_active() {
  active_.assign(column_.size(), false);
  for (std::size_t i = 0; i < column_.size(); ++i) {
    const Op op = evaluator_.instructions_[i].op;
    active_[i] = column_[i] != kNoColumn;
    if (is_piecewise_constant(op)) continue;
    for (std::uint32_t operand : evaluator_.operands(i).subspan(op == Op::kSelect ? 1 : 0))
      if (active_[operand]) active_[i] = true;
    if (!active_[i] || !is_call(op)) continue;
    // Second derivatives are taken as constant.
    if (evaluator_.uses_[evaluator_.instructions_[i].index].second_input >= 0)
      active_[i] = false;
    else
      require_derivatives(i);
  }
}

// The function must give one derivative more than the expression asks for.
void Jacobian::require_derivatives(std::size_t i) {
  const auto& use = evaluator_.uses_[evaluator_.instructions_[i].index];
  const int order = 1 + (use.input >= 0);
  FunctionPoint& point = evaluator_.sites_[use.site].point;
  if (point.order() < order) point = FunctionPoint(point.function(), order);
}

// `seen` is all false before and after. Descending numbers visit every instruction after all that
// use it.
void Jacobian::make_row(std::uint32_t root, std::vector<bool>& seen) {
  const std::size_t begin = steps_.size();
  if (active_[root]) {
    steps_.push_back(root);
    seen[root] = true;
  }
  for (std::size_t next = begin; next < steps_.size(); ++next)
    for (std::uint32_t operand : evaluator_.operands(steps_[next])) {
      if (!active_[operand] || seen[operand]) continue;
      seen[operand] = true;
      steps_.push_back(operand);
    }
  for (std::size_t k = begin; k < steps_.size(); ++k) seen[steps_[k]] = false;
  std::sort(steps_.begin() + static_cast<std::ptrdiff_t>(begin), steps_.end(), std::greater<>());
  row_begin_.push_back(steps_.size());
}

std::span<const double> Jacobian::evaluate(const Point& point) {
  const auto values = evaluator_.evaluate(point);
  for (std::size_t i = 0; i < active_.size(); ++i)
    if (active_[i]) compute_partials(i, point.homotopy);
  return values;
}

void Jacobian::compute_partials(std::size_t i, double homotopy) {
  const Op op = evaluator_.instructions_[i].op;
  const auto operands = evaluator_.operands(i);
  if (operands.empty()) return;
  double* d = &partials_[evaluator_.instructions_[i].first_operand];
  if (op == Op::kSelect) {
    const double condition = evaluator_.operand(i, 0);
    d[0] = 0;
    d[1] = std::isnan(condition) ? condition : condition != 0;
    d[2] = std::isnan(condition) ? condition : condition == 0;
  } else if (op == Op::kSmooth) {
    d[0] = 0;
    d[1] = 1;
  } else if (op == Op::kHomotopy) {
    d[0] = homotopy;
    d[1] = 1 - homotopy;
  } else if (is_call(op)) {
    const auto& use = evaluator_.uses_[evaluator_.instructions_[i].index];
    const auto& site = evaluator_.sites_[use.site];
    for (int k = 0; k < static_cast<int>(operands.size()); ++k)
      d[k] = site.has_failed ? std::nan("")
             : use.input < 0 ? site.point.derivative(use.output, k)
                             : site.point.derivative(use.output, use.input, k);
  } else {
    const bool is_binary = operands.size() == 2;
    const Slopes s = slopes(op, evaluator_.values_[i], evaluator_.operand(i, 0),
                            is_binary ? evaluator_.operand(i, 1) : 0);
    d[0] = s.by_a;
    if (is_binary) d[1] = s.by_b;
  }
}

std::span<const JacobianEntry> Jacobian::row(std::size_t root) {
  row_.clear();
  if (row_begin_[root] < row_begin_[root + 1]) adjoints_[evaluator_.roots_[root]] = 1;
  for (std::size_t k = row_begin_[root]; k < row_begin_[root + 1]; ++k) {
    const std::uint32_t i = steps_[k];
    const double adjoint = adjoints_[i];
    adjoints_[i] = 0;
    if (column_[i] != kNoColumn)
      row_.push_back({column_[i], adjoint});
    else if (adjoint != 0)  // what is not used must not spoil the sum, even if it is undefined
      hand_down(i, adjoint);
  }
  std::sort(row_.begin(), row_.end(),
            [](const JacobianEntry& a, const JacobianEntry& b) { return a.column < b.column; });
  return row_;
}

void Jacobian::hand_down(std::uint32_t i, double adjoint) {
  const auto operands = evaluator_.operands(i);
  const double* d = &partials_[evaluator_.instructions_[i].first_operand];
  for (std::size_t k = 0; k < operands.size(); ++k)
    if (active_[operands[k]] && d[k] != 0) adjoints_[operands[k]] += adjoint * d[k];
}

void Jacobian::multiply(std::span<const double> matrix, std::size_t width,
                        std::vector<double>& product) {
  tangents_.assign(active_.size() * width, 0);
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (!active_[i]) continue;
    double* tangent = tangents_.data() + i * width;
    if (column_[i] != kNoColumn) {
      std::copy_n(matrix.data() + column_[i] * width, width, tangent);
      continue;
    }
    const auto operands = evaluator_.operands(i);
    const double* d = &partials_[evaluator_.instructions_[i].first_operand];
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (!active_[operands[k]] || d[k] == 0) continue;  // as in hand_down
      for (std::size_t j = 0; j < width; ++j)
        tangent[j] += d[k] * tangents_[operands[k] * width + j];
    }
  }
  product.clear();
  for (const std::uint32_t root : evaluator_.roots_) {
    const double* tangent = tangents_.data() + root * width;
    product.insert(product.end(), tangent, tangent + width);
  }
}

}  // namespace hydae

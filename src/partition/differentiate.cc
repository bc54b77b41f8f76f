#include "partition/differentiate.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include <hydae/error.h>

#include "expr/derivative.h"
#include "expr/incidence.h"
#include "expr/substitute.h"
#include "partition/mass_blocks.h"

namespace hydae::partition {

namespace {

bool contains_leaf(const Graph& graph, NodeId root, Leaf leaf) {
  const std::vector<Leaf> all = leaves(graph, std::span(&root, 1));
  return std::binary_search(all.begin(), all.end(), leaf);
}

std::string derivative_name(const std::string& name, std::size_t times) {
  return times == 1 ? fmt::format("der({})", name) : fmt::format("der({}, {})", name, times);
}

}  // namespace

ConstraintDifferentiation::ConstraintDifferentiation(FirstOrderSystem& system,
                                                     const Partition& known, const RowMatrix& mass)
    : system_(system),
      graph_(system.graph()),
      pair_of_(system.columns.size()),
      block_of_(system.columns.size()) {
  for (const Transformation& block : known.transformations) {
    transformed_.insert(block.variables.begin(), block.variables.end());
  }
  for (const Pair& pair : known.index1) {
    if (!transformed_.contains(pair.variable)) pair_of_[pair.variable] = pair.equation;
  }
  find_mass_blocks(mass);
}

void ConstraintDifferentiation::find_mass_blocks(const RowMatrix& mass) {
  for (const MassBlock& block : split_mass(mass)) {
    for (VarId j : block.variables) block_of_[j] = block.equations;
  }
}

void ConstraintDifferentiation::differentiate(const std::vector<EqId>& rows) {
  settle_pending();
  std::vector<NodeId> derivatives;
  for (EqId i : rows) {
    row_at_work_ = i;
    derivatives.push_back(expand(total_derivative(graph_, system_.rows[i].residual)));
    add_auxiliary_rows();
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    SystemRow& row = system_.rows[rows[k]];
    row.lower.push_back(row.residual);
    row.residual = derivatives[k];
    row.determines = VarId();
  }
}

void ConstraintDifferentiation::settle_pending() {
  for (EqId i : ids<EqId>(system_.rows.size())) {
    if (!system_.rows[i].given.is_valid()) continue;
    const NodeId residual = system_.rows[i].residual;
    for (const Leaf& leaf : leaves(graph_, std::span(&residual, 1))) {
      const auto column = system_.find_column(leaf.variable);
      if (!column || !system_.is_pending(*column)) continue;
      const VarId base = system_.columns[*column].rate_of;
      if (!pair_of_[base].is_valid()) continue;
      row_at_work_ = i;
      system_.columns[*column].is_input = false;
      waiting_.push_back(base);
      add_auxiliary_rows();
    }
  }
}

NodeId ConstraintDifferentiation::expand(NodeId root) {
  Substitution substitution;
  for (const Leaf& leaf : leaves(graph_, std::span(&root, 1))) {
    if (leaf.order != 1) continue;
    if (const auto column = system_.find_column(leaf.variable)) {
      substitution.leaves[leaf] = rate_of(*column);
    }
  }
  return substitution.leaves.empty() ? root : substitute(graph_, root, substitution);
}

NodeId ConstraintDifferentiation::rate_of(VarId column) {
  if (const auto known = rates_.find(column); known != rates_.end()) return known->second;
  NodeId rate = find_explicit_rate(column);
  if (!rate.is_valid()) rate = make_auxiliary(column);
  return rates_[column] = rate;
}

// A differential variable alone in its mass block; or an index-1 variable that its constraint gives
// as a function of differential variables alone.
NodeId ConstraintDifferentiation::find_explicit_rate(VarId column) {
  if (column.index() >= block_of_.size() || system_.column_to_rate.contains(column)) return {};
  const std::vector<EqId>& block = block_of_[column];
  const VarId symbol = system_.columns[column].symbol;
  if (block.size() == 1) {
    const NodeId formula = solved_for(system_.rows[block[0]].residual, {symbol, 1});
    const auto has_other_rate = [&](const Leaf& leaf) {
      return leaf.order > 0 && system_.find_column(leaf.variable).has_value();
    };
    if (!formula.is_valid()) return {};
    const std::vector<Leaf> used = leaves(graph_, std::span(&formula, 1));
    return std::none_of(used.begin(), used.end(), has_other_rate) ? formula : NodeId();
  }
  if (!block.empty() || !pair_of_[column].is_valid()) return {};
  const NodeId constraint = system_.rows[pair_of_[column]].residual;
  // A coefficient that varies may vanish although the constraint has a pivot.
  if (!graph_.is_constant(partial(graph_, constraint, {symbol, 0}))) return {};
  const NodeId formula = solved_for(constraint, {symbol, 0});
  if (!formula.is_valid()) return {};
  for (const Leaf& leaf : leaves(graph_, std::span(&formula, 1))) {
    const auto used = system_.find_column(leaf.variable);
    if (used && (leaf.order > 0 || used->index() >= block_of_.size() || block_of_[*used].empty()))
      return {};
  }
  return expand(total_derivative(graph_, formula));
}

NodeId ConstraintDifferentiation::solved_for(NodeId residual, Leaf leaf) const {
  const NodeId coefficient = partial(graph_, residual, leaf);
  if (graph_.is_constant(coefficient, 0.0) || contains_leaf(graph_, coefficient, leaf)) return {};
  Substitution zero;
  zero.leaves[leaf] = graph_.constant(0);
  const NodeId rest = graph_.unary(Op::kNeg, substitute(graph_, residual, zero));
  return graph_.binary(Op::kDiv, rest, coefficient);
}

NodeId ConstraintDifferentiation::make_auxiliary(VarId column) {
  if (const auto made = system_.column_to_rate.find(column); made != system_.column_to_rate.end()) {
    return system_.value(made->second);
  }
  if (transformed_.contains(column)) {
    throw UsageError(
        fmt::format("`{}` cannot be differentiated: it needs the derivative of `{}`, "
                    "which a rank-deficient mass matrix leaves open",
                    system_.rows[row_at_work_].name, system_.columns[column].name));
  }
  SystemColumn added;
  added.name = fmt::format("der({})", system_.columns[column].name);
  added.rate_of = column;
  const bool is_determined = column.index() < block_of_.size() &&
                             (!block_of_[column].empty() || pair_of_[column].is_valid());
  added.is_input = !is_determined;
  const VarId made = system_.add_column(std::move(added));
  if (is_determined) waiting_.push_back(column);
  return system_.value(made);
}

void ConstraintDifferentiation::add_auxiliary_rows() {
  while (!waiting_.empty()) {
    const VarId column = waiting_.back();
    waiting_.pop_back();
    if (!block_of_[column].empty()) add_rows_of_mass_block(column);
    if (!pair_of_[column].is_valid()) continue;
    system_.rows[pair_of_[column]].determines = column;
    const SystemRow constraint = system_.rows[pair_of_[column]];
    const NodeId residual = expand(total_derivative(graph_, constraint.residual));
    system_.rows.push_back({residual,
                            SystemEquation::Kind::kAuxiliary,
                            derivative_name(constraint.name, constraint.lower.size() + 1),
                            EqId(),
                            constraint.source,
                            {},
                            system_.column_to_rate.at(column)});
  }
}

// The equations of the block once more, with auxiliary variables for the derivatives in them.
void ConstraintDifferentiation::add_rows_of_mass_block(VarId column) {
  const std::vector<EqId> block = block_of_[column];
  if (!blocks_done_.insert(block.front()).second) return;
  for (EqId i : block) {
    const NodeId residual = system_.rows[i].residual;
    Substitution substitution;
    for (const Leaf& leaf : leaves(graph_, std::span(&residual, 1))) {
      const auto used = system_.find_column(leaf.variable);
      if (used && leaf.order == 1) substitution.leaves[leaf] = make_auxiliary(*used);
    }
    const std::string name = fmt::format("{} for {}", system_.rows[i].name,
                                         system_.columns[system_.column_to_rate.at(column)].name);
    system_.rows.push_back({substitute(graph_, residual, substitution),
                            SystemEquation::Kind::kAuxiliary,
                            name,
                            EqId(),
                            system_.rows[i].source,
                            {}});
  }
}

}  // namespace hydae::partition

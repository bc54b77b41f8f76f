#include "compile/initial_system.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include <hydae/error.h>

#include "base/derivative_name.h"
#include "compile/initial_discrete.h"
#include "compile/start_values.h"
#include "expr/derivative.h"
#include "expr/evaluate.h"
#include "expr/incidence.h"
#include "structure/blt.h"
#include "structure/dulmage_mendelsohn.h"

namespace hydae {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class InitialSystemBuilder {
 public:
  InitialSystemBuilder(const AnalyzedSystem& prepared, const InitializeOptions& options)
      : p_(prepared),
        system_(prepared.system),
        model_(*prepared.system.model),
        graph_(prepared.system.graph()),
        parameters_(model_.parameter_values()),
        time_(options.time.value_or(model_.experiment.start_time.value_or(0.0))) {
    result_.prepared = &prepared;
    result_.guesses = options.guesses;
    GivenStarts given = collect_given_starts(model_, parameters_, options.start_values);
    starts_ = std::move(given.chosen);
    result_.other_starts = std::move(given.others);
    collect_initial_equations(options);
    find_rates();
  }

  InitialSystem build(std::span<const ObservedVariable> observed) {
    last_stage_ = needed_stage();
    make_columns();
    make_rows();
    make_held();
    for (const ObservedVariable& variable : observed) add_observer(variable);
    return std::move(result_);
  }

 private:
  void collect_initial_equations(const InitializeOptions& options) {
    const InitialEquationRoles roles = sort_initial_equations(model_, options.start_values);
    for (std::size_t k = 0; k < roles.is_continuous.size(); ++k) {
      if (!roles.is_continuous[k]) continue;
      const Equation& equation = model_.initial_equations()[k];
      initial_residuals_.push_back(
          graph_.binary(Op::kSub, equation.lhs.in(graph_), equation.rhs.in(graph_)));
      initial_equations_.push_back(&equation);
    }
  }

  // der(x) = v or -v
  void find_rates() {
    for (const NodeId residual : system_.residuals) {
      const Op op = graph_.op(residual);
      if (op != Op::kAdd && op != Op::kSub) continue;
      const NodeId a = graph_.operands(residual)[0], b = graph_.operands(residual)[1];
      if (graph_.op(a) != Op::kVariable || graph_.op(b) != Op::kVariable) continue;
      const Leaf first = graph_.leaf_of(a), second = graph_.leaf_of(b);
      if (first.order == 1 && second.order == 0) rate_of_[second.variable] = first.variable;
      if (first.order == 0 && second.order == 1) rate_of_[first.variable] = second.variable;
    }
  }

  // x' = v, v' = x: neither is the position.
  int level_of(Leaf leaf) const {
    int level = leaf.order;
    std::size_t steps = 0;
    for (auto at = rate_of_.find(leaf.variable); at != rate_of_.end();
         at = rate_of_.find(at->second), ++level)
      if (++steps > rate_of_.size()) return leaf.order;
    return level;
  }

  int needed_stage() const {
    int stage = 0;
    const auto consider = [&](Leaf leaf) {
      if (const auto column = system_.find_column(leaf.variable))
        stage = std::max(stage, leaf.order - p_.structure.offsets.d[*column]);
    };
    for (const auto& [leaf, start] : starts_)
      if (start.is_fixed) consider(leaf);
    for (NodeId residual : initial_residuals_)
      for (const Leaf& leaf : incidence(graph_, residual)) consider(leaf);
    return stage;
  }

  // Without a structure that can be trusted everything is one block.
  template <class Id>
  BlockId block_of(Id id) const {
    return p_.structure.fine.size() == 0 ? BlockId(0) : p_.structure.fine.block_of(id);
  }

  double attribute(const std::optional<Expr>& expr, double otherwise) const {
    return expr ? number_of(model_, *expr, parameters_).value_or(otherwise) : otherwise;
  }

  void make_columns() {
    for (VarId column : ids<VarId>(system_.unknowns.size())) {
      const VarId variable = system_.unknowns[column];
      const int d = p_.structure.offsets.d[column];
      for (int order = 0; order <= d + last_stage_; ++order) {
        InitialColumn entry;
        entry.leaf = {variable, order};
        entry.name = derivative_name(system_.unknown_names[column], order);
        entry.stage = order - d;
        entry.block = block_of(column);
        entry.level = level_of(entry.leaf);
        add_attributes(entry);
        result_.leaf_to_column[entry.leaf] = static_cast<int>(result_.columns.size());
        result_.columns.push_back(std::move(entry));
      }
    }
  }

  void add_attributes(InitialColumn& entry) const {
    entry.min = -kInfinity;
    entry.max = kInfinity;
    if (entry.leaf.variable.index() < model_.num_variables()) {
      const Variable& variable = model_.all_variables()[entry.leaf.variable];
      const double nominal = std::abs(attribute(variable.nominal, 1.0));
      if (nominal > 0 && std::isfinite(nominal)) entry.nominal = nominal;
      entry.state_select = variable.state_select;
      entry.has_fixed_sibling = has_fixed_sibling(entry.leaf);
      if (entry.leaf.order == 0) {
        entry.min = attribute(variable.min, -kInfinity);
        entry.max = attribute(variable.max, kInfinity);
      }
    }
    if (const auto added = system_.definitions.find(entry.leaf.variable);
        added != system_.definitions.end()) {
      entry.guess = value_at_start(total_derivative(graph_, added->second, entry.leaf.order));
      return;
    }
    const auto start = starts_.find(entry.leaf);
    if (start == starts_.end()) {
      entry.guess = entry.min <= entry.max ? std::clamp(0.0, entry.min, entry.max) : 0.0;
      return;
    }
    entry.has_start = true;
    entry.guess = start->second.leaf_value();
    entry.is_fixed = start->second.is_fixed;
    entry.is_of_options = start->second.is_of_options;
    entry.start_name = start->second.name;
    entry.start_factor = start->second.factor;
  }

  // The start values of a variable stand together.
  bool has_fixed_sibling(Leaf leaf) const {
    for (auto at = starts_.lower_bound({leaf.variable, 0});
         at != starts_.end() && at->first.variable == leaf.variable; ++at)
      if (at->first.order != leaf.order && at->second.is_fixed) return true;
    return false;
  }

  // An expression at the start values; what has none counts as zero.
  double value_at_start(NodeId root) const {
    Evaluator evaluator(graph_, std::span(&root, 1), &model_.functions());
    std::vector<double> values;
    for (Leaf leaf : evaluator.leaves()) {
      const auto start = starts_.find(leaf);
      values.push_back(start == starts_.end() ? 0.0 : start->second.leaf_value());
    }
    const double value =
        evaluator.evaluate({.time = time_, .parameters = parameters_, .values = values}).front();
    return std::isfinite(value) ? value : 0.0;
  }

  void make_rows() {
    for (EqId eq : ids<EqId>(system_.residuals.size())) {
      const int c = p_.structure.offsets.c[eq];
      for (int order = 0; order <= c + last_stage_; ++order) {
        const NodeId residual = total_derivative(graph_, system_.residuals[eq], order);
        result_.rows.push_back({residual, derivative_name(system_.equation_names[eq], order),
                                order - c, block_of(eq), system_.equation_sources[eq]});
      }
    }
    for (std::size_t k = 0; k < initial_residuals_.size(); ++k) add_initial_row(k);
  }

  // An initial equation belongs to the latest of its variables.
  void add_initial_row(std::size_t k) {
    InitialRow row;
    row.residual = initial_residuals_[k];
    row.name = initial_equations_[k]->name;
    row.source = initial_equations_[k]->source;
    row.is_initial = true;
    row.text = fmt::format("{} = {}", model_.to_string(initial_equations_[k]->lhs),
                           model_.to_string(initial_equations_[k]->rhs));
    row.stage = std::numeric_limits<int>::min();
    for (const Leaf& leaf : leaves(graph_, std::span(&row.residual, 1))) {
      const auto at = result_.leaf_to_column.find(leaf);
      if (at == result_.leaf_to_column.end()) continue;
      const InitialColumn& column = result_.columns[static_cast<std::size_t>(at->second)];
      if (std::pair(column.stage, column.block) < std::pair(row.stage, row.block)) continue;
      row.stage = column.stage;
      row.block = column.block;
    }
    result_.rows.push_back(std::move(row));
  }

  void make_held() {
    for (VarId variable : ids<VarId>(model_.num_variables()))
      if (!system_.find_column(variable))
        result_.held[{variable, 0}] = start_value(model_, {variable, 0}, parameters_).value_or(0.0);
  }

  // Behind all blocks, as an algebraic variable with an equation of its own.
  void add_observer(const ObservedVariable& observed) {
    const Variable& variable = model_.all_variables()[observed.variable];
    InitialObserver observer;
    InitialColumn& column = observer.column;
    column.leaf = {observed.variable, 0};
    add_attributes(column);
    if (!column.has_start && !variable.min && !variable.max) return;
    column.name = variable.name;
    column.block =
        BlockId(std::max<std::size_t>(p_.structure.fine.size(), 1) + observed.variable.index());
    observer.value = observed.value;
    const Equation& equation = model_.equations()[observed.equation];
    observer.row = {NodeId(), equation.name, 0, column.block, equation.source};
    result_.observers.push_back(std::move(observer));
  }

  const AnalyzedSystem& p_;
  const System& system_;
  const Model& model_;
  Graph& graph_;
  std::vector<double> parameters_;
  double time_;
  std::map<Leaf, GivenStart> starts_;
  std::map<VarId, VarId> rate_of_;  // v to x
  std::vector<NodeId> initial_residuals_;
  std::vector<const Equation*> initial_equations_;
  int last_stage_ = 0;
  InitialSystem result_;
};

std::vector<int> unknown_columns(const std::vector<bool>& is_known) {
  std::vector<int> columns;
  for (std::size_t k = 0; k < is_known.size(); ++k)
    if (!is_known[k]) columns.push_back(static_cast<int>(k));
  return columns;
}

// Groups by (stage, block) of some rows and columns; empty if one of them has more rows than it can
// match with its columns.
std::vector<InitialGroup> stage_groups(const InitialSystem& system, const InitialGroup& part) {
  std::map<std::pair<int, BlockId>, InitialGroup> groups;
  for (int row : part.rows) {
    const InitialRow& entry = system.rows[static_cast<std::size_t>(row)];
    groups[{entry.stage, entry.block}].rows.push_back(row);
  }
  for (int column : part.columns) {
    const InitialColumn& entry = system.columns[static_cast<std::size_t>(column)];
    groups[{entry.stage, entry.block}].columns.push_back(column);
  }
  std::vector<InitialGroup> result;
  for (auto& [key, group] : groups) {
    if (group.rows.empty()) continue;
    const auto pattern = pattern_of(system, group.rows, group.columns);
    if (structure::compute_maximum_matching(pattern).size() < group.rows.size()) return {};
    result.push_back(std::move(group));
  }
  return result;
}

template <class I>
std::vector<int> picked(std::span<const I> places, const std::vector<int>& from) {
  std::vector<int> result;
  for (I place : places) result.push_back(from[place.index()]);
  return result;
}

std::vector<int> all_rows(const InitialSystem& system) {
  std::vector<int> rows(system.rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<int>(k);
  return rows;
}

// Over-determined part first, then the well-determined one block by block, then the rest, by stages
// where they have room: each contains only columns of its own and of earlier groups.
std::vector<InitialGroup> dulmage_mendelsohn_groups(const InitialSystem& system,
                                                    const std::vector<bool>& is_known,
                                                    bool by_stages) {
  const std::vector<int> rows = all_rows(system), columns = unknown_columns(is_known);
  const structure::SignatureMatrix pattern = pattern_of(system, rows, columns);
  const auto dm = structure::compute_dulmage_mendelsohn(pattern);
  const auto picked_part = [&](const structure::SystemPart& part) {
    return InitialGroup{picked<EqId>(part.eqs, rows), picked<VarId>(part.vars, columns)};
  };
  std::vector<InitialGroup> groups;
  if (!dm.over.eqs.empty()) groups.push_back(picked_part(dm.over));
  if (!dm.well.eqs.empty()) {
    const auto blocks =
        *structure::find_block_triangular_form(pattern.submatrix(dm.well.eqs, dm.well.vars));
    for (BlockId b : ids<BlockId>(blocks.size())) {
      InitialGroup group;
      for (EqId eq : blocks.eqs(b)) group.rows.push_back(rows[dm.well.eqs[eq.index()].index()]);
      for (VarId var : blocks.vars(b))
        group.columns.push_back(columns[dm.well.vars[var.index()].index()]);
      groups.push_back(std::move(group));
    }
  }
  if (dm.under.eqs.empty()) return groups;
  const InitialGroup under = picked_part(dm.under);
  std::vector<InitialGroup> parts;
  if (by_stages) parts = stage_groups(system, under);
  if (parts.empty()) parts.push_back(under);
  groups.insert(groups.end(), parts.begin(), parts.end());
  return groups;
}

}  // namespace

InitialSystem make_initial_system(const AnalyzedSystem& prepared, const InitializeOptions& options,
                                  std::span<const ObservedVariable> observed) {
  return InitialSystemBuilder(prepared, options).build(observed);
}

std::vector<bool> fixed_columns(const InitialSystem& system) {
  std::vector<bool> result;
  for (const InitialColumn& column : system.columns) result.push_back(column.is_fixed);
  return result;
}

structure::SignatureMatrix pattern_of(const InitialSystem& system, std::span<const int> rows,
                                      std::span<const int> columns) {
  std::map<int, VarId> place;
  for (std::size_t k = 0; k < columns.size(); ++k) place[columns[k]] = VarId(k);
  structure::SignatureBuilder builder(columns.size());
  std::vector<structure::SignatureMatrix::InRow> entries;
  Incidence incidence;
  const Graph& graph = system.prepared->system.graph();
  for (int row : rows) {
    entries.clear();
    for (const Leaf& leaf :
         incidence.leaves(graph, system.rows[static_cast<std::size_t>(row)].residual)) {
      const auto column = system.leaf_to_column.find(leaf);
      if (column == system.leaf_to_column.end()) continue;
      if (const auto at = place.find(column->second); at != place.end())
        entries.push_back({at->second, 0});
    }
    builder.add_equation(entries);
  }
  return builder.build();
}

InitialDiagnosis diagnose(const InitialSystem& system) {
  const std::vector<int> rows = all_rows(system), columns = unknown_columns(fixed_columns(system));
  const auto dm = structure::compute_dulmage_mendelsohn(pattern_of(system, rows, columns));
  const auto part = [&](const structure::SystemPart& found) {
    return InitialGroup{picked<EqId>(found.eqs, rows), picked<VarId>(found.vars, columns)};
  };
  return {part(dm.over), part(dm.under)};
}

std::vector<InitialGroup> arrange_groups(const InitialSystem& system,
                                         const std::vector<bool>& is_known) {
  std::vector<InitialGroup> groups =
      stage_groups(system, {all_rows(system), unknown_columns(is_known)});
  return groups.empty() ? dulmage_mendelsohn_groups(system, is_known, true) : groups;
}

std::vector<InitialGroup> arrange_together(const InitialSystem& system,
                                           const std::vector<bool>& is_known) {
  return dulmage_mendelsohn_groups(system, is_known, false);
}

}  // namespace hydae

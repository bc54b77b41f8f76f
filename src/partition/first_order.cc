#include "partition/first_order.h"

#include <algorithm>
#include <fmt/format.h>

#include "expr/incidence.h"
#include "expr/substitute.h"

namespace hydae::partition {

namespace {

class FirstOrderForm {
 public:
  FirstOrderForm(const System& system, const std::vector<bool>& is_input)
      : given_(system), is_input_(is_input), orders_(system.unknowns.size(), 0) {
    result_.model = system.model;
  }

  FirstOrderSystem make() {
    find_orders();
    for (VarId j : ids<VarId>(orders_.size())) add_column(j, 0, given_.unknowns[j]);
    for (VarId j : ids<VarId>(orders_.size())) add_derivatives(j);
    add_given_rows();
    for (const auto& [lower, upper] : definitions_) add_definition(lower, upper);
    return std::move(result_);
  }

 private:
  void find_orders() {
    Incidence incidence;
    for (NodeId residual : given_.residuals) {
      for (const Leaf& leaf : incidence.of(given_.graph(), residual)) {
        if (const auto j = given_.find_column(leaf.variable)) {
          orders_[*j] = std::max(orders_[*j], leaf.order);
        }
      }
    }
  }

  bool is_input(VarId j) const { return is_input_[given_.unknowns[j].index()]; }

  VarId add_column(VarId j, int order, VarId symbol) {
    const VarId variable = given_.unknowns[j];
    return result_.add_column({symbol, given_.model->variable_name(variable, order), variable,
                               order, VarId(), is_input(j)});
  }

  // Columns for derivatives below the highest; of an input for all of them.
  void add_derivatives(VarId j) {
    Graph& graph = given_.graph();
    const VarId variable = given_.unknowns[j];
    VarId lower = *result_.find_column(variable);
    const int last = is_input(j) ? orders_[j] : orders_[j] - 1;
    for (int order = 1; order <= last; ++order) {
      const VarId upper = add_column(j, order, VarId());
      substitution_.leaves[{variable, order}] = result_.value(upper);
      if (!is_input(j)) definitions_.emplace_back(lower, upper);
      lower = upper;
    }
    if (!is_input(j) && orders_[j] > 1) {
      substitution_.leaves[{variable, orders_[j]}] = graph.variable(symbol_of(lower), 1);
    }
  }

  VarId symbol_of(VarId column) const { return result_.columns[column].symbol; }

  void add_given_rows() {
    const std::vector<NodeId> residuals =
        substitute(given_.graph(), given_.residuals.raw(), substitution_);
    for (EqId i : ids<EqId>(residuals.size())) {
      result_.rows.push_back({residuals[i.index()],
                              SystemEquation::Kind::kGiven,
                              given_.equation_names[i],
                              i,
                              given_.equation_sources[i],
                              {}});
    }
  }

  void add_definition(VarId lower, VarId upper) {
    const NodeId residual =
        given_.graph().binary(Op::kSub, result_.rate(lower), result_.value(upper));
    const std::string name = fmt::format("definition of {}", result_.columns[upper].name);
    result_.rows.push_back({residual, SystemEquation::Kind::kDefinition, name, EqId(), {}, {}});
  }

  const System& given_;
  const std::vector<bool>& is_input_;
  IdVector<VarId, int> orders_;  // by unknown of the given system
  Substitution substitution_;
  std::vector<std::pair<VarId, VarId>> definitions_;  // column, and the column of its derivative
  FirstOrderSystem result_;
};

}  // namespace

std::optional<VarId> FirstOrderSystem::find_column(VarId symbol) const {
  const auto at = symbol_to_column.find(symbol);
  return at == symbol_to_column.end() ? std::nullopt : std::optional(at->second);
}

VarId FirstOrderSystem::add_column(SystemColumn column) {
  // Symbols of the model come first: the highest one so far, or the last variable of the model.
  if (!column.symbol.is_valid()) {
    const std::size_t last =
        symbol_to_column.empty() ? 0 : symbol_to_column.rbegin()->first.index() + std::size_t{1};
    column.symbol = VarId(std::max(last, model->num_variables()));
  }
  const VarId id(columns.size());
  symbol_to_column[column.symbol] = id;
  if (column.rate_of.is_valid()) column_to_rate[column.rate_of] = id;
  return columns.push_back(std::move(column));
}

bool FirstOrderSystem::is_pending(VarId column) const {
  if (!columns[column].is_input || !columns[column].rate_of.is_valid()) return false;
  VarId base = column;
  while (columns[base].rate_of.is_valid()) base = columns[base].rate_of;
  return !columns[base].is_input;
}

std::string FirstOrderSystem::to_string(NodeId root, std::size_t max_length) const {
  Names names = model->names();
  const auto of_model = names.variable;
  names.variable = [&](VarId symbol) {
    if (const auto column = find_column(symbol)) return columns[*column].name;
    return of_model(symbol);
  };
  return hydae::to_string(graph(), root, names, max_length);
}

FirstOrderSystem make_first_order(const System& system, const std::vector<bool>& is_input) {
  return FirstOrderForm(system, is_input).make();
}

}  // namespace hydae::partition

// The subsystem that was taken, as a model of its own.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include <hydae/error.h>
#include <hydae/partition.h>

#include "partition/free_states.h"
#include "partition/graph_copy.h"

namespace hydae::partition {

namespace {

// "x_der" for der(x), "x_der2" for der(x, 2): names that do not look like derivatives of others.
std::string plain_name(std::string name) {
  std::string suffix;
  while (name.starts_with("der(") && name.ends_with(")")) {
    name = name.substr(4, name.size() - 5);
    std::string order;
    const std::size_t comma = name.rfind(", ");
    if (comma != std::string::npos && name.find(')', comma) == std::string::npos) {
      order = name.substr(comma + 2);
      name.resize(comma);
    }
    suffix += "_der" + order;
  }
  return name + suffix;
}

class SubsystemBuilder {
 public:
  SubsystemBuilder(const Model& model, const ModelPartition& partition)
      : model_(model),
        partition_(partition),
        result_(model.name() + "_subsystem"),
        transplant_(model.graph(), result_.graph(),
                    [this](const Node& leaf) { return copy_leaf(leaf); }) {}

  Model build() {
    check_decided();
    check_transformations();
    is_free_ = find_free_states(model_, partition_);
    describe();
    add_functions();
    add_parameters();
    add_columns();
    add_held();
    bind_parameters();
    add_equations();
    return std::move(result_);
  }

 private:
  const Partition& combined() const { return partition_.combined; }
  std::size_t point() const { return partition_.combination.deciding_point; }

  bool is_inside(VarId column) const {
    const Role role = combined().variable_roles[column];
    return role != Role::kOutside && role != Role::kUndecided;
  }
  bool is_inside(EqId row) const { return combined().equation_roles[row] != Role::kOutside; }

  void check_decided() const {
    if (combined().index == Index::kSingular)
      throw UsageError("partition: the system is singular, there is no subsystem to write");
    if (combined().differential_equations.empty() && combined().index1.empty())
      throw UsageError("partition: nothing was taken, there is no subsystem to write");
  }

  // Combinations span the same space as the equations they are made of only all together.
  void check_transformations() const {
    for (const Transformation& block : combined().transformations) {
      const bool is_whole = std::all_of(block.equations.begin(), block.equations.end(),
                                        [&](EqId i) { return is_inside(i); }) &&
                            std::all_of(block.variables.begin(), block.variables.end(),
                                        [&](VarId j) { return is_inside(j); });
      if (is_whole) continue;
      std::vector<std::string> names;
      for (EqId i : block.equations) names.push_back(partition_.equations[i.index()].name);
      throw UsageError(
          fmt::format("partition: only some combinations of {} were taken, they cannot be written "
                      "in the model's own variables",
                      quoted_list(names)));
    }
  }

  void describe() {
    result_.experiment = model_.experiment;
    result_.experiment.start_time = combined().t;
    result_.description = fmt::format("index {} subsystem of {} at t = {}",
                                      index_name(subsystem_index()), model_.name(), combined().t);
  }

  Index subsystem_index() const {
    if (!combined().index2.empty()) return Index::kTwo;
    return combined().index1.empty() ? Index::kZero : Index::kOne;
  }

  void add_functions() {
    for (const Function& function : model_.functions()) result_.function(function);
  }

  // Declared in the order of the model: parameters keep their numbers.
  void add_parameters() {
    const std::vector<double> values = model_.parameter_values();
    for (ParamId p : ids<ParamId>(model_.parameters().size())) {
      Parameter added = model_.parameters()[p];
      added.value = values[p.index()];
      added.binding.reset();
      added.source = {};
      names_.insert(added.name);
      parameters_.push_back(result_.parameter(std::move(added)));
    }
  }

  void bind_parameters() {
    for (ParamId p : ids<ParamId>(model_.parameters().size())) {
      const Parameter& parameter = model_.parameters()[p];
      if (parameter.binding && !parameter.is_structural)
        result_.bind(parameters_[p], copy(*parameter.binding));
    }
  }

  std::string new_name(const std::string& name) {
    std::string chosen = plain_name(name);
    while (!names_.insert(chosen).second) chosen += "_";
    return chosen;
  }

  void add_columns() {
    for (VarId j : ids<VarId>(partition_.variables.size())) {
      const SystemVariable& column = partition_.variables[j.index()];
      symbols_[column.symbol] = {is_inside(j), is_inside(j) ? add_variable(j) : add_input(column)};
    }
  }

  Expr add_variable(VarId j) {
    const SystemVariable& column = partition_.variables[j.index()];
    Variable variable;
    variable.name = new_name(column.name);
    if (column.variable.is_valid() && column.order == 0) {
      const Variable& given = model_.all_variables()[column.variable];
      variable.unit = given.unit;
      variable.display_unit = given.display_unit;
      variable.description = given.description;
    } else if (variable.name != column.name) {
      variable.description = column.name;
    }
    variable.starts.push_back({0, column.values[point()], is_free_[j]});
    return result_.variable(std::move(variable));
  }

  Expr add_input(const SystemVariable& column) {
    Parameter parameter;
    parameter.name = new_name(column.name);
    parameter.value = column.values[point()];
    parameter.description = "input of the subsystem, held";
    return result_.parameter(std::move(parameter));
  }

  void add_held() {
    for (const auto& [variable, value] : partition_.held) {
      Parameter parameter;
      parameter.name = new_name(model_.all_variables()[variable].name);
      parameter.kind = model_.all_variables()[variable].kind;
      parameter.value = value;
      parameter.description = "held between events";
      symbols_[variable] = {false, result_.parameter(std::move(parameter))};
    }
  }

  Expr copy(const Expr& expr) {
    return expr.is_number() ? expr : Expr(result_.graph(), transplant_.copy(expr.id()));
  }

  NodeId copy_leaf(const Node& leaf) {
    Graph& graph = result_.graph();
    const auto& [is_variable, symbol] = symbols_.at(leaf.variable);
    if (leaf.order == 0) return symbol.in(graph);
    return is_variable ? der(symbol, leaf.order).in(graph) : graph.constant(0);
  }

  void add_equations() {
    for (EqId i : ids<EqId>(partition_.equations.size())) {
      if (!is_inside(i)) continue;
      const SystemEquation& row = partition_.equations[i.index()];
      result_.equation(Expr(result_.graph(), transplant_.copy(row.residual)), row.name);
      for (NodeId lower : row.lower) {
        result_.initial_equation(Expr(result_.graph(), transplant_.copy(lower)) == Expr(0));
      }
    }
  }

  struct Symbol {
    bool is_variable = false;
    Expr expr;
  };

  const Model& model_;
  const ModelPartition& partition_;
  Model result_;
  Transplant transplant_;
  IdVector<VarId, bool> is_free_;  // by column: keeps its start value
  std::set<std::string> names_;
  IdVector<ParamId, Expr> parameters_;
  std::map<VarId, Symbol> symbols_;
};

}  // namespace

Model make_subsystem(const Model& model, const ModelPartition& partition) {
  return SubsystemBuilder(model, partition).build();
}

}  // namespace hydae::partition

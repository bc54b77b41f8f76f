// The same model in other units: every variable x becomes s_x X, time becomes T tau, each equation
// and each relation is multiplied by a number of its own. What the model means is the same, so its
// events are. Factors are powers of two: scaling itself rounds nothing.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include <hydae/contact.h>
#include <hydae/model.h>

#include "expr/copy_operation.h"

namespace hydae::scaling {

struct Units {
  double time = 1;
  std::vector<double> variables;  // by VarId
  std::vector<double> equations;  // by EqId
  double relations = 1;           // both sides of each relation between Reals
  bool with_nominals = true;      // the model says what its units are
};

// About 10^exponent.
inline double power_of_two(double exponent) {
  return std::exp2(std::round(exponent * std::log2(10.0)));
}

class ScaledModel {
 public:
  ScaledModel(const Model& model, Units units) : old_(model), units_(std::move(units)) {
    for (const WhenClause& clause : model.when_clauses())
      for (const WhenBranch& branch : clause.branches)
        for (const WhenAction& action : branch.actions)
          if (action.kind == WhenAction::Kind::kImpulse) keep(action.target);
  }

  Model make() {
    add_names();
    for (EqId eq : ids<EqId>(old_.num_equations())) {
      Equation equation = old_.equations()[eq];
      const double factor = eq.index() < units_.equations.size() ? units_.equations[eq.index()] : 1;
      equation.lhs = times(factor, equation.lhs), equation.rhs = times(factor, equation.rhs);
      new_.equation(std::move(equation));
    }
    for (Equation equation : old_.initial_equations()) {
      equation.lhs = copy(equation.lhs), equation.rhs = copy(equation.rhs);
      new_.initial_equation(std::move(equation));
    }
    for (const WhenClause& clause : old_.when_clauses()) add_clause(clause);
    for (Assertion assertion : old_.assertions()) {
      assertion.condition = copy(assertion.condition);
      new_.assertion(std::move(assertion));
    }
    new_.experiment = old_.experiment;
    for (auto member : {&Experiment::start_time, &Experiment::stop_time, &Experiment::interval})
      if (auto& given = new_.experiment.*member) *given /= units_.time;
    return std::move(new_);
  }

 private:
  // What carries an impulse is a variable by itself; its unit stays.
  void keep(const Expr& target) {
    if (!target.is_number() && old_.graph().op(target.id()) == Op::kVariable)
      kept_.insert(old_.graph().leaf_of(target.id()).variable);
  }

  double unit(VarId variable) const {
    const VariableKind kind = old_.all_variables()[variable].kind;
    const bool is_real = kind == VariableKind::kReal || kind == VariableKind::kDiscrete;
    if (!is_real || kept_.contains(variable) || variable.index() >= units_.variables.size())
      return 1;
    return units_.variables[variable.index()];
  }
  double unit(Leaf leaf) const { return unit(leaf.variable) / std::pow(units_.time, leaf.order); }

  void add_names() {
    for (const Function& function : old_.functions()) new_.function(function);
    for (Parameter parameter : old_.parameters()) {
      parameter.binding.reset();
      new_.parameter(std::move(parameter));
    }
    for (ParamId id : ids<ParamId>(old_.parameters().size()))
      if (const auto& binding = old_.parameters()[id].binding)
        new_.bind(Expr(new_.graph(), new_.graph().parameter(id)), copy(*binding));
    for (VarId id : ids<VarId>(old_.num_variables())) add_variable(id);
    for (const Alias& alias : old_.aliases()) new_.alias(alias);
  }

  void add_variable(VarId id) {
    Variable variable = old_.all_variables()[id];
    for (StartValue& start : variable.starts)
      start.value = divided(start.value, unit({id, start.order}));
    const double scale = unit(id);
    for (std::optional<Expr> Variable::*limit : {&Variable::min, &Variable::max})
      if (variable.*limit) variable.*limit = divided(*(variable.*limit), scale);
    if (variable.nominal)
      variable.nominal = divided(*variable.nominal, scale);
    else if (units_.with_nominals && variable.kind == VariableKind::kReal && scale != 1)
      variable.nominal = Expr(1 / scale);
    new_.variable(std::move(variable));
  }

  Expr times(double factor, const Expr& expr) {
    const Expr copied = copy(expr);
    return factor == 1 ? copied : copied * factor;
  }
  Expr divided(const Expr& expr, double unit) {
    const Expr copied = copy(expr);
    return unit == 1 ? copied : copied / unit;
  }

  void add_clause(WhenClause clause) {
    for (WhenBranch& branch : clause.branches) {
      for (Expr& condition : branch.conditions) condition = copy(condition);
      for (WhenAction& action : branch.actions) {
        const bool has_target = !action.target.is_number();
        const Expr target = action.target;
        const bool sets = action.kind == WhenAction::Kind::kAssign ||
                          action.kind == WhenAction::Kind::kReinit ||
                          action.kind == WhenAction::Kind::kImpulse;
        if (has_target && sets) {
          const Leaf leaf = old_.graph().leaf_of(target.id());
          action.target = Expr(new_.graph(), new_.graph().variable(leaf));
          action.value = action.kind == WhenAction::Kind::kImpulse
                             ? copy(action.value)
                             : divided(action.value, unit(leaf));
        } else {
          action.target = copy(target);
          action.value = copy(action.value);
        }
      }
    }
    new_.when(std::move(clause));
  }

  Expr copy(const Expr& expr) {
    if (expr.is_number()) return expr;
    return Expr(new_.graph(), copy(expr.id()));
  }

  // Operands are older than the node.
  NodeId copy(NodeId root) {
    std::vector<NodeId> pending = {root};
    while (!pending.empty()) {
      const NodeId id = pending.back();
      const auto span = old_.graph().operands(id);
      const std::vector<NodeId> old_operands(span.begin(), span.end());
      bool is_ready = true;
      for (NodeId operand : old_operands)
        if (!copies_.contains(operand.index())) pending.push_back(operand), is_ready = false;
      if (!is_ready) continue;
      pending.pop_back();
      if (copies_.contains(id.index())) continue;
      std::vector<NodeId> operands;
      for (NodeId operand : old_operands) operands.push_back(copies_.at(operand.index()));
      copies_[id.index()] = in_new_units(id, operands);
    }
    return copies_.at(root.index());
  }

  NodeId in_new_units(NodeId id, std::vector<NodeId> operands) {
    const Graph& old = old_.graph();
    Graph& graph = new_.graph();
    const Op op = old.op(id);
    const auto scaled = [&](NodeId node, double factor) {
      return factor == 1 ? node : graph.binary(Op::kMul, graph.constant(factor), node);
    };
    if (op == Op::kTime) return scaled(graph.time(), units_.time);
    if (op == Op::kSample)
      for (NodeId& operand : operands) operand = scaled(operand, 1 / units_.time);
    if (op == Op::kDelay)
      for (std::size_t k = 1; k < operands.size(); ++k)
        operands[k] = scaled(operands[k], 1 / units_.time);
    if (is_relation(op) && is_between_reals(id))
      for (NodeId& operand : operands) operand = scaled(operand, units_.relations);
    const NodeId copied = copy_operation(old, id, operands, graph);
    return op == Op::kVariable || op == Op::kPre ? scaled(copied, unit(old.leaf_of(id))) : copied;
  }

  // Not of Integers, which are compared exactly.
  bool is_between_reals(NodeId id) const {
    const Op op = old_.graph().op(id);
    return op != Op::kEqual && op != Op::kNotEqual;
  }

  const Model& old_;
  Units units_;
  Model new_{"scaled"};
  std::set<VarId> kept_;
  std::map<std::size_t, NodeId> copies_;
};

inline Model scaled(const Model& model, Units units) {
  return ScaledModel(model, std::move(units)).make();
}

}  // namespace hydae::scaling

#include "compile/observed.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <hydae/message.h>

#include "compile/start_values.h"
#include "compile/system.h"
#include "compile/zero_terms.h"
#include "expr/derivative.h"
#include "expr/linearity.h"
#include "expr/rewrite.h"
#include "expr/silent_rounding.h"
#include "expr/substitute.h"
#include "expr/walk.h"

namespace hydae {
namespace {

// Peels the equations from the end of the block triangular form: a variable that only one equation
// reads must be determined by it, whatever the rest looks like. Without that equation, others of
// its variables may be read by one equation only.
class Peeling {
 public:
  explicit Peeling(const Model& model)
      : model_(model), graph_(model.graph()), parameters_(model.parameter_values()) {}

  Observed run(std::span<const VarId> needed) {
    num_readers_.assign(model_.num_variables(), 0);
    readers_.resize(model_.num_variables());
    read_equations();
    read_the_rest();
    for (VarId variable : needed) ++num_readers_[variable];
    for (VarId variable : ids<VarId>(model_.num_variables())) consider(variable);
    while (!waiting_.empty()) {
      const VarId variable = waiting_.back();
      waiting_.pop_back();
      peel(variable);
    }
    return finish();
  }

 private:
  struct Row {
    EqId equation;
    NodeId residual;
    std::vector<VarId> variables;  // that it reads, each once
    bool is_left_out = false;
  };

  void read_equations() {
    std::vector<NodeId> residuals = without_zero_factors(model_, continuous_residuals(model_));
    std::size_t next = 0;
    for (EqId eq : ids<EqId>(model_.num_equations())) {
      const Equation& equation = model_.equations()[eq];
      if (is_discrete_equation(model_, equation)) {
        read(equation.lhs);
        read(equation.rhs);
        continue;
      }
      Row row{eq, residuals[next++], {}};
      row.variables = variables_of(row.residual);
      for (VarId variable : row.variables) {
        ++num_readers_[variable];
        readers_[variable].push_back(rows_.size());
      }
      rows_.push_back(std::move(row));
    }
  }

  void read_the_rest() {
    for (const auto* list : {&model_.initial_equations(), &model_.implied_equations()})
      for (const Equation& equation : *list) {
        read(equation.lhs);
        read(equation.rhs);
      }
    for (const WhenClause& clause : model_.when_clauses())
      for (const WhenBranch& branch : clause.branches) {
        for (const Expr& condition : branch.conditions) read(condition);
        for (const WhenAction& action : branch.actions) {
          read(action.target);
          read(action.value);
          read_numbers(action.message);
        }
      }
    for (const Assertion& assertion : model_.assertions()) {
      read(assertion.condition);
      read_numbers(assertion.message);
    }
    for (VarId variable : ids<VarId>(model_.num_variables()))
      for (const StartValue& start : model_.all_variables()[variable].starts)
        if (start.fixed || start.order > 0) ++num_readers_[variable];
  }

  void read_numbers(const std::string& message) {
    for (const MessageNumber& number : parse_message(message).numbers)
      for (VarId variable : variables_of(number.value)) ++num_readers_[variable];
  }

  void read(const Expr& expr) {
    if (expr.graph() == nullptr) return;
    for (VarId variable : variables_of(expr.in(graph_))) ++num_readers_[variable];
  }

  // Values before the event and in the past count as well.
  std::vector<VarId> variables_of(NodeId root) {
    std::vector<VarId> variables;
    for (NodeId id : walk_.order(graph_, root)) {
      const Op op = graph_.op(id);
      if (op == Op::kVariable || op == Op::kPre) variables.push_back(graph_.leaf_of(id).variable);
    }
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    return variables;
  }

  bool is_continuous(VarId variable) const {
    return model_.all_variables()[variable].kind == VariableKind::kReal;
  }

  void consider(VarId variable) {
    if (num_readers_[variable] == 1 && readers_[variable].size() > 0 && is_continuous(variable))
      waiting_.push_back(variable);
  }

  void peel(VarId variable) {
    const auto at = std::find_if(readers_[variable].begin(), readers_[variable].end(),
                                 [&](std::size_t row) { return !rows_[row].is_left_out; });
    if (at == readers_[variable].end()) return;  // something else reads it
    Row& row = rows_[*at];
    // Where two variables stand in this equation alone, one of them has no equation.
    for (VarId other : row.variables)
      if (other != variable && is_continuous(other) && num_readers_[other] == 1) return;
    const auto value = is_of_this_instant(row.residual) ? solution(row, variable) : std::nullopt;
    if (!value) return;
    row.is_left_out = true;
    found_.push_back({variable, row.equation, *value});
    for (VarId other : row.variables)
      if (--num_readers_[other]; other != variable) consider(other);
  }

  // Neither derivatives nor the past, and nothing that makes events.
  bool is_of_this_instant(NodeId residual) {
    const auto nodes = walk_.order(graph_, residual);
    return std::none_of(nodes.begin(), nodes.end(), [this](NodeId id) {
      if (!is_silent_rounding(graph_, id))
        for (NodeId operand : graph_.operands(id))
          if (is_rounding(graph_.op(operand)) && varies(graph_.operands(operand)[0])) return true;
      const Node node = graph_.node(id);
      if (is_relation(node.op)) return !node.silent && (varies(node.a) || varies(node.b));
      switch (node.op) {
        case Op::kVariable: return node.order > 0;
        case Op::kPre: return is_continuous(node.variable);
        case Op::kInitial:
        case Op::kTerminal:
        case Op::kSample:
        case Op::kDelay: return true;
        default: return false;
      }
    });
  }
  bool varies(NodeId root) const {
    if (varies_between_events(model_, root)) return true;
    Walk walk;
    const auto nodes = walk.order(graph_, root);
    return std::any_of(nodes.begin(), nodes.end(),
                       [this](NodeId id) { return is_silent_rounding(graph_, id); });
  }

  // residual = a variable + rest, with a number a that is not zero.
  std::optional<NodeId> solution(const Row& row, VarId variable) {
    const Leaf leaf{variable, 0};
    if (linearity(graph_, row.residual, std::span(&leaf, 1)) != Linearity::kLinear)
      return std::nullopt;
    const NodeId a = partial(graph_, row.residual, leaf);
    const auto number = number_of(model_, Expr(graph_, a), parameters_);
    if (!number || !std::isfinite(*number) || *number == 0) return std::nullopt;
    Substitution nothing;
    nothing.leaves[leaf] = graph_.constant(0);
    const NodeId rest = substitute(graph_, row.residual, nothing);
    return graph_.unary(Op::kNeg, graph_.binary(Op::kDiv, rest, a));
  }

  // What an observed variable reads was found after it.
  Observed finish() {
    Observed result;
    if (found_.empty()) return result;
    result.is_observed.assign(model_.num_variables(), false);
    result.is_left_out.assign(model_.num_equations(), false);
    IdVector<VarId, NodeId> values(model_.num_variables());
    Rewriter rewriter(graph_, [&](NodeId id, const std::vector<NodeId>&) {
      return graph_.op(id) == Op::kVariable ? values[graph_.leaf_of(id).variable] : NodeId();
    });
    for (std::size_t k = found_.size(); k-- > 0;) {
      ObservedVariable& found = found_[k];
      found.value = values[found.variable] = rewriter.rewrite(found.value);
      result.is_observed[found.variable] = true;
      result.is_left_out[found.equation] = true;
    }
    std::sort(found_.begin(), found_.end(),
              [](const auto& a, const auto& b) { return a.variable < b.variable; });
    result.variables = std::move(found_);
    return result;
  }

  const Model& model_;
  Graph& graph_;
  std::vector<double> parameters_;
  Walk walk_;
  std::vector<Row> rows_;                              // the continuous equations
  IdVector<VarId, std::size_t> num_readers_;           // equations left, and whatever else
  IdVector<VarId, std::vector<std::size_t>> readers_;  // rows
  std::vector<VarId> waiting_;
  std::vector<ObservedVariable> found_;
};

}  // namespace

Observed find_observed(const Model& model, std::span<const VarId> needed) {
  return Peeling(model).run(needed);
}

}  // namespace hydae

#include "compile/initial_discrete.h"

#include <algorithm>
#include <optional>
#include <set>

#include "compile/given_starts.h"
#include "compile/system.h"
#include "expr/incidence.h"
#include "expr/switches.h"
#include "expr/walk.h"

namespace hydae {
namespace {

class RoleSorter {
 public:
  RoleSorter(const Model& model, std::span<const StartOverride> overrides)
      : model_(model), graph_(model.graph()) {
    for (VarId variable : ids<VarId>(model.num_variables()))
      if (is_discrete(variable) && has_fixed_start(variable, overrides)) known_.insert(variable);
    for (const Equation& equation : model.equations()) note_determined(equation);
  }

  InitialEquationRoles run() {
    const auto& equations = model_.initial_equations();
    result_.is_continuous.assign(equations.size(), false);
    is_sorted_.assign(equations.size(), false);
    // What is given by known values makes more known.
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (std::size_t k = 0; k < equations.size(); ++k)
        goes_on = (!is_sorted_[k] && assign(k, true)) || goes_on;
    }
    for (std::size_t k = 0; k < equations.size(); ++k) {
      if (is_sorted_[k] || assign(k, false) || isolate(k)) continue;
      result_.is_continuous[k] = !is_about_discrete_values(residual_of(k));
    }
    return std::move(result_);
  }

 private:
  bool is_discrete(VarId variable) const {
    return variable.index() < model_.num_variables() &&
           model_.all_variables()[variable].kind != VariableKind::kReal;
  }

  bool has_fixed_start(VarId variable, std::span<const StartOverride> overrides) const {
    const Variable& entry = model_.all_variables()[variable];
    for (const StartOverride& start : overrides)
      if (const auto named = find_named_leaf(model_, start.variable);
          named && named->leaf == Leaf{variable, 0})
        return start.fixed;
    return std::any_of(entry.starts.begin(), entry.starts.end(),
                       [](const auto& start) { return start.fixed; });
  }

  // Between when-clauses a variable keeps its value, which may be written v = pre(v): that says
  // nothing about the start.
  void note_determined(const Equation& equation) {
    if (!is_discrete_equation(model_, equation)) return;
    for (const auto& [side, other] :
         {std::pair(equation.lhs, equation.rhs), std::pair(equation.rhs, equation.lhs)}) {
      if (side.graph() == nullptr || graph_.op(side.id()) != Op::kVariable) continue;
      const VarId variable = graph_.leaf_of(side.id()).variable;
      const bool keeps = other.graph() != nullptr && other.id() == graph_.pre(variable);
      if (is_discrete(variable) && !keeps) determined_.insert(variable);
    }
  }

  // v or pre(v) of a discrete variable that is not known yet, alone on a side.
  std::optional<VarId> target_of(const Expr& side) const {
    if (side.is_number()) return std::nullopt;
    const Op op = graph_.op(side.id());
    if (op != Op::kVariable && op != Op::kPre) return std::nullopt;
    const VarId variable = graph_.leaf_of(side.id()).variable;
    if (!is_discrete(variable) || known_.count(variable) > 0) return std::nullopt;
    if (op == Op::kVariable && determined_.count(variable) > 0) return std::nullopt;
    return variable;
  }

  bool is_known(NodeId root) const {
    for (const Leaf& leaf : leaves(graph_, std::span(&root, 1)))
      if (known_.count(leaf.variable) == 0) return false;
    return true;
  }

  // Whether the equation gives a discrete variable its value; `if_known`: from what is known only.
  bool assign(std::size_t k, bool if_known) {
    const Equation& equation = model_.initial_equations()[k];
    const auto left = target_of(equation.lhs), right = target_of(equation.rhs);
    if (!left && !right) return false;
    if (left && right && *left == *right) {
      if (if_known) return false;
      result_.open.push_back(residual_of(k));
    } else {
      const NodeId lhs = equation.lhs.in(graph_), rhs = equation.rhs.in(graph_);
      const bool from_right = left && (!if_known || is_known(rhs));
      const bool from_left = !from_right && right && (!if_known || is_known(lhs));
      if (!from_right && !from_left) return false;
      const VarId target = from_right ? *left : *right;
      result_.assignments.push_back({target, from_right ? rhs : lhs});
      known_.insert(target);
    }
    is_sorted_[k] = true;
    return true;
  }

  // x = pre(d) + 1: by sums, products and quotients the equation is solved for pre(d), the only
  // value in it that nothing else gives.
  bool isolate(std::size_t k) {
    const NodeId residual = residual_of(k);
    std::vector<NodeId> open;
    Walk walk;
    for (const NodeId id : walk.order(graph_, residual))
      if (target_of(Expr(graph_, id))) open.push_back(id);
    if (open.size() != 1) return false;
    const VarId target = *target_of(Expr(graph_, open.front()));
    const auto value = solved(residual, open.front(), graph_.constant(0));
    if (!value) return false;
    result_.assignments.push_back({target, *value});
    known_.insert(target);
    return is_sorted_[k] = true;
  }

  bool holds(NodeId root, NodeId wanted) const {
    Walk walk;
    const auto nodes = walk.order(graph_, root);
    return std::ranges::find(nodes, wanted) != nodes.end();
  }

  // What `wanted` is where `root`, which holds it once, has a value; none if that is not plain.
  std::optional<NodeId> solved(NodeId root, NodeId wanted, NodeId value) const {
    if (root == wanted) return value;
    const Op op = graph_.op(root);
    if (op == Op::kNeg)
      return solved(graph_.operands(root)[0], wanted, graph_.unary(Op::kNeg, value));
    if (op != Op::kAdd && op != Op::kSub && op != Op::kMul && op != Op::kDiv) return std::nullopt;
    const NodeId a = graph_.operands(root)[0], b = graph_.operands(root)[1];
    const bool is_left = holds(a, wanted);
    if (is_left == holds(b, wanted)) return std::nullopt;
    const NodeId inner = is_left ? a : b, other = is_left ? b : a;
    switch (op) {
      case Op::kAdd: return solved(inner, wanted, graph_.binary(Op::kSub, value, other));
      case Op::kMul: return solved(inner, wanted, graph_.binary(Op::kDiv, value, other));
      case Op::kSub:
        return solved(inner, wanted,
                      is_left ? graph_.binary(Op::kAdd, value, other)
                              : graph_.binary(Op::kSub, other, value));
      default:
        return is_left ? solved(inner, wanted, graph_.binary(Op::kMul, value, other))
                       : std::nullopt;
    }
  }

  NodeId residual_of(std::size_t k) const {
    const Equation& equation = model_.initial_equations()[k];
    return graph_.binary(Op::kSub, equation.lhs.in(graph_), equation.rhs.in(graph_));
  }

  // An initial equation such as pre(b) = true that is not needed: it belongs to the discrete part.
  bool is_about_discrete_values(NodeId residual) const {
    for (const Leaf& leaf : incidence(graph_, residual))
      if (!is_discrete(leaf.variable)) return false;
    const Contents held = contents(graph_, residual);
    return held.has_pre || held.has_variables;
  }

  const Model& model_;
  Graph& graph_;
  std::set<VarId> known_;       // v and pre(v)
  std::set<VarId> determined_;  // v, not pre(v)
  std::vector<bool> is_sorted_;
  InitialEquationRoles result_;
};

}  // namespace

InitialEquationRoles sort_initial_equations(const Model& model,
                                            std::span<const StartOverride> overrides) {
  return RoleSorter(model, overrides).run();
}

}  // namespace hydae

#include "sim/hybrid_model.h"

#include <algorithm>
#include <fmt/format.h>

#include <hydae/error.h>

#include "compile/system.h"
#include "expr/derivative.h"
#include "expr/incidence.h"
#include "expr/rewrite.h"
#include "expr/switches.h"
#include "expr/walk.h"

namespace hydae {

int Relation::held_sign(bool bit) const {
  const bool is_greater = op == Op::kGreater || op == Op::kGreaterEqual;
  return bit == is_greater ? 1 : -1;
}

bool Relation::truth(int sign) const {
  if (sign == 0) return op == Op::kGreaterEqual || op == Op::kLessEqual || op == Op::kEqual;
  switch (op) {
    case Op::kGreater:
    case Op::kGreaterEqual: return sign > 0;
    case Op::kLess:
    case Op::kLessEqual: return sign < 0;
    case Op::kNotEqual: return true;
    default: return false;
  }
}

// Collects everything in the order: continuous equations, discrete equations, when-clauses,
// assertions. So relations are numbered as a reader meets them.
class HybridModel::Builder {
 public:
  explicit Builder(HybridModel& result)
      : r_(result), model_(result.model_), graph_(result.graph()) {}

  void build() {
    collect_roots();
    find_switches();
    for (std::size_t k = 0; k < relation_nodes_.size(); ++k) add_relation(relation_nodes_[k]);
    for (NodeId id : sample_nodes_) {
      const auto operands = graph_.operands(id);
      r_.ticks_.push_back({operands[0], operands[1]});
    }
    r_.residuals_ = rewritten(residuals_);
    add_discrete_parts();
    collect_conditions();
    for (VarId variable : ids<VarId>(model_.num_variables()))
      if (model_.all_variables()[variable].kind != VariableKind::kReal)
        r_.discrete_variables_.push_back(variable);
  }

 private:
  void collect_roots() {
    residuals_ = continuous_residuals(model_);
    roots_ = residuals_;
    for (const Equation& equation : model_.equations())
      if (is_discrete_equation(model_, equation)) {
        roots_.push_back(lowered(equation.lhs));
        roots_.push_back(lowered(equation.rhs));
      }
    for (const WhenClause& clause : model_.when_clauses())
      for (const WhenBranch& branch : clause.branches) {
        for (const Expr& condition : branch.conditions) roots_.push_back(lowered(condition));
        for (const WhenAction& action : branch.actions) roots_.push_back(lowered(action.value));
      }
    for (const Assertion& assertion : model_.assertions())
      roots_.push_back(lowered(assertion.condition));
  }

  NodeId lowered(const Expr& expr) { return lower_switches(graph_, expr.in(graph_)); }

  void find_switches() {
    Walk walk;
    for (NodeId id : walk.order(graph_, roots_)) {
      const Op op = graph_.op(id);
      if (is_relation(op)) relation_nodes_.push_back(id);
      if (op == Op::kSample) sample_nodes_.push_back(id);
      if (op == Op::kFloor || op == Op::kCeil || op == Op::kTrunc || op == Op::kDelay)
        refuse(id, op);
    }
    // Parameters that stand for bits and ticks.
    std::size_t slot = model_.parameters().size();
    for (NodeId id : relation_nodes_) replacement_[id] = graph_.parameter(ParamId(slot++));
    for (NodeId id : sample_nodes_) replacement_[id] = graph_.parameter(ParamId(slot++));
  }

  [[noreturn]] void refuse(NodeId id, Op op) const {
    Diagnostics diagnostics;
    diagnostics.error("not-supported-yet",
                      fmt::format("`{}` is not supported in a simulation yet: `{}`", op_name(op),
                                  to_string(graph_, id, model_.names(), 10'000)));
    throw ModelError(std::move(diagnostics));
  }

  [[noreturn]] static void refuse_impact_law(const WhenAction& action) {
    Diagnostics diagnostics;
    diagnostics.error("not-supported-yet",
                      "an impact law inside `when` is not supported in a simulation yet",
                      action.source);
    throw ModelError(std::move(diagnostics));
  }

  std::vector<NodeId> rewritten(const std::vector<NodeId>& roots) {
    const auto change = [&](NodeId id, const std::vector<NodeId>&) {
      const auto at = replacement_.find(id);
      return at == replacement_.end() ? NodeId() : at->second;
    };
    Rewriter<decltype(change)> rewriter(graph_, change);
    std::vector<NodeId> result;
    for (NodeId root : roots) result.push_back(rewriter.rewrite(root));
    return result;
  }
  NodeId rewritten(NodeId root) { return rewritten(std::vector<NodeId>{root}).front(); }

  void add_relation(NodeId id) {
    const Node node = graph_.node(id);
    Relation relation;
    relation.op = node.op;
    relation.is_silent = node.silent;
    relation.text = to_string(graph_, id, model_.names(), 10'000);
    relation.guard = rewritten(graph_.binary(Op::kSub, node.a, node.b));
    relation.is_time_only = is_affine_in_time(relation.guard, relation.slope);
    r_.relations_.push_back(std::move(relation));
  }

  bool is_affine_in_time(NodeId guard, NodeId& slope) {
    for (const Leaf& leaf : leaves(graph_, std::span(&guard, 1)))
      if (model_.all_variables()[leaf.variable].kind == VariableKind::kReal) return false;
    if (!contents(graph_, guard).has_time) return false;
    slope = total_derivative(graph_, guard);
    return !contents(graph_, slope).has_time;
  }

  // m = expression, or the other way round.
  void add_discrete_equation(const Equation& equation) {
    const auto target_of = [&](const Expr& side) -> std::optional<VarId> {
      if (side.is_number() || graph_.op(side.id()) != Op::kVariable) return std::nullopt;
      const Leaf leaf = graph_.leaf_of(side.id());
      if (model_.all_variables()[leaf.variable].kind == VariableKind::kReal) return std::nullopt;
      return leaf.variable;
    };
    const auto left = target_of(equation.lhs);
    const Expr& other = left ? equation.rhs : equation.lhs;
    const VarId target = left ? *left : *target_of(equation.rhs);
    r_.discrete_.push_back({target, rewritten(lowered(other))});
  }

  void add_discrete_parts() {
    for (const Equation& equation : model_.equations())
      if (is_discrete_equation(model_, equation)) add_discrete_equation(equation);
    for (const WhenClause& clause : model_.when_clauses()) {
      std::vector<HybridBranch> branches;
      for (const WhenBranch& branch : clause.branches) branches.push_back(make_branch(branch));
      r_.whens_.push_back(std::move(branches));
    }
    for (const Assertion& assertion : model_.assertions())
      r_.assertions_.emplace_back(rewritten(lowered(assertion.condition)), &assertion);
  }

  HybridBranch make_branch(const WhenBranch& branch) {
    HybridBranch result;
    for (const Expr& condition : branch.conditions)
      result.conditions.push_back(rewritten(lowered(condition)));
    for (const WhenAction& action : branch.actions) {
      if (action.kind == WhenAction::Kind::kEquation || action.kind == WhenAction::Kind::kImpulse)
        refuse_impact_law(action);
      HybridAction made;
      made.kind = action.kind;
      made.source = &action;
      if (!action.target.is_number() && graph_.op(action.target.id()) == Op::kVariable)
        made.target = graph_.leaf_of(action.target.id());
      made.value = rewritten(lowered(action.value));
      result.actions.push_back(made);
    }
    return result;
  }

  void collect_conditions() {
    std::vector<NodeId> roots = r_.residuals_;
    for (const Relation& relation : r_.relations_) roots.push_back(relation.guard);
    Walk walk;
    for (NodeId id : walk.order(graph_, roots)) {
      if (graph_.op(id) != Op::kSelect) continue;
      const NodeId condition = graph_.operands(id)[0];
      if (std::find(r_.conditions_.begin(), r_.conditions_.end(), condition) ==
          r_.conditions_.end())
        r_.conditions_.push_back(condition);
    }
  }

  HybridModel& r_;
  const Model& model_;
  Graph& graph_;
  std::vector<NodeId> residuals_, roots_, relation_nodes_, sample_nodes_;
  std::map<NodeId, NodeId> replacement_;
};

HybridModel::HybridModel(const Model& model) : model_(model) { Builder(*this).build(); }

std::vector<NodeId> HybridModel::decided(const std::vector<NodeId>& roots,
                                         const std::vector<bool>& truths) const {
  if (conditions_.empty()) return roots;
  std::map<NodeId, bool> known;
  for (std::size_t k = 0; k < conditions_.size(); ++k) known[conditions_[k]] = truths[k];
  const auto change = [&](NodeId id, const std::vector<NodeId>&) {
    const auto at = known.find(id);
    return at == known.end() ? NodeId() : graph().boolean(at->second);
  };
  Rewriter<decltype(change)> rewriter(graph(), change);
  std::vector<NodeId> result;
  for (NodeId root : roots) result.push_back(rewriter.rewrite(root));
  return result;
}

}  // namespace hydae

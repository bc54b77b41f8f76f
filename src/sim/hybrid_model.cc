#include "sim/hybrid_model.h"

#include <algorithm>
#include <fmt/format.h>

#include <hydae/contact.h>
#include <hydae/error.h>

#include "compile/start_values.h"
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
        for (const WhenAction& action : branch.actions) {
          if (action.kind == WhenAction::Kind::kEquation) roots_.push_back(lowered(action.target));
          roots_.push_back(lowered(action.value));
        }
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
                                  to_string(graph_, id, model_.names())));
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
    relation.text = to_string(graph_, id, model_.names());
    relation.guard = rewritten(graph_.binary(Op::kSub, node.a, node.b));
    relation.is_time_only = is_affine_in_time(relation.guard, relation.slope);
    add_to_surface(relation.guard);
    r_.relations_.push_back(std::move(relation));
  }

  void add_to_surface(NodeId guard) {
    const std::size_t relation = r_.relations_.size();
    const NodeId opposite = graph_.unary(Op::kNeg, guard);
    auto at = surfaces_.find(guard);
    const int sign = at == surfaces_.end() && surfaces_.count(opposite) != 0 ? -1 : 1;
    if (sign < 0) at = surfaces_.find(opposite);
    if (at == surfaces_.end()) {
      at = surfaces_.emplace(guard, r_.surfaces_.size()).first;
      r_.surfaces_.push_back({guard, {}});
    }
    r_.surfaces_[at->second].relations.push_back({relation, sign});
    r_.surface_of_.push_back(at->second);
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

  // The branch is a contact: its impulse has a law.
  std::size_t add_contact(const WhenBranch& branch, const ContactClause& contact) {
    HybridContact made;
    made.name = model_.all_variables()[contact.closed].name;
    if (made.name.ends_with(".closed")) made.name.resize(made.name.size() - 7);
    made.gap = rewritten(lowered(contact.gap));
    made.speed = total_derivative(graph_, made.gap);
    made.closed = contact.closed;
    const NodeId relation = lowered(branch.conditions.front());
    made.relation = static_cast<std::size_t>(
        std::find(relation_nodes_.begin(), relation_nodes_.end(), relation) -
        relation_nodes_.begin());
    made.row = row_of_contact(contact);
    made.law = contact.law;
    made.restitution =
        number_of(model_, contact.restitution, model_.parameter_values()).value_or(0.0);
    check_restitution(contact, made);
    r_.contacts_.push_back(std::move(made));
    return r_.contacts_.size() - 1;
  }

  // The equation (if closed then gap else force) = 0.
  EqId row_of_contact(const ContactClause& contact) const {
    const NodeId closed = graph_.variable(contact.closed);
    const NodeId wanted = graph_.select(closed, contact.gap.id(), contact.force.id());
    std::size_t row = 0;
    for (EqId eq : ids<EqId>(model_.num_equations())) {
      const Equation& equation = model_.equations()[eq];
      if (is_discrete_equation(model_, equation)) continue;
      if (equation.lhs.id() == wanted || equation.rhs.id() == wanted) return EqId(row);
      ++row;
    }
    Diagnostics diagnostics;
    diagnostics.error(
        "contact-equation",
        fmt::format("the contact of `{}` has no equation `{} = 0`", model_.to_string(contact.force),
                    to_string(graph_, wanted, model_.names())),
        contact.source);
    throw ModelError(std::move(diagnostics));
  }

  static void check_restitution(const ContactClause& contact, const HybridContact& made) {
    if (made.restitution >= 0 && made.restitution <= 1) return;
    Diagnostics diagnostics;
    diagnostics.error("restitution",
                      fmt::format("contact `{}`: the restitution {:.6g} is not between 0 and 1",
                                  made.name, made.restitution),
                      contact.source);
    throw ModelError(std::move(diagnostics));
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
    if (const auto contact = find_contact(model_, branch))
      result.contact = add_contact(branch, *contact);
    for (const Expr& condition : branch.conditions)
      result.conditions.push_back(rewritten(lowered(condition)));
    if (result.contact) return result;  // its actions are those of the contact
    for (const WhenAction& action : branch.actions) {
      if (action.kind == WhenAction::Kind::kEquation || action.kind == WhenAction::Kind::kImpulse) {
        if (!result.impact) result.impact = add_impact(branch);
        continue;
      }
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

  std::size_t add_impact(const WhenBranch& branch) {
    ImpactClause impact;
    for (const WhenAction& action : branch.actions) {
      if (action.kind == WhenAction::Kind::kImpulse)
        impact.carriers.push_back(graph_.leaf_of(action.target.id()).variable);
      if (action.kind != WhenAction::Kind::kEquation) continue;
      const NodeId residual =
          graph_.binary(Op::kSub, action.target.in(graph_), action.value.in(graph_));
      impact.residuals.push_back(with_left_limits(rewritten(lower_switches(graph_, residual))));
      impact.texts.push_back(
          fmt::format("{} = {}", model_.to_string(action.target), model_.to_string(action.value)));
    }
    check_counts(impact, branch);
    r_.impacts_.push_back(std::move(impact));
    return r_.impacts_.size() - 1;
  }

  void check_counts(const ImpactClause& impact, const WhenBranch& branch) const {
    if (impact.residuals.size() == impact.carriers.size()) return;
    std::vector<std::string> names;
    for (VarId carrier : impact.carriers) names.push_back(model_.all_variables()[carrier].name);
    const bool is_under = impact.residuals.size() < impact.carriers.size();
    Diagnostics diagnostics;
    diagnostics
        .error(is_under ? "impact-under-specified" : "impact-over-specified",
               fmt::format("an impact with {} equation{} and {} impulse{}{}{}",
                           impact.residuals.size(), impact.residuals.size() == 1 ? "" : "s",
                           impact.carriers.size(), impact.carriers.size() == 1 ? "" : "s",
                           names.empty() ? "" : ": ", quoted_list(names)),
               branch.actions.front().source)
        .help = is_under ? "add an equation between new values and pre() values for each impulse"
                         : "name the variables that carry the impulses: impulse(F)";
    throw ModelError(std::move(diagnostics));
  }

  // pre(x) of a continuous variable becomes a place in the table.
  NodeId with_left_limits(NodeId root) {
    const auto change = [&](NodeId id, const std::vector<NodeId>&) {
      if (graph_.op(id) != Op::kPre) return NodeId();
      const Leaf leaf = graph_.leaf_of(id);
      auto at = std::find(r_.impact_pres_.begin(), r_.impact_pres_.end(), leaf);
      if (at == r_.impact_pres_.end()) at = r_.impact_pres_.insert(at, leaf);
      const auto place = static_cast<std::size_t>(at - r_.impact_pres_.begin());
      return graph_.parameter(ParamId(r_.impact_pre_slot(place)));
    };
    return Rewriter<decltype(change)>(graph_, change).rewrite(root);
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
  std::map<NodeId, std::size_t> surfaces_;  // by guard
};

HybridModel::HybridModel(const Model& model) : model_(model) { Builder(*this).build(); }

void HybridModel::set_side(std::size_t surface, int side, std::vector<bool>& bits) const {
  for (const auto& [relation, sign] : surfaces_[surface].relations)
    bits[relation] = relations_[relation].truth(sign * side);
}

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

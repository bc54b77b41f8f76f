#include <fmt/format.h>

#include <hydae/contact.h>
#include <hydae/error.h>

namespace hydae {
namespace {

std::string unused_name(const Model& model) {
  for (int k = 1;; ++k) {
    const std::string name = fmt::format("contact{}", k);
    if (!model.find_variable(name + ".closed")) return name;
  }
}

void check_force(const Model& model, const Contact& contact, const Expr& force) {
  const Graph& graph = model.graph();
  const bool is_variable = force.graph() == &graph && graph.op(force.id()) == Op::kVariable;
  if (is_variable) {
    const Leaf leaf = graph.leaf_of(force.id());
    if (leaf.order == 0 && model.all_variables()[leaf.variable].kind == VariableKind::kReal) return;
  }
  throw UsageError(fmt::format("contact {}: the force {} is not a continuous variable",
                               quoted(contact.name), quoted(model.to_string(force))));
}

Expr add_state(Model& model, const Contact& contact, const char* name, const char* description) {
  Variable variable;
  variable.name = fmt::format("{}.{}", contact.name, name);
  variable.kind = VariableKind::kBoolean;
  variable.description = description;
  variable.source = contact.source;
  const Expr state = model.variable(std::move(variable));
  model.start(state, false);
  return state;
}

void add_equation(Model& model, const Contact& contact, const std::string& name,
                  const Expr& residual) {
  Equation equation;
  equation.name = name;
  equation.lhs = residual;
  equation.rhs = 0;
  equation.component = contact.component;
  equation.source = contact.source;
  model.equation(std::move(equation));
}

WhenAction make_assignment(const Contact& contact, const Expr& target, const Expr& value) {
  WhenAction action;
  action.kind = WhenAction::Kind::kAssign;
  action.target = target;
  action.value = value;
  action.source = contact.source;
  return action;
}

WhenAction make_impulse(const Contact& contact, const Expr& carrier, const Expr& value,
                        const char* law) {
  WhenAction action;
  action.kind = WhenAction::Kind::kImpulse;
  action.target = carrier;
  action.value = value;
  action.message = law;
  action.source = contact.source;
  return action;
}

void add_clause(Model& model, const Contact& contact, WhenBranch branch) {
  WhenClause clause;
  clause.component = contact.component;
  clause.source = contact.source;
  clause.branches.push_back(std::move(branch));
  model.when(std::move(clause));
}

void add_friction(Model& model, const Contact& contact, const Expr& closed) {
  const ContactFriction& friction = *contact.friction;
  const Expr forward = add_state(model, contact, "forward", "slides with positive velocity");
  const Expr backward = add_state(model, contact, "backward", "slides with negative velocity");
  const FrictionForms forms =
      make_friction_forms({closed, forward, backward}, contact.force, friction);
  add_equation(model, contact, contact.name + ".friction", forms.residual);
  const Expr stuck = !(pre(forward) || pre(backward));
  add_clause(model, contact,
             {forms.conditions,
              {make_assignment(contact, forward, stuck && forms.conditions[1]),
               make_assignment(contact, backward, stuck && forms.conditions[2]),
               make_impulse(contact, friction.force, friction.mu, kFrictionImpulse),
               make_impulse(contact, friction.force, friction.mu_static.value_or(friction.mu),
                            kStickingImpulse),
               make_impulse(contact, friction.force, friction.restitution, kReboundImpulse)}});
}

const WhenAction* find_impulse(const WhenBranch& branch, const std::string& law) {
  for (const WhenAction& action : branch.actions)
    if (action.kind == WhenAction::Kind::kImpulse && action.message == law) return &action;
  return nullptr;
}

// The guard g of a condition g < 0, if it is a select; its condition is a variable.
std::optional<NodeId> selecting_guard(const Graph& graph, const Expr& condition) {
  if (condition.is_number() || graph.op(condition.id()) != Op::kLess) return std::nullopt;
  const NodeId guard = graph.operands(condition.id())[0];
  return graph.op(guard) == Op::kSelect ? std::optional(guard) : std::nullopt;
}

std::optional<VarId> selecting_variable(const Graph& graph, NodeId id) {
  if (graph.op(id) != Op::kSelect) return std::nullopt;
  const NodeId condition = graph.operands(id)[0];
  if (graph.op(condition) != Op::kVariable) return std::nullopt;
  return graph.leaf_of(condition).variable;
}

}  // namespace

const char* impact_law_name(ImpactLaw law) {
  switch (law) {
    case ImpactLaw::kNewton: return "newton";
    case ImpactLaw::kPoisson: return "poisson";
    case ImpactLaw::kSequential: return "sequential";
  }
  return "";
}

std::optional<ImpactLaw> find_impact_law(const std::string& name) {
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson, ImpactLaw::kSequential})
    if (name == impact_law_name(law)) return law;
  return std::nullopt;
}

ImpactLaw default_impact_law(bool has_friction) {
  return has_friction ? ImpactLaw::kPoisson : ImpactLaw::kNewton;
}

FrictionForms make_friction_forms(const FrictionStates& states, const Expr& normal_force,
                                  const ContactFriction& friction) {
  const Expr& T = friction.force;
  const Expr sliding = friction.mu * normal_force;
  const Expr sticking = friction.mu_static.value_or(friction.mu) * normal_force;
  const auto by_state = [&](const Expr& f, const Expr& b, const Expr& stuck, const Expr& open) {
    return select(states.forward, f,
                  select(states.backward, b, select(states.closed, stuck, open)));
  };
  return {by_state(T + sliding, T - sliding, friction.slip, T),
          {by_state(friction.slip, -friction.slip, 1, 1) < 0, by_state(1, 1, sticking + T, 1) < 0,
           by_state(1, 1, sticking - T, 1) < 0}};
}

void add_contact(Model& model, Contact contact) {
  if (contact.name.empty()) contact.name = unused_name(model);
  check_force(model, contact, contact.force);
  if (contact.friction) check_force(model, contact, contact.friction->force);
  const Expr closed = add_state(model, contact, "closed", "the gap is closed");
  add_equation(model, contact, contact.name, select(closed, contact.gap, contact.force));
  const ImpactLaw law = contact.law.value_or(default_impact_law(contact.friction.has_value()));
  add_clause(model, contact,
             {{select(closed, contact.force, contact.gap) < 0},
              {make_assignment(contact, closed, !pre(closed)),
               make_impulse(contact, contact.force, contact.restitution, impact_law_name(law))}});
  if (contact.friction) add_friction(model, contact, closed);
}

std::optional<ContactClause> find_contact(const Model& model, const WhenBranch& branch) {
  if (branch.conditions.size() != 1) return std::nullopt;
  const Graph& graph = model.graph();
  const auto guard = selecting_guard(graph, branch.conditions.front());
  const auto closed = guard ? selecting_variable(graph, *guard) : std::nullopt;
  if (!closed) return std::nullopt;
  const Expr gap(model.graph(), graph.operands(*guard)[2]);
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson, ImpactLaw::kSequential})
    if (const WhenAction* impulse = find_impulse(branch, impact_law_name(law)))
      return ContactClause{gap, impulse->target, impulse->value, law, *closed, impulse->source};
  return std::nullopt;
}

// The slip stands where the contact slides forward in the first condition, the Boolean `closed`
// innermost in the second.
std::optional<FrictionClause> find_friction(const Model& model, const WhenBranch& branch) {
  const WhenAction* impulse = find_impulse(branch, kFrictionImpulse);
  const WhenAction* sticking = find_impulse(branch, kStickingImpulse);
  const WhenAction* rebound = find_impulse(branch, kReboundImpulse);
  if (impulse == nullptr || sticking == nullptr || rebound == nullptr ||
      branch.conditions.size() != 3)
    return std::nullopt;
  const Graph& graph = model.graph();
  const auto reversal = selecting_guard(graph, branch.conditions[0]);
  const auto breaking = selecting_guard(graph, branch.conditions[1]);
  if (!reversal || !breaking) return std::nullopt;
  const auto forward = selecting_variable(graph, *reversal);
  const auto backward = selecting_variable(graph, graph.operands(*reversal)[2]);
  NodeId innermost = *breaking;
  while (graph.op(graph.operands(innermost)[2]) == Op::kSelect)
    innermost = graph.operands(innermost)[2];
  const auto closed = selecting_variable(graph, innermost);
  if (!forward || !backward || !closed) return std::nullopt;
  return FrictionClause{Expr(model.graph(), graph.operands(*reversal)[1]),
                        impulse->target,
                        impulse->value,
                        sticking->value,
                        rebound->value,
                        *closed,
                        *forward,
                        *backward,
                        impulse->source};
}

}  // namespace hydae

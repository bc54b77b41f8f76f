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

void check_force(const Model& model, const Contact& contact) {
  const Graph& graph = model.graph();
  const Expr& force = contact.force;
  const bool is_variable = force.graph() == &graph && graph.op(force.id()) == Op::kVariable;
  if (is_variable) {
    const Leaf leaf = graph.leaf_of(force.id());
    if (leaf.order == 0 && model.all_variables()[leaf.variable].kind == VariableKind::kReal) return;
  }
  throw UsageError(fmt::format("contact {}: the force {} is not a continuous variable",
                               quoted(contact.name), quoted(model.to_string(force))));
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

void add_contact(Model& model, Contact contact) {
  if (contact.name.empty()) contact.name = unused_name(model);
  check_force(model, contact);
  Variable variable;
  variable.name = contact.name + ".closed";
  variable.kind = VariableKind::kBoolean;
  variable.description = "the gap is closed";
  variable.source = contact.source;
  const Expr closed = model.variable(std::move(variable));
  model.start(closed, false);

  Equation equation;
  equation.name = contact.name;
  equation.lhs = select(closed, contact.gap, contact.force);
  equation.rhs = 0;
  equation.component = contact.component;
  equation.source = contact.source;
  model.equation(std::move(equation));

  WhenAction toggle;
  toggle.kind = WhenAction::Kind::kAssign;
  toggle.target = closed;
  toggle.value = !pre(closed);
  toggle.source = contact.source;
  WhenAction impulse;
  impulse.kind = WhenAction::Kind::kImpulse;
  impulse.target = contact.force;
  impulse.value = contact.restitution;
  impulse.message = impact_law_name(contact.law);
  impulse.source = contact.source;
  WhenClause clause;
  clause.component = contact.component;
  clause.source = contact.source;
  clause.branches.push_back({{select(closed, contact.force, contact.gap) < 0}, {toggle, impulse}});
  model.when(std::move(clause));
}

std::optional<ContactClause> find_contact(const Model& model, const WhenBranch& branch) {
  const WhenAction* impulse = nullptr;
  for (const WhenAction& action : branch.actions)
    if (action.kind == WhenAction::Kind::kImpulse && !action.message.empty()) impulse = &action;
  if (impulse == nullptr || branch.conditions.size() != 1) return std::nullopt;
  const Graph& graph = model.graph();
  const NodeId condition = branch.conditions.front().id();
  if (graph.op(condition) != Op::kLess) return std::nullopt;
  const NodeId guard = graph.operands(condition)[0];
  if (graph.op(guard) != Op::kSelect) return std::nullopt;
  const NodeId closed = graph.operands(guard)[0], gap = graph.operands(guard)[2];
  const auto law = find_impact_law(impulse->message);
  if (!law || graph.op(closed) != Op::kVariable) return std::nullopt;
  return ContactClause{Expr(model.graph(), gap),       impulse->target, impulse->value, *law,
                       graph.leaf_of(closed).variable, impulse->source};
}

}  // namespace hydae

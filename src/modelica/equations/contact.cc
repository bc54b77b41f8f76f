#include "modelica/equations/contact.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include <hydae/contact.h>

#include "expr/switches.h"
#include "modelica/equations/when.h"

namespace hydae::modelica {
namespace {

enum Argument : std::size_t {
  kGap,
  kForce,
  kRestitution,
  kLaw,
  kSlip,
  kFriction,
  kMu,
  kMuStatic,
  kSlipRestitution,
};
constexpr std::array<const char*, 9> kNames{"gap", "force",     "restitution",
                                            "law", "slip",      "friction",
                                            "mu",  "mu_static", "slip_restitution"};
using Arguments = std::array<const syntax::Expr*, kNames.size()>;

Arguments read_arguments(Session& session, const syntax::CallExpr& call) {
  Arguments arguments{};
  if (call.arguments.size() > kNames.size())
    session.fail("argument-count",
                 fmt::format("`contact` has at most {} arguments: {}", kNames.size(),
                             fmt::join(kNames, ", ")),
                 call.range);
  std::copy(call.arguments.begin(), call.arguments.end(), arguments.begin());
  for (const syntax::NamedArgument& named : call.named) {
    const std::string name = session.text(named.name.symbol);
    const auto at = std::find(kNames.begin(), kNames.end(), name);
    if (at == kNames.end())
      session.fail("no-such-argument", fmt::format("`contact` has no argument `{}`", name),
                   named.name.range);
    const syntax::Expr*& argument = arguments[static_cast<std::size_t>(at - kNames.begin())];
    if (argument != nullptr)
      session.fail("argument-given-twice",
                   fmt::format("argument `{}` of `contact` is given twice", name),
                   named.name.range);
    argument = named.value;
  }
  if (arguments[kGap] == nullptr || arguments[kForce] == nullptr)
    session.fail("missing-argument", "`contact` needs a gap and a force", call.range);
  const bool has_friction = arguments[kSlip] != nullptr && arguments[kFriction] != nullptr;
  for (std::size_t k = kSlip; k < kNames.size(); ++k)
    if (arguments[k] != nullptr && !has_friction)
      session.fail("missing-argument",
                   fmt::format("`contact` with `{}` needs both `slip` and `friction`", kNames[k]),
                   call.range);
  return arguments;
}

[[noreturn]] void fail_law(Session& session, SourceRange range) {
  session.fail("contact-law", "the law of a contact is \"newton\", \"poisson\" or \"sequential\"",
               range);
}

}  // namespace

std::string impulse_law(Session& session, const syntax::Expr& expr, const Env& env) {
  const Value value = session.evaluator->evaluate(expr, env);
  const std::string text = value.strings.empty() ? "" : value.strings.front();
  if (!find_impact_law(text) && text != kFrictionImpulse && text != kStickingImpulse &&
      text != kReboundImpulse)
    fail_law(session, expr.range);
  return text;
}

VarId Contacts::add_state(const char* name, SourceRange range) {
  const VarId state = session_.flat->add_variable({nullptr, 0});
  session_.flat->helpers[state] = {fmt::format("contact{}.{}", num_contacts_, name),
                                   VariableKind::kBoolean, range};
  return state;
}

FlatAction Contacts::impulse(const Expr& carrier, const Expr& value, const char* law,
                             SourceRange range) const {
  FlatAction out;
  out.kind = WhenAction::Kind::kImpulse;
  out.target = carrier.in(*session_.graph);
  out.value = value.in(*session_.graph);
  out.message = law;
  out.source = range;
  return out;
}

void Contacts::stamp(const syntax::CallExpr& call, const Env& env, EquationSink& sink) {
  if (sink.is_initial || !sink.allows_when)
    session_.fail("misplaced-call", "`contact` can only stand among the equations of a class",
                  call.range);
  Graph& graph = *session_.graph;
  const Arguments arguments = read_arguments(session_, call);
  const auto number = [&](Argument k) {
    return Expr(graph, session_.evaluator->scalar(*arguments[k], env, BaseType::kReal,
                                                  fmt::format("`{}`", kNames[k])));
  };
  const auto given = [&](Argument k) {
    return arguments[k] != nullptr ? number(k) : Expr(graph, graph.constant(0));
  };
  const auto force = [&](Argument k) {
    const Expr variable = number(k);
    if (graph.op(variable.id()) != Op::kVariable || is_discrete(session_, variable.id()))
      session_.fail("contact-force", "the force of a contact is a continuous variable",
                    arguments[k]->range);
    return variable;
  };
  const Expr gap = number(kGap), normal = force(kForce);
  const bool has_friction = arguments[kFriction] != nullptr;
  std::string law = impact_law_name(default_impact_law(has_friction));
  if (arguments[kLaw] != nullptr) law = impulse_law(session_, *arguments[kLaw], env);
  if (!find_impact_law(law)) fail_law(session_, arguments[kLaw]->range);
  ++num_contacts_;
  const VarId closed = add_state("closed", call.range);
  const Expr is_closed(graph, graph.variable(closed));
  sink.equations.push_back(
      {select(is_closed, gap, normal).id(), graph.constant(0), env.scope->whole, call.range});
  FlatAction toggle;
  toggle.target = is_closed.id();
  toggle.value = graph.unary(Op::kNot, graph.pre(closed));
  toggle.source = call.range;
  FlatWhen when;
  when.instance = env.scope->whole;
  when.source = call.range;
  when.branches.push_back(
      {{(select(is_closed, normal, gap) < 0).id()},
       {std::move(toggle), impulse(normal, given(kRestitution), law.c_str(), call.range)}});
  session_.flat->whens.push_back(std::move(when));
  if (!has_friction) return;
  ContactFriction friction{number(kSlip), force(kFriction), given(kMu)};
  if (arguments[kMuStatic] != nullptr) friction.mu_static = number(kMuStatic);
  friction.restitution = given(kSlipRestitution);
  stamp_friction({normal, closed, call.range, env.scope->whole}, friction, sink);
}

void Contacts::stamp_friction(const Contact& contact, const ContactFriction& friction,
                              EquationSink& sink) {
  const auto& [normal_force, closed, range, instance] = contact;
  Graph& graph = *session_.graph;
  const VarId forward = add_state("forward", range);
  const VarId backward = add_state("backward", range);
  const auto variable = [&](VarId id) { return Expr(graph, graph.variable(id)); };
  const FrictionForms forms = make_friction_forms(
      {variable(contact.closed), variable(forward), variable(backward)}, normal_force, friction);
  sink.equations.push_back({forms.residual.id(), graph.constant(0), instance, range});
  const Expr slides(graph, graph.binary(Op::kOr, graph.pre(forward), graph.pre(backward)));
  const auto breaks = [&](VarId target, const Expr& condition) {
    FlatAction action;
    action.target = graph.variable(target);
    action.value = silence(graph, (!slides && condition).id());  // as in every when-clause
    action.source = range;
    return action;
  };
  const Expr mu_static = friction.mu_static.value_or(friction.mu);
  FlatWhen when;
  when.instance = instance;
  when.source = range;
  FlatWhenBranch branch;
  for (const Expr& condition : forms.conditions) branch.conditions.push_back(condition.id());
  branch.actions = {breaks(forward, forms.conditions[1]), breaks(backward, forms.conditions[2]),
                    impulse(friction.force, friction.mu, kFrictionImpulse, range),
                    impulse(friction.force, mu_static, kStickingImpulse, range),
                    impulse(friction.force, friction.restitution, kReboundImpulse, range)};
  when.branches.push_back(std::move(branch));
  session_.flat->whens.push_back(std::move(when));
}

}  // namespace hydae::modelica

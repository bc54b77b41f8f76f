#include "modelica/checks/checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "modelica/checks/discrete_time.h"
#include "modelica/components/components.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/flat/flat.h"

namespace hydae::modelica {

// ---- parameters ----

namespace {

// The parameters that the binding of a component reads.
std::vector<Component*> parameters_read(Session& session, Component& component) {
  std::vector<Component*> out;
  std::shared_ptr<const Value> bound;
  try {
    bound = session.components->bindings().binding_value(component);
  } catch (const Failure&) {
    return out;  // reported
  }
  if (bound == nullptr) return out;
  const Graph& graph = *session.graph;
  std::vector<NodeId> pending = bound->cells;
  std::set<NodeId> seen;
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (graph.is_constant(id) || !seen.insert(id).second) continue;
    if (graph.op(id) == Op::kParameter) {
      Component* read = session.flat->parameters[graph.node(id).parameter].component;
      if (std::find(out.begin(), out.end(), read) == out.end()) out.push_back(read);
    }
    for (const NodeId operand : graph.operands(id)) pending.push_back(operand);
  }
  return out;
}

}  // namespace

void check_parameter_cycles(Session& session) {
  std::unordered_map<Component*, Progress> progress;
  struct Step {
    Component* component;
    std::vector<Component*> reads;
    std::size_t next = 0;
  };
  std::vector<Component*> all;
  for (const Cell& cell : session.flat->parameters)
    if (progress.try_emplace(cell.component, Progress::kUntouched).second)
      all.push_back(cell.component);
  for (Component* root : all) {
    if (progress[root] != Progress::kUntouched) continue;
    std::vector<Step> path;
    const auto enter = [&](Component* component) {
      progress[component] = Progress::kInProgress;
      path.push_back({component, parameters_read(session, *component)});
    };
    enter(root);
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next == step.reads.size()) {
        progress[step.component] = Progress::kDone;
        path.pop_back();
        continue;
      }
      Component* read = step.reads[step.next++];
      if (progress[read] == Progress::kInProgress) {
        std::string chain;
        bool is_in_cycle = false;
        for (const Step& at : path) {
          is_in_cycle |= at.component == read;
          if (is_in_cycle)
            chain += fmt::format("`{}` -> ", session.components->path(*at.component));
        }
        session.error("cyclic-binding",
                      fmt::format("parameters depend on each other: {}`{}`", chain,
                                  session.components->path(*read)),
                      read->element->declaration->range());
      } else if (progress[read] == Progress::kUntouched) {
        enter(read);
      }
    }
  }
}

// ---- attributes ----

namespace {

class AttributeNames {
 public:
  explicit AttributeNames(Session& session) : session_(session) {
    const KnownNames& names = session.names;
    known_ = {names.attributes.start,        names.attributes.fixed,
              names.attributes.min,          names.attributes.max,
              names.attributes.nominal,      names.attributes.unit,
              names.attributes.display_unit, names.attributes.quantity,
              names.attributes.state_select, names.attributes.unbounded};
  }

  void check(Component& component, const ModList& mods) {
    for (const ModRef& ref : mods) {
      if (!seen_.insert(ref.mod).second) continue;
      for (const ModNode* sub : ref.mod->subs) {
        if (!known_.contains(sub->name) || !has_attribute(component.base(), sub->name))
          report(*sub, known_.contains(sub->name) ? base_type_name(component.base()) : "");
        if (is_unread(sub->name))
          session_.attempt(sub->range,
                           [&] { session_.components->attribute(component, sub->name); });
      }
    }
  }

 private:
  // 4.8.2 to 4.8.5.
  bool has_attribute(BaseType type, Symbol name) const {
    const KnownNames& names = session_.names;
    if (type == BaseType::kReal || name == names.attributes.start ||
        name == names.attributes.fixed || name == names.attributes.quantity)
      return true;
    const bool is_ordered = type == BaseType::kInteger || type == BaseType::kEnumeration;
    return is_ordered && (name == names.attributes.min || name == names.attributes.max);
  }

  // Nobody else asks for its value, so that nobody would see a wrong one.
  bool is_unread(Symbol name) const {
    return name == session_.names.attributes.quantity ||
           name == session_.names.attributes.unbounded;
  }

  void report(const ModNode& mod, const std::string& type) {
    const std::string name = session_.text(mod.name);
    if (!type.empty()) {
      session_.error("no-such-element",
                     fmt::format("the type {} has no attribute `{}`", type, name), mod.range);
      return;
    }
    Diagnostic& diagnostic = session_.error(
        "no-such-element", fmt::format("there is no attribute `{}` to modify", name), mod.range);
    std::vector<std::string> candidates;
    for (const Symbol known : known_) candidates.push_back(session_.text(known));
    const auto near = nearest_names(name, candidates);
    if (!near.empty())
      diagnostic.help = fmt::format("did you mean {}?", hydae::quoted(near.front()));
  }

  Session& session_;
  std::set<Symbol> known_;
  std::set<const ModNode*> seen_;
};

}  // namespace

void check_attributes(Session& session, const ComponentOrder& order) {
  AttributeNames names(session);
  for (Component* component : order) {
    if (component->base() == BaseType::kExternalObject) continue;
    names.check(*component, component->element->mods);
    names.check(*component, component->type->attributes);
  }
}

// ---- variability ----

namespace {

// `0 = n - x` of an Integer n and a Real x, which is about x: something else must determine n.
void check_integers(Session& session) {
  const Graph& graph = *session.graph;
  const auto integer_of = [&](NodeId id) -> const Component* {
    if (graph.op(id) != Op::kVariable) return nullptr;
    const Component* component = session.flat->variables[graph.leaf_of(id).variable].component;
    const bool is_unknown = component != nullptr && component->base() == BaseType::kInteger &&
                            component->causality != syntax::Causality::kInput &&
                            !component->is_discrete && !component->is_free_parameter;
    return is_unknown ? component : nullptr;
  };
  std::set<const Component*> determined;
  for (const FlatEquation& equation : session.flat->equations)
    for (const NodeId side : {equation.lhs, equation.rhs})
      if (const Component* component = integer_of(side)) determined.insert(component);
  for (const FlatEquation& equation : session.flat->equations) {
    if (!graph.is_constant(equation.lhs, 0) || graph.op(equation.rhs) != Op::kSub) continue;
    for (const NodeId side : graph.operands(equation.rhs)) {
      const Component* component = integer_of(side);
      if (component == nullptr || determined.contains(component)) continue;
      session
          .error("variability",
                 fmt::format("`{}` is an Integer, which an equation with a Real does not determine",
                             session.components->path(*component)),
                 equation.source)
          .help = "round it: integer(...), floor(...)";
    }
  }
}

}  // namespace

void check_variability(Session& session) {
  const Graph& graph = *session.graph;
  DiscreteTime discrete(session);
  const auto needs_events = [&](NodeId id) -> const Component* {
    if (graph.op(id) != Op::kVariable) return nullptr;
    const Component* component = session.flat->variables[graph.leaf_of(id).variable].component;
    return component != nullptr && component->base() != BaseType::kReal ? component : nullptr;
  };
  for (const FlatEquation& equation : session.flat->equations) {
    const Component* left = needs_events(equation.lhs);
    const Component* component = left != nullptr ? left : needs_events(equation.rhs);
    if (component == nullptr) continue;
    const NodeId value = left != nullptr ? equation.rhs : equation.lhs;
    // Where a program computes it, nothing tells when it changes.
    const bool is_free =
        equation.allows_any_variability && (component->is_discrete || graph.op(value) != Op::kCall);
    if (is_free || discrete.holds(value)) continue;
    session.error("variability",
                  fmt::format("`{}` is discrete but its value can change at any time",
                              session.components->path(*component)),
                  equation.source);
  }
  check_integers(session);
  for (const FlatWhen& when : session.flat->whens)
    for (const FlatWhenBranch& branch : when.branches)
      for (const NodeId condition : branch.conditions)
        if (graph.op(condition) != Op::kCall && !discrete.holds(condition))
          session.error("variability",
                        "the condition of `when` can change at any time, without an event",
                        when.source);
}

// `discrete Real d` gets its value in a when-clause; an equation of its own says nothing else.
void check_discrete_reals(Session& session) {
  if (session.request.is_flat_text) return;  // the clauses of algorithms have become equations
  const Graph& graph = *session.graph;
  const auto find_misused = [&](NodeId id) -> const Component* {
    if (graph.op(id) != Op::kVariable) return nullptr;
    const Component* component = session.flat->variables[graph.leaf_of(id).variable].component;
    const bool is_misused = component != nullptr && component->base() == BaseType::kReal &&
                            component->variability == Variability::kDiscrete &&
                            component->causality != syntax::Causality::kInput &&
                            !component->is_discrete;
    return is_misused ? component : nullptr;
  };
  for (const FlatEquation& equation : session.flat->equations) {
    const Component* left = find_misused(equation.lhs);
    const Component* component = left != nullptr ? left : find_misused(equation.rhs);
    const NodeId other = left != nullptr ? equation.rhs : equation.lhs;
    if (component == nullptr || graph.op(other) == Op::kVariable || graph.op(other) == Op::kNeg ||
        session.folding->is_parameter_expression(other))
      continue;
    session
        .error("discrete-without-when",
               fmt::format("`{}` is a discrete Real, which gets its value in a when-clause",
                           session.components->path(*component)),
               equation.source)
        .help = "write the equation inside of `when`, or leave out `discrete`";
  }
}

// In a flat text of a model in C++ several clauses may determine a variable: the last one counts.
void check_when_targets(Session& session) {
  if (session.request.is_flat_text) return;
  std::map<VarId, SourceRange> determined;
  for (const FlatWhen& when : session.flat->whens) {
    std::map<VarId, SourceRange> own;
    for (const FlatWhenBranch& branch : when.branches)
      for (const FlatAction& action : branch.actions)
        if (action.kind == WhenAction::Kind::kAssign)
          own.emplace(session.graph->leaf_of(action.target).variable, action.source);
    for (const auto& [variable, range] : own) {
      const auto [first, is_new] = determined.emplace(variable, range);
      const Cell& cell = session.flat->variables[variable];
      if (is_new || cell.component == nullptr) continue;
      const std::string name = session.components->path(*cell.component) +
                               session.components->subscript(*cell.component, cell.position);
      Diagnostic& error =
          session.error("several-when-clauses",
                        fmt::format("`{}` is determined by two when-clauses", name), range);
      error.notes.push_back({"the other one", first->second});
      error.help = "write one when-clause with `elsewhen`";
    }
  }
}

void check_range(Session& session, const DeclaredRange& range) {
  const Graph& graph = *session.graph;
  if (!range.min || !range.max) return;
  if (!graph.is_constant(*range.min) || !graph.is_constant(*range.max)) return;
  const double low = graph.constant_value(*range.min), high = graph.constant_value(*range.max);
  if (low > high)
    session.error("empty-range",
                  fmt::format("`{}`: min = {} is larger than max = {}", range.name, low, high),
                  range.source);
}

// In a flat text the clauses of algorithms have become equations.
void check_pre_uses(Session& session, const IdVector<VarId, VariableKind>& kinds,
                    const std::function<std::string(VarId)>& name_of) {
  if (session.request.is_flat_text) return;
  for (const VariableUse& use : session.flat->pre_uses) {
    const Component* component = session.flat->variables[use.variable].component;
    const bool is_free = component != nullptr && component->is_free_parameter;
    if (kinds[use.variable] == VariableKind::kReal && !is_free)
      session
          .error("pre-of-continuous",
                 fmt::format("`pre({0})`: `{0}` is continuous and has no last value here",
                             name_of(use.variable)),
                 use.source)
          .help = "use it inside of a when-clause, or delay() for a value of the past";
  }
}

void check_der_uses(Session& session) {
  if (session.request.is_flat_text) return;
  for (const VariableUse& use : session.flat->der_uses) {
    const Component* component = session.flat->variables[use.variable].component;
    if (component == nullptr || component->is_free_parameter) continue;
    if (!component->is_discrete && component->variability != Variability::kDiscrete) continue;
    session
        .error("derivative-of-discrete",
               fmt::format("`{}` is discrete: it has no derivative",
                           session.components->path(*component)),
               use.source)
        .help = "what a when-clause determines stays as it is between events";
  }
}

}  // namespace hydae::modelica

#include "modelica/equations/algorithm.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "modelica/classes/classes.h"
#include "modelica/classes/requirements.h"
#include "modelica/components/components.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/functions/functions.h"
#include "modelica/functions/section_program.h"

namespace hydae::modelica {

// What a variable holds when the algorithm begins: the last value of a discrete variable, the start
// value of a continuous one.
Value Algorithms::entry_value(Component& component) {
  Value value = session_.components->value(component);
  Graph& graph = *session_.graph;
  const bool is_discrete = component.is_discrete || component.variability <= Variability::kDiscrete;
  if (is_discrete) {
    for (NodeId& cell : value.cells)
      if (graph.op(cell) == Op::kVariable) cell = graph.pre(graph.leaf_of(cell).variable);
    return value;
  }
  const auto start = session_.components->attribute(component, session_.names.attributes.start);
  for (std::size_t i = 0; i < value.cells.size(); ++i)
    value.cells[i] =
        !start ? graph.constant(0) : start->value.cells[start->value.cells.size() == 1 ? 0 : i];
  return value;
}

namespace {

struct Target {
  const syntax::ReferenceExpr* reference;
  bool is_in_when;
};

void collect_targets(std::span<const syntax::Statement* const> statements, bool is_in_when,
                     std::vector<Target>& out) {
  using namespace syntax;
  for (const Statement* statement : statements) {
    if (const auto* assign = find<AssignStatement>(statement))
      out.push_back({assign->target, is_in_when});
    if (const auto* call = find<AssignCallStatement>(statement))
      for (const syntax::Expr* target : call->targets)
        if (const auto* reference = find<ReferenceExpr>(target))
          out.push_back({reference, is_in_when});
    if (const auto* choice = find<IfStatement>(statement))
      for (const auto& branch : choice->branches) collect_targets(branch.body, is_in_when, out);
    if (const auto* loop = find<ForStatement>(statement))
      collect_targets(loop->body, is_in_when, out);
    if (const auto* loop = find<WhileStatement>(statement))
      collect_targets(loop->body, is_in_when, out);
    if (const auto* when = find<WhenStatement>(statement))
      for (const auto& branch : when->branches) collect_targets(branch.body, true, out);
  }
}

}  // namespace

// The components that some of the statements assign.
std::vector<Component*> Algorithms::find_assigned(
    std::span<const syntax::Statement* const> statements, const Env& env, bool is_in_when) {
  std::vector<Target> targets;
  collect_targets(statements, is_in_when, targets);
  std::vector<Component*> entered;
  const auto enter_component = [&](auto&& self, Component& named, const Target& target,
                                   std::size_t part) -> void {
    Component& component = session_.components->real(named);
    session_.components->expand(component);
    if (component.type->is_builtin()) {
      // What a when-statement assigns changes at events only, also before it is reached.
      if (target.is_in_when) component.is_discrete = true;
      entered.push_back(&component);
      return;
    }
    for (Instance* instance : component.instances) {
      session_.classes->elaborate(*instance);
      for (Element* element : instance->elements) {
        if (element->component == nullptr) continue;
        const auto& parts = target.reference->parts;
        const bool is_named =
            part + 1 >= parts.size() || element->name == parts[part + 1].name.symbol;
        if (is_named) self(self, *element->component, target, part + 1);
      }
    }
  };
  for (const Target& target : targets) {
    const Symbol name = target.reference->parts.front().name.symbol;
    const Found found = session_.classes->find(name, *env.scope);
    if (found.element != nullptr && found.element->component != nullptr)
      enter_component(enter_component, *found.element->component, target, 0);
  }
  return entered;
}

// Every component that some statement assigns gets its entry value.
void Algorithms::enter(const syntax::List<const syntax::Statement*>& statements, const Env& env,
                       bool is_in_when) {
  for (Component* component : find_assigned(statements, env, is_in_when)) {
    auto& held = env.frame->components[component];
    if (held == nullptr) held = std::make_shared<Value>(entry_value(*component));
  }
}

// Those that one when-statement assigns and no other statement of the algorithm.
void Algorithms::find_assigned_once(const syntax::Section& section, const Env& env) {
  std::map<Component*, int> num_statements;
  assigned_once_.clear();
  for (const syntax::Statement* statement : section.statements) {
    const bool is_when = syntax::find<syntax::WhenStatement>(statement) != nullptr;
    const std::vector<Component*> assigned = find_assigned({&statement, 1}, env, is_when);
    for (Component* component : std::set<Component*>(assigned.begin(), assigned.end()))
      if (++num_statements[component] == 1 && is_when)
        assigned_once_.insert(component);
      else
        assigned_once_.erase(component);
  }
}

void Algorithms::stamp(const syntax::Section& section, Instance& part) {
  const bool is_initial = section.kind == syntax::SectionKind::kInitialAlgorithm;
  Frame frame;
  frame.has_returned = frame.has_broken = session_.graph->boolean(false);
  Env env;
  env.scope = &part;
  env.frame = &frame;
  env.is_continuous = !is_initial;
  try {
    if (!is_initial && stamp_when_statements(section, env)) return;
    enter(section.statements, env, false);
    find_assigned_once(section, env);
    Statements::Hooks hooks;
    hooks.call = [&](const syntax::CallExpr& call, const Env& at, NodeId condition) {
      run_call(call, at, condition);
    };
    hooks.when = [&](const syntax::WhenStatement& statement, const Env& at) {
      run_when(statement, at);
    };
    run_body(section.statements, env, hooks, section.range);
    finish(frame, part, section, is_initial);
  } catch (const Failure&) {
    // Reported.
  } catch (const WrongValue& wrong) {
    session_.error("type-mismatch", wrong.what(), section.range);
  } catch (const NotInlinable& reason) {
    session_.error(
        "unsupported",
        fmt::format("algorithms whose {} depends on changing values are not supported yet",
                    reason.reason),
        reason.range);
  }
}

// With formulas first. Where a loop has a number of turns that changes, the statements become a
// function; when-statements have no place in one.
void Algorithms::run_body(const StatementList& body, const Env& env, const Statements::Hooks& hooks,
                          SourceRange range) {
  const bool has_when = std::any_of(body.begin(), body.end(), [](const syntax::Statement* one) {
    return one->kind == syntax::StatementKind::kWhen;
  });
  const Frame entered = *env.frame;
  const std::size_t num_assertions = session_.flat->assertions.size();
  const std::size_t num_checks = session_.event_checks ? session_.event_checks->size() : 0;
  try {
    if (hooks.begin) hooks.begin();
    statements_ = std::make_unique<Statements>(session_, hooks);
    return statements_->run(body, env);
  } catch (const NotInlinable&) {
    if (has_when) throw;
  }
  *env.frame = entered;
  session_.functions->take_back_assertions(num_assertions);
  if (session_.event_checks != nullptr) session_.event_checks->resize(num_checks);
  SectionProgram program(session_);
  if (hooks.begin) hooks.begin();
  statements_ = std::make_unique<Statements>(session_, hooks);
  statements_->run(body, env);
  program.finish(*env.frame, "algorithm", range);
}

void Algorithms::finish(const Frame& frame, Instance& part, const syntax::Section& section,
                        bool is_initial) {
  auto& out = is_initial ? session_.flat->initial_equations : session_.flat->equations;
  // In the order of declaration of the scalars: the frame has none.
  std::map<std::uint32_t, FlatEquation> ordered;
  for (const auto& [component, value] : frame.components) {
    const Value& variable = session_.components->value(*component);
    for (std::size_t i = 0; i < variable.cells.size(); ++i) {
      if (variable.cells[i] == value->cells[i]) continue;
      FlatEquation& made = ordered[variable.cells[i].index()];
      made = {variable.cells[i], value->cells[i], &part, section.range};
      made.allows_any_variability = component->is_discrete;
    }
  }
  for (auto& [index, equation] : ordered) out.push_back(equation);
}

void Algorithms::run_call(const syntax::CallExpr& call, const Env& env, NodeId condition) {
  const std::string name = session_.text(call.function->parts.front().name.symbol);
  if (name == "assert") {
    FlatAssertion made = read_assertion(session_, call, env);
    if (session_.functions->recorder() != nullptr) return add_assertion(session_, std::move(made));
    Graph& graph = *session_.graph;
    if (condition.is_valid())
      made.condition = graph.binary(Op::kOr, graph.unary(Op::kNot, condition), made.condition);
    if (!graph.is_constant(made.condition, 1)) session_.flat->assertions.push_back(made);
    return;
  }
  if (name == "terminate" || name == "reinit")
    session_.fail("misplaced-call", fmt::format("`{}` can only stand in a when-statement", name),
                  call.range);
  // Any other function is called for its checks; it has no result.
  session_.evaluator->evaluate(call, env);
}

// ---- when-statements ----

// An algorithm that consists of when-statements with separate variables is a list of when-clauses.
bool Algorithms::stamp_when_statements(const syntax::Section& section, const Env& env) {
  std::set<Symbol> seen;
  for (const syntax::Statement* statement : section.statements) {
    const auto* when = syntax::find<syntax::WhenStatement>(statement);
    if (when == nullptr) return false;
    std::vector<Target> targets;
    std::set<Symbol> own;
    for (const auto& branch : when->branches) collect_targets(branch.body, true, targets);
    for (const Target& target : targets) own.insert(target.reference->parts.front().name.symbol);
    for (const Symbol name : own)
      if (!seen.insert(name).second) return false;
  }
  for (const syntax::Statement* statement : section.statements)
    stamp_when_statement(syntax::as<syntax::WhenStatement>(*statement), env);
  return true;
}

void Algorithms::stamp_when_statement(const syntax::WhenStatement& statement, const Env& env) {
  Graph& graph = *session_.graph;
  FlatWhen when;
  when.instance = env.scope->whole;
  when.source = statement.range;
  for (const auto& branch : statement.branches) {
    FlatWhenBranch& made = when.branches.emplace_back();
    Env outside = env;
    outside.frame = nullptr;
    made.conditions = whens_.conditions(*branch.condition, outside);
    Frame frame;
    frame.has_returned = frame.has_broken = graph.boolean(false);
    Env inner = env;
    inner.frame = &frame;
    inner.is_silent = true;
    inner.is_in_when = true;
    inner.is_continuous = false;
    std::vector<FlatAction> checks;
    const EventBody event(session_, checks);
    enter(branch.body, inner, true);
    Statements::Hooks hooks;
    hooks.begin = [&made] { made.actions.clear(); };
    hooks.call = [&](const syntax::CallExpr& call, const Env& at, NodeId condition) {
      for (FlatAction& action : whens_.call_actions(call, at)) {
        if (ProgramRecorder* recorder = session_.functions->recorder()) {
          if (action.kind != WhenAction::Kind::kAssert)
            session_.unsupported("`terminate` beside a loop that changes is", action.source);
          const NodeId guard = session_.guard;
          recorder->require(guard.is_valid()
                                ? graph.binary(Op::kOr, graph.unary(Op::kNot, guard), action.value)
                                : action.value,
                            action.message);
          continue;
        }
        // 8.3.6: what reinit means depends on the equations around it.
        if (action.kind == WhenAction::Kind::kReinit)
          session_.fail("misplaced-call", "`reinit` can only stand in a when-equation", call.range);
        if (condition.is_valid()) {
          if (action.kind != WhenAction::Kind::kAssert)
            session_.unsupported("conditional `terminate` is", action.source);
          action.value = graph.binary(Op::kOr, graph.unary(Op::kNot, condition), action.value);
        }
        made.actions.push_back(std::move(action));
      }
    };
    run_body(branch.body, inner, hooks, branch.range);
    std::map<std::uint32_t, FlatAction> ordered;
    for (const auto& [component, value] : frame.components) {
      const Value& variable = session_.components->value(*component);
      for (std::size_t i = 0; i < variable.cells.size(); ++i) {
        FlatAction action;
        action.target = variable.cells[i];
        action.value = value->cells[i];
        action.source = branch.range;
        whens_.mark_discrete(action.target, statement.range);
        ordered[action.target.index()] = std::move(action);
      }
    }
    for (auto& [index, action] : ordered) made.actions.push_back(std::move(action));
    made.actions.insert(made.actions.end(), checks.begin(), checks.end());
  }
  // A branch that leaves a variable of another branch alone keeps its value.
  for (FlatWhenBranch& branch : when.branches)
    for (const FlatWhenBranch& other : when.branches)
      for (const FlatAction& action : other.actions) {
        if (action.kind != WhenAction::Kind::kAssign) continue;
        const bool is_there =
            std::any_of(branch.actions.begin(), branch.actions.end(), [&](const FlatAction& own) {
              return own.kind == WhenAction::Kind::kAssign && own.target == action.target;
            });
        if (is_there) continue;
        FlatAction keep = action;
        keep.value = graph.pre(graph.leaf_of(action.target).variable);
        branch.actions.push_back(std::move(keep));
      }
  session_.flat->whens.push_back(std::move(when));
}

// Variables that only this statement assigns become assignments of a when-clause; what follows in
// the algorithm refers to the variable itself.
void Algorithms::take_assigned_once(FlatWhen& when, std::vector<std::pair<NodeId, Frame>>& outcomes,
                                    Frame& frame) {
  Graph& graph = *session_.graph;
  std::map<std::uint32_t, Component*> taken;  // in the order of their variables
  for (const auto& [component, value] : frame.components) {
    if (!assigned_once_.contains(component) || value->cells.empty()) continue;
    const Value& variable = session_.components->value(*component);
    bool is_untouched = true, is_assigned = false;
    for (std::size_t i = 0; i < value->cells.size(); ++i)
      is_untouched &= graph.op(variable.cells[i]) == Op::kVariable &&
                      value->cells[i] == graph.pre(graph.leaf_of(variable.cells[i]).variable);
    for (const auto& [fires, outcome] : outcomes)
      is_assigned |= outcome.components.at(component) != value;
    if (is_untouched && is_assigned) taken[variable.cells.front().index()] = component;
  }
  for (const auto& [index, component] : taken) {
    const auto itself = std::make_shared<Value>(session_.components->value(*component));
    for (std::size_t b = 0; b < outcomes.size(); ++b) {
      const Value& value = *outcomes[b].second.components.at(component);
      for (std::size_t i = 0; i < value.cells.size(); ++i) {
        FlatAction action;
        action.target = itself->cells[i];
        action.value = value.cells[i];
        action.source = when.source;
        when.branches[b].actions.push_back(std::move(action));
      }
      outcomes[b].second.components[component] = itself;
    }
    frame.components[component] = itself;
  }
  if (!taken.empty()) session_.flat->whens.push_back(when);
}

// A when-statement among other statements: it acts where one of its conditions becomes true, which
// a helper variable remembers; else everything stays as it is.
void Algorithms::run_when(const syntax::WhenStatement& statement, const Env& env) {
  Graph& graph = *session_.graph;
  Frame& frame = *env.frame;
  std::vector<std::pair<NodeId, Frame>> outcomes;
  FlatWhen when;
  when.instance = env.scope->whole;
  when.source = statement.range;
  for (const auto& branch : statement.branches) {
    NodeId fires = graph.boolean(false);
    FlatWhenBranch& made = when.branches.emplace_back();
    for (const NodeId condition : whens_.conditions(*branch.condition, env)) {
      if (graph.op(condition) == Op::kInitial) {
        made.conditions.push_back(condition);
        fires = graph.binary(Op::kOr, fires, condition);
        continue;
      }
      const VarId helper = session_.flat->add_variable({nullptr, 0});
      session_.flat->helpers[helper] = {fmt::format("$when{}", ++num_helpers_),
                                        VariableKind::kBoolean, branch.range};
      const NodeId now = graph.variable(helper);
      made.conditions.push_back(now);
      session_.flat->equations.push_back({now, condition, env.scope->whole, branch.range});
      const NodeId edge = graph.binary(Op::kAnd, now, graph.unary(Op::kNot, graph.pre(helper)));
      fires = graph.binary(
          Op::kOr, fires,
          graph.binary(Op::kAnd, edge, graph.unary(Op::kNot, graph.leaf(Op::kInitial))));
    }
    Frame copy = frame;
    Env inner = env;
    inner.frame = &copy;
    inner.is_silent = true;
    inner.is_in_when = true;
    inner.is_continuous = false;
    const Guard guard(session_, graph.boolean(false));
    statements_->run(branch.body, inner);
    for (const auto& [component, value] : copy.components)
      if (frame.components.at(component) != value) component->is_discrete = true;
    outcomes.push_back({fires, std::move(copy)});
  }
  take_assigned_once(when, outcomes, frame);
  for (auto outcome = outcomes.rbegin(); outcome != outcomes.rend(); ++outcome) {
    Frame fired = std::move(outcome->second);
    statements_->join(outcome->first, fired, frame, statement.range);
    frame = std::move(fired);
  }
}

}  // namespace hydae::modelica

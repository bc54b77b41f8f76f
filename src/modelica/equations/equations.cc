#include "modelica/equations/equations.h"

#include <fmt/format.h>

#include "modelica/components/components.h"
#include "modelica/connections/connections.h"
#include "modelica/expressions/constant_folding.h"

namespace hydae::modelica {

// ---- sections ----

void Equations::stamp(Instance& part) {
  const syntax::LongClass* definition = part.def->long_class();
  if (definition == nullptr) return;
  for (const syntax::Section& section : definition->sections) {
    Sink sink;
    sink.is_initial = section.kind == syntax::SectionKind::kInitialEquation;
    const bool is_equations = section.kind == syntax::SectionKind::kEquation || sink.is_initial;
    std::optional<Guard> at_start;
    if (sink.is_initial || section.kind == syntax::SectionKind::kInitialAlgorithm)
      at_start.emplace(session_, session_.graph->leaf(Op::kInitial));
    if (is_equations) {
      Env env{&part};
      env.is_continuous = !sink.is_initial;
      stamp_list(section.equations, env, sink);
      auto& target = sink.is_initial ? session_.flat->initial_equations : session_.flat->equations;
      target.insert(target.end(), sink.equations.begin(), sink.equations.end());
      auto& assertions = session_.flat->assertions;
      if (sink.is_initial)
        for (FlatAssertion& assertion : sink.assertions)
          assertion.condition = at_start_only(assertion.condition);
      assertions.insert(assertions.end(), sink.assertions.begin(), sink.assertions.end());
    } else if (!section.statements.empty()) {
      stamp_algorithm(section, part);
    }
  }
}

// What an initial section asserts concerns the start.
NodeId Equations::at_start_only(NodeId condition) {
  Graph& graph = *session_.graph;
  return graph.binary(Op::kOr, graph.unary(Op::kNot, graph.leaf(Op::kInitial)), condition);
}

void Equations::stamp_list(const EquationList& equations, const Env& env, Sink& sink) {
  for (const syntax::Equation* equation : equations)
    session_.attempt(equation->range, [&] {
      session_.check_stack(equation->range);
      stamp_one(*equation, env, sink);
    });
}

void Equations::stamp_one(const syntax::Equation& equation, const Env& env, Sink& sink) {
  using syntax::EquationKind;
  switch (equation.kind) {
    case EquationKind::kEqual:
      return stamp_equal(syntax::as<syntax::EqualEquation>(equation), env, sink);
    case EquationKind::kIf: return stamp_if(syntax::as<syntax::IfEquation>(equation), env, sink);
    case EquationKind::kFor: {
      const auto& loop = syntax::as<syntax::ForEquation>(equation);
      return stamp_for(loop, 0, env, [&](const Env& inner) { stamp_list(loop.body, inner, sink); });
    }
    case EquationKind::kWhen:
      if (sink.is_initial)
        session_.fail("misplaced-when", "`when` cannot stand in an initial equation",
                      equation.range);
      if (!sink.allows_when)
        session_.unsupported("when-equations under a changing condition are", equation.range);
      return stamp_when(syntax::as<syntax::WhenEquation>(equation), env);
    case EquationKind::kConnect: return;  // see stamp_connections
    case EquationKind::kCall:
      return stamp_call(syntax::as<syntax::CallEquation>(equation), env, sink);
  }
}

// ---- equalities ----

void Equations::add_equality(const Value& lhs, const Value& rhs, const Instance* instance,
                             SourceRange range, std::vector<FlatEquation>& out) {
  if (lhs.type == BaseType::kRecord && rhs.type == BaseType::kRecord) {
    for (const Field& field : lhs.fields) {
      const Value* other = rhs.field(field.name);
      if (other == nullptr)
        session_.fail("type-mismatch",
                      fmt::format("`{}` is a field of one side only", session_.text(field.name)),
                      range);
      const std::size_t first = out.size();
      add_equality(*field.value, *other, instance, range, out);
      for (std::size_t i = first; i < out.size(); ++i) out[i].allows_any_variability = true;
    }
    return;
  }
  if (lhs.type == BaseType::kTuple) {
    if (rhs.type != BaseType::kTuple || lhs.fields.size() > rhs.fields.size())
      session_.fail("too-many-results", fmt::format("{} results are expected", lhs.fields.size()),
                    range);
    for (std::size_t i = 0; i < lhs.fields.size(); ++i)
      if (lhs.fields[i].value != nullptr)
        add_equality(*lhs.fields[i].value, *rhs.fields[i].value, instance, range, out);
    return;
  }
  if (rhs.type == BaseType::kTuple && !rhs.fields.empty())
    return add_equality(lhs, *rhs.fields.front().value, instance, range, out);
  if (!has_same_type(lhs, rhs))
    session_.fail("type-mismatch",
                  fmt::format("the sides differ: {} and {}", type_text(lhs), type_text(rhs)),
                  range);
  if (lhs.sizes != rhs.sizes)
    session_.fail(
        "size-mismatch",
        fmt::format("the sides differ in size: {} and {}", type_text(lhs), type_text(rhs)), range);
  if (!lhs.has_cells()) {
    if (lhs.type == BaseType::kString && lhs.strings == rhs.strings) return;
    session_.unsupported(fmt::format("equations of type {} are", base_type_name(lhs.type)), range);
  }
  const bool is_real = lhs.type == BaseType::kReal || rhs.type == BaseType::kReal;
  for (std::size_t i = 0; i < lhs.cells.size(); ++i) {
    const NodeId a = lhs.cells[i], b = rhs.cells[i];
    // An equation between a Real and an Integer variable does not determine the Integer.
    // A flat text has no integer(): what it equates to an Integer is one.
    const bool may_differ = is_real && !session_.is_flat_text;
    if (may_differ && (is_integer_variable(a) || is_integer_variable(b)))
      out.push_back(
          {session_.graph->constant(0), session_.graph->binary(Op::kSub, a, b), instance, range});
    else
      out.push_back({a, b, instance, range});
  }
}

bool Equations::is_integer_variable(NodeId id) const {
  if (session_.graph->op(id) != Op::kVariable) return false;
  const Component* component =
      session_.flat->variables[session_.graph->leaf_of(id).variable].component;
  return component != nullptr && component->base() == BaseType::kInteger;
}

// All results of a call that stands alone, else a value.
Value Equations::side(const syntax::Expr& expr, const Env& env) {
  if (const auto* tuple = syntax::find<syntax::TupleExpr>(&expr))
    return session_.evaluator->evaluate_tuple(*tuple, env);
  const auto* call = syntax::find<syntax::CallExpr>(&expr);
  return call != nullptr ? session_.evaluator->call(*call, env)
                         : session_.evaluator->evaluate(expr, env);
}

void Equations::stamp_equal(const syntax::EqualEquation& equation, const Env& env, Sink& sink) {
  const Value lhs = side(*equation.left, env);
  const Value rhs = side(*equation.right, env);
  add_equality(lhs, rhs, env.scope->whole, equation.range, sink.equations);
}

// ---- if ----

void Equations::stamp_if(const syntax::IfEquation& equation, const Env& env, Sink& sink) {
  stamp_branches(equation, 0, env, sink);
}

void Equations::stamp_branches(const syntax::IfEquation& equation, std::size_t branch,
                               const Env& env, Sink& sink) {
  if (branch == equation.branches.size()) return;
  const auto& at = equation.branches[branch];
  if (at.condition == nullptr) return stamp_list(at.body, env, sink);
  NodeId condition =
      session_.evaluator->scalar(*at.condition, env, BaseType::kBoolean, "the condition");
  // A parameter condition chooses the equations once and for all (8.3.4). In initial equations too.
  if (session_.folding->is_parameter_expression(condition))
    condition = session_.folding->fold(condition, at.condition->range, "the condition");
  if (session_.graph->is_constant(condition)) {
    if (session_.graph->constant_value(condition) != 0) return stamp_list(at.body, env, sink);
    return stamp_branches(equation, branch + 1, env, sink);
  }
  Sink then_sink, else_sink;
  then_sink.is_initial = else_sink.is_initial = sink.is_initial;
  then_sink.allows_when = else_sink.allows_when = false;
  {
    const Guard guard(session_, condition);
    stamp_list(at.body, env, then_sink);
  }
  {
    const Guard guard(session_, session_.graph->unary(Op::kNot, condition));
    stamp_branches(equation, branch + 1, env, else_sink);
  }
  join(condition, then_sink, else_sink, equation, env, sink);
}

// The k-th equations of both branches become one that switches: their structure may differ.
void Equations::join(NodeId condition, Sink& then_sink, Sink& else_sink,
                     const syntax::IfEquation& equation, const Env& env, Sink& sink) {
  Graph& graph = *session_.graph;
  const std::size_t count = then_sink.equations.size();
  if (count != else_sink.equations.size()) {
    session_.fail("unequal-branches",
                  fmt::format("branches have {} and {} equations; the condition is not a parameter "
                              "expression",
                              count, else_sink.equations.size()),
                  equation.range);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const FlatEquation& a = then_sink.equations[i];
    const FlatEquation& b = else_sink.equations[i];
    FlatEquation joined{a.lhs, {}, env.scope->whole, equation.range};
    if (a.lhs == b.lhs) {
      joined.rhs = graph.select(condition, a.rhs, b.rhs);
    } else {
      joined.lhs = graph.constant(0);
      joined.rhs = graph.select(condition, graph.binary(Op::kSub, a.lhs, a.rhs),
                                graph.binary(Op::kSub, b.lhs, b.rhs));
    }
    sink.equations.push_back(joined);
  }
  for (FlatAssertion& assertion : then_sink.assertions) {
    assertion.condition =
        graph.binary(Op::kOr, graph.unary(Op::kNot, condition), assertion.condition);
    sink.assertions.push_back(std::move(assertion));
  }
  for (FlatAssertion& assertion : else_sink.assertions) {
    assertion.condition = graph.binary(Op::kOr, condition, assertion.condition);
    sink.assertions.push_back(std::move(assertion));
  }
}

// ---- for ----

namespace {

void collect_expressions(const syntax::List<const syntax::Equation*>& equations,
                         std::vector<const syntax::Expr*>& out) {
  for (const syntax::Equation* equation : equations) {
    if (const auto* equal = syntax::find<syntax::EqualEquation>(equation)) {
      out.push_back(equal->left);
      out.push_back(equal->right);
    } else if (const auto* connect = syntax::find<syntax::ConnectEquation>(equation)) {
      out.push_back(connect->left);
      out.push_back(connect->right);
    } else if (const auto* loop = syntax::find<syntax::ForEquation>(equation)) {
      collect_expressions(loop->body, out);
    }
  }
}

}  // namespace

void Equations::stamp_for(const syntax::ForEquation& equation, std::size_t iterator, const Env& env,
                          const std::function<void(const Env&)>& body) {
  if (iterator == equation.iterators.size()) return body(env);
  const syntax::Iterator& at = equation.iterators[iterator];
  std::vector<const syntax::Expr*> expressions;
  if (at.range == nullptr) collect_expressions(equation.body, expressions);
  for (Value& value : session_.evaluator->loop_values(at, env, expressions)) {
    value = session_.folding->fold(std::move(value), at.name.range, "the range");
    const LoopVariable loop{at.name.symbol, std::move(value), env.loops};
    Env inner = env;
    inner.loops = &loop;
    stamp_for(equation, iterator + 1, inner, body);
  }
}

// ---- calls ----

FlatAssertion read_assertion(Session& session, const syntax::CallExpr& call, const Env& env) {
  const auto argument = [&](std::size_t position, const char* name) -> const syntax::Expr* {
    if (position < call.arguments.size()) return call.arguments[position];
    for (const syntax::NamedArgument& named : call.named)
      if (named.name.symbol == session.workspace.intern(name)) return named.value;
    return nullptr;
  };
  const syntax::Expr* condition = argument(0, "condition");
  const syntax::Expr* message = argument(1, "message");
  if (condition == nullptr || message == nullptr)
    session.fail("missing-argument", "`assert` needs a condition and a message", call.range);
  FlatAssertion out;
  Env silent = env;
  silent.is_silent = !session.is_flat_text;  // which says noEvent where it is meant
  out.condition =
      session.evaluator->scalar(*condition, silent, BaseType::kBoolean, "the condition");
  out.source = call.range;
  const Value text = session.evaluator->evaluate(*message, silent);
  out.message = text.message();
  if (const syntax::Expr* level = argument(2, "level")) {
    const Value value = session.evaluator->evaluate(*level, env);
    if (value.type != BaseType::kEnumeration || value.enumeration->name != "AssertionLevel")
      session.fail("type-mismatch",
                   fmt::format("the level is AssertionLevel, not {}", type_text(value)),
                   level->range);
    const NodeId known = session.folding->fold(value.scalar(), level->range, "the level");
    out.is_warning = session.folding->number(known) == 1;
  }
  return out;
}

void Equations::stamp_call(const syntax::CallEquation& equation, const Env& env, Sink& sink) {
  const syntax::CallExpr& call = *equation.call;
  const auto& parts = call.function->parts;
  const std::string name = session_.text(parts.front().name.symbol);
  if (parts.size() == 1 && name == "assert") {
    const FlatAssertion made = read_assertion(session_, call, env);
    if (!session_.graph->is_constant(made.condition, 1)) sink.assertions.push_back(made);
    return;
  }
  if (parts.size() == 1 && name == "terminate" && !sink.is_initial && session_.guard.is_valid())
    return terminate_where(session_.guard, call, env);
  if (parts.size() == 1 && (name == "reinit" || name == "terminate" || name == "impulse"))
    session_.fail("misplaced-call", fmt::format("`{}` can only stand in a when-equation", name),
                  call.range);
  if (parts.size() == 1 && name == "contact") return stamp_contact(call, env, sink);
  if (is_graph_call(call)) return;  // see stamp_connections
  // Any other function is called for its checks; it has no result.
  session_.evaluator->evaluate(call, env);
}

// In an if-equation: the run ends when its condition becomes true (8.3.8).
void Equations::terminate_where(NodeId condition, const syntax::CallExpr& call, const Env& env) {
  FlatWhen when;
  when.instance = env.scope->whole;
  when.source = call.range;
  FlatWhenBranch& branch = when.branches.emplace_back();
  branch.conditions = {condition};
  branch.actions = call_actions(call, env);
  session_.flat->whens.push_back(std::move(when));
}

// ---- connect ----

void Equations::stamp_connections(Instance& part) {
  const syntax::LongClass* definition = part.def->long_class();
  if (definition == nullptr) return;
  for (const syntax::Section& section : definition->sections)
    if (section.kind == syntax::SectionKind::kEquation)
      find_connects(section.equations, Env{&part});
}

namespace {

// Whether equations hold a connect clause or one about the graph of connections; loops and
// conditions around others are not evaluated.
template <class IsGraphCall>
bool has_connects(const syntax::List<const syntax::Equation*>& equations,
                  const IsGraphCall& is_graph_call) {
  for (const syntax::Equation* equation : equations) {
    if (equation->kind == syntax::EquationKind::kConnect) return true;
    if (const auto* call = syntax::find<syntax::CallEquation>(equation))
      if (is_graph_call(*call->call)) return true;
    if (const auto* loop = syntax::find<syntax::ForEquation>(equation))
      if (has_connects(loop->body, is_graph_call)) return true;
    if (const auto* choice = syntax::find<syntax::IfEquation>(equation))
      for (const auto& branch : choice->branches)
        if (has_connects(branch.body, is_graph_call)) return true;
  }
  return false;
}

}  // namespace

// Connections.root(...) and the like.
bool Equations::is_graph_call(const syntax::CallExpr& call) const {
  const auto& parts = call.function->parts;
  return parts.size() == 2 && parts.front().name.symbol == session_.names.connections;
}

bool Equations::has_connects(const EquationList& equations) const {
  return modelica::has_connects(
      equations, [this](const syntax::CallExpr& call) { return is_graph_call(call); });
}

void Equations::find_connects(const EquationList& equations, const Env& env) {
  if (!has_connects(equations)) return;
  for (const syntax::Equation* equation : equations)
    session_.attempt(equation->range, [&] { find_connects(*equation, env); });
}

void Equations::find_connects(const syntax::Equation& equation, const Env& env) {
  if (const auto* connect = syntax::find<syntax::ConnectEquation>(&equation)) {
    session_.connections->connect(*connect, env);
  } else if (const auto* call = syntax::find<syntax::CallEquation>(&equation)) {
    if (is_graph_call(*call->call)) session_.connections->declare(*call->call, env);
  } else if (const auto* loop = syntax::find<syntax::ForEquation>(&equation)) {
    if (has_connects(loop->body))
      stamp_for(*loop, 0, env, [&](const Env& inner) { find_connects(loop->body, inner); });
  } else if (const auto* choice = syntax::find<syntax::IfEquation>(&equation)) {
    bool is_relevant = false;
    for (const auto& branch : choice->branches) is_relevant |= has_connects(branch.body);
    if (!is_relevant) return;
    for (const auto& branch : choice->branches) {
      if (branch.condition != nullptr) {
        const NodeId condition =
            session_.evaluator->scalar(*branch.condition, env, BaseType::kBoolean, "the condition");
        const NodeId known =
            session_.folding->fold(condition, branch.condition->range, "the condition");
        if (session_.folding->number(known) == 0) continue;
      }
      return find_connects(branch.body, env);
    }
  }
}

}  // namespace hydae::modelica

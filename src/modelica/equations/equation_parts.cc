#include "modelica/equations/equation_parts.h"

#include <fmt/format.h>

#include "modelica/expressions/call_evaluation.h"
#include "modelica/expressions/constant_folding.h"

namespace hydae::modelica {

namespace {

bool is_integer_variable(Session& session, NodeId id) {
  if (session.graph->op(id) != Op::kVariable) return false;
  const Component* component =
      session.flat->variables[session.graph->leaf_of(id).variable].component;
  return component != nullptr && component->base() == BaseType::kInteger;
}

}  // namespace

void add_equality(Session& session, const Value& lhs, const Value& rhs,
                  const EquationOrigin& origin, std::vector<FlatEquation>& out) {
  const auto& [instance, range] = origin;
  if (lhs.type == BaseType::kRecord && rhs.type == BaseType::kRecord) {
    for (const Field& field : lhs.fields) {
      const Value* other = rhs.field(field.name);
      if (other == nullptr)
        session.fail("type-mismatch",
                     fmt::format("`{}` is a field of one side only", session.text(field.name)),
                     range);
      const std::size_t first = out.size();
      add_equality(session, *field.value, *other, origin, out);
      for (std::size_t i = first; i < out.size(); ++i) out[i].allows_any_variability = true;
    }
    return;
  }
  if (lhs.type == BaseType::kTuple) {
    if (rhs.type != BaseType::kTuple || lhs.fields.size() > rhs.fields.size())
      session.fail("too-many-results", fmt::format("{} results are expected", lhs.fields.size()),
                   range);
    for (std::size_t i = 0; i < lhs.fields.size(); ++i)
      if (lhs.fields[i].value != nullptr)
        add_equality(session, *lhs.fields[i].value, *rhs.fields[i].value, origin, out);
    return;
  }
  if (rhs.type == BaseType::kTuple && !rhs.fields.empty())
    return add_equality(session, lhs, *rhs.fields.front().value, origin, out);
  if (!has_same_type(lhs, rhs))
    session.fail("type-mismatch",
                 fmt::format("the sides differ: {} and {}", type_text(lhs), type_text(rhs)), range);
  if (lhs.sizes != rhs.sizes)
    session.fail("size-mismatch",
                 fmt::format("the sides differ in size: {} and {}", type_text(lhs), type_text(rhs)),
                 range);
  if (!lhs.has_cells()) {
    if (lhs.type == BaseType::kString && lhs.strings == rhs.strings) return;
    session.unsupported(fmt::format("equations of type {} are", base_type_name(lhs.type)), range);
  }
  const bool is_real = lhs.type == BaseType::kReal || rhs.type == BaseType::kReal;
  for (std::size_t i = 0; i < lhs.cells.size(); ++i) {
    const NodeId a = lhs.cells[i], b = rhs.cells[i];
    // An equation between a Real and an Integer variable does not determine the Integer.
    // A flat text has no integer(): what it equates to an Integer is one.
    const bool may_differ = is_real && !session.request.is_flat_text;
    if (may_differ && (is_integer_variable(session, a) || is_integer_variable(session, b)))
      out.push_back(
          {session.graph->constant(0), session.graph->binary(Op::kSub, a, b), instance, range});
    else
      out.push_back({a, b, instance, range});
  }
}

Value side_of(Session& session, const syntax::Expr& expr, const Env& env) {
  if (const auto* tuple = syntax::find<syntax::TupleExpr>(&expr))
    return session.evaluator->evaluate_tuple(*tuple, env);
  const auto* call = syntax::find<syntax::CallExpr>(&expr);
  return call != nullptr ? Calls(session).call(*call, env) : session.evaluator->evaluate(expr, env);
}

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

void run_turns(Session& session, const syntax::ForEquation& equation, std::size_t iterator,
               const Env& env, const std::function<void(const Env&)>& body) {
  if (iterator == equation.iterators.size()) return body(env);
  const syntax::Iterator& at = equation.iterators[iterator];
  std::vector<const syntax::Expr*> expressions;
  if (at.range == nullptr) collect_expressions(equation.body, expressions);
  for (Value& value : session.evaluator->loop_values(at, env, expressions)) {
    value = session.folding->fold(std::move(value), at.name.range, "the range");
    const LoopVariable loop{at.name.symbol, std::move(value), env.loops};
    Env inner = env;
    inner.loops = &loop;
    run_turns(session, equation, iterator + 1, inner, body);
  }
}

}  // namespace

void for_each_turn(Session& session, const syntax::ForEquation& equation, const Env& env,
                   const std::function<void(const Env&)>& body) {
  run_turns(session, equation, 0, env, body);
}

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
  silent.is_silent = !session.request.is_flat_text;  // which says noEvent where it is meant
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

}  // namespace hydae::modelica

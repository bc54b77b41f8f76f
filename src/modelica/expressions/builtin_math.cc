// Predefined functions of numbers.
#include <fmt/format.h>

#include "expr/silent_rounding.h"
#include "modelica/classes/requirements.h"
#include "modelica/expressions/builtin_call.h"
#include "modelica/expressions/builtin_functions.h"
#include "modelica/expressions/operators.h"
#include "ops/operation.h"

namespace hydae::modelica {
namespace builtin {
namespace {

struct Application {
  Session& session;
  const std::string& name;
  bool is_silent;
  SourceRange range;
};

Value round_with(const Application& by, Op op, const Value& a, BaseType type) {
  if (a.type == BaseType::kInteger) return a;
  Value out = Operators(by.session).map(a, type, op);
  if (by.is_silent)
    for (NodeId& cell : out.cells) cell = silent_rounding(*by.session.graph, cell);
  return out;
}

// Known to be zero it is an error; otherwise it is watched.
void require_divisor(const Application& by, const Value& divisor) {
  Graph& graph = *by.session.graph;
  for (const NodeId cell : divisor.cells) {
    const NodeId is_there = graph.relation(Op::kNotEqual, cell, graph.constant(0), true);
    require(by.session,
            {"division-by-zero", is_there, fmt::format("`{}` divides by zero", by.name), by.range});
  }
}

// div, mod and rem count with the whole quotient; mod rounds it down, the others toward 0 (3.7.2).
Value divide(const Application& by, const Value& a, const Value& b) {
  const bool is_integer = a.type == BaseType::kInteger && b.type == BaseType::kInteger;
  const BaseType type = is_integer ? BaseType::kInteger : BaseType::kReal;
  Operators evaluate(by.session);
  require_divisor(by, b);
  const Value quotient = evaluate.map(a, b, BaseType::kReal, Op::kDiv, by.range);
  const Op op = by.name == "mod" ? Op::kFloor : Op::kTrunc;
  Application rounding = by;
  rounding.is_silent = by.is_silent && !is_integer;
  const Value whole = round_with(rounding, op, quotient, type);
  if (by.name == "div") return whole;
  return evaluate.map(a, evaluate.map(whole, b, type, Op::kMul, by.range), type, Op::kSub,
                      by.range);
}

}  // namespace

Value math(const Call& call) {
  std::vector<Value> arguments;
  for (const syntax::Expr* argument : call.syntax.arguments)
    arguments.push_back(call.session.evaluator->evaluate(*argument, call.env));
  for (const syntax::NamedArgument& argument : call.syntax.named)
    arguments.push_back(call.session.evaluator->evaluate(*argument.value, call.env));
  return apply_builtin(call.session, call.name, arguments, call.env.is_silent, call.range());
}

Value to_integer(const Call& call) {
  call.expect_arguments(1, 1);
  Value out = call.value(0);
  if (out.type != BaseType::kEnumeration)
    call.session.fail("type-mismatch",
                      fmt::format("`Integer` converts enumerations, not {}", type_text(out)),
                      call.range());
  out.type = BaseType::kInteger;
  out.enumeration = nullptr;
  return out;
}

}  // namespace builtin

Value apply_builtin(Session& session, const std::string& name, const std::vector<Value>& arguments,
                    bool is_silent, SourceRange range) {
  const ops::Entry* const entry = ops::find_builtin(name);
  const bool is_division = name == "div" || name == "mod" || name == "rem";
  const bool is_binary = is_division || (entry && entry->num_operands == 2);
  if (arguments.size() != (is_binary ? 2u : 1u))
    session.fail("argument-count",
                 fmt::format("`{}` has {}", name, is_binary ? "two arguments" : "one argument"),
                 range);
  for (const Value& argument : arguments)
    if (!argument.is_numeric())
      session.fail("type-mismatch",
                   fmt::format("`{}` needs numbers, not {}", name, type_text(argument)), range);
  const Value& a = arguments[0];
  const builtin::Application by{session, name, is_silent, range};
  if (is_division) return builtin::divide(by, a, arguments[1]);
  if (name == "floor") return builtin::round_with(by, Op::kFloor, a, BaseType::kReal);
  if (name == "ceil") return builtin::round_with(by, Op::kCeil, a, BaseType::kReal);
  if (name == "integer") return builtin::round_with(by, Op::kFloor, a, BaseType::kInteger);
  if (!entry) session.unsupported(fmt::format("the function `{}` is", name), range);
  if (is_binary) return Operators(session).map(a, arguments[1], BaseType::kReal, entry->op, range);
  BaseType type = BaseType::kReal;
  if (name == "abs") type = a.type;
  if (name == "sign") type = BaseType::kInteger;
  return Operators(session).map(a, type, entry->op);
}

}  // namespace hydae::modelica

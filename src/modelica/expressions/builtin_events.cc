// Predefined operators about time and events.
#include <fmt/format.h>

#include "expr/incidence.h"
#include "modelica/classes/requirements.h"
#include "modelica/expressions/builtin_call.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/operators.h"
#include "modelica/flat/flat.h"
#include "modelica/flat/free_parameters.h"

namespace hydae::modelica::builtin {

namespace {

NodeId pre_of(Session& session, NodeId id, SourceRange range) {
  Graph& graph = *session.graph;
  const Node node = graph.node(id);
  switch (node.op) {
    case Op::kVariable: return graph.pre(node.variable, node.order);
    case Op::kConstant:
    case Op::kParameter: return id;
    case Op::kNeg: {
      const NodeId operand = pre_of(session, node.a, range);
      return graph.unary(Op::kNeg, operand);
    }
    case Op::kSelect: {  // a subscript that changes
      const NodeId then_value = pre_of(session, node.b, range),
                   else_value = pre_of(session, node.c, range);
      return graph.select(node.a, then_value, else_value);
    }
    default: break;
  }
  session.fail("pre-of-expression", "`pre` needs a variable", range);
}

// The next instant lies behind the last one, as far as numbers can tell.
void check_interval(Session& session, NodeId start, NodeId interval, SourceRange range) {
  if (!session.folding->is_parameter_expression(start) ||
      !session.folding->is_parameter_expression(interval))
    return;  // told where it is used
  const auto width = session.folding->find_constant(interval);
  const auto first = session.folding->find_constant(start);
  if (!width || !first)
    session.fail("sample-interval", "the start and the interval of `sample` must be numbers",
                 range);
  const double from = session.folding->number(*first), step = session.folding->number(*width);
  constexpr double kSmallest = 64 * std::numeric_limits<double>::epsilon();  // of the start
  if (step > kSmallest * std::abs(from)) return;
  session.fail("sample-interval",
               fmt::format("the interval of `sample` must be positive{}, not {}",
                           step > 0 ? fmt::format(" beside its start {}", from) : "", step),
               range);
}

// 3.7.4.1: 0 <= delayTime <= delayMax, and without delayMax a delay time that does not change.
void require_delay_time(Session& session, NodeId by, NodeId most, SourceRange range) {
  Graph& graph = *session.graph;
  const Contents parts = contents(graph, by);
  const bool changes = parts.has_time || parts.has_variables || parts.has_delays;
  if (changes && !most.is_valid())
    session.fail("delay-time",
                 "a delay time that changes needs its largest value: "
                 "delay(expr, delayTime, delayMax)",
                 range);
  const auto at_least = [&](NodeId a, NodeId b) {
    return graph.relation(Op::kGreaterEqual, a, b, /*silent=*/true);
  };
  // One that comes down to zero, or up to its largest value, does so but for rounding.
  constexpr double kRounding = 1e-12;
  const NodeId zero = graph.constant(0);
  const NodeId slack = changes ? graph.binary(Op::kMul, graph.constant(kRounding), most) : zero;
  require(session, {"delay-time", at_least(graph.binary(Op::kAdd, by, slack), zero),
                    "the delay time of `delay` is negative", range});
  if (!most.is_valid()) return;
  require(session, {"delay-time", at_least(graph.binary(Op::kAdd, most, slack), by),
                    "the delay time of `delay` is above its largest value, delayMax", range});
}

}  // namespace

namespace {

// A delayed signal is constant before its past begins: its derivative is not the delayed
// derivative. A variable of its own is differentiated piece by piece.
NodeId named_if_delayed(Session& session, NodeId value, const Env& env, SourceRange range) {
  if (!contents(*session.graph, value).has_delays || env.frame != nullptr) return value;
  const VarId helper = session.flat->add_variable({nullptr, 0});
  session.flat->helpers[helper] = {fmt::format("$delayed{}", helper.index()), VariableKind::kReal,
                                   range};
  const NodeId name = session.graph->variable(helper);
  session.flat->equations.push_back({name, value, env.scope->whole, range});
  return name;
}

}  // namespace

Value der(const Call& call) {
  // der(x, 2), as columns of results are called: an extension, for variables.
  const bool is_named = !call.syntax.arguments.empty() &&
                        call.syntax.arguments.front()->kind == syntax::ExprKind::kReference;
  call.expect_arguments(1, is_named || call.session.request.is_flat_text ? 2 : 1);
  Value out = call.value(0);
  if (out.type != BaseType::kReal)
    call.session.fail("type-mismatch", fmt::format("`der` needs a Real, not {}", type_text(out)),
                      call.range());
  for (const NodeId cell : out.cells)
    if (call.session.graph->op(cell) == Op::kVariable)
      call.session.flat->der_uses.push_back(
          {call.session.graph->leaf_of(cell).variable, call.range()});
  const int order = call.syntax.arguments.size() == 2 ? call.known_integer(1) : 1;
  if (order < 1 || order > 100)
    call.session.fail("derivative-order", "the order of a derivative is between 1 and 100",
                      call.range());
  for (NodeId& cell : out.cells)
    cell = hydae::der(Expr(*call.session.graph,
                           named_if_delayed(call.session, cell, call.env, call.range())),
                      order)
               .in(*call.session.graph);
  return out;
}

namespace {

// In an algorithm section `pre(x)` is about the variable, not about what was assigned to it so far.
Env without_assignments(const Env& env) {
  Env out = env;
  if (env.frame != nullptr && env.frame->function == nullptr) out.frame = nullptr;
  return out;
}

}  // namespace

Value pre(const Call& call) {
  call.expect_arguments(1, 1);
  const Env env = without_assignments(call.env);
  Value out = call.session.evaluator->evaluate(call.argument(0), env);
  if (!out.has_cells()) call.session.fail("type-mismatch", "`pre` needs a variable", call.range());
  for (NodeId& cell : out.cells) {
    if (!env.is_in_when && call.session.graph->op(cell) == Op::kVariable)
      call.session.flat->pre_uses.push_back(
          {call.session.graph->leaf_of(cell).variable, call.range()});
    cell = pre_of(call.session, cell, call.range());
  }
  return out;
}

Value edge(const Call& call) {
  const Value before = pre(call);
  Value out = call.value(0);
  if (out.type != BaseType::kBoolean)
    call.session.fail("type-mismatch", "`edge` needs a Boolean", call.range());
  Graph& graph = *call.session.graph;
  for (std::size_t i = 0; i < out.cells.size(); ++i)
    out.cells[i] = graph.binary(Op::kAnd, out.cells[i], graph.unary(Op::kNot, before.cells[i]));
  return out;
}

Value change(const Call& call) {
  const Value before = pre(call);
  Value out = call.value(0);
  for (std::size_t i = 0; i < out.cells.size(); ++i)
    out.cells[i] =
        call.session.graph->relation(Op::kNotEqual, out.cells[i], before.cells[i], /*silent=*/true);
  out.type = BaseType::kBoolean;
  return out;
}

Value initial(const Call& call) {
  call.expect_arguments(0, 0);
  return Value::scalar_of(BaseType::kBoolean, call.session.graph->leaf(Op::kInitial));
}

Value terminal(const Call& call) {
  call.expect_arguments(0, 0);
  return Value::scalar_of(BaseType::kBoolean, call.session.graph->leaf(Op::kTerminal));
}

Value sample(const Call& call) {
  call.expect_arguments(1, 2);
  if (call.syntax.arguments.size() == 1 && call.syntax.named.empty())
    call.session.unsupported("clocked `sample` is", call.range());
  const NodeId start = call.real(0, "start"), interval = call.real(1, "interval");
  for (const NodeId given : {start, interval}) {
    const Contents parts = contents(*call.session.graph, given);
    if (parts.has_time || parts.has_pre || !is_known(call.session, given, true))
      call.session.fail("variability",
                        "start and interval of `sample` must not change during the simulation",
                        call.range());
  }
  check_interval(call.session, start, interval, call.argument(1, "interval").range);
  return Value::scalar_of(BaseType::kBoolean,
                          call.session.graph->binary(Op::kSample, start, interval));
}

Value no_event(const Call& call) {
  call.expect_arguments(1, 1);
  Env env = call.env;
  env.is_silent = true;
  return call.session.evaluator->evaluate(call.argument(0), env);
}

Value smooth(const Call& call) {
  call.expect_arguments(2, 2);
  const int order = call.known_integer(0);
  Env env = call.env;
  env.is_silent = true;
  Value out = call.session.evaluator->evaluate(call.argument(1), env);
  Graph& graph = *call.session.graph;
  for (NodeId& cell : out.cells) cell = graph.binary(Op::kSmooth, graph.constant(order), cell);
  return out;
}

// smooth(0, if x >= 0 then a*x else b*x) (3.7.4.5), element by element
Value semi_linear(const Call& call) {
  call.expect_arguments(3, 3);
  Graph& graph = *call.session.graph;
  const Value x = call.value(0), a = call.value(1), b = call.value(2);
  Value out;
  for (const Value* given : {&x, &a, &b}) {
    if (!given->is_numeric() ||
        (!given->is_scalar() && !out.is_scalar() && given->sizes != out.sizes))
      call.session.fail(
          "type-mismatch",
          fmt::format("`semiLinear` of {}, {} and {}", type_text(x), type_text(a), type_text(b)),
          call.range());
    if (!given->is_scalar()) out.sizes = given->sizes;
  }
  const auto at = [](const Value& given, std::size_t i) {
    return given.cells[given.is_scalar() ? 0 : i];
  };
  for (std::size_t i = 0; i < static_cast<std::size_t>(num_elements(out.sizes)); ++i) {
    const NodeId is_positive = graph.relation(Op::kGreaterEqual, at(x, i), graph.constant(0), true);
    const NodeId chosen = graph.select(is_positive, graph.binary(Op::kMul, at(a, i), at(x, i)),
                                       graph.binary(Op::kMul, at(b, i), at(x, i)));
    out.cells.push_back(graph.binary(Op::kSmooth, graph.constant(0), chosen));
  }
  return out;
}

Value homotopy(const Call& call) {
  call.expect_arguments(2, 2);
  const Value actual = call.value(0, "actual"), simplified = call.value(1, "simplified");
  if (!actual.is_numeric() || !simplified.is_numeric())
    call.session.fail(
        "type-mismatch",
        fmt::format("`homotopy` of {} and {}", type_text(actual), type_text(simplified)),
        call.range());
  return Operators(call.session)
      .map(actual, simplified, BaseType::kReal, Op::kHomotopy, call.range());
}

Value delay(const Call& call) {
  call.expect_arguments(2, 3);
  Value out = call.value(0, "expr");
  if (!out.has_cells())
    call.session.fail("type-mismatch", fmt::format("`delay` needs numbers, not {}", type_text(out)),
                      call.range());
  const NodeId by = call.real(1, "delayTime");
  const bool has_most = call.find_argument(2, "delayMax") != nullptr;
  const NodeId most = has_most ? call.real(2, "delayMax") : by;
  require_delay_time(call.session, by, has_most ? most : NodeId(), call.range());
  for (NodeId& cell : out.cells) cell = call.session.graph->ternary(Op::kDelay, cell, by, most);
  return out;
}

Value unsupported(const Call& call) {
  call.session.unsupported(fmt::format("`{}` is", call.name), call.range());
}

}  // namespace hydae::modelica::builtin

#include "modelica/expressions/builtin_functions.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>

#include "expr/incidence.h"
#include "expr/silent_rounding.h"
#include "modelica/classes/requirements.h"
#include "modelica/components/components.h"
#include "modelica/connections/connections.h"
#include "modelica/expressions/array_functions.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/operator_record.h"
#include "modelica/flat/flat.h"
#include "modelica/flat/free_parameters.h"
#include "ops/operation.h"

namespace hydae::modelica {

using B = BuiltinFunctions;

const std::unordered_map<std::string, B::Handler>& BuiltinFunctions::handlers() {
  static const std::unordered_map<std::string, Handler> kOthers = {
      {"der", &B::der},
      {"pre", &B::pre},
      {"edge", &B::edge},
      {"change", &B::change},
      {"initial", &B::initial},
      {"terminal", &B::terminal},
      {"sample", &B::sample},
      {"noEvent", &B::no_event},
      {"smooth", &B::smooth},
      {"semiLinear", &B::semi_linear},
      {"homotopy", &B::homotopy},
      {"delay", &B::delay},
      {"cardinality", &B::cardinality},
      {"getInstanceName", &B::get_instance_name},
      {"rooted", &B::rooted},
      {"inStream", &B::in_stream},
      {"actualStream", &B::actual_stream},
      {"spatialDistribution", &B::unsupported},
      {"previous", &B::unsupported},
      {"hold", &B::unsupported},
      {"Clock", &B::unsupported},
      {"subSample", &B::unsupported},
      {"superSample", &B::unsupported},
      {"shiftSample", &B::unsupported},
      {"backSample", &B::unsupported},
      {"noClock", &B::unsupported},
      {"interval", &B::unsupported},
      {"firstTick", &B::unsupported},
      {"div", &B::math},
      {"mod", &B::math},
      {"rem", &B::math},
      {"ceil", &B::math},
      {"floor", &B::math},
      {"integer", &B::math},
      {"Integer", &B::to_integer},
      {"String", &B::to_string},
      {"size", &B::size},
      {"ndims", &B::ndims},
      {"zeros", &B::zeros},
      {"ones", &B::ones},
      {"fill", &B::fill},
      {"identity", &B::identity},
      {"linspace", &B::linspace},
      {"cat", &B::cat},
      {"array", &B::array},
      {"promote", &B::promote},
      {"min", &B::reduction},
      {"max", &B::reduction},
      {"sum", &B::reduction},
      {"product", &B::reduction},
      {"diagonal", &B::one_array},
      {"transpose", &B::one_array},
      {"symmetric", &B::one_array},
      {"skew", &B::one_array},
      {"scalar", &B::one_array},
      {"vector", &B::one_array},
      {"matrix", &B::one_array},
      {"cross", &B::two_arrays},
      {"outerProduct", &B::two_arrays},
  };
  static const std::unordered_map<std::string, Handler> kAll = [] {
    auto all = kOthers;
    for (const ops::Entry& entry : ops::entries())
      if (entry.is_builtin) all.emplace(entry.name, &B::math);
    return all;
  }();
  return kAll;
}

std::vector<std::string> BuiltinFunctions::names() {
  std::vector<std::string> all;
  for (const auto& [name, handler] : handlers()) all.push_back(name);
  return all;
}

namespace {

// Operators about time, events or connections: a function has none of these (12.2).
bool needs_a_model(const std::string& name) {
  static const std::set<std::string> kNames = {
      "der",   "pre",         "edge",     "change",       "initial", "terminal",           "sample",
      "delay", "cardinality", "inStream", "actualStream", "rooted",  "spatialDistribution"};
  return kNames.contains(name);
}

}  // namespace

bool BuiltinFunctions::is_builtin(const std::string& name) { return handlers().contains(name); }

Value BuiltinFunctions::call(const std::string& name, const syntax::CallExpr& syntax,
                             const Env& env) {
  if (env.frame != nullptr && env.frame->function != nullptr && needs_a_model(name))
    session_.fail("misplaced-call", fmt::format("`{}` cannot stand in a function", name),
                  syntax.range);
  const auto found = handlers().find(name);
  return (this->*found->second)(Call{name, syntax, env});
}

// ---- arguments ----

const syntax::Expr* BuiltinFunctions::find_argument(const Call& call, std::size_t position,
                                                    const char* name) {
  if (position < call.syntax.arguments.size()) return call.syntax.arguments[position];
  const Symbol symbol = session_.workspace.intern(name);
  for (const syntax::NamedArgument& argument : call.syntax.named)
    if (argument.name.symbol == symbol) return argument.value;
  return nullptr;
}

const syntax::Expr& BuiltinFunctions::argument(const Call& call, std::size_t position,
                                               const char* name) {
  const syntax::Expr* found = find_argument(call, position, name);
  if (found == nullptr)
    session_.fail("missing-argument",
                  fmt::format("`{}` needs an argument {}", call.name, position + 1), call.range());
  return *found;
}

void BuiltinFunctions::expect_arguments(const Call& call, std::size_t least, std::size_t most) {
  const std::size_t count = call.syntax.arguments.size() + call.syntax.named.size();
  if (count >= least && count <= most) return;
  session_.fail(
      "argument-count",
      fmt::format("`{}` has {} argument{}, not {}", call.name,
                  least == most ? std::to_string(least) : fmt::format("{} to {}", least, most),
                  most == 1 ? "" : "s", count),
      call.range());
}

Value BuiltinFunctions::value(const Call& call, std::size_t position, const char* name) {
  return session_.evaluator->evaluate(argument(call, position, name), call.env);
}

NodeId BuiltinFunctions::real(const Call& call, std::size_t position, const char* name) {
  return session_.evaluator->scalar(argument(call, position, name), call.env, BaseType::kReal,
                                    fmt::format("argument {} of `{}`", position + 1, call.name));
}

int BuiltinFunctions::known_integer(const Call& call, std::size_t position, const char* name) {
  const syntax::Expr& expr = argument(call, position, name);
  const std::string what = fmt::format("argument {} of `{}`", position + 1, call.name);
  const NodeId node = session_.evaluator->scalar(expr, call.env, BaseType::kInteger, what);
  const double number = session_.folding->number(session_.folding->fold(node, expr.range, what));
  if (std::abs(number) > static_cast<double>(session_.limits.array_elements))
    session_.fail("array-size", fmt::format("{} is too large", what), expr.range);
  return static_cast<int>(number);
}

int BuiltinFunctions::known_size(const Call& call, std::size_t position, const char* name) {
  const int size = known_integer(call, position, name);
  if (size < 0)
    session_.fail("array-size", fmt::format("{} is no size", size),
                  argument(call, position, name).range);
  return size;
}

Sizes BuiltinFunctions::known_sizes(const Call& call, std::size_t first) {
  if (!call.syntax.named.empty() || call.syntax.arguments.size() <= first)
    session_.fail(
        "argument-count",
        fmt::format("`{}` needs {}sizes, by position", call.name, first == 0 ? "" : "a value and "),
        call.range());
  Sizes sizes;
  for (std::size_t i = first; i < call.syntax.arguments.size(); ++i)
    sizes.push_back(known_size(call, i));
  return sizes;
}

// ---- events ----

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

Value BuiltinFunctions::der(const Call& call) {
  // der(x, 2), as columns of results are called: an extension, for variables.
  const bool is_named = !call.syntax.arguments.empty() &&
                        call.syntax.arguments.front()->kind == syntax::ExprKind::kReference;
  expect_arguments(call, 1, is_named || session_.is_flat_text ? 2 : 1);
  Value out = value(call, 0);
  if (out.type != BaseType::kReal)
    session_.fail("type-mismatch", fmt::format("`der` needs a Real, not {}", type_text(out)),
                  call.range());
  for (const NodeId cell : out.cells)
    if (session_.graph->op(cell) == Op::kVariable)
      session_.flat->der_uses.push_back({session_.graph->leaf_of(cell).variable, call.range()});
  const int order = call.syntax.arguments.size() == 2 ? known_integer(call, 1) : 1;
  if (order < 1 || order > 100)
    session_.fail("derivative-order", "the order of a derivative is between 1 and 100",
                  call.range());
  for (NodeId& cell : out.cells)
    cell =
        hydae::der(Expr(*session_.graph, named_if_delayed(session_, cell, call.env, call.range())),
                   order)
            .in(*session_.graph);
  return out;
}

NodeId BuiltinFunctions::pre_of(NodeId id, SourceRange range) {
  Graph& graph = *session_.graph;
  const Node node = graph.node(id);
  switch (node.op) {
    case Op::kVariable: return graph.pre(node.variable, node.order);
    case Op::kConstant:
    case Op::kParameter: return id;
    case Op::kNeg: {
      const NodeId operand = pre_of(node.a, range);
      return graph.unary(Op::kNeg, operand);
    }
    case Op::kSelect: {  // a subscript that changes
      const NodeId then_value = pre_of(node.b, range), else_value = pre_of(node.c, range);
      return graph.select(node.a, then_value, else_value);
    }
    default: break;
  }
  session_.fail("pre-of-expression", "`pre` needs a variable", range);
}

namespace {

// In an algorithm section `pre(x)` is about the variable, not about what was assigned to it so far.
Env without_assignments(const Env& env) {
  Env out = env;
  if (env.frame != nullptr && env.frame->function == nullptr) out.frame = nullptr;
  return out;
}

}  // namespace

Value BuiltinFunctions::pre(const Call& call) {
  expect_arguments(call, 1, 1);
  const Env env = without_assignments(call.env);
  Value out = session_.evaluator->evaluate(argument(call, 0), env);
  if (!out.has_cells()) session_.fail("type-mismatch", "`pre` needs a variable", call.range());
  for (NodeId& cell : out.cells) {
    if (!env.is_in_when && session_.graph->op(cell) == Op::kVariable)
      session_.flat->pre_uses.push_back({session_.graph->leaf_of(cell).variable, call.range()});
    cell = pre_of(cell, call.range());
  }
  return out;
}

Value BuiltinFunctions::edge(const Call& call) {
  const Value before = pre(call);
  Value out = value(call, 0);
  if (out.type != BaseType::kBoolean)
    session_.fail("type-mismatch", "`edge` needs a Boolean", call.range());
  Graph& graph = *session_.graph;
  for (std::size_t i = 0; i < out.cells.size(); ++i)
    out.cells[i] = graph.binary(Op::kAnd, out.cells[i], graph.unary(Op::kNot, before.cells[i]));
  return out;
}

Value BuiltinFunctions::change(const Call& call) {
  const Value before = pre(call);
  Value out = value(call, 0);
  for (std::size_t i = 0; i < out.cells.size(); ++i)
    out.cells[i] =
        session_.graph->relation(Op::kNotEqual, out.cells[i], before.cells[i], /*silent=*/true);
  out.type = BaseType::kBoolean;
  return out;
}

Value BuiltinFunctions::initial(const Call& call) {
  expect_arguments(call, 0, 0);
  return Value::scalar_of(BaseType::kBoolean, session_.graph->leaf(Op::kInitial));
}

Value BuiltinFunctions::terminal(const Call& call) {
  expect_arguments(call, 0, 0);
  return Value::scalar_of(BaseType::kBoolean, session_.graph->leaf(Op::kTerminal));
}

// The next instant lies behind the last one, as far as numbers can tell.
void BuiltinFunctions::check_interval(NodeId start, NodeId interval, SourceRange range) {
  if (!session_.folding->is_parameter_expression(start) ||
      !session_.folding->is_parameter_expression(interval))
    return;  // told where it is used
  const auto width = session_.folding->find_constant(interval);
  const auto first = session_.folding->find_constant(start);
  if (!width || !first)
    session_.fail("sample-interval", "the start and the interval of `sample` must be numbers",
                  range);
  const double from = session_.folding->number(*first), step = session_.folding->number(*width);
  constexpr double kSmallest = 64 * std::numeric_limits<double>::epsilon();  // of the start
  if (step > kSmallest * std::abs(from)) return;
  session_.fail("sample-interval",
                fmt::format("the interval of `sample` must be positive{}, not {}",
                            step > 0 ? fmt::format(" beside its start {}", from) : "", step),
                range);
}

Value BuiltinFunctions::sample(const Call& call) {
  expect_arguments(call, 1, 2);
  if (call.syntax.arguments.size() == 1 && call.syntax.named.empty())
    session_.unsupported("clocked `sample` is", call.range());
  const NodeId start = real(call, 0, "start"), interval = real(call, 1, "interval");
  for (const NodeId given : {start, interval}) {
    const Contents parts = contents(*session_.graph, given);
    if (parts.has_time || parts.has_pre || !is_known(session_, given, true))
      session_.fail("variability",
                    "start and interval of `sample` must not change during the simulation",
                    call.range());
  }
  check_interval(start, interval, argument(call, 1, "interval").range);
  return Value::scalar_of(BaseType::kBoolean, session_.graph->binary(Op::kSample, start, interval));
}

Value BuiltinFunctions::no_event(const Call& call) {
  expect_arguments(call, 1, 1);
  Env env = call.env;
  env.is_silent = true;
  return session_.evaluator->evaluate(argument(call, 0), env);
}

Value BuiltinFunctions::smooth(const Call& call) {
  expect_arguments(call, 2, 2);
  const int order = known_integer(call, 0);
  Env env = call.env;
  env.is_silent = true;
  Value out = session_.evaluator->evaluate(argument(call, 1), env);
  Graph& graph = *session_.graph;
  for (NodeId& cell : out.cells) cell = graph.binary(Op::kSmooth, graph.constant(order), cell);
  return out;
}

// smooth(0, if x >= 0 then a*x else b*x) (3.7.4.5), element by element
Value BuiltinFunctions::semi_linear(const Call& call) {
  expect_arguments(call, 3, 3);
  Graph& graph = *session_.graph;
  const Value x = value(call, 0), a = value(call, 1), b = value(call, 2);
  Value out;
  for (const Value* given : {&x, &a, &b}) {
    if (!given->is_numeric() ||
        (!given->is_scalar() && !out.is_scalar() && given->sizes != out.sizes))
      session_.fail(
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

Value BuiltinFunctions::homotopy(const Call& call) {
  expect_arguments(call, 2, 2);
  const Value actual = value(call, 0, "actual"), simplified = value(call, 1, "simplified");
  if (!actual.is_numeric() || !simplified.is_numeric())
    session_.fail("type-mismatch",
                  fmt::format("`homotopy` of {} and {}", type_text(actual), type_text(simplified)),
                  call.range());
  return session_.evaluator->map(actual, simplified, BaseType::kReal, Op::kHomotopy, call.range());
}

Value BuiltinFunctions::delay(const Call& call) {
  expect_arguments(call, 2, 3);
  Value out = value(call, 0, "expr");
  if (!out.has_cells())
    session_.fail("type-mismatch", fmt::format("`delay` needs numbers, not {}", type_text(out)),
                  call.range());
  const NodeId by = real(call, 1, "delayTime");
  const bool has_most = find_argument(call, 2, "delayMax") != nullptr;
  const NodeId most = has_most ? real(call, 2, "delayMax") : by;
  require_delay_time(by, has_most ? most : NodeId(), call.range());
  for (NodeId& cell : out.cells) cell = session_.graph->ternary(Op::kDelay, cell, by, most);
  return out;
}

// 3.7.4.1: 0 <= delayTime <= delayMax, and without delayMax a delay time that does not change.
void BuiltinFunctions::require_delay_time(NodeId by, NodeId most, SourceRange range) {
  Graph& graph = *session_.graph;
  const Contents parts = contents(graph, by);
  const bool changes = parts.has_time || parts.has_variables || parts.has_delays;
  if (changes && !most.is_valid())
    session_.fail("delay-time",
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
  require(session_, {"delay-time", at_least(graph.binary(Op::kAdd, by, slack), zero),
                     "the delay time of `delay` is negative", range});
  if (!most.is_valid()) return;
  require(session_, {"delay-time", at_least(graph.binary(Op::kAdd, most, slack), by),
                     "the delay time of `delay` is above its largest value, delayMax", range});
}

Value BuiltinFunctions::cardinality(const Call& call) {
  expect_arguments(call, 1, 1);
  const auto* reference = syntax::find<syntax::ReferenceExpr>(&argument(call, 0));
  if (reference == nullptr)
    session_.fail("type-mismatch", "`cardinality` needs a connector", call.range());
  return session_.evaluator->integer(session_.connections->cardinality(*reference, call.env));
}

Value BuiltinFunctions::rooted(const Call& call) {
  expect_arguments(call, 1, 1);
  const auto* reference = syntax::find<syntax::ReferenceExpr>(&argument(call, 0));
  if (reference == nullptr)
    session_.fail("type-mismatch", "`rooted` needs a part of a connector", call.range());
  return session_.evaluator->boolean(session_.connections->is_rooted(*reference, call.env));
}

Value BuiltinFunctions::in_stream(const Call& call) {
  expect_arguments(call, 1, 1);
  Value out = value(call, 0);
  for (NodeId& cell : out.cells) cell = session_.connections->in_stream(cell, call.range());
  return out;
}

Value BuiltinFunctions::actual_stream(const Call& call) {
  expect_arguments(call, 1, 1);
  Value out = value(call, 0);
  for (NodeId& cell : out.cells)
    cell = session_.connections->actual_stream(cell, call.env.is_silent, call.range());
  return out;
}

Value BuiltinFunctions::get_instance_name(const Call& call) {
  const Instance& instance = *call.env.scope->whole;
  const std::string path = session_.components->path(instance);
  const std::string model = session_.model == nullptr || session_.model->def == nullptr
                                ? ""
                                : session_.text(session_.model->def->name);
  return Value::string(path.empty() ? model : model + "." + path);
}

Value BuiltinFunctions::unsupported(const Call& call) {
  session_.unsupported(fmt::format("`{}` is", call.name), call.range());
}

// ---- numbers ----

Value BuiltinFunctions::round_with(Op op, const Value& a, BaseType type, bool is_silent) {
  if (a.type == BaseType::kInteger) return a;
  Value out = session_.evaluator->map(a, type, op);
  if (is_silent)
    for (NodeId& cell : out.cells) cell = silent_rounding(*session_.graph, cell);
  return out;
}

// Known to be zero it is an error; otherwise it is watched.
void BuiltinFunctions::require_divisor(const std::string& name, const Value& divisor,
                                       SourceRange range) {
  Graph& graph = *session_.graph;
  for (const NodeId cell : divisor.cells) {
    const NodeId is_there = graph.relation(Op::kNotEqual, cell, graph.constant(0), true);
    require(session_,
            {"division-by-zero", is_there, fmt::format("`{}` divides by zero", name), range});
  }
}

// div, mod and rem count with the whole quotient; mod rounds it down, the others toward 0 (3.7.2).
Value BuiltinFunctions::divide(const std::string& name, const Value& a, const Value& b,
                               bool is_silent, SourceRange range) {
  const bool is_integer = a.type == BaseType::kInteger && b.type == BaseType::kInteger;
  const BaseType type = is_integer ? BaseType::kInteger : BaseType::kReal;
  Evaluator& evaluator = *session_.evaluator;
  require_divisor(name, b, range);
  const Value quotient = evaluator.map(a, b, BaseType::kReal, Op::kDiv, range);
  const Op op = name == "mod" ? Op::kFloor : Op::kTrunc;
  const Value whole = round_with(op, quotient, type, is_silent && !is_integer);
  if (name == "div") return whole;
  return evaluator.map(a, evaluator.map(whole, b, type, Op::kMul, range), type, Op::kSub, range);
}

Value BuiltinFunctions::apply(const std::string& name, const std::vector<Value>& arguments,
                              bool is_silent, SourceRange range) {
  const ops::Entry* const builtin = ops::find_builtin(name);
  const bool is_division = name == "div" || name == "mod" || name == "rem";
  const bool is_binary = is_division || (builtin && builtin->num_operands == 2);
  if (arguments.size() != (is_binary ? 2u : 1u))
    session_.fail("argument-count",
                  fmt::format("`{}` has {}", name, is_binary ? "two arguments" : "one argument"),
                  range);
  for (const Value& argument : arguments)
    if (!argument.is_numeric())
      session_.fail("type-mismatch",
                    fmt::format("`{}` needs numbers, not {}", name, type_text(argument)), range);
  const Value& a = arguments[0];
  if (is_division) return divide(name, a, arguments[1], is_silent, range);
  if (name == "floor") return round_with(Op::kFloor, a, BaseType::kReal, is_silent);
  if (name == "ceil") return round_with(Op::kCeil, a, BaseType::kReal, is_silent);
  if (name == "integer") return round_with(Op::kFloor, a, BaseType::kInteger, is_silent);
  if (!builtin) session_.unsupported(fmt::format("the function `{}` is", name), range);
  if (is_binary)
    return session_.evaluator->map(a, arguments[1], BaseType::kReal, builtin->op, range);
  BaseType type = BaseType::kReal;
  if (name == "abs") type = a.type;
  if (name == "sign") type = BaseType::kInteger;
  return session_.evaluator->map(a, type, builtin->op);
}

Value BuiltinFunctions::math(const Call& call) {
  std::vector<Value> arguments;
  for (const syntax::Expr* argument : call.syntax.arguments)
    arguments.push_back(session_.evaluator->evaluate(*argument, call.env));
  for (const syntax::NamedArgument& argument : call.syntax.named)
    arguments.push_back(session_.evaluator->evaluate(*argument.value, call.env));
  return apply(call.name, arguments, call.env.is_silent, call.range());
}

Value BuiltinFunctions::to_integer(const Call& call) {
  expect_arguments(call, 1, 1);
  Value out = value(call, 0);
  if (out.type != BaseType::kEnumeration)
    session_.fail("type-mismatch",
                  fmt::format("`Integer` converts enumerations, not {}", type_text(out)),
                  call.range());
  out.type = BaseType::kInteger;
  out.enumeration = nullptr;
  return out;
}

// ---- arrays ----

Value BuiltinFunctions::size(const Call& call) {
  expect_arguments(call, 1, 2);
  const Value array = value(call, 0);
  if (array.type == BaseType::kTuple || array.type == BaseType::kFunction)
    session_.fail("type-mismatch", fmt::format("{} has no size", type_text(array)), call.range());
  Evaluator& evaluator = *session_.evaluator;
  if (call.syntax.arguments.size() == 2) {
    const int dimension = known_integer(call, 1);
    if (dimension < 1 || dimension > array.rank())
      session_.fail("size-mismatch",
                    fmt::format("{} has no dimension {}", type_text(array), dimension),
                    call.range());
    return evaluator.integer(array.sizes[static_cast<std::size_t>(dimension - 1)]);
  }
  Value out = Value::array_of(BaseType::kInteger, {array.rank()}, {});
  for (const int size : array.sizes) out.cells.push_back(evaluator.integer(size).scalar());
  return out;
}

Value BuiltinFunctions::ndims(const Call& call) {
  expect_arguments(call, 1, 1);
  return session_.evaluator->integer(value(call, 0).rank());
}

Value BuiltinFunctions::zeros(const Call& call) {
  return ArrayFunctions(session_).fill(session_.evaluator->integer(0), known_sizes(call, 0),
                                       call.range());
}

Value BuiltinFunctions::ones(const Call& call) {
  return ArrayFunctions(session_).fill(session_.evaluator->integer(1), known_sizes(call, 0),
                                       call.range());
}

Value BuiltinFunctions::fill(const Call& call) {
  return ArrayFunctions(session_).fill(value(call, 0), known_sizes(call, 1), call.range());
}

Value BuiltinFunctions::identity(const Call& call) {
  expect_arguments(call, 1, 1);
  const int size = known_size(call, 0, "n");
  if (size > 10'000) session_.fail("array-size", "this matrix is too large", call.range());
  return ArrayFunctions(session_).identity(size);
}

Value BuiltinFunctions::linspace(const Call& call) {
  expect_arguments(call, 3, 3);
  return ArrayFunctions(session_).linspace(value(call, 0), value(call, 1), known_integer(call, 2),
                                           call.range());
}

Value BuiltinFunctions::cat(const Call& call) {
  const int dimension = known_integer(call, 0);
  std::vector<Value> parts;
  for (std::size_t i = 1; i < call.syntax.arguments.size(); ++i) parts.push_back(value(call, i));
  return ArrayFunctions(session_).concatenate(dimension, parts, call.range());
}

Value BuiltinFunctions::array(const Call& call) {
  std::vector<Value> items;
  for (std::size_t i = 0; i < call.syntax.arguments.size(); ++i) items.push_back(value(call, i));
  if (items.size() == 1 && syntax::find<syntax::ComprehensionExpr>(call.syntax.arguments[0]))
    return items.front();
  for (const Value& item : items)
    if (item.sizes != items.front().sizes)
      session_.fail("size-mismatch", "the elements of the array differ", call.range());
  return stack(items, Value());
}

Value BuiltinFunctions::promote(const Call& call) {
  expect_arguments(call, 2, 2);
  return ArrayFunctions(session_).promote(value(call, 0), known_integer(call, 1), call.range());
}

Value BuiltinFunctions::one_array(const Call& call) {
  expect_arguments(call, 1, 1);
  ArrayFunctions arrays(session_);
  const Value a = value(call, 0);
  if (call.name == "diagonal") return arrays.diagonal(a, call.range());
  if (call.name == "transpose") return arrays.transpose(a, call.range());
  if (call.name == "symmetric") return arrays.symmetric(a, call.range());
  if (call.name == "skew") return arrays.skew(a, call.range());
  if (call.name == "scalar") return arrays.scalar(a, call.range());
  if (call.name == "vector") return arrays.vector(a, call.range());
  return arrays.matrix(a, call.range());
}

Value BuiltinFunctions::two_arrays(const Call& call) {
  expect_arguments(call, 2, 2);
  ArrayFunctions arrays(session_);
  const Value a = value(call, 0), b = value(call, 1);
  return call.name == "cross" ? arrays.cross(a, b, call.range())
                              : arrays.outer_product(a, b, call.range());
}

}  // namespace hydae::modelica

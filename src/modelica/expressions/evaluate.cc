#include "modelica/expressions/evaluate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/message.h>

#include "modelica/checks/discrete_time.h"
#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/array_functions.h"
#include "modelica/expressions/call_evaluation.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/expression_type.h"
#include "modelica/expressions/operators.h"
#include "modelica/expressions/reference.h"

namespace hydae::modelica {

namespace {

// Integers are kept as numbers that are exact up to 2^53.
constexpr std::int64_t kMostInteger = std::int64_t{1} << 53;

template <class Number>
[[noreturn]] void fail_integer(Session& session, Number value, SourceRange range) {
  session.fail("integer-overflow",
               fmt::format("Integers are exact up to {}, this one is {}", kMostInteger, value),
               range);
}

// A text of the user must not look like a placeholder of a message.
std::string without_placeholders(std::string text) {
  constexpr char kBegin = '\x01';
  if (has_placeholder(text)) std::replace(text.begin(), text.end(), kBegin, ' ');
  return text;
}

}  // namespace

Evaluator::Evaluator(Session& session)
    : session_(session), discrete_time_(std::make_unique<DiscreteTime>(session)) {}

Evaluator::~Evaluator() = default;

Value Evaluator::integer(std::int64_t value) {
  return Value::scalar_of(BaseType::kInteger, session_.graph->constant(static_cast<double>(value)));
}

Value Evaluator::real(double value) {
  return Value::scalar_of(BaseType::kReal, session_.graph->constant(value));
}

Value Evaluator::boolean(bool value) {
  return Value::scalar_of(BaseType::kBoolean, session_.graph->boolean(value));
}

void Evaluator::check_integer(double value, SourceRange range) {
  if (std::abs(value) > static_cast<double>(kMostInteger)) fail_integer(session_, value, range);
}

std::string Evaluator::text(SourceRange range) const {
  constexpr std::size_t kMost = 60;
  const std::string_view all = session_.workspace.sources()->text(range);
  return all.size() <= kMost ? std::string(all) : fmt::format("{}...", all.substr(0, kMost));
}

Value Evaluator::evaluate(const syntax::Expr& expr, const Env& env) {
  session_.check_stack(expr.range);
  try {
    return evaluate_kind(expr, env);
  } catch (const WrongValue& wrong) {
    session_.fail("type-mismatch", wrong.what(), expr.range);
  }
}

Value Evaluator::evaluate_kind(const syntax::Expr& expr, const Env& env) {
  using syntax::ExprKind;
  switch (expr.kind) {
    case ExprKind::kError: throw Failure();
    case ExprKind::kInteger: {
      const std::int64_t value = syntax::as<syntax::IntegerExpr>(expr).value;
      if (value > kMostInteger || value < -kMostInteger) fail_integer(session_, value, expr.range);
      return integer(value);
    }
    case ExprKind::kReal:
      return real(syntax::as<syntax::RealExpr>(expr).value);  // finite, or no expression
    case ExprKind::kString:
      return Value::string(
          without_placeholders(syntax::string_value(syntax::as<syntax::StringExpr>(expr))));
    case ExprKind::kBoolean: return boolean(syntax::as<syntax::BooleanExpr>(expr).value);
    case ExprKind::kReference:
      return References(session_).reference(syntax::as<syntax::ReferenceExpr>(expr), env);
    case ExprKind::kColon:
      session_.fail("misplaced-colon", "`:` can only be a subscript", expr.range);
    case ExprKind::kEnd: return evaluate_end(env, expr.range);
    case ExprKind::kUnary: {
      const auto& operation = syntax::as<syntax::UnaryExpr>(expr);
      return Operators(session_).unary(operation.op, evaluate(*operation.operand, env), expr.range);
    }
    case ExprKind::kBinary: return evaluate_binary(syntax::as<syntax::BinaryExpr>(expr), env);
    case ExprKind::kRange: return evaluate_range(syntax::as<syntax::RangeExpr>(expr), env);
    case ExprKind::kIf: return evaluate_if(syntax::as<syntax::IfExpr>(expr), env);
    case ExprKind::kCall: {
      Value value = Calls(session_).call(syntax::as<syntax::CallExpr>(expr), env);
      // In an expression the first result counts (12.4.3).
      const bool is_tuple = value.type == BaseType::kTuple && !value.fields.empty();
      return is_tuple ? Value(*value.fields.front().value) : value;
    }
    case ExprKind::kPartialFunction: session_.unsupported("functions as arguments are", expr.range);
    case ExprKind::kArray: return evaluate_array(syntax::as<syntax::ArrayExpr>(expr), env);
    case ExprKind::kMatrix: return evaluate_matrix(syntax::as<syntax::MatrixExpr>(expr), env);
    case ExprKind::kTuple: {
      const auto& tuple = syntax::as<syntax::TupleExpr>(expr);
      if (tuple.elements.size() != 1)
        session_.fail("misplaced-tuple", "a list of results can only be a side of an equation",
                      expr.range);
      return evaluate_tuple(tuple, env);
    }
    case ExprKind::kComprehension:
      return comprehension(syntax::as<syntax::ComprehensionExpr>(expr), env);
  }
  throw Failure();
}

NodeId Evaluator::scalar(const syntax::Expr& expr, const Env& env, BaseType type,
                         const std::string& what) {
  const Value value = evaluate(expr, env);
  const bool fits =
      value.type == type || (type == BaseType::kReal && value.type == BaseType::kInteger);
  if (!fits || !value.is_scalar())
    session_.fail(
        "type-mismatch",
        fmt::format("{} must be {}, not {}", what, base_type_name(type), type_text(value)),
        expr.range);
  return value.scalar();
}

namespace {

bool is_call_of(const syntax::Expr& expr, Symbol function) {
  const auto* call = syntax::find<syntax::CallExpr>(&expr);
  return call != nullptr && call->function->parts.size() == 1 &&
         call->function->parts.front().name.symbol == function;
}

}  // namespace

// Chains such as a + b + c + ... lean to the left: they are walked, not recursed into.
Value Evaluator::evaluate_binary(const syntax::BinaryExpr& expr, const Env& env) {
  std::vector<const syntax::BinaryExpr*> chain = {&expr};
  while (const auto* left = syntax::find<syntax::BinaryExpr>(chain.back()->left))
    chain.push_back(left);
  // A flow times what it carries is continuous where the flow changes its sign (15.3).
  const auto factor = [&](const syntax::BinaryExpr& product, const syntax::Expr& operand) {
    if (product.op != syntax::BinaryOp::kMultiply ||
        !is_call_of(operand, session_.names.annotations.actual_stream))
      return evaluate(operand, env);
    Env silent = env;
    silent.is_silent = true;
    return evaluate(operand, silent);
  };
  Value value = factor(*chain.back(), *chain.back()->left);
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    if (decides(value, (*link)->op)) continue;
    std::optional<Guard> guard;
    if (const NodeId condition = counts_where(value, (*link)->op); condition.is_valid())
      guard.emplace(session_, condition);
    const Value right = factor(**link, *(*link)->right);
    value = Operators(session_).binary((*link)->op, value, right, env.is_silent, (*link)->range);
  }
  return value;
}

// `false and x`, `true or x`: x is not looked at, so that it may rely on the condition before it.
bool Evaluator::decides(Value& left, syntax::BinaryOp op) {
  if (op != syntax::BinaryOp::kAnd && op != syntax::BinaryOp::kOr) return false;
  if (left.type != BaseType::kBoolean || !left.is_scalar()) return false;
  left.cells[0] = session_.folding->fold_configuration(left.cells[0]);
  return session_.graph->is_constant(left.cells[0], op == syntax::BinaryOp::kAnd ? 0 : 1);
}

// The same for a condition that is not known now: where it decides, the right side does not count.
NodeId Evaluator::counts_where(const Value& left, syntax::BinaryOp op) const {
  const bool is_logical = op == syntax::BinaryOp::kAnd || op == syntax::BinaryOp::kOr;
  if (!is_logical || left.type != BaseType::kBoolean || !left.is_scalar()) return NodeId();
  return op == syntax::BinaryOp::kAnd ? left.scalar()
                                      : session_.graph->unary(Op::kNot, left.scalar());
}

Value Evaluator::evaluate_if(const syntax::IfExpr& expr, const Env& env) {
  std::vector<std::pair<NodeId, Value>> chosen;  // in order, until one condition is always true
  std::optional<Value> otherwise;
  std::vector<const syntax::Expr*> skipped;
  Graph& graph = *session_.graph;
  NodeId is_open = graph.boolean(true);  // no condition so far holds
  const auto evaluate_under = [&](NodeId condition, const syntax::Expr& value) {
    const Guard guard(session_, condition);
    return evaluate(value, env);
  };
  for (const syntax::IfExprBranch& branch : expr.branches) {
    if (otherwise) {
      skipped.push_back(branch.value);
      continue;
    }
    const NodeId condition = session_.folding->fold_configuration(
        scalar(*branch.condition, env, BaseType::kBoolean, "the condition"));
    if (graph.is_constant(condition, 0)) {
      skipped.push_back(branch.value);
      continue;
    }
    if (graph.is_constant(condition)) {
      otherwise = evaluate_under(is_open, *branch.value);
      continue;
    }
    const NodeId is_chosen = graph.binary(Op::kAnd, is_open, condition);
    chosen.push_back({condition, evaluate_under(is_chosen, *branch.value)});
    is_open = graph.binary(Op::kAnd, is_open, graph.unary(Op::kNot, condition));
  }
  if (otherwise)
    skipped.push_back(expr.otherwise);
  else
    otherwise = evaluate_under(is_open, *expr.otherwise);
  for (const syntax::Expr* other : skipped)
    ExpressionTypes(session_).refuse_other_type(*other, *otherwise, env);
  Value value = std::move(*otherwise);
  for (auto branch = chosen.rbegin(); branch != chosen.rend(); ++branch) {
    if (branch->second.sizes != value.sizes || branch->second.type == BaseType::kString) {
      // Different sizes: the condition must be known now (2.15 of the flat model's rules).
      const NodeId known = session_.folding->fold(branch->first, expr.range, "the condition");
      if (session_.folding->number(known) != 0) value = branch->second;
      continue;
    }
    value = Operators(session_).if_value(branch->first, branch->second, value, expr.range);
  }
  return value;
}

Value Evaluator::evaluate_end(const Env& env, SourceRange range) {
  if (env.end_sizes == nullptr)
    session_.fail("misplaced-end", "`end` can only stand in a subscript", range);
  return integer((*env.end_sizes)[static_cast<std::size_t>(env.end_dimension)]);
}

Value Evaluator::evaluate_range(const syntax::RangeExpr& expr, const Env& env) {
  const auto part = [&](const syntax::Expr& e) {
    Value value = evaluate(e, env);
    if (!value.is_scalar() || !value.has_cells())
      session_.fail(
          "type-mismatch",
          fmt::format(
              "the ends of a range are numbers, Booleans or values of an enumeration, not {}",
              type_text(value)),
          e.range);
    return session_.folding->fold(std::move(value), e.range, "the range");
  };
  const Value start = part(*expr.start), stop = part(*expr.stop);
  const Value step = expr.step == nullptr ? integer(1) : part(*expr.step);
  Value out;
  out.type = start.type;
  out.enumeration = start.enumeration;
  if (start.is_numeric() && stop.is_numeric() && step.is_numeric()) {
    const bool is_integer = start.type == BaseType::kInteger && stop.type == BaseType::kInteger &&
                            step.type == BaseType::kInteger;
    out.type = is_integer ? BaseType::kInteger : BaseType::kReal;
  } else if (start.type != stop.type) {
    session_.fail("type-mismatch", "the ends of a range have different types", expr.range);
  }
  const double first = session_.folding->number(start.scalar());
  const double last = session_.folding->number(stop.scalar());
  const double width = session_.folding->number(step.scalar());
  if (width == 0) session_.fail("zero-step", "the step of a range is zero", expr.range);
  // A Real range ends where rounding may leave it: a few units in the last place are forgiven.
  const double guard =
      out.type == BaseType::kReal ? 8 * 2.3e-16 * std::abs((last - first) / width) : 0;
  const double count = std::floor((last - first) / width + guard) + 1;
  if (count > static_cast<double>(session_.limits.array_elements))
    session_.fail("array-size", "this range has too many elements", expr.range);
  const int size = count > 0 ? static_cast<int>(count) : 0;
  out.sizes = {size};
  for (int i = 0; i < size; ++i) {
    const double value = first + i * width;
    out.cells.push_back(out.type == BaseType::kBoolean ? session_.graph->boolean(value != 0)
                                                       : session_.graph->constant(value));
  }
  return out;
}

Value Evaluator::evaluate_array(const syntax::ArrayExpr& expr, const Env& env) {
  if (expr.elements.size() == 1)
    if (const auto* loop = syntax::find<syntax::ComprehensionExpr>(expr.elements.front()))
      return comprehension(*loop, env);
  std::vector<Value> items;
  items.reserve(expr.elements.size());
  for (const syntax::Expr* element : expr.elements) items.push_back(evaluate(*element, env));
  for (std::size_t i = 1; i < items.size(); ++i) {
    const bool has_other_type =
        !has_same_type(items[i], items[0]) && num_elements(items[i].sizes) > 0;
    if (has_other_type || items[i].sizes != items[0].sizes)
      session_.fail(has_other_type ? "type-mismatch" : "size-mismatch",
                    fmt::format("the elements of an array differ: {} and {}", type_text(items[0]),
                                type_text(items[i])),
                    expr.elements[i]->range);
  }
  Value empty;
  return stack(items, empty);
}

Value Evaluator::evaluate_matrix(const syntax::MatrixExpr& expr, const Env& env) {
  ArrayFunctions arrays(session_);
  std::vector<Value> rows;
  int rank = 2;
  std::vector<std::vector<Value>> all;
  for (const auto& row : expr.rows) {
    auto& values = all.emplace_back();
    for (const syntax::Expr* element : row) {
      values.push_back(evaluate(*element, env));
      rank = std::max(rank, values.back().rank());
    }
  }
  for (auto& row : all) {
    for (Value& value : row) value = arrays.promote(std::move(value), rank, expr.range);
    rows.push_back(arrays.concatenate(2, row, expr.range));
  }
  return arrays.concatenate(1, rows, expr.range);
}

Value Evaluator::evaluate_tuple(const syntax::TupleExpr& expr, const Env& env) {
  if (expr.elements.size() == 1 && expr.elements.front() != nullptr)
    return evaluate(*expr.elements.front(), env);
  Value tuple;
  tuple.type = BaseType::kTuple;
  for (const syntax::Expr* element : expr.elements)
    tuple.fields.push_back({Symbol(), element == nullptr
                                          ? nullptr
                                          : std::make_shared<Value>(evaluate(*element, env))});
  return tuple;
}

std::vector<Value> Evaluator::loop_values(const syntax::Iterator& iterator, const Env& env,
                                          const std::vector<const syntax::Expr*>& body) {
  std::vector<Value> out;
  if (iterator.range == nullptr) {
    const int size = ArrayFunctions(session_).implicit_range(iterator, env, body);
    for (int i = 1; i <= size; ++i) out.push_back(integer(i));
    return out;
  }
  if (const Instance* type = References(session_).index_type(*iterator.range, *env.scope)) {
    if (type->builtin == BaseType::kBoolean) return {boolean(false), boolean(true)};
    for (std::size_t i = 1; i <= type->enumeration->literals.size(); ++i) {
      out.push_back(integer(static_cast<std::int64_t>(i)));
      out.back().type = BaseType::kEnumeration;
      out.back().enumeration = type->enumeration;
    }
    return out;
  }
  const Value range = evaluate(*iterator.range, env);
  if (range.rank() != 1)
    session_.fail("type-mismatch",
                  fmt::format("a loop runs over a vector, not over {}", type_text(range)),
                  iterator.range->range);
  for (int i = 0; i < range.sizes[0]; ++i) out.push_back(element_at(range, 1, i));
  return out;
}

void Evaluator::check_elements(double count, SourceRange range) {
  const auto most = static_cast<double>(session_.limits.array_elements);
  if (count > most)
    session_.fail(
        "array-size",
        fmt::format("an array of {:g} elements is too large, {:g} are allowed", count, most),
        range);
}

// The last iterator is the outermost dimension (10.4.1.2).
Value Evaluator::comprehension(const syntax::ComprehensionExpr& expr, const Env& env) {
  struct Level {
    Evaluator& evaluator;
    const syntax::ComprehensionExpr& expr;
    // `count` elements are in the dimensions outside.
    Value run(std::size_t remaining, const Env& at, double count) {
      if (remaining == 0) return evaluator.evaluate(*expr.body, at);
      const syntax::Iterator& iterator = expr.iterators[remaining - 1];
      std::vector<Value> items;
      std::vector<Value> values = evaluator.loop_values(iterator, at, {expr.body});
      count *= static_cast<double>(values.size());
      evaluator.check_elements(count, expr.range);
      for (Value& value : values) {
        const LoopVariable loop{iterator.name.symbol, std::move(value), at.loops};
        Env inner = at;
        inner.loops = &loop;
        items.push_back(run(remaining - 1, inner, count));
        if (items.back().sizes != items.front().sizes)
          evaluator.session_.fail("size-mismatch", "the elements of the array differ in size",
                                  expr.range);
      }
      Value empty;
      if (items.empty()) empty = ExpressionTypes(evaluator.session_).type_of(*expr.body, at);
      empty.sizes = Sizes(remaining - 1, 0);
      return stack(items, empty);
    }
  };
  Level level{*this, expr};
  return level.run(expr.iterators.size(), env, 1);
}

}  // namespace hydae::modelica

#include "modelica/expressions/operators.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "modelica/checks/discrete_time.h"
#include "modelica/expressions/array_functions.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/evaluate.h"
#include "modelica/expressions/operator_record.h"

namespace hydae::modelica {

using syntax::BinaryOp;

namespace {

bool is_relation(BinaryOp op) { return BinaryOp::kLess <= op && op <= BinaryOp::kNotEqual; }

Op relation_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::kLess: return Op::kLess;
    case BinaryOp::kLessEqual: return Op::kLessEqual;
    case BinaryOp::kGreater: return Op::kGreater;
    case BinaryOp::kGreaterEqual: return Op::kGreaterEqual;
    case BinaryOp::kEqual: return Op::kEqual;
    default: return Op::kNotEqual;
  }
}

bool compare(BinaryOp op, const std::string& a, const std::string& b) {
  switch (op) {
    case BinaryOp::kLess: return a < b;
    case BinaryOp::kLessEqual: return a <= b;
    case BinaryOp::kGreater: return a > b;
    case BinaryOp::kGreaterEqual: return a >= b;
    case BinaryOp::kEqual: return a == b;
    default: return a != b;
  }
}

BaseType arithmetic_type(const Value& a, const Value& b) {
  return a.type == BaseType::kInteger && b.type == BaseType::kInteger ? BaseType::kInteger
                                                                      : BaseType::kReal;
}

Value shaped_like(const Value& model, BaseType type) {
  Value out;
  out.type = type;
  out.sizes = model.sizes;
  out.cells.reserve(model.cells.size());
  return out;
}

}  // namespace

Value Operators::map(const Value& a, BaseType type, Op op) {
  if (!a.has_cells())
    throw WrongValue(fmt::format("a number is needed here, not {}", type_text(a)));
  Value out = shaped_like(a, type);
  for (const NodeId cell : a.cells) out.cells.push_back(session_.graph->unary(op, cell));
  return out;
}

Value Operators::map(const Value& a, const Value& b, BaseType type, Op op, SourceRange range) {
  if (!a.has_cells() || !b.has_cells())
    throw WrongValue(
        fmt::format("numbers are needed here, not {} and {}", type_text(a), type_text(b)));
  if (!a.is_scalar() && !b.is_scalar() && a.sizes != b.sizes)
    session_.fail("size-mismatch",
                  fmt::format("sizes do not match: {} and {}", type_text(a), type_text(b)), range);
  Value out = shaped_like(a.is_scalar() ? b : a, type);
  const std::size_t count = a.is_scalar() ? b.cells.size() : a.cells.size();
  for (std::size_t i = 0; i < count; ++i)
    out.cells.push_back(
        session_.graph->binary(op, a.cells[a.is_scalar() ? 0 : i], b.cells[b.is_scalar() ? 0 : i]));
  if (type == BaseType::kInteger)
    for (const NodeId cell : out.cells)
      if (session_.graph->is_constant(cell))
        session_.evaluator->check_integer(session_.graph->constant_value(cell), range);
  return out;
}

Value Operators::unary(syntax::UnaryOp op, Value a, SourceRange range) {
  if (op == syntax::UnaryOp::kNot) {
    if (a.type != BaseType::kBoolean)
      session_.fail("type-mismatch", fmt::format("`not` needs a Boolean, not {}", type_text(a)),
                    range);
    return map(a, BaseType::kBoolean, Op::kNot);
  }
  if (a.type == BaseType::kRecord) return OperatorRecords(session_, true, range).unary(op, a);
  if (!a.is_numeric())
    session_.fail("type-mismatch",
                  fmt::format("`{}` needs a number, not {}", syntax::spelling(op), type_text(a)),
                  range);
  if (op == syntax::UnaryOp::kPlus || op == syntax::UnaryOp::kElementwisePlus) return a;
  return map(a, a.type, Op::kNeg);
}

// A relation of Integers that change without an event, such as sign(x): an event of its own, half
// way between them.
NodeId Operators::step_relation(BinaryOp op, NodeId a, NodeId b) {
  Graph& graph = *session_.graph;
  const auto above = [&](NodeId x, double half, NodeId y) {
    return graph.relation(Op::kGreater, x, graph.binary(Op::kAdd, y, graph.constant(half)), false);
  };
  constexpr double kHalf = 0.5;
  switch (op) {
    case BinaryOp::kGreater: return above(a, kHalf, b);
    case BinaryOp::kGreaterEqual: return above(a, -kHalf, b);
    case BinaryOp::kLess: return above(b, kHalf, a);
    case BinaryOp::kLessEqual: return above(b, -kHalf, a);
    default: break;
  }
  const NodeId is_equal = graph.binary(Op::kAnd, above(a, -kHalf, b), above(b, -kHalf, a));
  return op == BinaryOp::kEqual ? is_equal : graph.unary(Op::kNot, is_equal);
}

// 3.5: what changes all the time is equal to something at instants, if at all.
void Operators::warn_of_equality(BinaryOp op, NodeId a, NodeId b, SourceRange range) {
  if (op != BinaryOp::kEqual && op != BinaryOp::kNotEqual) return;
  DiscreteTime& discrete = session_.evaluator->discrete_time();
  if (discrete.holds(a) && discrete.holds(b)) return;
  session_
      .warning("real-equality",
               fmt::format("`{}` compares Reals that change all the time", syntax::spelling(op)),
               range)
      .help = "compare with `<`, or `abs(a - b) < eps`";
}

Value Operators::relation(BinaryOp op, const Value& a, const Value& b, bool is_silent,
                          SourceRange range) {
  if (!a.is_scalar() || !b.is_scalar())
    session_.fail("type-mismatch",
                  fmt::format("relations are for scalars: {} and {}", type_text(a), type_text(b)),
                  range);
  if (a.type == BaseType::kString && b.type == BaseType::kString)
    return session_.evaluator->boolean(compare(op, a.text(), b.text()));
  const bool is_number = a.is_numeric() && b.is_numeric();
  const bool is_same = a.type == b.type && a.has_cells() &&
                       (a.type != BaseType::kEnumeration || *a.enumeration == *b.enumeration);
  if (!is_number && !is_same)
    session_.fail("type-mismatch",
                  fmt::format("cannot compare {} with {}", type_text(a), type_text(b)), range);
  // What changes at events only needs no event of its own.
  const bool is_real = is_number && (a.type == BaseType::kReal || b.type == BaseType::kReal);
  if (!is_real && !is_silent && is_number) {
    const NodeId x = a.scalar(), y = b.scalar();
    if (!session_.evaluator->discrete_time().holds(x) ||
        !session_.evaluator->discrete_time().holds(y))
      return Value::scalar_of(BaseType::kBoolean, step_relation(op, x, y));
  }
  if (!is_real) is_silent = true;
  if (is_real && !is_silent) warn_of_equality(op, a.scalar(), b.scalar(), range);
  const NodeId node = session_.graph->relation(relation_of(op), a.scalar(), b.scalar(), is_silent);
  return Value::scalar_of(BaseType::kBoolean, node);
}

Value Operators::logic(BinaryOp op, const Value& a, const Value& b, SourceRange range) {
  if (a.type != BaseType::kBoolean || b.type != BaseType::kBoolean)
    session_.fail("type-mismatch",
                  fmt::format("`{}` needs Booleans, not {} and {}", syntax::spelling(op),
                              type_text(a), type_text(b)),
                  range);
  return map(a, b, BaseType::kBoolean, op == BinaryOp::kAnd ? Op::kAnd : Op::kOr, range);
}

Value Operators::add_strings(const Value& a, const Value& b, SourceRange range) {
  if (!a.is_scalar() || !b.is_scalar()) session_.unsupported("sums of String arrays are", range);
  if (a.strings[0].size() + b.strings[0].size() > session_.limits.string_length)
    session_.fail("string-too-long", "this String becomes too long", range);
  return Value::string(a.strings[0] + b.strings[0]);
}

Value Operators::binary(BinaryOp op, const Value& a, const Value& b, bool is_silent,
                        SourceRange range) {
  if (a.type == BaseType::kRecord || b.type == BaseType::kRecord)
    return OperatorRecords(session_, is_silent, range).binary(op, a, b);
  if (is_relation(op)) return relation(op, a, b, is_silent, range);
  if (op == BinaryOp::kAnd || op == BinaryOp::kOr) return logic(op, a, b, range);
  if (op == BinaryOp::kAdd && a.type == BaseType::kString && b.type == BaseType::kString)
    return add_strings(a, b, range);
  if (!a.is_numeric() || !b.is_numeric())
    session_.fail("type-mismatch",
                  fmt::format("`{}` needs numbers, not {} and {}", syntax::spelling(op),
                              type_text(a), type_text(b)),
                  range);
  return arithmetic(op, a, b, range);
}

Value Operators::arithmetic(BinaryOp op, const Value& a, const Value& b, SourceRange range) {
  const BaseType type = arithmetic_type(a, b);
  switch (op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSubtract:
      if (a.sizes != b.sizes) {
        Diagnostic diagnostic;
        diagnostic.code = "size-mismatch";
        diagnostic.message =
            fmt::format("sizes do not match: {} and {}", type_text(a), type_text(b));
        diagnostic.range = range;
        if (a.is_scalar() || b.is_scalar())
          diagnostic.help =
              fmt::format("write `.{}` to use the scalar for every element", syntax::spelling(op));
        session_.fail(std::move(diagnostic));
      }
      return map(a, b, type, op == BinaryOp::kAdd ? Op::kAdd : Op::kSub, range);
    case BinaryOp::kElementwiseAdd: return map(a, b, type, Op::kAdd, range);
    case BinaryOp::kElementwiseSubtract: return map(a, b, type, Op::kSub, range);
    case BinaryOp::kElementwiseMultiply: return map(a, b, type, Op::kMul, range);
    case BinaryOp::kElementwiseDivide: return map(a, b, BaseType::kReal, Op::kDiv, range);
    case BinaryOp::kElementwisePower: return map(a, b, BaseType::kReal, Op::kPow, range);
    case BinaryOp::kMultiply: return multiply(a, b, range);
    case BinaryOp::kDivide:
      if (!b.is_scalar())
        session_.fail("size-mismatch", fmt::format("cannot divide by {}: write `./`", type_text(b)),
                      range);
      return map(a, b, BaseType::kReal, Op::kDiv, range);
    case BinaryOp::kPower: return power(a, b, range);
    default: throw Failure();
  }
}

namespace {

bool are_numbers(const Graph& graph, const Value& value) {
  return std::all_of(value.cells.begin(), value.cells.end(),
                     [&](NodeId cell) { return graph.is_constant(cell); });
}

// As the sum of products from left to right that formulas would become.
std::vector<NodeId> multiply_numbers(Graph& graph, const Value& a, const Value& b, int rows,
                                     int columns) {
  const auto numbers = [&](const Value& value) {
    std::vector<double> out;
    for (const NodeId cell : value.cells) out.push_back(graph.constant_value(cell));
    return out;
  };
  const std::vector<double> left = numbers(a), right = numbers(b);
  const auto m = static_cast<std::size_t>(columns);
  const std::size_t inner = m == 0 ? 0 : right.size() / m;
  std::vector<NodeId> out;
  std::vector<double> row(m);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t k = 0; k < inner; ++k)
      for (std::size_t j = 0; j < m; ++j) row[j] += left[i * inner + k] * right[k * m + j];
    for (const double sum : row) {
      if (!std::isfinite(sum)) throw WrongValue("a product of arrays is too large for a number");
      out.push_back(graph.constant(sum));
    }
  }
  return out;
}

}  // namespace

void Operators::check_product(double count, bool is_known, const Value& a, const Value& b,
                              SourceRange range) {
  const auto most =
      static_cast<double>(is_known ? session_.limits.known_products : session_.limits.products);
  if (count > most)
    session_.fail(
        "array-size",
        fmt::format("the product of {} and {} takes {:.3g} multiplications, more than {:g}",
                    type_text(a), type_text(b), count, most),
        range);
}

Value Operators::multiply(const Value& a, const Value& b, SourceRange range) {
  const BaseType type = arithmetic_type(a, b);
  if (a.is_scalar() || b.is_scalar()) return map(a, b, type, Op::kMul, range);
  if (a.rank() > 2 || b.rank() > 2 || a.sizes.back() != b.sizes.front())
    session_.fail("size-mismatch",
                  fmt::format("cannot multiply {} by {}", type_text(a), type_text(b)), range);
  Graph& graph = *session_.graph;
  const int rows = a.rank() == 2 ? a.sizes[0] : 1, inner = b.sizes[0];
  const int columns = b.rank() == 2 ? b.sizes[1] : 1;
  Value out;
  out.type = type;
  if (a.rank() == 2) out.sizes.push_back(rows);
  if (b.rank() == 2) out.sizes.push_back(columns);
  const bool is_known = are_numbers(graph, a) && are_numbers(graph, b);
  check_product(double(rows) * inner * columns, is_known, a, b, range);
  if (is_known) {
    out.cells = multiply_numbers(graph, a, b, rows, columns);
    return out;
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      NodeId sum = graph.constant(0);
      for (int k = 0; k < inner; ++k)
        sum = graph.binary(Op::kAdd, sum,
                           graph.binary(Op::kMul, a.cells[static_cast<std::size_t>(i * inner + k)],
                                        b.cells[static_cast<std::size_t>(k * columns + j)]));
      out.cells.push_back(sum);
    }
  return out;
}

Value Operators::power(const Value& a, const Value& b, SourceRange range) {
  if (a.is_scalar() && b.is_scalar()) return map(a, b, BaseType::kReal, Op::kPow, range);
  if (a.rank() != 2 || a.sizes[0] != a.sizes[1] || b.type != BaseType::kInteger || !b.is_scalar())
    session_.fail("size-mismatch",
                  fmt::format("cannot raise {} to the power of {}", type_text(a), type_text(b)),
                  range);
  const double exponent =
      session_.folding->number(session_.folding->fold(b.scalar(), range, "the exponent"));
  if (exponent < 0 || exponent > 1000)
    session_.fail("exponent-range", "the power of a matrix is between 0 and 1000", range);
  const double n = a.sizes[0];
  check_product(exponent * n * n * n, are_numbers(*session_.graph, a), a, b, range);
  Value out = ArrayFunctions(session_).identity(a.sizes[0]);
  for (int i = 0; i < static_cast<int>(exponent); ++i) out = multiply(out, a, range);
  return out;
}

// ---- if ----

Value Operators::if_value(NodeId condition, const Value& then_value, const Value& else_value,
                          SourceRange range) {
  Graph& graph = *session_.graph;
  if (graph.is_constant(condition))
    return graph.constant_value(condition) != 0 ? then_value : else_value;
  const bool is_number = then_value.is_numeric() && else_value.is_numeric();
  if ((then_value.type != else_value.type && !is_number) || then_value.sizes != else_value.sizes)
    session_.fail(
        "type-mismatch",
        fmt::format("the branches differ: {} and {}", type_text(then_value), type_text(else_value)),
        range);
  if (then_value.type == BaseType::kString && then_value.strings != else_value.strings)
    return session_.folding->number(session_.folding->fold(condition, range, "the condition")) != 0
               ? then_value
               : else_value;
  Value out = then_value;
  if (is_number) out.type = arithmetic_type(then_value, else_value);
  if (then_value.type == BaseType::kEnumeration && !has_same_type(then_value, else_value))
    session_.fail("type-mismatch", "the branches are values of different enumerations", range);
  for (std::size_t i = 0; i < out.cells.size(); ++i)
    out.cells[i] = graph.select(condition, then_value.cells[i], else_value.cells[i]);
  for (Field& field : out.fields) {
    const Value* other = else_value.field(field.name);
    if (other == nullptr || field.value == nullptr)
      session_.fail("type-mismatch", "the branches are records with different fields", range);
    field.value = std::make_shared<Value>(if_value(condition, *field.value, *other, range));
  }
  return out;
}

}  // namespace hydae::modelica

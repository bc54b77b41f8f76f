// Predefined functions that make and rearrange arrays.
#include <fmt/format.h>

#include "modelica/expressions/array_functions.h"
#include "modelica/expressions/builtin_call.h"

namespace hydae::modelica::builtin {

Value size(const Call& call) {
  call.expect_arguments(1, 2);
  const Value array = call.value(0);
  if (array.type == BaseType::kTuple || array.type == BaseType::kFunction)
    call.session.fail("type-mismatch", fmt::format("{} has no size", type_text(array)),
                      call.range());
  Evaluator& evaluator = *call.session.evaluator;
  if (call.syntax.arguments.size() == 2) {
    const int dimension = call.known_integer(1);
    if (dimension < 1 || dimension > array.rank())
      call.session.fail("size-mismatch",
                        fmt::format("{} has no dimension {}", type_text(array), dimension),
                        call.range());
    return evaluator.integer(array.sizes[static_cast<std::size_t>(dimension - 1)]);
  }
  Value out = Value::array_of(BaseType::kInteger, {array.rank()}, {});
  for (const int size : array.sizes) out.cells.push_back(evaluator.integer(size).scalar());
  return out;
}

Value ndims(const Call& call) {
  call.expect_arguments(1, 1);
  return call.session.evaluator->integer(call.value(0).rank());
}

Value zeros(const Call& call) {
  return ArrayFunctions(call.session)
      .fill(call.session.evaluator->integer(0), call.known_sizes(0), call.range());
}

Value ones(const Call& call) {
  return ArrayFunctions(call.session)
      .fill(call.session.evaluator->integer(1), call.known_sizes(0), call.range());
}

Value fill(const Call& call) {
  return ArrayFunctions(call.session).fill(call.value(0), call.known_sizes(1), call.range());
}

Value identity(const Call& call) {
  call.expect_arguments(1, 1);
  const int size = call.known_size(0, "n");
  if (size > 10'000) call.session.fail("array-size", "this matrix is too large", call.range());
  return ArrayFunctions(call.session).identity(size);
}

Value linspace(const Call& call) {
  call.expect_arguments(3, 3);
  return ArrayFunctions(call.session)
      .linspace(call.value(0), call.value(1), call.known_integer(2), call.range());
}

Value cat(const Call& call) {
  const int dimension = call.known_integer(0);
  std::vector<Value> parts;
  for (std::size_t i = 1; i < call.syntax.arguments.size(); ++i) parts.push_back(call.value(i));
  return ArrayFunctions(call.session).concatenate(dimension, parts, call.range());
}

Value array(const Call& call) {
  std::vector<Value> items;
  for (std::size_t i = 0; i < call.syntax.arguments.size(); ++i) items.push_back(call.value(i));
  if (items.size() == 1 && syntax::find<syntax::ComprehensionExpr>(call.syntax.arguments[0]))
    return items.front();
  for (const Value& item : items)
    if (item.sizes != items.front().sizes)
      call.session.fail("size-mismatch", "the elements of the array differ", call.range());
  return stack(items, Value());
}

Value promote(const Call& call) {
  call.expect_arguments(2, 2);
  return ArrayFunctions(call.session).promote(call.value(0), call.known_integer(1), call.range());
}

Value one_array(const Call& call) {
  call.expect_arguments(1, 1);
  ArrayFunctions arrays(call.session);
  const Value a = call.value(0);
  if (call.name == "diagonal") return arrays.diagonal(a, call.range());
  if (call.name == "transpose") return arrays.transpose(a, call.range());
  if (call.name == "symmetric") return arrays.symmetric(a, call.range());
  if (call.name == "skew") return arrays.skew(a, call.range());
  if (call.name == "scalar") return arrays.scalar(a, call.range());
  if (call.name == "vector") return arrays.vector(a, call.range());
  return arrays.matrix(a, call.range());
}

Value two_arrays(const Call& call) {
  call.expect_arguments(2, 2);
  ArrayFunctions arrays(call.session);
  const Value a = call.value(0), b = call.value(1);
  return call.name == "cross" ? arrays.cross(a, b, call.range())
                              : arrays.outer_product(a, b, call.range());
}

}  // namespace hydae::modelica::builtin

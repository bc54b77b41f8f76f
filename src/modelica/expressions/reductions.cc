// sum, product, min and max of an array, also of a slice whose ends change, and of two values.
#include <fmt/format.h>
#include <string_view>

#include "modelica/expressions/array_functions.h"
#include "modelica/expressions/builtin_call.h"
#include "modelica/expressions/operator_record.h"
#include "modelica/expressions/operators.h"

namespace hydae::modelica::builtin {
namespace {

ArrayFunctions::Reduction reduction_named(std::string_view name) {
  using Reduction = ArrayFunctions::Reduction;
  if (name == "sum") return Reduction::kSum;
  if (name == "product") return Reduction::kProduct;
  return name == "min" ? Reduction::kMin : Reduction::kMax;
}

// Elements that a slice v[a:b] does not mean take the neutral element.
Value reduced_array(const Call& call, ArrayFunctions::Reduction reduction) {
  const syntax::Expr& expr = call.argument(0);
  if (expr.kind != syntax::ExprKind::kReference) return call.value(0);
  Slice slice;
  Env env = call.env;
  env.slice = &slice;
  Value array = call.session.evaluator->evaluate(expr, env);
  if (slice.is_meant.empty()) return array;
  if (!array.is_numeric() || array.cells.size() != slice.is_meant.size())
    call.session.unsupported("a range whose ends change in an array of several dimensions is",
                             expr.range);
  Value none;
  none.type = array.type;
  const NodeId neutral = ArrayFunctions(call.session).reduce(reduction, none, expr.range).cells[0];
  for (std::size_t i = 0; i < array.cells.size(); ++i)
    array.cells[i] = call.session.graph->select(slice.is_meant[i], array.cells[i], neutral);
  return array;
}

}  // namespace

Value reduction(const Call& call) {
  const ArrayFunctions::Reduction reduction = reduction_named(call.name);
  const bool is_extreme = call.name == "min" || call.name == "max";
  const std::size_t count = call.syntax.arguments.size();
  if (is_extreme && count == 2) {
    const Value a = call.value(0), b = call.value(1);
    const bool is_integer = a.type == BaseType::kInteger && b.type == BaseType::kInteger;
    if (!a.has_cells() || !b.has_cells() || (a.is_numeric() != b.is_numeric()))
      call.session.fail("type-mismatch",
                        fmt::format("`{}` of {} and {}", call.name, type_text(a), type_text(b)),
                        call.range());
    const BaseType type = is_integer || !a.is_numeric() ? a.type : BaseType::kReal;
    Value out = Operators(call.session)
                    .map(a, b, type, call.name == "min" ? Op::kMin : Op::kMax, call.range());
    out.enumeration = a.enumeration;
    return out;
  }
  call.expect_arguments(1, 1);
  const Value array = reduced_array(call, reduction);
  if (array.type == BaseType::kRecord && call.name == "sum")
    return OperatorRecords(call.session, call.env.is_silent, call.range()).sum(array);
  return ArrayFunctions(call.session).reduce(reduction, array, call.range());
}

}  // namespace hydae::modelica::builtin

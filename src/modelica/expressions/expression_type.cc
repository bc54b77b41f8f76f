#include "modelica/expressions/expression_type.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/builtin_functions.h"
#include "modelica/expressions/call_evaluation.h"
#include "modelica/expressions/evaluate.h"
#include "modelica/functions/functions.h"

namespace hydae::modelica {

namespace {

Value of_base(BaseType type) {
  Value out;
  out.type = type;
  return out;
}

Value of_component(Session& session, Component& component) {
  session.components->resolve(component);
  Value out = of_base(component.base());
  out.enumeration = component.type->enumeration;
  return out;
}

bool is_logical(syntax::BinaryOp op) {
  using syntax::BinaryOp;
  return op == BinaryOp::kAnd || op == BinaryOp::kOr ||
         (BinaryOp::kLess <= op && op <= BinaryOp::kNotEqual);
}

bool is_always_real(syntax::BinaryOp op) {
  using syntax::BinaryOp;
  return op == BinaryOp::kDivide || op == BinaryOp::kPower || op == BinaryOp::kElementwiseDivide ||
         op == BinaryOp::kElementwisePower;
}

// The predefined functions whose result is no Real.
BaseType type_of_builtin(const std::string& name) {
  if (name == "String" || name == "getInstanceName") return BaseType::kString;
  for (const char* logical : {"initial", "terminal", "sample", "edge", "change", "rooted"})
    if (name == logical) return BaseType::kBoolean;
  for (const char* whole : {"integer", "Integer", "size", "ndims", "sign", "cardinality"})
    if (name == whole) return BaseType::kInteger;
  return BaseType::kReal;
}

bool is_simple(const Value& value) { return value.has_cells() || value.type == BaseType::kString; }

}  // namespace

// The type where it is beyond doubt without a value: literals, logic, variables. What is unknown
// counts as an Integer in type_of().
std::optional<Value> ExpressionTypes::certain_type(const syntax::Expr& expr, const Env& env) {
  using syntax::ExprKind;
  switch (expr.kind) {
    case ExprKind::kInteger:
    case ExprKind::kReal:
    case ExprKind::kString:
    case ExprKind::kBoolean: return type_of(expr, env);
    case ExprKind::kBinary:
      if (is_logical(syntax::as<syntax::BinaryExpr>(expr).op)) return type_of(expr, env);
      return std::nullopt;
    case ExprKind::kReference: {
      const Value type = type_of(expr, env);
      if (type.type != BaseType::kInteger && is_simple(type)) return type;
      return std::nullopt;
    }
    default: return std::nullopt;
  }
}

// The branches of an if-expression have one type, also those that a known condition leaves out.
void ExpressionTypes::refuse_other_type(const syntax::Expr& skipped, const Value& taken,
                                        const Env& env) {
  if (!is_simple(taken)) return;
  const std::optional<Value> type = certain_type(skipped, env);
  if (!type || has_same_type(*type, taken)) return;
  session_.fail("type-mismatch",
                fmt::format("the branches of the condition differ: {} and {}",
                            base_type_name(taken.type), base_type_name(type->type)),
                skipped.range);
}

Value ExpressionTypes::type_of(const syntax::Expr& expr, const Env& env) {
  using syntax::ExprKind;
  const auto integer_type = of_base(BaseType::kInteger);
  switch (expr.kind) {
    case ExprKind::kReal: return of_base(BaseType::kReal);
    case ExprKind::kString: return of_base(BaseType::kString);
    case ExprKind::kBoolean: return of_base(BaseType::kBoolean);
    case ExprKind::kUnary: return type_of(*syntax::as<syntax::UnaryExpr>(expr).operand, env);
    case ExprKind::kBinary: {
      const auto& operation = syntax::as<syntax::BinaryExpr>(expr);
      if (is_logical(operation.op)) return of_base(BaseType::kBoolean);
      if (is_always_real(operation.op)) return of_base(BaseType::kReal);
      Value left = type_of(*operation.left, env);
      return left.type == BaseType::kInteger ? type_of(*operation.right, env) : left;
    }
    case ExprKind::kIf: return type_of(*syntax::as<syntax::IfExpr>(expr).otherwise, env);
    case ExprKind::kComprehension:
      return type_of(*syntax::as<syntax::ComprehensionExpr>(expr).body, env);
    case ExprKind::kArray: {
      const auto& elements = syntax::as<syntax::ArrayExpr>(expr).elements;
      return elements.empty() ? integer_type : type_of(*elements.front(), env);
    }
    case ExprKind::kCall: {
      const auto& call = syntax::as<syntax::CallExpr>(expr);
      if (call.function->parts.empty()) return integer_type;
      Element* function = Calls(session_).find_function(*call.function, env);
      if (function == nullptr)
        return of_base(type_of_builtin(session_.text(call.function->parts.front().name.symbol)));
      if (function->component != nullptr) return integer_type;
      const FunctionInfo& info = session_.functions->info(*function);
      if (info.is_record || info.outputs.empty()) return integer_type;
      return of_component(session_, *info.outputs.front()->component);
    }
    case ExprKind::kReference:
      return type_of_reference(syntax::as<syntax::ReferenceExpr>(expr), env);
    default: return integer_type;
  }
}

Value ExpressionTypes::type_of_reference(const syntax::ReferenceExpr& expr, const Env& env) {
  if (expr.parts.empty()) return of_base(BaseType::kInteger);
  const Symbol first = expr.parts.front().name.symbol;
  for (const LoopVariable* loop = env.loops; loop != nullptr; loop = loop->outer)
    if (loop->name == first) return of_base(loop->value.type);
  Instance& from = expr.is_global ? session_.classes->root() : *env.scope;
  Element* element = session_.classes->find(first, from).element;
  if (element == nullptr)
    return of_base(first == session_.names.time ? BaseType::kReal : BaseType::kInteger);
  for (std::size_t i = 1; i < expr.parts.size(); ++i) {
    Instance* scope = nullptr;
    if (element->component == nullptr) {
      scope = &session_.classes->plain(*element);
    } else {
      session_.components->resolve(*element->component);
      scope = element->component->type;
    }
    if (scope->is_builtin()) break;
    element = session_.classes->find_member(*scope, expr.parts[i].name.symbol);
    if (element == nullptr) return of_base(BaseType::kInteger);
  }
  if (element->component == nullptr) return of_base(BaseType::kInteger);
  return of_component(session_, *element->component);
}

}  // namespace hydae::modelica

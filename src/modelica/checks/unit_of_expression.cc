#include "modelica/checks/unit_of_expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/call_evaluation.h"
#include "modelica/functions/functions.h"
#include "ops/operation.h"

namespace hydae::modelica {

// ---- names ----

// The component a reference names; null for classes, loops, absent components and what is wrong.
Component* UnitsOfClass::find_component(const syntax::ReferenceExpr& expr, Instance& scope) {
  Instance& from = expr.is_global ? session_.classes->root() : scope;
  Element* element = session_.classes->find(expr.parts.front().name.symbol, from).element;
  for (std::size_t i = 0; element != nullptr; ++i) {
    Component* component = nullptr;
    if (element->component != nullptr) {
      component = &session_.components->real(*element->component);
      session_.components->expand(*component);
      if (!component->is_present) return nullptr;
    }
    if (i + 1 == expr.parts.size()) return component;
    Instance* inner = nullptr;
    if (component == nullptr)
      inner = &session_.classes->plain(*element);
    else if (!component->instances.empty())
      inner = component->instances.front();
    if (inner == nullptr) return nullptr;
    element = session_.classes->find_member(*inner, expr.parts[i + 1].name.symbol);
  }
  return nullptr;
}

UnitOf UnitsOfClass::unit_of_component(Component& component) {
  const auto [found, is_new] = of_component_.try_emplace(&component);
  if (!is_new) return found->second;
  UnitOf unit;
  if (component.base() == BaseType::kInteger) {
    unit = UnitOf::neutral();
  } else if (component.base() == BaseType::kReal) {
    const auto given = session_.components->attribute(component, session_.names.attributes.unit);
    const bool is_one_text = given && given->value.strings.size() == 1;
    const std::string written = is_one_text ? given->value.strings.front() : "";
    if (!written.empty()) {
      if (const std::optional<Unit> parsed = parse_unit(written))
        unit = UnitOf::declared(*parsed, written);
    } else if ((!given || is_one_text) && component.variability > Variability::kParameter &&
               component.dimensions.empty()) {
      unit.kind = UnitOf::Kind::kForm;
      unit.form.terms = {{solver_.make_unknown(), 1.0}};
    }
  }
  return of_component_[&component] = unit;
}

UnitOf UnitsOfClass::unit_of_reference(const syntax::ReferenceExpr& expr, Instance& scope) {
  const Symbol first = expr.parts.front().name.symbol;
  if (!expr.is_global && std::find(loops.begin(), loops.end(), first) != loops.end())
    return expr.parts.size() == 1 ? UnitOf::neutral() : UnitOf();
  if (Component* component = find_component(expr, scope)) return unit_of_component(*component);
  if (first == session_.names.time && expr.parts.size() == 1) return UnitOf::of(Unit::base(2));
  return {};
}

// ---- combining ----

std::string UnitsOfClass::text(const UnitOf& unit) const {
  return unit.written.empty() ? solver_.reduce(unit.form).constant.text() : unit.written;
}

void UnitsOfClass::report(const std::string& message, SourceRange range) {
  if (has_reported_) return;
  has_reported_ = true;
  Diagnostic diagnostic;
  diagnostic.severity = Severity::kWarning;
  diagnostic.code = "unit-mismatch";
  diagnostic.message = message;
  diagnostic.range = range;
  const std::string path = session_.components->path(instance_);
  if (!path.empty() && instance_.component != nullptr)
    diagnostic.notes.push_back({fmt::format("in component `{}`", path),
                                instance_.component->element->declaration->range()});
  session_.report(std::move(diagnostic));
}

UnitOf UnitsOfClass::same(const UnitOf& a, const UnitOf& b, const syntax::Expr& where,
                          const char* what) {
  if (!a.is_form() || !b.is_form()) {
    if (a.is_form() || b.is_form()) return a.is_form() ? a : b;
    return a.kind == UnitOf::Kind::kAny ? a : b;
  }
  if (!solver_.equate(a.form, b.form))
    report(fmt::format("this {} \"{}\" and \"{}\"", what, text(a), text(b)), where.range);
  return a;
}

UnitOf UnitsOfClass::product(const UnitOf& a, const UnitOf& b, double power) const {
  using Kind = UnitOf::Kind;
  if (a.kind == Kind::kAny || b.kind == Kind::kAny) return {};
  if (a.kind == Kind::kNeutral && b.kind == Kind::kNeutral) return UnitOf::neutral();
  UnitOf out{Kind::kForm, a.form};  // the form of a plain number is 1
  out.form.add(b.form, power);
  return out;
}

void UnitsOfClass::needs_number(const UnitOf& unit, const syntax::Expr& argument,
                                const std::string& function) {
  UnitForm number;
  number.is_needed = true;
  if (unit.is_form() && !solver_.equate(unit.form, number))
    report(fmt::format("the argument of `{}` has unit \"{}\", not \"1\" or \"rad\"", function,
                       text(unit)),
           argument.range);
}

// ---- expressions ----

namespace {

// Numbers that stand in formulas for themselves: 2*pi, m*L^2/12, 0.5*m*v^2. Others may well be
// quantities or conversions: 9.81, 3600, 10, 1e-3.
bool is_plain_number(double value) {
  const bool is_quarters = std::abs(value * 4 - std::round(value * 4)) < 1e-12;
  return std::abs(value) <= 16 && std::abs(value) != 10 && is_quarters;
}

std::optional<double> literal_value(const syntax::Expr& expr) {
  if (const auto* number = syntax::find<syntax::IntegerExpr>(&expr))
    return static_cast<double>(number->value);
  if (const auto* number = syntax::find<syntax::RealExpr>(&expr)) return number->value;
  if (const auto* unary = syntax::find<syntax::UnaryExpr>(&expr)) {
    const bool is_minus = unary->op == syntax::UnaryOp::kMinus;
    if (unary->operand->kind == syntax::ExprKind::kUnary) return std::nullopt;
    const auto value = literal_value(*unary->operand);
    return value ? std::optional(is_minus ? -*value : *value) : std::nullopt;
  }
  if (const auto* binary = syntax::find<syntax::BinaryExpr>(&expr)) {
    if (binary->op != syntax::BinaryOp::kDivide) return std::nullopt;
    for (const syntax::Expr* side : {binary->left, binary->right})
      if (side->kind != syntax::ExprKind::kInteger && side->kind != syntax::ExprKind::kReal)
        return std::nullopt;
    return *literal_value(*binary->left) / *literal_value(*binary->right);
  }
  return std::nullopt;
}

}  // namespace

UnitOf UnitsOfClass::unit_of(const syntax::Expr& root, Instance& scope) {
  units_.clear();
  const std::size_t num_loops = loops.size();
  syntax::walk(
      root,
      [&](const syntax::Expr& expr) {
        if (const auto* all = syntax::find<syntax::ComprehensionExpr>(&expr))
          for (const syntax::Iterator& iterator : all->iterators)
            loops.push_back(iterator.name.symbol);
      },
      [&](const syntax::Expr& expr) { at(expr) = unit_of_node(expr, scope); });
  loops.resize(num_loops);
  return at(root);
}

UnitOf UnitsOfClass::unit_of_node(const syntax::Expr& expr, Instance& scope) {
  using syntax::ExprKind;
  switch (expr.kind) {
    case ExprKind::kInteger:
    case ExprKind::kReal:
      return is_plain_number(*literal_value(expr)) ? UnitOf::neutral() : UnitOf();
    case ExprKind::kEnd: return UnitOf::neutral();
    case ExprKind::kReference:
      return unit_of_reference(syntax::as<syntax::ReferenceExpr>(expr), scope);
    case ExprKind::kUnary: return at(*syntax::as<syntax::UnaryExpr>(expr).operand);
    case ExprKind::kBinary: return unit_of_binary(syntax::as<syntax::BinaryExpr>(expr));
    case ExprKind::kIf: return unit_of_if(syntax::as<syntax::IfExpr>(expr));
    case ExprKind::kCall: return unit_of_call(syntax::as<syntax::CallExpr>(expr), scope);
    case ExprKind::kArray: return unit_of_array(syntax::as<syntax::ArrayExpr>(expr));
    case ExprKind::kComprehension: return at(*syntax::as<syntax::ComprehensionExpr>(expr).body);
    default: return {};
  }
}

UnitOf UnitsOfClass::unit_of_binary(const syntax::BinaryExpr& expr) {
  using syntax::BinaryOp;
  const UnitOf a = at(*expr.left), b = at(*expr.right);
  switch (expr.op) {
    case BinaryOp::kAdd:
    case BinaryOp::kElementwiseAdd: return same(a, b, expr, "sum adds");
    case BinaryOp::kSubtract:
    case BinaryOp::kElementwiseSubtract: return same(a, b, expr, "difference is of");
    case BinaryOp::kMultiply:
    case BinaryOp::kElementwiseMultiply: return product(a, b, 1);
    case BinaryOp::kDivide:
    case BinaryOp::kElementwiseDivide: return product(a, b, -1);
    case BinaryOp::kPower:
    case BinaryOp::kElementwisePower: return unit_of_power(expr);
    case BinaryOp::kAnd:
    case BinaryOp::kOr: return {};
    default: same(a, b, expr, "relation compares"); return {};
  }
}

UnitOf UnitsOfClass::unit_of_power(const syntax::BinaryExpr& expr) {
  const UnitOf base = at(*expr.left);
  if (base.kind == UnitOf::Kind::kNeutral) return base;
  if (!base.is_form()) return {};
  if (const std::optional<double> power = literal_value(*expr.right)) {
    UnitOf out{UnitOf::Kind::kForm, {}};
    if (std::abs(*power) < 100) out.form.add(base.form, *power);
    return out;
  }
  return {};
}

UnitOf UnitsOfClass::unit_of_if(const syntax::IfExpr& expr) {
  UnitOf out = at(*expr.otherwise);
  for (const syntax::IfExprBranch& branch : expr.branches)
    out = same(at(*branch.value), out, expr, "chooses between");
  return out;
}

UnitOf UnitsOfClass::unit_of_array(const syntax::ArrayExpr& expr) {
  // Elements of different units are allowed: positions and angles of one vector.
  if (expr.elements.empty()) return {};
  const UnitOf first = at(*expr.elements[0]);
  if (!first.is_form()) return {};
  for (const syntax::Expr* element : expr.elements) {
    const UnitOf& other = at(*element);
    if (!other.is_form()) return {};
    UnitForm difference = first.form;
    difference.add(other.form, -1);
    difference = solver_.reduce(std::move(difference));
    if (!difference.is_known() || !difference.constant.is_number()) return {};
  }
  return first;
}

// ---- calls ----

namespace {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 14> kSameUnit = {
    "abs",      "noEvent", "pre",       "floor",  "ceil",   "delay",     "sum",
    "previous", "hold",    "transpose", "vector", "scalar", "symmetric", "positiveMax"};
constexpr std::array<std::string_view, 4> kComparing = {"min", "max", "mod", "rem"};

}  // namespace

UnitOf UnitsOfClass::unit_of_call(const syntax::CallExpr& call, Instance& scope) {
  const auto& parts = call.function->parts;
  const std::string name = session_.text(parts.front().name.symbol);
  const std::size_t count = call.arguments.size();
  if (parts.size() > 1 || count == 0 || !call.named.empty()) return unit_of_user_call(call, scope);
  const UnitOf first = at(*call.arguments[0]);
  const UnitOf second = count > 1 ? at(*call.arguments[1]) : UnitOf();
  if (name == "der" && count == 1) return product(first, UnitOf::of(Unit::base(2)), -1);
  const ops::Entry* const builtin = ops::find_builtin(name);
  if (builtin && builtin->takes_numbers && count == 1) {
    needs_number(first, *call.arguments[0], name);
    return UnitOf::of(Unit());
  }
  if (name == "sqrt") {
    if (!first.is_form()) return first;
    UnitOf out{UnitOf::Kind::kForm, {}};
    out.form.add(first.form, 0.5);
    return out;
  }
  if (name == "atan2" && count == 2) {
    same(first, second, call, "angle is of");
    return UnitOf::of(Unit());
  }
  if (name == "sign" || name == "size" || name == "integer") return UnitOf::neutral();
  if (name == "smooth" && count == 2) return second;
  if (name == "semiLinear" && count == 3)
    return product(first, same(second, at(*call.arguments[2]), call, "chooses between"), 1);
  if ((name == "homotopy" || contains(kComparing, name)) && count == 2)
    return same(first, second, call, "compares");
  if (contains(kSameUnit, name) || (name == "pure" && count == 1)) return first;
  return unit_of_user_call(call, scope);
}

UnitOf UnitsOfClass::unit_of_user_call(const syntax::CallExpr& call, Instance& scope) {
  Element* function = Calls(session_).find_function(*call.function, Env{&scope});
  if (function == nullptr || function->cls == nullptr) return {};
  Instance& plain = session_.classes->plain(*function);
  session_.classes->elaborate(plain);
  if (!session_.classes->is_function(plain)) return {};
  const FunctionInfo& info = session_.functions->info(*function);
  if (info.outputs.size() != 1 || info.outputs[0]->component == nullptr) return {};
  Component& output = *info.outputs[0]->component;
  session_.components->resolve(output);
  if (output.base() != BaseType::kReal) return {};
  const auto given = session_.components->attribute(output, session_.names.attributes.unit);
  if (!given || given->value.strings.size() != 1) return {};
  const std::string& written = given->value.strings.front();
  const std::optional<Unit> unit = parse_unit(written);
  return unit && !written.empty() ? UnitOf::declared(*unit, written) : UnitOf();
}

// ---- equations ----

void UnitsOfClass::check_equality(const syntax::Expr& lhs, const syntax::Expr& rhs,
                                  SourceRange range, Instance& scope) {
  has_reported_ = false;
  const UnitOf left = unit_of(lhs, scope);
  const UnitOf right = unit_of(rhs, scope);
  if (!left.is_form() || !right.is_form()) return;
  if (!solver_.equate(left.form, right.form))
    report(fmt::format("left side has unit \"{}\", right side \"{}\"", text(left), text(right)),
           range);
}

void UnitsOfClass::check_binding(Component& component, const Binding& binding) {
  has_reported_ = false;
  const UnitOf value = unit_of(*binding.expr, *binding.scope);
  const UnitOf own = unit_of_component(component);
  if (!own.is_form() || !value.is_form()) return;
  if (!solver_.equate(own.form, value.form))
    report(fmt::format("`{}` has unit \"{}\", its value \"{}\"",
                       session_.text(component.element->name), text(own), text(value)),
           binding.expr->range);
}

void UnitsOfClass::check_connection(const syntax::ConnectEquation& connection, Instance& scope) {
  has_reported_ = false;
  Component* left = find_component(*connection.left, scope);
  Component* right = find_component(*connection.right, scope);
  if (left == nullptr || right == nullptr) return;
  const auto compare = [&](Component& a, Component& b) {
    if (!a.type->is_builtin() || !b.type->is_builtin()) return;
    const UnitOf one = unit_of_component(a), other = unit_of_component(b);
    if (one.is_form() && other.is_form() && !solver_.equate(one.form, other.form))
      report(fmt::format("`{}` has unit \"{}\", `{}` has \"{}\"", session_.components->path(a),
                         text(one), session_.components->path(b), text(other)),
             connection.range);
  };
  compare(*left, *right);
  if (left->instances.empty() || right->instances.empty()) return;
  for (Element* element : left->instances.front()->elements) {
    if (element->component == nullptr || !element->component->is_present) continue;
    Element* twin = session_.classes->find_member(*right->instances.front(), element->name);
    if (twin != nullptr && twin->component != nullptr) {
      session_.components->resolve(*element->component);
      session_.components->resolve(*twin->component);
      compare(*element->component, *twin->component);
    }
  }
}

}  // namespace hydae::modelica

// The unit of an expression, from those of the names in it.
#pragma once

#include <string>
#include <unordered_map>

#include "modelica/checks/unit_solver.h"
#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

// What is known about the unit of an expression.
struct UnitOf {
  enum class Kind : std::uint8_t {
    kAny,      // nothing: a parameter without a unit, a Boolean
    kNeutral,  // a plain number: 1 in a product, anything in a sum
    kForm,
  };
  Kind kind = Kind::kAny;
  UnitForm form;
  std::string written = {};  // as declared, of a single component

  static UnitOf neutral() { return {Kind::kNeutral, {}}; }
  static UnitOf of(Unit unit) { return {Kind::kForm, {unit, {}}}; }
  static UnitOf declared(Unit unit, std::string text) {
    return {Kind::kForm, {unit, {}, true}, std::move(text)};
  }
  bool is_form() const { return kind == Kind::kForm; }
};

// The units of one class: finds out and compares. The first contradiction of each equation is
// reported.
class UnitsOfClass {
 public:
  UnitsOfClass(Session& session, const Instance& instance)
      : session_(session), instance_(instance) {}

  // lhs = rhs, found in `scope`.
  void check_equality(const syntax::Expr& lhs, const syntax::Expr& rhs, SourceRange range,
                      Instance& scope);
  void check_binding(Component& component, const Binding& binding);
  void check_expression(const syntax::Expr& expr, Instance& scope) { unit_of(expr, scope); }
  void check_connection(const syntax::ConnectEquation& connection, Instance& scope);

  // Names of loops, which are numbers.
  std::vector<Symbol> loops;

 private:
  UnitOf unit_of(const syntax::Expr& root, Instance& scope);
  UnitOf unit_of_node(const syntax::Expr& expr, Instance& scope);
  UnitOf unit_of_reference(const syntax::ReferenceExpr& expr, Instance& scope);
  UnitOf unit_of_binary(const syntax::BinaryExpr& expr);
  UnitOf unit_of_power(const syntax::BinaryExpr& expr);
  UnitOf unit_of_if(const syntax::IfExpr& expr);
  UnitOf unit_of_array(const syntax::ArrayExpr& expr);
  UnitOf unit_of_call(const syntax::CallExpr& expr, Instance& scope);
  UnitOf unit_of_user_call(const syntax::CallExpr& expr, Instance& scope);
  UnitOf unit_of_component(Component& component);
  UnitOf& at(const syntax::Expr& expr) { return units_[&expr]; }

  Component* find_component(const syntax::ReferenceExpr& expr, Instance& scope);
  // Both have one unit; the one that says more is returned.
  UnitOf same(const UnitOf& a, const UnitOf& b, const syntax::Expr& where, const char* what);
  UnitOf product(const UnitOf& a, const UnitOf& b, double power) const;
  void needs_number(const UnitOf& unit, const syntax::Expr& argument, const std::string& function);
  void report(const std::string& message, SourceRange range);
  std::string text(const UnitOf& unit) const;

  Session& session_;
  const Instance& instance_;
  UnitSolver solver_;
  std::unordered_map<const syntax::Expr*, UnitOf> units_;  // of the expression at hand
  std::unordered_map<const Component*, UnitOf> of_component_;
  bool has_reported_ = false;  // in the equation at hand
};

}  // namespace hydae::modelica

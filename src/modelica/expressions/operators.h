// Operators on values: arithmetic of scalars and arrays (10.6), relations, logic, if.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

class Operators {
 public:
  explicit Operators(Session& session) : session_(session) {}

  Value unary(syntax::UnaryOp op, Value a, SourceRange range);
  Value binary(syntax::BinaryOp op, const Value& a, const Value& b, bool is_silent,
               SourceRange range);
  Value if_value(NodeId condition, const Value& then_value, const Value& else_value,
                 SourceRange range);
  // Element by element; scalars are used for every element.
  Value map(const Value& a, BaseType type, Op op);
  Value map(const Value& a, const Value& b, BaseType type, Op op, SourceRange range);

 private:
  void warn_of_equality(syntax::BinaryOp op, NodeId a, NodeId b, SourceRange range);
  Value relation(syntax::BinaryOp op, const Value& a, const Value& b, bool is_silent,
                 SourceRange range);
  NodeId step_relation(syntax::BinaryOp op, NodeId a, NodeId b);
  Value logic(syntax::BinaryOp op, const Value& a, const Value& b, SourceRange range);
  Value add_strings(const Value& a, const Value& b, SourceRange range);
  Value arithmetic(syntax::BinaryOp op, const Value& a, const Value& b, SourceRange range);
  Value multiply(const Value& a, const Value& b, SourceRange range);
  void check_product(double count, bool is_known, const Value& a, const Value& b,
                     SourceRange range);
  Value power(const Value& a, const Value& b, SourceRange range);

  Session& session_;
};

}  // namespace hydae::modelica

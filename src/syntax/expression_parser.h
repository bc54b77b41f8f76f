// Tokens -> expression (A.2.7), by operator precedence with an explicit stack: depth costs a frame
// of 24 bytes and nothing of the processor's stack.
//
// The machine alternates between two states. Where an operand must come, it takes a literal or a
// name, or opens a frame: a prefix operator, a bracket, an `if`. Behind an operand it takes an
// infix operator, or else closes the operators that wait for this operand and lets the innermost
// bracket decide what the token means to it: the next item, the end, or an error.
#pragma once

#include "syntax/reference_parser.h"

namespace hydae::syntax {

struct InfixOperator {
  ExpressionStacks::Precedence precedence = ExpressionStacks::kNone;
  BinaryOp op = BinaryOp::kAdd;
};

class ExpressionParser {
 public:
  explicit ExpressionParser(Cursor& cursor) : cursor_(cursor) {}

  // Reports what is wrong; an expression that cannot be read is an ErrorExpr.
  const Expr* expression();
  // An expression in front of `then` or `loop`: a `=` in it is reported and read as `==`.
  const Expr* condition();
  // `[...]`, or nothing if there is no bracket.
  List<const Expr*> subscripts();
  // `i in 1:n, j in 1:m` of a for-loop.
  List<Iterator> iterators();
  // A component reference, or null after a message.
  const ReferenceExpr* reference(std::string_view what);
  // A string literal, which is the next token.
  const StringExpr* string();
  const Expr* error_expression();

 private:
  using Next = ExpressionStacks::Next;
  using Open = ExpressionStacks::Open;
  using Precedence = ExpressionStacks::Precedence;
  using Frame = ExpressionStacks::Frame;
  using Operand = ExpressionStacks::Operand;

  void run(Open open);
  Next read_operand();
  Next read_operator();
  Next continue_bracket();

  // Operators.
  Next prefix(UnaryOp op, Precedence precedence);
  Next infix(InfixOperator op);
  Next range_colon();
  void reduce(Precedence lowest);
  void reduce_range();
  bool takes_equals_as_relation() const;

  // Literals.
  template <class T>
  Next leaf();
  Next integer();
  Next real();
  Next boolean(bool value);

  Cursor& cursor_;
  ExpressionStacks stacks_{cursor_};
  BracketParser brackets_{cursor_, stacks_};
  ReferenceParser references_{cursor_, stacks_, brackets_};
};

}  // namespace hydae::syntax

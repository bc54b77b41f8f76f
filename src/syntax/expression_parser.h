// Tokens -> expression (A.2.7), by operator precedence with an explicit stack: depth costs a frame
// of 24 bytes and nothing of the processor's stack.
//
// The machine alternates between two states. Where an operand must come, it takes a literal or a
// name, or opens a frame: a prefix operator, a bracket, an `if`. Behind an operand it takes an
// infix operator, or else closes the operators that wait for this operand and lets the innermost
// bracket decide what the token means to it: the next item, the end, or an error.
#pragma once

#include <cstdint>
#include <vector>

#include "syntax/cursor.h"
#include "syntax/expression.h"

namespace hydae::syntax {

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
  enum class Next : std::uint8_t { kOperand, kOperator, kDone };

  enum class Open : std::uint8_t {
    kPrefix,      // op, waits for its operand
    kInfix,       // left operand and op, waits for the right one
    kRange,       // start : [step :]
    kRoot,        // the whole expression
    kCondition,   // the whole condition
    kDimensions,  // [ of a declaration
    kSubscripts,  // [ in a reference, whose parts so far are on parts_
    kParens,      // (
    kCall,        // f(  with the function as first operand
    kPartial,     // function f(
    kArray,       // {
    kMatrix,      // [
    kIf,          // if
    kIterators,   // body for ... in
  };

  enum Precedence : std::uint8_t {
    kNone,
    kOr,
    kAnd,
    kNot,
    kRelation,
    kSum,
    kSign,
    kProduct,
    kPower,
  };

  struct Frame {
    Open open;
    Precedence precedence = kNone;  // of an operator
    std::uint8_t op = 0;            // UnaryOp or BinaryOp
    bool flag = false;              // kIf: else was seen; kSubscripts: the reference is global
    bool has_error = false;         // a separator was missing
    std::uint32_t begin = 0;        // first byte
    std::uint32_t bracket = 0;      // its opening bracket
    std::uint32_t first_operand = 0;
    std::uint32_t first_item = 0;  // on parts_, named_, iterators_ or row_ends_
  };

  struct Operand {
    Expr* expr;           // null where a tuple has a gap
    std::uint32_t begin;  // first byte, with parentheses
  };

  struct InfixOperator {
    Precedence precedence = kNone;
    BinaryOp op = BinaryOp::kAdd;
  };

  // The machine.
  void run(Open open);
  Next read_operand();
  Next read_operator();
  Next continue_bracket();

  // Operators.
  static InfixOperator infix_operator(TokenKind kind);
  Next prefix(UnaryOp op, Precedence precedence);
  Next infix(InfixOperator op);
  Next range_colon();
  void reduce(Precedence lowest);
  void reduce_range();
  bool takes_equals_as_relation() const;

  // Literals and names.
  template <class T>
  Next leaf();
  Next integer();
  Next real();
  Next boolean(bool value);
  Next start_reference();
  Next reference_parts(std::uint32_t begin, std::uint32_t first_part, bool is_global);
  Next close_reference(std::uint32_t begin, std::uint32_t first_part, bool is_global);
  Next keyword_function();
  Next missing_operand();

  // Brackets: begin an item, continue behind an item, close.
  Next start_bracket(Open open);
  Next begin_parens_item();
  Next after_parens_item();
  Next close_parens();
  Next begin_argument();
  Next after_argument();
  Next close_call();
  Next start_partial();
  Next begin_array_item();
  Next after_array_item();
  Next after_matrix_item();
  Next after_subscript();
  Next start_if();
  Next after_if_part();
  Next close_if();
  Next start_iterators();
  Next read_iterator();
  Next after_iterator();
  Next close_iterators();
  bool accept_comma(TokenKind close);
  void missing_comma(TokenKind close);

  // Stacks.
  Frame& top() { return frames_.back(); }
  const Frame& top() const { return frames_.back(); }
  bool is_operator_open() const;
  Frame frame(Open open) const;
  Next push(Expr* expr, std::uint32_t begin);
  Operand pop();
  List<const Expr*> pop_list(std::size_t first);
  template <class T>
  List<T> pop_items(std::vector<T>& stack, std::size_t first) {
    const List<T> items = cursor_.list<T>(std::span<const T>(stack).subspan(first));
    stack.resize(first);
    return items;
  }
  std::uint32_t num_items(const Frame& frame) const {
    return static_cast<std::uint32_t>(operands_.size()) - frame.first_operand;
  }

  Cursor& cursor_;
  std::vector<Frame> frames_;
  std::vector<Operand> operands_;
  std::vector<ReferencePart> parts_;
  std::vector<NamedArgument> named_;
  std::vector<Iterator> iterators_;
  std::vector<std::uint32_t> row_ends_;  // numbers of operands
  std::vector<const Expr*> scratch_;
  List<const Expr*> dimensions_;
  std::uint32_t open_subscripts_ = 0;
};

}  // namespace hydae::syntax

// What an expression parser has read but not put together yet: frames, of operators that wait for
// an operand and of open brackets, and operands. No recursion: depth costs a frame of 24 bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "syntax/cursor.h"
#include "syntax/expression.h"

namespace hydae::syntax {

class ExpressionStacks {
 public:
  // What may come.
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

  explicit ExpressionStacks(Cursor& cursor) : cursor_(cursor) {}

  Frame& top() { return frames_.back(); }
  const Frame& top() const { return frames_.back(); }
  bool is_operator_open() const;
  // A frame that begins at the next token.
  Frame frame(Open open) const;
  void open(const Frame& frame) { frames_.push_back(frame); }
  Frame close();

  Next push(Expr* expr, std::uint32_t begin);
  Operand pop();
  Operand& last() { return operands_.back(); }
  List<const Expr*> pop_list(std::size_t first);
  List<IfExprBranch> pop_branches(std::size_t first);
  template <class T>
  List<T> pop_items(std::vector<T>& stack, std::size_t first) {
    const List<T> items = cursor_.list<T>(std::span<const T>(stack).subspan(first));
    stack.resize(first);
    return items;
  }
  std::uint32_t num_items() const { return num_items(top()); }  // of the innermost bracket
  std::uint32_t num_items(const Frame& frame) const {
    return static_cast<std::uint32_t>(operands_.size()) - frame.first_operand;
  }

  // Takes the comma behind an item of the innermost bracket. What is neither a comma nor `close` is
  // reported; then another item on the same line is read as if there were a comma, and else the
  // bracket is taken as closed.
  bool accept_comma(TokenKind close);
  Next missing_operand();  // reports it
  Next push_error();       // behind the last token

 private:
  void missing_comma(TokenKind close);

  Cursor& cursor_;
  std::vector<Frame> frames_;
  std::vector<Operand> operands_;
  std::vector<const Expr*> scratch_;
};

}  // namespace hydae::syntax

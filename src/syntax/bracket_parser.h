// The part of an expression parser behind an opening bracket, or `if`: items, separators, and the
// close. Each begin_... stands where an item may begin, each after_... behind an item.
#pragma once

#include <vector>

#include "syntax/expression_stacks.h"

namespace hydae::syntax {

class BracketParser {
 public:
  using Next = ExpressionStacks::Next;
  using Open = ExpressionStacks::Open;
  using Frame = ExpressionStacks::Frame;
  using Operand = ExpressionStacks::Operand;

  BracketParser(Cursor& cursor, ExpressionStacks& stacks) : cursor_(cursor), stacks_(stacks) {}

  Next start_bracket(Open open);
  Next start_if();
  Next start_iterators();
  Next after_parens_item();
  Next after_array_item();
  Next after_matrix_item();
  Next after_if_part();
  Next after_iterator();

 private:
  Next begin_parens_item();
  Next close_parens();
  Next begin_array_item();
  Next close_if();
  Next read_iterator();
  Next close_iterators();

  Cursor& cursor_;
  ExpressionStacks& stacks_;
  std::vector<Iterator> iterators_;
  std::vector<std::uint32_t> row_ends_;  // numbers of operands
};

}  // namespace hydae::syntax

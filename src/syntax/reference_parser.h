// The part of an expression parser that begins with a name: its parts, subscripts, and the
// arguments of a call.
#pragma once

#include <vector>

#include "syntax/bracket_parser.h"

namespace hydae::syntax {

class ReferenceParser {
 public:
  using Next = ExpressionStacks::Next;
  using Open = ExpressionStacks::Open;
  using Frame = ExpressionStacks::Frame;

  ReferenceParser(Cursor& cursor, ExpressionStacks& stacks, BracketParser& brackets)
      : cursor_(cursor), stacks_(stacks), brackets_(brackets) {}

  Next start_reference();
  Next keyword_function();
  Next start_partial();
  Next after_subscript();
  Next after_argument();

  // `[` of a declaration was taken; after_subscript() ends with its dimensions.
  void start_dimensions() { ++open_subscripts_; }
  List<const Expr*> dimensions() const { return dimensions_; }
  bool is_in_subscripts() const { return open_subscripts_ > 0; }

 private:
  Next reference_parts(std::uint32_t begin, std::uint32_t first_part, bool is_global);
  Next close_reference(std::uint32_t begin, std::uint32_t first_part, bool is_global);
  Next begin_argument();
  Next close_call();

  Cursor& cursor_;
  ExpressionStacks& stacks_;
  BracketParser& brackets_;
  std::vector<ReferencePart> parts_;
  std::vector<NamedArgument> named_;
  List<const Expr*> dimensions_;
  std::uint32_t open_subscripts_ = 0;
};

}  // namespace hydae::syntax

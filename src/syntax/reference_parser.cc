#include "syntax/reference_parser.h"

#include <fmt/format.h>

namespace hydae::syntax {

ReferenceParser::Next ReferenceParser::start_reference() {
  const std::uint32_t begin = cursor_.begin();
  const bool is_global = cursor_.accept(TokenKind::kDot);
  return reference_parts(begin, static_cast<std::uint32_t>(parts_.size()), is_global);
}

// Reads parts up to a subscript, whose expressions come first, or to the end of the reference.
ReferenceParser::Next ReferenceParser::reference_parts(std::uint32_t begin,
                                                       std::uint32_t first_part, bool is_global) {
  do {
    const Ident name = cursor_.expect_ident("a name");
    if (!name.is_valid()) break;
    parts_.push_back({name, {}});
    if (!cursor_.at(TokenKind::kLeftBracket)) continue;
    Frame opened = stacks_.frame(Open::kSubscripts);
    opened.begin = begin;
    opened.first_item = first_part;
    opened.flag = is_global;
    stacks_.open(opened);
    ++open_subscripts_;
    cursor_.next();
    return Next::kOperand;
  } while (cursor_.accept(TokenKind::kDot));
  return close_reference(begin, first_part, is_global);
}

ReferenceParser::Next ReferenceParser::close_reference(std::uint32_t begin,
                                                       std::uint32_t first_part, bool is_global) {
  if (parts_.size() == first_part) return stacks_.push(cursor_.make<ErrorExpr>(begin), begin);
  auto* e = cursor_.make<ReferenceExpr>(begin);
  e->is_global = is_global;
  e->parts = stacks_.pop_items(parts_, first_part);
  if (!cursor_.at(TokenKind::kLeftParen)) return stacks_.push(e, begin);
  Frame opened = stacks_.frame(Open::kCall);
  opened.begin = begin;
  opened.first_item = static_cast<std::uint32_t>(named_.size());
  stacks_.open(opened);
  stacks_.push(e, begin);
  cursor_.next();
  return begin_argument();
}

// der, initial, pure
ReferenceParser::Next ReferenceParser::keyword_function() {
  const Token token = cursor_.peek();
  const std::string_view word = spelling(token.kind);
  if (cursor_.kind(1) != TokenKind::kLeftParen) {
    const bool has_argument = token.kind != TokenKind::kInitial;
    cursor_.error(
        fmt::format("`{}` needs {}parentheses", word, has_argument ? "its argument in " : ""),
        cursor_.range(), {}, fmt::format("write `{}({})`", word, has_argument ? "x" : ""));
    cursor_.next();
    return cursor_.at(TokenKind::kIdent)
               ? start_reference()
               : stacks_.push(cursor_.make<ErrorExpr>(token.begin), token.begin);
  }
  cursor_.next();
  parts_.push_back({{cursor_.symbols().intern(word), cursor_.range(token)}, {}});
  return close_reference(token.begin, static_cast<std::uint32_t>(parts_.size() - 1), false);
}

ReferenceParser::Next ReferenceParser::begin_argument() {
  const bool is_named = cursor_.kind(1) == TokenKind::kEquals &&
                        (cursor_.at(TokenKind::kIdent) || is_keyword(cursor_.kind()));
  if (is_named) {
    named_.push_back({cursor_.expect_ident("the name of an argument"), nullptr});
    cursor_.next();
    return Next::kOperand;
  }
  const bool has_named = named_.size() > stacks_.top().first_item;
  const bool is_first = stacks_.num_items() == 1 && !has_named;
  if (is_first && cursor_.at(TokenKind::kRightParen)) return close_call();
  if (has_named || stacks_.top().open == Open::kPartial)
    cursor_.error("expected an argument with its name", cursor_.range(),
                  has_named ? "after a named argument, all have names" : "",
                  "write `name = value`");
  return Next::kOperand;
}

ReferenceParser::Next ReferenceParser::after_argument() {
  const bool has_named = named_.size() > stacks_.top().first_item;
  if (has_named && named_.back().value == nullptr) named_.back().value = stacks_.pop().expr;
  if (cursor_.at(TokenKind::kFor) && !has_named && stacks_.num_items() == 2)
    return brackets_.start_iterators();
  return stacks_.accept_comma(TokenKind::kRightParen) ? begin_argument() : close_call();
}

// The operand `function f(...)`, which only a call can have.
ReferenceParser::Next ReferenceParser::start_partial() {
  if (stacks_.top().open != Open::kCall && stacks_.top().open != Open::kPartial)
    return stacks_.missing_operand();
  const std::uint32_t begin = cursor_.next().begin;
  const Name name = cursor_.expect_name("the name of a function");
  auto* function = cursor_.make<ReferenceExpr>(name.range.begin);
  function->is_global = name.is_global;
  for (const Ident& part : name.parts) parts_.push_back({part, {}});
  function->parts = stacks_.pop_items(parts_, parts_.size() - name.parts.size());
  Frame opened = stacks_.frame(Open::kPartial);
  opened.begin = begin;
  opened.first_item = static_cast<std::uint32_t>(named_.size());
  stacks_.open(opened);
  stacks_.push(function, begin);
  return cursor_.expect(TokenKind::kLeftParen) ? begin_argument() : close_call();
}

ReferenceParser::Next ReferenceParser::close_call() {
  const Frame call = stacks_.close();
  cursor_.accept(TokenKind::kRightParen);
  const List<NamedArgument> named = stacks_.pop_items(named_, call.first_item);
  const List<const Expr*> arguments = stacks_.pop_list(call.first_operand + 1);
  const auto* function = static_cast<const ReferenceExpr*>(stacks_.pop().expr);
  if (call.open == Open::kPartial) {
    auto* e = cursor_.make<PartialFunctionExpr>(call.begin);
    e->function = function;
    e->named = named;
    return stacks_.push(e, call.begin);
  }
  auto* e = cursor_.make<CallExpr>(call.begin);
  e->function = function;
  e->arguments = arguments;
  e->named = named;
  return stacks_.push(e, call.begin);
}

ReferenceParser::Next ReferenceParser::after_subscript() {
  if (stacks_.accept_comma(TokenKind::kRightBracket)) return Next::kOperand;
  const Frame opened = stacks_.close();
  cursor_.accept(TokenKind::kRightBracket);
  --open_subscripts_;
  const List<const Expr*> subscripts = stacks_.pop_list(opened.first_operand);
  if (opened.open == Open::kDimensions) {
    dimensions_ = subscripts;
    return Next::kDone;
  }
  parts_.back().subscripts = subscripts;
  return cursor_.accept(TokenKind::kDot)
             ? reference_parts(opened.begin, opened.first_item, opened.flag)
             : close_reference(opened.begin, opened.first_item, opened.flag);
}

}  // namespace hydae::syntax

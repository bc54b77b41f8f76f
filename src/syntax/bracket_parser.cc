#include "syntax/bracket_parser.h"

#include <fmt/format.h>

namespace hydae::syntax {

BracketParser::Next BracketParser::start_bracket(Open open) {
  Frame opened = stacks_.frame(open);
  opened.first_item = static_cast<std::uint32_t>(row_ends_.size());
  stacks_.open(opened);
  cursor_.next();
  return open == Open::kParens ? begin_parens_item() : begin_array_item();
}

// ---- (a, , c) ----

BracketParser::Next BracketParser::begin_parens_item() {
  while (cursor_.at(TokenKind::kComma)) {
    stacks_.push(nullptr, cursor_.begin());
    cursor_.next();
  }
  if (!cursor_.at(TokenKind::kRightParen)) return Next::kOperand;
  if (stacks_.num_items() > 0) stacks_.push(nullptr, cursor_.begin());
  return close_parens();
}

BracketParser::Next BracketParser::after_parens_item() {
  return stacks_.accept_comma(TokenKind::kRightParen) ? begin_parens_item() : close_parens();
}

BracketParser::Next BracketParser::close_parens() {
  const Frame parens = stacks_.close();
  cursor_.accept(TokenKind::kRightParen);
  if (cursor_.at(TokenKind::kLeftBracket))
    cursor_.error("only a name can have subscripts", cursor_.range(), {},
                  "declare a variable for the value, and index that");
  if (stacks_.num_items(parens) == 1) {
    stacks_.last().expr->is_parenthesized = true;
    stacks_.last().begin = parens.begin;
    return Next::kOperator;
  }
  auto* e = cursor_.make<TupleExpr>(parens.begin);
  e->elements = stacks_.pop_list(parens.first_operand);
  return stacks_.push(e, parens.begin);
}

// ---- {a, b}, [a, b; c, d] ----

BracketParser::Next BracketParser::begin_array_item() {
  const bool is_matrix = stacks_.top().open == Open::kMatrix;
  const TokenKind close = is_matrix ? TokenKind::kRightBracket : TokenKind::kRightBrace;
  if (!cursor_.at(close) || stacks_.num_items() > 0) return Next::kOperand;
  cursor_.error("an array constructor needs an element", cursor_.range(), {},
                "an empty array is written with its type, such as `fill(0.0, 0)`");
  return stacks_.push(cursor_.make<ErrorExpr>(cursor_.previous_end()), cursor_.begin());
}

BracketParser::Next BracketParser::after_array_item() {
  if (cursor_.at(TokenKind::kFor) && stacks_.num_items() == 1) return start_iterators();
  if (stacks_.accept_comma(TokenKind::kRightBrace)) return Next::kOperand;
  const Frame array = stacks_.close();
  cursor_.accept(TokenKind::kRightBrace);
  auto* e = cursor_.make<ArrayExpr>(array.begin);
  e->elements = stacks_.pop_list(array.first_operand);
  return stacks_.push(e, array.begin);
}

BracketParser::Next BracketParser::after_matrix_item() {
  const bool ends_row = cursor_.at(TokenKind::kSemicolon);
  if (!ends_row && stacks_.accept_comma(TokenKind::kRightBracket)) return Next::kOperand;
  row_ends_.push_back(stacks_.num_items());
  if (cursor_.accept(TokenKind::kSemicolon)) return Next::kOperand;
  const Frame matrix = stacks_.close();
  cursor_.accept(TokenKind::kRightBracket);
  auto* e = cursor_.make<MatrixExpr>(matrix.begin);
  std::vector<List<const Expr*>> rows(row_ends_.size() - matrix.first_item);
  for (std::size_t i = rows.size(); i-- > 0; row_ends_.pop_back()) {
    const std::uint32_t row_begin = i == 0 ? 0 : row_ends_[row_ends_.size() - 2];
    rows[i] = stacks_.pop_list(matrix.first_operand + row_begin);
  }
  e->rows = cursor_.list<List<const Expr*>>(rows);
  return stacks_.push(e, matrix.begin);
}

// ---- if a then b elseif c then d else e ----

BracketParser::Next BracketParser::start_if() {
  if (stacks_.is_operator_open() || stacks_.top().open == Open::kRange)
    cursor_.error("an if-expression cannot be an operand", cursor_.range(), {},
                  "put it in parentheses");
  stacks_.open(stacks_.frame(Open::kIf));
  cursor_.next();
  return Next::kOperand;
}

BracketParser::Next BracketParser::after_if_part() {
  if (stacks_.top().flag) return close_if();
  if (stacks_.num_items() % 2 == 1) {
    cursor_.expect(TokenKind::kThen, "after the condition");
    return Next::kOperand;
  }
  if (cursor_.accept(TokenKind::kElseif)) return Next::kOperand;
  if (cursor_.accept(TokenKind::kElse)) {
    stacks_.top().flag = true;
    return Next::kOperand;
  }
  cursor_.error(fmt::format("expected `else`, found {}", cursor_.found()), cursor_.range(),
                "an if-expression needs a value for every case");
  stacks_.push_error();
  return close_if();
}

BracketParser::Next BracketParser::close_if() {
  const Frame opened = stacks_.close();
  auto* e = cursor_.make<IfExpr>(opened.begin);
  e->otherwise = stacks_.pop().expr;
  e->branches = stacks_.pop_branches(opened.first_operand);
  return stacks_.push(e, opened.begin);
}

// ---- body for i in 1:n, j ----

BracketParser::Next BracketParser::start_iterators() {
  Frame opened = stacks_.frame(Open::kIterators);
  opened.first_item = static_cast<std::uint32_t>(iterators_.size());
  stacks_.open(opened);
  cursor_.next();
  return read_iterator();
}

BracketParser::Next BracketParser::read_iterator() {
  do {
    iterators_.push_back({cursor_.expect_ident("the name of an iterator"), nullptr});
    if (cursor_.accept(TokenKind::kIn)) return Next::kOperand;
  } while (cursor_.accept(TokenKind::kComma));
  return close_iterators();
}

BracketParser::Next BracketParser::after_iterator() {
  iterators_.back().range = stacks_.pop().expr;
  return cursor_.accept(TokenKind::kComma) ? read_iterator() : close_iterators();
}

BracketParser::Next BracketParser::close_iterators() {
  const std::uint32_t first = stacks_.top().first_item;
  stacks_.close();
  const Operand body = stacks_.pop();
  auto* e = cursor_.make<ComprehensionExpr>(body.begin);
  e->body = body.expr;
  e->iterators = stacks_.pop_items(iterators_, first);
  return stacks_.push(e, body.begin);
}

}  // namespace hydae::syntax

// The part of ExpressionParser behind an opening bracket: items, separators, and the close. Each
// begin_... stands where an item may begin, each after_... behind an item.
#include <fmt/format.h>

#include "syntax/expression_parser.h"

namespace hydae::syntax {

ExpressionParser::Next ExpressionParser::start_bracket(Open open) {
  Frame opened = frame(open);
  opened.first_item = static_cast<std::uint32_t>(row_ends_.size());
  frames_.push_back(opened);
  cursor_.next();
  return open == Open::kParens ? begin_parens_item() : begin_array_item();
}

namespace {

bool begins_operand(TokenKind kind) {
  switch (kind) {
    case TokenKind::kIdent:
    case TokenKind::kInteger:
    case TokenKind::kReal:
    case TokenKind::kString:
    case TokenKind::kTrue:
    case TokenKind::kFalse:
    case TokenKind::kLeftBrace: return true;
    default: return false;
  }
}

}  // namespace

// Takes the comma behind an item of the innermost bracket. What is neither a comma nor `close` is
// reported; then another item on the same line is read as if there were a comma, and else the
// bracket is taken as closed.
bool ExpressionParser::accept_comma(TokenKind close) {
  if (cursor_.accept(TokenKind::kComma)) return true;
  if (cursor_.at(close)) return false;
  if (!top().has_error && !cursor_.is_silent()) missing_comma(close);
  top().has_error = true;
  return begins_operand(cursor_.kind()) && !cursor_.is_on_new_line();
}

void ExpressionParser::missing_comma(TokenKind close) {
  Diagnostic* d =
      cursor_.is_on_new_line()
          ? cursor_.error(fmt::format("missing `,` or `{}`", spelling(close)), cursor_.gap())
          : cursor_.error(
                fmt::format("expected `,` or `{}`, found {}", spelling(close), cursor_.found()));
  if (d == nullptr) return;
  const std::uint32_t bracket = top().bracket;
  d->notes.push_back({"the bracket was opened here", {d->range.source, bracket, bracket + 1}});
}

// ---- (a, , c) ----

ExpressionParser::Next ExpressionParser::begin_parens_item() {
  while (cursor_.at(TokenKind::kComma)) {
    push(nullptr, cursor_.begin());
    cursor_.next();
  }
  if (!cursor_.at(TokenKind::kRightParen)) return Next::kOperand;
  if (num_items(top()) > 0) push(nullptr, cursor_.begin());
  return close_parens();
}

ExpressionParser::Next ExpressionParser::after_parens_item() {
  return accept_comma(TokenKind::kRightParen) ? begin_parens_item() : close_parens();
}

ExpressionParser::Next ExpressionParser::close_parens() {
  const Frame parens = top();
  frames_.pop_back();
  cursor_.accept(TokenKind::kRightParen);
  if (cursor_.at(TokenKind::kLeftBracket))
    cursor_.error("only a name can have subscripts", cursor_.range(), {},
                  "declare a variable for the value, and index that");
  if (operands_.size() - parens.first_operand == 1) {
    operands_.back().expr->is_parenthesized = true;
    operands_.back().begin = parens.begin;
    return Next::kOperator;
  }
  auto* e = cursor_.make<TupleExpr>(parens.begin);
  e->elements = pop_list(parens.first_operand);
  return push(e, parens.begin);
}

// ---- f(a, b, c = 1), function f(c = 1) ----

ExpressionParser::Next ExpressionParser::begin_argument() {
  const bool is_named = cursor_.kind(1) == TokenKind::kEquals &&
                        (cursor_.at(TokenKind::kIdent) || is_keyword(cursor_.kind()));
  if (is_named) {
    named_.push_back({cursor_.expect_ident("the name of an argument"), nullptr});
    cursor_.next();
    return Next::kOperand;
  }
  const bool has_named = named_.size() > top().first_item;
  const bool is_first = num_items(top()) == 1 && !has_named;
  if (is_first && cursor_.at(TokenKind::kRightParen)) return close_call();
  if (has_named || top().open == Open::kPartial)
    cursor_.error("expected an argument with its name", cursor_.range(),
                  has_named ? "after a named argument, all have names" : "",
                  "write `name = value`");
  return Next::kOperand;
}

ExpressionParser::Next ExpressionParser::after_argument() {
  const bool has_named = named_.size() > top().first_item;
  if (has_named && named_.back().value == nullptr) named_.back().value = pop().expr;
  if (cursor_.at(TokenKind::kFor) && !has_named && num_items(top()) == 2) return start_iterators();
  return accept_comma(TokenKind::kRightParen) ? begin_argument() : close_call();
}

// The operand `function f(...)`, which only a call can have.
ExpressionParser::Next ExpressionParser::start_partial() {
  if (top().open != Open::kCall && top().open != Open::kPartial) return missing_operand();
  const std::uint32_t begin = cursor_.next().begin;
  const Name name = cursor_.expect_name("the name of a function");
  auto* function = cursor_.make<ReferenceExpr>(name.range.begin);
  function->is_global = name.is_global;
  for (const Ident& part : name.parts) parts_.push_back({part, {}});
  function->parts = pop_items(parts_, parts_.size() - name.parts.size());
  Frame opened = frame(Open::kPartial);
  opened.begin = begin;
  opened.first_item = static_cast<std::uint32_t>(named_.size());
  frames_.push_back(opened);
  push(function, begin);
  return cursor_.expect(TokenKind::kLeftParen) ? begin_argument() : close_call();
}

ExpressionParser::Next ExpressionParser::close_call() {
  const Frame call = top();
  frames_.pop_back();
  cursor_.accept(TokenKind::kRightParen);
  const List<NamedArgument> named = pop_items(named_, call.first_item);
  const List<const Expr*> arguments = pop_list(call.first_operand + 1);
  const auto* function = static_cast<const ReferenceExpr*>(pop().expr);
  if (call.open == Open::kPartial) {
    auto* e = cursor_.make<PartialFunctionExpr>(call.begin);
    e->function = function;
    e->named = named;
    return push(e, call.begin);
  }
  auto* e = cursor_.make<CallExpr>(call.begin);
  e->function = function;
  e->arguments = arguments;
  e->named = named;
  return push(e, call.begin);
}

// ---- {a, b}, [a, b; c, d] ----

ExpressionParser::Next ExpressionParser::begin_array_item() {
  const bool is_matrix = top().open == Open::kMatrix;
  const TokenKind close = is_matrix ? TokenKind::kRightBracket : TokenKind::kRightBrace;
  if (!cursor_.at(close) || num_items(top()) > 0) return Next::kOperand;
  cursor_.error("an array constructor needs an element", cursor_.range(), {},
                "an empty array is written with its type, such as `fill(0.0, 0)`");
  push(const_cast<Expr*>(error_expression()), cursor_.begin());
  return Next::kOperator;
}

ExpressionParser::Next ExpressionParser::after_array_item() {
  if (cursor_.at(TokenKind::kFor) && num_items(top()) == 1) return start_iterators();
  if (accept_comma(TokenKind::kRightBrace)) return Next::kOperand;
  const Frame array = top();
  frames_.pop_back();
  cursor_.accept(TokenKind::kRightBrace);
  auto* e = cursor_.make<ArrayExpr>(array.begin);
  e->elements = pop_list(array.first_operand);
  return push(e, array.begin);
}

ExpressionParser::Next ExpressionParser::after_matrix_item() {
  const bool ends_row = cursor_.at(TokenKind::kSemicolon);
  if (!ends_row && accept_comma(TokenKind::kRightBracket)) return Next::kOperand;
  row_ends_.push_back(num_items(top()));
  if (cursor_.accept(TokenKind::kSemicolon)) return Next::kOperand;
  const Frame matrix = top();
  frames_.pop_back();
  cursor_.accept(TokenKind::kRightBracket);
  auto* e = cursor_.make<MatrixExpr>(matrix.begin);
  std::vector<List<const Expr*>> rows(row_ends_.size() - matrix.first_item);
  for (std::size_t i = rows.size(); i-- > 0; row_ends_.pop_back()) {
    const std::uint32_t row_begin = i == 0 ? 0 : row_ends_[row_ends_.size() - 2];
    rows[i] = pop_list(matrix.first_operand + row_begin);
  }
  e->rows = cursor_.list<List<const Expr*>>(rows);
  return push(e, matrix.begin);
}

// ---- a[1, :].b, Real x[3, :] ----

ExpressionParser::Next ExpressionParser::after_subscript() {
  if (accept_comma(TokenKind::kRightBracket)) return Next::kOperand;
  const Frame opened = top();
  frames_.pop_back();
  cursor_.accept(TokenKind::kRightBracket);
  --open_subscripts_;
  const List<const Expr*> subscripts = pop_list(opened.first_operand);
  if (opened.open == Open::kDimensions) {
    dimensions_ = subscripts;
    return Next::kDone;
  }
  parts_.back().subscripts = subscripts;
  return cursor_.accept(TokenKind::kDot)
             ? reference_parts(opened.begin, opened.first_item, opened.flag)
             : close_reference(opened.begin, opened.first_item, opened.flag);
}

// ---- if a then b elseif c then d else e ----

ExpressionParser::Next ExpressionParser::start_if() {
  if (is_operator_open() || top().open == Open::kRange)
    cursor_.error("an if-expression cannot be an operand", cursor_.range(), {},
                  "put it in parentheses");
  frames_.push_back(frame(Open::kIf));
  cursor_.next();
  return Next::kOperand;
}

ExpressionParser::Next ExpressionParser::after_if_part() {
  if (top().flag) return close_if();
  if (num_items(top()) % 2 == 1) {
    cursor_.expect(TokenKind::kThen, "after the condition");
    return Next::kOperand;
  }
  if (cursor_.accept(TokenKind::kElseif)) return Next::kOperand;
  if (cursor_.accept(TokenKind::kElse)) {
    top().flag = true;
    return Next::kOperand;
  }
  cursor_.error(fmt::format("expected `else`, found {}", cursor_.found()), cursor_.range(),
                "an if-expression needs a value for every case");
  push(const_cast<Expr*>(error_expression()), cursor_.previous_end());
  return close_if();
}

ExpressionParser::Next ExpressionParser::close_if() {
  const Frame opened = top();
  frames_.pop_back();
  auto* e = cursor_.make<IfExpr>(opened.begin);
  e->otherwise = pop().expr;
  std::vector<IfExprBranch> branches;
  for (std::size_t i = opened.first_operand; i + 1 < operands_.size(); i += 2)
    branches.push_back({operands_[i].expr, operands_[i + 1].expr});
  e->branches = cursor_.list<IfExprBranch>(branches);
  operands_.resize(opened.first_operand);
  return push(e, opened.begin);
}

// ---- body for i in 1:n, j ----

ExpressionParser::Next ExpressionParser::start_iterators() {
  Frame opened = frame(Open::kIterators);
  opened.first_item = static_cast<std::uint32_t>(iterators_.size());
  frames_.push_back(opened);
  cursor_.next();
  return read_iterator();
}

ExpressionParser::Next ExpressionParser::read_iterator() {
  do {
    iterators_.push_back({cursor_.expect_ident("the name of an iterator"), nullptr});
    if (cursor_.accept(TokenKind::kIn)) return Next::kOperand;
  } while (cursor_.accept(TokenKind::kComma));
  return close_iterators();
}

ExpressionParser::Next ExpressionParser::after_iterator() {
  iterators_.back().range = pop().expr;
  return cursor_.accept(TokenKind::kComma) ? read_iterator() : close_iterators();
}

ExpressionParser::Next ExpressionParser::close_iterators() {
  const std::uint32_t first = top().first_item;
  frames_.pop_back();
  const Operand body = pop();
  auto* e = cursor_.make<ComprehensionExpr>(body.begin);
  e->body = body.expr;
  e->iterators = pop_items(iterators_, first);
  return push(e, body.begin);
}

}  // namespace hydae::syntax

#include "syntax/expression_parser.h"

#include <array>
#include <fmt/format.h>

#include "syntax/literal.h"

namespace hydae::syntax {

const Expr* ExpressionParser::expression() {
  run(Open::kRoot);
  return pop().expr;
}

const Expr* ExpressionParser::condition() {
  run(Open::kCondition);
  return pop().expr;
}

List<const Expr*> ExpressionParser::subscripts() {
  if (!cursor_.at(TokenKind::kLeftBracket)) return {};
  cursor_.next();
  ++open_subscripts_;
  run(Open::kDimensions);
  return dimensions_;
}

List<Iterator> ExpressionParser::iterators() {
  std::vector<Iterator> items;
  do {
    Iterator item = {cursor_.expect_ident("the name of an iterator"), nullptr};
    if (!item.name.is_valid()) break;
    if (cursor_.accept(TokenKind::kIn)) item.range = condition();
    items.push_back(item);
  } while (cursor_.accept(TokenKind::kComma));
  return cursor_.list<Iterator>(items);
}

const ReferenceExpr* ExpressionParser::reference(std::string_view what) {
  const Expr* e = expression();
  if (const auto* found = find<ReferenceExpr>(e); found != nullptr) return found;
  if (e->kind != ExprKind::kError)
    cursor_.error(fmt::format("expected {}", what), e->range, "only a name can stand here");
  return nullptr;
}

const StringExpr* ExpressionParser::string() {
  const Token& token = cursor_.next();
  auto* e = cursor_.make<StringExpr>(token.begin);
  const std::string_view quoted = cursor_.text(token);
  e->text = quoted.substr(1, quoted.size() - 2);
  return e;
}

const Expr* ExpressionParser::error_expression() {
  return cursor_.make<ErrorExpr>(cursor_.previous_end());
}

// ---- The machine ----

void ExpressionParser::run(Open open) {
  frames_.push_back(frame(open));
  for (Next next = Next::kOperand; next != Next::kDone;)
    next = next == Next::kOperand ? read_operand() : read_operator();
}

ExpressionParser::Next ExpressionParser::read_operand() {
  switch (cursor_.kind()) {
    case TokenKind::kIdent:
    case TokenKind::kDot: return start_reference();
    case TokenKind::kInteger: return integer();
    case TokenKind::kReal: return real();
    case TokenKind::kString: {
      const std::uint32_t begin = cursor_.begin();
      return push(const_cast<StringExpr*>(string()), begin);
    }
    case TokenKind::kTrue: return boolean(true);
    case TokenKind::kFalse: return boolean(false);
    case TokenKind::kEnd: return open_subscripts_ > 0 ? leaf<EndExpr>() : missing_operand();
    case TokenKind::kColon:
      return top().open == Open::kSubscripts || top().open == Open::kDimensions ? leaf<ColonExpr>()
                                                                                : missing_operand();
    case TokenKind::kDer:
    case TokenKind::kInitial:
    case TokenKind::kPure: return keyword_function();
    case TokenKind::kPlus: return prefix(UnaryOp::kPlus, kSign);
    case TokenKind::kMinus: return prefix(UnaryOp::kMinus, kSign);
    case TokenKind::kDotPlus: return prefix(UnaryOp::kElementwisePlus, kSign);
    case TokenKind::kDotMinus: return prefix(UnaryOp::kElementwiseMinus, kSign);
    case TokenKind::kNot: return prefix(UnaryOp::kNot, kNot);
    case TokenKind::kLeftParen: return start_bracket(Open::kParens);
    case TokenKind::kLeftBrace: return start_bracket(Open::kArray);
    case TokenKind::kLeftBracket: return start_bracket(Open::kMatrix);
    case TokenKind::kIf: return start_if();
    case TokenKind::kFunction: return start_partial();
    default: return cursor_.at_keyword_as_name() ? start_reference() : missing_operand();
  }
}

ExpressionParser::Next ExpressionParser::read_operator() {
  const InfixOperator op = infix_operator(cursor_.kind());
  if (op.precedence != kNone) return infix(op);
  reduce(kOr);
  if (cursor_.at(TokenKind::kColon)) return range_colon();
  if (cursor_.at(TokenKind::kEquals) && takes_equals_as_relation()) {
    cursor_.error("`=` does not compare", cursor_.range(), {}, "equality is tested with `==`");
    return infix({kRelation, BinaryOp::kEqual});
  }
  reduce_range();
  return continue_bracket();
}

ExpressionParser::Next ExpressionParser::continue_bracket() {
  switch (top().open) {
    case Open::kPrefix:
    case Open::kInfix:
    case Open::kRange: break;  // all reduced
    case Open::kRoot:
    case Open::kCondition: frames_.pop_back(); return Next::kDone;
    case Open::kDimensions:
    case Open::kSubscripts: return after_subscript();
    case Open::kParens: return after_parens_item();
    case Open::kCall:
    case Open::kPartial: return after_argument();
    case Open::kArray: return after_array_item();
    case Open::kMatrix: return after_matrix_item();
    case Open::kIf: return after_if_part();
    case Open::kIterators: return after_iterator();
  }
  HYDAE_CHECK(false);
  return Next::kDone;
}

// ---- Operators ----

ExpressionParser::InfixOperator ExpressionParser::infix_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::kOr: return {kOr, BinaryOp::kOr};
    case TokenKind::kAnd: return {kAnd, BinaryOp::kAnd};
    case TokenKind::kLess: return {kRelation, BinaryOp::kLess};
    case TokenKind::kLessEqual: return {kRelation, BinaryOp::kLessEqual};
    case TokenKind::kGreater: return {kRelation, BinaryOp::kGreater};
    case TokenKind::kGreaterEqual: return {kRelation, BinaryOp::kGreaterEqual};
    case TokenKind::kEqualEqual: return {kRelation, BinaryOp::kEqual};
    case TokenKind::kNotEqual: return {kRelation, BinaryOp::kNotEqual};
    case TokenKind::kPlus: return {kSum, BinaryOp::kAdd};
    case TokenKind::kMinus: return {kSum, BinaryOp::kSubtract};
    case TokenKind::kDotPlus: return {kSum, BinaryOp::kElementwiseAdd};
    case TokenKind::kDotMinus: return {kSum, BinaryOp::kElementwiseSubtract};
    case TokenKind::kStar: return {kProduct, BinaryOp::kMultiply};
    case TokenKind::kSlash: return {kProduct, BinaryOp::kDivide};
    case TokenKind::kDotStar: return {kProduct, BinaryOp::kElementwiseMultiply};
    case TokenKind::kDotSlash: return {kProduct, BinaryOp::kElementwiseDivide};
    case TokenKind::kCaret: return {kPower, BinaryOp::kPower};
    case TokenKind::kDotCaret: return {kPower, BinaryOp::kElementwisePower};
    default: return {};
  }
}

bool ExpressionParser::is_operator_open() const {
  return top().open == Open::kPrefix || top().open == Open::kInfix;
}

// `not` begins a relation and a sign begins a sum (A.2.7): behind an operator that binds as
// strongly as those, or more, they need parentheses.
ExpressionParser::Next ExpressionParser::prefix(UnaryOp op, Precedence precedence) {
  const Precedence strongest = precedence == kSign ? kRelation : kAnd;
  if (is_operator_open() && top().precedence > strongest) {
    const char* text = spelling(op);
    cursor_.error(fmt::format("`{}` cannot follow another operator", text), cursor_.range(), {},
                  precedence == kSign ? fmt::format("use parentheses: `({}x)`", text)
                                      : "use parentheses: `(not x)`");
  }
  Frame opened = frame(Open::kPrefix);
  opened.precedence = precedence;
  opened.op = static_cast<std::uint8_t>(op);
  frames_.push_back(opened);
  cursor_.next();
  return Next::kOperand;
}

ExpressionParser::Next ExpressionParser::infix(InfixOperator op) {
  const bool is_chain = op.precedence == kRelation || op.precedence == kPower;
  reduce(static_cast<Precedence>(op.precedence + 1));
  if (is_chain && is_operator_open() && top().precedence == op.precedence)
    cursor_.error(
        op.precedence == kPower ? "powers cannot be chained" : "comparisons cannot be chained",
        cursor_.range(), {},
        op.precedence == kPower ? "use parentheses: `(a^b)^c` or `a^(b^c)`"
                                : "join two comparisons: `a < b and b < c`");
  reduce(op.precedence);
  Frame opened = frame(Open::kInfix);
  opened.precedence = op.precedence;
  opened.op = static_cast<std::uint8_t>(op.op);
  frames_.push_back(opened);
  cursor_.next();
  return Next::kOperand;
}

ExpressionParser::Next ExpressionParser::range_colon() {
  if (top().open != Open::kRange) {
    Frame opened = frame(Open::kRange);
    opened.first_operand -= 1;
    opened.begin = operands_.back().begin;
    frames_.push_back(opened);
  } else if (num_items(top()) == 3) {
    cursor_.error("a range has at most three parts", cursor_.range(), {},
                  "write `start:stop` or `start:step:stop`");
    reduce_range();
    return range_colon();
  }
  cursor_.next();
  return Next::kOperand;
}

// Closes the operators that bind at least as strongly as `lowest` and wait for the last operand.
void ExpressionParser::reduce(Precedence lowest) {
  while (is_operator_open() && top().precedence >= lowest) {
    const Frame op = top();
    frames_.pop_back();
    if (op.open == Open::kPrefix) {
      auto* e = cursor_.make<UnaryExpr>(op.begin);
      e->op = static_cast<UnaryOp>(op.op);
      e->operand = pop().expr;
      push(e, op.begin);
    } else {
      const Operand right = pop(), left = pop();
      auto* e = cursor_.make<BinaryExpr>(left.begin);
      e->op = static_cast<BinaryOp>(op.op);
      e->left = left.expr;
      e->right = right.expr;
      push(e, left.begin);
    }
  }
}

void ExpressionParser::reduce_range() {
  if (top().open != Open::kRange) return;
  const std::uint32_t begin = top().begin;
  auto* e = cursor_.make<RangeExpr>(begin);
  const bool has_step = num_items(top()) == 3;
  frames_.pop_back();
  e->stop = pop().expr;
  if (has_step) e->step = pop().expr;
  e->start = pop().expr;
  push(e, begin);
}

bool ExpressionParser::takes_equals_as_relation() const {
  switch (top().open) {
    case Open::kCondition:
    case Open::kParens:
    case Open::kArray:
    case Open::kMatrix:
    case Open::kIf: return true;
    default: return false;
  }
}

// ---- Literals and names ----

template <class T>
ExpressionParser::Next ExpressionParser::leaf() {
  const std::uint32_t begin = cursor_.next().begin;
  return push(cursor_.make<T>(begin), begin);
}

ExpressionParser::Next ExpressionParser::integer() {
  const Token& token = cursor_.peek();
  const auto value = integer_value(cursor_.text(token));
  if (!value)
    cursor_.error("this Integer is too large", cursor_.range(),
                  "the largest is 9223372036854775807",
                  "a Real has a point or an exponent: `1e20`");
  cursor_.next();
  auto* e = cursor_.make<IntegerExpr>(token.begin);
  e->value = value.value_or(0);
  return push(e, token.begin);
}

ExpressionParser::Next ExpressionParser::real() {
  const Token& token = cursor_.peek();
  const auto value = real_value(cursor_.text(token));
  if (!value)
    cursor_.error("this Real is too large", cursor_.range(), "the largest is about 1.8e308");
  cursor_.next();
  auto* e = cursor_.make<RealExpr>(token.begin);
  e->value = value.value_or(0);
  return push(e, token.begin);
}

ExpressionParser::Next ExpressionParser::boolean(bool value) {
  const std::uint32_t begin = cursor_.next().begin;
  auto* e = cursor_.make<BooleanExpr>(begin);
  e->value = value;
  return push(e, begin);
}

ExpressionParser::Next ExpressionParser::start_reference() {
  const std::uint32_t begin = cursor_.begin();
  const bool is_global = cursor_.accept(TokenKind::kDot);
  return reference_parts(begin, static_cast<std::uint32_t>(parts_.size()), is_global);
}

// Reads parts up to a subscript, whose expressions come first, or to the end of the reference.
ExpressionParser::Next ExpressionParser::reference_parts(std::uint32_t begin,
                                                         std::uint32_t first_part, bool is_global) {
  do {
    const Ident name = cursor_.expect_ident("a name");
    if (!name.is_valid()) break;
    parts_.push_back({name, {}});
    if (!cursor_.at(TokenKind::kLeftBracket)) continue;
    Frame opened = frame(Open::kSubscripts);
    opened.begin = begin;
    opened.first_item = first_part;
    opened.flag = is_global;
    frames_.push_back(opened);
    ++open_subscripts_;
    cursor_.next();
    return Next::kOperand;
  } while (cursor_.accept(TokenKind::kDot));
  return close_reference(begin, first_part, is_global);
}

ExpressionParser::Next ExpressionParser::close_reference(std::uint32_t begin,
                                                         std::uint32_t first_part, bool is_global) {
  if (parts_.size() == first_part) return push(cursor_.make<ErrorExpr>(begin), begin);
  auto* e = cursor_.make<ReferenceExpr>(begin);
  e->is_global = is_global;
  e->parts = pop_items(parts_, first_part);
  if (!cursor_.at(TokenKind::kLeftParen)) return push(e, begin);
  Frame opened = frame(Open::kCall);
  opened.begin = begin;
  opened.first_item = static_cast<std::uint32_t>(named_.size());
  frames_.push_back(opened);
  push(e, begin);
  cursor_.next();
  return begin_argument();
}

// der, initial, pure
ExpressionParser::Next ExpressionParser::keyword_function() {
  const Token token = cursor_.peek();
  const std::string_view word = spelling(token.kind);
  if (cursor_.kind(1) != TokenKind::kLeftParen) {
    const bool has_argument = token.kind != TokenKind::kInitial;
    cursor_.error(
        fmt::format("`{}` needs {}parentheses", word, has_argument ? "its argument in " : ""),
        cursor_.range(), {}, fmt::format("write `{}({})`", word, has_argument ? "x" : ""));
    cursor_.next();
    return cursor_.at(TokenKind::kIdent) ? start_reference()
                                         : push(cursor_.make<ErrorExpr>(token.begin), token.begin);
  }
  cursor_.next();
  parts_.push_back({{cursor_.symbols().intern(word), cursor_.range(token)}, {}});
  return close_reference(token.begin, static_cast<std::uint32_t>(parts_.size() - 1), false);
}

ExpressionParser::Next ExpressionParser::missing_operand() {
  cursor_.expected("an expression");
  return push(const_cast<Expr*>(error_expression()), cursor_.previous_end());
}

// ---- Stacks ----

ExpressionParser::Frame ExpressionParser::frame(Open open) const {
  Frame opened;
  opened.open = open;
  opened.begin = opened.bracket = cursor_.begin();
  opened.first_operand = static_cast<std::uint32_t>(operands_.size());
  return opened;
}

ExpressionParser::Next ExpressionParser::push(Expr* expr, std::uint32_t begin) {
  operands_.push_back({expr, begin});
  return Next::kOperator;
}

ExpressionParser::Operand ExpressionParser::pop() {
  const Operand operand = operands_.back();
  operands_.pop_back();
  return operand;
}

List<const Expr*> ExpressionParser::pop_list(std::size_t first) {
  scratch_.clear();
  for (std::size_t i = first; i < operands_.size(); ++i) scratch_.push_back(operands_[i].expr);
  operands_.resize(first);
  return cursor_.list<const Expr*>(scratch_);
}

}  // namespace hydae::syntax

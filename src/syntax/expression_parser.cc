#include "syntax/expression_parser.h"

#include <array>
#include <fmt/format.h>

#include "syntax/literal.h"

namespace hydae::syntax {
namespace {

using enum ExpressionStacks::Precedence;

InfixOperator infix_operator(TokenKind kind) {
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

}  // namespace

const Expr* ExpressionParser::expression() {
  run(Open::kRoot);
  return stacks_.pop().expr;
}

const Expr* ExpressionParser::condition() {
  run(Open::kCondition);
  return stacks_.pop().expr;
}

List<const Expr*> ExpressionParser::subscripts() {
  if (!cursor_.at(TokenKind::kLeftBracket)) return {};
  cursor_.next();
  references_.start_dimensions();
  run(Open::kDimensions);
  return references_.dimensions();
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
  stacks_.open(stacks_.frame(open));
  for (Next next = Next::kOperand; next != Next::kDone;)
    next = next == Next::kOperand ? read_operand() : read_operator();
}

ExpressionParser::Next ExpressionParser::read_operand() {
  switch (cursor_.kind()) {
    case TokenKind::kIdent:
    case TokenKind::kDot: return references_.start_reference();
    case TokenKind::kInteger: return integer();
    case TokenKind::kReal: return real();
    case TokenKind::kString: {
      const std::uint32_t begin = cursor_.begin();
      return stacks_.push(const_cast<StringExpr*>(string()), begin);
    }
    case TokenKind::kTrue: return boolean(true);
    case TokenKind::kFalse: return boolean(false);
    case TokenKind::kEnd:
      return references_.is_in_subscripts() ? leaf<EndExpr>() : stacks_.missing_operand();
    case TokenKind::kColon:
      return stacks_.top().open == Open::kSubscripts || stacks_.top().open == Open::kDimensions
                 ? leaf<ColonExpr>()
                 : stacks_.missing_operand();
    case TokenKind::kDer:
    case TokenKind::kInitial:
    case TokenKind::kPure: return references_.keyword_function();
    case TokenKind::kPlus: return prefix(UnaryOp::kPlus, kSign);
    case TokenKind::kMinus: return prefix(UnaryOp::kMinus, kSign);
    case TokenKind::kDotPlus: return prefix(UnaryOp::kElementwisePlus, kSign);
    case TokenKind::kDotMinus: return prefix(UnaryOp::kElementwiseMinus, kSign);
    case TokenKind::kNot: return prefix(UnaryOp::kNot, kNot);
    case TokenKind::kLeftParen: return brackets_.start_bracket(Open::kParens);
    case TokenKind::kLeftBrace: return brackets_.start_bracket(Open::kArray);
    case TokenKind::kLeftBracket: return brackets_.start_bracket(Open::kMatrix);
    case TokenKind::kIf: return brackets_.start_if();
    case TokenKind::kFunction: return references_.start_partial();
    default:
      return cursor_.at_keyword_as_name() ? references_.start_reference()
                                          : stacks_.missing_operand();
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
  switch (stacks_.top().open) {
    case Open::kPrefix:
    case Open::kInfix:
    case Open::kRange: break;  // all reduced
    case Open::kRoot:
    case Open::kCondition: stacks_.close(); return Next::kDone;
    case Open::kDimensions:
    case Open::kSubscripts: return references_.after_subscript();
    case Open::kParens: return brackets_.after_parens_item();
    case Open::kCall:
    case Open::kPartial: return references_.after_argument();
    case Open::kArray: return brackets_.after_array_item();
    case Open::kMatrix: return brackets_.after_matrix_item();
    case Open::kIf: return brackets_.after_if_part();
    case Open::kIterators: return brackets_.after_iterator();
  }
  HYDAE_CHECK(false);
  return Next::kDone;
}

// ---- Operators ----

// `not` begins a relation and a sign begins a sum (A.2.7): behind an operator that binds as
// strongly as those, or more, they need parentheses.
ExpressionParser::Next ExpressionParser::prefix(UnaryOp op, Precedence precedence) {
  const Precedence strongest = precedence == kSign ? kRelation : kAnd;
  if (stacks_.is_operator_open() && stacks_.top().precedence > strongest) {
    const char* text = spelling(op);
    cursor_.error(fmt::format("`{}` cannot follow another operator", text), cursor_.range(), {},
                  precedence == kSign ? fmt::format("use parentheses: `({}x)`", text)
                                      : "use parentheses: `(not x)`");
  }
  Frame opened = stacks_.frame(Open::kPrefix);
  opened.precedence = precedence;
  opened.op = static_cast<std::uint8_t>(op);
  stacks_.open(opened);
  cursor_.next();
  return Next::kOperand;
}

ExpressionParser::Next ExpressionParser::infix(InfixOperator op) {
  const bool is_chain = op.precedence == kRelation || op.precedence == kPower;
  reduce(static_cast<Precedence>(op.precedence + 1));
  if (is_chain && stacks_.is_operator_open() && stacks_.top().precedence == op.precedence)
    cursor_.error(
        op.precedence == kPower ? "powers cannot be chained" : "comparisons cannot be chained",
        cursor_.range(), {},
        op.precedence == kPower ? "use parentheses: `(a^b)^c` or `a^(b^c)`"
                                : "join two comparisons: `a < b and b < c`");
  reduce(op.precedence);
  Frame opened = stacks_.frame(Open::kInfix);
  opened.precedence = op.precedence;
  opened.op = static_cast<std::uint8_t>(op.op);
  stacks_.open(opened);
  cursor_.next();
  return Next::kOperand;
}

ExpressionParser::Next ExpressionParser::range_colon() {
  if (stacks_.top().open != Open::kRange) {
    Frame opened = stacks_.frame(Open::kRange);
    opened.first_operand -= 1;
    opened.begin = stacks_.last().begin;
    stacks_.open(opened);
  } else if (stacks_.num_items() == 3) {
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
  while (stacks_.is_operator_open() && stacks_.top().precedence >= lowest) {
    const Frame op = stacks_.close();
    if (op.open == Open::kPrefix) {
      auto* e = cursor_.make<UnaryExpr>(op.begin);
      e->op = static_cast<UnaryOp>(op.op);
      e->operand = stacks_.pop().expr;
      stacks_.push(e, op.begin);
    } else {
      const Operand right = stacks_.pop(), left = stacks_.pop();
      auto* e = cursor_.make<BinaryExpr>(left.begin);
      e->op = static_cast<BinaryOp>(op.op);
      e->left = left.expr;
      e->right = right.expr;
      stacks_.push(e, left.begin);
    }
  }
}

void ExpressionParser::reduce_range() {
  if (stacks_.top().open != Open::kRange) return;
  const std::uint32_t begin = stacks_.top().begin;
  auto* e = cursor_.make<RangeExpr>(begin);
  const bool has_step = stacks_.num_items() == 3;
  stacks_.close();
  e->stop = stacks_.pop().expr;
  if (has_step) e->step = stacks_.pop().expr;
  e->start = stacks_.pop().expr;
  stacks_.push(e, begin);
}

bool ExpressionParser::takes_equals_as_relation() const {
  switch (stacks_.top().open) {
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
  return stacks_.push(cursor_.make<T>(begin), begin);
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
  return stacks_.push(e, token.begin);
}

ExpressionParser::Next ExpressionParser::real() {
  const Token& token = cursor_.peek();
  const auto value = real_value(cursor_.text(token));
  if (!value)
    cursor_.error("this Real is too large", cursor_.range(), "the largest is about 1.8e308");
  cursor_.next();
  auto* e = cursor_.make<RealExpr>(token.begin);
  e->value = value.value_or(0);
  return stacks_.push(e, token.begin);
}

ExpressionParser::Next ExpressionParser::boolean(bool value) {
  const std::uint32_t begin = cursor_.next().begin;
  auto* e = cursor_.make<BooleanExpr>(begin);
  e->value = value;
  return stacks_.push(e, begin);
}

}  // namespace hydae::syntax

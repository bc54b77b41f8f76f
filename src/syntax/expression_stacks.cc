#include "syntax/expression_stacks.h"

#include <fmt/format.h>

namespace hydae::syntax {
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

ExpressionStacks::Frame ExpressionStacks::close() {
  const Frame closed = frames_.back();
  frames_.pop_back();
  return closed;
}

bool ExpressionStacks::is_operator_open() const {
  return top().open == Open::kPrefix || top().open == Open::kInfix;
}

ExpressionStacks::Next ExpressionStacks::missing_operand() {
  cursor_.expected("an expression");
  return push_error();
}

ExpressionStacks::Frame ExpressionStacks::frame(Open open) const {
  Frame opened;
  opened.open = open;
  opened.begin = opened.bracket = cursor_.begin();
  opened.first_operand = static_cast<std::uint32_t>(operands_.size());
  return opened;
}

ExpressionStacks::Next ExpressionStacks::push(Expr* expr, std::uint32_t begin) {
  operands_.push_back({expr, begin});
  return Next::kOperator;
}

ExpressionStacks::Operand ExpressionStacks::pop() {
  const Operand operand = operands_.back();
  operands_.pop_back();
  return operand;
}

List<const Expr*> ExpressionStacks::pop_list(std::size_t first) {
  scratch_.clear();
  for (std::size_t i = first; i < operands_.size(); ++i) scratch_.push_back(operands_[i].expr);
  operands_.resize(first);
  return cursor_.list<const Expr*>(scratch_);
}

bool ExpressionStacks::accept_comma(TokenKind close) {
  if (cursor_.accept(TokenKind::kComma)) return true;
  if (cursor_.at(close)) return false;
  if (!top().has_error && !cursor_.is_silent()) missing_comma(close);
  top().has_error = true;
  return begins_operand(cursor_.kind()) && !cursor_.is_on_new_line();
}

void ExpressionStacks::missing_comma(TokenKind close) {
  Diagnostic* d =
      cursor_.is_on_new_line()
          ? cursor_.error(fmt::format("missing `,` or `{}`", spelling(close)), cursor_.gap())
          : cursor_.error(
                fmt::format("expected `,` or `{}`, found {}", spelling(close), cursor_.found()));
  if (d == nullptr) return;
  const std::uint32_t bracket = top().bracket;
  d->notes.push_back({"the bracket was opened here", {d->range.source, bracket, bracket + 1}});
}

List<IfExprBranch> ExpressionStacks::pop_branches(std::size_t first) {
  std::vector<IfExprBranch> branches;
  for (std::size_t i = first; i + 1 < operands_.size(); i += 2)
    branches.push_back({operands_[i].expr, operands_[i + 1].expr});
  operands_.resize(first);
  return cursor_.list<IfExprBranch>(branches);
}

ExpressionStacks::Next ExpressionStacks::push_error() {
  const std::uint32_t begin = cursor_.previous_end();
  return push(cursor_.make<ErrorExpr>(begin), begin);
}

}  // namespace hydae::syntax

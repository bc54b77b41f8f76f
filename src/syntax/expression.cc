#include "syntax/expression.h"

#include <array>

namespace hydae::syntax {

namespace {

using Children = std::vector<const Expr*>;

void append(const Expr* child, Children& children) {
  if (child != nullptr) children.push_back(child);
}

void append(List<const Expr*> list, Children& children) {
  for (const Expr* child : list) append(child, children);
}

void append(List<NamedArgument> arguments, Children& children) {
  for (const NamedArgument& argument : arguments) append(argument.value, children);
}

void append_subscripts(const ReferenceExpr& reference, Children& children) {
  for (const ReferencePart& part : reference.parts) append(part.subscripts, children);
}

void append(const BinaryExpr& e, Children& children) {
  append(e.left, children);
  append(e.right, children);
}

void append(const RangeExpr& e, Children& children) {
  append(e.start, children);
  append(e.step, children);
  append(e.stop, children);
}

void append(const IfExpr& e, Children& children) {
  for (const IfExprBranch& branch : e.branches) {
    append(branch.condition, children);
    append(branch.value, children);
  }
  append(e.otherwise, children);
}

void append(const CallExpr& e, Children& children) {
  append_subscripts(*e.function, children);
  append(e.arguments, children);
  append(e.named, children);
}

void append(const PartialFunctionExpr& e, Children& children) {
  append_subscripts(*e.function, children);
  append(e.named, children);
}

void append(const MatrixExpr& e, Children& children) {
  for (const List<const Expr*>& row : e.rows) append(row, children);
}

void append(const ComprehensionExpr& e, Children& children) {
  for (const Iterator& iterator : e.iterators) append(iterator.range, children);
  append(e.body, children);
}

}  // namespace

void append_children(const Expr& e, std::vector<const Expr*>& children) {
  switch (e.kind) {
    case ExprKind::kError:
    case ExprKind::kInteger:
    case ExprKind::kReal:
    case ExprKind::kString:
    case ExprKind::kBoolean:
    case ExprKind::kColon:
    case ExprKind::kEnd: return;
    case ExprKind::kReference: return append_subscripts(as<ReferenceExpr>(e), children);
    case ExprKind::kUnary: return append(as<UnaryExpr>(e).operand, children);
    case ExprKind::kBinary: return append(as<BinaryExpr>(e), children);
    case ExprKind::kRange: return append(as<RangeExpr>(e), children);
    case ExprKind::kIf: return append(as<IfExpr>(e), children);
    case ExprKind::kCall: return append(as<CallExpr>(e), children);
    case ExprKind::kPartialFunction: return append(as<PartialFunctionExpr>(e), children);
    case ExprKind::kArray: return append(as<ArrayExpr>(e).elements, children);
    case ExprKind::kMatrix: return append(as<MatrixExpr>(e), children);
    case ExprKind::kTuple: return append(as<TupleExpr>(e).elements, children);
    case ExprKind::kComprehension: return append(as<ComprehensionExpr>(e), children);
  }
}

namespace {

char unescaped(char c) {
  switch (c) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    default: return c;
  }
}

}  // namespace

std::string string_value(const StringExpr& literal) {
  std::string value;
  value.reserve(literal.text.size());
  for (std::size_t i = 0; i < literal.text.size(); ++i) {
    const bool is_escape = literal.text[i] == '\\' && i + 1 < literal.text.size();
    value += is_escape ? unescaped(literal.text[++i]) : literal.text[i];
  }
  return value;
}

const char* spelling(UnaryOp op) {
  constexpr std::array kSpellings = {"+", "-", ".+", ".-", "not"};
  return kSpellings[static_cast<std::size_t>(op)];
}

const char* spelling(BinaryOp op) {
  constexpr std::array kSpellings = {"+",  "-", ".+", ".-", "*",  "/",  ".*", "./",  "^",
                                     ".^", "<", "<=", ">",  ">=", "==", "<>", "and", "or"};
  return kSpellings[static_cast<std::size_t>(op)];
}

}  // namespace hydae::syntax

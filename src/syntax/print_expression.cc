#include "syntax/writer.h"

namespace hydae::syntax {
namespace {

// Blanks around an operator: those of weak binding, and those that would run into a number.
const char* blank_around(BinaryOp op) {
  switch (op) {
    case BinaryOp::kMultiply:
    case BinaryOp::kDivide:
    case BinaryOp::kPower: return "";
    default: return " ";
  }
}

void put_named(Pieces& to, List<NamedArgument> named, bool is_first);

void expand(Pieces& to, const ReferenceExpr& e) {
  to.put_if(e.is_global, ".");
  for (const ReferencePart& part : e.parts) {
    to.put_if(&part != e.parts.begin(), ".");
    to.put_ident(part.name);
    put_subscripts(to, part.subscripts);
  }
}

void expand(Pieces& to, const RangeExpr& e) {
  to.put(e.start, ":");
  if (e.step != nullptr) to.put(e.step, ":");
  to.put(e.stop);
}

void expand(Pieces& to, const IfExpr& e) {
  for (const IfExprBranch& branch : e.branches)
    to.put(&branch == e.branches.begin() ? "if " : "elseif ", branch.condition, " then ",
           branch.value, " ");
  to.put("else ", e.otherwise);
}

void expand(Pieces& to, const CallExpr& e) {
  to.put(e.function, "(");
  put_list(to, e.arguments);
  put_named(to, e.named, e.arguments.empty());
  to.put(")");
}

void expand(Pieces& to, const MatrixExpr& e) {
  to.put("[");
  for (const List<const Expr*>& row : e.rows) {
    to.put_if(&row != e.rows.begin(), "; ");
    put_list(to, row);
  }
  to.put("]");
}

void put_named(Pieces& to, List<NamedArgument> named, bool is_first) {
  for (const NamedArgument& argument : named) {
    to.put_if(!is_first, ", ");
    is_first = false;
    to.put_ident(argument.name);
    to.put(" = ", argument.value);
  }
}

}  // namespace

void expand(Pieces& to, const Expr& e) {
  to.put_if(e.is_parenthesized, "(");
  expand_operands(to, e);
  to.put_if(e.is_parenthesized, ")");
}

void expand_operands(Pieces& to, const Expr& e) {
  switch (e.kind) {
    case ExprKind::kError: return to.put("?");
    case ExprKind::kInteger:
    case ExprKind::kReal:
    case ExprKind::kString: return to.put_text(e.range);
    case ExprKind::kBoolean: return to.put(as<BooleanExpr>(e).value ? "true" : "false");
    case ExprKind::kReference: return expand(to, as<ReferenceExpr>(e));
    case ExprKind::kColon: return to.put(":");
    case ExprKind::kEnd: return to.put("end");
    case ExprKind::kUnary: {
      const auto& u = as<UnaryExpr>(e);
      return to.put(spelling(u.op), u.op == UnaryOp::kNot ? " " : "", u.operand);
    }
    case ExprKind::kBinary: {
      const auto& b = as<BinaryExpr>(e);
      const char* blank = blank_around(b.op);
      return to.put(b.left, blank, spelling(b.op), blank, b.right);
    }
    case ExprKind::kRange: return expand(to, as<RangeExpr>(e));
    case ExprKind::kIf: return expand(to, as<IfExpr>(e));
    case ExprKind::kCall: return expand(to, as<CallExpr>(e));
    case ExprKind::kPartialFunction: {
      const auto& f = as<PartialFunctionExpr>(e);
      to.put("function ", f.function, "(");
      put_named(to, f.named, /*is_first=*/true);
      return to.put(")");
    }
    case ExprKind::kArray:
      to.put("{");
      put_list(to, as<ArrayExpr>(e).elements);
      return to.put("}");
    case ExprKind::kMatrix: return expand(to, as<MatrixExpr>(e));
    case ExprKind::kTuple:
      to.put("(");
      put_list(to, as<TupleExpr>(e).elements);
      return to.put(")");
    case ExprKind::kComprehension: {
      const auto& c = as<ComprehensionExpr>(e);
      to.put(c.body, " for ");
      return put_iterators(to, c.iterators);
    }
  }
}

void put_list(Pieces& to, List<const Expr*> items) {
  for (const Expr* const& item : items) {
    to.put_if(&item != items.begin(), ", ");
    if (item != nullptr) to.put(item);
  }
}

void put_iterators(Pieces& to, List<Iterator> iterators) {
  for (const Iterator& iterator : iterators) {
    to.put_if(&iterator != iterators.begin(), ", ");
    to.put_ident(iterator.name);
    if (iterator.range != nullptr) to.put(" in ", iterator.range);
  }
}

void put_subscripts(Pieces& to, List<const Expr*> subscripts) {
  if (subscripts.empty()) return;
  to.put("[");
  put_list(to, subscripts);
  to.put("]");
}

}  // namespace hydae::syntax

#include "syntax/writer.h"

namespace hydae::syntax {

void Writer::expand(const Expr& e) {
  put_if(e.is_parenthesized, "(");
  expand_operands(e);
  put_if(e.is_parenthesized, ")");
}

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

}  // namespace

void Writer::expand_operands(const Expr& e) {
  switch (e.kind) {
    case ExprKind::kError: return put("?");
    case ExprKind::kInteger:
    case ExprKind::kReal:
    case ExprKind::kString: return put_text(e.range);
    case ExprKind::kBoolean: return put(as<BooleanExpr>(e).value ? "true" : "false");
    case ExprKind::kReference: return expand(as<ReferenceExpr>(e));
    case ExprKind::kColon: return put(":");
    case ExprKind::kEnd: return put("end");
    case ExprKind::kUnary: {
      const auto& u = as<UnaryExpr>(e);
      return put(spelling(u.op), u.op == UnaryOp::kNot ? " " : "", u.operand);
    }
    case ExprKind::kBinary: {
      const auto& b = as<BinaryExpr>(e);
      const char* blank = blank_around(b.op);
      return put(b.left, blank, spelling(b.op), blank, b.right);
    }
    case ExprKind::kRange: return expand(as<RangeExpr>(e));
    case ExprKind::kIf: return expand(as<IfExpr>(e));
    case ExprKind::kCall: return expand(as<CallExpr>(e));
    case ExprKind::kPartialFunction: {
      const auto& f = as<PartialFunctionExpr>(e);
      put("function ", f.function, "(");
      put_named(f.named, /*is_first=*/true);
      return put(")");
    }
    case ExprKind::kArray:
      put("{");
      put_list(as<ArrayExpr>(e).elements);
      return put("}");
    case ExprKind::kMatrix: return expand(as<MatrixExpr>(e));
    case ExprKind::kTuple:
      put("(");
      put_list(as<TupleExpr>(e).elements);
      return put(")");
    case ExprKind::kComprehension: {
      const auto& c = as<ComprehensionExpr>(e);
      put(c.body, " for ");
      return put_iterators(c.iterators);
    }
  }
}

void Writer::expand(const ReferenceExpr& e) {
  put_if(e.is_global, ".");
  for (const ReferencePart& part : e.parts) {
    put_if(&part != e.parts.begin(), ".");
    put_ident(part.name);
    put_subscripts(part.subscripts);
  }
}

void Writer::expand(const RangeExpr& e) {
  put(e.start, ":");
  if (e.step != nullptr) put(e.step, ":");
  put(e.stop);
}

void Writer::expand(const IfExpr& e) {
  for (const IfExprBranch& branch : e.branches)
    put(&branch == e.branches.begin() ? "if " : "elseif ", branch.condition, " then ", branch.value,
        " ");
  put("else ", e.otherwise);
}

void Writer::expand(const CallExpr& e) {
  put(e.function, "(");
  put_list(e.arguments);
  put_named(e.named, e.arguments.empty());
  put(")");
}

void Writer::expand(const MatrixExpr& e) {
  put("[");
  for (const List<const Expr*>& row : e.rows) {
    put_if(&row != e.rows.begin(), "; ");
    put_list(row);
  }
  put("]");
}

void Writer::put_list(List<const Expr*> items) {
  for (const Expr* const& item : items) {
    put_if(&item != items.begin(), ", ");
    if (item != nullptr) put(item);
  }
}

void Writer::put_named(List<NamedArgument> named, bool is_first) {
  for (const NamedArgument& argument : named) {
    put_if(!is_first, ", ");
    is_first = false;
    put_ident(argument.name);
    put(" = ", argument.value);
  }
}

void Writer::put_iterators(List<Iterator> iterators) {
  for (const Iterator& iterator : iterators) {
    put_if(&iterator != iterators.begin(), ", ");
    put_ident(iterator.name);
    if (iterator.range != nullptr) put(" in ", iterator.range);
  }
}

void Writer::put_subscripts(List<const Expr*> subscripts) {
  if (subscripts.empty()) return;
  put("[");
  put_list(subscripts);
  put("]");
}

void Writer::put_name(const Name& name) {
  put_if(name.is_global, ".");
  for (const Ident& part : name.parts) {
    put_if(&part != name.parts.begin(), ".");
    put_ident(part);
  }
}

}  // namespace hydae::syntax

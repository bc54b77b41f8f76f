// Expressions of the syntax tree (Modelica 3.6, A.2.7). A node is an `Expr` with its kind; look at
// the rest with `as<CallExpr>(e)`, or `find<CallExpr>(e)` where the kind is not known. Nodes live
// in the arena of their file and never change.
//
// Expressions can be nested a million levels deep: never recurse over them, use `walk`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <hydae/source.h>

#include "base/check.h"
#include "syntax/arena.h"
#include "syntax/symbol.h"

namespace hydae::syntax {

struct Ident {
  Symbol symbol;
  SourceRange range;

  bool is_valid() const { return symbol.is_valid(); }
};

// `A.B.C` or `.A.B.C`, as in type specifiers and imports.
struct Name {
  SourceRange range;
  bool is_global = false;  // begins with a dot
  List<Ident> parts;
};

enum class ExprKind : std::uint8_t {
  kError,            // could not be read; a diagnostic says why
  kInteger,          // 3
  kReal,             // 3.0
  kString,           // "text"
  kBoolean,          // true
  kReference,        // a.b[1].c
  kColon,            // the subscript `:`
  kEnd,              // `end` in a subscript
  kUnary,            // -x, not b
  kBinary,           // x + y, x < y, a and b
  kRange,            // 1:n, 1:2:n
  kIf,               // if c then x elseif d then y else z
  kCall,             // f(x, y, tolerance = 1), der(x), initial(), pure(f(x))
  kPartialFunction,  // function f(a = 1), as an argument
  kArray,            // {x, y}
  kMatrix,           // [a, b; c, d]
  kTuple,            // (a, , c)
  kComprehension,    // x[i] for i in 1:n, the only argument of a call or array
};

struct Expr {
  SourceRange range;  // without enclosing parentheses
  ExprKind kind;
  bool is_parenthesized = false;

 protected:
  explicit Expr(ExprKind expr_kind) : kind(expr_kind) {}
};

// Base of the nodes below: sets the kind.
template <ExprKind K>
struct ExprOf : Expr {
  static constexpr ExprKind kKind = K;
  ExprOf() : Expr(K) {}
};

struct ErrorExpr : ExprOf<ExprKind::kError> {};

struct IntegerExpr : ExprOf<ExprKind::kInteger> {
  std::int64_t value = 0;
};

struct RealExpr : ExprOf<ExprKind::kReal> {
  double value = 0;
};

struct StringExpr : ExprOf<ExprKind::kString> {
  std::string_view text;  // between the quotes, escapes as written: see string_value
};

struct BooleanExpr : ExprOf<ExprKind::kBoolean> {
  bool value = false;
};

struct ReferencePart {
  Ident name;
  List<const Expr*> subscripts;
};

// A component, constant, type or function. `der`, `initial` and `pure` before an argument list are
// references with that one name; being keywords, they cannot be names of the user.
struct ReferenceExpr : ExprOf<ExprKind::kReference> {
  bool is_global = false;
  List<ReferencePart> parts;
};

struct ColonExpr : ExprOf<ExprKind::kColon> {};
struct EndExpr : ExprOf<ExprKind::kEnd> {};

enum class UnaryOp : std::uint8_t { kPlus, kMinus, kElementwisePlus, kElementwiseMinus, kNot };

struct UnaryExpr : ExprOf<ExprKind::kUnary> {
  UnaryOp op = UnaryOp::kPlus;
  const Expr* operand = nullptr;
};

enum class BinaryOp : std::uint8_t {
  kAdd,
  kSubtract,
  kElementwiseAdd,
  kElementwiseSubtract,
  kMultiply,
  kDivide,
  kElementwiseMultiply,
  kElementwiseDivide,
  kPower,
  kElementwisePower,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kAnd,
  kOr,
};

struct BinaryExpr : ExprOf<ExprKind::kBinary> {
  BinaryOp op = BinaryOp::kAdd;
  const Expr* left = nullptr;
  const Expr* right = nullptr;
};

struct RangeExpr : ExprOf<ExprKind::kRange> {
  const Expr* start = nullptr;
  const Expr* step = nullptr;  // null if not written
  const Expr* stop = nullptr;
};

struct IfExprBranch {
  const Expr* condition;
  const Expr* value;
};

struct IfExpr : ExprOf<ExprKind::kIf> {
  List<IfExprBranch> branches;  // if, elseif...
  const Expr* otherwise = nullptr;
};

struct NamedArgument {
  Ident name;
  const Expr* value;
};

// A reduction `sum(x for i in 1:n)` is a call whose only argument is a comprehension.
struct CallExpr : ExprOf<ExprKind::kCall> {
  const ReferenceExpr* function = nullptr;
  List<const Expr*> arguments;  // positional
  List<NamedArgument> named;
};

struct PartialFunctionExpr : ExprOf<ExprKind::kPartialFunction> {
  const ReferenceExpr* function = nullptr;
  List<NamedArgument> named;
};

struct ArrayExpr : ExprOf<ExprKind::kArray> {
  List<const Expr*> elements;
};

struct MatrixExpr : ExprOf<ExprKind::kMatrix> {
  List<List<const Expr*>> rows;
};

struct TupleExpr : ExprOf<ExprKind::kTuple> {
  List<const Expr*> elements;  // null where left out
};

struct Iterator {
  Ident name;
  const Expr* range;  // null if the range is implicit
};

struct ComprehensionExpr : ExprOf<ExprKind::kComprehension> {
  const Expr* body = nullptr;
  List<Iterator> iterators;
};

// `node` as the struct `T` that its kind says; for expressions, arguments, elements, equations,
// statements and classes alike.
template <class T, class Node>
const T& as(const Node& node) {
  HYDAE_CHECK(node.kind == T::kKind);
  return static_cast<const T&>(node);
}

// `node` as `T`, or null if it is of another kind or null itself.
template <class T, class Node>
const T* find(const Node* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<const T*>(node) : nullptr;
}

// Appends the direct subexpressions of `e` in source order: also subscripts (those of a called
// function's reference too, but not that reference itself) and the ranges of iterators, which come
// before the body of their comprehension.
void append_children(const Expr& e, std::vector<const Expr*>& children);

// Calls enter(e) before and leave(e) after the subexpressions of each node of `root`.
template <class Enter, class Leave>
void walk(const Expr& root, Enter enter, Leave leave) {
  struct Step {
    const Expr* expr;
    bool is_entered;
  };
  std::vector<Step> steps = {{&root, false}};
  std::vector<const Expr*> children;
  while (!steps.empty()) {
    const Step step = steps.back();
    if (step.is_entered) {
      steps.pop_back();
      leave(*step.expr);
      continue;
    }
    steps.back().is_entered = true;
    enter(*step.expr);
    children.clear();
    append_children(*step.expr, children);
    for (auto child = children.rbegin(); child != children.rend(); ++child)
      steps.push_back({*child, false});
  }
}

// Calls visit(e) for every node of `root`, subexpressions first.
template <class Visit>
void walk(const Expr& root, Visit visit) {
  walk(
      root, [](const Expr&) {}, visit);
}

// The text a string literal stands for: escapes undone.
std::string string_value(const StringExpr& literal);

const char* spelling(UnaryOp op);
const char* spelling(BinaryOp op);

}  // namespace hydae::syntax

#include "syntax/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "syntax/parsed.h"

namespace hydae::syntax {
namespace {

using testing::ElementsAre;

const char* operator_text(const Expr& e) {
  if (const auto* unary = find<UnaryExpr>(&e)) return spelling(unary->op);
  if (const auto* binary = find<BinaryExpr>(&e)) return spelling(binary->op);
  switch (e.kind) {
    case ExprKind::kRange: return ":";
    case ExprKind::kIf: return "if";
    case ExprKind::kCall: return "call";
    case ExprKind::kArray: return "array";
    case ExprKind::kMatrix: return "matrix";
    case ExprKind::kTuple: return "tuple";
    case ExprKind::kComprehension: return "for";
    case ExprKind::kPartialFunction: return "function";
    default: return nullptr;
  }
}

// The tree in prefix form: "(+ a (* b c))". A leaf is its text.
std::string shape(const Parsed& parsed, const Expr& root) {
  std::vector<std::string> done;
  walk(root, [&](const Expr& e) {
    std::vector<const Expr*> children;
    append_children(e, children);
    const char* op = operator_text(e);
    std::string text = op ? std::string("(") + op : std::string(parsed.text(e.range));
    if (const auto* call = find<CallExpr>(&e)) text = "(" + parsed.print(*call->function);
    if (op)
      for (std::size_t i = done.size() - children.size(); i < done.size(); ++i)
        text += " " + done[i];
    done.resize(done.size() - children.size());
    done.push_back(op ? text + ")" : text);
  });
  return done.back();
}

struct Read {
  explicit Read(const std::string& expression)
      : parsed("model A Real x = " + expression + "; end A;") {
    const auto& component = as<ComponentElement>(*parsed.first_class().elements.front());
    expr = component.declarations.front().modification->value;
  }
  std::string shape() const { return syntax::shape(parsed, *expr); }

  Parsed parsed;
  const Expr* expr;
};

std::string shape(const std::string& expression) {
  const Read read(expression);
  EXPECT_EQ(read.parsed.messages(), "") << expression;
  return read.shape();
}

// Modelica 3.6, table 3.1 and A.2.7.
TEST(Expression, operators_bind_as_the_grammar_says) {
  EXPECT_EQ(shape("-2^2"), "(- (^ 2 2))");
  EXPECT_EQ(shape("-a*b + c"), "(+ (- (* a b)) c)");
  EXPECT_EQ(shape("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(shape("a/b*c"), "(* (/ a b) c)");
  EXPECT_EQ(shape("a + b*c^d"), "(+ a (* b (^ c d)))");
  EXPECT_EQ(shape("a .+ b .* c .^ d ./ e .- f"), "(.- (.+ a (./ (.* b (.^ c d)) e)) f)");
  EXPECT_EQ(shape("not 1 == 2"), "(not (== 1 2))");
  EXPECT_EQ(shape("true or false and false"), "(or true (and false false))");
  EXPECT_EQ(shape("a + b < -c and not d or e <> f"),
            "(or (and (< (+ a b) (- c)) (not d)) (<> e f))");
  EXPECT_EQ(shape("a > -b + c"), "(> a (+ (- b) c))");
}

TEST(Expression, parentheses_group_and_are_remembered) {
  EXPECT_EQ(shape("(a + b)*((c))"), "(* (+ a b) c)");
  const Read read("(a + b)*c");
  const auto& product = as<BinaryExpr>(*read.expr);
  EXPECT_TRUE(product.left->is_parenthesized);
  EXPECT_FALSE(product.right->is_parenthesized);
  EXPECT_EQ(read.parsed.text(product.range), "(a + b)*c");
  EXPECT_EQ(read.parsed.text(product.left->range), "a + b");
}

TEST(Expression, ranges_bind_weaker_than_operators) {
  EXPECT_EQ(shape("1:n + 1"), "(: 1 (+ n 1))");
  EXPECT_EQ(shape("-1:-2:-n"), "(: (- 1) (- 2) (- n))");
  EXPECT_EQ(as<RangeExpr>(*Read("1:3").expr).step, nullptr);
}

TEST(Expression, if_reaches_as_far_as_it_can) {
  EXPECT_EQ(shape("if a then b else c + d"), "(if a b (+ c d))");
  EXPECT_EQ(shape("if a then b elseif c then d else if e then f else g"),
            "(if a b c d (if e f g))");
  EXPECT_EQ(shape("1 + (if a then 1 else 2)*3"), "(+ 1 (* (if a 1 2) 3))");
  EXPECT_EQ(shape("{if a then 1:2 else 3, 4}"), "(array (if a (: 1 2) 3) 4)");
}

TEST(Expression, references_have_parts_subscripts_and_a_leading_dot) {
  const Read read(".A.b[i, :].c[end]");
  const auto& reference = as<ReferenceExpr>(*read.expr);
  EXPECT_TRUE(reference.is_global);
  ASSERT_EQ(reference.parts.size(), 3u);
  EXPECT_EQ(read.parsed.text(reference.parts[1].name), "b");
  EXPECT_EQ(read.parsed.text(reference.parts[1].name.range), "b");
  ASSERT_EQ(reference.parts[1].subscripts.size(), 2u);
  EXPECT_EQ(reference.parts[1].subscripts[1]->kind, ExprKind::kColon);
  EXPECT_EQ(reference.parts[2].subscripts[0]->kind, ExprKind::kEnd);
}

TEST(Expression, calls_have_positional_and_named_arguments) {
  EXPECT_EQ(shape("f(x, g(), y = 2, z = h(1))"), "(f x (g) 2 (h 1))");
  const Read read("A.f(x, y = 2)");
  const auto& call = as<CallExpr>(*read.expr);
  EXPECT_EQ(call.arguments.size(), 1u);
  ASSERT_EQ(call.named.size(), 1u);
  EXPECT_EQ(read.parsed.text(call.named[0].name), "y");
  EXPECT_EQ(shape("der(x) + pure(f(x))"), "(+ (der x) (pure (f x)))");
  EXPECT_EQ(shape("initial() and a[f(end)].g(2)"), "(and (initial) (a[f(end)].g (f end) 2))");
}

TEST(Expression, functions_can_be_arguments) {
  EXPECT_EQ(shape("quad(function f(a = 1, b = 2), 0, g = function .P.h())"),
            "(quad (function 1 2) 0 (function))");
}

TEST(Expression, reductions_and_array_constructors_iterate) {
  EXPECT_EQ(shape("sum(x[i] for i in 1:n)"), "(sum (for (: 1 n) x[i]))");
  EXPECT_EQ(shape("{{i*j for i in 1:2} for j}"), "(array (for (array (for (: 1 2) (* i j)))))");
  EXPECT_EQ(shape("max(a for i in 1:2, j in f(x for k in 3:4), l)"),
            "(max (for (: 1 2) (f (for (: 3 4) x)) a))");
}

TEST(Expression, matrices_have_rows) {
  const Read read("[a, b; c, [d; e]]");
  const auto& matrix = as<MatrixExpr>(*read.expr);
  ASSERT_EQ(matrix.rows.size(), 2u);
  EXPECT_EQ(matrix.rows[0].size(), 2u);
  EXPECT_EQ(as<MatrixExpr>(*matrix.rows[1][1]).rows.size(), 2u);
  EXPECT_EQ(read.shape(), "(matrix a b c (matrix d e))");
}

TEST(Expression, tuples_may_have_gaps) {
  const Read read("(a, , c, )");
  const auto& elements = as<TupleExpr>(*read.expr).elements;
  ASSERT_EQ(elements.size(), 4u);
  EXPECT_NE(elements[0], nullptr);
  EXPECT_EQ(elements[1], nullptr);
  EXPECT_EQ(elements[3], nullptr);
  EXPECT_EQ(as<TupleExpr>(*Read("()").expr).elements.size(), 0u);
}

TEST(Expression, literals_have_values) {
  EXPECT_EQ(as<IntegerExpr>(*Read("42").expr).value, 42);
  EXPECT_EQ(as<RealExpr>(*Read("2.5e-1").expr).value, 0.25);
  EXPECT_TRUE(as<BooleanExpr>(*Read("true").expr).value);
  EXPECT_EQ(string_value(as<StringExpr>(*Read(R"("a\tb\"\\\?\n")").expr)), "a\tb\"\\?\n");
}

TEST(Expression, walk_enters_before_and_leaves_after_the_children_in_source_order) {
  const Read read("a[i] + f(b, c = {d for k in e})");
  std::vector<std::string> entered;
  std::string nesting;
  walk(
      *read.expr,
      [&](const Expr& e) {
        nesting += '(';
        if (e.kind == ExprKind::kReference) entered.emplace_back(read.parsed.text(e.range));
      },
      [&](const Expr&) { nesting += ')'; });
  EXPECT_THAT(entered, ElementsAre("a[i]", "i", "b", "e", "d"));
  // + ( a ( i ) call ( b array ( for ( e d ) ) ) )
  EXPECT_EQ(nesting, "((())(()((()()))))");
}

}  // namespace
}  // namespace hydae::syntax

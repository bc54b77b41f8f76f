#include "expr/derivative.h"

#include <complex>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <hydae/error.h>

#include "expr/random_expression_testing.h"
#include "ops/operation.h"

namespace hydae {
namespace {

using Complex = std::complex<long double>;
using random_expression::compute;
using random_expression::Generator;
using random_expression::Recipe;

constexpr long double kStep = 1e-1000L;  // its square vanishes

class Derivative : public testing::Test {
 protected:
  Expr variable(std::size_t i) { return {graph, graph.variable(VarId(i))}; }
  std::string text(NodeId id) const { return to_string(graph, id, names); }
  std::string text(const Expr& expr) const { return text(expr.id()); }
  std::string partial_text(const Expr& expr, const Expr& by) {
    return text(partial(graph, expr.id(), graph.leaf_of(by.id())));
  }
  std::string message(const std::function<void()>& action) {
    try {
      action();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  }

  Graph graph;
  Names names{[](VarId id) { return std::string(1, "xyzuvw"[id.index()]); },
              [](ParamId) { return std::string("p"); },
              [](FunctionId) { return std::string("f"); }};
  Expr x = variable(0), y = variable(1), z = variable(2);
  Expr p{graph, graph.parameter(ParamId(0))};
  Expr t{graph, graph.time()};
};

// --- the table of functions
// -----------------------------------------------------------------------

TEST_F(Derivative, every_elementary_function_agrees_with_a_complex_step) {
  const struct {
    Expr value;
    std::vector<long double> points;
  } cases[] = {
      {-x, {-2, 0, 3}},
      {x + 2, {-1, 4}},
      {3 - x, {-1, 4}},
      {5 * x, {2}},
      {x / 7, {2}},
      {7 / x, {-3, 0.1L, 2}},
      {pow(x, 2), {-3, 0.1L, 2}},
      {pow(x, 3), {-3, 0.1L, 2}},
      {pow(x, 2.5), {0.1L, 2}},
      {pow(x, -1), {-4, 0.1L, 2}},
      {pow(Expr(2), x), {-4, 0, 2}},
      {pow(x, x), {0.1L, 1, 2.5L}},
      {sqrt(x), {1e-6L, 1, 50}},
      {exp(x), {-5, 0, 3}},
      {log(x), {1e-3L, 1, 50}},
      {log10(x), {1e-3L, 1, 50}},
      {sin(x), {-7, 0, 1, 3}},
      {cos(x), {-7, 0.2L, 1, 3}},
      {tan(x), {-1.2L, 0, 1, 3}},
      {asin(x), {-0.9L, 0, 0.5L}},
      {acos(x), {-0.9L, 0, 0.5L}},
      {atan(x), {-20, 0, 0.5L}},
      {atan2(x, Expr(graph, graph.constant(2))), {-3, 0, 1}},
      {atan2(Expr(graph, graph.constant(2)), x), {-3, 0.1L, 1}},
      {atan2(x, 3 * x - 1), {-2, 0.2L, 1}},
      {sinh(x), {-2, 0, 1}},
      {cosh(x), {-2, 0.3L, 1}},
      {tanh(x), {-2, 0, 1}},
      {abs(x), {-2, 3}},
      {min(x, 2 * x - 1), {-2, 3}},
      {max(x, 2 * x - 1), {-2, 3}},
      {x * sign(x), {-2, 3}},
      {x * floor(x) + x * ceil(x) + x * trunc(x), {-2.5L, 3.5L}},
      {select(x < 1, x * x, sin(x)), {-2, 3}},
  };
  for (const auto& [value, points] : cases) {
    const NodeId derivative = partial(graph, value.id(), VarId(0), 0);
    const auto reverse = gradient(graph, value.id());
    ASSERT_EQ(reverse.size(), 1u) << text(value);
    for (long double point : points) {
      const std::function<Complex(Leaf)> shifted = [&](Leaf) { return Complex(point, kStep); };
      const std::function<long double(Leaf)> at = [&](Leaf) { return point; };
      const long double expected = compute(graph, value.id(), shifted).imag() / kStep;
      // The table's constants are doubles; a few operations lose a few digits of the rest.
      const long double tolerance = 1e-15L * (1 + std::abs(expected));
      EXPECT_NEAR(compute(graph, derivative, at), expected, tolerance) << text(value);
      EXPECT_NEAR(compute(graph, reverse[0].derivative, at), expected, tolerance) << text(value);
    }
  }
}

// Whatever the table of operations has: the symbolic derivative has the value of the slope in
// numbers, and a function is written with its name. One operation more is tested without a line
// more.
TEST_F(Derivative, of_every_operation_is_its_slope) {
  for (const ops::Entry& entry : ops::entries()) {
    const bool is_analytic =
        entry.kind == ops::Kind::kFunction || entry.kind == ops::Kind::kArithmetic;
    if (!is_analytic && entry.kind != ops::Kind::kSwitching) continue;
    const bool is_unary = entry.num_operands == 1;
    const NodeId value =
        is_unary ? graph.unary(entry.op, x.id()) : graph.binary(entry.op, x.id(), y.id());
    if (entry.kind == ops::Kind::kFunction) {
      EXPECT_EQ(text(value), std::string(entry.name) + (is_unary ? "(x)" : "(x, y)"));
    }
    for (const auto& [a, b] : {std::pair(0.3, 0.7), std::pair(0.9, 0.25)}) {
      const double point[] = {a, b};
      const std::function<double(Leaf)> at = [&](Leaf leaf) {
        return point[leaf.variable.index()];
      };
      const auto slopes = ops::slopes(entry.op, ops::apply(entry.op, a, b), a, b);
      const double by_x = compute(graph, partial(graph, value, {VarId(0), 0}), at);
      const double by_y = compute(graph, partial(graph, value, {VarId(1), 0}), at);
      EXPECT_NEAR(by_x, slopes.by_a, 1e-14 * (1 + std::abs(by_x))) << entry.name;
      EXPECT_NEAR(by_y, is_unary ? 0 : slopes.by_b, 1e-14 * (1 + std::abs(by_y))) << entry.name;
    }
  }
}

TEST_F(Derivative, reads_like_the_textbook) {
  EXPECT_EQ(partial_text(x * y + z, x), "y");
  EXPECT_EQ(partial_text(pow(x, 3), x), "3*x^2");
  EXPECT_EQ(partial_text(sin(2 * x), x), "2*cos(2*x)");
  EXPECT_EQ(partial_text(exp(-x), x), "-exp(-x)");
  EXPECT_EQ(partial_text(x / y, y), "-x/y/y");
  EXPECT_EQ(partial_text(x / y, x), "1/y");
  EXPECT_EQ(partial_text(sqrt(x), x), "0.5/sqrt(x)");
  EXPECT_EQ(partial_text(tan(x), x), "tan(x)^2 + 1");
  EXPECT_EQ(partial_text(x * y, z), "0");
  EXPECT_EQ(partial_text(der(x) * x, x), "der(x)");
  EXPECT_EQ(partial_text(der(x) * x, der(x)), "x");
  EXPECT_EQ(partial_text(pre(x) * x + p * t, x), "pre(x)");
  EXPECT_EQ(text(der(x * y)), "y*der(x) + x*der(y)");
  EXPECT_EQ(text(der(x * x)), "2*x*der(x)");
  EXPECT_EQ(text(der(p * t * x)), "x*p + p*time*der(x)");
  EXPECT_EQ(text(der(x, 3)), "der(x, 3)");
}

// --- switching
// ------------------------------------------------------------------------------------

TEST_F(Derivative, switching_functions_differentiate_branch_by_branch) {
  EXPECT_EQ(partial_text(select(x < y, x * x, y), x), "if x < y then 2*x else 0");
  EXPECT_EQ(partial_text(abs(x * y), x), "if noEvent(x*y >= 0) then y else -y");
  EXPECT_EQ(partial_text(min(x * x, y), x), "if noEvent(x^2 <= y) then 2*x else 0");
  EXPECT_EQ(partial_text(max(x * x, y), x), "if noEvent(x^2 >= y) then 2*x else 0");
  EXPECT_EQ(partial_text(sign(x) + floor(x), x), "0");
  EXPECT_EQ(text(der(select(x < y, x * x, y))), "if x < y then 2*x*der(x) else der(y)");
  // The two branches meet again in x.
  const auto both = gradient(graph, select(y < 1, 2 * x, x * x).id());
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(text(both[0].derivative), "if y < 1 then 2 else 2*x");
}

TEST_F(Derivative, an_inactive_branch_never_spoils_the_gradient) {
  // At x = 0 the branch with sqrt(x) is not taken; its derivative is infinite there.
  const Expr root = sqrt(x);
  for (const Expr& e :
       {select(x > 0, root, y), select(x > 0, root * y, 0) + y,
        select(x > 0, root, select(y > 5, 3 * root, y)),
        select(x > 0, sin(root), 0) + select(x > 1, root, 0), max(y, select(x > 0, root, 0))}) {
    for (const Partial& entry : gradient(graph, e.id())) {
      const std::function<long double(Leaf)> at = [](Leaf leaf) {
        return leaf.variable == VarId(0) ? 0.0L : 2.0L;
      };
      const long double value = compute(graph, entry.derivative, at);
      EXPECT_TRUE(std::isfinite(value)) << text(e) << ": " << text(entry.derivative);
      EXPECT_EQ(value, compute(graph, partial(graph, e.id(), entry.leaf), at)) << text(e);
    }
  }
}

// --- operators of the simulation
// ------------------------------------------------------------------

TEST_F(Derivative, delayed_values_are_known_and_move_with_the_delay) {
  const Expr d = p * z;
  const Expr delayed(graph, graph.ternary(Op::kDelay, sin(x).id(), d.id(), p.id()));
  EXPECT_EQ(partial_text(delayed, x), "0");
  EXPECT_EQ(partial_text(delayed, z), "-delay(cos(x)*der(x), p*z, p)*p");
  EXPECT_EQ(text(gradient(graph, delayed.id()).at(0).derivative),
            "-delay(cos(x)*der(x), p*z, p)*p");
  EXPECT_EQ(text(der(delayed)), "delay(cos(x)*der(x), p*z, p)*(1 - p*der(z))");
  const Expr fixed(graph, graph.ternary(Op::kDelay, x.id(), p.id(), p.id()));
  EXPECT_EQ(text(der(fixed)), "delay(der(x), p, p)");
  EXPECT_TRUE(gradient(graph, fixed.id()).empty());
}

TEST_F(Derivative, homotopy_is_linear_and_smooth_is_transparent) {
  const Expr h(graph, graph.binary(Op::kHomotopy, (x * x).id(), (3 * x).id()));
  EXPECT_EQ(partial_text(h, x), "homotopy(2*x, 3)");
  EXPECT_EQ(text(der(h)), "homotopy(2*x*der(x), 3*der(x))");
  const Expr s(graph, graph.binary(Op::kSmooth, graph.constant(1), (x * x).id()));
  EXPECT_EQ(partial_text(s, x), "2*x");
}

TEST_F(Derivative, constants_of_a_phase_have_no_time_derivative) {
  graph.hold_between_events(VarId(3));
  const Expr n = variable(3);
  EXPECT_EQ(text(der(n * x + pre(x) + p)), "u*der(x)");
  EXPECT_EQ(text(der(n)), "0");
  EXPECT_EQ(partial_text(n * x, n), "x");
}

TEST_F(Derivative, external_functions_differentiate_twice) {
  const NodeId arguments[] = {x.id(), (x * y).id()};
  const Expr f(graph, graph.call(FunctionId(0), 0, arguments));
  EXPECT_EQ(text(der(f)), "f[1, 1](x, x*y)*der(x) + f[1, 2](x, x*y)*(y*der(x) + x*der(y))");
  EXPECT_EQ(partial_text(f, y), "f[1, 2](x, x*y)*x");
  const NodeId second = partial(graph, partial(graph, f.id(), VarId(1), 0), VarId(1), 0);
  EXPECT_EQ(text(second), "x*(f[1, 2, 2](x, x*y)*x)");
  EXPECT_EQ(message([&] { partial(graph, second, VarId(1), 0); }),
            "an external function can be differentiated twice, not three times");
}

TEST_F(Derivative, negative_orders_are_misuse) {
  EXPECT_EQ(message([&] { total_derivative(graph, x.id(), -1); }),
            "a derivative must have an order of 0 or more");
}

// --- random expressions
// ---------------------------------------------------------------------------

// Relative to the terms that a derivative adds up, of which some may cancel.
constexpr double kRandomTolerance = 1e-9;

TEST(DerivativeRandom, gradient_and_partial_agree_with_complex_steps) {
  for (bool has_switches : {false, true}) {
    Generator generator(has_switches ? random_expression::switching_ingredients(3)
                                     : random_expression::smooth_ingredients(3),
                        7);
    int num_checked = 0;
    for (int round = 0; round < 6000; ++round) {
      const Recipe recipe = generator.next(9);
      double values[3];
      for (double& value : values) value = generator.uniform(0.1, 2);
      const std::function<double(Leaf)> at = [&](Leaf leaf) {
        return values[leaf.variable.index()];
      };
      if (std::isnan(random_expression::well_conditioned_value(recipe, at))) continue;
      Graph graph;
      const NodeId root = random_expression::build(graph, recipe);
      const auto reverse = gradient(graph, root);
      for (std::size_t i = 0; i < 3; ++i) {
        const std::function<Complex(Leaf)> shifted = [&](Leaf leaf) {
          return Complex(values[leaf.variable.index()], leaf.variable.index() == i ? kStep : 0);
        };
        const double expected = static_cast<double>(compute(graph, root, shifted).imag() / kStep);
        if (!std::isfinite(expected) || std::abs(expected) > 1e4) continue;
        ++num_checked;
        const NodeId forward = partial(graph, root, VarId(i), 0);
        const double tolerance = kRandomTolerance * (1 + std::abs(expected));
        ASSERT_NEAR(compute(graph, forward, at), expected, tolerance) << to_string(graph, root, {});
        double by_gradient = 0;
        for (const Partial& entry : reverse)
          if (entry.leaf == Leaf{VarId(i), 0}) by_gradient = compute(graph, entry.derivative, at);
        ASSERT_NEAR(by_gradient, expected, tolerance) << to_string(graph, root, {});
      }
    }
    EXPECT_GT(num_checked, 4000);
  }
}

TEST(DerivativeRandom, total_derivatives_agree_with_complex_steps_in_time) {
  // x_i(t) = sin(a_i t + b_i) + 1.5: order k of the leaf is a^k sin(a t + b + k pi/2).
  Generator generator(random_expression::smooth_ingredients(3), 11);
  int num_checked = 0;
  for (int round = 0; round < 3000; ++round) {
    const Recipe recipe = generator.next(7);
    double a[3], b[3];
    for (int i = 0; i < 3; ++i) {
      a[i] = generator.uniform(0.5, 1.5);
      b[i] = generator.uniform(0, 6);
    }
    const auto leaf_at = [&](Leaf leaf, Complex time) {
      const std::size_t i = leaf.variable.index();
      const Complex angle =
          Complex(a[i]) * time + Complex(b[i] + leaf.order * std::acos(-1.0L) / 2);
      return std::pow(static_cast<long double>(a[i]), leaf.order) * std::sin(angle) +
             Complex(leaf.order == 0 ? 1.5L : 0);
    };
    const std::function<Complex(Leaf)> now = [&](Leaf leaf) { return leaf_at(leaf, 0.3L); };
    const std::function<Complex(Leaf)> later = [&](Leaf leaf) {
      return leaf_at(leaf, Complex(0.3L, kStep));
    };
    const std::function<double(Leaf)> at = [&](Leaf leaf) {
      return static_cast<double>(now(leaf).real());
    };
    if (std::isnan(random_expression::well_conditioned_value(recipe, at))) continue;
    Graph graph;
    const NodeId root = random_expression::build(graph, recipe);
    for (int order = 1; order <= 3; ++order) {
      const NodeId below = total_derivative(graph, root, order - 1);
      const NodeId derivative = total_derivative(graph, root, order);
      const long double expected = compute(graph, below, later).imag() / kStep;
      if (!std::isfinite(expected) || std::abs(expected) > 1e4L) break;
      ++num_checked;
      ASSERT_NEAR(static_cast<double>(compute(graph, derivative, now).real()),
                  static_cast<double>(expected),
                  kRandomTolerance * (1 + std::abs(static_cast<double>(expected))))
          << to_string(graph, root, {}) << " order " << order;
    }
  }
  EXPECT_GT(num_checked, 3000);
}

// --- size
// -----------------------------------------------------------------------------------------

// Leibniz's rule: order m of a product has m + 1 terms of at most five nodes (the product, its
// sign, the binomial, the multiple, the sum), so that k orders have 2.5 k^2. A quotient has one
// such sum, and sine and cosine one each; the square root needs the quotient 0.5/sqrt(x) and its
// product with x'. A square has half the terms.
TEST(DerivativeSize, derivatives_of_all_orders_grow_with_the_square_of_the_order) {
  const auto size_of = [](auto&& make, int k) {
    Graph graph;
    const Expr x(graph, graph.variable(VarId(0))), y(graph, graph.variable(VarId(1)));
    der(make(x, y), k);
    return graph.size();
  };
  const std::size_t k = 200, sums = 5 * k * k / 2;
  const int order = static_cast<int>(k);
  EXPECT_LT(size_of([](Expr x, Expr y) { return x * y; }, order), sums + 10 * k);
  EXPECT_LT(size_of([](Expr x, Expr) { return x * x; }, order), sums / 2 + 10 * k);
  EXPECT_LT(size_of([](Expr x, Expr y) { return x / y; }, order), sums + 10 * k);
  EXPECT_LT(size_of([](Expr x, Expr) { return sin(x); }, order), 2 * sums + 10 * k);
  EXPECT_LT(size_of([](Expr x, Expr) { return exp(x); }, order), sums + 10 * k);
  EXPECT_LT(size_of([](Expr x, Expr) { return sqrt(x); }, order), 2 * sums + 10 * k);
}

TEST_F(Derivative, second_derivatives_have_binomials) {
  EXPECT_EQ(text(der(x * y, 2)), "x*der(y, 2) + 2*(der(x)*der(y)) + der(x, 2)*y");
  EXPECT_EQ(text(der(x * x, 3)), "2*(x*der(x, 3)) + 6*(der(x)*der(x, 2))");
}

// (t^4)^(3) = 24 t; sin, exp, 1/x and sqrt of t have known derivatives of every order: at t = 2,
// (1/t)^(k) = (-1)^k k! / 2^(k+1) and sqrt(t)^(k) = sqrt(2) prod_{i<k} (1/2 - i) / 2^k. Each term
// is rounded, and at order k the terms sum up to less than 2^k times the largest of them.
TEST_F(Derivative, high_orders_agree_with_closed_forms) {
  const auto at_two = [&](const Expr& e, int k) {
    const std::function<long double(Leaf)> leaf = [](Leaf l) {
      return l.order == 0 ? 2.0L : l.order == 1 ? 1.0L : 0.0L;
    };
    return compute(graph, der(e, k).id(), leaf);
  };
  long double reciprocal = 0.5L, root = std::sqrt(2.0L);
  for (int k = 1; k <= 20; ++k) {
    reciprocal *= -static_cast<long double>(k) / 2;
    root *= (1.5L - static_cast<long double>(k)) / 2;
    const std::vector<long double> sines = {std::sin(2.0L), std::cos(2.0L), -std::sin(2.0L),
                                            -std::cos(2.0L)};
    EXPECT_NEAR(at_two(1 / x, k) / reciprocal, 1, 1e-12) << k;
    EXPECT_NEAR(at_two(sqrt(x), k) / root, 1, 1e-12) << k;
    EXPECT_NEAR(at_two(exp(x), k) / std::exp(2.0L), 1, 1e-12) << k;
    EXPECT_NEAR(at_two(sin(x), k) / sines[static_cast<std::size_t>(k % 4)], 1, 1e-12) << k;
  }
  EXPECT_EQ(at_two(pow(x, 4), 3), 48);
}

TEST(DerivativeSize, asking_again_makes_no_new_nodes) {
  Graph graph;
  const Expr x(graph, graph.variable(VarId(0)));
  const NodeId first = der(sin(x) * exp(x), 4).id();
  const std::size_t size = graph.size();
  EXPECT_EQ(der(sin(x) * exp(x), 4).id(), first);
  EXPECT_EQ(graph.size(), size);
}

TEST(DerivativeSize, the_gradient_of_a_product_of_many_costs_a_few_nodes_per_factor) {
  Graph graph;
  Expr product(graph, graph.variable(VarId(0)));
  const std::size_t n = 5000;
  for (std::size_t i = 1; i < n; ++i) product *= Expr(graph, graph.variable(VarId(i)));
  const std::size_t before = graph.size();
  EXPECT_EQ(gradient(graph, product.id()).size(), n);
  EXPECT_LT(graph.size() - before, 3 * n);
}

}  // namespace
}  // namespace hydae

#include <gtest/gtest.h>

#include <hydae/error.h>
#include <hydae/expr.h>

#include "expr/silent_rounding.h"

namespace hydae {
namespace {

class Print : public testing::Test {
 protected:
  std::string text(const Expr& expr) const { return to_string(*expr.graph(), expr.id(), names); }
  Expr variable(std::size_t i) { return {graph, graph.variable(VarId(i))}; }

  Graph graph;
  Names names{[](VarId id) { return std::string(1, "xyzuvw"[id.index()]); },
              [](ParamId id) { return std::string(1, "pqr"[id.index()]); },
              [](FunctionId) { return std::string("Lib.f"); }};
  Expr x = variable(0), y = variable(1), z = variable(2);
  Expr p{graph, graph.parameter(ParamId(0))};
  Expr t{graph, graph.time()};
};

TEST_F(Print, writes_parentheses_only_where_grouping_needs_them) {
  EXPECT_EQ(text(x + y + z), "x + y + z");
  EXPECT_EQ(text(x + (y + z)), "x + (y + z)");
  EXPECT_EQ(text(x - (y - z)), "x - (y - z)");
  EXPECT_EQ(text(x - (y + z)), "x - (y + z)");
  EXPECT_EQ(text((x + y) * z), "(x + y)*z");
  EXPECT_EQ(text(x + y * z), "x + y*z");
  EXPECT_EQ(text(x * y * z), "x*y*z");
  EXPECT_EQ(text(x * (y * z)), "x*(y*z)");
  EXPECT_EQ(text(x / (y * z)), "x/(y*z)");
  EXPECT_EQ(text(x / y / z), "x/y/z");
  EXPECT_EQ(text(x * (y / z)), "x*(y/z)");
  EXPECT_EQ(text(pow(x, y) * z), "x^y*z");
  EXPECT_EQ(text(pow(x + y, 2)), "(x + y)^2");
  EXPECT_EQ(text(pow(pow(x, y), z)), "(x^y)^z");
  EXPECT_EQ(text(pow(x, pow(y, z))), "x^(y^z)");
  EXPECT_EQ(text(sin(x + y)), "sin(x + y)");
}

TEST_F(Print, writes_a_minus_where_modelica_can_read_it) {
  EXPECT_EQ(text(-x), "-x");
  EXPECT_EQ(text(-x - y), "-x - y");
  EXPECT_EQ(text(-(x + y)), "-(x + y)");
  EXPECT_EQ(text(-x * y), "-x*y");
  EXPECT_EQ(text(x * -y), "-x*y");
  EXPECT_EQ(text(z + x * -y), "z - x*y");
  EXPECT_EQ(text(-2 * x), "-2*x");
  EXPECT_EQ(text(y + -2 * x), "y - 2*x");
  EXPECT_EQ(text(pow(-x, 2)), "(-x)^2");
  EXPECT_EQ(text(-pow(x, 2)), "-x^2");
  EXPECT_EQ(text(pow(x, -2)), "x^(-2)");
  EXPECT_EQ(text(pow(Expr(-2), x)), "(-2)^x");
  EXPECT_EQ(text(x - 3), "x - 3");
  EXPECT_EQ(text(-3 - x), "-3 - x");
  EXPECT_EQ(text(x / -3), "x/(-3)");
  EXPECT_EQ(text(-3 / x), "-3/x");
  EXPECT_EQ(text(max(x, -3)), "max(x, -3)");
  EXPECT_EQ(text(x < -y), "x < -y");
}

TEST_F(Print, writes_derivatives_and_leaves) {
  EXPECT_EQ(text(der(x)), "der(x)");
  EXPECT_EQ(text(der(x, 2) + x * y), "der(x, 2) + x*y");
  EXPECT_EQ(text(pre(x) + pre(der(x))), "pre(x) + pre(der(x))");
  EXPECT_EQ(text(p * t), "p*time");
  EXPECT_EQ(text({graph, graph.leaf(Op::kInitial)}), "initial()");
  EXPECT_EQ(text({graph, graph.leaf(Op::kTerminal)}), "terminal()");
}

TEST_F(Print, writes_conditions) {
  EXPECT_EQ(text(select(x < y, x, y)), "if x < y then x else y");
  EXPECT_EQ(text(1 + select(x < y, x, y)), "(if x < y then x else y) + 1");
  EXPECT_EQ(text(select(x < 0, 1, select(x > 1, 2, 3))),
            "if x < 0 then 1 else if x > 1 then 2 else 3");
  EXPECT_EQ(text(sin(select(x < y, x, y))), "sin(if x < y then x else y)");
  EXPECT_EQ(text(select((x < y && y < z) || !(x >= z), x, 0)),
            "if x < y and y < z or not x >= z then x else 0");
  EXPECT_EQ(text(select(x < y && (y < z || x > z), x, 0)),
            "if x < y and (y < z or x > z) then x else 0");
  EXPECT_EQ(text(!(x < y && y < z)), "not (x < y and y < z)");
  EXPECT_EQ(text(not_equal(x, y)), "x <> y");
  EXPECT_EQ(text(equal(x + 1, y)), "x + 1 == y");
  EXPECT_EQ(text(no_event(select(x < y, x, y))), "if noEvent(x < y) then x else y");
  EXPECT_EQ(text(select(x<y, x> 1, true)), "if x < y then x > 1 else true");
}

// noEvent() would silence the rounding, too, when it is read again.
TEST_F(Print, a_rounding_that_makes_events_is_not_put_under_no_event) {
  const NodeId loud = graph.unary(Op::kFloor, x.id());
  const auto less_than_y = [&](NodeId a) {
    return text(Expr(graph, graph.relation(Op::kLess, a, y.id(), /*silent=*/true)));
  };
  EXPECT_EQ(less_than_y(loud), "floor(x) < y");
  EXPECT_EQ(less_than_y(silent_rounding(graph, loud)), "noEvent(noEvent(floor(x)) < y)");
}

TEST_F(Print, writes_functions_and_operators) {
  EXPECT_EQ(text(atan2(x, y)), "atan2(x, y)");
  EXPECT_EQ(text(min(x, y)), "min(x, y)");
  EXPECT_EQ(text(trunc(x)), "div(x, 1)");
  EXPECT_EQ(text(ceil(x) + floor(y)), "ceil(x) + floor(y)");
  const NodeId arguments[] = {x.id(), (y + 1).id()};
  EXPECT_EQ(text({graph, graph.call(FunctionId(0), 0, arguments)}), "Lib.f(x, y + 1)");
  EXPECT_EQ(text({graph, graph.call(FunctionId(0), 1, arguments)}), "Lib.f[2](x, y + 1)");
  EXPECT_EQ(text({graph, graph.call_derivative(FunctionId(0), 0, 1, -1, arguments)}),
            "Lib.f[1, 2](x, y + 1)");
  EXPECT_EQ(text({graph, graph.call_derivative(FunctionId(0), 0, 1, 0, arguments)}),
            "Lib.f[1, 1, 2](x, y + 1)");
  EXPECT_EQ(text({graph, graph.ternary(Op::kDelay, x.id(), p.id(), p.id())}), "delay(x, p, p)");
  EXPECT_EQ(text({graph, graph.binary(Op::kHomotopy, x.id(), y.id())}), "homotopy(x, y)");
}

TEST_F(Print, numbers_are_as_short_as_they_read_back) {
  EXPECT_EQ(number_to_string(2), "2");
  EXPECT_EQ(number_to_string(0.1), "0.1");
  EXPECT_EQ(number_to_string(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(number_to_string(1e-300), "1e-300");
  EXPECT_EQ(number_to_string(1e22), "1e+22");
  EXPECT_EQ(number_to_string(2147483647), "2147483647");
  EXPECT_EQ(number_to_string(2147483648), "2147483648.0");  // no Integer literal of 32 bits
  EXPECT_EQ(number_to_string(-1e15), "-1000000000000000.0");
}

TEST_F(Print, text_is_cut_where_asked_and_never_endless) {
  Expr e = x;
  for (int i = 0; i < 80; ++i) e = sin(e) * cos(e);  // a text of 2^80 terms
  EXPECT_EQ(to_string(graph, e.id(), names, 12), "sin(sin(s...");
  EXPECT_THROW(text(e), UsageError);
}

}  // namespace
}  // namespace hydae

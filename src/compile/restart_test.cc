#include "compile/restart.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace hydae {
namespace {

// Restart of a model from left limits given by name of the leaf; all others are zero.
struct Case {
  const Model& model;
  std::map<std::pair<std::string, int>, double> left;
  double time = 0;
  std::vector<std::pair<EqId, double>> sources{};
  std::vector<Expr> guards{};
  std::vector<std::pair<Leaf, double>> resets{};

  RestartResult solve() const {
    const AnalyzedSystem prepared = analyze_system(model, std::vector<bool>{});
    std::vector<NodeId> roots;
    for (const Expr& guard : guards) roots.push_back(guard.id());
    Restart restart(prepared, roots);
    RestartInput input;
    input.time = time;
    input.sources = sources;
    input.resets = resets;
    input.parameters = model.parameter_values();
    input.left = [&](Leaf leaf) {
      const auto at = left.find({model.all_variables()[leaf.variable].name, leaf.order});
      return at == left.end() ? 0.0 : at->second;
    };
    input.held = [](Leaf) { return 0.0; };
    return restart.solve(input);
  }
};

double weight(const Model& model, const RestartResult& result, const std::string& name,
              int order = 0) {
  for (const ImpulseWeight& impulse : result.impulses)
    if (model.all_variables()[impulse.column].name == name && impulse.order == order)
      return impulse.weight;
  return 0;
}

TEST(Restart, charged_capacitors_share_their_charge) {
  // C1 v1' = -i, C2 v2' = i, v1 = v2 with C = (1, 2), v- = (3, 0): charge 3 is kept, v+ = 1, and
  // the current is 2 delta.
  Model m("capacitors");
  const Expr v1 = m.variable("v1"), v2 = m.variable("v2"), i = m.variable("i");
  m.equation(1 * der(v1) == -i);
  m.equation(2 * der(v2) == i);
  m.equation(v1 == v2);
  const RestartResult r = Case{m, {{{"v1", 0}, 3.0}}}.solve();
  ASSERT_TRUE(r.succeeded()) << r.message;
  EXPECT_NEAR(r.right[0][0], 1, 1e-14);
  EXPECT_NEAR(r.right[1][0], 1, 1e-14);
  EXPECT_NEAR(weight(m, r, "i"), 2, 1e-14);
}

TEST(Restart, imposed_value_of_a_chain_of_derivatives_makes_higher_impulses) {
  // x1 = x2', x2 = x3', x3 = 0 imposed with x3- = 7: x3 jumps by -7, so x2 = -7 delta, x1 = -7
  // delta'.
  Model m("chain");
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2"), x3 = m.variable("x3");
  m.equation(x1 == der(x2));
  m.equation(x2 == der(x3));
  m.equation(x3 == 0);
  const RestartResult r = Case{m, {{{"x3", 0}, 7.0}}}.solve();
  ASSERT_TRUE(r.succeeded()) << r.message;
  EXPECT_NEAR(weight(m, r, "x2", 0), -7, 1e-13);
  EXPECT_NEAR(weight(m, r, "x1", 1), -7, 1e-13);
  EXPECT_NEAR(weight(m, r, "x1", 0), 0, 1e-13);
}

TEST(Restart, ideal_clutch_conserves_momentum_through_the_electrical_path) {
  // H06: the capacitor adds C k^2 = 0.125 to J1, so w+ = 0.4*10 / (0.1 + 0.125 + 0.4) = 6.4.
  Model m("clutch_motor");
  const Expr w1 = m.variable("w1"), w2 = m.variable("w2"), tau = m.variable("tau"),
             ie = m.variable("ie"), ic = m.variable("ic"), vc = m.variable("vc"),
             ir = m.variable("ir");
  m.equation(0.1 * der(w1) == 0.25 * ie - tau);
  m.equation(0.4 * der(w2) == tau);
  m.equation(vc == 0.25 * w1);
  m.equation(ic == 2 * der(vc));
  m.equation(10 * ir == 10 - vc);
  m.equation(ie == ir - ic);
  m.equation(w1 == w2);
  const RestartResult r = Case{m, {{{"w2", 0}, 10.0}}}.solve();
  ASSERT_TRUE(r.succeeded()) << r.message;
  EXPECT_NEAR(r.right[0][0], 6.4, 1e-13);
  EXPECT_NEAR(r.right[1][0], 6.4, 1e-13);
  EXPECT_NEAR(weight(m, r, "tau"), -1.44, 1e-13);
  EXPECT_NEAR(weight(m, r, "ic"), 3.2, 1e-13);
  EXPECT_NEAR(weight(m, r, "ie"), -3.2, 1e-13);
}

TEST(Restart, average_along_the_jump_integrates_an_exact_differential) {
  // y = 3 x^2 x' with x jumping from 1 to 3: the impulse of y is the jump of x^3, 26.
  Model m("differential");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(y == 3 * x * x * der(x));
  m.equation(x == 3);
  const RestartResult r = Case{m, {{{"x", 0}, 1.0}}}.solve();
  ASSERT_TRUE(r.succeeded()) << r.message;
  EXPECT_NEAR(weight(m, r, "y"), 26, 1e-12);
}

TEST(Restart, without_a_violated_constraint_nothing_moves) {
  Model m("pendulum");
  const Expr x = m.variable("x"), y = m.variable("y"), l = m.variable("l");
  m.equation(der(x, 2) + x * l == 0);
  m.equation(der(y, 2) + y * l == 9.8);
  m.equation(x * x + y * y == 1);
  const RestartResult r =
      Case{m, {{{"x", 0}, 0.6}, {{"y", 0}, 0.8}, {{"x", 1}, 0.8}, {{"y", 1}, -0.6}}}.solve();
  ASSERT_TRUE(r.succeeded()) << r.message;
  EXPECT_TRUE(r.impulses.empty());
  EXPECT_NEAR(r.right[0][0], 0.6, 1e-15);
  EXPECT_NEAR(r.right[1][1], -0.6, 1e-15);
}

TEST(Restart, a_rope_that_becomes_taut_takes_the_radial_velocity) {
  // x = (0, 1), v- = (3, 4): the constraint x x' + y y' = 0 leaves v+ = (3, 0); the impulse of the
  // multiplier l (force -l x per mass) is l^ = 4.
  Model m("rope");
  const Expr x = m.variable("x"), y = m.variable("y"), l = m.variable("l");
  m.equation(der(x, 2) + x * l == 0);
  m.equation(der(y, 2) + y * l == 9.8);
  m.equation(x * x + y * y == 1);
  const RestartResult r = Case{m, {{{"y", 0}, 1.0}, {{"x", 1}, 3.0}, {{"y", 1}, 4.0}}}.solve();
  ASSERT_TRUE(r.succeeded()) << r.message;
  EXPECT_NEAR(r.right[0][1], 3, 1e-14);
  EXPECT_NEAR(r.right[1][1], 0, 1e-14);
  EXPECT_NEAR(weight(m, r, "l"), 4, 1e-13);
}

TEST(Restart, a_coefficient_that_varies_in_time_spreads_a_derivative_of_delta) {
  // x2 = x3', x1 = x2', y = t x1 with x3 jumping from 7 to 0 at t = 2: x1 = -7 delta', and
  // (2 + s) delta'(s) = 2 delta' - delta. So y = -14 delta' + 7 delta.
  Model m("spread");
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2"), x3 = m.variable("x3"),
             y = m.variable("y");
  m.equation(x1 == der(x2));
  m.equation(x2 == der(x3));
  m.equation(x3 == 0);
  m.equation(y == m.time() * x1);
  const RestartResult r = Case{m, {{{"x3", 0}, 7.0}}, 2.0}.solve();
  ASSERT_TRUE(r.succeeded()) << r.message;
  EXPECT_NEAR(weight(m, r, "y", 1), -14, 1e-12);
  EXPECT_NEAR(weight(m, r, "y", 0), 7, 1e-12);
}

TEST(Restart, a_square_of_an_impulse_is_refused) {
  // y = x'^2 with x jumping: the square of a delta means nothing.
  Model m("square");
  const Expr x = m.variable("x"), y = m.variable("y"), v = m.variable("v");
  m.equation(v == der(x));
  m.equation(y == v * v);
  m.equation(x == 3);
  const RestartResult r = Case{m, {{{"x", 0}, 1.0}}}.solve();
  EXPECT_EQ(r.status, "superlinear-impulse");
  EXPECT_EQ(r.message, "equation `f2` contains an impulse more than linearly");
}

TEST(Restart, a_coefficient_that_jumps_with_an_impulse_is_told) {
  // y = 3 x^2 v with v = x' and x from 1 to 3: 26 on average along the jump, 3 or 27 at its ends.
  Model m("jumping");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(y == 3 * x * x * der(x));
  m.equation(x == 3);
  const RestartResult r = Case{m, {{{"x", 0}, 1.0}}}.solve();
  ASSERT_TRUE(r.succeeded()) << r.message;
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_EQ(r.warnings[0],
            "the coefficient of impulsive `x` in equation `f1` jumps: right -27, used -13, "
            "left -3");
}

TEST(Restart, a_singular_point_is_told_with_what_it_leaves_open) {
  // m1 x1'' + m2 x2'' = 0 and x1 x2 = 1 with equal masses: det J = x1 - x2 vanishes at x1 = x2 = 1.
  Model m("masses");
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2");
  m.equation(der(x1, 2) + der(x2, 2) == 0);
  m.equation(x1 * x2 == 1);
  const RestartResult r = Case{m, {{{"x1", 0}, 1.0}, {{"x2", 0}, 1.0}}}.solve();
  EXPECT_EQ(r.status, "under-specified-change");
  EXPECT_EQ(
      r.message.rfind(
          "the change of mode leaves one jump free: nothing determines `x1` and `x2`; add a law",
          0),
      0u)
      << r.message;
}

TEST(Restart, an_impulse_from_outside_moves_what_it_meets) {
  // m v' = F, F = 0 + 6 delta: v jumps by 6 / m.
  Model m("kick");
  const Expr x = m.variable("x"), v = m.variable("v"), F = m.variable("F");
  m.equation(der(x) == v);
  m.equation(2 * der(v) == F);
  m.equation(F == 0);
  Case kick{m, {{{"v", 0}, 1.0}}};
  kick.sources = {{EqId(2), -6.0}};
  const RestartResult r = kick.solve();
  ASSERT_TRUE(r.succeeded()) << r.message;
  EXPECT_NEAR(r.right[1][0], 4, 1e-14);
  EXPECT_NEAR(weight(m, r, "F"), 6, 1e-14);
}

TEST(Restart, impulses_of_a_guard_come_from_its_variables) {
  // A coil 2 H with 3 A is cut off: 2 (0 - 3) = u delta, so u = -6 delta; the guard 4 - 5 u has the
  // impulse 30, the guard i none.
  Model m("coil");
  const Expr i = m.variable("i"), u = m.variable("u");
  m.equation(2 * der(i) == u);
  m.equation(i == 0);
  const RestartResult r =
      Case{.model = m, .left = {{{"i", 0}, 3.0}}, .guards = {4 - 5 * u, i}}.solve();
  ASSERT_TRUE(r.succeeded()) << r.message;
  ASSERT_FALSE(r.guard_impulses[0].empty());
  EXPECT_NEAR(r.guard_impulses[0].back(), 30, 1e-12);
  EXPECT_TRUE(r.guard_impulses[1].empty());
}

TEST(Restart, an_impulse_that_errors_of_the_left_limits_explain_is_none) {
  // The same with a current below its error of 1e-10, and with one above it, however small.
  for (const double current : {3e-11, 3e-7}) {
    Model m("coil");
    const Expr i = m.variable("i"), u = m.variable("u");
    m.equation(2 * der(i) == u);
    m.equation(i == 0);
    const RestartResult r = Case{.model = m, .left = {{{"i", 0}, current}}, .guards = {u}}.solve();
    ASSERT_TRUE(r.succeeded()) << r.message;
    EXPECT_EQ(r.guard_impulses[0].empty(), current < 1e-10) << current;
    EXPECT_EQ(r.impulses.empty(), current < 1e-10) << current;
  }
}

TEST(Restart, a_value_that_must_hold_moves_what_is_bound_to_it) {
  // w1' = -T, w2' = 2 T, w1 = 2 w2, and w1 = 3 from outside where both had w = (1, 1/2): w2 = 3/2
  // takes an impulse T of 1/2.
  Model m("gear");
  const Expr w1 = m.variable("w1"), w2 = m.variable("w2"), T = m.variable("T");
  m.equation(der(w1) == -T);
  m.equation(der(w2) == 2 * T);
  m.equation(w1 == 2 * w2);
  const RestartResult r = Case{
      .model = m,
      .left = {{{"w1", 0}, 3.0}, {{"w2", 0}, 0.5}},
      .resets = {{{VarId(0), 0},
                  3.0}}}.solve();
  ASSERT_TRUE(r.succeeded()) << r.message;
  EXPECT_NEAR(r.right[0][0], 3, 1e-12);
  EXPECT_NEAR(r.right[1][0], 1.5, 1e-12);
  EXPECT_NEAR(weight(m, r, "T"), 0.5, 1e-12);
}

TEST(Restart, newtons_method_ends_where_it_does_in_any_unit) {
  // Capacitors with charges u + u^2/s and u share the charge 2 s that the first has at u = s:
  // u^2/s + 2 u = 2 s, u = (sqrt 3 - 1) s.
  for (const double s : {1e-9, 1.0, 1e9}) {
    Model m("capacitors");
    const Expr p = m.variable("p"), q = m.variable("q"), u = m.variable("u"), v = m.variable("v"),
               i = m.variable("i");
    m.equation(der(p) == -i);
    m.equation(der(q) == i);
    m.equation(p == u + u * u / s);
    m.equation(q == v);
    m.equation(u == v);
    const RestartResult r =
        Case{.model = m,
             .left = {{{"p", 0}, 2 * s}, {{"q", 0}, 0.0}, {{"u", 0}, s}, {{"v", 0}, 0.0}}}
            .solve();
    ASSERT_TRUE(r.succeeded()) << r.message;
    EXPECT_NEAR(r.right[1][0] / s, std::sqrt(3) - 1, 1e-12) << s;
  }
}

}  // namespace
}  // namespace hydae

#include <cmath>
#include <gmock/gmock.h>

#include <hydae/continuation.h>
#include <hydae/error.h>

namespace hydae {
namespace {

using ::testing::HasSubstr;
using Kind = SpecialPoint::Kind;

std::vector<std::size_t> rows_of(const SolutionCurve& curve, Kind kind) {
  std::vector<std::size_t> rows;
  for (const SpecialPoint& point : curve.special_points)
    if (point.kind == kind) rows.push_back(point.row);
  return rows;
}

Model fold_model() {
  Model m("fold");
  const Expr x = m.variable("x"), p = m.parameter("p", 0.0);
  m.equation(pow(x, 3) - 3 * x + p == 0);
  m.start(x, 2);
  return m;
}

// p = 3x - x^3 turns at x = 1, p = 2 and at x = -1, p = -2. The ends are the real roots of
// x^3 - 3x -+ 4: with x = u + 1/u it is u^3 + 1/u^3 = 4, so x = 2.195823345445648.
TEST(Continuation, passes_both_turning_points_of_a_cubic) {
  const SolutionCurve curve = follow(fold_model(), {.parameter = "p", .from = -4, .to = 4});
  ASSERT_TRUE(curve.succeeded()) << curve.message;
  const std::vector<double>& p = curve.points.times();
  const std::vector<double> x = curve.points.series("x");
  const double u = std::cbrt(2 + std::sqrt(3.0)), end = u + 1 / u;
  EXPECT_NEAR(x.front(), end, 1e-10);
  EXPECT_NEAR(x.back(), -end, 1e-10);
  EXPECT_EQ(p.front(), -4);
  EXPECT_EQ(p.back(), 4);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(p[k], 3 * x[k] - std::pow(x[k], 3), 1e-9);
  const auto turns = rows_of(curve, Kind::kTurningPoint);
  ASSERT_EQ(turns.size(), 2u);
  EXPECT_NEAR(p[turns[0]], 2, 1e-10);
  EXPECT_NEAR(x[turns[0]], 1, 1e-5);  // the square root of the precision of p
  EXPECT_NEAR(p[turns[1]], -2, 1e-10);
  EXPECT_NEAR(x[turns[1]], -1, 1e-5);
}

TEST(Continuation, in_the_parameter_alone_ends_at_the_turning_point) {
  const SolutionCurve curve =
      follow(fold_model(), {.parameter = "p", .from = -4, .to = 4, .by_arc_length = false});
  EXPECT_EQ(curve.status, "step-too-small");
  EXPECT_THAT(curve.message, HasSubstr("probably a turning point"));
  EXPECT_NEAR(curve.points.times().back(), 2, 1e-3);
  EXPECT_TRUE(
      follow(fold_model(), {.parameter = "p", .from = -4, .to = 1.9, .by_arc_length = false})
          .succeeded());
}

// The unit circle, scaled: it closes, and turns at both ends of its diameter.
TEST(Continuation, goes_around_a_circle) {
  Model m("circle");
  const Expr x = m.variable("x"), p = m.parameter("p", 0.0);
  m.equation(x * x + p * p == 1);
  m.start(x, 0.8);
  const SolutionCurve curve = follow(m, {.parameter = "p", .from = 0, .to = 2});
  EXPECT_TRUE(curve.succeeded()) << curve.message;
  EXPECT_TRUE(curve.is_closed);
  const auto turns = rows_of(curve, Kind::kTurningPoint);
  ASSERT_EQ(turns.size(), 2u);
  EXPECT_NEAR(curve.points.times()[turns[0]], 1, 1e-10);
  EXPECT_NEAR(curve.points.times()[turns[1]], -1, 1e-10);
}

// Bratu's problem u'' + lambda e^u = 0, u(0) = u(1) = 0, has the solution u = -2 log(cosh(theta (s
// - 1/2) / 2) / cosh(theta/4)) with theta = sqrt(2 lambda) cosh(theta/4). It turns where 4 = theta
// tanh(theta/4): theta = 4.798714560, lambda = 3.513830719.
TEST(Continuation, finds_the_turning_point_of_bratu) {
  Model m("bratu");
  const Expr theta = m.variable("theta"), lambda = m.parameter("lambda", 1.0);
  m.equation(theta == sqrt(2 * lambda) * cosh(theta / 4));
  m.start(theta, 1.5);
  const SolutionCurve curve =
      follow(m, {.parameter = "lambda", .from = 1, .to = 4, .min = 1.0, .max = 4.0});
  EXPECT_EQ(curve.status, "left-range");  // back to 1 on the upper branch
  const auto turns = rows_of(curve, Kind::kTurningPoint);
  ASSERT_EQ(turns.size(), 1u);
  EXPECT_NEAR(curve.points.times()[turns[0]], 3.513830719125, 1e-9);
  EXPECT_NEAR(curve.points.series("theta")[turns[0]], 4.798714560, 1e-4);
}

// The same by central differences on n inner points: second order in 1/(n + 1). With one point
// lambda = 8 u e^-u, which turns at u = 1, lambda = 8/e.
Model differences(int n) {
  Model m("bratu");
  const Expr lambda = m.parameter("lambda", 1.0);
  const std::vector<Expr> u = m.variables("u", n);
  const double h = 1.0 / (n + 1);
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Expr left = i > 0 ? u[k - 1] : Expr(0.0), right = i + 1 < n ? u[k + 1] : Expr(0.0);
    m.equation((left - 2 * u[k] + right) / (h * h) + lambda * exp(u[k]) == 0);
  }
  return m;
}

double turning_point_of(const Model& model) {
  const SolutionCurve curve =
      follow(model, {.parameter = "lambda", .from = 0.5, .to = 4, .min = 0.5, .max = 4.0});
  const auto turns = rows_of(curve, Kind::kTurningPoint);
  return turns.size() == 1 ? curve.points.times()[turns[0]] : std::nan("");
}

TEST(Continuation, finds_the_turning_point_of_discretised_bratu) {
  EXPECT_NEAR(turning_point_of(differences(1)), 8 / std::exp(1.0), 1e-10);
  const double coarse = turning_point_of(differences(19)), fine = turning_point_of(differences(39));
  EXPECT_NEAR((4 * fine - coarse) / 3, 3.513830719125, 1e-4);  // extrapolated to h = 0
  // Sparse matrices.
  EXPECT_NEAR(turning_point_of(differences(250)), 3.513830719125, 1e-3);
}

// x cos t + y sin t = 1, x^2 + y^2 = 4, from x = 1, y = sqrt 3: x = 2 cos(t + pi/3).
TEST(Continuation, takes_time_as_the_parameter) {
  Model m("chord");
  const Expr x = m.variable("x"), y = m.variable("y"), t = m.time();
  m.equation(x * cos(t) + y * sin(t) == 1);
  m.equation(x * x + y * y == 4);
  m.start(x, 1), m.start(y, 1.7);
  const SolutionCurve curve = follow(m, {.parameter = "time", .from = 0, .to = 10});
  ASSERT_TRUE(curve.succeeded()) << curve.message;
  const auto xs = curve.points.series("x");
  for (std::size_t k = 0; k < xs.size(); ++k)
    EXPECT_NEAR(xs[k], 2 * std::cos(curve.points.times()[k] + std::acos(0.5)), 1e-9);
}

// q = 2p follows p through its binding.
TEST(Continuation, moves_bound_parameters_along) {
  Model m("bound");
  const Expr x = m.variable("x"), p = m.parameter("p", 0.0), q = m.parameter("q", 2 * p);
  m.equation(x == q);
  const SolutionCurve curve = follow(m, {.parameter = "p", .from = 0, .to = 3});
  EXPECT_NEAR(curve.points.series("x").back(), 6, 1e-12);
}

TEST(Continuation, ends_where_the_equations_switch) {
  Model m("kink");
  const Expr x = m.variable("x"), p = m.parameter("p", 0.0);
  m.equation(x == select(x < 1, p, 2 * p - 1));
  const SolutionCurve curve = follow(m, {.parameter = "p", .from = 0, .to = 2});
  EXPECT_EQ(curve.status, "switch");
  EXPECT_THAT(curve.message, HasSubstr("`x < 1` changes before p = 1."));
  EXPECT_LT(curve.points.times().back(), 1);
  // Beyond the switch the guess x = 0 is on the wrong side.
  const SolutionCurve beyond = follow(m, {.parameter = "p", .from = 3, .to = 2});
  ASSERT_TRUE(beyond.succeeded()) << beyond.message;
  EXPECT_NEAR(beyond.points.series("x").back(), 3, 1e-12);
}

TEST(Continuation, refuses_what_it_cannot_do) {
  Model m("motion");
  const Expr x = m.variable("x"), p = m.parameter("rate", 1.0);
  m.equation(der(x) == p * x);
  EXPECT_THROW(follow(m, {.parameter = "rate"}), UsageError);
  EXPECT_THROW(follow(fold_model(), {.parameter = "q"}), UsageError);
  EXPECT_THROW(follow(fold_model(), {.parameter = "p", .from = 1, .to = 1}), UsageError);
  EXPECT_THROW(follow(fold_model(), {.parameter = "p", .from = 0, .to = 1, .min = 0.5}),
               UsageError);
}

TEST(Continuation, says_that_there_is_no_start) {
  Model m("none");
  const Expr x = m.variable("x"), p = m.parameter("p", 0.0);
  m.equation(x * x == p);
  const SolutionCurve curve = follow(m, {.parameter = "p", .from = -1, .to = 1});
  EXPECT_EQ(curve.status, "no-start");
}

TEST(Continuation, is_told_as_text) {
  const SolutionCurve curve = follow(fold_model(), {.parameter = "p", .from = -4, .to = 4});
  const std::string text = to_text(curve);
  EXPECT_THAT(text, HasSubstr("solutions over p from -4 to 4"));
  EXPECT_THAT(text, HasSubstr("turning point  p = 2: x = "));
  EXPECT_EQ(to_csv(curve.points).substr(0, 4), "p,x\n");
}

}  // namespace
}  // namespace hydae

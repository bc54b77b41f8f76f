// The matrices of the linearization against differences along a known motion.
#include "partition/linearize.h"

#include <cmath>
#include <gtest/gtest.h>

#include "compile/system.h"

namespace hydae::partition {
namespace {

// (1 + x^2) x' + y' = v, y' = x v + sin(t), 0 = v^3 + v - x y - t, at values that satisfy the
// constraint.
Model nonlinear() {
  Model m("nonlinear");
  const Expr x = m.variable("x"), y = m.variable("y"), v = m.variable("v"), t = m.time();
  m.equation((1 + x * x) * der(x) + der(y) == v);
  m.equation(der(y) == x * v + sin(t));
  m.equation(v * v * v + v == x * y + t);
  m.start(x, 2), m.start(y, 1), m.start(v, 1);
  return m;
}

// Along x(t) the rates are those of the motion, so M' and J' are what differences of M and J at
// x(t +- h) = x +- h x' give, up to h^2 = 1e-10 times derivatives of size 10.
TEST(Linearize, rates_of_mass_and_jacobian_are_derivatives_along_the_motion) {
  const Model model = nonlinear();
  const System system = make_system(model, std::vector<bool>());
  const FirstOrderSystem first = make_first_order(system, std::vector<bool>(3, false));
  std::vector<std::string> assumed_zero;
  const PointRates motion = make_motion(first, {0, {}}, assumed_zero);
  // y' = 2, x' = (1 - 2)/5, and (3 v^2 + 1) v' = x' y + x y' + 1 = 4.8.
  EXPECT_NEAR(motion.rates[0], -0.2, 1e-14);
  EXPECT_NEAR(motion.rates[1], 2, 1e-14);
  EXPECT_NEAR(motion.rates[2], 1.2, 1e-14);

  const double h = 1e-5;
  const auto moved = [&](double step) {
    PointRates there = motion;
    there.t += step;
    for (std::size_t j = 0; j < there.values.size(); ++j) {
      there.values[j] += step * motion.rates[j];
      there.rates[j] += step * motion.second_rates[j];
    }
    return linearize(first, there);
  };
  const Linearization here = linearize(first, motion), before = moved(-h), after = moved(h);
  const Matrix mass_rate = Matrix(after.mass - before.mass) / (2 * h);
  const Matrix jacobian_rate = Matrix(after.jacobian - before.jacobian) / (2 * h);
  EXPECT_LT((Matrix(here.mass_rate) - mass_rate).norm(), 1e-8);
  EXPECT_LT((Matrix(here.jacobian_rate) - jacobian_rate).norm(), 1e-8);
  EXPECT_GT(mass_rate.norm(), 0.1);
  EXPECT_GT(jacobian_rate.norm(), 1);
}

}  // namespace
}  // namespace hydae::partition

#include "poly/interval.h"

#include <gtest/gtest.h>
#include <random>

namespace hydae::poly {
namespace {

using Real = long double;

struct Function {
  const char* name;
  Interval (*of_interval)(Interval);
  Real (*of_number)(Real);
  double from, to;  // arguments
};

class IntervalFunctions : public testing::TestWithParam<Function> {};

// Adversary: extrema inside (sine), poles (tangent), ends of the domain (arcus sine). Long double
// has eleven more bits: its own error does not show.
TEST_P(IntervalFunctions, contain_all_values_of_their_arguments) {
  const Function& f = GetParam();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(f.from, f.to), part(0, 1), exponent(-12, 0);
  for (int k = 0; k < 20000; ++k) {
    const double a = place(random), width = (f.to - f.from) * std::pow(10, exponent(random));
    const double b = std::min(f.to, a + width);
    const Interval values = f.of_interval(Interval::hull(a, b));
    for (double s : {0.0, 1.0, part(random), part(random)}) {
      const Real value = f.of_number(static_cast<Real>(a) + s * (static_cast<Real>(b) - a));
      ASSERT_TRUE(values.lower() <= value && value <= values.upper())
          << f.name << " of [" << a << ", " << b << "]";
    }
  }
}

// A bound that is far too wide proves nothing: of a point at most some ten places.
TEST_P(IntervalFunctions, of_points_are_narrow) {
  const Function& f = GetParam();
  std::mt19937 random(8);
  std::uniform_real_distribution<double> place(f.from, f.to);
  for (int k = 0; k < 2000; ++k) {
    const Interval values = f.of_interval(place(random));
    if (!values.is_finite()) continue;  // a pole
    EXPECT_LE(values.upper() - values.lower(), 4e-15 * values.magnitude() + 1e-300) << f.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Functions, IntervalFunctions,
    testing::Values(Function{"sqr", sqr, [](Real x) { return x * x; }, -5, 5},
                    Function{"sqrt", sqrt, [](Real x) { return std::sqrt(x); }, 0, 9},
                    Function{"exp", exp, [](Real x) { return std::exp(x); }, -700, 700},
                    Function{"log", log, [](Real x) { return std::log(x); }, 1e-9, 9},
                    Function{"log10", log10, [](Real x) { return std::log10(x); }, 1e-9, 9},
                    Function{"sin", sin, [](Real x) { return std::sin(x); }, -40, 40},
                    Function{"cos", cos, [](Real x) { return std::cos(x); }, -1e6, 1e6},
                    Function{"tan", tan, [](Real x) { return std::tan(x); }, -1.5, 1.5},
                    Function{"asin", asin, [](Real x) { return std::asin(x); }, -1, 1},
                    Function{"acos", acos, [](Real x) { return std::acos(x); }, -1, 1},
                    Function{"atan", atan, [](Real x) { return std::atan(x); }, -30, 30},
                    Function{"sinh", sinh, [](Real x) { return std::sinh(x); }, -30, 30},
                    Function{"cosh", cosh, [](Real x) { return std::cosh(x); }, -30, 30},
                    Function{"tanh", tanh, [](Real x) { return std::tanh(x); }, -30, 30},
                    Function{"cube", [](Interval a) { return pow(a, 3); },
                             [](Real x) { return x * x * x; }, -4, 4},
                    Function{"fourth", [](Interval a) { return pow(a, 4); },
                             [](Real x) { return x * x * x * x; }, -4, 4},
                    Function{"power", [](Interval a) { return pow(a, -1.7); },
                             [](Real x) { return std::pow(x, Real(-1.7)); }, 1e-3, 9}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(Interval, operations_contain_what_they_stand_for) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-3, 3), part(0, 1);
  const auto within = [&](Interval x) {
    return x.lower() + part(random) * (x.upper() - x.lower());
  };
  for (int k = 0; k < 20000; ++k) {
    const Interval a = Interval::hull(number(random), number(random));
    const Interval b = Interval::hull(number(random), number(random));
    const Real x = within(a), y = within(b);
    const auto expect = [&](Interval values, Real value) {
      EXPECT_TRUE(values.lower() <= value && value <= values.upper());
    };
    expect(a + b, x + y);
    expect(a - b, x - y);
    expect(a * b, x * y);
    expect(a / b, x / y);
    expect(atan2(a, b), std::atan2(x, y));
  }
}

// 0.1 is not a tenth: a hundred sums of it are not ten, and the interval says so.
TEST(Interval, rounding_is_part_of_the_result) {
  Interval sum = 0;
  for (int k = 0; k < 100; ++k) sum += Interval(1) / Interval(10);
  EXPECT_TRUE(sum.contains(10));
  EXPECT_GT(sum.upper(), sum.lower());
  EXPECT_LT(sum.upper() - sum.lower(), 1e-12);
}

TEST(Interval, what_is_undefined_is_anything) {
  EXPECT_FALSE((Interval(1) / Interval::hull(-1, 1)).is_finite());
  EXPECT_FALSE(sqrt(Interval::hull(-2, -1)).is_finite());
  EXPECT_FALSE(tan(Interval::hull(1, 2)).is_finite());
  EXPECT_FALSE(log(Interval::hull(0, 2)).is_finite());
  EXPECT_EQ(exp(Interval(1000)).upper(), std::numeric_limits<double>::infinity());
  // 1/(1 + exp(u)) tends to zero where exp(u) overflows.
  const Interval logistic = Interval(1) / (Interval(1) + exp(Interval(1000)));
  EXPECT_TRUE(logistic.lower() <= 0 && logistic.upper() < 1e-300);
}

}  // namespace
}  // namespace hydae::poly

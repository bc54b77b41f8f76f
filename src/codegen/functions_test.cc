// Recurrences of all functions against exact coefficients and against naive arithmetic in extended
// precision, as functions of time alone and with their corrections inside DAEs.
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <string>

#include "codegen/residual_check_testing.h"
#include "codegen/sample_systems_testing.h"
#include "ops/operation.h"

namespace hydae::codegen {
namespace {

struct NamedFunction {
  std::string name;
  std::function<Sym(Sym)> f;
};

// Every function of one argument, and compositions of those of two, defined for arguments near 0.3.
std::vector<NamedFunction> all_functions() {
  return {
      {"sqrt", [](Sym u) { return sqrt(u); }},
      {"exp", [](Sym u) { return exp(u); }},
      {"log", [](Sym u) { return log(u); }},
      {"log10", [](Sym u) { return log10(u); }},
      {"sin", [](Sym u) { return sin(u); }},
      {"cos", [](Sym u) { return cos(u); }},
      {"tan", [](Sym u) { return tan(u); }},
      {"asin", [](Sym u) { return asin(u); }},
      {"acos", [](Sym u) { return acos(u); }},
      {"atan", [](Sym u) { return atan(u); }},
      {"sinh", [](Sym u) { return sinh(u); }},
      {"cosh", [](Sym u) { return cosh(u); }},
      {"tanh", [](Sym u) { return tanh(u); }},
      {"reciprocal", [](Sym u) { return 2.0 / u; }},
      {"quotient", [](Sym u) { return (1 + sqr(u)) / (3 - u); }},
      {"square", [](Sym u) { return sqr(u); }},
      {"power 3", [](Sym u) { return pow(u, 3.0); }},
      {"power 7", [](Sym u) { return pow(u, 7.0); }},
      {"power -1", [](Sym u) { return pow(u, -1.0); }},
      {"power -2", [](Sym u) { return pow(u, -2.0); }},
      {"power -0.5", [](Sym u) { return pow(u, -0.5); }},
      {"power 1.7", [](Sym u) { return pow(u, 1.7); }},
      {"general power", [](Sym u) { return pow(2 + u, 1 + sqr(u)); }},
      {"power of a number", [](Sym u) { return pow(number(u, 1.5), u); }},
      {"atan2", [](Sym u) { return atan2(sin(u), u - 0.7); }},
      {"atan2 of a number", [](Sym u) { return atan2(number(u, 1.25), u); }},
      {"nested", [](Sym u) { return exp(sin(u)) * log(2 + cos(u)) / (1 + sqr(u)); }},
  };
}

std::vector<double> output_of_time(const std::function<Sym(Sym)>& f, double t0, double scale,
                                   int order) {
  SampleSystem s;
  s.output(f(s.t()));
  Expansion expansion(s.make_program(), order);
  const ExpandResult r = expansion.expand({.time = t0, .step = scale, .order = order});
  EXPECT_TRUE(r.ok()) << to_string(r);
  EXPECT_EQ(expansion.scale(), scale);
  const auto series = expansion.output_series(0);
  return {series.begin(), series.end()};
}

// v(tau) = f(u(tau)): the polynomials of all functions of the table, summed up in the middle of the
// step (1/16 of a radius of convergence of at least 0.2: (0.32)^25 is below rounding), against
// their values there. A function that is added has its recurrence tested here without a line more.
TEST(Functions, of_the_table_have_polynomials_with_their_values) {
  constexpr double kT0 = 0.3, kStep = 0.0625;
  int num_functions = 0;
  for (const ops::Entry& entry : ops::entries()) {
    if (entry.kind != ops::Kind::kFunction) continue;
    ++num_functions;
    const auto f = [&](Sym u) {
      return entry.num_operands == 1 ? apply(entry.op, u) : atan2(u, number(u, 0.5));
    };
    const std::vector<double> series = output_of_time(f, kT0, kStep, 25);
    double sum = 0;
    for (std::size_t m = series.size(); m-- > 0;) sum = sum + series[m];
    const double expected = ops::apply(entry.op, kT0 + kStep, 0.5);
    EXPECT_NEAR(sum, expected, 4e-15 * (1 + std::abs(expected))) << entry.name;
  }
  EXPECT_EQ(num_functions, 14);
}

TEST(Functions, known_maclaurin_series) {
  const auto check = [](const std::function<Sym(Sym)>& f, const std::vector<double>& exact) {
    const std::vector<double> series = output_of_time(f, 0, 1, static_cast<int>(exact.size()));
    for (std::size_t m = 0; m < exact.size(); ++m) {
      EXPECT_NEAR(series[m], exact[m], 4e-16 * (1 + std::abs(exact[m]))) << m;
    }
  };
  check([](Sym t) { return exp(t); },
        {1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040});
  check([](Sym t) { return sin(t); }, {0, 1, 0, -1. / 6, 0, 1. / 120, 0, -1. / 5040, 0});
  check([](Sym t) { return cos(t); }, {1, 0, -1. / 2, 0, 1. / 24, 0, -1. / 720, 0});
  check([](Sym t) { return tan(t); }, {0, 1, 0, 1. / 3, 0, 2. / 15, 0, 17. / 315, 0, 62. / 2835});
  check([](Sym t) { return tanh(t); }, {0, 1, 0, -1. / 3, 0, 2. / 15, 0, -17. / 315, 0});
  check([](Sym t) { return sinh(t); }, {0, 1, 0, 1. / 6, 0, 1. / 120});
  check([](Sym t) { return cosh(t); }, {1, 0, 1. / 2, 0, 1. / 24});
  check([](Sym t) { return asin(t); }, {0, 1, 0, 1. / 6, 0, 3. / 40, 0, 15. / 336, 0, 105. / 3456});
  check([](Sym t) { return acos(t); }, {std::acos(0.0), -1, 0, -1. / 6, 0, -3. / 40});
  check([](Sym t) { return atan(t); }, {0, 1, 0, -1. / 3, 0, 1. / 5, 0, -1. / 7, 0, 1. / 9});
  check([](Sym t) { return log(1 + t); }, {0, 1, -1. / 2, 1. / 3, -1. / 4, 1. / 5, -1. / 6});
  check([](Sym t) { return log10(1 + t); }, {0, 1 / std::log(10), -0.5 / std::log(10)});
  check([](Sym t) { return sqrt(1 + t); }, {1, 1. / 2, -1. / 8, 1. / 16, -5. / 128, 7. / 256});
  check([](Sym t) { return 1.0 / (1 + t); }, {1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1});
  check([](Sym t) { return pow(1 + t, -0.5); }, {1, -1. / 2, 3. / 8, -5. / 16, 35. / 128});
  check([](Sym t) { return atan2(t, number(t, -1)); },
        {std::acos(-1.0), -1, 0, 1. / 3, 0, -1. / 5});
  check([](Sym t) { return pow(t, 3.0); }, {0, 0, 0, 1, 0, 0});  // base zero
}

// The step is about half the radius of convergence, so that coefficients decay but all matter;
// errors are relative to the largest of the neighbours, because a series may have isolated small
// coefficients. The naive sums lose up to (1.044/0.787)^m of their 19 digits (atan): 15 are left.
TEST(Functions, agree_with_naive_arithmetic_up_to_order_39) {
  constexpr int kOrder = 40;
  constexpr double kT0 = 0.3, kScale = 0.125;
  for (const auto& [name, f] : all_functions()) {
    const std::vector<double> series = output_of_time(f, kT0, kScale, kOrder);
    SampleSystem s;
    const Sym value = f(s.t());
    const naive::Evaluation<long double> exact(s.tape, {kOrder, kT0, kScale}, {}, {});
    const auto& reference = exact.terms[value.id.index()];
    for (int m = 0; m < kOrder; ++m) {
      long double size = 0;
      for (int i = std::max(0, m - 3); i <= std::min(kOrder - 1, m + 3); ++i) {
        for (const auto& term : exact.terms) size = std::max(size, std::abs(term[i]));
      }
      // Rounding errors of a recurrence grow about linearly with the order.
      EXPECT_NEAR(series[m], static_cast<double>(reference[m]), double(size) * (m + 1) * 1e-14)
          << name << " at order " << m;
    }
  }
}

// The function appears in a constraint that is differentiated twice, where x is unknown: its series
// is corrected after each solve. It is used in the equations of motion too, at a smaller offset.
//   x'' = l f(u),  y'' = -1 + l,  0 = f(u) y + y^3 - const,   u = 0.3 + 0.1 x + 0.05 y
TEST(Functions, corrections_inside_a_constraint_leave_no_residual) {
  for (const auto& [name, f] : all_functions()) {
    SampleSystem s;
    const Sym u = 0.3 + 0.1 * s.x(0) + 0.05 * s.x(1);
    s.equation(s.x(0, 2) - s.x(2) * f(u));
    s.equation(s.x(1, 2) + 1 - s.x(2));
    s.equation(f(u) * s.x(1) + pow(s.x(1), 3.0) - s.p(0));
    s.input.structure = single_block({0, 0, 2}, {2, 2, 0});
    s.input.num_parameters = 1;
    s.state = {0.2, 0.1, 1.1, 0.3};
    // The constant makes the position consistent; the velocities are projected.
    const naive::Evaluation<double> start(s.tape, {1, 0, 1}, {0.0}, {{0.2}, {1.1}, {0.0}});
    const std::vector<double> parameters = {start.terms[s.input.residuals[2].index()][0]};
    Expansion expansion(s.make_program(), 20);
    expansion.set_parameters(parameters);
    const std::vector<double> weights(4, 1e8);
    const ExpandResult r = expansion.expand(
        {.time = 0, .step = 0.25, .order = 20, .state = s.state, .weights = weights});
    ASSERT_TRUE(r.ok()) << name << ": " << to_string(r);
    EXPECT_LT(residual_in_epsilons(s.tape, s.input, expansion, parameters), 2000) << name;
  }
}

// x' = f(u): explicit, no correction at all; and implicit in x' through f: Newton iteration.
TEST(Functions, differential_equations_leave_no_residual) {
  for (const auto& [name, f] : all_functions()) {
    SampleSystem s;
    s.equation(s.x(0, 1) - f(0.3 + 0.1 * s.x(0)));
    s.equation(s.x(1, 1) + 0.05 * f(0.3 + 0.02 * s.x(1, 1)) + s.x(0) - sin(s.t()));
    s.input.structure = scalar_blocks({0, 0}, {1, 1});
    s.state = {0.5, 0.25};
    const auto program = s.make_program();
    ASSERT_FALSE(program->is_quasilinear(1)) << name;
    ASSERT_EQ(program->entries().size(), 3U);
    EXPECT_EQ(program->entries()[2], (JetEntry{1, 1}));
    s.state.push_back(0.1);  // guess of x_1'
    Expansion expansion(program, 20);
    const ExpandResult r =
        expansion.expand({.time = 0.1, .step = 0.5, .order = 20, .state = s.state});
    ASSERT_TRUE(r.ok()) << name << ": " << to_string(r);
    EXPECT_LT(residual_in_epsilons(s.tape, s.input, expansion), 2000) << name;
  }
}

// An exponent that is a parameter: 2 needs no positive base, 2.5 does. One program for both.
TEST(Functions, exponent_as_parameter_changes_without_a_new_program) {
  SampleSystem s;
  s.output(pow(s.t(), s.p(0)));
  s.input.num_parameters = 1;
  Expansion expansion(s.make_program(), 8);
  const auto coefficients = [&](double exponent, double t0) {
    expansion.set_parameters(std::vector<double>{exponent});
    const ExpandResult r = expansion.expand({.time = t0, .step = 1, .order = 8});
    EXPECT_TRUE(r.ok()) << to_string(r);
    const auto series = expansion.output_series(0);
    return std::vector<double>(series.begin(), series.end());
  };
  EXPECT_EQ(coefficients(2, 0), (std::vector<double>{0, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(coefficients(3, -2), (std::vector<double>{-8, 12, -6, 1, 0, 0, 0, 0}));  // (t-2)^3
  EXPECT_EQ(coefficients(0, 5), (std::vector<double>{1, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_NEAR(coefficients(2.5, 4)[1], 2.5 * 8, 1e-14 * 20);
  expansion.set_parameters(std::vector<double>{2.5});
  // The solution does not need an output: where one is undefined it is not a number, no failure.
  EXPECT_TRUE(expansion.expand({.time = -1, .step = 1, .order = 8}).ok());
  EXPECT_TRUE(std::isnan(expansion.output_series(0)[0]));
}

TEST(Functions, tanh_of_a_large_argument_is_flat_and_finite) {
  const std::vector<double> series = output_of_time([](Sym t) { return tanh(1000 * t); }, 2, 1, 20);
  EXPECT_EQ(series[0], 1);
  for (int m = 1; m < 20; ++m) EXPECT_EQ(series[m], 0);
}

}  // namespace
}  // namespace hydae::codegen

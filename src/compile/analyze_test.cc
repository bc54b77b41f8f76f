#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include <hydae/analyze.h>

namespace hydae {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Status = JacobianCheck::Status;

Model pendulum() {
  Model m("pendulum");
  const Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
  const Expr G = m.parameter("G", 9.8), L = m.parameter("L", 1.0);
  m.equation(der(x, 2) + x * lambda == 0);
  m.equation(der(y, 2) + y * lambda == G);
  m.equation(x * x + y * y == L * L);
  return m;
}

// The P-pendula chain of DAETS: the multiplier of one drives the length of the next.
Model chained_pendula(int count) {
  Model m("chained_pendula");
  Expr previous;
  for (int i = 1; i <= count; ++i) {
    const std::string k = std::to_string(i);
    const Expr x = m.variable("x" + k), y = m.variable("y" + k), l = m.variable("l" + k);
    const Expr length = i == 1 ? Expr(1.0) : 1.0 + 0.1 * previous;
    m.equation(der(x, 2) + x * l == 0);
    m.equation(der(y, 2) + y * l == 9.8);
    m.equation(x * x + y * y == length * length);
    previous = l;
  }
  return m;
}

TEST(Analyze, pendulum_has_index_3_and_two_degrees_of_freedom) {
  const Analysis a = analyze(pendulum());
  EXPECT_TRUE(a.succeeded());
  EXPECT_THAT(a.c, ElementsAre(0, 0, 2));
  EXPECT_THAT(a.d, ElementsAre(2, 2, 0));
  EXPECT_EQ(a.index, 3);
  EXPECT_EQ(a.degrees_of_freedom, 2);
  EXPECT_THAT(a.differentiations, ElementsAre(0, 0, 2));
  EXPECT_EQ(a.jacobian.status, Status::kRegular);
  EXPECT_TRUE(a.repairs.empty());
  // x, x', y, y'; the multiplier occurs linearly and needs no value.
  ASSERT_EQ(a.initial_values.size(), 2u);
  EXPECT_THAT(a.initial_values[0].orders, ElementsAre(0, 1));
  EXPECT_THAT(a.initial_values[1].orders, ElementsAre(0, 1));
}

TEST(Analyze, chain_of_23_pendula_has_index_47) {
  const Analysis a = analyze(chained_pendula(23));
  EXPECT_EQ(a.equations.size(), 69u);
  EXPECT_EQ(a.index, 47);
  EXPECT_EQ(a.degrees_of_freedom, 46);
  EXPECT_EQ(a.jacobian.status, Status::kRegular);
}

TEST(Analyze, a_term_with_a_parameter_that_is_zero_is_not_there) {
  // R i = v - sin t, v' + i = 1: a state v for R = 1; v = sin t, i = 1 - cos t for R = 0.
  for (const double resistance : {1.0, 0.0}) {
    Model m("short_circuit");
    const Expr R = m.parameter("R", resistance), i = m.variable("i"), v = m.variable("v");
    m.equation(-(2 * R) * i == v - sin(m.time()));
    m.equation(der(v) + i == 1);
    const Analysis a = analyze(m);
    EXPECT_TRUE(a.succeeded());
    EXPECT_TRUE(a.repairs.empty());
    EXPECT_EQ(a.degrees_of_freedom, resistance == 0 ? 0 : 1);
  }
}

TEST(Analyze, a_term_with_a_variable_that_is_always_zero_is_not_there) {
  // A capacitor C = C0 (1 + v^2) behind a resistor: i = C v' = sin t - v. For C0 = 0 there is no
  // state: v = sin t.
  for (const double capacity : {1.0, 0.0}) {
    Model m("capacitor");
    const Expr C0 = m.parameter("C0", capacity), C = m.variable("C"), i = m.variable("i"),
               v = m.variable("v");
    m.equation(C == C0 * (1 + v * v));
    m.equation(i == C * der(v));
    m.equation(i == sin(m.time()) - v);
    const Analysis a = analyze(m);
    EXPECT_TRUE(a.succeeded());
    EXPECT_TRUE(a.repairs.empty());
    EXPECT_EQ(a.degrees_of_freedom, capacity == 0 ? 0 : 1);
  }
}

// Rows of the table of systems on which the structure alone misleads (docs/math/repair.md).

TEST(Repair, brenan_campbell_petzold_by_a_linear_combination) {
  // x' + t y' = g1, x + t y = g2. J = [1 t; 1 t] is singular; f1 - f2' = -y - g1 + g2' determines
  // y, so nothing is free.
  Model m("bcp");
  const Expr x = m.variable("x"), y = m.variable("y"), t = m.time();
  m.equation(der(x) + t * der(y) == sin(t));
  m.equation(x + t * y == cos(t));

  const Analysis raw = analyze(m, {.mode = {}, .check_jacobian = true, .repair = false});
  EXPECT_THAT(raw.c, ElementsAre(0, 1));
  EXPECT_THAT(raw.d, ElementsAre(1, 1));
  EXPECT_EQ(raw.index, 1);
  EXPECT_EQ(raw.degrees_of_freedom, 1);
  EXPECT_EQ(raw.jacobian.status, Status::kSingular);
  EXPECT_FALSE(raw.succeeded());
  ASSERT_EQ(raw.diagnostics.num_errors(), 1u);
  EXPECT_EQ(raw.diagnostics.items()[0].code, "singular-jacobian");

  const Analysis a = analyze(m);
  ASSERT_EQ(a.repairs.size(), 1u);
  EXPECT_EQ(a.repairs[0].method, Repair::Method::kLinearCombination);
  EXPECT_EQ(a.repairs[0].description, "equation `f1` replaced by f1 - der(f2)");
  EXPECT_EQ(a.degrees_of_freedom, 0);
  EXPECT_EQ(a.jacobian.status, Status::kRegular);
  EXPECT_TRUE(a.succeeded());
}

TEST(Repair, scholz_steinbrecher_needs_two_combinations) {
  Model m("scholz_steinbrecher");
  const auto x = m.variables("x", 4);
  const Expr t = m.time();
  m.equation(-der(x[0]) + x[2] == sin(t));
  m.equation(-der(x[1]) + x[3] == cos(t));
  m.equation(x[1] + x[2] + x[3] == t);
  m.equation(-x[0] + x[2] + x[3] == exp(-t));
  const Analysis raw = analyze(m, {.mode = {}, .check_jacobian = true, .repair = false});
  EXPECT_EQ(raw.degrees_of_freedom, 2);
  EXPECT_EQ(raw.jacobian.status, Status::kSingular);
  const Analysis a = analyze(m);
  EXPECT_EQ(a.repairs.size(), 2u);
  EXPECT_EQ(a.degrees_of_freedom, 0);
  EXPECT_EQ(a.index, 2);
  EXPECT_THAT(a.c, ElementsAre(0, 0, 1, 1));
  EXPECT_TRUE(a.succeeded());
}

TEST(Repair, exponential_by_substitution_with_a_variable_null_vector) {
  // J = [-mu, -mu x2; 1, x2], null vector (-x2, 1): y = x1 + x2 x2' takes the place of x1.
  Model m("tan");
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2"), t = m.time();
  m.equation(x1 + exp(-der(x1) - x2 * der(x2, 2)) + sin(t) == 0);
  m.equation(x1 + x2 * der(x2) + x2 * x2 + cos(t) == 0);
  const Analysis raw = analyze(m, {.mode = {}, .check_jacobian = true, .repair = false});
  EXPECT_THAT(raw.c, ElementsAre(0, 1));
  EXPECT_THAT(raw.d, ElementsAre(1, 2));
  EXPECT_EQ(raw.degrees_of_freedom, 2);
  EXPECT_EQ(raw.jacobian.status, Status::kSingular);
  const Analysis a = analyze(m);
  ASSERT_EQ(a.repairs.size(), 1u);
  EXPECT_EQ(a.repairs[0].method, Repair::Method::kExpressionSubstitution);
  EXPECT_EQ(a.degrees_of_freedom, 1);
  EXPECT_TRUE(a.succeeded());
}

TEST(Repair, combination_whose_coefficient_varies) {
  // J = [y, x; z y, z x]: f2 - z f1' = -z + w - x, so that with w = 2 x all follow z.
  Model m("combination");
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z"), w = m.variable("w");
  m.equation(x * y == m.time() + 2);
  m.equation(z * (y * der(x) + x * der(y)) == w - x);
  m.equation(der(z) == -z);
  m.equation(w == 2 * x);
  const Analysis a = analyze(m);
  ASSERT_EQ(a.repairs.size(), 1u);
  EXPECT_EQ(a.repairs[0].method, Repair::Method::kLinearCombination);
  EXPECT_EQ(a.degrees_of_freedom, 1);
  EXPECT_TRUE(a.succeeded());
}

TEST(Repair, an_equation_is_evaluated_on_the_solutions_of_another) {
  // f1 and f2 see x and y by u = x sin(y) only: w' = -w, u of w, z of u, x = z', y of u and x. The
  // coefficients of all combinations contain x and y, which are leading.
  Model m("augmentation");
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z"), w = m.variable("w");
  const Expr u = x * sin(y);
  m.equation(exp(u) + u == z);
  m.equation(u * u * u + u == w + z);
  m.equation(der(z) == x);
  m.equation(der(w) == -w);
  m.start(x, 2), m.start(y, 0.7), m.start(z, 3);
  const Analysis a = analyze(m);
  ASSERT_EQ(a.repairs.size(), 1u);
  EXPECT_EQ(a.repairs[0].method, Repair::Method::kAugmentation);
  EXPECT_EQ(a.degrees_of_freedom, 1);
  EXPECT_TRUE(a.succeeded());
}

Model robot_arm() {
  Model m("robot_arm");
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2"), x3 = m.variable("x3"),
             u1 = m.variable("u1"), u2 = m.variable("u2"), t = m.time();
  const Expr D = 2 - cos(x3) * cos(x3), a = 2 / D, b = cos(x3) / D, c = sin(x3) / D,
             d = sin(x3) * cos(x3) / D, q = sqr(der(x1) + der(x3)), v = sqr(der(x1));
  m.equation(der(x1, 2) == 2 * c * q + v * d + (2 * x3 - x2) * (a + 2 * b) + a * (u1 - u2));
  m.equation(der(x2, 2) ==
             -2 * c * q - v * d + (2 * x3 - x2) * (1 - 3 * a - 2 * b) - a * u1 + (a + 1) * u2);
  m.equation(der(x3, 2) == -2 * c * q - v * d + (2 * x3 - x2) * (a - 9 * b) - 2 * v * c - d * q -
                               (a + b) * (u1 - u2));
  m.equation(cos(x1) + cos(x1 + x3) == cos(1 - exp(t)) + cos(1 - t));
  m.equation(sin(x1) + sin(x1 + x3) == sin(1 - exp(t)) + sin(1 - t));
  m.start(x1, 0);
  m.start(x3, 1);
  m.start(x2, 0.95);
  return m;
}

TEST(Repair, robot_arm_has_index_5_after_the_substitution_of_the_torque_difference) {
  const Model m = robot_arm();
  const Analysis raw = analyze(m, {.mode = {}, .check_jacobian = true, .repair = false});
  EXPECT_THAT(raw.c, ElementsAre(0, 0, 0, 2, 2));
  EXPECT_THAT(raw.d, ElementsAre(2, 2, 2, 0, 0));
  EXPECT_EQ(raw.index, 3);
  EXPECT_EQ(raw.degrees_of_freedom, 2);
  EXPECT_EQ(raw.jacobian.status, Status::kSingular);
  const Analysis a = analyze(m);
  EXPECT_EQ(a.index, 5);
  EXPECT_EQ(a.degrees_of_freedom, 0);
  EXPECT_TRUE(a.succeeded());
}

TEST(Analyze, reissig_martinson_barton_overestimates_the_index_but_succeeds) {
  // Structural index k + 1 although the true index is 1; the Jacobian is regular all the same.
  Model m("rmb");
  const auto x = m.variables("x", 5);
  const Expr t = m.time();
  for (int b = 0; b < 2; ++b) {
    const Expr sum = der(x[2 * b + 1]) + der(x[2 * b + 2]);
    m.equation(sum + x[2 * b] == sin(t));
    m.equation(sum + x[2 * b + 1] == cos(t));
  }
  m.equation(x[4] == t);
  const Analysis a = analyze(m);
  EXPECT_THAT(a.c, ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(a.d, ElementsAre(0, 1, 1, 2, 2));
  EXPECT_EQ(a.index, 3);
  EXPECT_EQ(a.degrees_of_freedom, 2);
  EXPECT_TRUE(a.succeeded());
}

TEST(Analyze, a_leading_derivative_in_a_denominator_is_not_linear) {
  Model m("reciprocal");
  const Expr x = m.variable("x");
  m.equation(1 / der(x) == 2 + x);
  const Analysis a = analyze(m);
  ASSERT_EQ(a.blocks.size(), 1u);
  EXPECT_FALSE(a.blocks[0].quasilinear);
  ASSERT_EQ(a.initial_values.size(), 1u);
  EXPECT_THAT(a.initial_values[0].orders, ElementsAre(0, 1));
}

TEST(Analyze, permuting_equations_and_variables_changes_nothing) {
  std::mt19937 random(7);
  const Analysis reference = analyze(chained_pendula(3));
  for (int trial = 0; trial < 20; ++trial) {
    const Model given = chained_pendula(3);
    std::vector<std::size_t> rows(given.num_equations());
    std::iota(rows.begin(), rows.end(), 0u);
    std::shuffle(rows.begin(), rows.end(), random);
    // The same equations in another order, over variables declared in another order.
    Model m("permuted");
    std::vector<std::string> names;
    for (const Variable& variable : given.all_variables()) names.push_back(variable.name);
    std::shuffle(names.begin(), names.end(), random);
    for (const std::string& name : names) m.variable(name);
    const auto x = [&](const std::string& name) {
      return Expr(m.graph(), m.graph().variable(*m.find_variable(name)));
    };
    std::vector<Equality> equations;
    for (int i = 1; i <= 3; ++i) {
      const std::string k = std::to_string(i);
      const Expr length = i == 1 ? Expr(1.0) : 1.0 + 0.1 * x("l" + std::to_string(i - 1));
      equations.push_back(der(x("x" + k), 2) + x("x" + k) * x("l" + k) == 0);
      equations.push_back(der(x("y" + k), 2) + x("y" + k) * x("l" + k) == 9.8);
      equations.push_back(sqr(x("x" + k)) + sqr(x("y" + k)) == length * length);
    }
    for (std::size_t row : rows) m.equation(equations[row]);
    const Analysis a = analyze(m);
    EXPECT_EQ(a.index, reference.index);
    EXPECT_EQ(a.degrees_of_freedom, reference.degrees_of_freedom);
    EXPECT_EQ(a.blocks.size(), reference.blocks.size());
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(a.c[i], reference.c[rows[i]]);
    for (std::size_t j = 0; j < names.size(); ++j) {
      const auto at = std::find(reference.variables.begin(), reference.variables.end(), names[j]);
      EXPECT_EQ(a.d[j], reference.d[static_cast<std::size_t>(at - reference.variables.begin())]);
    }
  }
}

std::string messages(const Model& m) { return render(analyze(m).diagnostics); }

TEST(IllPosed, fewer_equations_than_unknowns) {
  Model m("short");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) + y == 0);
  EXPECT_EQ(messages(m),
            "error: 1 equation cannot determine 2 unknowns [too-few-equations]\n"
            "   nothing determines `y` (found by matching; other choices are possible)\n"
            "   note: the equations are `f1`\n"
            "   note: the unknowns are `x` and `y`\n"
            "   help: add 1 equation for them\n");
}

TEST(IllPosed, more_equations_than_unknowns) {
  Model m("long");
  const Expr x = m.variable("x");
  m.equation(x == 1);
  m.equation(x == m.time());
  EXPECT_EQ(messages(m),
            "error: 2 equations for 1 unknown [too-many-equations]\n"
            "   no unknown is left for `f2` (found by matching; other choices are possible)\n"
            "   note: the equations are `f1` and `f2`\n"
            "   note: the unknowns are `x`\n"
            "   help: remove 1 of the equations\n");
}

TEST(IllPosed, an_unused_variable_and_an_equation_without_unknowns_are_named) {
  Model m("odd");
  const Expr x = m.variable("x"), p = m.parameter("p", 2.0);
  m.variable("idle");
  m.equation(der(x) == p);
  m.equation(p * p == 4, "check_p");
  const std::string text = messages(m);
  EXPECT_THAT(text, HasSubstr("error: equation `check_p` contains no unknown "
                              "[equation-without-unknowns]\n"));
  EXPECT_THAT(text, HasSubstr("error: variable `idle` occurs in no equation [unused-variable]\n"));
  EXPECT_FALSE(analyze(m).well_posed);
}

TEST(IllPosed, an_empty_model) {
  EXPECT_EQ(messages(Model("nothing")),
            "error: model `nothing` has no equations and no unknowns [empty-model]\n");
  EXPECT_FALSE(analyze(Model("nothing")).well_posed);
}

TEST(Analyze, a_model_of_discrete_variables_only_is_well_posed) {
  Model m("logic");
  Variable count;
  count.name = "count";
  count.kind = VariableKind::kInteger;
  const Expr n = m.variable(count);
  WhenAction count_on;
  count_on.target = n;
  count_on.value = pre(n) + 1;
  WhenClause tick;
  tick.branches.push_back({{m.time() > 1}, {count_on}});
  m.when(tick);
  EXPECT_EQ(messages(m), "");
  const Analysis analysis = analyze(m);
  EXPECT_TRUE(analysis.succeeded());
  EXPECT_EQ(analysis.degrees_of_freedom, 0);
}

TEST(IllPosed, the_well_determined_part_is_told_apart) {
  Model m("mixed");
  const Expr a = m.variable("a"), b = m.variable("b"), c = m.variable("c"), d = m.variable("d");
  m.equation(der(a) == a);   // well determined
  m.equation(b == 1, "b1");  // twice b
  m.equation(b == 2, "b2");
  m.equation(c + d == 1, "cd");  // one equation for c and d
  const Analysis result = analyze(m);
  EXPECT_THAT(result.diagnosis.over.equations, ElementsAre(1, 2));
  EXPECT_THAT(result.diagnosis.over.variables, ElementsAre(1));
  EXPECT_THAT(result.diagnosis.under.equations, ElementsAre(3));
  EXPECT_THAT(result.diagnosis.under.variables, ElementsAre(2, 3));
  EXPECT_THAT(result.diagnosis.well.equations, ElementsAre(0));
}

}  // namespace
}  // namespace hydae

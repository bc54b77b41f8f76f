// The examples of section 5 of Raha & Petzold 2000 from their equations: linearized through the
// expressions, differentiated where the paper differentiates by hand.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <hydae/error.h>
#include <hydae/partition.h>
#include <hydae/problems.h>

namespace hydae::partition {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Names = std::vector<std::string>;

template <class IdType>
Names names(const ModelPartition& p, const std::vector<IdType>& ids) {
  Names result;
  for (IdType id : ids) {
    if constexpr (std::is_same_v<IdType, EqId>)
      result.push_back(p.equations[id.index()].name);
    else
      result.push_back(p.variables[id.index()].name);
  }
  return result;
}

Names equations_of(const ModelPartition& p, const std::vector<Pair>& pairs) {
  Names result;
  for (const Pair& pair : pairs) result.push_back(p.equations[pair.equation.index()].name);
  std::sort(result.begin(), result.end());
  return result;
}

Names variables_of(const ModelPartition& p, const std::vector<Pair>& pairs) {
  Names result;
  for (const Pair& pair : pairs) result.push_back(p.variables[pair.variable.index()].name);
  std::sort(result.begin(), result.end());
  return result;
}

const Decision& decision_of(const ModelPartition& p, const std::string& equation) {
  for (const Decision& decision : p.combined.decisions) {
    if (p.equations[decision.equation.index()].name == equation) return decision;
  }
  throw UsageError("no constraint " + equation);
}

Options at_times(std::vector<double> times) {
  Options options;
  options.check_stability = false;
  for (double t : times) options.points.push_back({t, {}});
  return options;
}

Model example_5_1() {
  Model m("simple");
  const Expr x = m.variable("x"), y = m.variable("y"), t = m.time();
  m.equation(der(x) + der(y) == cos(t));
  m.equation(sin(t) * x + t * y == t);
  return m;
}

TEST(Example51, is_undecided_at_the_start_and_decided_a_little_later) {
  const Model m = example_5_1();
  const ModelPartition start = partition_model(m, at_times({0}));
  EXPECT_EQ(start.given_index, Index::kUndecided);
  EXPECT_THAT(start.combined.index1, IsEmpty());

  const ModelPartition later = partition_model(m, at_times({0.01}));
  EXPECT_EQ(later.given_index, Index::kOne);
  EXPECT_THAT(names(later, later.combined.differential_equations), ElementsAre("f1"));
  EXPECT_THAT(names(later, later.combined.differential_variables), ElementsAre("y"));
  EXPECT_THAT(equations_of(later, later.combined.index1), ElementsAre("f2"));
  EXPECT_THAT(variables_of(later, later.combined.index1), ElementsAre("x"));
}

TEST(Example51, both_times_together_give_the_decided_answer) {
  const ModelPartition p = partition_model(example_5_1(), at_times({0, 0.01}));
  EXPECT_TRUE(p.combination.is_consistent);
  EXPECT_EQ(p.combined.t, 0.01);
  EXPECT_THAT(p.combination.singular_times, ElementsAre(0.0));
  EXPECT_EQ(p.given_index, Index::kOne);
}

TEST(Example52, stops_because_the_pencil_is_singular) {
  Model m("non_solvable");
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2"), t = m.time();
  m.equation(der(x1) + der(x2) == sin(t));
  m.equation(x1 + x2 == cos(t));
  const ModelPartition p = partition_model(m, at_times({0}));
  EXPECT_EQ(p.given_index, Index::kSingular);
  EXPECT_THAT(names(p, p.combined.pencil.dependent), ElementsAre("f1", "f2"));
  EXPECT_THAT(to_text(p), HasSubstr("stopped: the pencil"));
  EXPECT_THROW(make_subsystem(m, p), UsageError);
}

Model example_5_3() {
  Model m("general");
  const std::vector<Expr> x = m.variables("x", 5);
  const Expr t = m.time();
  m.equation(sin(x[1]) * der(x[0]) + cos(x[2]) * der(x[1]) + der(x[2]) + x[3] * x[0] +
                 23 * x[4] * x[1] ==
             0);
  m.equation(sqr(t) * x[1] + t * x[0] == 0);
  m.equation(sqr(x[0]) + sin(t) * x[2] * x[1] - cos(6 * t) == 0);
  m.equation(x[2] + x[4] == 0);
  m.equation(x[1] * x[3] + sin(0.5 * t) == 0);
  return m;
}

// The paper prints no point. At t = 0 the equations ask for x1 = 1 and, with x2 = 1, x4 = 0; at
// t = 0.001 for x1 = -t x2, x3 = (cos 6t - x1^2) / (x2 sin t), x4 = -sin(t/2) / x2, x5 = -x3.
TEST(Example53, two_times_give_their_lists_and_the_union) {
  const double t = 0.001, x1 = -t, x3 = (std::cos(6 * t) - x1 * x1) / std::sin(t);
  Options options = at_times({0, t});
  const auto values = [](double a, double b, double c, double d, double e) {
    return std::vector<StartOverride>{
        {"x[1]", a}, {"x[2]", b}, {"x[3]", c}, {"x[4]", d}, {"x[5]", e}};
  };
  options.points[0].values = values(1, 1, 0.5, 0, -0.5);
  options.points[1].values = values(x1, 1, x3, -std::sin(t / 2), -x3);
  const ModelPartition p = partition_model(example_5_3(), options);

  ASSERT_EQ(p.points.size(), 2u);
  for (const Partition& point : p.points) {
    EXPECT_THAT(names(p, point.differential_equations), ElementsAre("f1"));
    EXPECT_THAT(names(p, point.differential_variables), ElementsAre("x[3]"));
    EXPECT_THAT(point.index2, IsEmpty());
  }
  EXPECT_THAT(equations_of(p, p.points[0].index1), ElementsAre("f3", "f4", "f5"));
  EXPECT_THAT(variables_of(p, p.points[0].index1), ElementsAre("x[1]", "x[4]", "x[5]"));
  EXPECT_THAT(equations_of(p, p.points[1].index1), ElementsAre("f2", "f3", "f4", "f5"));
  EXPECT_THAT(variables_of(p, p.points[1].index1), ElementsAre("x[1]", "x[2]", "x[4]", "x[5]"));
  EXPECT_TRUE(p.combination.is_consistent);
  EXPECT_EQ(p.combination.deciding_point, 1u);
  EXPECT_THAT(equations_of(p, p.combined.index1), ElementsAre("f2", "f3", "f4", "f5"));
}

TEST(Example54, circuit_is_index_1_where_structure_says_2) {
  Model m("mna");
  const Expr v1 = m.variable("v1"), v3 = m.variable("v3"), i = m.variable("i");
  const Expr C = m.parameter("C", 2e-12), R = m.parameter("R", 10);
  m.equation(C * der(v1) - C * der(v3) - i == 0);
  m.equation(-C * der(v1) + C * der(v3) + v3 / R == 0);
  m.equation(-v1 == sin(m.time()));
  const ModelPartition p = partition_model(m);
  EXPECT_EQ(p.given_index, Index::kOne);
  EXPECT_EQ(p.local_index, 1);
  EXPECT_TRUE(p.combined.is_transformed());
  EXPECT_NEAR(p.combined.log_norms.final, -5e10, 1e-3);  // -1/(R C)
  EXPECT_TRUE(p.structural.is_applicable);
  EXPECT_EQ(p.structural.index, 2);
  EXPECT_FALSE(p.structural.agrees);
  EXPECT_THAT(p.structural.explanation,
              HasSubstr("`v1` and `v3` enter `f1` and `f2` with a matrix of rank 1"));
  EXPECT_EQ(make_subsystem(m, p).num_equations(), 3u);  // the whole block: its own equations
}

// Reissig, Martinson and Barton: index 1 for every k, structural index k + 1.
TEST(Example54, structure_may_exceed_the_local_index_by_any_number) {
  for (int k = 1; k <= 4; ++k) {
    Model m("reissig");
    const std::vector<Expr> x = m.variables("x", 2 * k + 1);
    for (int b = 0; b < k; ++b) {
      m.equation(der(x[2 * b + 1]) + der(x[2 * b + 2]) + x[2 * b] == m.time());
      m.equation(der(x[2 * b + 1]) + der(x[2 * b + 2]) + x[2 * b + 1] == 0);
    }
    m.equation(x[2 * k] == 0);
    const ModelPartition p = partition_model(m);
    EXPECT_EQ(p.given_index, Index::kOne) << k;
    EXPECT_EQ(p.structural.index, k + 1);
    EXPECT_FALSE(p.structural.agrees);
  }
}

TEST(Example55, equations_and_variables_of_index_1_are_the_printed_ones) {
  const Model m = find_problem("biphasic")->make_model();
  ASSERT_EQ(m.num_equations(), 63u);
  const ModelPartition p = partition_model(m);
  std::vector<int> equations, variables;
  for (const Pair& pair : p.combined.index1) {
    equations.push_back(static_cast<int>(pair.equation.index()) + 1);
    variables.push_back(static_cast<int>(pair.variable.index()) + 1);
  }
  EXPECT_THAT(equations, UnorderedElementsAre(1, 7, 13, 19, 25, 31, 37, 43, 49, 55)) << to_text(p);
  EXPECT_THAT(variables, UnorderedElementsAre(1, 6, 12, 18, 24, 30, 36, 42, 48, 54));
  EXPECT_THAT(p.combined.index2, IsEmpty());
  EXPECT_EQ(p.combined.differential_equations.size(), 53u);
  EXPECT_EQ(p.given_index, Index::kOne);
  // Strains and volume fractions act on nothing at rest: with these states the norm cannot be
  // negative.
  ASSERT_TRUE(p.combined.log_norms.without_quadratures.has_value());
  EXPECT_LT(*p.combined.log_norms.without_quadratures, 0);
}

// (22a)-(22h) with the constants that the printed norms imply; C1, C2, C3, J are not printed.
Model crane() { return find_problem("crane_path")->make_model(); }

// At the printed initial values, which do not lie on the path.
Options crane_options() {
  Options options;
  options.tolerance0 = 0;
  options.inputs = {"u1", "u2"};
  options.candidates = std::vector<std::string>{"f5", "f6"};
  options.points = {{0,
                     {{"d", 1},
                      {"der(d)", 2.7},
                      {"r", std::hypot(2, 21)},
                      {"der(r)", -2},
                      {"theta", std::atan(2.0 / 21)},
                      {"tau", 980}}}};
  return options;
}

TEST(Example56, log_norms_of_the_crane_are_the_printed_ones) {
  const ModelPartition p = partition_model(crane(), crane_options());
  EXPECT_NEAR(p.combined.log_norms.ode, 0.5, 1e-12);
  EXPECT_NEAR(p.combined.log_norms.limit, 2.5, 1e-12);  // TOL = 20 over 8 time units
  const Decision& angle = decision_of(p, "f5");
  EXPECT_EQ(angle.outcome, Outcome::kIndex1);
  EXPECT_EQ(p.variables[angle.variable.index()].name, "theta");
  EXPECT_NEAR(angle.attempts.back().stability.estimate, 0.82794, 5e-6);
}

TEST(Example56, cable_constraint_is_index_3_and_index_2_after_one_differentiation) {
  Options options = crane_options();
  options.max_differentiations = 0;
  const ModelPartition given = partition_model(crane(), options);
  EXPECT_EQ(decision_of(given, "f6").outcome, Outcome::kHigherIndex);
  EXPECT_EQ(given.given_index, Index::kHigher);
  EXPECT_EQ(given.local_index, 3);
  EXPECT_EQ(given.structural.index, 3);
  EXPECT_THAT(given.combined.index2, IsEmpty());

  const ModelPartition p = partition_model(crane(), crane_options());
  const Decision& cable = decision_of(p, "der(f6)");
  EXPECT_EQ(cable.outcome, Outcome::kIndex2);
  EXPECT_EQ(p.variables[cable.variable.index()].name, "tau");
  EXPECT_EQ(p.equations[cable.equation.index()].differentiations, 1);
  // The paper adds the increase of (19) to 0.82794; here it is added to the exact norm.
  const Stability& stability = cable.attempts.back().stability;
  EXPECT_NEAR(stability.estimate - stability.before, 1.61502 - 0.82794, 1e-4);
  EXPECT_LT(p.combined.log_norms.final, p.combined.log_norms.limit);
  EXPECT_EQ(p.given_index, Index::kHigher);
}

// The constants that all printed norms imply together: with C1 = 0 and C3 = 1, 1.61502 and 1.09717
// give J = 109.65 and C2 = 6.590 J (docs/math/partition.md).
TEST(Example56, one_set_of_constants_gives_all_printed_norms) {
  Model m = crane();
  m.set_parameter(*m.find_parameter("J"), 109.6475);
  m.set_parameter(*m.find_parameter("C2"), 6.590479 * 109.6475);
  const ModelPartition p = partition_model(m, crane_options());
  EXPECT_NEAR(p.combined.log_norms.ode, 0.5, 1e-12);
  const double with_angle = decision_of(p, "f5").attempts.back().stability.estimate;
  EXPECT_NEAR(with_angle, 0.82794, 5e-6);
  const Stability& cable = decision_of(p, "der(f6)").attempts.back().stability;
  EXPECT_NEAR(with_angle + cable.estimate - cable.before, 1.61502, 5e-6);
  EXPECT_NEAR(p.combined.log_norms.in_all_directions.value(), 1.09717, 5e-6);
  EXPECT_LT(p.combined.log_norms.final, *p.combined.log_norms.in_all_directions);
}

// All constraints, controls free: the load follows its path with index 5. Accepted are (22f) once,
// one path constraint twice (index 1 with tau) and the other three times (index 2 with a control).
TEST(Example56, whole_path_following_crane_is_taken_after_differentiations) {
  Options options;
  options.check_stability = false;
  options.points = crane_options().points;
  const ModelPartition p = partition_model(crane(), options);
  EXPECT_EQ(p.local_index, 5);
  EXPECT_EQ(p.structural.index, 5);
  std::vector<int> times;
  for (const SystemEquation& row : p.equations) {
    if (row.kind == SystemEquation::Kind::kGiven) times.push_back(row.differentiations);
  }
  EXPECT_THAT(times, testing::AnyOf(ElementsAre(0, 0, 0, 0, 0, 1, 2, 3),
                                    ElementsAre(0, 0, 0, 0, 0, 1, 3, 2)));
  for (const Decision& decision : p.combined.decisions) EXPECT_TRUE(decision.variable.is_valid());
}

// x' = y, y' = s, 0 = x - t: s appears after two differentiations; one makes it index 2.
TEST(Differentiation, pendulum_gives_its_velocity_constraint) {
  Model m("pendulum");
  const Expr x = m.variable("x"), y = m.variable("y"), l = m.variable("lambda");
  m.equation(der(x, 2) + l * x == 0);
  m.equation(der(y, 2) + l * y + 9.81 == 0);
  m.equation(x * x + y * y == 1);
  m.start(x, 0.6), m.start(y, -0.8), m.start(der(x), 0.4), m.start(der(y), 0.3), m.start(l, 1);
  Options options;
  options.check_stability = false;
  const ModelPartition p = partition_model(m, options);
  EXPECT_EQ(p.local_index, 3);
  const Decision& velocity = decision_of(p, "der(f3)");
  EXPECT_EQ(velocity.outcome, Outcome::kIndex2);
  // d/dt (x^2 + y^2) = 2 x u + 2 y v; the columns of lambda are -x, -y: C_2 T = -2 (x^2 + y^2).
  EXPECT_NEAR(std::abs(velocity.attempts.back().pivot), 2, 1e-12);
}

// The mass matrix couples both accelerations, so that no formula for one of them is at hand.
TEST(Differentiation, coupled_mass_matrix_goes_through_auxiliary_derivatives) {
  Model m("coupled");
  const Expr x = m.variable("x"), y = m.variable("y"), s = m.variable("s");
  m.equation(2 * der(x) + der(y) == s - x);
  m.equation(der(x) + der(y) == y);
  m.equation(x - y == sin(m.time()));  // x' - y': (2 1; 1 1)^-1 = (1 -1; -1 2): (s-x) 2 - 3 y
  m.start(x, 0.5), m.start(y, 0.5), m.start(s, 0.1);
  Options options;
  options.check_stability = false;
  const ModelPartition given = partition_model(m, options);
  EXPECT_EQ(given.given_index, Index::kTwo);  // nothing to differentiate
  EXPECT_FALSE(given.is_differentiated());

  // One integrator more: s' = w, and w is what the constraint must determine.
  const Expr w = m.variable("w");
  m.equation(der(s) == w);
  const ModelPartition p = partition_model(m, options);
  EXPECT_EQ(p.local_index, 3);
  const Decision& constraint = decision_of(p, "der(f3)");
  EXPECT_EQ(constraint.outcome, Outcome::kIndex2);
  // der(f3) = p - q - cos t with p, q eliminated: 2 (s - x) - 3 y; C_2 T = d/ds = 2.
  EXPECT_NEAR(constraint.attempts.back().pivot, 2, 1e-12);
}

// v is given by v^3 + v = x only implicitly; the constraint v = t needs v' = x' / (3 v^2 + 1).
TEST(Differentiation, implicit_index_1_variable_is_differentiated_with_its_constraint) {
  Model m("implicit");
  const Expr x = m.variable("x"), y = m.variable("y"), v = m.variable("v"), s = m.variable("s");
  m.equation(der(x) == y);
  m.equation(der(y) == s);
  m.equation(pow(v, 3) + v == x);
  m.equation(sin(v) + v == m.time());
  m.start(x, 10), m.start(y, 1), m.start(v, 2), m.start(s, 0);
  Options options;
  options.check_stability = false;
  const ModelPartition p = partition_model(m, options);
  EXPECT_EQ(p.local_index, 3);
  for (const Decision& decision : p.combined.decisions) EXPECT_TRUE(decision.variable.is_valid());
  const Decision& constraint = decision_of(p, "der(f4)");
  EXPECT_EQ(constraint.outcome, Outcome::kIndex2);
  // (cos v + 1) v' with v' = y / (3 v^2 + 1): C_2 T = (cos 2 + 1) / 13.
  EXPECT_NEAR(std::abs(constraint.attempts.back().pivot), (std::cos(2.0) + 1) / 13, 1e-12);
}

// Each cable length hangs on the tension of the pendulum above: index 2 n + 1. Every constraint is
// needed twice differentiated in the end, and holds derivatives of the tensions above it.
TEST(Differentiation, chain_of_pendula_is_taken_whole) {
  for (int n : {2, 3}) {
    const Model m = find_problem("chained_pendula(" + std::to_string(n) + ")")->make_model();
    Options options;
    options.check_stability = false;
    const ModelPartition p = partition_model(m, options);
    EXPECT_EQ(p.local_index, 2 * n + 1);
    EXPECT_TRUE(p.combined.pencil.is_regular) << to_text(p);
    for (const Decision& decision : p.combined.decisions) {
      EXPECT_TRUE(decision.variable.is_valid()) << to_text(p);
    }
    for (VarId j : ids<VarId>(p.variables.size())) {
      EXPECT_NE(p.combined.variable_roles[j], Role::kOutside) << p.variables[j.index()].name;
    }
  }
}

// At the start the load hangs below the trolley and a derivative of the tension has a factor zero;
// a little later it has not. It must be determined all the same, not given.
TEST(Differentiation, derivatives_with_a_zero_factor_are_determined_too) {
  const Model m = find_problem("crane_servo")->make_model();
  Options options;
  options.check_stability = false;
  const ModelPartition p = partition_model(m, options);
  EXPECT_EQ(p.local_index, 5);
  for (VarId j : ids<VarId>(p.variables.size())) {
    EXPECT_NE(p.combined.variable_roles[j], Role::kOutside) << to_text(p);
  }
}

TEST(Differentiation, stops_at_the_limit_and_leaves_the_constraint_as_given) {
  Model m("chain");
  const std::vector<Expr> x = m.variables("x", 4);
  for (int i = 0; i < 3; ++i) m.equation(der(x[i]) == x[i + 1]);
  m.equation(x[0] == sin(m.time()));  // x4 appears after three differentiations: index 4
  Options options;
  options.check_stability = false;
  const ModelPartition free = partition_model(m, options);
  EXPECT_EQ(free.local_index, 4);
  EXPECT_EQ(decision_of(free, "der(f4, 2)").outcome, Outcome::kIndex2);
  options.max_differentiations = 1;
  const ModelPartition limited = partition_model(m, options);
  EXPECT_EQ(decision_of(limited, "f4").outcome, Outcome::kHigherIndex);
  EXPECT_FALSE(limited.is_differentiated());
}

TEST(PartitionOptions, unknown_names_are_refused_with_the_nearest) {
  Options options;
  options.inputs = {"thetta"};
  try {
    partition_model(crane(), options);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no variable `thetta`; near: `theta`"));
  }
  options = {};
  options.must_include = {"f99"};
  EXPECT_THROW(partition_model(crane(), options), UsageError);
}

// x' = x + 100 v, 0 = v - x: the constraint turns growth 1 into 101.
TEST(PartitionOptions, must_include_overrides_stability) {
  Model m("unstable");
  const Expr x = m.variable("x"), v = m.variable("v");
  m.equation(der(x) == x + 100 * v);
  m.equation(v - x == 0);
  const ModelPartition refused = partition_model(m);
  EXPECT_EQ(decision_of(refused, "f2").outcome, Outcome::kUnstable);
  EXPECT_THAT(to_text(refused), HasSubstr("index 1, but not stable enough"));
  Options options;
  options.must_include = {"f2"};
  const ModelPartition taken = partition_model(m, options);
  EXPECT_EQ(decision_of(taken, "f2").outcome, Outcome::kIndex1);
  EXPECT_NEAR(taken.combined.log_norms.final, 101, 1e-9);
}

TEST(PartitionPoint, undefined_equations_are_an_error_that_shows_the_term) {
  Model m("undefined");
  const Expr x = m.variable("x"), v = m.variable("v");
  m.equation(der(x) == v);
  m.equation(log(x) == v);
  try {
    partition_model(m);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().items().front().code, "undefined-point");
    EXPECT_THAT(error.what(), HasSubstr("log(x)"));
  }
}

TEST(PartitionPoint, consistent_source_initializes_first) {
  Model m("consistent");
  const Expr x = m.variable("x"), v = m.variable("v");
  m.equation(der(x) == -v);
  m.equation(v * v == x);
  m.fix(x, 4), m.start(v, 1);
  Options options;
  const ModelPartition raw = partition_model(m, options);
  EXPECT_NEAR(decision_of(raw, "f2").attempts.back().pivot, 2, 1e-9);  // 2 v at v = 1
  options.source = PointSource::kConsistent;
  const ModelPartition p = partition_model(m, options);
  EXPECT_NEAR(decision_of(p, "f2").attempts.back().pivot, 4, 1e-9);  // at v = 2
}

TEST(Subsystem, of_the_crane_holds_the_controls_and_keeps_the_cable_constraint_initially) {
  const Model m = crane();
  const ModelPartition p = partition_model(m, crane_options());
  const Model sub = make_subsystem(m, p);
  EXPECT_EQ(sub.num_equations(), sub.num_variables());
  EXPECT_EQ(sub.num_equations(), 10u);  // 8 differential, theta, tau
  EXPECT_TRUE(sub.find_parameter("u1").has_value());
  EXPECT_TRUE(sub.find_variable("x_der").has_value());
  EXPECT_FALSE(sub.find_variable("u2").has_value());
  ASSERT_EQ(sub.initial_equations().size(), 1u);
  // Eight differential variables, and the cable constraint with its derivative between them.
  int num_fixed = 0;
  for (const Variable& variable : sub.all_variables()) num_fixed += variable.starts[0].fixed;
  EXPECT_EQ(num_fixed, 6);
  EXPECT_EQ(sub.to_string(sub.initial_equations()[0].lhs), "r^2 - ((x - d)^2 + z^2)");
}

}  // namespace
}  // namespace hydae::partition

#include <hydae/compiled_model.h>
#include <hydae/contact.h>
#include <hydae/error.h>
#include <hydae/initialize.h>

#include "sim/run_testing.h"

namespace hydae {
namespace {

// A ball that bounces, a signal that slides at its limit, a delayed signal, a counter.
Model bouncing_model() {
  Model m("bouncing");
  const Expr h = m.variable("h"), v = m.variable("v"), s = m.variable("s"), n = integer(m, "n", 0);
  const Expr e = m.parameter("e", 0.9), limit = m.parameter("limit", 0.3), g = m.parameter("g", 10);
  const Expr drag = m.parameter("drag", 0.1);
  m.equation(der(h) == v);
  m.equation(der(v) == -g - drag * v);
  m.equation(der(s) == select(s > limit, -1, 1) + 0.2 * sin(m.time()));
  m.when(when({h < 0}, {reinit(v, -e * pre(v)), assign(n, pre(n) + 1)}));
  m.fix(h, 1), m.fix(v, 0), m.fix(s, 0);
  return m;
}

Model with_values(Model model, const std::vector<ParameterOverride>& parameters) {
  for (const ParameterOverride& given : parameters)
    model.set_parameter(*model.find_parameter(given.parameter), given.value);
  return model;
}

SimulateOptions options_with(std::vector<ParameterOverride> parameters,
                             Solver solver = Solver::kAuto) {
  SimulateOptions options;
  options.stop = 2;
  options.points = 11;
  options.solver = solver;
  options.parameters = std::move(parameters);
  return options;
}

// All rows, bit by bit.
void expect_same_rows(const Simulation& a, const Simulation& b) {
  ASSERT_EQ(a.summary.message, b.summary.message);
  EXPECT_EQ(a.summary.steps, b.summary.steps);
  ASSERT_EQ(a.trajectory.num_rows(), b.trajectory.num_rows());
  for (const Column& column : a.trajectory.columns())
    EXPECT_EQ(a.trajectory.series(column.name), b.trajectory.series(column.name)) << column.name;
}

TEST(CompiledModel, runs_with_other_values_repeat_no_analysis) {
  const Model model = bouncing_model();
  for (const Solver solver : {Solver::kTaylor, Solver::kIda, Solver::kAuto}) {
    const CompiledModel compiled(model);
    simulate(compiled, options_with({}, solver));
    const CompiledModel::Counters first = compiled.counters();
    EXPECT_EQ(first.forms, 1);
    EXPECT_GT(first.modes, 0);
    SimulateOptions other = options_with({{"e", 0.8}, {"g", 9.81}}, solver);
    other.start_values = {{"h", 1.5, true}, {"v", 0.1, true}};
    const Simulation simulation = simulate(compiled, other);
    EXPECT_EQ(simulation.summary.message, "");
    const CompiledModel::Counters second = compiled.counters();
    EXPECT_EQ(second.modes, first.modes);
    EXPECT_EQ(second.forms, 1);
  }
}

TEST(CompiledModel, has_the_results_of_the_model_bit_by_bit_whatever_ran_before) {
  const Model model = bouncing_model();
  const std::vector<std::vector<ParameterOverride>> cases = {
      {}, {{"e", 0.5}}, {{"drag", 0}}, {{"limit", 0}}, {{"limit", -0.5}, {"g", 3}}, {{"drag", 1}}};
  for (const Solver solver : {Solver::kTaylor, Solver::kIda}) {
    const CompiledModel compiled(model);
    for (int round = 0; round < 2; ++round)
      for (const auto& values : cases)
        expect_same_rows(simulate(compiled, options_with(values, solver)),
                         simulate(with_values(model, values), options_with({}, solver)));
    // drag = 0 and limit = 0 change what is there; all other values share one form.
    EXPECT_EQ(compiled.counters().forms, 3);
  }
}

// y + a z = 1 and y + b z = 1 + x determine y and z unless a = b.
TEST(CompiledModel, a_parameter_that_makes_the_equations_singular_is_noticed) {
  Model m("pair");
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  const Expr a = m.parameter("a", 2), b = m.parameter("b", 1);
  m.equation(der(x) == y);
  m.equation(y + a * z == 1);
  m.equation(y + b * z == 1 + x);
  m.fix(x, 1);
  const CompiledModel compiled(m);
  // z = x / (b - a), y = 1 - a x / (b - a) = 1 + 2 x: x = (3 e^(2t) - 1) / 2
  const Simulation regular = simulate(compiled, options_with({}));
  EXPECT_NEAR(final_value(regular, "x"), (3 * std::exp(4.0) - 1) / 2, 1e-3);
  // a = b: x = 0 is a constraint that the start value contradicts.
  const SimulateOptions equal = options_with({{"a", 1}});
  const auto outcome = [&](const auto& what, const SimulateOptions& options) {
    try {
      return simulate(what, options).summary.message;
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(outcome(compiled, equal), outcome(with_values(m, equal.parameters), options_with({})));
  expect_same_rows(simulate(compiled, options_with({})), regular);
}

TEST(CompiledModel, numbers_of_contacts_are_those_of_the_run) {
  Model m("ball");
  const Expr h = m.variable("h"), e = m.parameter("e", 0.5), force = m.variable("force");
  m.equation(der(h, 2) == force - 10);
  m.fix(h, 1.25), m.fix(der(h), 0);
  add_contact(m, {.name = "floor", .gap = h, .force = force, .restitution = e});
  const CompiledModel compiled(m);
  for (double restitution : {0.5, 0.8, 0.0}) {
    SimulateOptions options = options_with({{"e", restitution}});
    options.stop = 0.6;  // the ball arrives at t = 0.5 with a speed of 5
    const Simulation simulation = simulate(compiled, options);
    ASSERT_EQ(simulation.summary.message, "");
    const double left = restitution == 0 ? 0 : 5 * restitution - 1;
    EXPECT_NEAR(final_value(simulation, "der(h)"), left, 1e-9);
  }
  EXPECT_LE(compiled.counters().forms, 2);
  EXPECT_THROW(simulate(compiled, options_with({{"e", 2}})), ModelError);
}

TEST(CompiledModel, does_not_depend_on_the_model_it_was_made_from) {
  auto model = std::make_unique<Model>(bouncing_model());
  const Simulation before = simulate(*model, options_with({}));
  const CompiledModel compiled(*model);
  model->equation(model->variable("later") == model->time());
  model.reset();
  const CompiledModel copy = compiled;
  expect_same_rows(simulate(copy, options_with({})), before);
}

TEST(CompiledModel, refuses_parameters_that_cannot_be_set) {
  Model model = bouncing_model();
  model.parameter("twice", 2 * model.parameter("once", 1));
  const CompiledModel compiled(model);
  EXPECT_THROW(simulate(compiled, options_with({{"none", 1}})), UsageError);
  EXPECT_THROW(simulate(compiled, options_with({{"twice", 1}})), UsageError);
}

TEST(Simulate, adds_nothing_to_the_graph_of_the_model) {
  const Model model = bouncing_model();
  const std::size_t size = model.graph().size();
  for (const Solver solver : {Solver::kTaylor, Solver::kIda, Solver::kAuto})
    EXPECT_TRUE(simulate(model, options_with({}, solver)).summary.succeeded());
  EXPECT_EQ(initialize(model).status, "success");
  EXPECT_EQ(model.graph().size(), size);
}

}  // namespace
}  // namespace hydae

// Published start values are consistent, published results satisfy the equations, both to the
// accuracy that is claimed.
#include <gtest/gtest.h>

#include "problems/residuals.h"

namespace hydae {
namespace {

using namespace problems;

// Start values where they are given, else the exact solution.
KnownValues from_start(const Problem& problem, const Model& model) {
  return [&](Leaf leaf) -> std::optional<Known> {
    const Variable& variable = model.all_variables()[leaf.variable];
    for (const StartValue& start : variable.starts)
      if (start.order == leaf.order) return Known{start_value(model, start), 0};
    if (!problem.has_exact()) return std::nullopt;
    return Known{problem.exact(variable.name, leaf.order, *model.experiment.start_time), 0};
  };
}

double tolerance(const Problem& problem, const Residual& residual) {
  const double accuracy = *problem.start_accuracy();
  return accuracy * (1 + residual.scale()) + 20 * kEpsilon * residual.scale();
}

// f, f', ..., f^(c-1) of every equation that the analysis differentiates c times must vanish; where
// the analysis fails, that much is necessary too.
TEST(Start, values_satisfy_constraints_and_hidden_constraints) {
  int checked = 0;
  for (const Problem* problem : all_problems()) {
    if (!problem->start_accuracy() || problem->structure().c.empty()) continue;
    const Model model = problem->make_model();
    for (EqId equation : ids<EqId>(model.num_equations())) {
      for (int times = 0; times < problem->structure().c[equation.index()]; ++times) {
        const auto residual = residual_at(model, equation, times, *model.experiment.start_time,
                                          from_start(*problem, model));
        ASSERT_TRUE(residual) << problem->name() << " " << model.equations()[equation].name
                              << " differentiated " << times << " times";
        EXPECT_LE(std::abs(residual->value), tolerance(*problem, *residual))
            << problem->name() << " " << model.equations()[equation].name << " differentiated "
            << times << " times";
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 60);
}

// Equations whose leading derivatives have start values too.
TEST(Start, values_satisfy_the_equations_where_they_are_complete) {
  int checked = 0;
  for (const Problem* problem : all_problems()) {
    if (!problem->start_accuracy() || problem->kind() == ProblemKind::kHybrid) continue;
    const Model model = problem->make_model();
    for (EqId equation : ids<EqId>(model.num_equations())) {
      const auto residual = residual_at(model, equation, 0, *model.experiment.start_time,
                                        from_start(*problem, model));
      if (!residual) continue;
      EXPECT_LE(std::abs(residual->value), tolerance(*problem, *residual))
          << problem->name() << " " << model.equations()[equation].name;
      ++checked;
    }
  }
  EXPECT_GT(checked, 100);
}

KnownValues from_references(const Problem& problem, const Model& model, double t, Limit limit) {
  return [&problem, &model, t, limit](Leaf leaf) -> std::optional<Known> {
    const std::string& name = model.all_variables()[leaf.variable].name;
    for (const Reference& reference : problem.references())
      if (reference.t == t && reference.limit == limit)
        for (const ReferenceValue& value : reference.values)
          if (value.variable == name && value.order == leaf.order)
            return Known{value.value, value.accuracy};
    return std::nullopt;
  };
}

TEST(References, satisfy_every_equation_they_cover) {
  int checked = 0;
  for (const Problem* problem : all_problems()) {
    const Model model = problem->make_model();
    for (const Reference& reference : problem->references()) {
      for (EqId equation : ids<EqId>(model.num_equations())) {
        const auto residual =
            residual_at(model, equation, 0, reference.t,
                        from_references(*problem, model, reference.t, reference.limit));
        if (!residual) continue;
        EXPECT_LE(std::abs(residual->value),
                  residual->from_accuracy() + 20 * kEpsilon * residual->scale())
            << problem->name() << " " << model.equations()[equation].name << " at " << reference.t;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 60);
}

TEST(References, name_variables_of_the_model_and_lie_in_the_interval) {
  for (const Problem* problem : all_problems()) {
    const Model model = problem->make_model();
    for (const Reference& reference : problem->references()) {
      EXPECT_GE(reference.t, *model.experiment.start_time) << problem->name();
      EXPECT_LE(reference.t, *model.experiment.stop_time) << problem->name();
      EXPECT_FALSE(reference.source.empty()) << problem->name();
      for (const ReferenceValue& value : reference.values)
        EXPECT_TRUE(model.find_variable(value.variable))
            << problem->name() << " " << value.variable;
    }
    for (const KnownEvent& event : problem->events())
      for (const KnownImpulse& impulse : event.impulses)
        EXPECT_TRUE(model.find_variable(impulse.variable)) << problem->name() << impulse.variable;
  }
}

}  // namespace
}  // namespace hydae

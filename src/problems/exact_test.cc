// Exact solutions satisfy the equations to rounding; start values and references agree with them;
// impulses balance.
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "problems/residuals.h"

namespace hydae {
namespace {

using namespace problems;

double before(double t) { return std::nextafter(t, -1e300); }
double after(double t) { return std::nextafter(t, 1e300); }

// Points of the interval that keep away from events.
std::vector<double> sample_times(const Problem& problem, const Model& model) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(*model.experiment.start_time,
                                                 *model.experiment.stop_time);
  std::vector<double> times;
  while (times.size() < 20) {
    const double t = uniform(random);
    const auto is_near = [&](const KnownEvent& event) { return std::abs(event.t - t) < 1e-9; };
    if (std::none_of(problem.events().begin(), problem.events().end(), is_near)) times.push_back(t);
  }
  return times;
}

KnownValues from_exact(const Model& model, const ExactSolution& exact, double t) {
  return [&model, &exact, t](Leaf leaf) -> std::optional<Known> {
    const std::string& name = model.all_variables()[leaf.variable].name;
    if (!exact.has(name)) return std::nullopt;
    return Known{exact.value(name, leaf.order, t), 0};
  };
}

template <class F>
int for_each_exact(F&& f) {
  int count = 0;
  for (const Problem* problem : all_problems()) {
    if (!problem->has_exact()) continue;
    SCOPED_TRACE(problem->name());
    f(*problem, problem->make_model(), problem->exact_solution());
    ++count;
  }
  return count;
}

TEST(Exact, covers_all_variables) {
  const int count =
      for_each_exact([](const Problem&, const Model& model, const ExactSolution& exact) {
        for (const Variable& variable : model.all_variables())
          EXPECT_TRUE(exact.has(variable.name));
        EXPECT_EQ(exact.variables().size(), model.num_variables());
      });
  EXPECT_GT(count, 30);
}

// Values are rounded, where they are differences of larger numbers (the motor current of
// clutch_motor) by up to some hundred units in the last place.
TEST(Exact, satisfies_the_equations_to_rounding) {
  for_each_exact([](const Problem& problem, const Model& model, const ExactSolution& exact) {
    for (double t : sample_times(problem, model)) {
      for (EqId equation : ids<EqId>(model.num_equations())) {
        const auto residual = residual_at(model, equation, 0, t, from_exact(model, exact, t));
        ASSERT_TRUE(residual);
        EXPECT_LE(std::abs(residual->value), 1000 * kEpsilon * residual->scale())
            << model.equations()[equation].name << " at " << t;
      }
    }
  });
}

TEST(Exact, agrees_with_the_start_values) {
  for_each_exact([](const Problem& problem, const Model& model, const ExactSolution& exact) {
    const double t0 = *model.experiment.start_time;
    for (const Variable& variable : model.all_variables()) {
      for (const StartValue& start : variable.starts) {
        if (!start.fixed && !problem.start_accuracy()) continue;  // a rough guess
        const double value = exact.value(variable.name, start.order, t0);
        EXPECT_NEAR(start_value(model, start), value, 1e-12 * std::max(1.0, std::abs(value)))
            << variable.name << " order " << start.order;
      }
    }
  });
}

TEST(Exact, agrees_with_the_reference_values) {
  int count = 0;
  for_each_exact([&](const Problem& problem, const Model&, const ExactSolution& exact) {
    for (const Reference& reference : problem.references()) {
      const double t = reference.limit == Limit::kLeft ? before(reference.t) : reference.t;
      for (const ReferenceValue& value : reference.values) {
        const double truth = exact.value(value.variable, value.order, t);
        const double rounding = 5e-15 * std::max(1.0, std::abs(truth));
        EXPECT_NEAR(value.value, truth, value.accuracy + rounding) << value.variable << " at " << t;
        ++count;
      }
    }
  });
  EXPECT_GT(count, 30);
}

// Coefficient of delta^(q) in the derivative of order k of a variable at an event: a derivative of
// its jump while q < k, otherwise one of its own impulses.
double delta_coefficient(const KnownEvent& event, const ExactSolution& exact,
                         const std::string& variable, int k, int q) {
  if (q < k)
    return exact.value(variable, k - 1 - q, after(event.t)) -
           exact.value(variable, k - 1 - q, before(event.t));
  for (const KnownImpulse& impulse : event.impulses)
    if (impulse.variable == variable && impulse.order == q - k) return impulse.weight;
  return 0;
}

// In every equation the coefficients of delta, delta', ... cancel: sum over its leaves of the
// coefficient, times the partial derivative in the mode after the event.
TEST(Exact, jumps_and_impulses_balance_in_every_equation) {
  int count = 0;
  for_each_exact([&](const Problem& problem, const Model& model, const ExactSolution& exact) {
    if (problem.name() == "exact_differential") return;  // its coefficient jumps too: see below
    if (!model.when_clauses().empty()) return;           // jumps made by reinit are no solution
    for (const KnownEvent& event : problem.events()) {
      const double t = after(event.t);
      for (EqId equation : ids<EqId>(model.num_equations())) {
        const auto residual = residual_at(model, equation, 0, t, from_exact(model, exact, t));
        ASSERT_TRUE(residual);
        for (int q = 0; q < 5; ++q) {
          double sum = 0, scale = 1;
          for (const auto& [leaf, at, partial] : residual->terms) {
            const std::string& name = model.all_variables()[leaf.variable].name;
            const double term = partial * delta_coefficient(event, exact, name, leaf.order, q);
            sum += term;
            scale += std::abs(term);
          }
          EXPECT_NEAR(sum, 0, 1e-13 * scale) << model.equations()[equation].name << ", delta " << q;
          ++count;
        }
      }
    }
  });
  EXPECT_GT(count, 100);
}

// Integral of 3 x^2 x' over the jump from 1 to 3 is 3^3 - 1^3.
TEST(Exact, impulse_of_an_exact_differential_is_the_difference_of_its_integral) {
  const auto problem = find_problem("exact_differential");
  EXPECT_EQ(problem->events()[0].impulses[0].weight, 27 - 1);
}

}  // namespace
}  // namespace hydae

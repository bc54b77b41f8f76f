// Every problem of the library that has an exact solution or published values, simulated from its
// start values and compared with them.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "compile/start_values.h"
#include "test/analytic/reference_error.h"

namespace hydae {
namespace {

// Stiff problems: a non-stiff method would take millions of steps.
bool is_stiff(const std::string& name) {
  static const char* const kStiff[] = {"vdpol", "robertson", "ring_modulator",
                                       "ring_modulator_stiff", "rectifier_bridge"};
  return std::find(std::begin(kStiff), std::end(kStiff), name) != std::end(kStiff);
}

bool is_smooth(const Problem& problem) {
  return problem.kind() == ProblemKind::kOde || problem.kind() == ProblemKind::kDae;
}

constexpr double kTolerance = 1e-12;
// Local errors add up along the way: what is left of ten digits at this tolerance.
constexpr double kAllowance = 100 * kTolerance;

// How much the known values move when start values do, by known value: the sum over all fixed start
// values s of |change| / (relative change of s). Computed from runs with s (1 + 1e-9), a size at
// which the solution is still linear in the perturbation and 1000 times above the tolerance.
std::vector<double> condition_numbers(const Problem& problem, const std::vector<KnownValue>& known,
                                      const Trajectory& trajectory) {
  constexpr double kPerturbation = 1e-9;
  std::vector<double> sums(known.size(), 0.0);
  const Model model = problem.make_model();
  const std::vector<double> parameters = model.parameter_values();
  for (VarId id : ids<VarId>(model.num_variables())) {
    const Variable& variable = model.all_variables()[id];
    for (const StartValue& start : variable.starts) {
      const double value = start_value(model, {id, start.order}, parameters).value_or(0.0);
      if (!start.fixed || value == 0) continue;
      SimulateOptions options = at_tolerance(problem, kTolerance);
      options.start_values = {
          {derivative_name(variable.name, start.order), value * (1 + kPerturbation), true}};
      const Simulation moved = simulate(model, options);
      if (!moved.summary.succeeded()) continue;
      for (std::size_t k = 0; k < known.size(); ++k)
        sums[k] += std::abs(value_at(moved.trajectory, known[k].t, known[k].column) -
                            value_at(trajectory, known[k].t, known[k].column)) /
                   kPerturbation;
    }
  }
  return sums;
}

class ReferenceTest : public ::testing::TestWithParam<const Problem*> {};

// At tolerance 1e-12 ten digits of every quantity must be right, relative to the larger of the
// value and one, as far as the reference itself is. Where the problem itself multiplies errors
// (close encounters, chaos, 10^4 years) the same holds for its data: the error is at most what a
// relative change of the start values by 1e-10 does.
TEST_P(ReferenceTest, ten_digits_at_tolerance_1e_12) {
  const Problem& problem = *GetParam();
  const Simulation run = simulate(problem.make_model(), at_tolerance(problem, kTolerance));
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  const std::vector<KnownValue> known = known_values(problem, run.trajectory);
  ASSERT_FALSE(known.empty());
  std::vector<double> conditions;  // computed when they are needed
  for (std::size_t k = 0; k < known.size(); ++k) {
    const KnownValue& value = known[k];
    const double error = std::abs(value_at(run.trajectory, value.t, value.column) - value.value);
    double allowed = value.accuracy + kAllowance * std::max(1.0, std::abs(value.value));
    if (!(error <= allowed)) {
      if (conditions.empty()) conditions = condition_numbers(problem, known, run.trajectory);
      allowed = value.accuracy + kAllowance * conditions[k];
    }
    EXPECT_LE(error, allowed) << value.column << " at " << value.t;
  }
}

std::vector<const Problem*> problems_with_references() {
  std::vector<const Problem*> list;
  for (const Problem* problem : all_problems())
    if (is_smooth(*problem) && !is_stiff(problem->name()) &&
        (problem->has_exact() || !problem->references().empty()))
      list.push_back(problem);
  return list;
}

std::string test_name(const ::testing::TestParamInfo<const Problem*>& instance) {
  std::string name = instance.param->full_name();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Problems, ReferenceTest, ::testing::ValuesIn(problems_with_references()),
                         test_name);

// No false alarm: none of these solutions has a singularity on the real axis within twice its
// interval, except those named here.
class SmoothSolutionTest : public ::testing::TestWithParam<const Problem*> {};

TEST_P(SmoothSolutionTest, has_no_singularity_ahead) {
  const Problem& problem = *GetParam();
  if (problem.name() == "robot_arm") return;  // see robot_arm_test
  for (double tolerance : {1e-4, 1e-6, 1e-9}) {
    const Simulation run = simulate(problem.make_model(), at_tolerance(problem, tolerance));
    ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
    EXPECT_FALSE(run.summary.singularity)
        << "at tolerance " << tolerance << ": t = " << run.summary.singularity->t << ", "
        << run.summary.singularity->variable;
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, SmoothSolutionTest,
                         ::testing::ValuesIn(problems_with_references()), test_name);

}  // namespace
}  // namespace hydae

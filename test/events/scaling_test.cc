// Nothing is decided by absolute size: every hybrid problem of the library in other units of time,
// of every variable, equation and relation has the same events. HYDAE_SCALINGS: number of random
// units for each problem; HYDAE_SCALINGS_SEED: of the first; HYDAE_SCALINGS_OF: one problem only.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include <hydae/error.h>
#include <hydae/problems.h>
#include <hydae/simulate.h>

#include "test/events/scaled_model.h"
#include "test/from_environment.h"

namespace hydae {
namespace {

using scaling::Units;

std::vector<std::string> hybrid_problems() {
  if (const char* one = std::getenv("HYDAE_SCALINGS_OF")) return {one};
  // Open, or too long for the fast suite (docs/guide/hybrid.md, "Units"); HYDAE_SCALINGS_OF runs
  // them.
  static const std::set<std::string> left_out = {"argesim_c5"};
  std::vector<std::string> names;
  for (const Problem* problem : all_problems())
    if (problem->kind() == ProblemKind::kHybrid && !left_out.contains(problem->name()))
      names.push_back(problem->name());
  return names;
}

// All variables by one factor.
Units uniform(const Model& model, double time, double variable) {
  Units units;
  units.time = time;
  units.variables.assign(model.num_variables(), variable);
  return units;
}

// Every variable, equation and the relations by factors of their own, 1e-9 to 1e9. Without nominal
// values the numbers become smaller only: derived scales are at most one (docs/guide/solvers.md),
// so that a variable of 1e9 that passes zero would have to be right to 1e-17 of its size there.
Units random_units(const Model& model, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> exponent(-9, 9);
  const bool with_nominals = seed % 2 == 0;
  Units units;
  units.time = scaling::power_of_two(exponent(random));
  for (std::size_t k = 0; k < model.num_variables(); ++k) {
    const double drawn = exponent(random);
    units.variables.push_back(scaling::power_of_two(with_nominals ? drawn : std::abs(drawn)));
  }
  for (std::size_t k = 0; k < model.num_equations(); ++k)
    units.equations.push_back(scaling::power_of_two(exponent(random)));
  units.relations = scaling::power_of_two(exponent(random));
  units.with_nominals = with_nominals;
  return units;
}

Simulation run(const Model& model, Solver solver, double tolerance) {
  SimulateOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  options.points = 2;
  return simulate(model, options);
}

std::string list_of(const std::vector<EventRecord>& events, double unit) {
  std::string text;
  for (const EventRecord& event : events)
    text += fmt::format(" {:.9g}({}>{})", event.t * unit, event.from_mode, event.to_mode);
  return text;
}

// Empty if both have the same events: the same modes one after the other, at the same times but
// for what the tolerance leaves open. Near the limit of infinitely many events their number may
// differ: what counts there is the limit.
std::string difference(const Simulation& known, const Simulation& found, double unit,
                       double accuracy) {
  if (!found.summary.succeeded()) return found.summary.message;
  const auto &a = known.summary.events, &b = found.summary.events;
  const std::string lists =
      fmt::format("\n  known:{}\n  found:{}", list_of(a, 1), list_of(b, unit));
  const bool has_limit = std::any_of(a.begin(), a.end(),
                                     [](const EventRecord& event) { return event.kind == "zeno"; });
  if (a.size() != b.size() && !has_limit)
    return fmt::format("{} events, not {}{}", b.size(), a.size(), lists);
  if (has_limit && (b.empty() || a.back().to_mode != b.back().to_mode))
    return "another end" + lists;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()) && !has_limit; ++k) {
    if (std::abs(a[k].t - b[k].t * unit) > accuracy || a[k].to_mode != b[k].to_mode)
      return fmt::format("event {} differs{}", k, lists);
  }
  return "";
}

class ScalingTest : public testing::TestWithParam<std::string> {
 protected:
  ScalingTest() : problem_(find_problem(GetParam())), model_(problem_->make_model()) {}

  void expect_same_events(const Units& units, Solver solver, const std::string& what) {
    const Simulation& known = solver == Solver::kIda ? known_ida() : known_taylor();
    if (!known.summary.succeeded()) return;
    std::string fault;
    try {
      const Simulation found = run(scaling::scaled(model_, units), solver, kTolerance);
      const double length = std::abs(model_.experiment.stop_time.value_or(1) -
                                     model_.experiment.start_time.value_or(0));
      fault = difference(known, found, units.time, kAccuracy * length);
    } catch (const std::exception& error) {
      fault = error.what();
    }
    EXPECT_EQ(fault, "") << problem_->name() << ", " << what << ", solver "
                         << static_cast<int>(solver);
  }

  static constexpr double kTolerance = 1e-8;
  static constexpr double kAccuracy = 1e-4;  // of the length: errors of 1e-8 at flat roots

  std::shared_ptr<const Problem> problem_;
  Model model_;

 private:
  const Simulation& known_taylor() {
    if (!taylor_) taylor_ = run(model_, Solver::kTaylor, kTolerance);
    return *taylor_;
  }
  const Simulation& known_ida() {
    if (!ida_) ida_ = run(model_, Solver::kIda, kTolerance);
    return *ida_;
  }
  std::optional<Simulation> taylor_, ida_;
};

TEST_P(ScalingTest, the_unit_of_time_does_not_count) {
  for (double exponent : {-9.0, -3.0, 6.0, 9.0})
    expect_same_events(uniform(model_, scaling::power_of_two(exponent), 1), Solver::kTaylor,
                       fmt::format("time 1e{}", exponent));
}

TEST_P(ScalingTest, units_of_variables_do_not_count) {
  for (double exponent : {-9.0, 9.0}) {
    Units units = uniform(model_, 1, scaling::power_of_two(exponent));
    expect_same_events(units, Solver::kTaylor, fmt::format("variables 1e{}", exponent));
    if (exponent < 0) continue;  // numbers of 1e9 for a variable of one: see below
    units.with_nominals = false;
    expect_same_events(units, Solver::kTaylor,
                       fmt::format("variables 1e{} without nominal values", exponent));
  }
}

TEST_P(ScalingTest, no_unit_counts) {
  const unsigned count = from_environment("HYDAE_SCALINGS", 2);
  const unsigned first = from_environment("HYDAE_SCALINGS_SEED", 1);
  for (unsigned seed = first; seed < first + count; ++seed)
    for (Solver solver : {Solver::kTaylor, Solver::kIda})
      expect_same_events(random_units(model_, seed), solver, fmt::format("seed {}", seed));
}

INSTANTIATE_TEST_SUITE_P(Problems, ScalingTest, testing::ValuesIn(hybrid_problems()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace hydae

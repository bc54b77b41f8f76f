// Hybrid models written in Modelica whose values at the end are known. Each is run by both solvers
// at three tolerances: what is right at one of them only is not right.
#pragma once

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include <hydae/modelica.h>
#include <hydae/simulate.h>

namespace hydae {

struct TextCase {
  const char* name;
  std::string text;
  double stop;
  std::map<std::string, double> known;  // values at the end
};

inline void PrintTo(const TextCase& c, std::ostream* out) { *out << c.name; }

inline Simulation simulate_text(const TextCase& c, Solver solver, double tolerance) {
  LoadResult loaded = load_text(c.text);
  EXPECT_TRUE(loaded.model) << render(loaded.diagnostics, loaded.sources.get());
  SimulateOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  options.stop = c.stop;
  options.points = 3;
  return simulate(*loaded.model, options);
}

// Errors of a hundred tolerances, of the values or of one: the tolerance holds for a step, and
// events pass errors on. Derivations are given to some 1e-6.
inline void expect_known_values(const TextCase& c, const Simulation& run, double tolerance) {
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  for (const auto& [variable, value] : c.known)
    EXPECT_NEAR(run.trajectory.series(variable).back(), value,
                std::max(100 * tolerance, 2e-6) * std::max(1.0, std::abs(value)))
        << variable;
}

// Its claim is in text_cases.cc, which belongs to each program with such cases.
class TextModel : public ::testing::TestWithParam<TextCase> {};

inline std::string name_of_case(const testing::TestParamInfo<TextCase>& info) {
  return info.param.name;
}

}  // namespace hydae

// The smooth models of models/ by both methods: they agree within ten times the tolerance.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

#include <hydae/modelica.h>
#include <hydae/simulate.h>

#include "modelica/files_testing.h"
#include "test/source_dir.h"

namespace hydae {
namespace {

const std::filesystem::path kExamples = std::filesystem::path(source_dir()) / "models";

Simulation run(const Model& model, Solver solver, double tolerance) {
  SimulateOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  options.points = 11;
  return simulate(model, options);
}

void expect_agreement(const Trajectory& taylor, const Trajectory& ida, double tolerance) {
  ASSERT_EQ(ida.num_rows(), taylor.num_rows());
  for (const Column& column : taylor.columns()) {
    if (column.name.starts_with("der(")) continue;
    const auto a = taylor.series(column.name), b = ida.series(column.name);
    double size = 1, worst = 0;  // of the variable over the whole run
    for (double value : a) size = std::max(size, std::abs(value));
    for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
    EXPECT_LE(worst / (size * tolerance), 10) << column.name << " at tolerance " << tolerance;
  }
}

class BothSolvers : public ::testing::TestWithParam<std::string> {};

TEST_P(BothSolvers, agree_within_ten_tolerances) {
  LoadOptions options;
  options.library_path = {kExamples};
  const LoadResult loaded = load_model(kExamples / (GetParam() + ".mo"), "", options);
  ASSERT_TRUE(loaded.model) << render(loaded.diagnostics, loaded.sources.get());
  for (const double tolerance : {1e-6, 1e-8}) {
    const Simulation taylor = run(*loaded.model, Solver::kTaylor, tolerance);
    ASSERT_TRUE(taylor.summary.succeeded()) << taylor.summary.message;
    const Simulation ida = run(*loaded.model, Solver::kIda, tolerance);
    ASSERT_TRUE(ida.summary.succeeded()) << ida.summary.message;
    EXPECT_EQ(ida.summary.events.size(), taylor.summary.events.size());
    // Values next to an event are those of its time.
    if (taylor.summary.events.empty())
      expect_agreement(taylor.trajectory, ida.trajectory, tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, BothSolvers, ::testing::ValuesIn(model_files(kExamples)),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace hydae

// The smooth models of models/ by both methods: they agree within ten times the tolerance.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

#include <hydae/modelica.h>
#include <hydae/simulate.h>

#include "modelica/test_files.h"

namespace hydae {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(HYDAE_SOURCE_DIR) / "models";
constexpr double kTolerance = 1e-6;

Simulation run(const Model& model, Solver solver) {
  SimulateOptions options;
  options.solver = solver;
  options.tolerance = kTolerance;
  options.points = 11;
  return simulate(model, options);
}

class BothSolvers : public ::testing::TestWithParam<std::string> {};

TEST_P(BothSolvers, agree_within_ten_tolerances) {
  LoadOptions options;
  options.library_path = {kFolder};
  const LoadResult loaded = load_model(kFolder / (GetParam() + ".mo"), "", options);
  ASSERT_TRUE(loaded.model) << render(loaded.diagnostics, loaded.sources.get());
  const Simulation taylor = run(*loaded.model, Solver::kTaylor);
  ASSERT_TRUE(taylor.summary.succeeded()) << taylor.summary.message;
  const Simulation ida = run(*loaded.model, Solver::kIda);
  ASSERT_TRUE(ida.summary.succeeded()) << ida.summary.message;
  EXPECT_EQ(ida.summary.events.size(), taylor.summary.events.size());
  if (!taylor.summary.events.empty()) return;  // values next to an event are those of its time
  ASSERT_EQ(ida.trajectory.num_rows(), taylor.trajectory.num_rows());
  for (const Column& column : taylor.trajectory.columns()) {
    if (column.name.starts_with("der(")) continue;
    const auto a = taylor.trajectory.series(column.name), b = ida.trajectory.series(column.name);
    double size = 1;  // of the variable over the whole run
    for (double value : a) size = std::max(size, std::abs(value));
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(a[k], b[k], 10 * kTolerance * size) << column.name << " row " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, BothSolvers, ::testing::ValuesIn(model_files(kFolder)),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace hydae

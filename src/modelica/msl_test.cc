// Examples of the Modelica Standard Library: they flatten, with as many equations as unknowns. Runs
// where HYDAE_MSL names the folder that holds the library.
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>

#include <hydae/modelica.h>

namespace hydae {
namespace {

// Class, and the number of its scalar variables with aliases, free parameters left out.
struct Example {
  const char* name;
  std::size_t num_unknowns;
};

class Library : public testing::TestWithParam<Example> {};

TEST_P(Library, example_flattens) {
  const char* folder = std::getenv("HYDAE_MSL");
  if (folder == nullptr) GTEST_SKIP() << "HYDAE_MSL is not set";
  LoadOptions options;
  options.library_path = {folder};
  const LoadResult result = load_class(std::string("Modelica.") + GetParam().name, options);
  ASSERT_TRUE(result.model) << render(result.diagnostics, result.sources.get());
  for (const Diagnostic& diagnostic : result.diagnostics.items()) {
    EXPECT_NE(diagnostic.code, "unit-mismatch") << render(diagnostic, result.sources.get());
    EXPECT_NE(diagnostic.code, "unbalanced-class") << render(diagnostic, result.sources.get());
  }
  const Model& model = *result.model;
  std::set<NodeId> assigned;
  for (const WhenClause& clause : model.when_clauses())
    for (const WhenBranch& branch : clause.branches)
      for (const WhenAction& action : branch.actions)
        if (action.kind == WhenAction::Kind::kAssign)
          assigned.insert(action.target.in(model.graph()));
  EXPECT_EQ(model.num_variables(), model.num_equations() + assigned.size());
  EXPECT_EQ(model.num_variables() + model.aliases().size(), GetParam().num_unknowns);
}

INSTANTIATE_TEST_SUITE_P(
    Ladder, Library,
    testing::Values(Example{"Mechanics.Translational.Examples.SignConvention", 41},
                    Example{"Mechanics.Translational.Examples.WhyArrows", 56},
                    Example{"Mechanics.Translational.Examples.Accelerate", 15},
                    Example{"Mechanics.Translational.Examples.InitialConditions", 64},
                    Example{"Mechanics.Translational.Examples.Damper", 59},
                    Example{"Electrical.Analog.Examples.CauerLowPassAnalog", 69},
                    Example{"Electrical.Analog.Examples.ChuaCircuit", 44},
                    Example{"Mechanics.Rotational.Examples.First", 54},
                    Example{"Electrical.Analog.Examples.CauerLowPassOPV", 240},
                    Example{"Mechanics.Translational.Examples.Oscillator", 50},
                    Example{"Mechanics.Rotational.Examples.ElasticBearing", 63},
                    Example{"Mechanics.Rotational.Examples.EddyCurrentBrake", 25},
                    Example{"Electrical.Analog.Examples.SeriesResonance", 79},
                    Example{"Electrical.Analog.Examples.Resistor", 28},
                    Example{"Mechanics.Rotational.Examples.RollingWheel", 41},
                    Example{"Mechanics.Translational.Examples.Sensors", 38},
                    Example{"Blocks.Examples.InverseModel", 15},
                    Example{"Electrical.Analog.Examples.CauerLowPassSC", 658},
                    Example{"Blocks.Examples.PID_Controller", 89},
                    Example{"Electrical.Machines.Examples.DCMachines.DCPM_Start", 200}),
    [](const auto& example) {
      std::string name = example.param.name;
      for (char& c : name)
        if (c == '.') c = '_';
      return name;
    });

}  // namespace
}  // namespace hydae

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

// The flat text of an example reads as the same model.
class FlatLibrary : public testing::TestWithParam<const char*> {};

TEST_P(FlatLibrary, example_is_read_back) {
  const char* folder = std::getenv("HYDAE_MSL");
  if (folder == nullptr) GTEST_SKIP() << "HYDAE_MSL is not set";
  LoadOptions options;
  options.library_path = {folder};
  const LoadResult result = load_class(std::string("Modelica.") + GetParam(), options);
  ASSERT_TRUE(result.model) << render(result.diagnostics, result.sources.get());
  const std::string flat = flatten_to_text(*result.model);
  const LoadResult again = load_text(flat);
  ASSERT_TRUE(again.model) << render(again.diagnostics, again.sources.get());
  EXPECT_EQ(flatten_to_text(*again.model), flat);
}

INSTANTIATE_TEST_SUITE_P(
    Ladder, FlatLibrary,
    testing::Values(
        "Mechanics.Translational.Examples.SignConvention",
        "Mechanics.Translational.Examples.WhyArrows", "Mechanics.Translational.Examples.Accelerate",
        "Thermal.HeatTransfer.Examples.TwoMasses",
        "Mechanics.Translational.Examples.InitialConditions",
        "Mechanics.Translational.Examples.Damper", "Electrical.Analog.Examples.CauerLowPassAnalog",
        "Electrical.Analog.Examples.ChuaCircuit",
        "Electrical.Analog.Examples.ShowSaturatingInductor", "Mechanics.Rotational.Examples.First",
        "Electrical.Analog.Examples.CauerLowPassOPV", "Mechanics.Translational.Examples.Oscillator",
        "Mechanics.Rotational.Examples.ElasticBearing",
        "Mechanics.Rotational.Examples.EddyCurrentBrake",
        "Electrical.Analog.Examples.SeriesResonance", "Electrical.Analog.Examples.Resistor",
        "Mechanics.Rotational.Examples.RollingWheel", "Mechanics.Translational.Examples.Sensors",
        "Blocks.Examples.InverseModel", "Blocks.Examples.Filter",
        "Mechanics.Translational.Examples.ElastoGap", "Mechanics.Rotational.Examples.Backlash",
        "Mechanics.Translational.Examples.PreLoad",
        "Electrical.Analog.Examples.CharacteristicIdealDiodes",
        "Electrical.Analog.Examples.Rectifier", "Electrical.Analog.Examples.OvervoltageProtection",
        "Electrical.Analog.Examples.HeatingRectifier",
        "Electrical.Analog.Examples.DifferenceAmplifier", "Electrical.Analog.Examples.NandGate",
        "Electrical.Analog.Examples.OpAmps.SignalGenerator",
        "Thermal.HeatTransfer.Examples.ControlledTemperature",
        "Electrical.Analog.Examples.ThyristorBehaviourTest",
        "Electrical.Analog.Examples.SwitchWithArc", "Electrical.Analog.Examples.IdealTriacCircuit",
        "Electrical.Analog.Examples.CauerLowPassSC", "Blocks.Examples.SlewRateLimiter",
        "Blocks.Examples.RealNetwork1", "Blocks.Examples.PID_Controller",
        "StateGraph.Examples.FirstExample", "Blocks.Examples.BusUsage",
        "Electrical.Digital.Examples.HalfAdder", "Electrical.Digital.Examples.FlipFlop",
        "Mechanics.Translational.Examples.Brake", "Mechanics.Rotational.Examples.CoupledClutches",
        "Mechanics.Rotational.Examples.Friction", "Mechanics.Translational.Examples.Friction",
        "Mechanics.Rotational.Examples.OneWayClutch",
        "Mechanics.Rotational.Examples.LossyGearDemo1",
        "Mechanics.Rotational.Examples.SimpleGearShift", "Thermal.HeatTransfer.Examples.Motor",
        "Thermal.FluidHeatFlow.Examples.SimpleCooling", "Thermal.FluidHeatFlow.Examples.TwoTanks",
        "Electrical.Polyphase.Examples.TransformerYY", "Electrical.Polyphase.Examples.Rectifier",
        "Electrical.Spice3.Examples.Spice3BenchmarkRtlInverter",
        "Electrical.Machines.Examples.DCMachines.DCPM_Start",
        "Electrical.PowerConverters.Examples.ACDC.RectifierBridge2Pulse.DiodeBridge2Pulse"),
    [](const auto& example) {
      std::string name = example.param;
      for (char& c : name)
        if (c == '.') c = '_';
      return name;
    });

}  // namespace
}  // namespace hydae

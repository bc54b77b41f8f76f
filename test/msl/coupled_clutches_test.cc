// Friction in the Modelica Standard Library: the clutches of its example lock and break away when
// they should. Runs where HYDAE_MSL names the folder that holds the library.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

#include <hydae/modelica.h>
#include <hydae/simulate.h>

namespace hydae {
namespace {

// Times and speeds from closed-form integrals between the events, whose times were bisected:
// w1' = 10 sin(10 pi t) - tau1, w2' = tau1 - tau2, w3' = tau2 - tau3, w4' = tau3 from
// w = (10, 0, 0, 0), |tau_i| = 10 f_i while sliding and at most 11 f_i while stuck.
TEST(CoupledClutches, events_and_speeds_are_right) {
  const char* folder = std::getenv("HYDAE_MSL");
  if (folder == nullptr) GTEST_SKIP() << "HYDAE_MSL is not set";
  LoadOptions load;
  load.library_path = {folder};
  const LoadResult loaded =
      load_class("Modelica.Mechanics.Rotational.Examples.CoupledClutches", load);
  ASSERT_TRUE(loaded.model) << render(loaded.diagnostics, loaded.sources.get());
  SimulateOptions options;
  options.stop = 1.5;
  options.tolerance = options.atol = 1e-12;
  options.solver = Solver::kTaylor;
  options.points = 2;
  const Simulation simulation = simulate(*loaded.model, options);
  ASSERT_EQ(simulation.summary.status, Status::kSuccess) << simulation.summary.message;
  // Known to 13 digits; asked for to 1e-9.
  for (const double t : {0.7096214746937, 0.7916623591548, 0.8311085061377, 0.9068501927979,
                         1.0002958598946, 1.1439674924732, 1.25}) {
    double nearest = 1;
    for (const EventRecord& event : simulation.summary.events)
      nearest = std::min(nearest, std::abs(event.t - t));
    EXPECT_LT(nearest, 1e-9) << t;
  }
  const Trajectory& result = simulation.trajectory;
  EXPECT_NEAR(result.series("J1.w").back(), 3.2470582724188, 1e-9);
  for (const char* name : {"J2.w", "J3.w", "J4.w"})
    EXPECT_NEAR(result.series(name).back(), 2.4631871666496, 1e-9) << name;
}

}  // namespace
}  // namespace hydae

// Every model of models/ is simulated and compared with its exact solution, or with what an
// independent argument says about it (see the comment in the model).
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <numbers>
#include <set>
#include <stdexcept>

#include <hydae/modelica.h>
#include <hydae/simulate.h>

#include "test/source_dir.h"

namespace hydae {
namespace {

using std::cos, std::exp, std::log, std::sin, std::sqrt;
using std::numbers::pi;

const std::filesystem::path kFolder = std::filesystem::path(source_dir()) / "models";

struct Known {
  const char* variable;
  std::function<double(double t)> exact;
};

struct Case {
  const char* name;
  std::vector<Known> known;
  // The exact solution is compared at all output times but these, where it jumps.
  std::vector<double> jumps = {};
};

// The model without any message: also no unit of models/ is wrong.
Model load(const std::string& name) {
  LoadOptions options;
  options.library_path = {kFolder};
  LoadResult result = load_model(kFolder / (name + ".mo"), "", options);
  EXPECT_TRUE(result.diagnostics.empty()) << render(result.diagnostics, result.sources.get());
  if (!result.model) throw std::runtime_error("no model " + name);
  return std::move(*result.model);
}

// A tolerance of 1e-11 per step leaves 1e-8 of the size of the solution on these short intervals.
constexpr double kTolerance = 1e-11, kError = 1e-8;

Simulation run(const std::string& name) {
  SimulateOptions options;
  options.tolerance = options.atol = kTolerance;
  options.points = 101;
  Simulation simulation = simulate(load(name), options);
  EXPECT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  return simulation;
}

double last(const Simulation& simulation, const std::string& variable) {
  return simulation.trajectory.series(variable).back();
}

const std::vector<Case>& cases() {
  static const double kFirstFall = sqrt(2 / 9.81);
  static const auto ball = [](double t) {
    if (t < kFirstFall) return 1 - 9.81 / 2 * t * t;
    double start = kFirstFall, v = 9.81 * kFirstFall * 0.8;
    while (t > start + 2 * v / 9.81) {
      start += 2 * v / 9.81;
      v *= 0.8;
    }
    return v * (t - start) - 9.81 / 2 * (t - start) * (t - start);
  };
  static const auto thrown = [](double t) {  // speed of the block
    if (t < 0.5) return 4.0;
    if (t < 4) return std::max(3 - 2 * (t - 0.5), 0.0);
    return 1.5 * ((t - 3) * (t - 3) - 1) - 2 * (t - 4);
  };
  // Relaxation between two levels: seconds since the last switch, after the first one.
  static const auto relay = [](double t, double first, double period) {
    return t < first ? -1.0 : std::fmod(t - first, period);
  };
  static const std::vector<Case> all = {
      {"Decay", {{"x", [](double t) { return exp(-2 * t); }}}},
      {"Oscillator",
       {{"x", [](double t) { return cos(2 * t); }},
        {"v", [](double t) { return -2 * sin(2 * t); }}}},
      {"Pendulum", {{"energy", [](double) { return 0.0; }}}},
      {"RodPendulum", {}},
      {"DoublePendulum", {{"energy", [](double) { return 0.0; }}}},
      {"BouncingBall", {{"h", ball}}},
      {"ThrownBlock",
       {{"v", thrown},
        {"h", [](double t) { return t < 0.5 ? 1.25 - 5 * t * t : 0.0; }},
        {"T",
         [](double t) {
           if (t < 0.5) return 0.0;
           if (t < 2 || t > 4) return -2.0;
           return t < 3 ? 0.0 : -3 * (t - 3);
         }}},
       {0.5, 2, 4}},
      {"IndexChange", {{"b", [](double t) { return t < 1 ? sin(t) : sin(1.0) - (t - 1); }}}},
      {"TornString",
       {{"x", [](double t) { return t < 1 ? cos(2 * t) : cos(2.0) - 2 * sin(2.0) * (t - 1); }},
        {"y", [](double t) { return t < 1 ? sin(2 * t) : sin(2.0) + 2 * cos(2.0) * (t - 1); }},
        {"F", [](double t) { return t < 1 ? 4.0 : 0.0; }}},
       {1}},
      {"IdealClutch",
       {{"w1", [](double t) { return t < 1 ? 10.0 : 2.0; }},
        {"w2", [](double t) { return t < 1 ? 0.0 : 2.0; }}},
       {1}},
      {"CapacitorLoop", {{"i", [](double t) { return 1.5 * cos(3 * t); }}}},
      {"LotkaVolterra", {{"invariant", [](double) { return log(2.0) - 3; }}}},
      {"HeatRod",
       {{"T[3]",
         [](double t) {
           const double rate = 4 * 121 * std::pow(sin(pi / 22), 2);
           return sin(3 * pi / 11) * exp(-rate * t);
         }}}},
      {"Horner",
       {{"p", [](double t) { return 2 * t * t * t - t + 5; }},
        {"dp", [](double t) { return 6 * t * t - 1; }},
        {"low", [](double t) { return t; }},
        {"high", [](double) { return 3.0; }}}},
      {"Projectile",
       {{"r.x", [](double t) { return 3 * t; }},
        {"r.y", [](double t) { return 4 * t - 9.81 / 2 * t * t; }}}},
      {"Deadbeat", {{"x", [](double t) { return std::max(1 - 2 * t, 0.0); }}}},
      {"Thermostat",
       {{"T",
         [](double t) {
           const double first = log(10.0 / 9), half = log(11.0 / 9);
           const double since = relay(t, first, 2 * half);
           if (since < 0) return 20 - 10 * exp(-t);
           return since < half ? 11 * exp(-since) : 20 - 11 * exp(-(since - half));
         }}}},
      {"CubicEquation",
       {{"x",
         [](double t) {
           return 2 / sqrt(3.0) * std::sinh(std::asinh(3 * sqrt(3.0) / 2 * t) / 3);
         }}}},
      {"Counter",
       {{"count", [](double t) { return std::floor(t + 0.5); }},
        {"phase", [](double t) { return sin(2 * pi * t) < 0 ? 2.0 : 1.0; }}},
       {0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4}},
      {"SteadyStart",
       {{"k", [](double) { return 0.5; }},
        {"x", [](double t) { return t < 1 ? 4 : 6 - 2 * exp(-(t - 1) / 2); }}}},
      {"Saturation",
       {{"cut", [](double t) { return std::clamp(2 * sin(t), -1.0, 1.0); }},
        {"area", [](double t) { return t < pi ? 2 - 2 * cos(t) : 6 + 2 * cos(t); }},
        {"soft", [](double t) { return t < pi ? 4 * sin(t) * sin(t) : 0.0; }}}},

      {"RCCharging",
       {{"capacitor.v", [](double t) { return 5 * (1 - exp(-t / 0.2)); }},
        {"resistor.i", [](double t) { return 0.05 * exp(-t / 0.2); }}}},
      {"RLCSeries",
       {{"capacitor.v", [](double t) { return 1 - exp(-t) * (cos(2 * t) + sin(2 * t) / 2); }}}},
      {"WheatstoneBridge", {{"meter.v", [](double) { return 20.0 / 3 - 7.5; }}}},
      {"Rectifier", {{"load.v", [](double t) { return std::max(2 * sin(2 * pi * t), 0.0); }}}},
      {"ChargeSharing",
       {{"c1.v", [](double t) { return t < 1 ? 9.0 : 3.0; }},
        {"c2.v", [](double t) { return t < 1 ? 0.0 : 3.0; }}},
       {1}},
      {"RCLadder", {}},
      {"SpringMass", {{"mass.s", [](double t) { return 1 + 0.5 * cos(5 * t); }}}},
      {"RigidTrain",
       {{"m1.s", [](double t) { return t * t; }}, {"m3.s", [](double t) { return 3 + t * t; }}}},
      {"DampedMass",
       {{"mass.v", [](double t) { return 3 * exp(-2 * t); }},
        {"mass.s", [](double t) { return 1.5 * (1 - exp(-2 * t)); }}}},
      {"Buffer",
       {{"mass.s",
         [](double t) {
           if (t < 0.5) return -1 + 2 * t;
           const double end = 0.5 + pi / 4;
           return t < end ? 0.5 * sin(4 * (t - 0.5)) : -2 * (t - end);
         }}}},
      {"FallingMasses",
       {{"free.s", [](double t) { return -0.81 * t * t; }},
        {"hanging.s", [](double t) { return -0.405 * (1 - cos(2 * t)); }}}},
      {"GearedDrive",
       {{"rotor.w", [](double t) { return 2 * t; }}, {"load.w", [](double t) { return t; }}}},
      {"TorsionalOscillator",
       {{"left.phi", [](double t) { return -0.3 * cos(4 * t); }},
        {"right.phi", [](double t) { return 0.1 * cos(4 * t); }}}},
      {"ClutchDrive",
       {{"drive.w", [](double t) { return t < 1 ? 4.0 : 3.0; }},
        {"load.phi", [](double t) { return t < 1 ? 0 : 3 * (t - 1); }}},
       {1}},
      {"DCMotor", {{"rotor.w", [](double t) { return 6 * (1 - exp(-2 * t)); }}}},
      {"TwoBodies",
       {{"hot.T", [](double t) { return 325 + 75 * exp(-2 * t); }},
        {"cold.T", [](double t) { return 325 - 25 * exp(-2 * t); }}}},
      {"HeatedResistor", {{"body.T", [](double t) { return 300 + t / 2; }}}},
      {"HeatedRoom",
       {{"room.T",
         [](double t) {
           const double first = log(15.0 / 14), half = log(16.0 / 14);
           const double since = relay(t, first, 2 * half);
           if (since < 0) return 310 - 15 * exp(-t);
           return since < half ? 280 + 16 * exp(-since) : 310 - 16 * exp(-(since - half));
         }}}},
      {"DrainingTank",
       {{"tank.h", [](double t) { return std::pow(2 - 0.005 * sqrt(2 * 9.81) * t, 2); }}}},
      {"CommunicatingTanks",
       {{"left.h", [](double t) { return 1 + 3 * exp(-1e-5 * 9810 * 4 / 3 * t); }},
        {"right.h", [](double t) { return 1 - exp(-1e-5 * 9810 * 4 / 3 * t); }}}},
      {"HydraulicLift",
       {{"load.s", [](double t) { return 0.2 * t; }},
        {"pump.port.p", [](double) { return 981000.0; }}}},
      {"PIControl", {{"plant.y", [](double t) { return 1 - exp(-3 * t); }}}},
      {"Redeclare",
       {{"a.load.v", [](double) { return 4.0; }},
        {"b.load.v", [](double t) { return 6 * (1 - exp(-t)); }}}},
  };
  return all;
}

class ModelsTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ModelsTest, follows_its_exact_solution) {
  const Case& known = cases()[GetParam()];
  const Simulation simulation = run(known.name);
  const std::vector<double>& times = simulation.trajectory.times();
  for (const Known& each : known.known) {
    const std::vector<double> values = simulation.trajectory.series(each.variable);
    ASSERT_GT(values.size(), 20u);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool is_jump = std::any_of(known.jumps.begin(), known.jumps.end(),
                                       [&](double t) { return std::abs(t - times[i]) < 1e-9; });
      if (is_jump) continue;
      const double exact = each.exact(times[i]);
      ASSERT_NEAR(values[i], exact, kError * std::max(1.0, std::abs(exact)))
          << each.variable << " at t = " << times[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ModelsTest, ::testing::Range(std::size_t{0}, cases().size()),
                         [](const auto& instance) {
                           return std::string(cases()[instance.param].name);
                         });

TEST(Models, all_have_a_case) {
  std::set<std::string> files, tested;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    if (entry.path().extension() == ".mo") files.insert(entry.path().stem());
  for (const Case& known : cases()) tested.insert(known.name);
  EXPECT_EQ(files, tested);
}

// ---- what is known without a formula for every time ----

// T = 4*sqrt(L/g)*K(k), k = sin(phi0/2): half a period after the release the mass rests on the
// other side, after a whole one it is back.
TEST(Models, pendulum_has_the_period_of_the_elliptic_integral) {
  const double K = std::comp_ellint_1(sin(pi / 4));
  struct Swing {
    const char* name;
    double length;
    const char* variable;
    double start, other;
  };
  // The bar of length 1.5 swings like a pendulum of length 1.
  for (const auto& [name, length, variable, start, other] :
       {Swing{"Pendulum", 1, "x", 1, -1}, Swing{"RodPendulum", 1, "phi", 0, -pi}}) {
    const double period = 4 * sqrt(length / 9.81) * K;
    SimulateOptions options;
    options.tolerance = options.atol = kTolerance;
    options.stop = period;
    options.times = {0, period / 2, period};
    const Simulation simulation = simulate(load(name), options);
    ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
    const std::vector<double> values = simulation.trajectory.series(variable);
    ASSERT_EQ(values.size(), 3u);
    EXPECT_NEAR(values[1], other, 1e-7) << name;
    EXPECT_NEAR(values[2], start, 1e-7) << name;
  }
}

// The impulse that joins two wheels is the angular momentum that changes hands.
TEST(Models, clutches_and_switches_report_their_impulse) {
  struct Impact {
    const char* name;
    double weight;
  };
  for (const auto& [name, weight] :
       {Impact{"IdealClutch", 8}, Impact{"ClutchDrive", 3}, Impact{"ChargeSharing", 6}}) {
    const Simulation simulation = run(name);
    ASSERT_EQ(simulation.summary.events.size(), 1u) << name;
    const EventRecord& event = simulation.summary.events.front();
    EXPECT_NEAR(event.t, 1, 1e-12);
    const auto found = std::find_if(event.impulses.begin(), event.impulses.end(),
                                    [&](const Impulse& impulse) { return impulse.order == 0; });
    ASSERT_NE(found, event.impulses.end()) << name;
    EXPECT_NEAR(std::abs(found->weight), weight, 1e-8) << name << " " << found->variable;
  }
}

TEST(Models, ball_bounces_as_often_as_the_flights_fit) {
  // The first impact is at t1, the k-th flight after it lasts 2*t1*e^k.
  const double t1 = sqrt(2 / 9.81);
  int impacts = 0;
  for (double t = t1, flight = 2 * t1 * 0.8; t <= 3; t += flight, flight *= 0.8) ++impacts;
  EXPECT_EQ(last(run("BouncingBall"), "bounces"), impacts);
}

TEST(Models, projectile_ends_where_it_comes_down) {
  const Simulation simulation = run("Projectile");
  EXPECT_NEAR(simulation.trajectory.times().back(), 8 / 9.81, 1e-9);
  EXPECT_NEAR(last(simulation, "range"), 24 / 9.81, 1e-8);
}

TEST(Models, deadbeat_controller_samples_every_half_second) {
  EXPECT_EQ(last(run("Deadbeat"), "samples"), 4);  // at 0, 0.5, 1, 1.5
}

TEST(Models, ladder_keeps_its_charge) {
  const Simulation simulation = run("RCLadder");
  const std::vector<double> charge = simulation.trajectory.series("charge");
  std::vector<double> stored(charge.size(), 0.0);
  for (int k = 1; k <= 5; ++k) {
    const auto v = simulation.trajectory.series("c[" + std::to_string(k) + "].v");
    for (std::size_t i = 0; i < v.size(); ++i) stored[i] += 0.1 * v[i];
  }
  for (std::size_t i = 0; i < charge.size(); ++i) ASSERT_NEAR(charge[i], stored[i], kError);
  // The slowest rate is 10*4*sin(pi/22)^2 = 0.81: exp(-0.81*30) is below 1e-10.
  EXPECT_NEAR(last(simulation, "c[5].v"), 1, kError);
}

TEST(Models, constraints_of_the_pendulum_hold) {
  const Simulation simulation = run("Pendulum");
  const auto x = simulation.trajectory.series("x"), y = simulation.trajectory.series("y");
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i] * x[i] + y[i] * y[i], 1, 1e-12);
}

}  // namespace
}  // namespace hydae

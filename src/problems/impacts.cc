// Impacts of rigid bodies.

#include <cmath>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

// Three masses on a line that meet at t = 1, both gaps at once. The laws v1 - v2 = -c1 (v1 - v2)-,
// v2 - v3 = -c2 (v2 - v3)- and the balance of momentum determine speeds and impulses.
void three_masses_equations(Model& m) {
  const Expr c1 = m.parameter("c1", 0.6), c2 = m.parameter("c2", 0.6);
  const Expr m1 = m.parameter("m1", 1), m2 = m.parameter("m2", 1), m3 = m.parameter("m3", 1);
  const Numbered x(m, "x", 3), v(m, "v", 3), F(m, "F", 2);
  for (int i = 1; i <= 3; ++i) m.equation(der(x(i)) == v(i));
  m.equation(m1 * der(v(1)) == -F(1));
  m.equation(m2 * der(v(2)) == F(1) - F(2));
  m.equation(m3 * der(v(3)) == F(2));
  m.equation(F(1) == 0);  // but for the impulses
  m.equation(F(2) == 0);
  m.when(when({x(1) >= x(2)},
              {impact_law(v(1) - v(2) == -c1 * (pre(v(1)) - pre(v(2)))), impulse(F(1))}));
  m.when(when({x(2) >= x(3)},
              {impact_law(v(2) - v(3) == -c2 * (pre(v(2)) - pre(v(3)))), impulse(F(2))}));
  m.fix(x(1), -2), m.fix(x(2), 0), m.fix(x(3), 1);
  m.fix(v(1), 2), m.fix(v(2), 0), m.fix(v(3), -1);
}

ExactComponents three_masses_exact(const Expr& t) {
  const auto position = [&](double before, double after) {
    return (t - 1) * select(t < 1, before, after);
  };
  const Expr x1 = position(2, -2.0 / 3), x2 = position(0, 8.0 / 15), x3 = position(-1, 17.0 / 15);
  return {{"x1", x1},      {"x2", x2},      {"x3", x3}, {"v1", der(x1)},
          {"v2", der(x2)}, {"v3", der(x3)}, {"F1", 0},  {"F2", 0}};
}

// Housner's rocking block, slender and linearized, angle in units of the critical one, time in
// units of 1/p: theta'' = theta - sign theta; each passage through zero keeps r = 1 - 1.5
// sin^2(alpha) of the speed, tan alpha = 0.2.
constexpr double kKept = 49.0 / 52;

void rocking_block_equations(Model& m) {
  const Expr r = m.parameter("r", kKept), theta = m.variable("theta"), omega = m.variable("omega");
  m.equation(der(theta) == omega);
  m.equation(der(omega) == theta - select(theta >= 0, 1, -1));
  m.when(when({theta<0, theta> 0}, {reinit(omega, r * pre(omega))}));
  m.fix(theta, 0.5), m.fix(omega, 0);
}

// After an impact with the speed w on the side s: theta = s (1 - cosh tau) + w sinh tau, until 2
// artanh |w| later.
struct Rock {
  double begin, side, speed;
};

std::vector<Rock> rocks(int count) {
  std::vector<Rock> list = {{std::acosh(2.0), -1, -kKept * std::sqrt(0.75)}};
  while (static_cast<int>(list.size()) < count) {
    const auto [begin, side, speed] = list.back();
    list.push_back({begin + 2 * std::atanh(std::abs(speed)), -side, -kKept * speed});
  }
  return list;
}

ExactComponents rocking_block_exact(const Expr& t) {
  Expr theta = 1 - 0.5 * cosh(t);
  for (const Rock& rock : rocks(6)) {
    const Expr tau = t - rock.begin;
    theta = select(tau >= 0, rock.side * (1 - cosh(tau)) + rock.speed * sinh(tau), theta);
  }
  return {{"theta", theta}, {"omega", der(theta)}};
}

std::vector<KnownEvent> rocking_block_events() {
  std::vector<KnownEvent> events;
  for (const Rock& rock : rocks(5))
    events.push_back({.t = rock.begin, .accuracy = 1e-14, .what = "the block changes its edge"});
  return events;
}

}  // namespace

Problem three_masses() {
  return Problem({
      .name = "three_masses",
      .title = "three masses with two impacts at the same instant",
      .description = "Trap: the paper's printed balance mixes forces with impulses; the masses and "
                     "speeds of its figure are not printed, these are ours.",
      .source =
          "A. Uhlig, T. Blochwitz, U. Schnabel, T. Naehring, Initial value calculation for DAE "
          "with higher index, example 3",
      .kind = ProblemKind::kHybrid,
      .stop_time = 2,
      .equations = three_masses_equations,
      .exact = three_masses_exact,
      .events = {{.t = 1,
                  .accuracy = 1e-15,
                  .what = "both gaps close",
                  .impulses = {{"F1", 0, 8.0 / 3}, {"F2", 0, 32.0 / 15}}}},
      .structure =
          {.c = {0, 0, 0, 0, 0, 0, 0, 0}, .d = {1, 1, 1, 1, 1, 1, 0, 0}, .index = 1, .dof = 6},
      .start_accuracy = 0,
  });
}

Problem rocking_block() {
  return Problem({
      .name = "rocking_block",
      .title = "Housner's rocking block, linearized",
      .source =
          "G. W. Housner, The behavior of inverted pendulum structures during earthquakes, Bull. "
          "Seism. Soc. Am. 53 (1963) 403-417",
      .kind = ProblemKind::kHybrid,
      .stop_time = 10,
      .equations = rocking_block_equations,
      .exact = rocking_block_exact,
      .events = rocking_block_events(),
      .structure = {.c = {0, 0}, .d = {1, 1}, .index = 0, .dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems

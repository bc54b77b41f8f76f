// Four shafts in a row with three friction clutches that close one after the other: clutch i
// presses with f_i, slides with the torque 10 f_i and, locked, holds up to 11 f_i. The first shaft
// is driven.
//
// Trap: a reference file of this model circulates with 18 digits that is good to 1e-3 only.

#include <numbers>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void coupled_clutches_equations(Model& m) {
  const Expr t = m.time(), pi = std::numbers::pi;
  const Numbered w(m, "w", 4), tau(m, "tau", 3);
  const Expr press[] = {max(cos(0.4 * pi * t), 0), select(t >= 0.4, 1, 0), select(t >= 0.9, 1, 0)};
  m.equation(der(w(1)) == 10 * sin(10 * pi * t) - tau(1));
  m.equation(der(w(2)) == tau(1) - tau(2));
  m.equation(der(w(3)) == tau(2) - tau(3));
  m.equation(der(w(4)) == tau(3));
  for (int i = 1; i <= 3; ++i) {
    const std::string number = std::to_string(i);
    const Expr locked = boolean(m, "locked" + number, false), f = press[i - 1];
    const Expr direction = integer(m, "direction" + number, 1), slip = w(i) - w(i + 1);
    m.equation(select(locked, slip, tau(i) - 10 * f * direction) == 0, "clutch" + number);
    m.when(when({!pre(locked) && direction * slip < 0}, {assign(locked, true)}));
    m.when(when({pre(locked) && tau(i) > 11 * f}, {assign(locked, false), assign(direction, 1)}));
    m.when(when({pre(locked) && tau(i) < -11 * f}, {assign(locked, false), assign(direction, -1)}));
  }
  m.fix(w(1), 10), m.fix(w(2), 0), m.fix(w(3), 0), m.fix(w(4), 0);
  m.start(tau(1), 10), m.start(tau(2), 0), m.start(tau(3), 0);
}

}  // namespace

Problem coupled_clutches() {
  const double accuracy = 1e-13;
  return Problem({
      .name = "coupled_clutches",
      .title = "four shafts with three friction clutches, lock and break away",
      .source = "Modelica Standard Library, Modelica.Mechanics.Rotational.Examples.CoupledClutches",
      .kind = ProblemKind::kHybrid,
      .stop_time = 1.5,
      .equations = coupled_clutches_equations,
      .references = {{.t = 1.5,
                      .values = absolute(1e-12, {{"w1", 3.2470582724188},
                                                 {"w2", 2.4631871666496},
                                                 {"w3", 2.4631871666496},
                                                 {"w4", 2.4631871666496}}),
                      .source = "closed-form integrals and bisection"}},
      .events = {{.t = 0.4, .what = "clutch 2 closes"},
                 {.t = 0.7096214746937, .accuracy = accuracy, .what = "clutch 2 locks"},
                 {.t = 0.7916623591548, .accuracy = accuracy, .what = "clutch 1 locks"},
                 {.t = 0.8311085061377, .accuracy = accuracy, .what = "clutch 1 breaks away"},
                 {.t = 0.9, .what = "clutch 3 closes"},
                 {.t = 0.9068501927979, .accuracy = accuracy, .what = "clutch 1 locks"},
                 {.t = 1.0002958598946, .accuracy = accuracy, .what = "clutch 1 breaks away"},
                 {.t = 1.1439674924732, .accuracy = accuracy, .what = "clutch 3 locks"},
                 {.t = 1.25, .what = "clutch 1 opens"}},
      .structure = {.dof = 4},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems

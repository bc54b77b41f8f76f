// Equations that change their structure at a given time. Between the changes everything is linear
// and the solution is written down at once.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

// 1 = if t < 0.5 then x else x'
void index_drop_equations(Model& m) {
  const Expr x = m.variable("x");
  m.equation(select(m.time() < 0.5, x, der(x)) == 1);
  m.start(x, 1);
}

// x' = 10, then x = -5: x jumps from 5 to -5 and x' carries a delta.
void state_removed_equations(Model& m) {
  const Expr x = m.variable("x"), slope = m.variable("slope");
  m.equation(slope == der(x));
  m.equation(select(m.time() < 0.5, slope - 10, x + 5) == 0);
  m.fix(x, 0), m.start(slope, 10);
}

// a' = 1; b = a until t = 3, then b' = -1.
void state_appears_equations(Model& m) {
  const Expr a = m.variable("a"), b = m.variable("b");
  m.equation(der(a) == 1);
  m.equation(select(m.time() <= 3, b - a, der(b) + 1) == 0);
  m.fix(a, 1), m.start(b, 1);
}

// a = t + 2, b' = -1 until t = 10, then b = 0, a = 0.
void constraints_swap_equations(Model& m) {
  const Expr t = m.time(), a = m.variable("a"), b = m.variable("b");
  m.equation(select(t <= 10, a - (t + 2), b) == 0);
  m.equation(select(t <= 10, der(b) + 1, a) == 0);
  m.fix(b, 10), m.start(a, 2);
}

// m1 x1'' + m2 x2'' = F after t = 1, x1 x2 = 1; s = x1 + x2 is a parabola.
void coupled_masses_equations(Model& m) {
  const Expr m1 = m.parameter("m1", 1), m2 = m.parameter("m2", 1), F = m.parameter("F", 1);
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2");
  m.equation(m1 * der(x1, 2) + m2 * der(x2, 2) == select(m.time() < 1, 0, F));
  m.equation(x1 * x2 == 1);
  m.fix(x1, 2), m.fix(der(x1), 1), m.start(x2, 0.5), m.start(der(x2), -0.25);
}

ExactComponents coupled_masses_exact(const Expr& t) {
  const Expr s = 2.5 + 0.75 * t + select(t < 1, 0, sqr(t - 1) / 2);
  const Expr x1 = (s + sqrt(sqr(s) - 4)) / 2;
  return {{"x1", x1}, {"x2", 1 / x1}};
}

}  // namespace

Problem index_drop() {
  return Problem({
      .name = "index_drop",
      .title = "one equation that loses its algebraic character: 1 = if t < 0.5 then x else x'",
      .description =
          "x is algebraic at first, but its value must persist as the state after the change.",
      .source =
          "A. Uhlig, T. Blochwitz, U. Schnabel, T. Naehring, Initial value calculation for DAE "
          "with higher index, example 2",
      .kind = ProblemKind::kHybrid,
      .equations = index_drop_equations,
      .exact =
          [](const Expr& t) {
            return ExactComponents{{"x", select(t < 0.5, 1, t + 0.5)}};
          },
      .events = {{.t = 0.5, .what = "index falls from 1 to 0"}},
      .start_accuracy = 0,
  });
}

Problem state_removed() {
  return Problem({
      .name = "state_removed",
      .title = "a state becomes prescribed: it jumps from 5 to -5 and its derivative is a delta",
      .source = "Modelica specification, issue 2411",
      .kind = ProblemKind::kHybrid,
      .equations = state_removed_equations,
      .exact =
          [](const Expr& t) {
            return ExactComponents{{"x", select(t < 0.5, 10 * t, -5)},
                                   {"slope", select(t < 0.5, 10, 0)}};
          },
      .events = {{.t = 0.5, .what = "x is prescribed", .impulses = {{"slope", 0, -10}}}},
      .start_accuracy = 0,
  });
}

Problem state_appears() {
  return Problem({
      .name = "state_appears",
      .title = "the number of states grows from one to two",
      .description = "b must keep its value although it was algebraic before.",
      .source = "OpenModelica, issue 13861",
      .kind = ProblemKind::kHybrid,
      .stop_time = 4,
      .equations = state_appears_equations,
      .exact =
          [](const Expr& t) {
            return ExactComponents{{"a", 1 + t}, {"b", select(t < 3, 1 + t, 7 - t)}};
          },
      .events = {{.t = 3, .what = "b becomes a state"}},
      .start_accuracy = 0,
  });
}

Problem constraints_swap() {
  return Problem({
      .name = "constraints_swap",
      .title = "two equations exchange what they determine",
      .description = "b arrives at 0 by itself, a jumps from 12 to 0; no impulse.",
      .source = "OpenModelica, issue 10787",
      .kind = ProblemKind::kHybrid,
      .stop_time = 12,
      .equations = constraints_swap_equations,
      .exact =
          [](const Expr& t) {
            return ExactComponents{{"a", select(t < 10, t + 2, 0)},
                                   {"b", select(t < 10, 10 - t, 0)}};
          },
      .events = {{.t = 10, .what = "a and b are prescribed"}},
      .start_accuracy = 0,
  });
}

Problem coupled_masses() {
  return Problem({
      .name = "coupled_masses",
      .title = "two masses with x1 x2 = 1, a force is switched on, index 2",
      .description =
          "Positions and velocities are continuous, accelerations are not. The system Jacobian is "
          "m1 x1 - m2 x2: with F = -1 the motion runs into its zero and must stop with a message.",
      .source =
          "A. Uhlig, T. Blochwitz, U. Schnabel, T. Naehring, Initial value calculation for DAE "
          "with higher index, example 5, with a force",
      .kind = ProblemKind::kHybrid,
      .stop_time = 3,
      .equations = coupled_masses_equations,
      .exact = coupled_masses_exact,
      .references = {{.t = 1,
                      .values = absolute(1e-15, {{"x1", 2.9058688457449498},
                                                 {"x1", 0.85075128556240992, 1},
                                                 {"x1", 1.0674161852715043, 2},
                                                 {"x2", -0.067416185271504291, 2}}),
                      .source = "closed form"},
                     {.t = 3,
                      .values = absolute(1e-15, {{"x1", 6.5984492395569067}}),
                      .source = "closed form"}},
      .events = {{.t = 1, .what = "the force starts"}},
      .structure = {.c = {0, 2}, .d = {2, 2}, .index = 2, .dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems

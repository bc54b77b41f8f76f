// ARGESIM comparison C5: a stiff two-state model that switches between two sets of constants when
// y1 reaches 5.8 and 2.5. In each mode y2 decays to c4 and y1 follows y2 + c2 with a time constant
// of 0.4 microseconds.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void argesim_c5_equations(Model& m) {
  const Expr c1 = m.parameter("c1", 2.7e6), c3 = m.parameter("c3", 3.5651205);
  const Expr c2 = discrete(m, "c2", 0.4), c4 = discrete(m, "c4", 5.5);
  const Expr y1 = m.variable("y1"), y2 = m.variable("y2");
  m.equation(der(y1) == c1 * (y2 + c2 - y1));
  m.equation(der(y2) == c3 * (c4 - y2));
  WhenClause clause = when({y1 >= 5.8}, {assign(c2, -0.3), assign(c4, 2.73)});
  clause.branches.push_back({{y1 <= 2.5}, {assign(c2, 0.4), assign(c4, 5.5)}});
  m.when(clause);
  m.fix(y1, 4.2), m.fix(y2, 0.3);
}

}  // namespace

Problem argesim_c5() {
  const std::string what = "the other set of constants";
  return Problem({
      .name = "argesim_c5",
      .title = "stiff two-state model with two alternating sets of constants",
      .description = "The fifth event lies 3.5e-7 before the end, within the time constant of y1.",
      .source = "ARGESIM comparison C5, Simulation News Europe",
      .kind = ProblemKind::kHybrid,
      .stop_time = 5,
      .equations = argesim_c5_equations,
      .references = {{.t = 5,
                      .values = absolute(1e-8, {{"y1", 5.3693121235561}}),
                      .source = "exact exponentials; an event later by 1e-15 changes 1e-9"},
                     {.t = 5,
                      .values = absolute(1e-13, {{"y2", 5.39999676445994}}),
                      .source = "exact exponentials"}},
      .events = {{.t = 1.1083061677711312, .accuracy = 1e-15, .what = what},
                 {.t = 2.1296853551547139, .accuracy = 1e-15, .what = what},
                 {.t = 3.0541529069957195, .accuracy = 1e-15, .what = what},
                 {.t = 4.0755320943793022, .accuracy = 1e-15, .what = what},
                 {.t = 4.9999996462203078, .accuracy = 1e-15, .what = what}},
      .structure = {.c = {0, 0}, .d = {1, 1}, .index = 0, .dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems

// Small problems that are about finding events and nothing else.

#include <cmath>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

// u' = u; the guard (t - 0.1) (t - 0.2) ... (t - 0.9) changes sign nine times.
void nine_roots(Model& m) {
  const Expr t = m.time(), u = m.variable("u"), n = integer(m, "n", 0);
  Expr guard = t - 0.1;
  for (int k = 2; k <= 9; ++k) guard *= t - k / 10.0;
  m.equation(der(u) == u);
  m.when(when({guard > 0, guard < 0}, {assign(n, pre(n) + 1)}));
  m.fix(u, 1);
}

ExactComponents nine_roots_exact(const Expr& t) {
  Expr n = 0;
  for (int k = 1; k <= 9; ++k) n += select(t >= k / 10.0, 1, 0);
  return {{"u", exp(t)}, {"n", n}};
}

std::vector<KnownEvent> events_at(std::initializer_list<double> times, const std::string& what) {
  std::vector<KnownEvent> events;
  for (double t : times) events.push_back({.t = t, .accuracy = 1e-15, .what = what});
  return events;
}

// Free fall from 50 m, and the guard u^3: a root of multiplicity three.
void flat_root_equations(Model& m) {
  const Expr u = m.variable("u"), landed = boolean(m, "landed", false);
  m.equation(der(u, 2) == -9.8);
  m.when(when({pow(u, 3) <= 0}, {assign(landed, true)}));
  m.fix(u, 50), m.fix(der(u), 0);
}

// x' = 1 and the guard (x - 0.5)^2 - eps: two roots 2 sqrt(eps) apart, one double root for eps = 0,
// none below.
void close_roots_equations(Model& m) {
  const Expr x = m.variable("x"), eps = m.parameter("eps", 1e-10), n = integer(m, "n", 0);
  const Expr guard = sqr(x - 0.5) - eps;
  m.equation(der(x) == 1);
  m.when(when({guard<0, guard> 0}, {assign(n, pre(n) + 1)}));
  m.fix(x, 0);
}

// u' = 1: two events one millisecond apart, on the mesh of a careless solver.
void mesh_events_equations(Model& m) {
  const Expr u = m.variable("u"), first = boolean(m, "first", false);
  const Expr second = boolean(m, "second", false);
  m.equation(der(u) == 1);
  m.when(when({u >= 0.001}, {assign(first, true)}));
  m.when(when({u >= 0.002}, {assign(second, true)}));
  m.fix(u, 0);
}

KnownStructure first_order() { return {.c = {0}, .d = {1}, .index = 0, .dof = 1}; }

}  // namespace

Problem polynomial_guard() {
  return Problem({
      .name = "polynomial_guard",
      .title = "nine events at 0.1, 0.2, ..., 0.9",
      .description = "With a step size of 0.1 every root falls on the end of a step.",
      .source = "SciML DiffEqBase, pull request 487",
      .kind = ProblemKind::kHybrid,
      .equations = nine_roots,
      .exact = nine_roots_exact,
      .events = events_at({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}, "guard changes sign"),
      .structure = first_order(),
      .start_accuracy = 0,
  });
}

Problem flat_root() {
  const double landing = std::sqrt(100 / 9.8);
  return Problem({
      .name = "flat_root",
      .title = "free fall with the guard u^3, a root of multiplicity three",
      .source = "SciML DiffEqBase, issue 671",
      .kind = ProblemKind::kHybrid,
      .stop_time = 4,
      .equations = flat_root_equations,
      .exact =
          [=](const Expr& t) {
            return ExactComponents{{"u", 50 - 4.9 * sqr(t)},
                                   {"landed", select(t >= landing, 1, 0)}};
          },
      .events = events_at({landing}, "lands"),
      .structure = {.c = {0}, .d = {2}, .index = 0, .dof = 2},
      .start_accuracy = 0,
  });
}

Problem close_roots() {
  return Problem({
      .name = "close_roots",
      .title = "two events 2e-5 apart inside one step; parameter eps makes them graze",
      .source = "textbook case of event location",
      .kind = ProblemKind::kHybrid,
      .equations = close_roots_equations,
      .exact =
          [](const Expr& t) {
            return ExactComponents{
                {"x", t}, {"n", select(t >= 0.5 - 1e-5, 1, 0) + select(t >= 0.5 + 1e-5, 1, 0)}};
          },
      .events = events_at({0.5 - 1e-5, 0.5 + 1e-5}, "guard changes sign"),
      .structure = first_order(),
      .start_accuracy = 0,
  });
}

Problem mesh_events() {
  return Problem({
      .name = "mesh_events",
      .title = "two events at 0.001 and 0.002",
      .source = "SciML DiffEqBase, issue 258",
      .kind = ProblemKind::kHybrid,
      .stop_time = 0.003,
      .equations = mesh_events_equations,
      .exact =
          [](const Expr& t) {
            return ExactComponents{{"u", t},
                                   {"first", select(t >= 0.001, 1, 0)},
                                   {"second", select(t >= 0.002, 1, 0)}};
          },
      .events = events_at({0.001, 0.002}, "guard"),
      .structure = first_order(),
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems

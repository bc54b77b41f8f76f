// Two leaking tanks and one inlet that serves whichever ran empty last. Inflow 1.8, outflow 1 each:
// the total falls by 0.2, so from 2 it is gone at t = 10, after infinitely many switches. The k-th
// comes at 10 - 9 * 0.8^(k-1).

#include <cmath>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void two_tanks_equations(Model& m) {
  const Expr w = m.parameter("w", 1.8), x1 = m.variable("x1"), x2 = m.variable("x2");
  const Expr first = boolean(m, "first", true);
  m.equation(der(x1) == select(first, w, 0) - 1);
  m.equation(der(x2) == select(first, 0, w) - 1);
  m.when(when({x2 <= 0}, {assign(first, false)}));
  m.when(when({x1 <= 0}, {assign(first, true)}));
  m.fix(x1, 1), m.fix(x2, 1);
}

double switch_time(int k) { return 10 - 9 * std::pow(0.8, k - 1); }

// The tank served from a switch on starts from 0; the other holds the total, 2 - 0.2 t.
ExactComponents two_tanks_exact(const Expr& t) {
  Expr x1 = 1 + 0.8 * t, x2 = 1 - t, first = 1;
  for (int k = 1; k <= 10; ++k) {
    const Expr served = 0.8 * (t - switch_time(k)), other = 2 - 0.2 * t - served;
    const Expr is_now = t >= switch_time(k);
    x1 = select(is_now, k % 2 == 0 ? served : other, x1);
    x2 = select(is_now, k % 2 == 0 ? other : served, x2);
    first = select(is_now, k % 2 == 0 ? 1 : 0, first);
  }
  return {{"x1", x1}, {"x2", x2}, {"first", first}};
}

std::vector<KnownEvent> events() {
  std::vector<KnownEvent> list;
  for (int k = 1; switch_time(k) < 9; ++k)
    list.push_back({.t = switch_time(k), .accuracy = 1e-14, .what = "the inlet changes"});
  return list;
}

}  // namespace

Problem two_tanks() {
  return Problem({
      .name = "two_tanks",
      .title = "two leaking tanks with one inlet; the switches accumulate at t = 10",
      .source =
          "K. H. Johansson, M. Egerstedt, J. Lygeros, S. Sastry, On the regularization of Zeno "
          "hybrid automata, Systems & Control Letters 38 (1999) 141-150",
      .kind = ProblemKind::kHybrid,
      .stop_time = 9,
      .equations = two_tanks_equations,
      .exact = two_tanks_exact,
      .events = events(),
      .structure = {.c = {0, 0}, .d = {1, 1}, .index = 0, .dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems

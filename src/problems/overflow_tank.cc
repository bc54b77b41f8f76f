// A tank with inflow 1 + sin t and outflow 0.9 that overflows at the height H. One variable s tells
// the mode: below the rim s = h - H < 0; at the rim s >= 0 is the overflow. The level is then a
// constraint: index 1 - 2 - 1.

#include <cmath>
#include <numbers>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void overflow_tank_equations(Model& m) {
  const Expr H = m.parameter("H", 1), q_out = m.parameter("q_out", 0.9);
  const Expr h = m.variable("h"), q = m.variable("q"), s = m.variable("s"), V = m.variable("V");
  m.equation(der(h) == 1 + sin(m.time()) - q_out - q, "balance");
  m.equation(h == H + select(s < 0, s, 0), "level");
  m.equation(q == select(s < 0, 0, s), "overflow");
  m.equation(der(V) == q, "spilt");
  m.fix(h, 0.5), m.fix(V, 0), m.start(q, 0), m.start(s, -0.5);
}

constexpr double kFull = 0.93535196763532126;  // 0.1 t + 1 - cos t = 0.5

ExactComponents overflow_tank_exact(const Expr& t) {
  const double falls = std::numbers::pi + std::asin(0.1);  // sin t = -0.1
  const Expr level = 0.5 + 0.1 * t + 1 - cos(t), inflow = 0.1 + sin(t);
  const Expr is_full = t >= kFull && t < falls;
  const auto spilt = [](const Expr& time) {
    return 0.1 * (time - kFull) + cos(Expr(kFull)) - cos(time);
  };
  const Expr after = 1 + 0.1 * (t - falls) + cos(Expr(falls)) - cos(t);
  const Expr h = select(t < kFull, level, select(is_full, 1, after));
  const Expr q = select(is_full, inflow, 0);
  const Expr V = select(t < kFull, 0, select(is_full, spilt(t), spilt(falls)));
  return {{"h", h}, {"q", q}, {"s", select(is_full, inflow, h - 1)}, {"V", V}};
}

}  // namespace

Problem overflow_tank() {
  const double falls = std::numbers::pi + std::asin(0.1);
  return Problem({
      .name = "overflow_tank",
      .title = "tank that overflows for a while",
      .source = "textbook; the ideal diode of hydraulics",
      .kind = ProblemKind::kHybrid,
      .stop_time = 4,
      .equations = overflow_tank_equations,
      .exact = overflow_tank_exact,
      .references = {{.t = 4,
                      .values = absolute(1e-15, {{"V", 1.8191634445817553}, {"q", 0}}),
                      .source = "closed form"}},
      .events = {{.t = kFull, .accuracy = 1e-15, .what = "full"},
                 {.t = falls, .accuracy = 1e-15, .what = "the level falls"}},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems

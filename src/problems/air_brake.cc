// Westinghouse air brake of a train with n cars, as an electric circuit: the pipe along the train
// is a chain of resistances R; each car hangs on it with a capacitor C in series with a capacitor
// D, and a check valve (a diode with the resistance S) bypasses D. The diode, 0 <= k_i and h_i <= 0
// and k_i h_i = 0, is written with one variable s_i that is k_i when positive and h_i when
// negative. The driver lets the pressure w0 fall from 10 to 0 at t = 1. Up to 2^n modes, but the
// same two rows for every car.

#include <string>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void air_brake_equations(Model& m, int n) {
  const Expr R = m.parameter("R", 100), S = m.parameter("S", 10);
  const Expr C = m.parameter("C", 1e-3), D = m.parameter("D", 1e-4);
  const Numbered j(m, "j", n), k(m, "k", n), l(m, "l", n), h(m, "h", n), s(m, "s", n);
  const Numbered u(m, "u", n), v(m, "v", n), w(m, "w", n);
  const Expr w0 = select(m.time() < 1, 10, 0);
  // j(i) enters car i from the left.
  for (int i = 1; i <= n; ++i) {
    const Expr next = i < n ? j(i + 1) : Expr(0), previous = i == 1 ? w0 : w(i - 1);
    const std::string car = std::to_string(i);
    m.equation(j(i) - k(i) - l(i) - next == 0, "node" + car);
    m.equation(w(i) == u(i) + v(i), "car" + car);
    m.equation(previous - R * j(i) - w(i) == 0, "pipe" + car);
    m.equation(h(i) + S * k(i) == v(i), "valve" + car);
    m.equation(k(i) == select(s(i) > 0, s(i), 0), "open" + car);
    m.equation(h(i) == select(s(i) > 0, 0, s(i)), "closed" + car);
    m.equation(C * der(u(i)) == k(i) + l(i), "lower" + car);
    m.equation(D * der(v(i)) == l(i), "upper" + car);
    m.fix(u(i), 0), m.fix(v(i), 0);
    for (const Expr& rest : {j(i), k(i), l(i), h(i), s(i), w(i)}) m.start(rest, 0);
  }
}

}  // namespace

Problem air_brake(int n) {
  return Problem({
      .name = "air_brake",
      .title = "Westinghouse air brake of a train with n cars: 2^n modes",
      .description = "The start values are those of the empty system; all flows are guesses.",
      .source = "B. Caillaud; Siconos, example Train",
      .kind = ProblemKind::kHybrid,
      .stop_time = 2,
      .equations = [n](Model& m) { air_brake_equations(m, n); },
      .structure = {.dof = 2 * n},
      .size_name = "n",
      .size = n,
  });
}

}  // namespace hydae::problems

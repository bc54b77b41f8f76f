// Ring modulator: mixes a low and a high frequency signal with four diodes. With the small
// capacitance Cs > 0 it is a stiff ODE; with Cs = 0 a DAE of index 2 on which the structural
// analysis fails: the combination f3 - f4 + f5 - f6 = y10 + y11 + y12 + y13 holds no diode current.

#include <numbers>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void ring_modulator_equations(Model& m, double capacitance) {
  const Expr C = m.parameter("C", 1.6e-8), Cp = m.parameter("Cp", 1e-8);
  const Expr Lh = m.parameter("Lh", 4.45), Ls1 = m.parameter("Ls1", 0.002);
  const Expr Ls2 = m.parameter("Ls2", 5e-4), Ls3 = m.parameter("Ls3", 5e-4);
  const Expr R = m.parameter("R", 25000), Rp = m.parameter("Rp", 50);
  const Expr Rg1 = m.parameter("Rg1", 36.3), Rg2 = m.parameter("Rg2", 17.3);
  const Expr Rg3 = m.parameter("Rg3", 17.3), Ri = m.parameter("Ri", 50);
  const Expr Rc = m.parameter("Rc", 600), gamma = m.parameter("gamma", 40.67286402e-9);
  const Expr delta = m.parameter("delta", 17.7493332);
  const Numbered y(m, "y", 15);

  const Expr t = m.time(), pi = std::numbers::pi;
  const Expr Uin1 = 0.5 * sin(2000 * pi * t), Uin2 = 2 * sin(20000 * pi * t);
  const auto q = [&](const Expr& U) { return gamma * (exp(delta * U) - 1); };
  const Expr q1 = q(y(3) - y(5) - y(7) - Uin2), q2 = q(-y(4) + y(6) - y(7) - Uin2);
  const Expr q3 = q(y(4) + y(5) + y(7) + Uin2), q4 = q(-y(3) - y(6) + y(7) + Uin2);
  // Cs is a number, not a parameter: with Cs = 0 the derivatives are not there at all.
  const auto charge = [&](const Expr& U) {
    return capacitance == 0 ? Expr(0) : capacitance * der(U);
  };

  m.equation(C * der(y(1)) == y(8) - 0.5 * y(10) + 0.5 * y(11) + y(14) - y(1) / R);
  m.equation(C * der(y(2)) == y(9) - 0.5 * y(12) + 0.5 * y(13) + y(15) - y(2) / R);
  m.equation(charge(y(3)) == y(10) - q1 + q4);
  m.equation(charge(y(4)) == -y(11) + q2 - q3);
  m.equation(charge(y(5)) == y(12) + q1 - q3);
  m.equation(charge(y(6)) == -y(13) - q2 + q4);
  m.equation(Cp * der(y(7)) == -y(7) / Rp + q1 + q2 - q3 - q4);
  m.equation(Lh * der(y(8)) == -y(1));
  m.equation(Lh * der(y(9)) == -y(2));
  m.equation(Ls2 * der(y(10)) == 0.5 * y(1) - y(3) - Rg2 * y(10));
  m.equation(Ls3 * der(y(11)) == -0.5 * y(1) + y(4) - Rg3 * y(11));
  m.equation(Ls2 * der(y(12)) == 0.5 * y(2) - y(5) - Rg2 * y(12));
  m.equation(Ls3 * der(y(13)) == -0.5 * y(2) + y(6) - Rg3 * y(13));
  m.equation(Ls1 * der(y(14)) == -y(1) + Uin1 - (Ri + Rg1) * y(14));
  m.equation(Ls1 * der(y(15)) == -y(2) - (Rc + Rg1) * y(15));

  for (int i = 1; i <= 15; ++i) {
    const bool is_free = capacitance != 0 || i < 3 || (i > 6 && i != 10);
    if (is_free)
      m.fix(y(i), 0);
    else
      m.start(y(i), 0);
  }
}

constexpr const char* kLioenDeSwart =
    "W. M. Lioen, J. J. B. de Swart, Test Set for Initial Value Problem Solvers, problem ringmod";

}  // namespace

Problem ring_modulator() {
  return Problem({
      .name = "ring_modulator",
      .title = "ring modulator with Cs = 0, index 2, structural analysis fails",
      .description = "Ten degrees of freedom: the sum y10 + y11 + y12 + y13 vanishes.",
      .source = kLioenDeSwart,
      .stop_time = 1e-3,
      .equations = [](Model& m) { ring_modulator_equations(m, 0); },
      .structure = {.c = std::vector<int>(15, 0),
                    .d = {1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                    .index = 1,
                    .dof = 11,
                    .is_singular = true,
                    .true_index = 2,
                    .true_dof = 10},
      .start_accuracy = 0,
  });
}

Problem ring_modulator_stiff() {
  return Problem({
      .name = "ring_modulator_stiff",
      .title = "ring modulator with Cs = 2e-12, a stiff and highly oscillatory ODE",
      .source = kLioenDeSwart,
      .kind = ProblemKind::kOde,
      .stop_time = 1e-3,
      .equations = [](Model& m) { ring_modulator_equations(m, 2e-12); },
      .references = {{.t = 1e-3,
                      .values = relative(
                          1e-7, "y",
                          {-0.2339057358486745e-1, -0.7367485485540825e-2, 0.2582956709291169,
                           -0.4064465721283450, -0.4039455665149794, 0.2607966765422943,
                           0.1106761861269975, 0.2939904342435596e-6, -0.2840029933642329e-7,
                           0.7267198267264553e-3, 0.7929487196960840e-3, -0.7255283495698965e-3,
                           -0.7941401968526521e-3, 0.7088495416976114e-4, 0.2390059075236570e-4}),
                      .source = "RADAU, tolerance 1e-12"}},
      .structure =
          {.c = std::vector<int>(15, 0), .d = std::vector<int>(15, 1), .index = 0, .dof = 15},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems

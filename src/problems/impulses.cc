// Impulses at a change of structure, with nothing else around.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

// C1 v1' = -i, C2 v2' = i; connected from t = 1 on: the charge is conserved.
void capacitor_equations(Model& m) {
  const Expr C1 = m.parameter("C1", 1), C2 = m.parameter("C2", 2);
  const Expr v1 = m.variable("v1"), v2 = m.variable("v2"), i = m.variable("i");
  m.equation(C1 * der(v1) == -i);
  m.equation(C2 * der(v2) == i);
  m.equation(select(m.time() < 1, i, v1 - v2) == 0);
  m.fix(v1, 3), m.fix(v2, 0), m.start(i, 0);
}

// x_j = x_{j+1}', and x_n jumps from 7 to 0.
void chain_equations(Model& m, int n) {
  const Numbered x(m, "x", n);
  for (int j = 1; j < n; ++j) m.equation(x(j) == der(x(j + 1)));
  m.equation(x(n) == select(m.time() < 1, 7, 0));
  for (int j = 1; j < n; ++j) m.start(x(j), 0);
  m.start(x(n), 7);
}

std::vector<KnownImpulse> chain_impulses(int n) {
  std::vector<KnownImpulse> impulses;
  for (int j = n - 1; j >= 1; --j) impulses.push_back({"x" + std::to_string(j), n - 1 - j, -7});
  return impulses;
}

// y = 3 x^2 x' = (x^3)' while x jumps from 1 to 3.
void differential_equations(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(x == select(m.time() < 1, 1, 3));
  m.equation(y == 3 * sqr(x) * der(x));
  m.start(x, 1), m.start(y, 0);
}

}  // namespace

Problem parallel_capacitors() {
  return Problem({
      .name = "parallel_capacitors",
      .title = "two charged capacitors are connected: voltage jump and current impulse",
      .description = "Energy falls by 3.",
      .source =
          "P. J. Mosterman, G. Biswas, A theory of discontinuities in physical system models, J. "
          "Franklin Inst. 335B (1998) 401-439",
      .kind = ProblemKind::kHybrid,
      .stop_time = 2,
      .equations = capacitor_equations,
      .exact =
          [](const Expr& t) {
            return ExactComponents{
                {"v1", select(t < 1, 3, 1)}, {"v2", select(t < 1, 0, 1)}, {"i", 0}};
          },
      .events = {{.t = 1, .what = "connected", .impulses = {{"i", 0, 2}}}},
      .start_accuracy = 0,
  });
}

Problem higher_impulse(int n) {
  return Problem({
      .name = "higher_impulse",
      .title = "chain of derivatives of a jump: a delta, its derivative, ...",
      .source = "textbook; S. Trenn, Distributional differential algebraic equations (2009)",
      .kind = ProblemKind::kHybrid,
      .stop_time = 2,
      .equations = [n](Model& m) { chain_equations(m, n); },
      .exact =
          [n](const Expr& t) {
            ExactComponents x;
            for (int j = 1; j < n; ++j) x.emplace_back("x" + std::to_string(j), 0);
            x.emplace_back("x" + std::to_string(n), select(t < 1, 7, 0));
            return x;
          },
      .events = {{.t = 1, .what = "x_n jumps", .impulses = chain_impulses(n)}},
      .structure = {.index = n, .dof = 0},
      .start_accuracy = 0,
      .size_name = "n",
      .size = n,
  });
}

Problem exact_differential() {
  return Problem({
      .name = "exact_differential",
      .title = "y = 3 x^2 x' over a jump of x from 1 to 3: the impulse is 26",
      .description =
          "The average of 3 x^2 along the straight path from 1 to 3 is 13; its value in the middle "
          "(12) and the mean of its ends (15) are not.",
      .source = "textbook",
      .kind = ProblemKind::kHybrid,
      .stop_time = 2,
      .equations = differential_equations,
      .exact =
          [](const Expr& t) {
            return ExactComponents{{"x", select(t < 1, 1, 3)}, {"y", 0}};
          },
      .events = {{.t = 1, .what = "x jumps", .impulses = {{"y", 0, 26}}}},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems

// Reissig, Martinson and Barton's family with n = 2k+1: for b = 1 .. k
//
//     x_{2b}' + x_{2b+1}' + x_{2b-1} = a_{2b-1},    x_{2b}' + x_{2b+1}' + x_{2b} = a_{2b},
//
// and x_n = a_n. Subtracting each pair shows differentiation index 1 for every k, while the
// structural index is k+1; the system Jacobian is regular, so a Taylor method only differentiates
// more than it needs to. The even components are free. Here a is chosen so that x_j = cos(t + j).

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void reissig_equations(Model& m, int k) {
  const int n = 2 * k + 1;
  const Expr t = m.time();
  const Numbered x(m, "x", n);
  for (int b = 1; b <= k; ++b) {
    const Expr slope = der(x(2 * b)) + der(x(2 * b + 1));
    const Expr exact_slope = -sin(t + 2 * b) - sin(t + 2 * b + 1);
    m.equation(slope + x(2 * b - 1) == exact_slope + cos(t + 2 * b - 1));
    m.equation(slope + x(2 * b) == exact_slope + cos(t + 2 * b));
  }
  m.equation(x(n) == cos(t + n));

  for (int j = 1; j <= n; ++j) {
    if (j % 2 == 0)
      m.fix(x(j), cos(Expr(j)));
    else
      m.start(x(j), cos(Expr(j)));
    m.start(der(x(j)), -sin(Expr(j)));
  }
}

ExactComponents reissig_exact(const Expr& t, int k) {
  ExactComponents x;
  for (int j = 1; j <= 2 * k + 1; ++j) x.emplace_back("x" + std::to_string(j), cos(t + j));
  return x;
}

KnownStructure reissig_structure(int k) {
  KnownStructure s{.d = {0}, .index = k + 1, .dof = k, .true_index = 1, .true_dof = k};
  for (int b = 1; b <= k; ++b) {
    s.c.insert(s.c.end(), 2, b - 1);
    s.d.insert(s.d.end(), 2, b);
  }
  s.c.push_back(k);
  return s;
}

}  // namespace

Problem reissig(int k) {
  return Problem({
      .name = "reissig",
      .title = "index 1 with structural index k+1",
      .description = "The structural analysis succeeds but over-estimates the index.",
      .source =
          "G. Reissig, W. S. Martinson, P. I. Barton, Differential-algebraic equations of index 1 "
          "may have an arbitrarily high structural index, SIAM J. Sci. Comput. 21 (2000) 1987-1990",
      .stop_time = 5,
      .equations = [k](Model& m) { reissig_equations(m, k); },
      .exact = [k](const Expr& t) { return reissig_exact(t, k); },
      .structure = reissig_structure(k),
      .start_accuracy = 1e-15,
      .size_name = "k",
      .size = k,
  });
}

}  // namespace hydae::problems

// -x1' + x3 = b1, -x2' + x4 = b2, x2 + x3 + x4 = c1, -x1 + x3 + x4 = c2. Structurally index 1 with
// two degrees of freedom, but det(s E + A) = 1: nothing is free and the Kronecker index is 3. The
// right-hand sides are chosen so that x = (sin t, exp(-t), cos 2t, t^2).

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void scholz_steinbrecher_equations(Model& m) {
  const Expr t = m.time();
  const Numbered x(m, "x", 4);
  m.equation(-der(x(1)) + x(3) == -cos(t) + cos(2 * t));
  m.equation(-der(x(2)) + x(4) == exp(-t) + sqr(t));
  m.equation(x(2) + x(3) + x(4) == exp(-t) + cos(2 * t) + sqr(t));
  m.equation(-x(1) + x(3) + x(4) == -sin(t) + cos(2 * t) + sqr(t));
  m.start(x(1), 0), m.start(x(2), 1), m.start(x(3), 1), m.start(x(4), 0);
}

ExactComponents scholz_steinbrecher_exact(const Expr& t) {
  return {{"x1", sin(t)}, {"x2", exp(-t)}, {"x3", cos(2 * t)}, {"x4", sqr(t)}};
}

}  // namespace

Problem scholz_steinbrecher() {
  return Problem({
      .name = "scholz_steinbrecher",
      .title = "linear with constant coefficients, index 3, structural analysis fails twice",
      .description =
          "Two linear combinations in a row are needed: f4 - f3, then f3 + f4' - f1 - f2.",
      .source =
          "L. Scholz, A. Steinbrecher, Regularization of DAEs based on the signature method, BIT "
          "56 (2016) 319-340",
      .equations = scholz_steinbrecher_equations,
      .exact = scholz_steinbrecher_exact,
      .structure = {.c = {0, 0, 0, 0},
                    .d = {1, 1, 0, 0},
                    .index = 1,
                    .dof = 2,
                    .is_singular = true,
                    .true_index = 3,
                    .true_dof = 0},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems

// Car axis: a rod of length L on two springs, one wheel on a bumpy road. (xl, yl) and (xr, yr) are
// its ends, (xb, yb) the contact of the right spring with the road; K = eps^2 M / 2.
//
// Trap: the 16-digit end values of several programs are wrong by up to 1.6e-10; the 21-digit ones
// of the test set are good to 5e-12, those given here to all digits.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void caraxis_equations(Model& m) {
  const Expr L = m.parameter("L", 1), L0 = m.parameter("L0", 0.5);
  const Expr eps = m.parameter("eps", 1e-2), M = m.parameter("M", 10);
  const Expr r = m.parameter("r", 0.1), w = m.parameter("w", 10), g = m.parameter("g", 1);
  const Expr xl = m.variable("xl"), yl = m.variable("yl");
  const Expr xr = m.variable("xr"), yr = m.variable("yr");
  const Expr lambda1 = m.variable("lambda1"), lambda2 = m.variable("lambda2");

  const Expr K = sqr(eps) * M / 2;
  const Expr yb = r * sin(w * m.time()), xb = sqrt(sqr(L) - sqr(yb));
  const Expr Ll = sqrt(sqr(xl) + sqr(yl)), Lr = sqrt(sqr(xr - xb) + sqr(yr - yb));
  m.equation(K * der(xl, 2) == (L0 - Ll) * xl / Ll + lambda1 * xb + 2 * lambda2 * (xl - xr));
  m.equation(K * der(yl, 2) ==
             (L0 - Ll) * yl / Ll + lambda1 * yb + 2 * lambda2 * (yl - yr) - K * g);
  m.equation(K * der(xr, 2) == (L0 - Lr) * (xr - xb) / Lr - 2 * lambda2 * (xl - xr));
  m.equation(K * der(yr, 2) == (L0 - Lr) * (yr - yb) / Lr - 2 * lambda2 * (yl - yr) - K * g);
  m.equation(xl * xb + yl * yb == 0);
  m.equation(sqr(xl - xr) + sqr(yl - yr) - sqr(L) == 0);

  // At the start the first constraint determines xl and the second xr.
  m.fix(yl, 0.5), m.fix(yr, 0.5), m.fix(der(yl), 0), m.fix(der(yr), 0);
  m.start(xl, 0), m.start(xr, 1), m.start(der(xl), -0.5), m.start(der(xr), -0.5);
  m.start(lambda1, 0), m.start(lambda2, 0);
}

}  // namespace

Problem caraxis() {
  return Problem({
      .name = "caraxis",
      .title = "car axis, index 3",
      .description = "Second-order form with 6 equations; the test set writes 10 of first order.",
      .source =
          "W. M. Lioen, J. J. B. de Swart, Test Set for Initial Value Problem Solvers, problem "
          "caraxis",
      .stop_time = 3,
      .equations = caraxis_equations,
      .references = {{.t = 3,
                      .values = absolute(1e-14, {{"xl", 0.0493455784275240},
                                                 {"yl", 0.4969894602300081},
                                                 {"xr", 1.041742524885426},
                                                 {"yr", 0.3739110272653658},
                                                 {"xl", -0.0770583684035918, 1},
                                                 {"yl", 0.00744686659207200, 1},
                                                 {"xr", 0.0175568157535417, 1},
                                                 {"yr", 0.7703410437796018, 1}}),
                      .source = "extrapolation in 80-bit arithmetic on the multiplier-free ODE"},
                     {.t = 3,
                      .values = absolute(1e-11, {{"lambda1", -0.473688659084893324729e-2},
                                                 {"lambda2", -0.110468033125734368808e-2}}),
                      .source = "GAMD in quadruple precision, tolerance 1e-24"}},
      .structure = {.c = {0, 0, 0, 0, 2, 2}, .d = {2, 2, 2, 2, 0, 0}, .index = 3, .dof = 4},
      .start_accuracy = 1e-16,
  });
}

}  // namespace hydae::problems

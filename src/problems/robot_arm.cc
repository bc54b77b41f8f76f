// Two-link planar robot arm with a flexible joint and prescribed path of its end, in the form of
// Campbell and Griepentrog. With x1, x2, x3 the angles and u1, u2 the controls; q = (x1' + x3')^2
// and a, b, c, d functions of x3.
//
// Only u1 - u2 enters equations 1 and 3: the Sigma-method sees index 3 with a singular system
// Jacobian. With w = u1 - u2 it finds the true index 5 and no freedom at all.
//
// Exact: x1 = 1 - e^t, x3 = e^t - t. Equations 1 and 3 are linear in 2 x3 - x2 =: s and w:
//     x1'' = p + s (a + 2b) + a w,   x3'' = r + s (a - 9b) - (a + b) w,
// whose determinant is D = -(a + 2b)(a + b) - a (a - 9b); then equation 2 gives u2.
// The solution ends at x3 = pi, t = 1.544626000035211, where the system Jacobian is singular.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

// The coefficients of the equations of motion at the angle x3.
struct Coefficients {
  Expr a, b, c, d;
  explicit Coefficients(const Expr& x3) {
    const Expr D = 2 - sqr(cos(x3));
    a = 2 / D, b = cos(x3) / D, c = sin(x3) / D, d = sin(x3) * cos(x3) / D;
  }
};

void robot_arm_equations(Model& m) {
  const Expr t = m.time();
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2"), x3 = m.variable("x3");
  const Expr u1 = m.variable("u1"), u2 = m.variable("u2");
  const auto [a, b, c, d] = Coefficients(x3);
  const Expr q = sqr(der(x1) + der(x3)), v = sqr(der(x1)), s = 2 * x3 - x2;
  m.equation(der(x1, 2) == 2 * c * q + v * d + s * (a + 2 * b) + a * (u1 - u2));
  m.equation(der(x2, 2) == -2 * c * q - v * d + s * (1 - 3 * a - 2 * b) - a * u1 + (a + 1) * u2);
  m.equation(der(x3, 2) ==
             -2 * c * q - v * d + s * (a - 9 * b) - 2 * v * c - d * q - (a + b) * (u1 - u2));
  m.equation(cos(x1) + cos(x1 + x3) == cos(1 - exp(t)) + cos(1 - t));
  m.equation(sin(x1) + sin(x1 + x3) == sin(1 - exp(t)) + sin(1 - t));

  // Nothing is free: guesses choose among the solutions of the last two equations.
  m.start(x1, 0), m.start(der(x1), -1), m.start(der(x1, 2), -1);
  m.start(x2, 0.9537503511807), m.start(der(x2), -2.5319168790105);
  m.start(x3, 1), m.start(der(x3), 0), m.start(der(x3, 2), 1);
  m.start(u1, -4.2781254864526), m.start(u2, -0.7437526892114);
}

ExactComponents robot_arm_exact(const Expr& t) {
  const Expr x1 = 1 - exp(t), x3 = exp(t) - t;
  const auto [a, b, c, d] = Coefficients(x3);
  const Expr q = sqr(der(x1) + der(x3)), v = sqr(der(x1));
  const Expr p = der(x1, 2) - 2 * c * q - v * d;
  const Expr r = der(x3, 2) + 2 * c * q + v * d + 2 * v * c + d * q;
  const Expr D = -(a + 2 * b) * (a + b) - a * (a - 9 * b);
  const Expr s = (-(a + b) * p - a * r) / D;
  const Expr w = ((a + 2 * b) * r - (a - 9 * b) * p) / D;
  const Expr x2 = 2 * x3 - s;
  // Equation 2 with -a u1 + (a + 1) u2 = u2 - a w.
  const Expr u2 = der(x2, 2) + 2 * c * q + v * d - s * (1 - 3 * a - 2 * b) + a * w;
  return {{"x1", x1}, {"x2", x2}, {"x3", x3}, {"u1", u2 + w}, {"u2", u2}};
}

}  // namespace

Problem robot_arm() {
  const std::string source = "the exact solution evaluated with 40 digits";
  return Problem({
      .name = "robot_arm",
      .title = "two-link robot arm with prescribed path, index 5, structural analysis fails",
      .description = "No initial value is free. The solution runs into a singularity at t = "
                     "1.544626000035211; the interval ends before.",
      .source = "S. L. Campbell, E. Griepentrog, Solvability of general differential algebraic "
                "equations, SIAM J. Sci. Comput. 16 (1995) 257-270",
      .equations = robot_arm_equations,
      .exact = robot_arm_exact,
      .references = {{.t = 0,
                      .values = absolute(1e-15, {{"x2", 9.537503511807191600e-1},
                                                 {"u1", -4.278125486452564478},
                                                 {"u2", -7.437526892113922698e-1}}),
                      .source = source},
                     {.t = 0.5,
                      .values = absolute(1e-15, {{"x2", -0.1194672352079521},
                                                 {"u1", 0.7666103473302507},
                                                 {"u2", 7.104153806620896}}),
                      .source = source},
                     {.t = 1,
                      .values = absolute(1e-14, {{"x1", -1.718281828459045235},
                                                 {"x2", 3.908814781997786505e-1},
                                                 {"x3", 1.718281828459045235},
                                                 {"u1", 1.359126060175974610e1},
                                                 {"u2", 1.933042879027812993e1},
                                                 {"x2", 4.287894557028696134, 1},
                                                 {"u1", 4.853044945609166760e1, 1},
                                                 {"u2", 3.723709188734181079e1, 1}}),
                      .source = source}},
      .structure = {.c = {0, 0, 0, 2, 2},
                    .d = {2, 2, 2, 0, 0},
                    .index = 3,
                    .dof = 2,
                    .is_singular = true,
                    .true_index = 5,
                    .true_dof = 0},
      .start_accuracy = 1e-12,
  });
}

}  // namespace hydae::problems

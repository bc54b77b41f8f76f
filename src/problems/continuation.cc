// Algebraic equations with a parameter: time is the parameter, or an arc length is.

#include <cmath>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

// x^3 + x = t, with Cardano's formula in hyperbolic functions.
void cubic_equation(Model& m) {
  const Expr x = m.variable("x");
  m.equation(pow(x, 3) + x == m.time());
  m.start(x, 0);
}

ExactComponents cubic_exact(const Expr& t) {
  const Expr z = 1.5 * std::sqrt(3.0) * t, arsinh = log(z + sqrt(sqr(z) + 1));
  return {{"x", 2 / std::sqrt(3.0) * sinh(arsinh / 3)}};
}

// The chord of a circle, turning: x cos t + y sin t = 1, x^2 + y^2 = 4.
void chord_equations(Model& m) {
  const Expr t = m.time(), x = m.variable("x"), y = m.variable("y");
  m.equation(x * cos(t) + y * sin(t) == 1);
  m.equation(sqr(x) + sqr(y) == 4);
  m.start(x, 1), m.start(y, std::sqrt(3.0));
}

ExactComponents chord_exact(const Expr& t) {
  const double h = std::sqrt(3.0);
  return {{"x", cos(t) - h * sin(t)}, {"y", sin(t) + h * cos(t)}};
}

// Watson's fixed point problem x_i = exp(cos(i (x_1 + .. + x_n))), reached from x = 0 along the
// curve x_i = lambda exp(cos(i sum x)) from lambda = 0 to 1. The curve folds; time is its arc
// length.
void watson_equations(Model& m, int n) {
  const Numbered x(m, "x", n);
  const Expr lambda = m.variable("lambda");
  Expr sum = 0, speed = sqr(der(lambda));
  for (int i = 1; i <= n; ++i) sum += x(i), speed += sqr(der(x(i)));
  for (int i = 1; i <= n; ++i) m.equation(x(i) == lambda * exp(cos(i * sum)));
  m.equation(speed == 1, "arc_length");

  const double slope =
      1 / std::sqrt(1 + n * std::exp(2.0));  // of lambda; the x_i have e times that
  m.fix(lambda, 0), m.start(der(lambda), slope);
  for (int i = 1; i <= n; ++i) m.start(x(i), 0), m.start(der(x(i)), std::exp(1.0) * slope);
}

std::vector<Reference> watson_references() {
  std::vector<ReferenceValue> values =
      relative(1e-15, "x",
               {0.091159585529980105, 0.35243286184629246, 0.22007977769489307, 0.12830395010929074,
                0.52140697664809122, 0.079537368018504594, 0.50233044117981709, 0.13682872243566886,
                0.20443320093509702, 0.37533281789236543});
  values.push_back({"lambda", 0, 0.21605794275144868, 1e-16});
  const std::string source = "extrapolation in quadruple precision on the tangent field";
  return {{.t = 5, .values = values, .source = source},
          {.t = 80,
           .values = absolute(
               1e-10, {{"lambda", 0.9726103713}, {"x1", 0.9128805534}, {"x10", 0.4346076432}}),
           .source = source}};
}

KnownStructure watson_structure(int n) {
  KnownStructure s{.c = std::vector<int>(static_cast<std::size_t>(n), 1),
                   .d = std::vector<int>(static_cast<std::size_t>(n) + 1, 1),
                   .index = 1,
                   .dof = 1};
  s.c.push_back(0);
  return s;
}

}  // namespace

Problem cubic_root() {
  return Problem({
      .name = "cubic_root",
      .title = "x^3 + x = t",
      .source = "Cardano",
      .kind = ProblemKind::kAlgebraic,
      .stop_time = 10,
      .equations = cubic_equation,
      .exact = cubic_exact,
      .structure = {.c = {0}, .d = {0}, .index = 1, .dof = 0},
      .start_accuracy = 0,
  });
}

Problem turning_chord() {
  return Problem({
      .name = "turning_chord",
      .title = "a turning line meets a circle: two solutions, followed continuously",
      .source = "textbook",
      .kind = ProblemKind::kAlgebraic,
      .stop_time = 10,
      .equations = chord_equations,
      .exact = chord_exact,
      .structure = {.c = {0, 0}, .d = {0, 0}, .index = 1, .dof = 0},
      .start_accuracy = 1e-15,
  });
}

Problem watson(int n) {
  return Problem({
      .name = "watson",
      .title = "Watson's exponential cosine problem by arc-length continuation",
      .description = "For n = 10 lambda reaches 1 soon after the arc length 80. Not quasilinear.",
      .source =
          "L. T. Watson, A globally convergent algorithm for computing fixed points of C2 maps, "
          "Appl. Math. Comput. 5 (1979) 297-311",
      .stop_time = n == 10 ? 80.0 : 2.0,
      .equations = [n](Model& m) { watson_equations(m, n); },
      .references = n == 10 ? watson_references() : std::vector<Reference>(),
      .structure = watson_structure(n),
      .start_accuracy = 1e-15,
      .size_name = "n",
      .size = n,
  });
}

}  // namespace hydae::problems

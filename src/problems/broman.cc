// The examples of a course on algorithms for equation-based languages: an index-1 DAE, an algebraic
// loop, a matching, and the pendulum for Pantelides' algorithm. (Its example for sorting into
// blocks exists as a figure only.)

#include <cmath>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

constexpr const char* kBroman =
    "D. Broman, Principles of equation-based object-oriented modeling and languages, module B: "
    "DAEs and algorithms in EOO languages (2014)";
constexpr const char* kQuadruple = "extrapolation in quadruple precision on the state x";

// The sign of y is a choice: that of the start value.
void index1_equations(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == -x + y);
  m.equation(sqr(x) + sqr(y) == 10);
  m.fix(x, 1), m.start(y, 3), m.start(der(x), 2);
}

// y and z must be solved for together.
void loop_equations(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(der(x) == -x + y - z);
  m.equation(z == sqr(x) + sqr(y));
  m.equation(z == x + x * y);
  m.fix(x, 1), m.start(y, 1), m.start(z, 2), m.start(der(x), -2);
}

// f1(y) = 0, f2(x1', x2', y) = 0, f3(x2') = 0; the functions are ours.
void matching_equations(Model& m) {
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2"), y = m.variable("y");
  m.equation(exp(y) == 2);
  m.equation(der(x1) + der(x2) * y == 0);
  m.equation(der(x2) == 3);
  m.fix(x1, 0), m.fix(x2, 0), m.start(y, std::log(2.0));
}

// The course writes x^2 + y^2 = L, without a square.
void broman_pendulum_equations(Model& m) {
  const Expr g = m.parameter("g", 9.81), L = m.parameter("L", 1);
  const Expr x = m.variable("x"), y = m.variable("y"), u = m.variable("u"), v = m.variable("v");
  const Expr lambda = m.variable("lambda");
  m.equation(der(x) == u);
  m.equation(der(y) == v);
  m.equation(der(u) == lambda * x);
  m.equation(der(v) == lambda * y - g);
  m.equation(sqr(x) + sqr(y) == L);
  m.fix(y, 0), m.fix(v, 0), m.start(x, 1), m.start(u, 0), m.start(lambda, 0);
  m.start(der(x), 0), m.start(der(y), 0);
}

}  // namespace

Problem broman_index1() {
  return Problem({
      .name = "broman_index1",
      .title = "x' = -x + y, x^2 + y^2 = 10: index 1, two branches",
      .source = kBroman,
      .equations = index1_equations,
      .references = {{.t = 1,
                      .values =
                          absolute(1e-15, {{"x", 2.0303763254807970}, {"y", 2.4243704289829755}}),
                      .source = kQuadruple}},
      .structure = {.c = {0, 0}, .d = {1, 0}, .index = 1, .dof = 1},
      .start_accuracy = 0,
  });
}

Problem broman_loop() {
  return Problem({
      .name = "broman_loop",
      .title = "index 1 with a nonlinear algebraic loop of two equations",
      .source = kBroman,
      .equations = loop_equations,
      .references = {{.t = 1,
                      .values = absolute(1e-15, {{"x", 0.31099637207696502},
                                                 {"y", 0.64381909946856434},
                                                 {"z", 0.51122177628554722}}),
                      .source = kQuadruple}},
      .structure = {.c = {0, 0, 0}, .d = {1, 0, 0}, .index = 1, .dof = 1},
      .start_accuracy = 0,
  });
}

Problem broman_matching() {
  return Problem({
      .name = "broman_matching",
      .title = "three equations with one matching only",
      .source = kBroman,
      .equations = matching_equations,
      .exact =
          [](const Expr& t) {
            return ExactComponents{
                {"x1", -3 * std::log(2.0) * t}, {"x2", 3 * t}, {"y", std::log(2.0)}};
          },
      .structure = {.c = {0, 0, 0}, .d = {1, 1, 0}, .index = 1, .dof = 2},
      .start_accuracy = 1e-15,
  });
}

Problem broman_pendulum() {
  return Problem({
      .name = "broman_pendulum",
      .title = "pendulum in first-order form, the example of Pantelides' algorithm, index 3",
      .description = "Pantelides differentiates the constraint twice and x' = u, y' = v once.",
      .source = kBroman,
      .equations = broman_pendulum_equations,
      .references = {{.t = 1,
                      .values = absolute(1e-15, {{"x", -0.98629175113187532},
                                                 {"y", -0.16501085312554117},
                                                 {"u", -0.29690551591631582},
                                                 {"v", 1.7746436411126556},
                                                 {"lambda", -4.8562694074846766}}),
                      .source = "closed form in Jacobi elliptic functions"}},
      .structure = {.c = {1, 1, 0, 0, 2}, .d = {2, 2, 1, 1, 0}, .index = 3, .dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems

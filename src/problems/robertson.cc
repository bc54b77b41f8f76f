// Robertson's reaction with its conservation law in place of the third rate equation: index 1, rate
// constants over nine orders of magnitude.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void robertson_equations(Model& m) {
  const Expr k1 = m.parameter("k1", 0.04), k2 = m.parameter("k2", 3e7), k3 = m.parameter("k3", 1e4);
  const Numbered y(m, "y", 3);
  m.equation(der(y(1)) == -k1 * y(1) + k3 * y(2) * y(3));
  m.equation(der(y(2)) == k1 * y(1) - k3 * y(2) * y(3) - k2 * sqr(y(2)));
  m.equation(y(1) + y(2) + y(3) == 1);
  m.fix(y(1), 1), m.fix(y(2), 0), m.start(y(3), 0);
}

}  // namespace

Problem robertson() {
  const std::string source = "extrapolation in quadruple precision";
  return Problem({
      .name = "robertson",
      .title = "Robertson's chemical reaction with conservation law, index 1, stiff",
      .description = "The test set integrates to 1e11, where most of the mass has moved to y3.",
      .source =
          "H. H. Robertson, The solution of a set of reaction rate equations (1966); F. Mazzia, C. "
          "Magherini, Test Set for Initial Value Problem Solvers, problem rober",
      .stop_time = 1e11,
      .equations = robertson_equations,
      .references =
          {{.t = 0.4,
            .values = relative(1e-15, "y",
                               {0.98517211386098986, 3.3863953789749041e-5, 0.014794022185220389}),
            .source = source},
           {.t = 40,
            .values = relative(1e-15, "y",
                               {0.71582706871940509, 9.1855347645577639e-6, 0.28416374574583035}),
            .source = source},
           {.t = 1e11,
            .values = relative(1e-12, "y",
                               {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050}),
            .source = "test set, PSIDE"}},
      .structure = {.c = {0, 0, 0}, .d = {1, 1, 0}, .index = 1, .dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems

// Confined compression of a tissue equivalent, the anisotropic biphasic theory in one dimension:
// strain u, volume fraction theta, stress sigma,
//
//     -R u' + (sigma theta)_z = 0,    theta' + theta u'_z = 0,    sigma' + sigma/L - beta u'_z = 0.
//
// Linear elements: test functions give (h/6, 4h/6, h/6) for values and (-1/2, 0, 1/2) for slopes,
// half of it at the ends. The strain rate in the momentum balance is lumped at every other node, so
// that the balance is algebraic at the others; the plunger moves the first node, u = d(t); the last
// node is free and keeps its lumped half element, which makes its balance a differential equation
// as the printed list of the paper demands.
//
// Not printed in the paper, and chosen here: R = 1, L = 0.02, beta = 0.1, d = 0.1 t, rest with
// theta = 0.3 on [0, 1].

#include <algorithm>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

// Values at nodes 1 .. n.
class Grid {
 public:
  explicit Grid(int nodes) : nodes_(nodes), h_(1.0 / (nodes - 1)) {}

  double h() const { return h_; }
  // Integral of f times the test function of node i, and of its slope times it.
  template <class F>
  Expr value(const F& f, int i) const {
    Expr sum = (i > 1 && i < nodes_ ? 4 : 2) * f(i);
    if (i > 1) sum += f(i - 1);
    if (i < nodes_) sum += f(i + 1);
    return h_ / 6 * sum;
  }
  template <class F>
  Expr slope(const F& f, int i) const {
    return (f(std::min(i + 1, nodes_)) - f(std::max(i - 1, 1))) / 2;
  }

 private:
  int nodes_;
  double h_;
};

void biphasic_equations(Model& m, int nodes) {
  const Expr R = m.parameter("R", 1), L = m.parameter("L", 0.02), beta = m.parameter("beta", 0.1);
  std::vector<Expr> u, theta, sigma;
  for (int i = 1; i <= nodes; ++i) {
    const std::string k = "[" + std::to_string(i) + "]";
    u.push_back(m.variable("u" + k));
    theta.push_back(m.variable("theta" + k));
    sigma.push_back(m.variable("sigma" + k));
    m.start(u.back(), 0), m.start(theta.back(), 0.3), m.start(sigma.back(), 0);
  }
  const auto at = [](const std::vector<Expr>& f, int i) {
    return f[static_cast<std::size_t>(i - 1)];
  };
  const auto rate_u = [&](int i) { return der(at(u, i)); };
  const auto rate_theta = [&](int i) { return der(at(theta, i)); };
  const auto stress_of_gel = [&](int i) { return at(sigma, i); };
  const auto rate_sigma = [&](int i) { return der(at(sigma, i)); };
  const auto stress = [&](int i) { return at(sigma, i) * at(theta, i); };
  const Grid grid(nodes);
  for (int i = 1; i <= nodes; ++i) {
    if (i == 1)
      m.equation(at(u, 1) == 0.1 * m.time());
    else if (i == nodes)
      m.equation(-R * grid.h() * rate_u(i) + grid.slope(stress, i) - stress(i) == 0);
    else if (i % 2 == 0)
      m.equation(-R * 2 * grid.h() * rate_u(i) + grid.slope(stress, i) == 0);
    else
      m.equation(grid.slope(stress, i) == 0);
    m.equation(grid.value(rate_theta, i) + at(theta, i) * grid.slope(rate_u, i) == 0);
    m.equation(grid.value(rate_sigma, i) + grid.value(stress_of_gel, i) / L -
                   beta * grid.slope(rate_u, i) ==
               0);
  }
}

}  // namespace

Problem biphasic(int nodes) {
  return Problem({
      .name = "biphasic",
      .title = "biphasic theory of a gel under a plunger on n nodes: index-1 constraints at every "
               "other node",
      .description = "A constraint partitioning example: with 21 nodes, equations 1, 7, .., 55 of "
                     "63 are index-1 "
                     "constraints, with the strain of the first node and the stress of every other "
                     "one. Constants, "
                     "plunger and the condition at the free end are not printed and chosen here.",
      .source = "S. Raha, L. R. Petzold, Constraint partitioning for structure in path-constrained "
                "dynamic optimization problems (2000), section 5.5",
      .stop_time = 0.1,
      .equations = [nodes](Model& m) { biphasic_equations(m, nodes); },
      .size_name = "n",
      .size = nodes,
  });
}

}  // namespace hydae::problems

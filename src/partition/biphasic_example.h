// For tests and benchmarks: example 5.5 of Raha & Petzold 2000, the biphasic equations (21)
// discretised with linear elements. Test functions give (h/6, 4h/6, h/6) for values and (-1/2, 0,
// 1/2) for slopes, half of it at the ends. The strain rate in the momentum balance is lumped at
// every other node, so that the balance is algebraic at the others; the last node is free and keeps
// its lumped half element. R, L and beta are not printed in the paper; here 1, 0.02 and 0.1, at
// rest with theta = 0.3.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <hydae/model.h>

namespace hydae::partition {

inline Model biphasic(int nodes) {
  Model m("biphasic");
  const double R = 1, L = 0.02, beta = 0.1, h = 1.0 / (nodes - 1);
  std::vector<Expr> u, theta, sigma;
  for (int i = 1; i <= nodes; ++i) {
    const std::string k = "[" + std::to_string(i) + "]";
    u.push_back(m.variable("u" + k));
    theta.push_back(m.variable("theta" + k));
    sigma.push_back(m.variable("sigma" + k));
    m.start(u.back(), 0), m.start(theta.back(), 0.3), m.start(sigma.back(), 0);
  }
  const auto value = [&](const std::vector<Expr>& f, int i) {
    Expr sum = (i > 0 && i < nodes - 1 ? 4 : 2) * f[i];
    if (i > 0) sum += f[i - 1];
    if (i < nodes - 1) sum += f[i + 1];
    return h / 6 * sum;
  };
  const auto slope = [&](const std::vector<Expr>& f, int i) {
    return (f[std::min(i + 1, nodes - 1)] - f[std::max(i - 1, 0)]) / 2;
  };
  std::vector<Expr> rate_u, rate_theta, rate_sigma, stress;
  for (int i = 0; i < nodes; ++i) {
    rate_u.push_back(der(u[i]));
    rate_theta.push_back(der(theta[i]));
    rate_sigma.push_back(der(sigma[i]));
    stress.push_back(sigma[i] * theta[i]);
  }
  for (int i = 0; i < nodes; ++i) {
    const bool is_last = i == nodes - 1, is_lumped = i % 2 == 1 || is_last;
    if (i == 0)
      m.equation(u[0] == 0.1 * m.time());
    else if (is_last)
      m.equation(-R * h * rate_u[i] + slope(stress, i) - stress[i] == 0);
    else
      m.equation(is_lumped ? -R * 2 * h * rate_u[i] + slope(stress, i) == 0
                           : slope(stress, i) == 0);
    m.equation(value(rate_theta, i) + theta[i] * slope(rate_u, i) == 0);
    m.equation(value(rate_sigma, i) + value(sigma, i) / L - beta * slope(rate_u, i) == 0);
  }
  return m;
}

}  // namespace hydae::partition

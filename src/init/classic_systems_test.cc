// Systems of nonlinear equations from J. J. More, B. S. Garbow, K. E. Hillstrom, Testing
// unconstrained optimization software, ACM TOMS 7 (1981) 17-41, the set that hybrd and NLEQ were
// tested with: each from its standard start and from 10 and 100 times that.
#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <numbers>
#include <string>
#include <unsupported/Eigen/AutoDiff>
#include <vector>

#include "init/example_problems_testing.h"
#include "init/solve.h"

namespace hydae::init {
namespace {

using Dual = Eigen::AutoDiffScalar<Vector>;
using Duals = std::vector<Dual>;

Problem differentiated(const std::vector<double>& guess,
                       const std::function<Duals(const Duals&)>& f) {
  const auto evaluate = [f](const Vector& x) {
    Duals duals;
    for (Eigen::Index j = 0; j < x.size(); ++j) duals.emplace_back(x[j], x.size(), j);
    return f(duals);
  };
  Problem problem;
  problem.unknowns.guess = vec(guess);
  problem.equations.count = static_cast<int>(guess.size());
  problem.residual = [evaluate](const Vector& x, Vector& out) {
    const Duals values = evaluate(x);
    for (std::size_t i = 0; i < values.size(); ++i)
      out[static_cast<Eigen::Index>(i)] = values[i].value();
  };
  problem.dense_jacobian = [evaluate](const Vector& x, DenseMatrix& J) {
    const Duals values = evaluate(x);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].derivatives().size() == 0) continue;
      J.row(static_cast<Eigen::Index>(i)) = values[i].derivatives().transpose();
    }
  };
  return problem;
}

struct Classic {
  std::string name;
  std::vector<double> start;
  std::function<Duals(const Duals&)> f;
};

Duals helical_valley(const Duals& x) {
  const Dual theta = Dual(atan2(x[1], x[0]) / (2 * std::numbers::pi));
  return {Dual(10 * (x[2] - 10 * theta)), Dual(10 * (sqrt(x[0] * x[0] + x[1] * x[1]) - 1)), x[2]};
}

Duals wood(const Duals& x) {  // gradient of the function of Wood (Colville)
  const Dual a = x[1] - x[0] * x[0], b = x[3] - x[2] * x[2];
  return {Dual(-200 * x[0] * a - (1 - x[0])), Dual(200 * a + 20.2 * (x[1] - 1) + 19.8 * (x[3] - 1)),
          Dual(-180 * x[2] * b - (1 - x[2])),
          Dual(180 * b + 20.2 * (x[3] - 1) + 19.8 * (x[1] - 1))};
}

Duals chebyquad(const Duals& x) {
  const std::size_t n = x.size();
  Duals f(n, Dual(0 * x[0]));
  for (const Dual& point : x) {
    Dual last = 0 * x[0] + 1, current = 2 * point - 1;
    for (std::size_t i = 0; i < n; ++i) {
      f[i] += current / static_cast<double>(n);
      const Dual next = 2 * (2 * point - 1) * current - last;
      last = current;
      current = next;
    }
  }
  for (std::size_t i = 1; i < n; i += 2) {  // integral of T_{i+1} over [0, 1]: -1/(k^2 - 1), k even
    const double k = static_cast<double>(i) + 1;
    f[i] += 1 / (k * k - 1);
  }
  return f;
}

Duals brown_almost_linear(const Duals& x) {
  const std::size_t n = x.size();
  Dual sum = 0 * x[0] - (static_cast<double>(n) + 1), product = 0 * x[0] + 1;
  for (const Dual& v : x) {
    sum += v;
    product *= v;
  }
  Duals f;
  for (std::size_t i = 0; i + 1 < n; ++i) f.push_back(Dual(x[i] + sum));
  f.push_back(Dual(product - 1));
  return f;
}

Duals discrete_boundary_value(const Duals& x) {
  const std::size_t n = x.size();
  const double h = 1 / (static_cast<double>(n) + 1);
  Duals f;
  for (std::size_t i = 0; i < n; ++i) {
    const double t = static_cast<double>(i + 1) * h;
    const Dual w = x[i] + t + 1;
    Dual value = 2 * x[i] + 0.5 * h * h * w * w * w;
    if (i > 0) value -= x[i - 1];
    if (i + 1 < n) value -= x[i + 1];
    f.push_back(value);
  }
  return f;
}

Duals trigonometric(const Duals& x) {
  const auto n = static_cast<double>(x.size());
  Dual sum = 0 * x[0];
  for (const Dual& v : x) sum += cos(v);
  Duals f;
  for (std::size_t i = 0; i < x.size(); ++i) {
    f.push_back(Dual(n - sum + static_cast<double>(i + 1) * (1 - cos(x[i])) - sin(x[i])));
  }
  return f;
}

Duals variably_dimensioned(const Duals& x) {  // as n equations: x_j - 1 + s j (1 + 2 s^2)
  Dual s = 0 * x[0];
  for (std::size_t j = 0; j < x.size(); ++j) s += static_cast<double>(j + 1) * (x[j] - 1);
  Duals f;
  for (std::size_t j = 0; j < x.size(); ++j) {
    f.push_back(Dual(x[j] - 1 + static_cast<double>(j + 1) * s * (1 + 2 * s * s)));
  }
  return f;
}

Duals broyden_banded(const Duals& x) {
  Duals f;
  const int n = static_cast<int>(x.size());
  for (int i = 0; i < n; ++i) {
    const Dual& v = x[static_cast<std::size_t>(i)];
    Dual value = v * (2 + 5 * v * v) + 1;
    for (int j = std::max(0, i - 5); j <= std::min(n - 1, i + 1); ++j) {
      const Dual& w = x[static_cast<std::size_t>(j)];
      if (j != i) value -= w * (1 + w);
    }
    f.push_back(value);
  }
  return f;
}

void PrintTo(const Classic& classic, std::ostream* out) { *out << classic.name; }

std::vector<double> constant(std::size_t n, double value) { return std::vector<double>(n, value); }

std::vector<double> boundary_start(std::size_t n) {
  std::vector<double> x;
  for (std::size_t i = 1; i <= n; ++i) {
    const double t = static_cast<double>(i) / (static_cast<double>(n) + 1);
    x.push_back(t * (t - 1));
  }
  return x;
}

std::vector<double> equidistant(std::size_t n) {
  std::vector<double> x;
  for (std::size_t i = 1; i <= n; ++i)
    x.push_back(static_cast<double>(i) / (static_cast<double>(n) + 1));
  return x;
}

std::vector<double> variably_start(std::size_t n) {
  std::vector<double> x;
  for (std::size_t i = 1; i <= n; ++i)
    x.push_back(1 - static_cast<double>(i) / static_cast<double>(n));
  return x;
}

std::vector<Classic> classics() {
  return {{"helical valley", {-1, 0, 0}, helical_valley},
          {"wood", {-3, -1, -3, -1}, wood},
          {"chebyquad 5", equidistant(5), chebyquad},
          {"chebyquad 6", equidistant(6), chebyquad},
          {"chebyquad 7", equidistant(7), chebyquad},
          {"chebyquad 9", equidistant(9), chebyquad},
          {"brown almost linear 10", constant(10, 0.5), brown_almost_linear},
          {"brown almost linear 30", constant(30, 0.5), brown_almost_linear},
          {"discrete boundary value 10", boundary_start(10), discrete_boundary_value},
          {"trigonometric 10", constant(10, 0.1), trigonometric},
          {"variably dimensioned 10", variably_start(10), variably_dimensioned},
          {"broyden banded 10", constant(10, -1), broyden_banded}};
}

class ClassicSystem : public testing::TestWithParam<std::tuple<Classic, double>> {};

TEST_P(ClassicSystem, is_solved) {
  const auto& [classic, factor] = GetParam();
  auto start = classic.start;
  for (double& value : start) value *= factor;
  const Problem problem = differentiated(start, classic.f);
  const Solution solution = solve(problem);
  ASSERT_TRUE(solution.is_solved()) << solution.report.message;
  Vector f(solution.x.size());
  problem.residual(solution.x, f);
  EXPECT_LT(f.lpNorm<Eigen::Infinity>(), 1e-8 * (1 + solution.x.lpNorm<Eigen::Infinity>()));
}

INSTANTIATE_TEST_SUITE_P(Starts, ClassicSystem,
                         testing::Combine(testing::ValuesIn(classics()),
                                          testing::Values(1, 10, 100)),
                         [](const auto& instance) {
                           std::string text = std::get<0>(instance.param).name + " from " +
                                              std::to_string(int(std::get<1>(instance.param)));
                           for (char& c : text) c = c == ' ' ? '_' : c;
                           return text;
                         });

}  // namespace
}  // namespace hydae::init

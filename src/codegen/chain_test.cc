// Chained pendula, index 2P+1, with local offsets: against naive arithmetic in quadruple precision.
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "codegen/residual_check_testing.h"
#include "codegen/sample_systems_testing.h"

namespace hydae::codegen {
namespace {

using Quad = __float128;

constexpr double kG = 9.8, kL = 1, kC = 0.1;

// One pendulum of length l(t): all coefficients by definition, unscaled, from x_0, x_1, y_0, y_1.
//   (m+1)(m+2) x_{m+2} + sum x_i lam_{m-i} = 0, likewise y, and (x^2 + y^2 - l^2)_{m+2} = 0.
template <class T>
struct Pendulum {
  std::vector<T> x, y, lambda;

  Pendulum(const std::vector<T>& length, T x0, T x1, T y0, T y1) : x{x0, x1}, y{y0, y1} {
    const int count = static_cast<int>(length.size()) - 2;
    for (int m = 0; m < count; ++m) {
      T rx = 0, ry = m == 0 ? T(-kG) : T(0), rc = 0;
      for (int i = 1; i <= m; ++i) rx += x[i] * lambda[m - i], ry += y[i] * lambda[m - i];
      for (int i = 1; i <= m + 1; ++i) rc += x[i] * x[m + 2 - i] + y[i] * y[m + 2 - i];
      for (int i = 0; i <= m + 2; ++i) rc -= length[i] * length[m + 2 - i];
      // k x_{m+2} + x0 lam = -rx, k y_{m+2} + y0 lam = -ry, 2 x0 x_{m+2} + 2 y0 y_{m+2} = -rc
      const T k = T(m + 1) * (m + 2);
      const T lam = (rc * k / 2 - x0 * rx - y0 * ry) / (x0 * x0 + y0 * y0);
      lambda.push_back(lam);
      x.push_back(-(rx + x0 * lam) / k);
      y.push_back(-(ry + y0 * lam) / k);
    }
  }
};

template <class T>
std::vector<T> next_length(std::vector<T> lambda) {
  for (T& value : lambda) value *= kC;
  lambda[0] += kL;
  return lambda;
}

// Large motion: angles of 0.15 to 0.3. The lengths then cross zero after a few links and the
// problem itself becomes ill-conditioned. Small motion: the first pendulum swings by 2e-7, which
// the chain amplifies about fourfold per link; all lengths stay near 1.6.
enum class Motion { kLarge, kSmall };

// All constraints hold to quadruple precision: sines and cosines are rational.
std::vector<Pendulum<Quad>> exact_chain(int count, int order, Motion motion,
                                        std::vector<double>& state) {
  constexpr long long n = 10000000;
  const long long large[][3] = {{11, 60, 61}, {9, 40, 41}, {7, 24, 25}, {13, 84, 85}};
  const long long small[] = {2 * n, n * n - 1, n * n + 1};  // s^2 + c^2 = r^2
  std::vector<Pendulum<Quad>> chain;
  std::vector<Quad> length(order + 2 * count, Quad(0));
  length[0] = kL;
  for (int i = 0; i < count; ++i) {
    const auto& [s, c, r] = motion == Motion::kSmall ? small : large[i % 4];
    const Quad sine = Quad(s) / r, cosine = Quad(c) / r;
    const Quad omega = motion == Motion::kSmall ? sine / 2 : Quad(i % 3) / 8;
    // x = l sin, y = l cos, and x x' + y y' = l l'
    const Quad x1 = length[1] * sine + length[0] * omega * cosine;
    const Quad y1 = length[1] * cosine - length[0] * omega * sine;
    chain.emplace_back(length, length[0] * sine, x1, length[0] * cosine, y1);
    for (Quad value : {length[0] * sine, x1, length[0] * cosine, y1}) {
      state.push_back(static_cast<double>(value));
    }
    length = next_length(chain.back().lambda);
  }
  return chain;
}

double relative_error(std::span<const double> series, double scale, const std::vector<Quad>& exact,
                      int count) {
  Quad worst = 0, power = 1;
  for (int m = 0; m < count; ++m, power *= scale) {
    const Quad reference = exact[m] * power;
    Quad error = (series[m] - reference) / reference;
    if (error < 0) error = -error;
    if (error > worst) worst = error;
  }
  return static_cast<double>(worst);
}

class Chain : public testing::TestWithParam<int> {};

TEST_P(Chain, coefficients_of_a_small_motion_keep_12_digits) {
  const int count = GetParam(), order = 20;
  SampleSystem s = pendulum_chain(count);
  const auto exact = exact_chain(count, order, Motion::kSmall, s.state);
  Expansion expansion(s.make_program(), order);
  ASSERT_EQ(expansion.program().num_state(), 4 * count);
  const ExpandResult r = expansion.expand({.step = 0.03, .order = order, .state = s.state});
  ASSERT_TRUE(r.ok()) << to_string(r);
  for (int i = 0; i < count; ++i) {
    const auto lambda = expansion.series(3 * i + 2);
    const int length = order + 2 * (count - 1 - i);
    ASSERT_EQ(lambda.size(), static_cast<std::size_t>(length));
    EXPECT_LT(relative_error(lambda, expansion.scale(), exact[i].lambda, length), 1e-12) << i;
  }
}

// What is lost in a large motion is lost by any computation in double precision: the error of a
// multiplier is at most some times that of the plain recurrences one link further.
TEST_P(Chain, large_motion_is_as_accurate_as_naive_double_arithmetic) {
  const int count = GetParam(), order = 20;
  SampleSystem s = pendulum_chain(count);
  const auto exact = exact_chain(count, order, Motion::kLarge, s.state);
  Expansion expansion(s.make_program(), order);
  const ExpandResult r = expansion.expand({.step = 0.03, .order = order, .state = s.state});
  ASSERT_TRUE(r.ok()) << to_string(r);
  std::vector<double> length(order + 2 * count, 0.0);
  length[0] = kL;
  double naive_error = 0, error = 0;  // largest so far: a single one may be small by chance
  for (int i = 0; i < count; ++i) {
    const double* x = s.state.data() + 4 * i;
    const Pendulum<double> naive(length, x[0], x[1], x[2], x[3]);
    length = next_length(naive.lambda);
    naive_error = std::max(naive_error, relative_error(naive.lambda, 1, exact[i].lambda, 1));
    EXPECT_LT(error, 10 * naive_error + 1e-14) << i;
    error = std::max(error, relative_error(expansion.series(3 * i + 2), 1, exact[i].lambda, 1));
  }
}

INSTANTIATE_TEST_SUITE_P(Lengths, Chain, testing::Values(1, 2, 3, 5, 10, 15, 23));

// The same coefficients from global offsets alone: then the state holds derivatives up to d_j - 1.
TEST(ChainWithGlobalOffsets, agrees_with_local_offsets) {
  const int count = 3, order = 12;
  SampleSystem local = pendulum_chain(count), global = pendulum_chain(count, false);
  exact_chain(count, order, Motion::kLarge, local.state);
  Expansion a(local.make_program(), order), b(global.make_program(), order);
  ASSERT_TRUE(a.expand({.step = 0.125, .order = order, .state = local.state}).ok());
  for (const JetEntry& entry : b.program().entries()) {
    double value = a.series(entry.variable)[entry.order];
    for (int i = 1; i <= entry.order; ++i) value *= i / a.scale();
    global.state.push_back(value);
  }
  ASSERT_TRUE(b.expand({.step = 0.125, .order = order, .state = global.state}).ok());
  ASSERT_EQ(a.scale(), b.scale());
  for (int j = 0; j < 3 * count; ++j) {
    ASSERT_EQ(a.series(j).size(), b.series(j).size());
    for (std::size_t m = 0; m < a.series(j).size(); ++m) {
      EXPECT_NEAR(a.series(j)[m], b.series(j)[m], 1e-12 * (1 + std::abs(a.series(j)[m])));
    }
  }
}

// Index 5 and 7: the projected rows contain leading terms of their own block in stages k < 0. With
// global offsets every derivative of the upper pendulum is projected.
TEST(ChainWithGlobalOffsets, projection_returns_to_the_constraints) {
  for (bool is_local : {false, true}) {
    const int count = 3, order = 12;
    SampleSystem consistent = pendulum_chain(count);
    exact_chain(count, order, Motion::kLarge, consistent.state);
    Expansion a(consistent.make_program(), order);
    ASSERT_TRUE(a.expand({.step = 0.1, .order = order, .state = consistent.state}).ok());
    SampleSystem s = pendulum_chain(count, is_local);
    Expansion b(s.make_program(), order);
    int k = 0;
    for (const JetEntry& entry : b.program().entries()) {
      double value = a.series(entry.variable)[entry.order];
      for (int i = 1; i <= entry.order; ++i) value *= i / a.scale();
      s.state.push_back(value + 1e-7 * std::sin(++k));
    }
    const std::vector<double> weights(s.state.size(), 1e10);
    const ExpandResult r =
        b.expand({.step = 0.1, .order = order, .state = s.state, .weights = weights});
    ASSERT_TRUE(r.ok()) << to_string(r);
    // Displacements are of the size of the disturbance: derivatives of order l of the upper
    // pendulum react with the frequencies of the motion, about (3/s)^l.
    for (std::size_t e = 0; e < s.state.size(); ++e) {
      EXPECT_LT(std::abs(b.displacement()[e]),
                1e-7 * 50 * std::pow(6, b.program().entries()[e].order));
    }
    EXPECT_GE(r.sweeps, 2);
    EXPECT_LE(r.sweeps, 4);  // quadratic convergence: 1e-7, 1e-14
    EXPECT_LT(residual_in_epsilons(s.tape, s.input, b), 1e4);
  }
}

}  // namespace
}  // namespace hydae::codegen

// Which of several solutions is found. Cases by hand, and an attack: random equations with several
// roots, and an oracle that shares nothing with the methods: for one unknown a fine grid and
// bisection, for two unknowns a path of its own, in small steps with a dense matrix.
#include "init/nearest_root.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <numbers>
#include <optional>
#include <random>

#include "init/example_problems_testing.h"
#include "init/solve.h"

namespace hydae::init {
namespace {

using Scalar = std::function<double(double)>;

Problem scalar_problem(double guess, const Scalar& f, const Scalar& slope) {
  return make_problem(
      {guess}, 1, [f](auto& x) { return std::vector{f(x[0])}; },
      [slope](auto& x) { return std::vector<std::vector<double>>{{slope(x[0])}}; });
}

double sine_root(double guess) {
  const Solution solution = solve(scalar_problem(
      guess, [](double x) { return std::sin(x); }, [](double x) { return std::cos(x); }));
  EXPECT_TRUE(solution.is_solved());
  EXPECT_TRUE(solution.report.is_closest);
  return solution.x[0];
}

// One step of Newton's method leads from 1.7 to 9.40, from 1.5 to -12.6: beside roots of the sine,
// where it converges at once.
TEST(NearestRoot, of_the_sine_where_its_slope_is_small) {
  EXPECT_NEAR(sine_root(1.7), std::numbers::pi, 1e-9);
  EXPECT_NEAR(sine_root(1.5), 0, 1e-9);
  EXPECT_NEAR(sine_root(100.3), 32 * std::numbers::pi, 1e-9);  // 100.53, not 97.39
}

// x^3 - x from 0.56, left of the minimum at 0.577: 1 is nearer than 0. The long step goes to -5.9,
// or to the bound.
TEST(NearestRoot, of_a_cubic_with_and_without_bounds) {
  for (const double bound : {3.0, kInf}) {
    Problem problem = scalar_problem(
        0.56, [](double x) { return x * x * x - x; }, [](double x) { return 3 * x * x - 1; });
    problem.unknowns.lower = vec({-bound});
    problem.unknowns.upper = vec({bound});
    expect_solution(solve(problem), {1}, 1e-9);
    problem.unknowns.upper = vec({0.9});  // without 1
    expect_solution(solve(problem), {0}, 1e-9);
  }
}

// Roots and guess divided by 1e6, with a nominal value or without: the same root.
TEST(NearestRoot, does_not_depend_on_the_unit) {
  for (const bool has_nominal : {false, true}) {
    Problem problem = scalar_problem(
        1.7e-6, [](double x) { return std::sin(1e6 * x); },
        [](double x) { return 1e6 * std::cos(1e6 * x); });
    if (has_nominal) problem.unknowns.nominal = vec({1e-6});
    expect_solution(solve(problem), {std::numbers::pi * 1e-6}, 1e-14);
  }
}

// exp(-x) underflows at 745: no root.
TEST(NearestRoot, is_none_where_the_residual_underflows) {
  const Solution solution = solve(scalar_problem(
      5, [](double x) { return std::exp(-x); }, [](double x) { return -std::exp(-x); }));
  EXPECT_FALSE(solution.is_solved());
}

// The slope of the root is infinite at zero, where the guess is: nothing is to be done.
TEST(NearestRoot, is_the_guess_where_the_residual_is_zero_whatever_the_slope) {
  const Solution solution = solve(scalar_problem(
      0, [](double x) { return std::sqrt(x); }, [](double x) { return 0.5 / std::sqrt(x); }));
  expect_solution(solution, {0}, 0);
  EXPECT_EQ(solution.report.iterations, 0);
}

// x^2 = 2 from 1.4 takes Newton's method four iterations; that the first step was short is seen
// from five evaluations more, of the residual alone. Equations that are linear cost nothing.
TEST(NearestRoot, costs_nothing_near_a_solution) {
  const Solution solution = solve(scalar_problem(
      1.4, [](double x) { return x * x - 2; }, [](double x) { return 2 * x; }));
  EXPECT_TRUE(solution.report.is_closest);
  EXPECT_LE(solution.report.residual_evaluations, 9 + 5);
  EXPECT_LE(solution.report.jacobian_evaluations, 7);
  const Solution linear = solve(scalar_problem(
      1, [](double x) { return 2 * x - 6; }, [](double) { return 2; }));
  EXPECT_TRUE(linear.report.is_closest);
  EXPECT_LE(linear.report.residual_evaluations, 7);
}

// sin x = 0 and y = x: the same as a system, from where the first step is long.
TEST(NearestRoot, of_a_system_is_connected_with_the_guess) {
  const Solution solution = solve(make_problem(
      {1.7, 1.7}, 2,
      [](auto& x) {
        return std::vector{std::sin(x[0]), x[1] - x[0]};
      },
      [](auto& x) {
        return std::vector<std::vector<double>>{{std::cos(x[0]), 0}, {-1, 1}};
      }));
  expect_solution(solution, {std::numbers::pi, std::numbers::pi}, 1e-9);
  EXPECT_FALSE(solution.report.is_closest);  // of the connected ones only
}

// --- the attack in one unknown
// -------------------------------------------------------------------------------------------------

// A sum of a polynomial, a sine and a step like tanh in u = (x - shift) / scale.
struct RandomScalar {
  std::vector<double> roots;
  double amplitude = 0, frequency = 0, phase = 0, step = 0, shift = 0, scale = 1;

  double polynomial(double u) const {
    double value = 1;
    for (const double root : roots) value *= (u - root) / 2;
    return value;
  }
  double value(double x) const {
    const double u = (x - shift) / scale;
    return polynomial(u) + amplitude * std::sin(frequency * u + phase) + step * std::tanh(3 * u);
  }
  double slope(double x) const {
    const double u = (x - shift) / scale;
    double sum = 0;
    for (std::size_t k = 0; k < roots.size(); ++k) {
      double product = 0.5;
      for (std::size_t j = 0; j < roots.size(); ++j)
        if (j != k) product *= (u - roots[j]) / 2;
      sum += product;
    }
    const double t = std::tanh(3 * u);
    return (sum + amplitude * frequency * std::cos(frequency * u + phase) +
            step * 3 * (1 - t * t)) /
           scale;
  }
};

RandomScalar make_scalar(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  RandomScalar result;
  const int degree = static_cast<int>(random() % 5);
  for (int k = 0; k < degree; ++k) result.roots.push_back(4 * uniform(random));
  if (degree == 0 || random() % 2 == 0) result.amplitude = degree == 0 ? 3 : uniform(random);
  result.frequency = 1.5 + uniform(random);
  result.phase = 3 * uniform(random);
  if (random() % 3 == 0) result.step = 2 * uniform(random);
  result.scale = std::pow(10.0, 4 * uniform(random));
  result.shift = random() % 2 == 0 ? 0 : 3 * result.scale * uniform(random);
  return result;
}

// Distances of the roots within `reach` of the guess, ascending.
std::vector<double> distances_on_grid(const RandomScalar& f, double guess, double reach,
                                      double lower, double upper) {
  constexpr int kPoints = 4000;
  std::vector<double> result;
  double a = std::max(lower, guess - reach), fa = f.value(a);
  for (int k = 1; k <= 2 * kPoints; ++k) {
    const double b = std::clamp(guess + reach * (k - kPoints) / kPoints, lower, upper);
    const double fb = f.value(b);
    if (b > a && (fa < 0) != (fb < 0)) {
      double low = a, high = b;
      for (int n = 0; n < 60; ++n) {
        const double middle = 0.5 * (low + high);
        ((f.value(middle) < 0) == (fa < 0) ? low : high) = middle;
      }
      result.push_back(std::abs(low - guess));
    }
    a = b;
    fa = fb;
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Two roots in one shell of the search are not promised: of such a pair none counts.
std::optional<double> nearest_promised(const std::vector<double>& distances) {
  for (std::size_t k = 0; k < distances.size(); ++k) {
    const auto is_close = [&](std::size_t j) {
      return std::abs(distances[j] - distances[k]) < 0.15 * distances[k];
    };
    if (k > 0 && is_close(k - 1)) continue;
    if (k + 1 < distances.size() && is_close(k + 1)) continue;
    return distances[k];
  }
  return std::nullopt;
}

TEST(NearestRoot, attack_no_root_of_one_unknown_is_nearer_than_the_one_that_comes) {
  constexpr unsigned kSeed = 20261118;
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int num_solved = 0;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", trial " << trial);
    const RandomScalar f = make_scalar(random);
    const double guess = f.shift + 5 * f.scale * uniform(random);
    Problem problem = scalar_problem(
        guess, [f](double x) { return f.value(x); }, [f](double x) { return f.slope(x); });
    if (random() % 2 == 0) problem.unknowns.nominal = vec({f.scale});
    double lower = -kInf, upper = kInf;
    if (random() % 3 == 0) {
      lower = guess - 4 * f.scale * std::abs(uniform(random));
      upper = guess + 4 * f.scale * std::abs(uniform(random));
      problem.unknowns.lower = vec({lower});
      problem.unknowns.upper = vec({upper});
    }
    const double reach = 20 * f.scale;
    const auto expected = nearest_promised(distances_on_grid(f, guess, reach, lower, upper));
    if (!expected) continue;
    const Solution solution = solve(problem);
    ASSERT_TRUE(solution.is_solved()) << solution.report.message;
    ++num_solved;
    EXPECT_LE(std::abs(solution.x[0] - guess), 1.001 * *expected) << "guess " << guess;
  }
  EXPECT_GE(num_solved, 150);
}

// --- the attack in two unknowns
// -------------------------------------------------------------------------------------------------

using Vector2 = Eigen::Vector2d;
using Vector3 = Eigen::Vector3d;

// f_i = a_i . u + u^T B_i u + s_i sin(w_i . u) - c_i with u = x / scale.
struct RandomPlane {
  Eigen::Matrix2d A, B[2], W;
  Vector2 sines, c, scale;

  Vector2 value(const Vector2& x) const {
    const Vector2 u = x.cwiseQuotient(scale);
    Vector2 f = A * u - c;
    for (int i = 0; i < 2; ++i) f[i] += u.dot(B[i] * u) + sines[i] * std::sin(W.row(i).dot(u));
    return f;
  }
  Eigen::Matrix2d slope(const Vector2& x) const {
    const Vector2 u = x.cwiseQuotient(scale);
    Eigen::Matrix2d J = A;
    for (int i = 0; i < 2; ++i)
      J.row(i) += (B[i] * u + B[i].transpose() * u).transpose() +
                  sines[i] * std::cos(W.row(i).dot(u)) * W.row(i);
    return J * scale.cwiseInverse().asDiagonal();
  }
};

RandomPlane make_plane(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto matrix = [&] {
    return Eigen::Matrix2d(Eigen::Matrix2d::NullaryExpr([&] { return normal(random); }));
  };
  RandomPlane f;
  f.A = matrix();
  const double bend = random() % 2 == 0 ? 0.5 : 0;
  f.B[0] = bend * matrix();
  f.B[1] = bend * matrix();
  f.W = 1.5 * matrix();
  f.sines = 2 * Vector2(normal(random), normal(random));
  f.c = Vector2(normal(random), normal(random));
  f.scale = Vector2(std::pow(10.0, normal(random)), std::pow(10.0, normal(random)));
  return f;
}

Problem plane_problem(const RandomPlane& f, const Vector2& guess) {
  Problem problem;
  problem.unknowns.guess = guess;
  problem.unknowns.nominal = f.scale;
  problem.equations.count = 2;
  problem.residual = [f](const Vector& x, Vector& out) { out = f.value(x); };
  problem.dense_jacobian = [f](const Vector& x, DenseMatrix& J) { J = f.slope(x); };
  return problem;
}

// How far the first root is on the curve f(x) = (1 - lambda) f(guess), in u = x / scale, in one
// direction and within the length that is promised: a step along the tangent, and corrections
// orthogonal to it.
std::optional<double> first_on_path(const RandomPlane& f, const Vector2& guess, double reach,
                                    int direction) {
  const Vector2 from = guess.cwiseQuotient(f.scale), f0 = f.value(guess);
  const auto slopes = [&](const Vector3& z) {
    Eigen::Matrix<double, 2, 3> D;
    D << f.slope(z.head<2>().cwiseProduct(f.scale)) * f.scale.asDiagonal(), f0;
    return D;
  };
  Vector3 z(from[0], from[1], 0), tangent = Vector3::Zero();
  const double step = 0.002 * (1 + reach);
  for (double length = 0; length < 1.9 * (1 + reach) && std::abs(z[2]) < 9; length += step) {
    const auto D = slopes(z);
    Vector3 next = Vector3(D.row(0)).cross(Vector3(D.row(1))).normalized();
    const Vector3 wanted = length > 0 ? tangent : Vector3(0, 0, direction);
    if (next.dot(wanted) < 0) next = -next;
    if (length > 0 && next.dot(tangent) < 0.9) return std::nullopt;  // too sharp for these steps
    tangent = next;
    const Vector3 last = z, ahead = z + step * tangent;
    z = ahead;
    for (int k = 0; k < 4; ++k) {
      Eigen::Matrix3d M;
      M << slopes(z), tangent.transpose();
      Vector3 r;
      r << f.value(z.head<2>().cwiseProduct(f.scale)) - (1 - z[2]) * f0, tangent.dot(z - ahead);
      z -= M.partialPivLu().solve(r);
    }
    if (!((z - ahead).norm() < 0.5 * step)) return std::nullopt;
    if ((last[2] - 1) * (z[2] - 1) > 0) continue;
    const double share = (1 - last[2]) / (z[2] - last[2]);
    return ((last + share * (z - last)).head<2>() - from).norm();
  }
  return std::nullopt;
}

TEST(NearestRoot,
     attack_the_root_of_two_unknowns_is_connected_with_the_guess_or_nearer_than_those_that_are) {
  constexpr unsigned kSeed = 20261119;
  std::mt19937 random(kSeed);
  std::normal_distribution<double> normal;
  int num_solved = 0, num_connected = 0;
  for (int trial = 0; trial < 150; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", trial " << trial);
    const RandomPlane f = make_plane(random);
    const Vector2 guess = 2 * Vector2(normal(random), normal(random)).cwiseProduct(f.scale);
    Options options;
    options.allows_homotopy = options.allows_optimization = false;
    const Solution solution = solve(plane_problem(f, guess), options);
    if (!solution.is_solved()) continue;
    ++num_solved;
    EXPECT_LT(f.value(solution.x).norm(), 1e-6);
    const double distance = (Vector2(solution.x) - guess).cwiseQuotient(f.scale).norm();
    // The oracle's roots are interpolated between two of its steps.
    const double rounding = 1e-4 * (1 + distance);
    const auto ahead = first_on_path(f, guess, distance, 1);
    if (ahead && std::abs(distance - *ahead) <= 1e-3 * distance + rounding) {
      ++num_connected;
      continue;
    }
    for (const auto& connected : {ahead, first_on_path(f, guess, distance, -1)}) {
      if (connected) {
        EXPECT_LE(distance, 1.001 * *connected + rounding);
      }
    }
  }
  EXPECT_GE(num_solved, 100);
  EXPECT_GE(num_connected, 80);
}

}  // namespace
}  // namespace hydae::init

// The rule for guesses against a reference that shares nothing with it, on random systems: linear
// ones, quadratic ones, chains of Cartesian pendula, tanks; with hidden constraints, bounds,
// several blocks. HYDAE_GUESSES is the number of cases of each kind, HYDAE_FIRST_GUESS the first
// one.
//   Guesses that are consistent come back unchanged to rounding.
//   Guesses that cannot be held end no farther away than the local solution of the reference.
#include <Eigen/Dense>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <random>

#include "compile/initial_point.h"

namespace hydae {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

int number_of(const char* variable, int by_default) {
  const char* text = std::getenv(variable);
  return text == nullptr ? by_default : std::atoi(text);
}
int first_case() { return number_of("HYDAE_FIRST_GUESS", 0); }
int num_cases(int by_default) { return number_of("HYDAE_GUESSES", by_default); }

class RandomSystem {
 public:
  explicit RandomSystem(unsigned seed) : random_(seed) {}
  double uniform(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

  Model m{"random"};
  std::vector<std::pair<std::string, double>> wanted;  // name and guess

  Expr add(const std::string& name) { return m.variable(name); }
  void guess(const Expr& x, const std::string& name, double value) {
    m.start(x, value);
    wanted.emplace_back(name, value);
  }

 private:
  std::mt19937 random_;
};

std::string numbered(const char* name, int k) { return name + std::to_string(k); }

// n states of which m sums are constraints: each constraint is differentiated. A state's rate is
// given by a variable of its own, as many rates as there are freedoms by an equation.
void make_linear(RandomSystem& r) {
  const int n = 3 + r.below(4), m = 1 + r.below(n - 1);
  std::vector<Expr> x, u;
  VectorXd at(n);
  for (int k = 0; k < n; ++k) {
    x.push_back(r.add(numbered("x", k)));
    u.push_back(r.add(numbered("u", k)));
    at[k] = r.uniform(-3, 3);
  }
  for (int k = 0; k < n; ++k) r.m.equation(der(x[k]) == u[k]);
  for (int i = 0; i < m; ++i) {
    Expr sum = 0;
    double total = 0;
    for (int k = 0; k < n; ++k) {
      const double a = r.below(4) == 0 ? 0 : r.uniform(-2, 2);
      sum = sum + a * x[k];
      total += a * at[k];
    }
    r.m.equation(sum + 3 * x[i] == total + 3 * at[i]);
  }
  for (int k = m; k < n; ++k) r.m.equation(u[k] == r.uniform(-1, 1) - x[k]);
  for (int k = 0; k < n; ++k) r.guess(x[k], numbered("x", k), at[k]);
}

// Points on rods from the origin on, in Cartesian coordinates, at any angle and speed.
void make_pendula(RandomSystem& r) {
  const int n = 1 + r.below(3);
  std::vector<Expr> x, y, u, v, F;
  for (int k = 0; k < n; ++k) {
    x.push_back(r.add(numbered("x", k))), y.push_back(r.add(numbered("y", k)));
    u.push_back(r.add(numbered("u", k))), v.push_back(r.add(numbered("v", k)));
    F.push_back(r.add(numbered("F", k)));
  }
  double at_x = 0, at_y = 0, at_u = 0, at_v = 0;
  for (int k = 0; k < n; ++k) {
    const Expr dx = k == 0 ? x[0] : x[k] - x[k - 1], dy = k == 0 ? y[0] : y[k] - y[k - 1];
    Expr fx = -F[k] * dx, fy = -F[k] * dy - 9.81;
    if (k + 1 < n) {
      fx = fx + F[k + 1] * (x[k + 1] - x[k]);
      fy = fy + F[k + 1] * (y[k + 1] - y[k]);
    }
    r.m.equation(der(x[k]) == u[k]), r.m.equation(der(y[k]) == v[k]);
    r.m.equation(der(u[k]) == fx), r.m.equation(der(v[k]) == fy);
    const double length = r.uniform(0.5, 2), angle = r.uniform(-3.14, 3.14),
                 speed = r.uniform(-2, 2);
    r.m.equation(dx * dx + dy * dy == length * length);
    at_x += length * std::cos(angle), at_y += length * std::sin(angle);
    at_u -= speed * std::sin(angle), at_v += speed * std::cos(angle);
    r.guess(x[k], numbered("x", k), at_x), r.guess(y[k], numbered("y", k), at_y);
    r.guess(u[k], numbered("u", k), at_u), r.guess(v[k], numbered("v", k), at_v);
  }
}

// A row of tanks, some joined to the next at one level, others by a flow with the root of the
// difference; guesses also for some flows.
void make_tanks(RandomSystem& r) {
  const int n = 2 + r.below(4);
  std::vector<Expr> h, q;
  std::vector<double> level;
  std::vector<bool> is_joined;
  for (int k = 0; k < n; ++k) h.push_back(r.add(numbered("h", k)));
  for (int k = 0; k + 1 < n; ++k) {
    q.push_back(r.add(numbered("q", k)));
    is_joined.push_back(r.below(3) == 0);
  }
  for (int k = 0; k < n; ++k)
    level.push_back(k > 0 && is_joined[k - 1] ? level.back() : r.uniform(0.5, 3));
  for (int k = 0; k < n; ++k) {
    Expr flow = 0;
    if (k > 0) flow = flow + q[k - 1];
    if (k + 1 < n) flow = flow - q[k];
    r.m.equation(r.uniform(0.5, 2) * der(h[k]) == flow);
    r.guess(h[k], numbered("h", k), level[k]);
  }
  for (int k = 0; k + 1 < n; ++k) {
    if (is_joined[k]) {
      r.m.equation(h[k] == h[k + 1]);
      continue;
    }
    const double s = r.uniform(0.2, 2), d = level[k] - level[k + 1];
    r.m.equation(q[k] + s * q[k] * q[k] * q[k] == h[k] - h[k + 1]);
    if (r.below(2) == 0) {
      double at = d;  // Newton for q + s q^3 = d, monotone
      for (int i = 0; i < 60; ++i) at -= (at + s * at * at * at - d) / (1 + 3 * s * at * at);
      r.guess(q[k], numbered("q", k), at);
    }
  }
}

// Quadratic algebraic equations behind free states, in several blocks.
void make_quadratic(RandomSystem& r) {
  const int n = 1 + r.below(3);
  for (int k = 0; k < n; ++k) {
    const Expr p = r.add(numbered("p", k)), q = r.add(numbered("q", k)),
               z = r.add(numbered("z", k));
    const double at_p = r.uniform(-2, 2), at_q = r.uniform(0.3, 2), a = r.uniform(0.2, 2);
    r.m.equation(der(p) == r.uniform(-1, 1) * q);
    r.m.equation(a * p * p + q * q == a * at_p * at_p + at_q * at_q);
    r.m.equation(z == p * q + z * z * 0.01);
    r.guess(p, numbered("p", k), at_p), r.guess(q, numbered("q", k), at_q);
  }
}

double found_at(const InitialPoint& point, const std::string& variable) {
  for (std::size_t j = 0; j < point.variables.size(); ++j)
    if (point.variables[j] == variable) return point.values[j].at(0);
  return std::nan("");
}

class ConsistentGuesses : public ::testing::TestWithParam<void (*)(RandomSystem&)> {};

TEST_P(ConsistentGuesses, come_back_unchanged) {
  for (int k = first_case(); k < first_case() + num_cases(100); ++k) {
    RandomSystem r(static_cast<unsigned>(1000 + k));
    GetParam()(r);
    const InitialPoint point = initialize_in_mode(r.m);
    ASSERT_TRUE(point.succeeded()) << "seed " << 1000 + k << ": " << point.message;
    for (const auto& [name, value] : r.wanted)
      ASSERT_NEAR(found_at(point, name), value, 1e-11 * std::max(1.0, std::abs(value)))
          << "seed " << 1000 + k << ", " << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ConsistentGuesses,
                         ::testing::Values(make_linear, make_pendula, make_tanks, make_quadratic));

// min |x - g|^2 subject to f(x) = 0 and x <= upper: augmented Lagrangian, each step a damped
// Gauss-Newton step on (x - g, sqrt(rho) (f + m / rho)) in the unknowns that are not at their
// bound.
class Reference {
 public:
  Reference(std::function<VectorXd(const VectorXd&)> f, VectorXd guess, VectorXd upper)
      : f_(std::move(f)), g_(std::move(guess)), upper_(std::move(upper)) {}

  VectorXd solve() {
    VectorXd x = g_.cwiseMin(upper_), m = VectorXd::Zero(f_(g_).size());
    double rho = 10;
    for (int outer = 0; outer < 60; ++outer) {
      for (int inner = 0; inner < 60; ++inner)
        if (!improve(x, m, rho)) break;
      m += rho * f_(x);
      rho = std::min(1e6, 1.5 * rho);
    }
    return x;
  }

 private:
  VectorXd stacked(const VectorXd& x, const VectorXd& m, double rho) const {
    const VectorXd f = f_(x);
    VectorXd r(x.size() + f.size());
    r << x - g_, std::sqrt(rho) * (f + m / rho);
    return r;
  }

  bool improve(VectorXd& x, const VectorXd& m, double rho) const {
    const VectorXd r = stacked(x, m, rho);
    MatrixXd J(r.size(), x.size());
    for (int j = 0; j < x.size(); ++j) {
      VectorXd ahead = x, behind = x;
      const double h = 1e-6 * std::max(1.0, std::abs(x[j]));
      ahead[j] += h, behind[j] -= h;
      J.col(j) = (stacked(ahead, m, rho) - stacked(behind, m, rho)) / (2 * h);
    }
    const VectorXd slope = J.transpose() * r;
    MatrixXd H = J.transpose() * J;
    VectorXd target = -slope;
    for (int j = 0; j < x.size(); ++j) {
      if (x[j] < upper_[j] || slope[j] > 0) continue;
      H.row(j).setZero(), H.col(j).setZero();
      H(j, j) = 1, target[j] = 0;
    }
    for (double damping = 1e-12; damping < 1e12; damping = std::max(1e-6, damping * 10)) {
      const MatrixXd damped = H + damping * MatrixXd(H.diagonal().asDiagonal());
      const VectorXd next = (x + damped.ldlt().solve(target)).cwiseMin(upper_);
      if (stacked(next, m, rho).squaredNorm() >= r.squaredNorm() * (1 - 1e-15)) continue;
      const bool goes_on = (next - x).norm() > 1e-13 * (1 + x.norm());
      x = next;
      return goes_on;
    }
    return false;
  }

  std::function<VectorXd(const VectorXd&)> f_;
  VectorXd g_, upper_;
};

// Free states p, an ellipsoid with q in a later block that they miss, and a plane s with a bound.
struct Missed {
  explicit Missed(unsigned seed) : r(seed) {
    const int n = 1 + r.below(3);
    const bool is_bounded = r.below(2) == 0;
    a = VectorXd(n + 1), guess = VectorXd(n + 1), upper = VectorXd::Constant(n + 1, 1e30);
    Expr sum = 0;
    for (int k = 0; k <= n; ++k) {
      const std::string name = k < n ? numbered("p", k) : "q";
      const Expr x = r.add(name);
      a[k] = r.uniform(0.3, 2);
      guess[k] = r.uniform(0.8, 3);
      sum = sum + a[k] * x * x;
      if (k < n) r.m.equation(der(x) == r.uniform(-1, 1));
      if (k == 0 && is_bounded) {
        upper[k] = r.uniform(0.2, 0.7);
        r.m.bounds(x, -1e30, upper[k]);
      }
      r.guess(x, name, guess[k]);
    }
    total = r.uniform(0.1, 0.9) * (a.array() * guess.array().square()).head(n).sum();
    r.m.equation(sum == total);
    const Expr z = r.add("z"), w = r.add("w");  // has nothing to do with it
    r.m.equation(z == 3 * w + 1), r.m.equation(der(w) == 1);
  }
  VectorXd residual(const VectorXd& x) const {
    return VectorXd::Constant(1, (a.array() * x.array().square()).sum() - total);
  }
  RandomSystem r;
  VectorXd a, guess, upper;
  double total = 0;
};

TEST(ReleasedGuesses, are_no_farther_away_than_the_solution_of_a_reference) {
  for (int k = first_case(); k < first_case() + num_cases(20); ++k) {
    const unsigned seed = static_cast<unsigned>(5000 + k);
    Missed missed(seed);
    const InitialPoint point = initialize_in_mode(missed.r.m);
    ASSERT_TRUE(point.succeeded()) << "seed " << seed << ": " << point.message;
    VectorXd x(missed.guess.size());
    for (int j = 0; j < x.size(); ++j)
      x[j] = found_at(point, missed.r.wanted[static_cast<std::size_t>(j)].first);
    EXPECT_NEAR(missed.residual(x)[0], 0, 1e-9 * missed.total) << "seed " << seed;
    EXPECT_TRUE((x.array() <= missed.upper.array()).all()) << "seed " << seed;
    const VectorXd best =
        Reference([&](const VectorXd& y) { return missed.residual(y); }, missed.guess, missed.upper)
            .solve();
    ASSERT_NEAR(missed.residual(best)[0], 0, 1e-6 * missed.total) << "seed " << seed;
    EXPECT_LE((x - missed.guess).norm(), 1.001 * (best - missed.guess).norm()) << "seed " << seed;
  }
}

// One or two points on circles, coupled by a rod that moves along x: constraints of positions with
// two derivatives each. Every guess is outside of its circle, so that none of them can be held; a
// height may be bounded, so that the way leads along the bound.
struct MissedCircles {
  explicit MissedCircles(unsigned seed) : r(seed) {
    const int n = 1 + r.below(2);
    guess = VectorXd(2 * n), upper = VectorXd::Constant(2 * n, 1e30), length = VectorXd(n);
    const Expr G = r.add("G");
    Expr sum = 0;
    for (int k = 0; k < n; ++k) sum = sum + add_point(k, G);
    r.m.equation(n == 2 ? sum - total : G + 0.0);
    has_rod = n == 2;
    const Expr z = r.add("z"), w = r.add("w");  // has nothing to do with it
    r.m.equation(z == 3 * w + 1), r.m.equation(der(w) == 1);
  }

  Expr add_point(int k, const Expr& G) {
    const Expr x = r.add(numbered("x", k)), y = r.add(numbered("y", k)),
               F = r.add(numbered("F", k));
    length[k] = r.uniform(0.5, 2);
    const double angle = r.uniform(-3.1, 3.1);  // of a point that satisfies everything
    r.m.equation(der(x, 2) + F * x + G), r.m.equation(der(y, 2) + F * y + 9.81);
    r.m.equation(x * x + y * y == length[k] * length[k]);
    total += length[k] * std::cos(angle);
    const auto outside = [&](double value) {
      return std::copysign(length[k] * r.uniform(1.1, 2), value);
    };
    guess[2 * k] = outside(std::cos(angle)), guess[2 * k + 1] = outside(std::sin(angle));
    if (r.below(2) == 0) {
      upper[2 * k + 1] = length[k] * std::sin(angle) + 0.05;
      r.m.bounds(y, -1e30, upper[2 * k + 1]);
    }
    r.guess(x, numbered("x", k), guess[2 * k]);
    r.guess(y, numbered("y", k), guess[2 * k + 1]);
    return x;
  }

  VectorXd residual(const VectorXd& v) const {
    const auto n = length.size();
    VectorXd f(n + (has_rod ? 1 : 0));
    for (Eigen::Index k = 0; k < n; ++k)
      f[k] = v.segment(2 * k, 2).squaredNorm() - length[k] * length[k];
    if (has_rod) f[n] = v[0] + v[2] - total;
    return f;
  }

  RandomSystem r;
  VectorXd guess, upper, length;
  double total = 0;
  bool has_rod = false;
};

// False where the reference gets stuck: then there is no oracle.
bool judge_circles(unsigned seed) {
  MissedCircles missed(seed);
  const VectorXd best =
      Reference([&](const VectorXd& y) { return missed.residual(y); }, missed.guess, missed.upper)
          .solve();
  if (missed.residual(best).norm() > 1e-7) return false;
  const InitialPoint point = initialize_in_mode(missed.r.m);
  EXPECT_TRUE(point.succeeded()) << "seed " << seed << ": " << point.message;
  if (!point.succeeded()) return true;
  VectorXd x(missed.guess.size());
  for (int j = 0; j < x.size(); ++j)
    x[j] = found_at(point, missed.r.wanted[static_cast<std::size_t>(j)].first);
  EXPECT_LT(missed.residual(x).norm(), 1e-9) << "seed " << seed;
  EXPECT_TRUE((x.array() <= missed.upper.array() + 1e-12).all()) << "seed " << seed;
  EXPECT_LE((x - missed.guess).norm(), 1.001 * (best - missed.guess).norm())
      << "seed " << seed << ": " << x.transpose() << " instead of " << best.transpose();
  return true;
}

TEST(ReleasedGuesses, of_hidden_constraints_and_along_bounds_are_no_farther_away) {
  int num_judged = 0;
  for (int k = first_case(); k < first_case() + num_cases(20); ++k)
    num_judged += judge_circles(static_cast<unsigned>(9000 + k)) ? 1 : 0;
  EXPECT_GT(2 * num_judged, num_cases(20));
}

// The bounds leave two pieces of the curve. From the root that Newton's method finds all ways stay
// in the one that is farther away.
TEST(ReleasedGuesses, find_the_piece_of_a_curve_that_is_next_to_them) {
  EXPECT_TRUE(judge_circles(11861));
}

}  // namespace
}  // namespace hydae

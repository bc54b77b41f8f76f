#include "linalg/system_matrix.h"

#include <Eigen/Dense>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "linalg/small_inverse.h"

namespace hydae::linalg {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// D_row B D_column with B of moderate size and D powers of ten between 1e-6 and 1e6.
struct RandomSystem {
  MatrixXd b;
  VectorXd row, column;
  std::vector<SystemMatrix::Position> entries;

  MatrixXd a() const { return row.asDiagonal() * b * column.asDiagonal(); }
};

// Random pattern with a full diagonal, so that it is structurally regular.
RandomSystem make_system(int n, double fill, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1), chance(0, 1), power(-6, 6);
  RandomSystem system{MatrixXd::Zero(n, n), VectorXd(n), VectorXd(n), {}};
  for (int i = 0; i < n; ++i) {
    system.row(i) = std::pow(10, power(random));
    system.column(i) = std::pow(10, power(random));
    for (int j = 0; j < n; ++j) {
      if (i != j && chance(random) > fill) continue;
      system.b(i, j) = number(random) + (i == j ? 3 : 0);
      system.entries.emplace_back(i, j);
    }
  }
  std::shuffle(system.entries.begin(), system.entries.end(), random);
  return system;
}

void fill(SystemMatrix& matrix, const RandomSystem& system) {
  const MatrixXd a = system.a();
  std::fill(matrix.values().begin(), matrix.values().end(), 0);
  for (std::size_t e = 0; e < system.entries.size(); ++e) {
    const auto [i, j] = system.entries[e];
    matrix.values()[matrix.slot(static_cast<int>(e))] = a(i, j);
  }
}

// Solves for a known solution. Both LU and the inverse promise a relative error of about
// n * epsilon * cond(B) in the scaled unknowns; the result is the error in units of that.
double error_over_bound(SystemMatrix& matrix, const RandomSystem& system) {
  const int n = matrix.size();
  const VectorXd scaled = VectorXd::Random(n);  // D_column x
  const VectorXd rhs = system.row.asDiagonal() * (system.b * scaled);
  VectorXd x(padded(n));
  matrix.solve(rhs.data(), x.data());
  const VectorXd error = system.column.asDiagonal() * x.head(n) - scaled;
  const VectorXd sizes = system.b.jacobiSvd().singularValues();
  return error.norm() / scaled.norm() / (n * 2.2e-16 * sizes(0) / sizes(n - 1));
}

TEST(SystemMatrix, solves_random_systems_of_all_sizes_and_fills) {
  std::mt19937 random(7);
  for (int n : {1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 17, 20, 23, 24, 25, 40, 48, 49, 120}) {
    for (double density : {0.02, 0.2, 1.0}) {
      const RandomSystem system = make_system(n, density, random);
      SystemMatrix matrix(n, system.entries);
      fill(matrix, system);
      ASSERT_TRUE(matrix.factorize()) << n << ' ' << density;
      EXPECT_LT(error_over_bound(matrix, system), 10) << n << ' ' << matrix.method();
    }
  }
}

TEST(SystemMatrix, a_second_matrix_of_the_same_pattern_is_solved_too) {
  std::mt19937 random(8);
  for (int n : {3, 30, 100}) {
    RandomSystem system = make_system(n, 0.05, random);
    SystemMatrix matrix(n, system.entries);
    for (int repeat = 0; repeat < 5; ++repeat) {
      system.b *= -1.5;
      system.b.diagonal() *= 1.1;
      fill(matrix, system);
      ASSERT_TRUE(matrix.factorize());
      EXPECT_LT(error_over_bound(matrix, system), 10) << n << ' ' << matrix.method();
    }
  }
}

TEST(SystemMatrix, chooses_the_method_by_size_and_fill) {
  std::mt19937 random(9);
  const auto method = [&](int n, double density) {
    return std::string(SystemMatrix(n, make_system(n, density, random).entries).method());
  };
  EXPECT_EQ(method(32, 0.02), "inverse");
  EXPECT_EQ(method(40, 0.9), "inverse");
  EXPECT_EQ(method(41, 0.9), "dense lu");
  EXPECT_EQ(method(200, 0.9), "dense lu");
  EXPECT_EQ(method(200, 0.005), "sparse lu");
}

// [1 1; 1 1+e] becomes singular when one entry changes by the relative amount e/(1+e): condition
// (1+e)/e. Scaling rows and columns changes nothing.
TEST(SystemMatrix, condition_is_the_reciprocal_of_the_change_that_makes_it_singular) {
  for (double scale : {1.0, 1e-9, 1e12}) {
    const double e = 1e-5;
    const std::vector<SystemMatrix::Position> entries = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    SystemMatrix matrix(2, entries);
    const double a[] = {1, scale, 1 / scale, 1 + e};
    for (int k = 0; k < 4; ++k) matrix.values()[matrix.slot(k)] = a[k];
    ASSERT_TRUE(matrix.factorize());
    EXPECT_NEAR(matrix.condition(), (1 + e) / e, 1e-9 / e);  // rounding of 1+e, times 1/e
  }
}

TEST(SystemMatrix, singular_and_not_finite_matrices_are_refused) {
  std::mt19937 random(10);
  for (int n : {2, 5, 30, 100}) {
    RandomSystem system = make_system(n, 0.1, random);
    system.b.col(1) = 2 * system.b.col(0);
    system.entries.clear();
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (system.b(i, j) != 0) system.entries.emplace_back(i, j);
      }
    }
    SystemMatrix matrix(n, system.entries);
    fill(matrix, system);
    EXPECT_FALSE(matrix.factorize()) << n;
    EXPECT_GE(matrix.condition(), 1e14);
    for (double bad : {std::nan(""), HUGE_VAL}) {
      matrix.values()[0] = bad;
      EXPECT_FALSE(matrix.factorize()) << n;
    }
  }
}

TEST(SystemMatrix, becomes_regular_again_after_a_singular_matrix) {
  const std::vector<SystemMatrix::Position> entries = {{0, 0}, {1, 1}};
  SystemMatrix matrix(2, entries);
  matrix.values()[matrix.slot(0)] = 1;
  EXPECT_FALSE(matrix.factorize());
  matrix.values()[matrix.slot(1)] = 4;
  ASSERT_TRUE(matrix.factorize());
  const double b[] = {1, 2};
  double x[4];
  matrix.solve(b, x);
  EXPECT_EQ(x[0], 1.0);
  EXPECT_EQ(x[1], 0.5);
}

}  // namespace
}  // namespace hydae::linalg

// For tests: problems from formulas.
#pragma once

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "init/problem.h"

namespace hydae::init {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline Vector vec(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

using Formula = std::function<std::vector<double>(const Vector& x)>;
using Rows = std::function<std::vector<std::vector<double>>(const Vector& x)>;

// Equations and their Jacobian as lists.
inline Problem make_problem(const std::vector<double>& guess, int num_equations, Formula f,
                            Rows jacobian) {
  Problem problem;
  problem.unknowns.guess = vec(guess);
  problem.equations.count = num_equations;
  problem.residual = [f](const Vector& x, Vector& out) { out = vec(f(x)); };
  problem.dense_jacobian = [jacobian](const Vector& x, DenseMatrix& J) {
    const auto rows = jacobian(x);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      J.row(static_cast<Eigen::Index>(i)) = vec(rows[i]).transpose();
    }
  };
  return problem;
}

// x - 13 + ((5 - y) y - 2) y = 0, x - 29 + ((y + 1) y - 14) y = 0 from (0.5, -2): the solution (5,
// 4) lies beyond the local minimum (11.41..., -0.8968...) of the residual, where Newton methods
// end. (More, Garbow, Hillstrom no. 2.)
inline Problem freudenstein_roth() {
  return make_problem(
      {0.5, -2}, 2,
      [](auto& x) {
        const double y = x[1];
        return std::vector{x[0] - 13 + ((5 - y) * y - 2) * y, x[0] - 29 + ((y + 1) * y - 14) * y};
      },
      [](auto& x) {
        const double y = x[1];
        return std::vector<std::vector<double>>{{1, (10 - 3 * y) * y - 2},
                                                {1, (3 * y + 2) * y - 14}};
      });
}

inline void expect_solution(const Solution& solution, const std::vector<double>& expected,
                            double tolerance) {
  ASSERT_EQ(solution.report.status, Status::kSolved) << solution.report.message;
  EXPECT_TRUE(solution.report.message.empty());
  ASSERT_EQ(solution.x.size(), static_cast<Eigen::Index>(expected.size()));
  for (std::size_t j = 0; j < expected.size(); ++j) {
    EXPECT_NEAR(solution.x[static_cast<Eigen::Index>(j)], expected[j], tolerance)
        << "unknown " << j;
  }
}

}  // namespace hydae::init

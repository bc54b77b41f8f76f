#include "linalg/lcp.h"

#include <gtest/gtest.h>
#include <random>

namespace hydae::linalg {
namespace {

void expect_solution(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, const Eigen::VectorXd& z) {
  const Eigen::VectorXd w = q + M * z;
  const double scale = 1 + M.cwiseAbs().maxCoeff() * z.cwiseAbs().sum() + q.cwiseAbs().maxCoeff();
  EXPECT_GE(z.minCoeff(), 0);
  EXPECT_GE(w.minCoeff(), -1e-11 * scale);
  EXPECT_LE(z.cwiseProduct(w).cwiseAbs().maxCoeff(), 1e-10 * scale * scale);
}

TEST(Lcp, three_balls_in_a_row_share_an_impact) {
  // Newton's cradle with unit masses, speeds (1, 0, 0): gap speeds (-1, 0), response matrix
  // [[2, -1], [-1, 2]]. With e = 1 the law reads 0 <= v + v- | z >= 0: z = (4/3, 2/3).
  const Eigen::MatrixXd M{{2, -1}, {-1, 2}};
  const Eigen::VectorXd q{{-2, 0}};
  const auto z = solve_lcp(M, q);
  ASSERT_TRUE(z);
  EXPECT_NEAR((*z)(0), 4.0 / 3, 1e-14);
  EXPECT_NEAR((*z)(1), 2.0 / 3, 1e-14);
}

TEST(Lcp, nothing_to_do_for_a_nonnegative_right_side) {
  const auto z = solve_lcp(Eigen::MatrixXd::Identity(3, 3), Eigen::VectorXd::Ones(3));
  ASSERT_TRUE(z);
  EXPECT_EQ(z->cwiseAbs().maxCoeff(), 0);
}

TEST(Lcp, random_definite_problems_are_solved) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 300; ++trial) {
    const Eigen::Index n = 1 + trial % 12;
    const auto any = [&] { return normal(random); };
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(n, n, any);
    const Eigen::VectorXd q = Eigen::VectorXd::NullaryExpr(n, any);
    const Eigen::MatrixXd M = A * A.transpose() + 1e-3 * Eigen::MatrixXd::Identity(n, n);
    const auto z = solve_lcp(M, q);
    ASSERT_TRUE(z) << trial;
    expect_solution(M, q, *z);
  }
}

TEST(Lcp, redundant_contacts_are_solved_too) {
  // A table with four legs: M = C C' of rank 3, and q in its range.
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    const auto any = [&] { return normal(random); };
    const Eigen::MatrixXd C = Eigen::MatrixXd::NullaryExpr(6, 3, any);
    const Eigen::VectorXd q = C * Eigen::VectorXd::NullaryExpr(3, any);
    const Eigen::MatrixXd M = C * C.transpose();
    const auto z = solve_lcp(M, q);
    ASSERT_TRUE(z) << trial;
    expect_solution(M, q, *z);
  }
}

TEST(Lcp, a_problem_without_a_solution_ends_on_a_ray) {
  // The Painleve paradox: A < 0 and b < 0.
  EXPECT_FALSE(solve_lcp(Eigen::MatrixXd::Constant(1, 1, -0.2), Eigen::VectorXd::Constant(1, -1)));
}

}  // namespace
}  // namespace hydae::linalg

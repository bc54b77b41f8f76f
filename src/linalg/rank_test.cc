#include "linalg/rank.h"

#include <cmath>
#include <gtest/gtest.h>

namespace hydae::linalg {
namespace {

TEST(Rank, condition_does_not_depend_on_the_units_of_rows_and_columns) {
  Eigen::MatrixXd a(2, 2);
  a << 1, 2, 3, 4;
  const Eigen::Vector2d rows(1e-12, 1e9), columns(1e15, 1e-7);
  const Eigen::MatrixXd b = rows.asDiagonal() * a * columns.asDiagonal();
  EXPECT_LT(scaled_condition(b), 40);  // of the same order as cond(a) = 14.9, whatever the units
  EXPECT_GT(scaled_condition(b), 2);
}

TEST(Rank, badly_scaled_singular_matrix_is_recognised) {
  Eigen::MatrixXd a(2, 2);
  a << 1e-9, 2e-9, 3e6, 6e6;
  EXPECT_TRUE(std::isinf(scaled_condition(a)));
  const Eigen::MatrixXd basis = null_space(a);
  ASSERT_EQ(basis.cols(), 1);
  EXPECT_NEAR(basis(0, 0) / basis(1, 0), -2.0, 1e-14);
}

TEST(Rank, a_zero_matrix_has_the_whole_space_as_null_space) {
  EXPECT_EQ(null_space(Eigen::MatrixXd::Zero(3, 3)).cols(), 3);
  EXPECT_TRUE(std::isinf(scaled_condition(Eigen::MatrixXd::Zero(1, 1))));
}

}  // namespace
}  // namespace hydae::linalg

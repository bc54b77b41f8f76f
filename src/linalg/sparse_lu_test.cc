#include "linalg/sparse_lu.h"

#include <Eigen/LU>
#include <gtest/gtest.h>
#include <random>

namespace hydae::linalg {
namespace {

// Two blocks on the diagonal, full, and a coupling of the first to the second, rows and columns in
// a random order. From one matrix to the next, KLU may take other pivots: signs change exactly
// where those of the determinants of the blocks do.
TEST(SparseLU, signs_of_determinants_change_with_the_determinants) {
  std::mt19937 random(7);
  std::normal_distribution<double> number;
  const std::vector<int> row_order{3, 0, 4, 1, 2}, column_order{2, 4, 0, 3, 1};
  const auto draw = [&] {
    Eigen::MatrixXd a = Eigen::MatrixXd::NullaryExpr(5, 5, [&] { return number(random); });
    a.bottomLeftCorner(3, 2).setZero();
    return a;
  };
  std::vector<int> start{0}, row;
  for (int j : column_order) {
    for (int i = 0; i < 5; ++i)
      if (j >= 2 || i < 2) row.push_back(row_order[static_cast<std::size_t>(i)]);
    start.push_back(static_cast<int>(row.size()));
  }
  SparseLU lu(start, row);
  std::vector<int> before, now;
  Eigen::MatrixXd last;
  int num_changes = 0;
  for (int k = 0; k < 200; ++k) {
    const Eigen::MatrixXd a = draw();
    std::vector<double> values;
    for (int j : column_order)
      for (int i = 0; i < 5; ++i)
        if (j >= 2 || i < 2) values.push_back(a(i, j));
    if (k % 3 == 0) lu.forget_pivots();
    ASSERT_TRUE(lu.factorize(values));
    lu.read_determinant_signs(now);
    ASSERT_EQ(now.size(), 2u);
    if (k > 0) {
      const auto is_turned = [&](int from, int n) {
        return a.block(from, from, n, n).determinant() *
                   last.block(from, from, n, n).determinant() <
               0;
      };
      const bool first = is_turned(0, 2), second = is_turned(2, 3);
      EXPECT_EQ((now[0] != before[0]) + (now[1] != before[1]), first + second);
      EXPECT_EQ((now[0] != before[0]) || (now[1] != before[1]), first || second);
      num_changes += first + second;
    }
    before = now;
    last = a;
  }
  EXPECT_GT(num_changes, 50);
}

}  // namespace
}  // namespace hydae::linalg

#include "linalg/maximal_volume.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace hydae::linalg {
namespace {

WideMatrix random_matrix(std::mt19937& random, int m, int n, double density) {
  std::uniform_real_distribution<double> value(-1, 1), chance(0, 1);
  WideMatrix matrix;
  matrix.num_columns = n;
  matrix.rows.resize(static_cast<std::size_t>(m));
  for (auto& row : matrix.rows)
    for (int j = 0; j < n; ++j)
      if (chance(random) < density) row.push_back({j, value(random)});
  return matrix;
}

double determinant(const WideMatrix& matrix, const std::vector<int>& columns) {
  const auto m = static_cast<Eigen::Index>(matrix.rows.size());
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(m, m);
  for (Eigen::Index i = 0; i < m; ++i)
    for (const SparseEntry& entry : matrix.rows[static_cast<std::size_t>(i)]) {
      const auto at = std::find(columns.begin(), columns.end(), entry.column);
      if (at != columns.end()) b(i, at - columns.begin()) = entry.value;
    }
  return std::abs(b.determinant());
}

// The largest determinant over all sets of columns, by trying them all.
double largest_determinant(const WideMatrix& matrix) {
  std::vector<bool> mask(static_cast<std::size_t>(matrix.num_columns), false);
  std::fill(mask.end() - static_cast<std::ptrdiff_t>(matrix.rows.size()), mask.end(), true);
  double largest = 0;
  do {
    std::vector<int> columns;
    for (int j = 0; j < matrix.num_columns; ++j)
      if (mask[static_cast<std::size_t>(j)]) columns.push_back(j);
    largest = std::max(largest, determinant(matrix, columns));
  } while (std::next_permutation(mask.begin(), mask.end()));
  return largest;
}

// No single exchange gains more than 1.5; then the volume is within (1.5 sqrt(m))^m of the largest
// (Hadamard's bound on minors of B^-1 N). And it is zero only if all are.
TEST(ColumnChoice, agrees_with_all_choices_tried) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const int m = 1 + static_cast<int>(random() % 4), n = m + static_cast<int>(random() % 4);
    const WideMatrix matrix = random_matrix(random, m, n, 0.6);
    const double largest = largest_determinant(matrix);
    const auto chosen = choose_columns(matrix);
    ASSERT_EQ(chosen.has_value(), largest > 1e-9) << largest;
    if (!chosen) continue;
    EXPECT_EQ(chosen->size(), static_cast<std::size_t>(m));
    EXPECT_LE(exchange_gain(matrix, *chosen), 1.5 + 1e-9);
    EXPECT_GE(determinant(matrix, *chosen) * std::pow(1.5 * std::sqrt(m), m), largest);
  }
}

TEST(ColumnChoice, gain_is_the_ratio_of_determinants) {
  WideMatrix pendulum;  // constraint x^2 + y^2 = 1 near the top: (2x, 2y)
  pendulum.num_columns = 2;
  pendulum.rows = {{{0, 0.2}, {1, 1.9}}};
  EXPECT_EQ(choose_columns(pendulum), std::vector{1});
  EXPECT_NEAR(exchange_gain(pendulum, std::vector{0}), 9.5, 1e-12);
  EXPECT_NEAR(exchange_gain(pendulum, std::vector{1}), 0.2 / 1.9, 1e-12);
}

TEST(ColumnChoice, takes_the_lower_rank_unless_it_is_hopeless) {
  WideMatrix matrix;
  matrix.num_columns = 2;
  matrix.rows = {{{0, 1.0}, {1, 0.1}}};
  matrix.rank = {1, 0};
  EXPECT_EQ(choose_columns(matrix), std::vector{1});
  matrix.rows = {{{0, 1.0}, {1, 1e-9}}};
  EXPECT_EQ(choose_columns(matrix), std::vector{0});
}

TEST(ColumnChoice, dependent_rows_and_dependent_columns) {
  WideMatrix matrix;
  matrix.num_columns = 3;
  matrix.rows = {{{0, 1.0}, {1, 2.0}, {2, 3.0}}, {{0, 2.0}, {1, 4.0}, {2, 6.0}}};
  EXPECT_FALSE(choose_columns(matrix));
  matrix.rows = {{{0, 1.0}, {1, 2.0}}, {{0, 2.0}, {1, 4.0}, {2, 1.0}}};
  EXPECT_TRUE(choose_columns(matrix));
  EXPECT_GT(exchange_gain(matrix, std::vector{0, 1}), 1e10);  // infinite but for rounding
}

// 400 columns: the sparse search. A chain of constraints between neighbours, regular choice known.
TEST(ColumnChoice, large_chain_is_chosen_well_and_a_bad_choice_is_noticed) {
  constexpr int kSize = 200;
  WideMatrix chain;
  chain.num_columns = 2 * kSize;
  for (int i = 0; i < kSize; ++i) {
    std::vector<SparseEntry> row{{2 * i, 1.0}, {2 * i + 1, i == 77 ? 1e-6 : 1.0}};
    if (i > 0) row.push_back({2 * i - 2, 0.3});
    chain.rows.push_back(row);
  }
  const auto chosen = choose_columns(chain);
  ASSERT_TRUE(chosen);
  EXPECT_LT(exchange_gain(chain, *chosen), 10);
  std::vector<int> odd;
  for (int i = 0; i < kSize; ++i) odd.push_back(2 * i + 1);
  EXPECT_GT(exchange_gain(chain, odd), 1e4);
}

}  // namespace
}  // namespace hydae::linalg

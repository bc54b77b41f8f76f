#include "linalg/equilibrate.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace hydae::linalg {
namespace {

double spread(const std::vector<MatrixEntry>& entries, const Equilibration& by) {
  double smallest = INFINITY, largest = 0;
  for (const MatrixEntry& entry : entries) {
    const double size = std::abs(by.rows[static_cast<std::size_t>(entry.row)] * entry.value *
                                 by.columns[static_cast<std::size_t>(entry.column)]);
    smallest = std::min(smallest, size);
    largest = std::max(largest, size);
  }
  return largest / smallest;
}

TEST(Equilibrate, capacitors_of_any_size_look_alike) {
  // i = C v', v' = p' - n', i = g p': rows and columns (i, v', p') have a largest entry of one.
  const std::vector<MatrixEntry> entries = {{0, 0, 1},  {0, 1, -1e-12}, {1, 1, 1},
                                            {1, 2, -1}, {2, 0, 1},      {2, 2, 1e-12}};
  // v' and p' times 2^40, the second row by 2^-40.
  EXPECT_LE(spread(entries, equilibrate(3, 3, entries)), 4);
}

TEST(Equilibrate, random_factors_are_undone) {
  // A full matrix of ones with random factors: the factors are found but for rounding to powers of
  // two, at most sqrt(2) each for row and column.
  std::mt19937 random(3);
  std::uniform_real_distribution<double> exponent(-40, 40);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> r(6), c(6);
    for (double& x : r) x = std::exp2(exponent(random));
    for (double& x : c) x = std::exp2(exponent(random));
    std::vector<MatrixEntry> entries;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        entries.push_back({i, j, r[static_cast<std::size_t>(i)] * c[static_cast<std::size_t>(j)]});
    EXPECT_LE(spread(entries, equilibrate(6, 6, entries)), 4 * (1 + 1e-12)) << trial;
  }
}

TEST(Equilibrate, zeros_and_empty_rows_are_left_alone) {
  const Equilibration by = equilibrate(2, 2, {{0, 0, 8}, {1, 1, 0}, {1, 0, NAN}});
  EXPECT_EQ(by.rows[0] * by.columns[0], 0.125);
  EXPECT_EQ(by.rows[1], 1);
  EXPECT_EQ(by.columns[1], 1);
}

}  // namespace
}  // namespace hydae::linalg

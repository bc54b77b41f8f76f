// All cases of the mass matrix in section 4.1.2 of Raha & Petzold 2000, made from one system whose
// answer is known: x' = H x + Q z, 0 = C x + D z with invertible D, index 1.
#include <gtest/gtest.h>
#include <random>

#include "linalg/dense_factors.h"
#include "partition/dense_system_testing.h"
#include "partition/log_norm.h"

namespace hydae::partition {
namespace {

constexpr int kStates = 2, kAlgebraic = 3, kSize = kStates + kAlgebraic;

Matrix random_uniform(int rows, int columns) {
  static std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(-1, 1);
  return Matrix::NullaryExpr(rows, columns, [&] { return uniform(random); });
}

Matrix random_orthogonal(int n) {
  const Matrix half = random_uniform(n, n);  // Cayley: (I - S)(I + S)^-1 with S = -S^T
  const Matrix S = half - half.transpose(), I = Matrix::Identity(n, n);
  return (I - S) * linalg::DenseLu(I + S).inverse();
}

// The first equations are mixed by an invertible matrix and the first variables by an orthogonal
// one: the mass matrix has `rows` x `columns` entries and still the rank of the states.
struct MassCase {
  int rows, columns;
  bool is_transformed;
};

class MassMatrix : public testing::TestWithParam<MassCase> {};

TEST_P(MassMatrix, leaves_the_known_states_and_index) {
  const MassCase& c = GetParam();
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix H = random_uniform(kStates, kStates), Q = random_uniform(kStates, kAlgebraic);
    const Matrix C = random_uniform(kAlgebraic, kStates);
    const Matrix D =
        2 * Matrix::Identity(kAlgebraic, kAlgebraic) + 0.5 * random_uniform(kAlgebraic, kAlgebraic);
    Matrix mass = Matrix::Zero(kSize, kSize), jacobian(kSize, kSize);
    mass.topLeftCorner(kStates, kStates).setIdentity();
    jacobian << -H, -Q, C, D;
    Matrix left = Matrix::Identity(kSize, kSize), right = left;
    // At most four rows: |0.2 random| <= 0.8, so I + 0.2 random is invertible.
    left.topLeftCorner(c.rows, c.rows) += 0.2 * random_uniform(c.rows, c.rows);
    right.topLeftCorner(c.columns, c.columns) = random_orthogonal(c.columns);

    SystemOptions options;
    options.check_stability = false;
    const Partition p =
        partition_system(dense_system(left * mass * right, left * jacobian * right), options);
    EXPECT_EQ(p.index, Index::kOne);
    EXPECT_EQ(p.pencil.index, 1);
    EXPECT_EQ(p.differential_equations.size(), static_cast<std::size_t>(kStates));
    EXPECT_EQ(p.differential_variables.size(), static_cast<std::size_t>(kStates));
    EXPECT_EQ(p.index1.size(), static_cast<std::size_t>(kAlgebraic));
    EXPECT_EQ(p.is_transformed(), c.is_transformed);
    ASSERT_FALSE(p.ranks.empty());
    EXPECT_EQ(p.ranks[0].rank, kStates);
    EXPECT_EQ(p.ranks[0].rows, c.rows);
    EXPECT_EQ(p.ranks[0].columns, c.columns);
    if (!c.is_transformed && c.columns > kStates) continue;
    // The states are those of the known system in an orthonormal basis: the same logarithmic norm.
    const Matrix known = H - Q * linalg::DenseLu(D).inverse() * C;
    EXPECT_NEAR(p.log_norms.final, log_norm(known), 1e-11 * (1 + known.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, MassMatrix,
                         testing::Values(MassCase{2, 2, false},   // square, full rank
                                         MassCase{3, 3, true},    // square, deficient
                                         MassCase{3, 2, true},    // more rows, full column rank
                                         MassCase{3, 4, true},    // more columns, deficient
                                         MassCase{2, 3, false},   // more columns, full row rank
                                         MassCase{4, 3, true}));  // more rows, deficient

}  // namespace
}  // namespace hydae::partition

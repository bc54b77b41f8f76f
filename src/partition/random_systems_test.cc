// Systems that are built with a known partition, then scaled and shuffled: the algorithm must find
// it again, whatever the order and units of equations and variables.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "linalg/dense_factors.h"
#include "partition/dense_system_testing.h"

namespace hydae::partition {
namespace {

using Random = std::mt19937_64;

double uniform(Random& random) { return std::uniform_real_distribution<>(-1, 1)(random); }

Matrix random_matrix(int rows, int columns, Random& random) {
  return Matrix::NullaryExpr(rows, columns, [&] { return uniform(random); });
}

// Well conditioned: the identity and something smaller.
Matrix random_invertible(int n, Random& random) {
  const Matrix noise = random_matrix(n, n, random);
  return Matrix::Identity(n, n) + noise * (0.4 / std::max(1.0, noise.norm()));
}

Matrix inverse_or_empty(const Matrix& m) { return m.size() > 0 ? linalg::DenseLu(m).inverse() : m; }

struct Sizes {
  int states = 0;           // x
  int index1 = 0;           // v
  int index2 = 0;           // w
  int chains = 0;           // a' = b, b' = s, 0 = a: index 3
  double scale = 0;         // decades, of equations and variables
  bool is_coupled = false;  // index-2 constraints contain v: which constraints get v is open then
};

struct KnownSystem {
  Linearization linear;
  std::vector<int> equation_kinds, variable_kinds;  // 0 differential, 1, 2, 3 higher
};

//     x' = H x + Q v + T w,   0 = C_v v + C_1 x,   0 = C_2 x + C_3 v      with C_2 revised T = I +
//     ...
class KnownSystemBuilder {
 public:
  KnownSystemBuilder(const Sizes& sizes, Random& random) : s_(sizes), random_(random) {
    num_states_ = s_.states + 2 * s_.chains;
    num_rows_ = num_states_ + s_.index1 + s_.index2 + s_.chains;
    mass_ = Matrix::Zero(num_rows_, num_rows_);
    jacobian_ = mass_;
  }

  KnownSystem build() {
    fill_regular_part();
    for (int k = 0; k < s_.chains; ++k) add_chain(k);
    return shuffle();
  }

 private:
  void fill_regular_part() {
    const int n = s_.states, v = num_states_, w = v + s_.index1;
    mass_.topLeftCorner(n, n) = random_invertible(n, random_);
    const Matrix minv = inverse_or_empty(mass_.topLeftCorner(n, n));
    const Matrix Q = random_matrix(n, s_.index1, random_), T = random_matrix(n, s_.index2, random_);
    const Matrix Cv = random_invertible(s_.index1, random_);
    const Matrix C1 = random_matrix(s_.index1, n, random_);
    const Matrix C3 = random_matrix(s_.index2, s_.index1, random_) * (s_.is_coupled ? 1.0 : 0.0);
    // C_2 with (C_2 - C_3 C_v^-1 C_1) M^-1 T = an invertible matrix.
    const Matrix target = random_invertible(s_.index2, random_);
    const Matrix MT = minv * T;
    Matrix C2 = random_matrix(s_.index2, n, random_);
    if (s_.index2 > 0) {
      const Matrix revised = C2 - C3 * inverse_or_empty(Cv) * C1;
      const Matrix gram = inverse_or_empty(MT.transpose() * MT);
      C2 += (target - revised * MT) * gram * MT.transpose();
    }
    jacobian_.topLeftCorner(n, n) = random_matrix(n, n, random_);
    jacobian_.block(0, v, n, s_.index1) = -Q;
    jacobian_.block(0, w, n, s_.index2) = -T;
    jacobian_.block(v, 0, s_.index1, n) = C1;
    jacobian_.block(v, v, s_.index1, s_.index1) = Cv;
    jacobian_.block(w, 0, s_.index2, n) = C2;
    jacobian_.block(w, v, s_.index2, s_.index1) = C3;
  }

  void add_chain(int k) {
    const int a = s_.states + 2 * k, b = a + 1, s = num_states_ + s_.index1 + s_.index2 + k;
    mass_(a, a) = mass_(b, b) = 1;
    jacobian_(a, b) = -1;
    jacobian_(b, s) = -1;
    jacobian_(s, a) = 1;
  }

  int kind(int i) const {
    if (i < num_states_) return 0;
    if (i < num_states_ + s_.index1) return 1;
    return i < num_states_ + s_.index1 + s_.index2 ? 2 : 3;
  }

  KnownSystem shuffle() {
    std::vector<int> rows(num_rows_), columns(num_rows_);
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(columns.begin(), columns.end(), 0);
    std::shuffle(rows.begin(), rows.end(), random_);
    std::shuffle(columns.begin(), columns.end(), random_);
    const auto scale = [&](double) { return std::pow(10, s_.scale * uniform(random_)); };
    const Vector row_scale = Vector::Zero(num_rows_).unaryExpr(scale);
    const Vector column_scale = Vector::Zero(num_rows_).unaryExpr(scale);
    const auto shuffled = [&](const Matrix& m) -> Matrix {
      const Matrix scaled = row_scale.asDiagonal() * m * column_scale.asDiagonal();
      return scaled(rows, columns);
    };
    KnownSystem result{dense_system(shuffled(mass_), shuffled(jacobian_)), {}, {}};
    for (int i : rows) result.equation_kinds.push_back(kind(i));
    for (int j : columns) result.variable_kinds.push_back(kind(j));
    return result;
  }

  Sizes s_;
  Random& random_;
  int num_states_, num_rows_;
  Matrix mass_, jacobian_;
};

int found_kind(Role role) {
  return role == Role::kDifferential ? 0
         : role == Role::kIndex1     ? 1
         : role == Role::kIndex2     ? 2
                                     : 3;
}

class KnownPartition : public testing::TestWithParam<Policy> {};

TEST_P(KnownPartition, is_recovered_from_shuffled_and_scaled_systems) {
  Random random(20000516);
  std::uniform_int_distribution<int> count(0, 5);
  for (int trial = 0; trial < 300; ++trial) {
    Sizes sizes{0, count(random), count(random), count(random) / 3};
    sizes.states = sizes.index2 + 1 + count(random);
    sizes.is_coupled = trial % 3 == 0;
    sizes.scale = trial % 2 == 0 ? 0 : 3;
    const KnownSystem known = KnownSystemBuilder(sizes, random).build();
    SystemOptions options;
    options.policy = GetParam();
    options.exhaustive_limit = 0;  // one constraint at a time
    options.check_stability = false;
    const Partition p = partition_system(known.linear, options);
    ASSERT_TRUE(p.pencil.is_regular) << trial;
    const int index = sizes.chains > 0 ? 3 : sizes.index2 > 0 ? 2 : sizes.index1 > 0 ? 1 : 0;
    EXPECT_EQ(p.pencil.index, index) << trial;
    EXPECT_EQ(p.index, index == 3 ? Index::kHigher : static_cast<Index>(index)) << trial;
    EXPECT_EQ(p.index1.size(), static_cast<std::size_t>(sizes.index1)) << trial;
    EXPECT_EQ(p.index2.size(), static_cast<std::size_t>(sizes.index2)) << trial;
    if (sizes.is_coupled) continue;
    for (std::size_t i = 0; i < known.equation_kinds.size(); ++i) {
      ASSERT_EQ(found_kind(p.equation_roles[EqId(i)]), known.equation_kinds[i]) << trial;
      ASSERT_EQ(found_kind(p.variable_roles[VarId(i)]), known.variable_kinds[i]) << trial;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, KnownPartition,
                         testing::Values(Policy::kExhaustive, Policy::kModerate,
                                         Policy::kPivoting));

}  // namespace
}  // namespace hydae::partition

// The illustrations of section 4 and the examples 5.1 to 5.4 of Raha & Petzold 2000, with the
// matrices written down by hand. Numbers of equations and variables are the paper's, from 1.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "partition/dense_system_testing.h"

namespace hydae::partition {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Eigen::MatrixXd matrix(int rows, std::initializer_list<double> entries) {
  const int columns = static_cast<int>(entries.size()) / rows;
  Eigen::MatrixXd result(rows, columns);
  auto entry = entries.begin();
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) result(i, j) = *entry++;
  }
  return result;
}

SystemOptions structure_only() {
  SystemOptions options;
  options.check_stability = false;
  return options;
}

TEST(PaperIllustrationA, deficient_mass_matrix_is_transformed_and_index_1) {
  const auto mass = matrix(3, {2, -2, 0, -2, 2, 0, 0, 0, 0});
  const auto jacobian = matrix(3, {0, 0, -1, 0, 0.1, 0, -1, 0, 0});
  const Partition p = partition_system(dense_system(mass, jacobian));
  EXPECT_EQ(p.index, Index::kOne);
  EXPECT_TRUE(p.is_transformed());
  EXPECT_THAT(numbers(p.differential_equations), ElementsAre(1));
  EXPECT_THAT(equations_of(p.index1), ElementsAre(2, 3));
  EXPECT_THAT(variables_of(p.index1), ElementsAre(2, 3));
  // y = V^T x with rows (1,-1)/sqrt 2 and (1,1)/sqrt 2, each up to its sign.
  ASSERT_EQ(p.transformations.size(), 1u);
  const auto& v = p.transformations[0].right;
  EXPECT_NEAR(v[0][0] * v[1][0], -0.5, 1e-14);
  EXPECT_NEAR(v[0][1] * v[1][1], 0.5, 1e-14);
  EXPECT_NEAR(p.transformations[0].singular_values[0], 4, 1e-14);
}

TEST(PaperIllustrationB, limited_search_makes_second_and_third_variable_algebraic) {
  const auto mass = matrix(5, {1, 0, 0, 0, 0, 0, 5, 7, 3, 0, 0, 0, 0, 0, 0,  //
                               0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  const auto jacobian = matrix(5, {0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 1, 0, 0, 4, 4,  //
                                   0, 9, 5, 0, 5, 0, 5, 3, 3, 3});
  const Partition p = partition_system(dense_system(mass, jacobian), structure_only());
  EXPECT_FALSE(p.is_transformed());
  EXPECT_THAT(numbers(p.differential_equations), ElementsAre(1, 2));
  EXPECT_THAT(numbers(p.differential_variables), ElementsAre(1, 4));
  EXPECT_EQ(p.index1[0], (Pair{EqId(3), VarId(1)}));
  EXPECT_EQ(p.index1[1], (Pair{EqId(4), VarId(2)}));
  // The third equation is left for the fifth variable.
  EXPECT_EQ(p.index1[2], (Pair{EqId(2), VarId(4)}));
  EXPECT_EQ(p.index, Index::kOne);
  EXPECT_TRUE(p.decisions[1].in_limited_search);
  EXPECT_FALSE(p.decisions[0].in_limited_search);
}

class PaperIllustrationC : public testing::Test {
 protected:
  PaperIllustrationC() {
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(5, 5);
    mass.topLeftCorner(3, 3).setIdentity();
    system_ = dense_system(mass, matrix(5, {1, 0, 0, 2, 3, 0, 1, 0, 4, 5, 0, 0, 1, 6, 7,  //
                                            1, 0, 0, 3, 5, 0, 1, 0, 1, 0}));
    options_.policy = Policy::kPivoting;
  }
  Linearization system_;
  SystemOptions options_;
};

TEST_F(PaperIllustrationC, pivoting_takes_the_largest_entry_first) {
  const Partition p = partition_system(system_, options_);
  ASSERT_EQ(p.index1.size(), 2u);
  EXPECT_EQ(p.index1[0], (Pair{EqId(3), VarId(4)}));
  EXPECT_EQ(p.index1[1], (Pair{EqId(4), VarId(3)}));
  EXPECT_EQ(p.decisions[0].attempts[0].pivot, 5);
  // C_v = (5 3; 0 1) with rows 4, 5 and columns 5, 4: the second pivot is 1 - 0 * 3 / 5.
  EXPECT_EQ(p.decisions[1].attempts[0].pivot, 1);
  // mu(H) = -1; q = (3,5,7), c1 = (1,0,0), C_v = 5: (q.c1 + |q||c1|) / (2 * 5) by (15).
  const double increase = (3 + std::sqrt(83.0)) / 10;
  EXPECT_NEAR(p.decisions[0].attempts[0].stability.estimate, -1 + increase, 1e-14);
}

TEST_F(PaperIllustrationC, unstable_pair_is_remembered_and_the_next_pivot_tried) {
  options_.confirm_by_exact_norm = false;
  options_.tolerance0 = 0;
  options_.tolerance = 0.1;  // below -1 + 1.211 of pivot 5 and -1 + 1.580 of pivot 3
  const Partition p = partition_system(system_, options_);
  ASSERT_EQ(p.decisions[0].attempts.size(), 2u);
  EXPECT_EQ(p.decisions[0].attempts[0].pivot, 5);
  EXPECT_EQ(p.decisions[0].attempts[1].pivot, 3);
  EXPECT_EQ(p.decisions[0].outcome, Outcome::kUnstable);
  EXPECT_EQ(p.decisions[0].index, 1);
  EXPECT_EQ(p.equation_roles[EqId(3)], Role::kOutside);
}

// F1 = x' + y' - f1(t), F2 = sin(t) x + t y - f2(t).
Linearization example_5_1(double t) {
  return dense_system(matrix(2, {1, 1, 0, 0}), matrix(2, {0, 0, std::sin(t), t}),
                      matrix(2, {0, 0, std::cos(t), 1}), t);
}

TEST(PaperExample51, undecided_at_the_start) {
  const Partition p = partition_system(example_5_1(0), structure_only());
  EXPECT_EQ(p.index, Index::kUndecided);
  EXPECT_FALSE(p.pencil.is_regular);
  EXPECT_FALSE(p.pencil.is_permanent);
  EXPECT_THAT(numbers(p.pencil.dependent), ElementsAre(2));
  EXPECT_THAT(p.index1, IsEmpty());
  EXPECT_EQ(p.decisions[0].outcome, Outcome::kDependent);
}

TEST(PaperExample51, decided_a_little_later) {
  const Partition p = partition_system(example_5_1(0.01), structure_only());
  EXPECT_EQ(p.index, Index::kOne);
  EXPECT_THAT(numbers(p.differential_equations), ElementsAre(1));
  EXPECT_THAT(numbers(p.differential_variables), ElementsAre(2));
  EXPECT_THAT(p.index1, ElementsAre(Pair{EqId(1), VarId(0)}));
  EXPECT_EQ(p.pencil.index, 1);
}

TEST(PaperExample52, singular_system_stops) {
  const Partition p =
      partition_system(dense_system(matrix(2, {1, 1, 0, 0}), matrix(2, {0, 0, 1, 1})));
  EXPECT_EQ(p.index, Index::kSingular);
  EXPECT_THAT(numbers(p.pencil.dependent), ElementsAre(1, 2));
  EXPECT_THAT(p.differential_equations, IsEmpty());
  EXPECT_THAT(p.index1, IsEmpty());
  EXPECT_THAT(p.index2, IsEmpty());
}

// A close relative that is not singular: x1' + x2' + x1 = f1, x1 + x2 = f2 has index 2.
TEST(PaperExample52, regular_neighbour_is_index_2) {
  const Partition p = partition_system(
      dense_system(matrix(2, {1, 1, 0, 0}), matrix(2, {1, 0, 1, 1})), structure_only());
  EXPECT_EQ(p.index, Index::kTwo);
  EXPECT_EQ(p.pencil.index, 2);
  EXPECT_THAT(equations_of(p.index2), ElementsAre(2));
}

// The paper does not print the point. At t = 0 it must have x1 = 1 (F3) and x4 = 0 (F5); x2 = 1 and
// x3 = 0.5 are assumed, and the motion x1' = x2' = 0 for the rates.
Linearization example_5_3(double t, double x1, double x2, double x3, double x4) {
  const double x5 = -x3;
  const auto mass = matrix(5, {std::sin(x2),
                               std::cos(x3),
                               1,
                               0,
                               0,  //
                               0,
                               0,
                               0,
                               0,
                               0,
                               0,
                               0,
                               0,
                               0,
                               0,  //
                               0,
                               0,
                               0,
                               0,
                               0,
                               0,
                               0,
                               0,
                               0,
                               0});
  const auto jacobian = matrix(5, {x4,
                                   23 * x5,
                                   0,
                                   x1,
                                   23 * x2,  //
                                   t,
                                   t * t,
                                   0,
                                   0,
                                   0,  //
                                   2 * x1,
                                   std::sin(t) * x3,
                                   std::sin(t) * x2,
                                   0,
                                   0,  //
                                   0,
                                   0,
                                   1,
                                   0,
                                   1,  //
                                   0,
                                   x4,
                                   0,
                                   x2,
                                   0});
  Eigen::MatrixXd rate = Eigen::MatrixXd::Zero(5, 5);
  rate.row(1) << 1, 2 * t, 0, 0, 0;
  rate.row(2) << 0, std::cos(t) * x3, std::cos(t) * x2, 0, 0;
  return dense_system(mass, jacobian, rate, t);
}

TEST(PaperExample53, lists_at_the_start) {
  const Partition p = partition_system(example_5_3(0, 1, 1, 0.5, 0), structure_only());
  EXPECT_EQ(p.index, Index::kUndecided);
  EXPECT_THAT(numbers(p.differential_equations), ElementsAre(1));
  EXPECT_THAT(numbers(p.differential_variables), ElementsAre(3));
  EXPECT_THAT(equations_of(p.index1), ElementsAre(3, 4, 5));
  EXPECT_THAT(variables_of(p.index1), ElementsAre(1, 4, 5));
  EXPECT_THAT(p.index2, IsEmpty());
  EXPECT_EQ(p.variable_roles[VarId(1)], Role::kUndecided);
}

// Consistent with x2 = 1: F2 gives x1 = -t x2, F3 x3 = (cos 6t - x1^2) / (sin(t) x2).
TEST(PaperExample53, lists_a_little_later) {
  const double t = 0.001, x1 = -t, x3 = (std::cos(6 * t) - x1 * x1) / std::sin(t);
  const Partition p =
      partition_system(example_5_3(t, x1, 1, x3, -std::sin(t / 2)), structure_only());
  EXPECT_EQ(p.index, Index::kOne);
  EXPECT_THAT(numbers(p.differential_equations), ElementsAre(1));
  EXPECT_THAT(numbers(p.differential_variables), ElementsAre(3));
  EXPECT_THAT(equations_of(p.index1), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(variables_of(p.index1), ElementsAre(1, 2, 4, 5));
  EXPECT_THAT(p.index2, IsEmpty());
}

TEST(PaperExample54, circuit_is_index_1_with_its_time_constant) {
  const double C = 2e-12, R = 10;
  const auto mass = matrix(3, {C, -C, 0, -C, C, 0, 0, 0, 0});
  const auto jacobian = matrix(3, {0, 0, -1, 0, 1 / R, 0, -1, 0, 0});
  const Partition p = partition_system(dense_system(mass, jacobian));
  EXPECT_EQ(p.index, Index::kOne);
  EXPECT_EQ(p.pencil.index, 1);
  EXPECT_TRUE(p.is_transformed());
  EXPECT_NEAR(p.transformations[0].singular_values[0], 4e-12, 1e-24);
  // One state; its rate is -1/(R C).
  EXPECT_NEAR(p.log_norms.final, -5e10, 1e-3);
}

// Section 3: x' = 1000 x + u, b x + u = 0 with b = 10000 is unstable without the constraint only.
TEST(PaperSection3, constraint_stabilises) {
  const Partition p =
      partition_system(dense_system(matrix(2, {1, 0, 0, 0}), matrix(2, {-1000, -1, 10000, 1})));
  EXPECT_EQ(p.log_norms.ode, 1000);
  EXPECT_EQ(p.decisions[0].outcome, Outcome::kIndex1);
  EXPECT_EQ(p.decisions[0].attempts[0].stability.estimate, -9000);
  EXPECT_EQ(p.log_norms.final, -9000);
}

}  // namespace
}  // namespace hydae::partition

// How constraints are judged, taken, taken out again and left: section 3 and 4.1.5 of Raha &
// Petzold 2000 on systems small enough to do by hand, and large systems against their small parts.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "partition/dense_system_testing.h"
#include "partition/eliminated.h"

namespace hydae::partition {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// x' + y' = 100 x with 0 = y + x/2: the state x + y = x/2 grows with 200, with y given with 100.
Linearization growing_pair() {
  Matrix mass(2, 2), jacobian(2, 2);
  mass << 1, 1, 0, 0;
  jacobian << -100, 0, 0.5, 1;
  return dense_system(mass, jacobian);
}

TEST(CheckBack, takes_out_what_the_limited_search_took_unjudged) {
  SystemOptions options;
  options.tolerance0 = 0;
  const Partition p = partition_system(growing_pair(), options);
  ASSERT_EQ(p.decisions.size(), 1u);
  EXPECT_EQ(p.decisions[0].outcome, Outcome::kUnstable);
  EXPECT_TRUE(p.decisions[0].removed_at_check_back);
  EXPECT_TRUE(p.decisions[0].in_limited_search);
  EXPECT_THAT(p.index1, IsEmpty());
  EXPECT_NEAR(p.log_norms.checks.at(0), 200, 1e-11);
}

TEST(CheckBack, keeps_what_must_be_included) {
  SystemOptions options;
  options.tolerance0 = 0;
  options.must_include = {EqId(1)};
  const Partition p = partition_system(growing_pair(), options);
  EXPECT_EQ(p.decisions[0].outcome, Outcome::kIndex1);
  EXPECT_NEAR(p.log_norms.final, 200, 1e-11);
}

// Decoupled constraints 0 = z_i - x_i with x_i' = -x_i: as many exact norms as blocks, the last one
// of them overall.
TEST(CheckBack, comes_after_every_block) {
  const int n = 6;
  Matrix mass = Matrix::Zero(2 * n, 2 * n), jacobian = mass;
  mass.topLeftCorner(n, n).setIdentity();
  jacobian.topLeftCorner(n, n).setIdentity();
  jacobian.bottomLeftCorner(n, n) = -Matrix::Identity(n, n);
  jacobian.bottomRightCorner(n, n).setIdentity();
  for (int block : {1, 2, 3, 4}) {
    SystemOptions options;
    options.check_block = block;
    const Partition p = partition_system(dense_system(mass, jacobian), options);
    EXPECT_EQ(p.index1.size(), 6u);
    EXPECT_EQ(p.log_norms.checks.size(), static_cast<std::size_t>((n + block - 1) / block));
    EXPECT_NEAR(p.log_norms.final, -1, 1e-14);
  }
}

TEST(Candidates, others_are_left_out_whatever_their_index) {
  Matrix mass = Matrix::Zero(3, 3), jacobian(3, 3);
  mass(0, 0) = 1;
  jacobian << 1, -1, -1, 1, 1, 0, 0, 1, 1;
  SystemOptions options;
  options.candidates = std::vector{EqId(2)};
  const Partition p = partition_system(dense_system(mass, jacobian), options);
  EXPECT_EQ(p.decisions[0].outcome, Outcome::kNotCandidate);
  EXPECT_EQ(p.decisions[1].outcome, Outcome::kIndex1);
}

// x' = T w + H x with one index-2 constraint C x = 0.
Partition index2_partition(const Vector& c, const Vector& rate, const Vector& t, const Matrix& H) {
  const auto n = H.rows();
  Matrix mass = Matrix::Zero(n + 1, n + 1), jacobian = mass, rates = mass;
  mass.topLeftCorner(n, n).setIdentity();
  jacobian.topLeftCorner(n, n) = -H;
  jacobian.col(n).head(n) = -t;
  jacobian.row(n).head(n) = c.transpose();
  rates.row(n).head(n) = rate.transpose();
  return partition_system(dense_system(mass, jacobian, rates));
}

StabilityRule rule_of(const Partition& p) { return p.decisions[0].attempts.back().stability.rule; }

TEST(Index2Rule, harmless_cases_need_no_estimate) {
  const Matrix H = -Matrix::Identity(3, 3);
  const Vector c{{1, 2, 0}}, t{{1, 0, 1}}, rate{{0, 0, 0.1}}, zero = Vector::Zero(3);
  EXPECT_EQ(rule_of(index2_partition(c, rate, -3 * c, H)), StabilityRule::kParallel);
  EXPECT_EQ(rule_of(index2_partition(c, zero, t, H)), StabilityRule::kConstant);
  // C H + C' = -C + 0.1 C is a multiple of C, and C R = 0.
  EXPECT_EQ(rule_of(index2_partition(c, 0.1 * c, t, H)), StabilityRule::kInvariant);
  EXPECT_EQ(rule_of(index2_partition(c, rate, t, H)), StabilityRule::kEstimate);
}

// Section 4.1.4: the derivative of C_2 - C_3 C_v^-1 C_1 when all four change with time, against
// central differences of the eliminated row: off by h^2 = 1e-10 times third derivatives of size
// 10^2, and 1e-16/h.
TEST(Eliminated, rate_is_the_derivative_of_the_eliminated_row) {
  std::mt19937_64 random(23);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto draw = [&](int m, int n) {
    return Matrix(Matrix::NullaryExpr(m, n, [&] { return uniform(random); }));
  };
  const int n = 4, m = 3;
  const Matrix G = draw(m, n), G_rate = draw(m, n), E_rate = draw(m, m);
  const Matrix E = draw(m, m) + 3 * Matrix::Identity(m, m);
  const auto at = [&](double t) {
    SemiExplicit s;
    s.states.resize(n);
    s.constraints.resize(m);
    s.algebraic.resize(m);
    s.G = Matrix(G + t * G_rate).sparseView();
    s.E = Matrix(E + t * E_rate).sparseView();
    s.G_rate = G_rate.sparseView();
    s.E_rate = E_rate.sparseView();
    return s;
  };
  const auto eliminated = [&](double t) {
    const SemiExplicit s = at(t);
    PivotSet index1(s.E);
    index1.choose(0, 0);
    index1.choose(1, 1);
    return eliminated_row(s, index1, 2);
  };
  const SemiExplicit s = at(0);
  PivotSet index1(s.E);
  index1.choose(0, 0);
  index1.choose(1, 1);
  const double h = 1e-5;
  const Vector difference = (eliminated(h) - eliminated(-h)) / (2 * h);
  EXPECT_LT((eliminated_row_rate(s, index1, 2) - difference).norm(), 1e-7);
}

// Independent cells: x1' = -x1 + x2 + v, x2' = -x2 + w, 0 = v + x1 / 2, 0 = x2 - x1 / 4 (index 2
// with w), shuffled. Above 256 equations everything stays sparse; the answer must be that of a
// cell.
Linearization cells(int count) {
  std::vector<int> rows(4 * count), columns(4 * count);
  for (int i = 0; i < 4 * count; ++i) rows[i] = columns[i] = i;
  std::mt19937_64 random(29);
  std::shuffle(rows.begin(), rows.end(), random);
  std::shuffle(columns.begin(), columns.end(), random);
  std::vector<Eigen::Triplet<double>> mass, jacobian;
  for (int c = 0; c < count; ++c) {
    const int* r = &rows[4 * c];
    const int* k = &columns[4 * c];
    mass.insert(mass.end(), {{r[0], k[0], 1.0}, {r[1], k[1], 1.0}});
    jacobian.insert(jacobian.end(), {{r[0], k[0], 1.0},
                                     {r[0], k[1], -1.0},
                                     {r[0], k[2], -1.0},
                                     {r[1], k[1], 1.0},
                                     {r[1], k[3], -1.0},
                                     {r[2], k[2], 1.0},
                                     {r[2], k[0], 0.5},
                                     {r[3], k[1], 1.0},
                                     {r[3], k[0], -0.25}});
  }
  Linearization system;
  for (SparseMatrix* matrix : {&system.mass, &system.jacobian, &system.jacobian_rate}) {
    matrix->resize(4 * count, 4 * count);
  }
  system.mass.setFromTriplets(mass.begin(), mass.end());
  system.jacobian.setFromTriplets(jacobian.begin(), jacobian.end());
  return system;
}

TEST(LargeSystem, gives_the_answer_of_its_cells) {
  for (Policy policy : {Policy::kModerate, Policy::kPivoting}) {
    SystemOptions options;
    options.policy = policy;
    const Partition one = partition_system(cells(1), options);
    ASSERT_EQ(one.index1.size(), 1u);
    ASSERT_EQ(one.index2.size(), 1u);
    // On x2 = x1/4: along (4, 1)/sqrt(17) the rate is x1' = -x1 + x1/4 - x1/2 = -1.25 x1.
    EXPECT_NEAR(one.log_norms.final, -1.25, 1e-14);
    const Partition many = partition_system(cells(100), options);
    EXPECT_TRUE(many.pencil.is_regular);
    EXPECT_EQ(many.index1.size(), 100u);
    EXPECT_EQ(many.index2.size(), 100u);
    EXPECT_EQ(many.index, Index::kTwo);
    EXPECT_NEAR(many.log_norms.ode, one.log_norms.ode, 1e-9);
    EXPECT_NEAR(many.log_norms.final, -1.25, 1e-9);
  }
}

}  // namespace
}  // namespace hydae::partition

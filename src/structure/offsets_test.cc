#include "structure/offsets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "structure/brute_force_testing.h"
#include "structure/example_systems_testing.h"

namespace hydae::structure {
namespace {

using ::testing::ElementsAre;

Offsets offsets_of(const SignatureMatrix& sigma) {
  const auto transversal = find_highest_value_transversal(sigma);
  EXPECT_TRUE(transversal);
  return compute_canonical_offsets(sigma, *transversal);
}

// Nedialkov & Ramdani 2009, example 1.
TEST(Offsets, of_the_pendulum) {
  const Offsets offsets = offsets_of(pendulum());
  EXPECT_THAT(offsets.c, ElementsAre(0, 0, 2));
  EXPECT_THAT(offsets.d, ElementsAre(2, 2, 0));
  EXPECT_EQ(structural_index(offsets), 3);
  EXPECT_EQ(degrees_of_freedom(offsets), 2);
}

// DAESA user guide, modified2pendula.
TEST(Offsets, of_the_modified_two_pendula) {
  const Offsets offsets = offsets_of(modified_two_pendula());
  EXPECT_THAT(offsets.c, ElementsAre(4, 4, 6, 0, 0, 2));
  EXPECT_THAT(offsets.d, ElementsAre(6, 6, 4, 2, 3, 0));
  EXPECT_EQ(structural_index(offsets), 7);
  EXPECT_EQ(degrees_of_freedom(offsets), 5);
}

// Pendulum p of P must be differentiated until lambda_p is known to order 2 (P - 1 - p): each one
// further up the chain twice more. c = (s, s, s + 2), d = (s + 2, s + 2, s), s = 2 (P - 1 - p).
void expect_pendulum_chain(std::size_t num_pendula) {
  const Offsets offsets = offsets_of(pendulum_chain(num_pendula));
  EXPECT_EQ(structural_index(offsets), static_cast<int>(2 * num_pendula + 1));
  EXPECT_EQ(degrees_of_freedom(offsets), static_cast<std::int64_t>(2 * num_pendula));
  for (std::size_t p = 0; p < num_pendula; ++p) {
    const int s = static_cast<int>(2 * (num_pendula - 1 - p));
    ASSERT_EQ(offsets.c[EqId(3 * p)], s);
    ASSERT_EQ(offsets.c[EqId(3 * p + 2)], s + 2);
    ASSERT_EQ(offsets.d[VarId(3 * p + 1)], s + 2);
    ASSERT_EQ(offsets.d[VarId(3 * p + 2)], s);
  }
}

TEST(Offsets, of_23_chained_pendula_give_index_47) {
  EXPECT_EQ(pendulum_chain(23).num_eqs(), 69u);
  expect_pendulum_chain(23);
}

TEST(Offsets, of_chained_pendula_of_any_length) {
  for (std::size_t num_pendula : {1, 2, 5, 10000}) expect_pendulum_chain(num_pendula);
}

TEST(Offsets, are_the_least_of_all_valid_ones) {
  std::mt19937 rng(6);
  int checked = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = static_cast<std::size_t>(trial % 4) + 1;
    const SignatureMatrix sigma = random_system({n, n, 0.6, 2}, rng);
    const auto transversal = find_highest_value_transversal(sigma);
    if (!transversal) continue;
    ++checked;
    const Offsets offsets = compute_canonical_offsets(sigma, *transversal);
    // A path visits each other equation once and gains at most order 2 each time.
    const int limit = 2 * static_cast<int>(n - 1);
    EXPECT_EQ(offsets,
              brute_force::canonical_offsets(sigma, static_cast<int>(transversal->value()), limit));
  }
  EXPECT_GT(checked, 100);
}

TEST(Offsets, do_not_depend_on_the_order_of_equations_and_variables) {
  std::mt19937 rng(7);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t n = 40;
    const SignatureMatrix sigma = random_sparse_system(n, 2, 3, rng);
    const auto eqs = random_order<EqId>(n, rng);
    const auto vars = random_order<VarId>(n, rng);
    const Offsets offsets = offsets_of(sigma);
    const Offsets permuted = offsets_of(sigma.submatrix(eqs, vars));
    for (std::size_t k = 0; k < n; ++k) {
      EXPECT_EQ(permuted.c[EqId(k)], offsets.c[eqs[k]]);
      EXPECT_EQ(permuted.d[VarId(k)], offsets.d[vars[k]]);
    }
  }
}

TEST(Offsets, of_no_equations_have_index_0) {
  const Offsets offsets = offsets_of(SignatureMatrix());
  EXPECT_EQ(structural_index(offsets), 0);
  EXPECT_EQ(degrees_of_freedom(offsets), 0);
}

// An explicit ODE has index 0, with an algebraic equation index 1.
TEST(Offsets, tell_ordinary_from_algebraic_equations) {
  EXPECT_EQ(structural_index(offsets_of(draw({"1 0", "0 1"}))), 0);
  EXPECT_EQ(structural_index(offsets_of(draw({"1 0", "0 0"}))), 1);
}

struct PublishedCase {
  const char* name;
  SignatureMatrix sigma;
  std::vector<int> c;
  std::vector<int> d;
  int index;
  int dof;
};

class PublishedOffsets : public ::testing::TestWithParam<PublishedCase> {};

TEST_P(PublishedOffsets, agree) {
  const Offsets offsets = offsets_of(GetParam().sigma);
  EXPECT_EQ(offsets.c.raw(), GetParam().c);
  EXPECT_EQ(offsets.d.raw(), GetParam().d);
  EXPECT_EQ(structural_index(offsets), GetParam().index);
  EXPECT_EQ(degrees_of_freedom(offsets), GetParam().dof);
}

// y1', y2' coupled by a capacitor, and so on; functions of y2 - y3 and y5 - y6. Columns y1 .. y8.
SignatureMatrix transistor_amplifier() {
  return draw({"1 1 - - - - - -", "1 1 0 - - - - -", "- 0 1 - - - - -", "- 0 0 1 1 - - -",
               "- - - 1 1 0 - -", "- - - - 0 1 - -", "- - - - 0 0 1 1", "- - - - - - 1 1"});
}

// After adding equations 1 to 2, 4 to 5 and 7 to 8 the capacitor currents cancel there.
SignatureMatrix transistor_amplifier_with_row_sums() {
  return draw({"1 1 - - - - - -", "0 0 0 - - - - -", "- 0 1 - - - - -", "- 0 0 1 1 - - -",
               "- 0 0 0 0 0 - -", "- - - - 0 1 - -", "- - - - 0 0 1 1", "- - - - 0 0 0 0"});
}

// The ring modulator without the capacitors C_s (IVP test set; equations 3 to 6 are algebraic).
SignatureMatrix ring_modulator() {
  return draw({"1 - - - - - - 0 - 0 0 - - 0 -", "- 1 - - - - - - 0 - - 0 0 - 0",
               "- - 0 - 0 0 0 - - 0 - - - - -", "- - - 0 0 0 0 - - - 0 - - - -",
               "- - 0 0 0 - 0 - - - - 0 - - -", "- - 0 0 - 0 0 - - - - - 0 - -",
               "- - 0 0 0 0 1 - - - - - - - -", "0 - - - - - - 1 - - - - - - -",
               "- 0 - - - - - - 1 - - - - - -", "0 - 0 - - - - - - 1 - - - - -",
               "0 - - 0 - - - - - - 1 - - - -", "- 0 - - 0 - - - - - - 1 - - -",
               "- 0 - - - 0 - - - - - - 1 - -", "0 - - - - - - - - - - - - 1 -",
               "- 0 - - - - - - - - - - - - 1"});
}

// Equation 3 replaced by 3 - 4 + 5 - 6: the diode currents cancel and y10 + y11 + y12 + y13 = 0
// stays.
SignatureMatrix ring_modulator_with_row_sum() {
  std::vector<SignatureEntry> entries;
  const SignatureMatrix sigma = ring_modulator();
  for (EqId eq : ids<EqId>(15)) {
    for (const auto& entry : sigma.row(eq)) {
      if (eq != EqId(2)) entries.push_back({eq, entry.var, entry.order});
    }
  }
  for (std::size_t j : {9, 10, 11, 12}) entries.push_back({EqId(2), VarId(j), 0});
  return SignatureMatrix(15, 15, entries);
}

// Campbell & Griepentrog; columns x1, x2, x3, u1, u2.
SignatureMatrix robot_arm() {
  return draw({"2 0 1 0 0", "1 2 1 0 0", "1 0 2 0 0", "0 - 0 - -", "0 - 0 - -"});
}

// With w = u1 - u2 in the equations of x1 and x3; columns x1, x2, x3, w, u2.
SignatureMatrix robot_arm_with_difference() {
  return draw({"2 0 1 0 -", "1 2 1 0 0", "1 0 2 0 -", "0 - 0 - -", "0 - 0 - -"});
}

// E x' + x = a with rows 2b - 1, 2b of E equal to e_2b + e_(2b+1), last row 0; n = 2k + 1.
SignatureMatrix reissig_martinson_barton(std::size_t k) {
  std::vector<SignatureEntry> entries;
  for (std::size_t i = 0; i < 2 * k + 1; ++i) entries.push_back({EqId(i), VarId(i), 0});
  for (std::size_t b = 1; b <= k; ++b) {
    for (std::size_t eq : {2 * b - 2, 2 * b - 1}) {
      for (std::size_t var : {2 * b - 1, 2 * b}) entries.push_back({EqId(eq), VarId(var), 1});
    }
  }
  return SignatureMatrix(2 * k + 1, 2 * k + 1, entries);
}

const std::vector<int> kZeros8(8, 0);
const std::vector<int> kOnes8(8, 1);
const std::vector<int> kRingD = {1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1};

// Structural results as published, wrong or right numerically: the analysis sees only the
// structure.
INSTANTIATE_TEST_SUITE_P(
    Structure, PublishedOffsets,
    ::testing::Values(
        PublishedCase{"pendulum", pendulum(), {0, 0, 2}, {2, 2, 0}, 3, 2},
        // x' + t y' = g1, x + t y = g2
        PublishedCase{"brenan_campbell_petzold", draw({"1 1", "0 0"}), {0, 1}, {1, 1}, 1, 1},
        // after f1 - f2': y = g2' - g1
        PublishedCase{"brenan_campbell_petzold_fixed", draw({"- 0", "0 0"}), {0, 0}, {0, 0}, 1, 0},
        PublishedCase{"scholz_steinbrecher",
                      draw({"1 - 0 -", "- 1 - 0", "- 0 0 0", "0 - 0 0"}),
                      {0, 0, 0, 0},
                      {1, 1, 0, 0},
                      1,
                      2},
        // f4 - f3 = -x1 - x2, then f3 + f4' - f1 - f2 = x2
        PublishedCase{"scholz_steinbrecher_fixed",
                      draw({"1 - 0 -", "- 1 - 0", "- 0 - -", "0 0 - -"}),
                      {0, 0, 1, 1},
                      {1, 1, 0, 0},
                      2,
                      0},
        // x1 + exp(-x1' - x2 x2'') + g1 = 0, x1 + x2 x2' + x2^2 + g2 = 0
        PublishedCase{"tan_et_al", draw({"1 2", "0 1"}), {0, 1}, {1, 2}, 1, 2},
        PublishedCase{"tan_et_al_fixed", draw({"1 1", "0 0"}), {0, 1}, {1, 1}, 1, 1},
        PublishedCase{"transistor_amplifier", transistor_amplifier(), kZeros8, kOnes8, 0, 8},
        PublishedCase{"transistor_amplifier_fixed",
                      transistor_amplifier_with_row_sums(),
                      {0, 1, 0, 0, 1, 0, 0, 1},
                      kOnes8,
                      1,
                      5},
        PublishedCase{"ring_modulator", ring_modulator(), std::vector<int>(15, 0), kRingD, 1, 11},
        PublishedCase{"ring_modulator_fixed",
                      ring_modulator_with_row_sum(),
                      {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                      kRingD,
                      2,
                      10},
        PublishedCase{"robot_arm", robot_arm(), {0, 0, 0, 2, 2}, {2, 2, 2, 0, 0}, 3, 2},
        PublishedCase{
            "robot_arm_fixed", robot_arm_with_difference(), {2, 0, 2, 4, 4}, {4, 2, 4, 2, 0}, 5, 0},
        PublishedCase{"modified_two_pendula",
                      modified_two_pendula(),
                      {4, 4, 6, 0, 0, 2},
                      {6, 6, 4, 2, 3, 0},
                      7,
                      5}),
    [](const auto& test) { return test.param.name; });

// Reissig, Martinson & Barton 2000: differentiation index 1, structural index k + 1.
TEST(Offsets, overestimate_the_index_of_reissig_martinson_and_barton) {
  for (int k : {1, 2, 3, 10}) {
    const Offsets offsets = offsets_of(reissig_martinson_barton(static_cast<std::size_t>(k)));
    EXPECT_EQ(structural_index(offsets), k + 1);
    EXPECT_EQ(degrees_of_freedom(offsets), k);
  }
}

}  // namespace
}  // namespace hydae::structure

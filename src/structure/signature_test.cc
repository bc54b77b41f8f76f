#include "structure/signature.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include <hydae/error.h>

#include "structure/example_systems_testing.h"

namespace hydae::structure {
namespace {

using ::testing::ElementsAre;
using InRow = SignatureMatrix::InRow;
using InColumn = SignatureMatrix::InColumn;

TEST(SignatureMatrix, sorts_entries_and_keeps_the_highest_order_of_duplicates) {
  const std::array<SignatureEntry, 5> entries = {{{EqId(1), VarId(2), 0},
                                                  {EqId(0), VarId(1), 1},
                                                  {EqId(1), VarId(2), 3},
                                                  {EqId(1), VarId(0), 0},
                                                  {EqId(1), VarId(2), 2}}};
  const SignatureMatrix sigma(2, 3, entries);
  EXPECT_EQ(sigma.num_entries(), 3u);
  EXPECT_FALSE(sigma.is_square());
  EXPECT_THAT(sigma.row(EqId(0)), ElementsAre(InRow{VarId(1), 1}));
  EXPECT_THAT(sigma.row(EqId(1)), ElementsAre(InRow{VarId(0), 0}, InRow{VarId(2), 3}));
  EXPECT_THAT(sigma.column(VarId(2)), ElementsAre(InColumn{EqId(1), 3}));
  EXPECT_EQ(sigma.find_order(EqId(1), VarId(2)), 3);
  EXPECT_EQ(sigma.find_order(EqId(1), VarId(1)), std::nullopt);
}

TEST(SignatureMatrix, may_be_empty_or_have_empty_rows_and_columns) {
  const SignatureMatrix none;
  EXPECT_EQ(none.num_eqs(), 0u);
  EXPECT_TRUE(none.is_square());
  const SignatureMatrix blank(2, 3, {});
  EXPECT_TRUE(blank.row(EqId(1)).empty());
  EXPECT_TRUE(blank.column(VarId(2)).empty());
}

TEST(SignatureMatrix, rejects_entries_that_cannot_be) {
  const SignatureEntry outside{EqId(2), VarId(0), 0};
  const SignatureEntry negative{EqId(0), VarId(0), -1};
  const SignatureEntry huge{EqId(0), VarId(0), SignatureMatrix::kMaxOrderSum + 1};
  for (const SignatureEntry& entry : {outside, negative, huge}) {
    EXPECT_THROW(SignatureMatrix(2, 2, std::span(&entry, 1)), UsageError);
  }
}

TEST(SignatureMatrix, submatrix_with_all_ids_is_a_permuted_copy) {
  const SignatureMatrix sigma = pendulum();
  const std::array<EqId, 3> eqs = {EqId(2), EqId(0), EqId(1)};
  const std::array<VarId, 3> vars = {VarId(1), VarId(2), VarId(0)};
  EXPECT_EQ(sigma.submatrix(eqs, vars), draw({"0 - 0", "- 0 2", "2 0 -"}));
}

TEST(SignatureMatrix, submatrix_and_transposed_agree_with_single_entries) {
  std::mt19937 rng(1);
  const SignatureMatrix sigma = random_system({6, 9, 0.4, 3}, rng);
  const SignatureMatrix flipped = sigma.transposed();
  const std::vector<EqId> eqs = random_order<EqId>(6, rng);
  const std::vector<VarId> vars = random_order<VarId>(9, rng);
  const auto some_eqs = std::span(eqs).first(4);
  const auto some_vars = std::span(vars).first(5);
  const SignatureMatrix part = sigma.submatrix(some_eqs, some_vars);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      const auto order = sigma.find_order(eqs[i], vars[j]);
      EXPECT_EQ(part.find_order(EqId(i), VarId(j)), order);
      EXPECT_EQ(flipped.find_order(EqId(vars[j].index()), VarId(eqs[i].index())), order);
    }
  }
}

TEST(SignatureMatrix, filtered_keeps_the_shape) {
  const SignatureMatrix second_order =
      pendulum().filtered([](EqId, const InRow& entry) { return entry.order == 2; });
  EXPECT_EQ(second_order, draw({"2 - -", "- 2 -", "- - -"}));
}

TEST(SignatureBuilder, builds_row_by_row) {
  SignatureBuilder builder(3);
  const std::array<InRow, 2> f = {{{VarId(0), 2}, {VarId(2), 0}}};
  const std::array<InRow, 2> g = {{{VarId(1), 2}, {VarId(2), 0}}};
  const std::array<InRow, 3> h = {{{VarId(1), 0}, {VarId(0), 0}, {VarId(0), 0}}};
  EXPECT_EQ(builder.add_equation(f), EqId(0));
  EXPECT_EQ(builder.add_equation(g), EqId(1));
  EXPECT_EQ(builder.add_equation(h), EqId(2));
  EXPECT_EQ(builder.build(), pendulum());
}

}  // namespace
}  // namespace hydae::structure

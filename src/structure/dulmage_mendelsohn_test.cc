#include "structure/dulmage_mendelsohn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "structure/brute_force_testing.h"
#include "structure/example_systems_testing.h"

namespace hydae::structure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Definition: the over-determined equations are those that some maximum matching leaves free, and
// their variables; the under-determined variables are those that some maximum matching leaves free,
// and their equations. A row can be left free exactly if removing it costs nothing.
DulmageMendelsohn by_definition(const SignatureMatrix& pattern) {
  const std::uint32_t rows = (1u << pattern.num_eqs()) - 1;
  const std::uint32_t cols = (1u << pattern.num_vars()) - 1;
  const int best = brute_force::matching_size(pattern, rows, cols);
  std::uint32_t over_cols = 0;
  std::uint32_t under_cols = 0;
  DulmageMendelsohn parts;
  for (VarId var : ids<VarId>(pattern.num_vars())) {
    const std::uint32_t others = cols & ~(1u << var.index());
    if (brute_force::matching_size(pattern, rows, others) != best) continue;
    under_cols |= 1u << var.index();
    parts.under.vars.push_back(var);
  }
  for (EqId eq : ids<EqId>(pattern.num_eqs())) {
    const std::uint32_t others = rows & ~(1u << eq.index());
    if (brute_force::matching_size(pattern, others, cols) == best) {
      over_cols |= brute_force::columns(pattern, eq);
      parts.over.eqs.push_back(eq);
    } else {
      const bool is_under = brute_force::columns(pattern, eq) & under_cols;
      (is_under ? parts.under : parts.well).eqs.push_back(eq);
    }
  }
  for (VarId var : ids<VarId>(pattern.num_vars())) {
    const std::uint32_t bit = 1u << var.index();
    if (over_cols & bit) parts.over.vars.push_back(var);
    if (!((over_cols | under_cols) & bit)) parts.well.vars.push_back(var);
  }
  return parts;
}

TEST(DulmageMendelsohn, satisfies_the_definition_on_random_patterns) {
  std::mt19937 rng(13);
  std::uniform_int_distribution<std::size_t> size(0, 7);
  for (int trial = 0; trial < 400; ++trial) {
    const SignatureMatrix pattern =
        random_system({size(rng), size(rng), 0.1 + 0.04 * (trial % 10), 0}, rng);
    const DulmageMendelsohn parts = compute_dulmage_mendelsohn(pattern);
    const DulmageMendelsohn expected = by_definition(pattern);
    EXPECT_EQ(parts.under, expected.under);
    EXPECT_EQ(parts.well, expected.well);
    EXPECT_EQ(parts.over, expected.over);
    EXPECT_EQ(parts.well.eqs.size(), parts.well.vars.size());
  }
}

// Three equations for two variables, one equation for two variables, one for one.
TEST(DulmageMendelsohn, finds_all_three_parts) {
  const DulmageMendelsohn parts = compute_dulmage_mendelsohn(
      draw({"0 0 - - -", "0 - - - -", "- 0 - - -", "- - 0 0 -", "- 0 0 - 0", "- - - - 0"}));
  // Rows 0-2 fight for columns 0, 1. Row 5 takes column 4; rows 3, 4 take 2, 3.
  EXPECT_THAT(parts.over.eqs, ElementsAre(EqId(0), EqId(1), EqId(2)));
  EXPECT_THAT(parts.over.vars, ElementsAre(VarId(0), VarId(1)));
  EXPECT_THAT(parts.under.vars, IsEmpty());
  EXPECT_THAT(parts.well.eqs, ElementsAre(EqId(3), EqId(4), EqId(5)));
  EXPECT_FALSE(parts.is_well_determined());
}

TEST(DulmageMendelsohn, puts_empty_rows_and_columns_where_they_belong) {
  const DulmageMendelsohn parts = compute_dulmage_mendelsohn(draw({"- - -", "0 - -"}));
  EXPECT_THAT(parts.over.eqs, ElementsAre(EqId(0)));
  EXPECT_THAT(parts.over.vars, IsEmpty());
  EXPECT_THAT(parts.well.eqs, ElementsAre(EqId(1)));
  EXPECT_THAT(parts.under.vars, ElementsAre(VarId(1), VarId(2)));
}

TEST(DulmageMendelsohn, accepts_well_determined_systems) {
  EXPECT_TRUE(compute_dulmage_mendelsohn(pendulum()).is_well_determined());
  EXPECT_TRUE(compute_dulmage_mendelsohn(SignatureMatrix()).is_well_determined());
}

TEST(DulmageMendelsohn, does_not_depend_on_the_order_of_equations_and_variables) {
  std::mt19937 rng(14);
  for (int trial = 0; trial < 50; ++trial) {
    const SignatureMatrix pattern = random_system({30, 30, 0.06, 0}, rng);
    const auto eqs = random_order<EqId>(30, rng);
    const auto vars = random_order<VarId>(30, rng);
    const DulmageMendelsohn parts = compute_dulmage_mendelsohn(pattern);
    SystemPart over = compute_dulmage_mendelsohn(pattern.submatrix(eqs, vars)).over;
    for (EqId& eq : over.eqs) eq = eqs[eq.index()];
    for (VarId& var : over.vars) var = vars[var.index()];
    EXPECT_THAT(over.eqs, ::testing::UnorderedElementsAreArray(parts.over.eqs));
    EXPECT_THAT(over.vars, ::testing::UnorderedElementsAreArray(parts.over.vars));
  }
}

}  // namespace
}  // namespace hydae::structure

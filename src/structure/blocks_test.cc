#include "structure/blocks.h"

#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <set>

#include "structure/analysis.h"
#include "structure/brute_force_testing.h"
#include "structure/example_systems_testing.h"

namespace hydae::structure {
namespace {

using ::testing::ElementsAre;

// By definition: blocks of equal numbers of equations and variables, perfectly matched; no variable
// of a later block in an equation.
void expect_triangular(const SignatureMatrix& pattern, const Blocks& blocks) {
  std::size_t count = 0;
  for (BlockId block : ids<BlockId>(blocks.size())) {
    ASSERT_EQ(blocks.eqs(block).size(), blocks.vars(block).size());
    ASSERT_FALSE(blocks.eqs(block).empty());
    count += blocks.eqs(block).size();
    EXPECT_TRUE(compute_maximum_matching(pattern.submatrix(blocks.eqs(block), blocks.vars(block)))
                    .is_perfect());
    for (EqId eq : blocks.eqs(block)) {
      EXPECT_EQ(blocks.block_of(eq), block);
      for (const auto& entry : pattern.row(eq)) EXPECT_LE(blocks.block_of(entry.var), block);
    }
    for (VarId var : blocks.vars(block)) EXPECT_EQ(blocks.block_of(var), block);
  }
  EXPECT_EQ(count, pattern.num_eqs());
}

// A perfectly matched block can be split exactly if some proper set of k of its equations contains
// only k of its variables.
bool is_irreducible(const SignatureMatrix& block) {
  const std::uint32_t all = (1u << block.num_eqs()) - 1;
  for (std::uint32_t set = 1; set < all; ++set) {
    std::uint32_t seen = 0;
    for (EqId eq : ids<EqId>(block.num_eqs())) {
      if (set >> eq.index() & 1u) seen |= brute_force::columns(block, eq);
    }
    if (std::popcount(seen) == std::popcount(set)) return false;
  }
  return true;
}

void expect_irreducible(const SignatureMatrix& pattern, const Blocks& blocks) {
  for (BlockId block : ids<BlockId>(blocks.size())) {
    EXPECT_TRUE(is_irreducible(pattern.submatrix(blocks.eqs(block), blocks.vars(block))));
  }
}

// The DAESA user guide prints pe = 5 4 6 3 2 1, pv = 5 6 4 1 2 3 with coarse blocks from 1, 4, 7
// and fine ones from 1, 2, 3, 4, 7; 1-based, and the other way round: its first block is solved
// last.
TEST(Blocks, of_the_modified_two_pendula) {
  const Analysis analysis = analyze(modified_two_pendula());
  ASSERT_EQ(analysis.coarse.size(), 2u);
  EXPECT_THAT(analysis.coarse.eqs(BlockId(0)), ElementsAre(EqId(0), EqId(1), EqId(2)));
  EXPECT_THAT(analysis.coarse.vars(BlockId(0)), ElementsAre(VarId(0), VarId(1), VarId(2)));
  EXPECT_THAT(analysis.coarse.eqs(BlockId(1)), ElementsAre(EqId(3), EqId(4), EqId(5)));
  EXPECT_THAT(analysis.coarse.vars(BlockId(1)), ElementsAre(VarId(3), VarId(4), VarId(5)));

  ASSERT_EQ(analysis.fine.size(), 4u);
  EXPECT_EQ(analysis.fine.largest(), 3u);
  EXPECT_THAT(analysis.fine.eqs(),
              ElementsAre(EqId(0), EqId(1), EqId(2), EqId(5), EqId(3), EqId(4)));
  EXPECT_THAT(analysis.fine.vars(),
              ElementsAre(VarId(0), VarId(1), VarId(2), VarId(3), VarId(5), VarId(4)));
  EXPECT_THAT(analysis.local.c, ElementsAre(0, 0, 2, 0, 0, 0));
  EXPECT_THAT(analysis.local.d, ElementsAre(2, 2, 0, 0, 3, 0));
}

TEST(Blocks, of_chained_pendula_are_the_pendula_in_their_order) {
  const Analysis analysis = analyze(pendulum_chain(5));
  ASSERT_EQ(analysis.coarse.size(), 5u);
  EXPECT_EQ(analysis.coarse, analysis.fine);
  for (std::size_t p = 0; p < 5; ++p) {
    EXPECT_THAT(analysis.fine.eqs(BlockId(p)),
                ElementsAre(EqId(3 * p), EqId(3 * p + 1), EqId(3 * p + 2)));
    EXPECT_EQ(analysis.local.c[EqId(3 * p + 2)], 2);
    EXPECT_EQ(analysis.local.d[VarId(3 * p + 2)], 0);
  }
}

// Free blocks come in the order of their smallest equation, needs first: equation 2 has no needs,
// 0 needs 3 (variable 0 of equation 3), 1 has none, 3 needs 2.
TEST(Blocks, are_ordered_by_need_then_by_smallest_equation) {
  const SignatureMatrix pattern = draw({"0 0 - -", "- - 0 -", "- - - 0", "0 - - 0"});
  const auto blocks = find_block_triangular_form(pattern);
  ASSERT_TRUE(blocks);
  EXPECT_THAT(blocks->eqs(), ElementsAre(EqId(1), EqId(2), EqId(3), EqId(0)));
  EXPECT_THAT(blocks->vars(), ElementsAre(VarId(2), VarId(3), VarId(0), VarId(1)));
}

TEST(Blocks, satisfy_the_definition_on_random_systems) {
  std::mt19937 rng(8);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = static_cast<std::size_t>(trial % 9) + 1;
    const SignatureMatrix sigma = random_sparse_system(n, trial % 3, 2, rng);
    const Analysis analysis = analyze(sigma);
    ASSERT_TRUE(analysis.is_well_posed);
    const SignatureMatrix tight = compute_tight_entries(sigma, analysis.offsets);
    expect_triangular(sigma, analysis.coarse);
    expect_irreducible(sigma, analysis.coarse);
    expect_triangular(tight, analysis.fine);
    expect_irreducible(tight, analysis.fine);
    // Fine blocks inside coarse ones, in their order.
    for (std::size_t k = 0; k + 1 < n; ++k) {
      EXPECT_LE(analysis.coarse.block_of(analysis.fine.eqs()[k]),
                analysis.coarse.block_of(analysis.fine.eqs()[k + 1]));
    }
  }
}

TEST(Blocks, local_offsets_are_canonical_for_each_fine_block_alone) {
  std::mt19937 rng(9);
  for (int trial = 0; trial < 200; ++trial) {
    const SignatureMatrix sigma = random_sparse_system(8, 2, 3, rng);
    const Analysis analysis = analyze(sigma);
    for (BlockId block : ids<BlockId>(analysis.fine.size())) {
      const auto eqs = analysis.fine.eqs(block);
      const auto vars = analysis.fine.vars(block);
      const SignatureMatrix alone = sigma.submatrix(eqs, vars);
      const auto transversal = find_highest_value_transversal(alone);
      ASSERT_TRUE(transversal);
      const Offsets offsets = compute_canonical_offsets(alone, *transversal);
      for (std::size_t k = 0; k < eqs.size(); ++k) {
        EXPECT_EQ(analysis.local.c[eqs[k]], offsets.c[EqId(k)]);
        EXPECT_EQ(analysis.local.d[vars[k]], offsets.d[VarId(k)]);
      }
    }
  }
}

using BlockSet = std::set<std::pair<std::set<EqId>, std::set<VarId>>>;

// The blocks as sets, in the numbers of the system that `eqs`, `vars` permuted.
BlockSet as_sets(const Blocks& blocks, const std::vector<EqId>& eqs,
                 const std::vector<VarId>& vars) {
  BlockSet sets;
  for (BlockId block : ids<BlockId>(blocks.size())) {
    std::pair<std::set<EqId>, std::set<VarId>> set;
    for (EqId eq : blocks.eqs(block)) set.first.insert(eqs[eq.index()]);
    for (VarId var : blocks.vars(block)) set.second.insert(vars[var.index()]);
    sets.insert(set);
  }
  return sets;
}

std::vector<EqId> identity_eqs(std::size_t n) {
  std::vector<EqId> eqs;
  for (EqId eq : ids<EqId>(n)) eqs.push_back(eq);
  return eqs;
}

std::vector<VarId> identity_vars(std::size_t n) {
  std::vector<VarId> vars;
  for (VarId var : ids<VarId>(n)) vars.push_back(var);
  return vars;
}

TEST(Blocks, are_the_same_sets_when_equations_and_variables_are_permuted) {
  std::mt19937 rng(10);
  const std::size_t n = 30;
  for (int trial = 0; trial < 50; ++trial) {
    const SignatureMatrix sigma = random_sparse_system(n, 1, 2, rng);
    const auto eqs = random_order<EqId>(n, rng);
    const auto vars = random_order<VarId>(n, rng);
    const Analysis analysis = analyze(sigma);
    const Analysis permuted = analyze(sigma.submatrix(eqs, vars));
    const auto all_eqs = identity_eqs(n);
    const auto all_vars = identity_vars(n);
    EXPECT_EQ(as_sets(analysis.coarse, all_eqs, all_vars), as_sets(permuted.coarse, eqs, vars));
    EXPECT_EQ(as_sets(analysis.fine, all_eqs, all_vars), as_sets(permuted.fine, eqs, vars));
  }
}

// Permuting only the variables leaves all equation numbers, so even the order must stay.
TEST(Blocks, keep_their_order_when_only_variables_are_permuted) {
  std::mt19937 rng(11);
  const std::size_t n = 30;
  for (int trial = 0; trial < 50; ++trial) {
    const SignatureMatrix sigma = random_sparse_system(n, 1, 2, rng);
    const SignatureMatrix permuted = sigma.submatrix(identity_eqs(n), random_order<VarId>(n, rng));
    EXPECT_THAT(analyze(permuted).fine.eqs(),
                ::testing::ElementsAreArray(analyze(sigma).fine.eqs()));
  }
}

TEST(Analysis, after_a_change_equals_a_new_one) {
  std::mt19937 rng(12);
  const std::size_t n = 20;
  for (int trial = 0; trial < 100; ++trial) {
    const SignatureMatrix before = random_sparse_system(n, 2, 2, rng);
    std::vector<SignatureEntry> entries;
    const EqId changed(static_cast<std::size_t>(trial) % n);
    for (EqId eq : ids<EqId>(n)) {
      for (const auto& entry : before.row(eq)) {
        if (eq != changed) entries.push_back({eq, entry.var, entry.order});
      }
    }
    std::uniform_int_distribution<std::size_t> column(0, n - 1);
    for (int k = 0; k < 3; ++k) entries.push_back({changed, VarId(column(rng)), k});
    const SignatureMatrix after(n, n, entries);
    const Analysis fresh = analyze(after);
    const Analysis repaired = analyze_after_change(after, analyze(before), std::array{changed});
    ASSERT_EQ(repaired.is_well_posed, fresh.is_well_posed);
    EXPECT_EQ(repaired.diagnosis.over, fresh.diagnosis.over);
    EXPECT_EQ(repaired.offsets, fresh.offsets);
    EXPECT_EQ(repaired.coarse, fresh.coarse);
    EXPECT_EQ(repaired.fine, fresh.fine);
  }
}

TEST(Analysis, of_a_singular_system_is_a_diagnosis_only) {
  const Analysis analysis = analyze(draw({"1 -", "0 -"}));
  EXPECT_FALSE(analysis.is_well_posed);
  EXPECT_THAT(analysis.diagnosis.under.vars, ElementsAre(VarId(1)));
  EXPECT_THAT(analysis.diagnosis.over.eqs, ElementsAre(EqId(0), EqId(1)));
}

TEST(Analysis, of_10000_chained_pendula_is_quick) {
  const Analysis analysis = analyze(pendulum_chain(10000));
  EXPECT_EQ(analysis.index, 20001);
  EXPECT_EQ(analysis.dof, 20000);
  EXPECT_EQ(analysis.fine.size(), 10000u);
}

}  // namespace
}  // namespace hydae::structure

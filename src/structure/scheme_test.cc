#include "structure/scheme.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <string>

#include "structure/example_systems_testing.h"

namespace hydae::structure {
namespace {

using ::testing::ElementsAre;

IdVector<EqId, bool> flags(std::vector<bool> items) {
  return IdVector<EqId, bool>(std::move(items));
}

// Nonlinear in their leading derivatives: f3 = x^2 + y^2 - L^2 in x, y; f5 in v''' (squared); f6 =
// u^2 + ... in u. The others are linear.
SolutionScheme modified_two_pendula_scheme() {
  return SolutionScheme(analyze(modified_two_pendula()),
                        flags({false, false, true, false, true, true}));
}

std::string render(const BlockStage& stage, const std::vector<std::string>& names) {
  std::string text = stage.is_linear ? "[" : "~[";
  for (const EqOrder& eq : stage.eqs) {
    if (text.back() != '[') text += ' ';
    text += "f" + std::to_string(eq.eq.index() + 1) + std::string(eq.order, '\'');
  }
  text += "]:";
  for (const VarOrder& var : stage.unknowns) {
    text += " " + names[var.var.index()] + std::string(var.order, '\'');
  }
  return text;
}

std::vector<std::string> render(const SolutionScheme& scheme, int k) {
  const std::vector<std::string> names = {"x", "y", "lam", "u", "v", "mu"};
  std::vector<std::string> lines;
  for (const BlockStage& stage : scheme.stage(k)) lines.push_back(render(stage, names));
  return lines;
}

// The solution scheme printed by DAESA for modified2pendula; ~ marks a nonlinear system. At k = -1
// and 0 the first block goes on in the same way.
TEST(SolutionScheme, of_the_modified_two_pendula_is_the_published_one) {
  const SolutionScheme scheme = modified_two_pendula_scheme();
  EXPECT_EQ(scheme.first_stage(), -6);
  EXPECT_THAT(render(scheme, -7), ElementsAre());
  EXPECT_THAT(render(scheme, -6), ElementsAre("~[f3]: x y"));
  EXPECT_THAT(render(scheme, -5), ElementsAre("[f3']: x' y'"));
  EXPECT_THAT(render(scheme, -4), ElementsAre("[f1 f2 f3'']: x'' y'' lam"));
  EXPECT_THAT(render(scheme, -3), ElementsAre("[f1' f2' f3''']: x''' y''' lam'", "[]: v"));
  EXPECT_THAT(render(scheme, -2),
              ElementsAre("[f1'' f2'' f3'''']: x'''' y'''' lam''", "~[f6]: u", "[]: v'"));
  EXPECT_THAT(render(scheme, -1),
              ElementsAre("[f1''' f2''' f3''''']: x''''' y''''' lam'''", "[f6']: u'", "[]: v''"));
  EXPECT_THAT(render(scheme, 0), ElementsAre("[f1'''' f2'''' f3'''''']: x'''''' y'''''' lam''''",
                                             "[f6'']: u''", "[f4]: mu", "~[f5]: v'''"));
  EXPECT_THAT(render(scheme, 1).back(), "[f5']: v''''");
}

// x, x', y, y', u, v, v', v'', v''': 9 values where the global rule asks for 27.
TEST(SolutionScheme, of_the_modified_two_pendula_needs_9_initial_values) {
  const SolutionScheme scheme = modified_two_pendula_scheme();
  std::vector<int> values;
  std::vector<int> constraints;
  for (VarId var : ids<VarId>(6)) values.push_back(scheme.num_initial_values(var));
  for (EqId eq : ids<EqId>(6)) constraints.push_back(scheme.num_constraints(eq));
  EXPECT_THAT(values, ElementsAre(2, 2, 0, 1, 4, 0));
  EXPECT_THAT(constraints, ElementsAre(4, 4, 6, 0, 1, 3));
  EXPECT_TRUE(scheme.is_quasilinear(BlockId(0)));   // f1, f2, f3
  EXPECT_FALSE(scheme.is_quasilinear(BlockId(1)));  // f6
  EXPECT_TRUE(scheme.is_quasilinear(BlockId(2)));   // f4
  EXPECT_FALSE(scheme.is_quasilinear(BlockId(3)));  // f5
}

// Nedialkov & Ramdani 2009, 2.2: x, x', y, y' must satisfy h = 0 and h' = 0.
TEST(SolutionScheme, of_the_pendulum) {
  const SolutionScheme scheme(analyze(pendulum()), flags({false, false, true}));
  EXPECT_EQ(scheme.num_initial_values(VarId(0)), 2);
  EXPECT_EQ(scheme.num_initial_values(VarId(2)), 0);
  EXPECT_EQ(scheme.num_constraints(EqId(0)), 0);
  EXPECT_EQ(scheme.num_constraints(EqId(2)), 2);
}

TEST(SolutionScheme, of_an_empty_system_has_no_stages) {
  const SolutionScheme scheme(analyze(SignatureMatrix()), flags({}));
  EXPECT_EQ(scheme.first_stage(), 0);
  EXPECT_TRUE(scheme.stage(0).empty());
}

// Unknowns minus equations, summed over the stages below 0, are the degrees of freedom; from 0 on
// all blocks are square.
TEST(SolutionScheme, leaves_as_many_values_free_as_there_are_degrees_of_freedom) {
  std::mt19937 rng(15);
  for (int trial = 0; trial < 100; ++trial) {
    const Analysis analysis = analyze(random_sparse_system(12, 2, 3, rng));
    const SolutionScheme scheme(analysis, IdVector<EqId, bool>(12, trial % 2 == 0));
    std::int64_t free = 0;
    for (int k = scheme.first_stage(); k < 0; ++k) {
      for (const BlockStage& stage : scheme.stage(k)) {
        ASSERT_GE(stage.unknowns.size(), stage.eqs.size());
        free += static_cast<std::int64_t>(stage.unknowns.size() - stage.eqs.size());
      }
    }
    EXPECT_EQ(free, analysis.dof);
    for (int k : {0, 3}) {
      std::size_t count = 0;
      for (const BlockStage& stage : scheme.stage(k)) {
        EXPECT_TRUE(stage.is_square());
        EXPECT_TRUE(k == 0 || stage.is_linear);
        count += stage.unknowns.size();
      }
      EXPECT_EQ(count, 12u);
    }
  }
}

}  // namespace
}  // namespace hydae::structure

// What the analysis says about published problems: offsets, index and degrees of freedom as they
// are written, singular system Jacobians recognised, and the truth after repair.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <hydae/analyze.h>
#include <hydae/problems.h>

namespace hydae {
namespace {

using ::testing::ElementsAre;
using Status = JacobianCheck::Status;

class StructureTest : public ::testing::TestWithParam<const Problem*> {};

TEST_P(StructureTest, is_as_published) {
  const Problem& problem = *GetParam();
  const KnownStructure& known = problem.structure();
  AnalyzeOptions as_written;
  as_written.repair = false;
  const Analysis raw = analyze(problem.make_model(), as_written);
  ASSERT_TRUE(raw.well_posed);
  if (!known.c.empty()) {
    EXPECT_EQ(raw.c, known.c);
  }
  if (!known.d.empty()) {
    EXPECT_EQ(raw.d, known.d);
  }
  if (known.index) {
    EXPECT_EQ(raw.index, *known.index);
  }
  if (known.dof) {
    EXPECT_EQ(raw.degrees_of_freedom, *known.dof);
  }
  EXPECT_EQ(raw.jacobian.status, known.is_singular ? Status::kSingular : Status::kRegular);
}

TEST_P(StructureTest, is_right_after_repair) {
  const Problem& problem = *GetParam();
  const KnownStructure& known = problem.structure();
  if (!known.is_singular) return;
  const Analysis repaired = analyze(problem.make_model());
  EXPECT_TRUE(repaired.succeeded());
  EXPECT_FALSE(repaired.repairs.empty());
  if (known.true_dof) {
    EXPECT_EQ(repaired.degrees_of_freedom, *known.true_dof);
  }
}

std::vector<const Problem*> smooth_problems() {
  std::vector<const Problem*> list;
  for (const Problem* problem : all_problems())
    if (problem->kind() == ProblemKind::kOde || problem->kind() == ProblemKind::kDae)
      list.push_back(problem);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Problems, StructureTest, ::testing::ValuesIn(smooth_problems()),
                         [](const auto& instance) {
                           std::string name = instance.param->full_name();
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

// Figure 2 of the paper: at the start the unsaturated equations contain qd' and make the analysis
// differentiate the prescribed path; saturated motors do not. Index 3 in both.
TEST(ParallelRobot, has_the_structures_of_both_modes) {
  const Model model = find_problem("parallel_robot")->make_model();
  AnalyzeOptions unsaturated, saturated;
  unsaturated.mode = {true, true, false, false, false, false};
  saturated.mode = {true, true, true, false, false, true};
  const Analysis first = analyze(model, unsaturated), second = analyze(model, saturated);
  EXPECT_EQ(first.index, 3);
  EXPECT_EQ(second.index, 3);
  // position 1, 2; path 1, 2; plate x, z; arm 1, 2; motor 1, 2; integral 1, 2
  EXPECT_THAT(first.c, ElementsAre(2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(second.c, ElementsAre(2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(ModifiedTwoPendula, needs_nine_initial_values_by_local_offsets) {
  const Analysis a = analyze(find_problem("modified2pendula")->make_model());
  EXPECT_THAT(a.c, ElementsAre(4, 4, 6, 0, 0, 2));
  EXPECT_THAT(a.d, ElementsAre(6, 6, 4, 2, 3, 0));
  EXPECT_EQ(a.index, 7);
  EXPECT_EQ(a.degrees_of_freedom, 5);
  std::vector<std::pair<std::string, std::size_t>> values;
  for (const InitialValue& value : a.initial_values)
    values.emplace_back(a.variables[static_cast<std::size_t>(value.variable)], value.orders.size());
  using Entry = std::pair<std::string, std::size_t>;
  EXPECT_THAT(values, ElementsAre(Entry("x", 2), Entry("y", 2), Entry("u", 1), Entry("v", 4)));
  // The stage table of the DAESA guide: ~[f3] at -6, [] : v at -3, ~[f6] : u at -2, ~[f5] : v''' at
  // 0.
  ASSERT_EQ(a.stages.size(), 7u);
  EXPECT_FALSE(a.stages[0].blocks[0].is_linear);
  EXPECT_TRUE(a.stages[1].blocks[0].is_linear);
  EXPECT_EQ(a.stages[3].blocks.size(), 2u);
  EXPECT_TRUE(a.stages[3].blocks[1].equations.empty());
  EXPECT_FALSE(a.stages[4].blocks[1].is_linear);
  EXPECT_EQ(a.stages[6].blocks.size(), 4u);
  EXPECT_FALSE(a.stages[6].blocks[3].is_linear);
}

}  // namespace
}  // namespace hydae

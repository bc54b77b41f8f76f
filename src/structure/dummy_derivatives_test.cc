#include "structure/dummy_derivatives.h"

#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <set>

#include <hydae/error.h>

#include "structure/brute_force_testing.h"
#include "structure/example_systems_testing.h"

namespace hydae::structure {
namespace {

using ::testing::ElementsAre;

StateSelection select(const SignatureMatrix& sigma, StatePreference preference = {}) {
  const Analysis analysis = analyze(sigma);
  return select_states(analysis, choose_by_structure(sigma, analysis, std::move(preference)));
}

// The constraint is differentiated twice: two dummies, y'' and y', leave the states x and x'
// (Broman, module B, part V, has the same choice).
TEST(DummyDerivatives, of_the_pendulum_leave_one_coordinate_and_its_velocity) {
  const StateSelection selection = select(pendulum());
  EXPECT_THAT(selection.states(), ElementsAre(VarOrder{VarId(0), 0}, VarOrder{VarId(0), 1}));
  EXPECT_THAT(selection.dummies(analyze(pendulum()).offsets),
              ElementsAre(VarOrder{VarId(1), 1}, VarOrder{VarId(1), 2}));
}

TEST(DummyDerivatives, respect_preferences) {
  const auto prefer_y = [](VarId var, int) { return var == VarId(1) ? 1 : 0; };
  EXPECT_THAT(select(pendulum(), prefer_y).num_states, ElementsAre(0, 2, 0));
  const auto avoid_x = [](VarId var, int) { return var == VarId(0) ? -1 : 0; };
  EXPECT_THAT(select(pendulum(), avoid_x).num_states, ElementsAre(0, 2, 0));
}

// A second dummy can only be a derivative of what became one a level above: preferring x' but not x
// is decided at the higher level.
TEST(DummyDerivatives, are_nested_over_the_levels) {
  const auto prefer_y_velocity = [](VarId var, int order) {
    return var == VarId(1) && order == 1 ? 1 : 0;
  };
  EXPECT_THAT(select(pendulum(), prefer_y_velocity).num_states, ElementsAre(0, 2, 0));
}

// A choice by numbers: at a point with x = 0 the derivative of the constraint, 2 x x'' + 2 y y'',
// leaves only y'' as dummy; at y = 0 only x''.
TEST(DummyDerivatives, may_be_chosen_by_the_caller) {
  const Analysis analysis = analyze(pendulum());
  std::vector<int> levels;
  const StateSelection selection = select_states(analysis, [&](const DummyChoice& choice) {
    levels.push_back(choice.level);
    EXPECT_THAT(choice.eqs, ElementsAre(EqId(2)));
    EXPECT_THAT(choice.candidates, ElementsAre(VarId(0), VarId(1), VarId(2)));
    return std::vector<VarId>{VarId(0)};
  });
  EXPECT_THAT(levels, ElementsAre(0));
  EXPECT_THAT(selection.num_states, ElementsAre(0, 2, 0));
}

TEST(DummyDerivatives, reject_an_impossible_choice) {
  const Analysis analysis = analyze(pendulum());
  EXPECT_THROW(select_states(analysis, [](const auto&) { return std::vector<VarId>(); }),
               InternalError);
}

// First block: x, y, lambda lose 4 derivatives each, then the pendulum's choice; u loses both; v
// and mu nothing. Together 5 states, the degrees of freedom.
TEST(DummyDerivatives, of_the_modified_two_pendula) {
  EXPECT_THAT(select(modified_two_pendula()).num_states, ElementsAre(2, 0, 0, 0, 3, 0));
}

// sum d derivatives, sum c dummies: sum d - sum c states.
TEST(DummyDerivatives, leave_as_many_states_as_there_are_degrees_of_freedom) {
  std::mt19937 rng(17);
  for (int trial = 0; trial < 200; ++trial) {
    const SignatureMatrix sigma = random_sparse_system(15, trial % 4, 3, rng);
    const Analysis analysis = analyze(sigma);
    const StateSelection selection = select(sigma);
    EXPECT_EQ(static_cast<std::int64_t>(selection.states().size()), analysis.dof);
    for (int states : selection.num_states) EXPECT_GE(states, 0);
  }
}

// At each level the chosen columns can be matched with the equations, and no other choice has a
// smaller sum of preferences: all subsets of candidates are tried.
TEST(DummyDerivatives, chosen_by_structure_are_the_least_wanted_of_all_possible) {
  std::mt19937 rng(18);
  std::uniform_int_distribution<int> preference(-2, 2);
  int choices = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const SignatureMatrix sigma = random_sparse_system(8, 4, 2, rng);
    const Analysis analysis = analyze(sigma);
    const SignatureMatrix tight = compute_tight_entries(sigma, analysis.offsets);
    std::vector<int> wanted(8);
    for (int& value : wanted) value = preference(rng);
    const auto structural =
        choose_by_structure(sigma, analysis, [&](VarId var, int) { return wanted[var.index()]; });
    select_states(analysis, [&](const DummyChoice& choice) {
      ++choices;
      const SignatureMatrix part = tight.submatrix(choice.eqs, choice.candidates);
      const int size = static_cast<int>(choice.eqs.size());
      int best = 1000;
      for (std::uint32_t set = 0; set < 1u << choice.candidates.size(); ++set) {
        if (std::popcount(set) != size) continue;
        if (brute_force::matching_size(part, (1u << size) - 1, set) != size) continue;
        int sum = 0;
        for (std::size_t k = 0; k < choice.candidates.size(); ++k) {
          if (set >> k & 1u) sum += wanted[choice.candidates[k].index()];
        }
        best = std::min(best, sum);
      }
      const std::vector<VarId> chosen = structural(choice);
      int sum = 0;
      for (VarId var : chosen) sum += wanted[var.index()];
      EXPECT_EQ(sum, best);
      EXPECT_TRUE(compute_maximum_matching(tight.submatrix(choice.eqs, chosen)).is_perfect());
      return chosen;
    });
  }
  EXPECT_GT(choices, 50);
}

TEST(DummyDerivatives, of_10000_chained_pendula_are_quick) {
  EXPECT_EQ(select(pendulum_chain(10000)).states().size(), 20000u);
}

}  // namespace
}  // namespace hydae::structure

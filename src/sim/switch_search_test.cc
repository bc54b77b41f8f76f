#include "sim/switch_search.h"

#include <Eigen/LU>
#include <gtest/gtest.h>
#include <random>

namespace hydae {
namespace {

// w = M z + q, w >= 0, z >= 0, w z = 0: switch i on is w_i = 0, off is z_i = 0.
struct Complementarity {
  Eigen::MatrixXd M;
  Eigen::VectorXd q;

  // Signs that the solution with these switches asks for; nothing if there is no solution.
  std::optional<Switches> wanted(const Switches& switches) const {
    const Eigen::Index n = q.size();
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(n, n);  // columns of the unknowns: z or -w
    for (Eigen::Index i = 0; i < n; ++i)
      if (switches.bits[static_cast<std::size_t>(i)]) A.col(i) = -M.col(i);
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
    if (!lu.isInvertible()) return std::nullopt;
    const Eigen::VectorXd x = lu.solve(q);
    Switches result = switches;
    for (Eigen::Index i = 0; i < n; ++i)
      if (x[i] < 0)
        result.bits[static_cast<std::size_t>(i)] = !result.bits[static_cast<std::size_t>(i)];
    return result;
  }
};

// Symmetric positive definite plus skew: every principal minor is positive.
Complementarity random_p_problem(int n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd A(n, n), B(n, n);
  for (Eigen::Index k = 0; k < A.size(); ++k) {
    A.data()[k] = normal(random);
    B.data()[k] = normal(random);
  }
  Complementarity problem;
  problem.M = A * A.transpose() + 0.01 * Eigen::MatrixXd::Identity(n, n) + B - B.transpose();
  problem.q.resize(n);
  for (double& value : problem.q) value = normal(random);
  return problem;
}

std::optional<Switches> search(const Complementarity& problem, int* trials = nullptr) {
  SwitchSearch search({std::vector<bool>(static_cast<std::size_t>(problem.q.size()), false), {}});
  std::optional<Switches> wanted;
  do {
    wanted = problem.wanted(search.candidate());
    if (trials != nullptr) *trials = search.num_trials() + 1;
    if (wanted == search.candidate()) return wanted;
  } while (search.advance(wanted));
  return std::nullopt;
}

TEST(SwitchSearch, finds_the_solution_of_every_p_problem) {
  std::mt19937 random(1);
  for (int n : {1, 2, 3, 5, 8, 13, 20, 40})
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(search(random_p_problem(n, random))) << n;
}

TEST(SwitchSearch, needs_about_as_many_trials_as_switches) {
  std::mt19937 random(2);
  int total = 0;
  for (int k = 0; k < 50; ++k) {
    int trials = 0;
    ASSERT_TRUE(search(random_p_problem(50, random), &trials));
    total += trials;
  }
  EXPECT_LT(total, 50 * 100);
}

// Whatever the matrix: if there is a solution among few switches, it is found.
TEST(SwitchSearch, agrees_with_enumeration) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  int solvable = 0;
  for (int k = 0; k < 300; ++k) {
    Complementarity problem = random_p_problem(5, random);
    for (double& value : problem.M.reshaped()) value = normal(random);
    bool has_solution = false;
    for (unsigned set = 0; set < 32; ++set) {
      Switches switches{std::vector<bool>(5), {}};
      for (unsigned i = 0; i < 5; ++i) switches.bits[i] = (set >> i & 1u) != 0;
      has_solution = has_solution || problem.wanted(switches) == switches;
    }
    const bool is_found = search(problem).has_value();
    EXPECT_LE(is_found, has_solution);
    solvable += has_solution;
    if (has_solution) {
      EXPECT_TRUE(is_found);
    }
  }
  EXPECT_GT(solvable, 50);
}

// One relation that contradicts itself either way.
TEST(SwitchSearch, gives_up_on_a_contradiction) {
  SwitchSearch search({{false, true}, {3}});
  int trials = 0;
  do {
    ++trials;
    Switches wanted = search.candidate();
    wanted.bits[0] = !wanted.bits[0];
    if (!search.advance(wanted)) break;
  } while (trials < 100);
  EXPECT_EQ(trials, 4);  // all combinations of two bits
}

TEST(SwitchSearch, follows_counters) {
  SwitchSearch search(Switches{{}, {0}});
  ASSERT_TRUE(search.advance(Switches{{}, {7}}));
  EXPECT_EQ(search.candidate().counts[0], 7);
}

// A clutch at the end of sliding: bit 10 makes it slide forward, bit 11 backward, and each solution
// asks for the other; without both it is stuck and content. Ten bits follow the direction and act
// on nothing.
TEST(SwitchSearch, finds_what_is_one_flip_from_an_earlier_candidate) {
  constexpr std::size_t kForward = 10, kBackward = 11;
  Switches first{std::vector<bool>(12, true), {}};
  first.bits[kBackward] = false;
  SwitchSearch search(first);
  const auto asked = [&](const Switches& given) {
    const bool forward = given.bits[kForward], backward = given.bits[kBackward];
    Switches result{std::vector<bool>(12, !forward && backward), {}};
    if (!forward && !backward) return Switches{std::vector<bool>(12, false), {}};
    result.bits[kForward] = !forward;
    result.bits[kBackward] = forward;
    return result;
  };
  std::optional<Switches> wanted;
  do {
    wanted = asked(search.candidate());
  } while (*wanted != search.candidate() && search.advance(wanted));
  EXPECT_EQ(*wanted, search.candidate());
  EXPECT_LT(search.num_trials(), 60);  // four neighbourhoods of twelve, and the ways between them
}

// A trial without a solution is no end: from the last solution less is flipped.
TEST(SwitchSearch, goes_around_a_mode_without_solution) {
  SwitchSearch search({{false, false}, {}});
  std::optional<Switches> wanted = Switches{{true, true}, {}};
  ASSERT_TRUE(search.advance(wanted));
  EXPECT_EQ(search.candidate().bits, (std::vector<bool>{true, true}));
  ASSERT_TRUE(search.advance(std::nullopt));
  EXPECT_EQ(search.candidate().bits, (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace hydae

#include "structure/textbook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "structure/analysis.h"
#include "structure/example_systems_testing.h"
#include "structure/pantelides.h"
#include "structure/second_transversal.h"

namespace hydae::structure {
namespace {

using ::testing::HasSubstr;

TextbookNames numbered(const SignatureMatrix& sigma) {
  TextbookNames names;
  for (std::size_t i = 0; i < sigma.num_eqs(); ++i)
    names.equations.push_back("f" + std::to_string(i + 1));
  for (std::size_t j = 0; j < sigma.num_vars(); ++j)
    names.variables.push_back("x" + std::to_string(j + 1));
  return names;
}

// What is shown is what the other implementation computes.
TEST(Textbook, differentiates_what_pantelides_does) {
  std::mt19937 rng(3);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 1 + static_cast<std::size_t>(trial) % 12;
    const SignatureMatrix sigma = random_sparse_system(n, trial % 4, trial % 3, rng);
    EXPECT_EQ(trace_pantelides(sigma, numbered(sigma)).num_differentiations,
              find_pantelides(sigma)->num_differentiations)
        << trial;
  }
}

TEST(Textbook, a_singular_system_is_said_to_be) {
  const SignatureMatrix sigma = draw({"1 -", "0 -"});
  EXPECT_THAT(trace_pantelides(sigma, numbered(sigma)).text, HasSubstr("would not end"));
  EXPECT_THAT(trace_matching(sigma, numbered(sigma)), HasSubstr("singular: f2"));
}

TEST(Textbook, a_new_equation_takes_no_name_of_another) {
  const SignatureMatrix sigma = draw({"1 -", "0 1"});
  TextbookNames names = numbered(sigma);
  names.equations[EqId(0)] = "f3";
  // x1' and x2' are in f3 and f2: nothing is differentiated; x1 = .., x1' = .. would be
  const SignatureMatrix high = draw({"0 -", "1 0"});
  EXPECT_THAT(trace_pantelides(high, names).text, HasSubstr("differentiate f3: f3'"));
}

std::int64_t value_of(const SignatureMatrix& sigma, const Matching& matching) {
  std::int64_t sum = 0;
  for (EqId eq : ids<EqId>(sigma.num_eqs()))
    for (const auto& entry : sigma.row(eq))
      if (entry.var == matching.eq_to_var[eq]) sum += entry.order;
  return sum;
}

// The pendulum has two: x'', lambda, y and lambda, y'', x.
TEST(SecondTransversal, of_the_pendulum) {
  const SignatureMatrix sigma = pendulum();
  const Analysis analysis = structure::analyze(sigma);
  const auto second = find_second_transversal(sigma, analysis);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->is_perfect());
  EXPECT_NE(*second, analysis.transversal.matching);
  EXPECT_EQ(value_of(sigma, *second), 2);
}

TEST(SecondTransversal, has_the_same_value_and_exists_where_a_block_has_two_equations) {
  std::mt19937 rng(4);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 1 + static_cast<std::size_t>(trial) % 15;
    const SignatureMatrix sigma = random_sparse_system(n, trial % 4, trial % 3, rng);
    const Analysis analysis = structure::analyze(sigma);
    const auto second = find_second_transversal(sigma, analysis);
    EXPECT_EQ(second.has_value(), analysis.fine.largest() > 1) << trial;
    if (!second) continue;
    EXPECT_TRUE(second->is_perfect());
    EXPECT_NE(*second, analysis.transversal.matching);
    EXPECT_EQ(value_of(sigma, *second), analysis.transversal.value());
  }
}

}  // namespace
}  // namespace hydae::structure

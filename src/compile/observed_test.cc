#include "compile/observed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hydae {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> observed_names(const Model& m, std::span<const VarId> needed = {}) {
  std::vector<std::string> names;
  for (const ObservedVariable& v : find_observed(m, needed).variables)
    names.push_back(m.all_variables()[v.variable].name);
  return names;
}

std::string value_text(const Model& m, const std::string& name) {
  for (const ObservedVariable& v : find_observed(m).variables)
    if (m.all_variables()[v.variable].name == name) return to_string(m.graph(), v.value, m.names());
  return "";
}

// x' = -x with y2 = y1 + 1, y1 = 2 x: y2 first, then y1, which nothing else reads.
struct Chain {
  Model m{"chain"};
  Expr x = m.variable("x"), y1 = m.variable("y1"), y2 = m.variable("y2");
  Chain() {
    m.equation(y2 == y1 + 1);
    m.equation(der(x) == -x);
    m.equation(y1 == 2 * x);
    m.fix(x, 1);
  }
};

TEST(Observed, a_chain_is_peeled_from_its_end) {
  const Chain chain;
  EXPECT_THAT(observed_names(chain.m), ElementsAre("y1", "y2"));
  const Observed observed = find_observed(chain.m);
  EXPECT_TRUE(observed.contains(EqId(0)) && observed.contains(EqId(2)));
  EXPECT_FALSE(observed.contains(EqId(1)) || observed.contains(VarId(0)));
}

TEST(Observed, values_are_in_solved_variables) {
  const Chain chain;
  EXPECT_EQ(value_text(chain.m, "y2"), "2*x + 1");
}

TEST(Observed, an_equation_may_be_solved_for_its_variable) {
  Model m("m");
  const Expr x = m.variable("x"), i = m.variable("i"), R = m.parameter("R", 4);
  m.equation(der(x) == 1);
  m.equation(x == R * i + 1);
  EXPECT_THAT(observed_names(m), ElementsAre("i"));
}

TEST(Observed, what_is_multiplied_by_zero_is_not_determined) {
  Model m("m");
  const Expr x = m.variable("x"), i = m.variable("i"), R = m.parameter("R", 0);
  m.equation(der(x) == 1);
  m.equation(x == R * i + 1);
  EXPECT_THAT(observed_names(m), IsEmpty());
}

// Everything that may read y keeps it, and so does whoever asks.
TEST(Observed, a_variable_that_is_read_stays) {
  const auto check = [](auto&& read) {
    Chain chain;
    read(chain);
    EXPECT_THAT(observed_names(chain.m), ElementsAre("y2"));
  };
  check([](Chain& c) { c.m.initial_equation(c.y1 == 3); });
  check([](Chain& c) { c.m.fix(c.y1, 2); });
  check([](Chain& c) { c.m.assertion({c.y1 > 0, "positive", false, {}}); });
  check([](Chain& c) {
    WhenAction act;
    act.kind = WhenAction::Kind::kReinit;
    act.target = c.x;
    act.value = 1;
    WhenClause clause;
    clause.branches.push_back({{c.y1 < 1}, {act}});
    c.m.when(clause);
  });
  const Chain chain;
  const VarId y1(1);
  EXPECT_THAT(observed_names(chain.m, std::span(&y1, 1)), ElementsAre("y2"));
}

TEST(Observed, derivatives_and_events_stay) {
  Model m("m");
  const Expr x = m.variable("x"), a = m.variable("a"), b = m.variable("b"), c = m.variable("c"),
             d = m.variable("d");
  m.equation(der(x) == 1 - x);
  m.equation(a == 2 * der(x));
  m.equation(b == select(x > 0.5, 1, 2));
  m.equation(c == select(no_event(x > 0.5), 1, 2));
  m.equation(d == abs(x));
  EXPECT_THAT(observed_names(m), ElementsAre("c", "d"));
}

// a and b stand in one equation alone: one of them is not determined, which is for others to say.
TEST(Observed, two_candidates_in_one_equation_stay) {
  Model m("m");
  const Expr x = m.variable("x"), a = m.variable("a"), b = m.variable("b");
  m.equation(der(x) == 1);
  m.equation(a + b == x);
  EXPECT_THAT(observed_names(m), IsEmpty());
}

}  // namespace
}  // namespace hydae

#include "compile/propagate_guesses.h"

#include <cmath>
#include <gmock/gmock.h>
#include <map>

#include <hydae/analyze.h>

namespace hydae {
namespace {

using ::testing::DoubleEq;

// The guesses of the largest group of a model without derivatives, by name.
std::map<std::string, double> guesses_of(const Model& m) {
  const AnalyzedSystem prepared = analyze_system(m, start_mode(m));
  const InitialSystem system = make_initial_system(prepared, {});
  const auto groups = arrange_groups(system, fixed_columns(system));
  std::size_t largest = 0;
  for (std::size_t k = 0; k < groups.size(); ++k)
    if (groups[k].columns.size() > groups[largest].columns.size()) largest = k;
  const InitialGroup& group = groups[largest];
  std::vector<double> values;
  for (const InitialColumn& column : system.columns) values.push_back(column.guess);
  const auto guesses = propagated_guesses(system, group, {0, m.parameter_values()}, values);
  std::map<std::string, double> by_name;
  for (std::size_t k = 0; k < guesses.size(); ++k)
    by_name[system.columns[static_cast<std::size_t>(group.columns[k])].name] = guesses[k];
  return by_name;
}

// A flux tube: without a flux, the first unknown to be assumed, the permeability is 1000 and the
// reluctance 1/(1000 * 0.5). What the flux must be for 5 ampere-turns is left for the iteration.
Model flux_tube() {
  Model m("tube");
  const Expr Phi = m.variable("Phi"), B = m.variable("B"), mu = m.variable("mu"),
             R = m.variable("R");
  const Expr A = m.parameter("A", 0.5);
  m.equation(B == Phi / A);
  m.equation(mu == 1000 / (1 + B * B));
  m.equation(R == 1 / (mu * A));
  m.equation(Phi * R == 5);
  return m;
}

TEST(PropagatedGuesses, follow_explicit_equations) {
  const auto guesses = guesses_of(flux_tube());
  ASSERT_EQ(guesses.size(), 4u);
  EXPECT_THAT(guesses.at("Phi"), DoubleEq(0));
  EXPECT_THAT(guesses.at("B"), DoubleEq(0));
  EXPECT_THAT(guesses.at("mu"), DoubleEq(1000));
  EXPECT_THAT(guesses.at("R"), DoubleEq(1.0 / 500));
}

// B = 2 is given: the flux is 1, the permeability 1000/5, whatever the order of the unknowns.
TEST(PropagatedGuesses, begin_with_start_values) {
  Model m = flux_tube();
  m.start(Expr(m.graph(), m.graph().variable(*m.find_variable("B"))), 2);
  const auto guesses = guesses_of(m);
  EXPECT_THAT(guesses.at("B"), DoubleEq(2));
  EXPECT_THAT(guesses.at("Phi"), DoubleEq(1));
  EXPECT_THAT(guesses.at("mu"), DoubleEq(200));
  EXPECT_THAT(guesses.at("R"), DoubleEq(0.01));
}

// x + y = 3 and x - y^3 = 1: nothing but the first equation says anything; y stays within bounds.
TEST(PropagatedGuesses, stay_within_bounds) {
  Model m("bounds");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(x + y == 3);
  m.equation(x - y * y * y == 1);
  m.bounds(y, 0, 2);
  const auto guesses = guesses_of(m);
  EXPECT_THAT(guesses.at("x"), DoubleEq(0));
  EXPECT_THAT(guesses.at("y"), DoubleEq(2));
}

}  // namespace
}  // namespace hydae

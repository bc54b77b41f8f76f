// Connect clauses between connectors of every kind at random: arrays, of no elements too, buses and
// buses inside of buses, inside and outside connectors, parts that differ, loops of clauses.
#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "test/robustness/random_models.h"

namespace hydae {
namespace {

constexpr std::array kSides = {"p",           "q",       "ps",      "ps[1]",         "ps[1:2]",
                               "ps[3]",       "none",    "none.p",  "r.p",           "r.n",
                               "rs.p",        "rs[1].p", "rs[2].n", "rs.n",          "bus",
                               "bus.a",       "bus.b",   "bus.sub", "bus.sub.given", "bus.new",
                               "bus.sub.new", "bus2",    "bus2.a",  "bus2.sub",      "u",
                               "v",           "s.u",     "s.y",     "ss.u",          "ss.y",
                               "st",          "st2",     "m.bus",   "m.bus.a",       "r",
                               "x",           "noSuch",  "p.v",     "grid",          "grid[1, :]",
                               "grid[:, 2]"};

std::string connected_model(Random& random) {
  std::string text = R"(
connector Pin Real v; flow Real i; end Pin;
connector Flow Real p; flow Real m; stream Real h; end Flow;
connector In = input Real;
connector Out = output Real;
expandable connector Bus Bus1 sub; Real a; Boolean b; end Bus;
expandable connector Bus1 Real given; end Bus1;
model Res Pin p, n; equation p.v - n.v = p.i; p.i + n.i = 0; end Res;
block Gain In u; Out y; equation y = 2*u; end Gain;
model Inner Bus bus; Real k = 1; end Inner;
model M
  Pin p, q, ps[2], none[0], grid[2, 2];
  Res r, rs[2], nores[0];
  Bus bus, bus2;
  In u; Out v;
  Gain s, ss[2];
  Flow st, st2;
  Inner m;
  Real x = time;
equation
)";
  for (int i = 1 + random.below(6); i > 0; --i) {
    const std::string a = random.pick(kSides), b = random.pick(kSides);
    const std::string clause = fmt::format("connect({}, {});", a, b);
    switch (random.below(8)) {
      case 0:
        text += fmt::format("  for j in 1:{} loop {} end for;\n", random.below(3), clause);
        break;
      case 1:
        text += fmt::format("  if {} then {} end if;\n", random.one_in(2) ? "true" : "time > 1",
                            clause);
        break;
      default: text += "  " + clause + "\n";
    }
  }
  return text + "end M;\n";
}

TEST(ConnectionSets, end_with_a_model_or_an_error) {
  const std::uint32_t seed = seed_of_run();
  SCOPED_TRACE(fmt::format("HYDAE_SEED={}", seed));
  for (int i = 0; i < num_cases(400); ++i) {
    Random random(seed * 1'000'003 + static_cast<std::uint32_t>(i));
    expect_model_or_error(connected_model(random));
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace hydae

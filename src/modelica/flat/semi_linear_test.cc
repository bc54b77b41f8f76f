// Chains of semiLinear: what stands between two components without flow.
#include <gtest/gtest.h>

#include <hydae/modelica.h>

#include "modelica/models_testing.h"

namespace hydae {
namespace {

const std::string kPorts = R"(
connector Port Real p; flow Real m; Real h; flow Real H; end Port;
model Vessel parameter Real h = 1; Port p; equation p.p = 1; p.H = semiLinear(p.m, p.h, h); end Vessel;
model Pump parameter Real Q = 0; Port a, b; Real h;
equation a.m = sin(time); a.m + b.m = 0; a.H + b.H + Q = 0;
  a.H = semiLinear(a.m, a.h, h); b.H = semiLinear(b.m, b.h, h);
end Pump;
)";

Model load_with_ports(const std::string& text) {
  std::string all = kPorts;
  all += text;
  return load_ok(all, "M");
}

// With a heat flow both ends of the pump are chains of two: the port takes the value of where the
// stream comes from.
TEST(SemiLinear, of_two_connected_components_has_the_upstream_value_between_them) {
  const Model model = load_with_ports(R"(
model M Vessel left(h = 2), right(h = 3); Pump pump(Q = 1); equation connect(left.p, pump.a);
  connect(pump.b, right.p);
end M;
)");
  EXPECT_EQ(definition(model, "left.p.h"), "if noEvent(left.p.m >= 0) then pump.h else left.h");
  EXPECT_EQ(definition(model, "pump.b.h"), "if noEvent(left.p.m >= 0) then right.h else pump.h");
  EXPECT_EQ(definition(model, "left.p.H"),
            "smooth(0, if noEvent(left.p.m >= 0) then pump.h*left.p.m else left.h*left.p.m)");
}

// Without, what flows in flows out: one chain from vessel to vessel.
TEST(SemiLinear, goes_through_components_that_add_nothing) {
  const Model model = load_with_ports(R"(
model Pump2 Port a, b; Real h, Q;
equation a.m = sin(time); a.m + b.m = 0; a.H + b.H + Q = 0; Q = 0;
  a.H = semiLinear(a.m, a.h, h); b.H = semiLinear(b.m, b.h, h);
end Pump2;
model M Vessel left(h = 2), right(h = 3); Pump2 pump; equation connect(left.p, pump.a);
  connect(pump.b, right.p);
end M;
)");
  for (const char* name : {"left.p.h", "pump.h", "pump.b.h"})
    EXPECT_EQ(definition(model, name), "if noEvent(left.p.m >= 0) then right.h else left.h")
        << name;
}

TEST(SemiLinear, chains_of_any_length_and_order) {
  const Model model = load_ok(R"(
model M Real x = time - 1, y, s, t, u; parameter Real a = 1, b = 2;
equation
  y = semiLinear(x, s, t); -y = semiLinear(-x, b, u); y = semiLinear(x, a, s); y = semiLinear(x, t, u);
end M;
)");
  for (const char* name : {"s", "t", "u"})
    EXPECT_EQ(definition(model, name), "if noEvent(x >= 0) then a else b") << name;
  EXPECT_EQ(definition(model, "y"), "smooth(0, if noEvent(x >= 0) then a*x else b*x)");
}

// Three streams at one point: each counts with what it brings.
TEST(SemiLinear, streams_that_meet_have_their_mixture) {
  const Model model = load_with_ports(R"(
model Source parameter Real m, h; Port p; equation p.m = m; p.H = semiLinear(p.m, p.h, h); end Source;
model M Source a(m = -2, h = 5), b(m = 1, h = 7); Vessel c; equation connect(a.p, b.p);
  connect(b.p, c.p);
end M;
)");
  const std::string M = "(max(-a.p.m, 0) + max(-b.p.m, 0) + max(-c.p.m, 0))";
  const std::string D = "sqrt(" + M + "^2 + 1e-12)";
  EXPECT_EQ(definition(model, "a.p.h"),
            "(max(-a.p.m, 0)*a.h + max(-b.p.m, 0)*b.h + max(-c.p.m, 0)*c.h + (" + D + " - " + M +
                ")*((a.h + b.h + c.h)/3))/" + D);
}

// A ring of them, a fork, or two different flows are no chain.
TEST(SemiLinear, nothing_else_is_changed) {
  for (const char* equations : {"y = semiLinear(x, s, t); y = semiLinear(x, t, s)",
                                "y = semiLinear(x, s, 1); y = semiLinear(x, s, t)",
                                "y = semiLinear(x, 1, s); y + 1 = semiLinear(x, s, t)"}) {
    const std::string text =
        std::string("model M Real x = time, y, s, t; equation s + t + y = 1; ") + equations +
        "; end M;";
    const std::string flat = flatten_to_text(load_ok(text));
    const auto at = flat.find("smooth");
    ASSERT_NE(at, std::string::npos) << flat;
    EXPECT_NE(flat.find("smooth", at + 1), std::string::npos) << flat;
  }
}

}  // namespace
}  // namespace hydae

// Units: reading, writing, and what the check of equations finds and lets pass.
#include "modelica/checks/units.h"

#include <gtest/gtest.h>

#include "modelica/checks/unit_solver.h"
#include "modelica/models_testing.h"

namespace hydae::modelica {
namespace {

TEST(Units, derived_units_are_products_of_base_units) {
  EXPECT_EQ(*parse_unit("V"), *parse_unit("kg.m2/(s3.A)"));
  EXPECT_EQ(*parse_unit("N.m"), *parse_unit("J"));
  EXPECT_EQ(*parse_unit("W/(m2.K)"), *parse_unit("kg.s-3.K-1"));
  EXPECT_EQ(*parse_unit("1/s2"), *parse_unit("s-2"));
  EXPECT_EQ(*parse_unit("rad/s"), *parse_unit("Hz"));
  EXPECT_EQ(*parse_unit("V/Hz(1/2)") + *parse_unit("V/Hz(1/2)"), *parse_unit("V2.s"));
  EXPECT_FALSE(*parse_unit("m") == *parse_unit("s"));
}

TEST(Units, a_symbol_is_tried_before_a_prefix) {
  EXPECT_EQ(*parse_unit("min"), Unit::base(2) + Unit::factor(60));  // not a milli-inch
  EXPECT_EQ(*parse_unit("mm"), Unit::base(0) + Unit::factor(1e-3));
  EXPECT_EQ(*parse_unit("kg"), Unit::base(1));
  EXPECT_EQ(*parse_unit("mm2"), *parse_unit("m2") + Unit::factor(1e-6));  // (mm)2
  EXPECT_EQ(*parse_unit("daN"), *parse_unit("N") + Unit::factor(10));
  EXPECT_EQ(*parse_unit("cd"), Unit::base(6));  // not a centi-day
}

TEST(Units, what_is_no_unit_expression_is_not_read) {
  for (const char* text : {"", "foo", "m/", "m..s", "(m", "m)", "m/s/s", "2m", "m^2", "m s", "kmin",
                           "m2-", "m(1/0)", "-m"})
    EXPECT_FALSE(parse_unit(text)) << text;
  std::string nested(1000, '(');
  nested += "m";
  nested.append(1000, ')');
  EXPECT_FALSE(parse_unit(nested));
}

TEST(Units, text_uses_the_names_of_derived_units) {
  EXPECT_EQ(parse_unit("kg.m2/(s3.A)")->text(), "V");
  EXPECT_EQ(parse_unit("m.s-2")->text(), "m/s2");
  EXPECT_EQ(parse_unit("W/(m2.K)")->text(), "kg/(s3.K)");
  EXPECT_EQ(parse_unit("1/s")->text(), "1/s");
  EXPECT_EQ(parse_unit("rad")->text(), "1");
  EXPECT_EQ((0.5 * *parse_unit("m")).text(), "m(1/2)");
  EXPECT_EQ(parse_unit("mm")->text(), "0.001.m");
}

// ---- the check ----

std::string warnings(const std::string& declarations, const std::string& equations = "") {
  return warning_codes(
      load_text("model M\n" + declarations + "\nequation\n" + equations + "\nend M;"));
}

TEST(UnitCheck, accepts_what_is_right) {
  EXPECT_EQ(warnings("Real x(unit = \"m\", start = 1, fixed = true), v(unit = \"m/s\"); "
                     "parameter Real w(unit = \"rad/s\") = 2;",
                     "der(x) = v; der(v) = -w^2*x;"),
            "");
  EXPECT_EQ(warnings("Real E(unit = \"J\"); parameter Real m(unit = \"kg\") = 1; "
                     "parameter Real c(unit = \"m/s\") = 2;",
                     "E = 0.5*m*c^2 + 1;"),
            "");
}

// Nobody wrote a unit: that time is in seconds proves nothing.
TEST(UnitCheck, claims_nothing_about_models_without_units) {
  EXPECT_EQ(warnings("Real x(start = 1), y, z;", "der(x) = -x; y = sin(time) + time; z = x + y;"),
            "");
}

TEST(UnitCheck, literals_that_may_be_quantities_fit_anywhere) {
  EXPECT_EQ(warnings("Real f(unit = \"N\"); parameter Real m(unit = \"kg\") = 1;", "f = 9.81*m;"),
            "");
  EXPECT_EQ(warnings("Real t(unit = \"min\");", "t = time/60;"), "");
  EXPECT_EQ(warnings("Real f(unit = \"N\"); parameter Real m(unit = \"kg\") = 1;", "f = 2*m;"),
            "unit-mismatch");
}

TEST(UnitCheck, factors_count) {
  EXPECT_EQ(warnings("Real a(unit = \"mm\"), b(unit = \"m\");", "a = b; b = 1;"), "unit-mismatch");
  EXPECT_EQ(warnings("Real a(unit = \"kPa\"), b(unit = \"1\");", "a = 1; b = 1;"), "");
}

TEST(UnitCheck, a_number_other_than_one_is_no_unit) {  // Modelica 3.6, 19.1
  EXPECT_EQ(warnings("Real b(unit = \"1000\");", "b = 1;"), "unknown-unit");
}

// a = x/y gives a the unit m/s, which the second equation contradicts; the third is free.
TEST(UnitCheck, infers_units_through_equations) {
  const char* kVariables = "Real x(unit = \"m\") = 1, y(unit = \"s\") = 2, a, b, c(unit = \"kg\");";
  EXPECT_EQ(warnings(kVariables, "a = x/y; b = a; c = b;"), "unit-mismatch");
  EXPECT_EQ(warnings(kVariables, "a*y = x; b = a*y - x; c = 3;"), "");
  EXPECT_EQ(warnings(kVariables, "a^2 = x^2/y^2; b = a + y; c = 3;"), "unit-mismatch");
}

TEST(UnitCheck, looks_into_branches_loops_and_algorithms) {
  const char* kVariables = "Real x(unit = \"m\") = 1; Real y(unit = \"s\");";
  EXPECT_EQ(warnings(kVariables, "y = if time > 1 then x else 3;"), "unit-mismatch");
  EXPECT_EQ(warnings(kVariables, "if time > 1 then y = x; else y = 3; end if;"), "unit-mismatch");
  EXPECT_EQ(warnings(kVariables, "for i in 1:1 loop y = i*x; end for;"), "unit-mismatch");
  EXPECT_EQ(warnings(kVariables, "y = noEvent(abs(max(x, 2)));"), "unit-mismatch");
  EXPECT_EQ(warning_codes(load_text("model M Real x(unit = \"m\") = 1; Real y(unit = \"s\"); "
                                    "algorithm y := 2*x; end M;")),
            "unit-mismatch");
}

// A chain of a hundred thousand unknowns is followed from either end in no time.
TEST(UnitSolver, long_chains_are_shortened) {
  constexpr int kLength = 100'000;
  for (const bool is_forwards : {true, false}) {
    UnitSolver solver;
    const auto form = [](int unknown) { return UnitForm{Unit(), {{unknown, 1.0}}, true}; };
    for (int i = 0; i < kLength; ++i) solver.make_unknown();
    for (int i = 0; i + 1 < kLength; ++i) {
      const int k = is_forwards ? i : kLength - 2 - i;
      EXPECT_TRUE(solver.equate(form(k), form(k + 1)));
    }
    EXPECT_TRUE(solver.equate(form(7), UnitForm{Unit::base(0), {}, true}));
    EXPECT_FALSE(solver.equate(form(kLength - 1), UnitForm{Unit::base(1), {}, true}));
    EXPECT_TRUE(solver.equate(form(kLength / 2), UnitForm{Unit::base(0), {}, true}));
  }
}

TEST(UnitCheck, knows_results_of_functions) {
  EXPECT_EQ(warning_codes(load_text("function f input Real x; output Real y(unit = \"m\"); "
                                    "algorithm y := x; end f; "
                                    "model M Real t(unit = \"s\") = f(time); end M;")),
            "unit-mismatch");
}

}  // namespace
}  // namespace hydae::modelica

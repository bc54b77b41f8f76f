// Texts that are easily taken for something else: a name that is missing, an argument of another
// kind, an array of no elements, a size out of all proportion. Each is refused by name, at once.
#include <cmath>
#include <gtest/gtest.h>

#include <hydae/modelica.h>

#include "modelica/models_testing.h"

namespace hydae {
namespace {

std::string in_model(const std::string& declarations, const std::string& equations = "") {
  return "record R Real a; end R; model M " + declarations +
         (equations.empty() ? "" : " equation " + equations) + " end M;";
}

// ---- arguments of predefined functions ----

TEST(Refusals, arguments_of_another_kind_are_named) {
  EXPECT_EQ(error_codes(in_model("Real x = homotopy(time, \"a\");")), "type-mismatch");
  EXPECT_EQ(error_codes(in_model("R r(a = 1); Real x = homotopy(r, r);")), "type-mismatch");
  EXPECT_EQ(error_codes(in_model("Real x;", "for i in \"a\":\"c\" loop x = 1; end for;")),
            "type-mismatch");
  EXPECT_EQ(error_codes(in_model("R r(a = 1); Real x[1] = {1 for i in r:r};")), "type-mismatch");
  EXPECT_EQ(error_codes(in_model("R r(a = 1); Real x[2, 2] = outerProduct({1, 2}, {r, r});")),
            "type-mismatch");
  EXPECT_EQ(error_codes(in_model("R r(a = 1); R s[1, 1] = symmetric({{r}});")), "type-mismatch");
  EXPECT_EQ(error_codes(in_model("parameter String s[1, 1] = symmetric({{\"a\"}});")),
            "type-mismatch");
  EXPECT_EQ(error_codes(in_model("Real x[2] = {1, \"a\"};")), "type-mismatch");
  EXPECT_EQ(error_codes(in_model("Real x = sum({true, false});")), "type-mismatch");
}

TEST(Refusals, named_arguments_count) {
  const Model model = load_ok(in_model("parameter Real z[3, 3] = identity(n = 3);"));
  EXPECT_EQ(definition(model, "z[2,2]"), "1");
  EXPECT_EQ(definition(model, "z[2,3]"), "0");
  EXPECT_EQ(error_codes(in_model("Real x[2] = zeros(n = 2);")), "argument-count");
}

TEST(Refusals, a_list_of_results_is_no_value) {
  EXPECT_EQ(error_codes(in_model("Real x = (1, 2) + 1;")), "misplaced-tuple");
  EXPECT_EQ(error_codes("function f input Real a; end f; " + in_model("Real x = f(1) + 1;")),
            "type-mismatch");
}

// ---- buses and connectors ----

TEST(Refusals, unknown_types_in_buses_are_named) {
  const auto bus = [](const std::string& element) {
    return "expandable connector Bus " + element + " end Bus; model M Bus b; Real x = 1; end M;";
  };
  EXPECT_EQ(error_codes(bus("NoSuch v;")), "name-not-found");
  EXPECT_EQ(error_codes(bus("Real v if nosuch;")), "name-not-found");
  EXPECT_EQ(error_codes(bus("Real v[n];")), "name-not-found");
  EXPECT_EQ(error_codes(bus("Real v[:];")), "unknown-size");
}

const std::string kPins = R"(
connector Pin Real v; flow Real i; end Pin;
model Res Pin p, n; equation p.v - n.v = p.i; p.i + n.i = 0; end Res;
)";

TEST(Refusals, connectors_of_no_components_are_none) {
  EXPECT_EQ(error_codes(kPins + "model M Pin pin; Res r[0]; equation connect(pin, r.p); end M;"),
            "connector-mismatch");
  EXPECT_EQ(error_codes(kPins + "model M Pin pin[0]; Res r[0]; equation connect(pin, r.p); end M;"),
            "");
}

TEST(Refusals, a_bus_is_not_connected_to_itself_without_end) {
  EXPECT_EQ(error_codes("expandable connector Bus Bus1 sub; end Bus; "
                        "expandable connector Bus1 Real given; end Bus1; "
                        "model M Bus b; equation connect(b, b.sub); end M;"),
            "nested-too-deeply");
}

// ---- sizes ----

TEST(Refusals, arrays_out_of_all_proportion_tell_their_size) {
  EXPECT_EQ(error_codes(in_model(
                "parameter Real s = sum(i*j*k for i in 1:1000, j in 1:1000, k in 1:1000);")),
            "array-size");
  EXPECT_EQ(error_codes(in_model("Real v[300] = fill(time, 300); "
                                 "Real s = sum(outerProduct(v, v)*outerProduct(v, v));")),
            "array-size");
  EXPECT_EQ(error_codes(in_model("parameter String s[:] = fill(\"0123456789\", 2000000);")),
            "string-too-long");
}

// 2.7e7 multiplications of numbers: each element of the product is 300, their sum 300^3.
TEST(Refusals, products_of_known_matrices_are_computed) {
  const Model model = load_ok(in_model("parameter Real s = sum(ones(300, 300)*ones(300, 300));"));
  EXPECT_EQ(definition(model, "s"), "27000000");
}

// ---- numbers ----

TEST(Refusals, divisions_by_zero_are_named) {
  EXPECT_EQ(error_codes(in_model("Real x = mod(time, 0);")), "division-by-zero");
  EXPECT_EQ(error_codes(in_model("Integer i = div(1, 0);")), "division-by-zero");
  EXPECT_EQ(error_codes(in_model("Integer i = rem(1, 0);")), "division-by-zero");
  // Where it is not known, it is watched.
  EXPECT_EQ(load_ok(in_model("parameter Real p = 0; Real x = mod(time, p);")).assertions().size(),
            1u);
}

TEST(Refusals, sample_needs_an_interval) {
  for (const char* interval : {"0", "-1", "0/0", "p"})
    EXPECT_EQ(error_codes(in_model(
                  "parameter Real p = 0; Integer n(start = 0, fixed = true);",
                  std::string("when sample(0, ") + interval + ") then n = pre(n) + 1; end when;")),
              "sample-interval")
        << interval;
  EXPECT_EQ(error_codes(in_model("Integer n(start = 0, fixed = true);",
                                 "when sample(0.1, 1e-17) then n = pre(n) + 1; end when;")),
            "sample-interval");
}

// ---- subscripts ----

TEST(Refusals, changing_subscripts_are_watched) {
  const Model model = load_ok(in_model(
      "parameter Real tab[3] = {10, 20, 30}; Integer i = integer(10*time); Real y = tab[i];"));
  ASSERT_EQ(model.assertions().size(), 1u);
  EXPECT_EQ(model.assertions()[0].message, "index `i` of `tab` is outside of 1 to 3");
  // Not where the element is not needed.
  EXPECT_EQ(load_ok(in_model("parameter Real tab[2] = {1, 2}; Boolean b = time > 1; "
                             "Real y = if b then tab[1] else tab[2];"))
                .assertions()
                .size(),
            0u);
}

TEST(Refusals, subscripts_in_when_clauses_are_checked_at_the_event) {
  const Model model = load_ok(in_model(
      "parameter Real tab[3] = {10, 20, 30}; Integer i(start = 0, fixed = true); discrete Real y;",
      "when sample(0, 1) then i = pre(i) + 1; y = tab[i]; end when;"));
  EXPECT_EQ(model.assertions().size(), 0u);
  const auto& actions = model.when_clauses()[0].branches[0].actions;
  ASSERT_EQ(actions.size(), 3u);
  EXPECT_EQ(actions[2].kind, WhenAction::Kind::kAssert);
}

// A function whose loop runs as often as its argument says is a program: what it reads or writes
// outside of its array is undefined, and so is its result.
TEST(Refusals, subscripts_of_programs_outside_of_the_array_are_undefined) {
  const std::string function = R"(
function f input Real a; output Real y; protected Real v[3]; Integer k;
algorithm k := 0; while k < a loop k := k + 1; end while; v[k] := 1; y := sum(v); end f;)";
  const Model model = load_ok(function + "model M Real y = f(time); end M;");
  EXPECT_EQ(value_at(model, "y", 2.5), 1);
  EXPECT_TRUE(std::isnan(value_at(model, "y", 7.5)));
  const Model reading = load_ok(R"(
function f input Real a; output Real y; protected Real v[3]; Integer k;
algorithm k := 0; v := {1, 2, 3}; while k < a loop k := k + 1; end while; y := v[k]; end f;
model M Real y = f(time); end M;)");
  EXPECT_EQ(value_at(reading, "y", 1.5), 2);
  EXPECT_TRUE(std::isnan(value_at(reading, "y", 7.5)));
}

// false comes first.
TEST(Refusals, boolean_subscripts_count_from_false) {
  const Model model = load_ok(in_model(
      "parameter Real u[Boolean] = {10, 20}; Boolean b = time > 0.5; Real y = u[b], z = u[true];"));
  EXPECT_EQ(definition(model, "y"), "if b then u[true] else u[false]");
  EXPECT_EQ(definition(model, "z"), "u[true]");
  const Model called = load_ok(
      "function f input Boolean b; input Real u[Boolean]; output Real y; algorithm y := u[b]; "
      "end f; model M Boolean b = time > 0.5; Real y = f(b, {10, 20}), z = f(true, {10, 20}); "
      "end M;");
  EXPECT_EQ(definition(called, "y"), "if b then 20 else 10");
  EXPECT_EQ(definition(called, "z"), "20");
}

// ---- return ----

// The input doubled until it is above 1, then returned: 0.3 -> 0.6 -> 1.2; 1.3 at once.
TEST(Refusals, return_in_a_while_loop_ends_the_function) {
  const Model model = load_ok(R"(
function f input Real x; output Real y; protected Integer k;
algorithm y := x; k := 0;
  while k < 5 loop k := k + 1; if y > 1 then return; end if; y := 2*y; end while;
  y := -1;
end f;
model M Real y = f(time); end M;)");
  EXPECT_DOUBLE_EQ(value_at(model, "y", 0.3), 1.2);
  EXPECT_DOUBLE_EQ(value_at(model, "y", 1.3), 1.3);
  EXPECT_DOUBLE_EQ(value_at(model, "y", 0.001), -1);
}

// ---- external functions ----

const std::string kCompare = R"(
function order input String b; input String a; input Boolean c = true; output Integer r;
  external "C" r = ModelicaStrings_compare(a, b, c); end order;
function rest input Integer last; input Integer first; input String s; output String r;
  external "C" r = ModelicaStrings_substring(s, first, last); end rest;
function begin input String s; output Integer r;
  external "C" r = ModelicaStrings_skipWhiteSpace(s, 1); end begin;
function differs input String a; input String b; output Boolean r;
  external "C" r = ModelicaStrings_compare(a, b, true); end differs;
)";

// "b" > "a": greater is 3.
TEST(Refusals, external_arguments_are_those_of_the_call) {
  const Model model = load_ok(kCompare + R"(
model M parameter Integer r = order("a", "b"), p = begin("   b");
  parameter Boolean ok = rest(5, 2, "abcdefgh") == "bcde", d = differs("a", "b"); end M;)");
  EXPECT_EQ(definition(model, "r"), "3");
  EXPECT_EQ(definition(model, "p"), "4");
  EXPECT_EQ(definition(model, "ok"), "true");
  EXPECT_EQ(definition(model, "d"), "true");
}

TEST(Refusals, external_arguments_of_other_kinds_are_errors) {
  EXPECT_EQ(error_codes("function f output Integer n; external \"C\" n = ModelicaStrings_length(); "
                        "end f; model M parameter Integer k = f(); end M;"),
            "type-mismatch");
  EXPECT_EQ(error_codes("function f input Real s; output Integer n; "
                        "external \"C\" n = ModelicaStrings_length(s); end f; "
                        "model M parameter Integer k = f(1); end M;"),
            "type-mismatch");
  EXPECT_EQ(error_codes("function f input String s; output Integer n, m; "
                        "external \"C\" n = ModelicaStrings_length(s); end f; "
                        "model M Integer n, m; equation (n, m) = f(\"a\"); end M;"),
            "bad-external");
}

}  // namespace
}  // namespace hydae

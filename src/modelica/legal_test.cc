// Legal texts that look unusual: what they become.
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include <hydae/modelica.h>

#include "expr/evaluate.h"
#include "modelica/models_testing.h"

namespace hydae {
namespace {

std::string warnings_of(const std::string& text) {
  const LoadResult result = load_text(text);
  EXPECT_TRUE(result.model) << render(result.diagnostics, result.sources.get());
  return warning_codes(result);
}

// The right side of the equation for `name` where variables have these values.
double value_with(const Model& model, const std::string& name,
                  const std::map<std::string, double>& values) {
  Graph& graph = model.graph();
  const NodeId variable = graph.variable(*model.find_variable(name));
  for (const Equation& equation : model.equations()) {
    if (equation.lhs.in(graph) != variable) continue;
    const NodeId root = equation.rhs.in(graph);
    Evaluator evaluator(graph, std::span(&root, 1), &model.functions());
    std::vector<double> given;
    for (const Leaf leaf : evaluator.leaves())
      given.push_back(values.at(model.variable_name(leaf.variable, leaf.order)));
    const std::vector<double> parameters = model.parameter_values();
    return evaluator.evaluate({.parameters = parameters, .values = given})[0];
  }
  return NAN;
}

// ---- parameters ----

TEST(Legal, parameters_without_value_that_nothing_reads) {
  EXPECT_EQ(warnings_of("model M parameter Real p; Real x = 1; end M;"), "unused-parameter");
  EXPECT_EQ(warnings_of("model M parameter String s; Real x = 1; end M;"), "unused-parameter");
  EXPECT_EQ(warnings_of("record R Real a; Real b; end R; "
                        "model M parameter R r(a = 1); Real x = r.a; end M;"),
            "unused-parameter");
  EXPECT_EQ(error_codes("model M parameter Real p; Real x = p; end M;"), "parameter-without-value");
  EXPECT_EQ(error_codes("model M parameter Integer n; Real x[n]; end M;"),
            "parameter-without-value");
}

TEST(Legal, elements_of_array_parameters_are_set_by_name) {
  LoadOptions options;
  options.parameters = {{"A[1,2]", "10"}, {"v[ 2 ]", "7"}};
  const LoadResult result = load_text(
      "model M parameter Real A[2, 2] = {{1, 2}, {3, 4}}, v[2] = {5, 6}; Real x = A[1, 2] + v[2]; "
      "end M;",
      "", options);
  ASSERT_TRUE(result.model);
  EXPECT_EQ(definition(*result.model, "A[1,2]"), "10");
  EXPECT_EQ(definition(*result.model, "A[2,1]"), "3");
  EXPECT_EQ(definition(*result.model, "v[2]"), "7");
  options.parameters = {{"A[3,1]", "10"}};
  EXPECT_EQ(
      error_codes(load_text("model M parameter Real A[2, 2] = zeros(2, 2); end M;", "", options)),
      "no-such-parameter");
}

TEST(Legal, values_from_outside_are_finite_numbers) {
  for (const char* value : {"nan", "inf", "1e999", "-inf"}) {
    LoadOptions options;
    options.parameters = {{"g", value}};
    EXPECT_EQ(error_codes(load_text("model M parameter Real g = 1; end M;", "", options)),
              "override-value")
        << value;
  }
}

// ---- comprehensions over nothing ----

// The type is that of the body; the least of no Reals is the largest Real.
TEST(Legal, comprehensions_over_nothing_have_the_type_of_their_body) {
  const Model model = load_ok(R"(
model M
  parameter Integer n = 0;
  Boolean e[n] = {time > i for i in 1:n};
  parameter String s[n] = {"a" for i in 1:n};
  Real least = min(1.0*i for i in 1:0), most = max(time for i in 1:0);
  Integer whole = sum(i for i in 1:0);
end M;)");
  EXPECT_EQ(definition(model, "least"), "1.7976931348623157e+308");
  EXPECT_EQ(definition(model, "most"), "-1.7976931348623157e+308");
  EXPECT_EQ(definition(model, "whole"), "0");
}

// ---- assignments ----

TEST(Legal, slices_of_component_arrays_are_assigned) {
  const Model model = load_ok(R"(
record R Real a; Real b; end R;
model M
  R r[3];
algorithm
  r[1:2].a := {1, 2};
  r[3].a := 3;
  r.b := {4, 5, 6}*time;
end M;)");
  EXPECT_EQ(definition(model, "r[1].a"), "1");
  EXPECT_EQ(definition(model, "r[2].a"), "2");
  EXPECT_EQ(value_at(model, "r[3].b", 2), 12);
}

TEST(Legal, reinit_takes_arrays_element_by_element) {
  const Model model = load_ok(R"(
model M
  Real x[3](each start = 1, each fixed = true);
equation
  der(x) = -x;
  when time > 1 then reinit(x, ones(3)); end when;
end M;)");
  EXPECT_EQ(model.when_clauses()[0].branches[0].actions.size(), 3u);
  EXPECT_EQ(error_codes("model M Real x(start = 1, fixed = true); equation der(x) = -x; "
                        "when time > 1 then reinit(x, ones(2)); end when; end M;"),
            "type-mismatch");
}

TEST(Legal, reinit_belongs_to_equations) {
  EXPECT_EQ(error_codes("model M Real x(start = 1, fixed = true); equation der(x) = -x; "
                        "algorithm when time > 1 then reinit(x, 1); end when; end M;"),
            "misplaced-call");
}

TEST(Legal, terminate_may_stand_in_an_if_equation) {
  const Model model = load_ok(R"(
model M
  Real x(start = 2, fixed = true);
equation
  der(x) = -x;
  if x < 1 then terminate("low"); end if;
end M;)");
  ASSERT_EQ(model.when_clauses().size(), 1u);
  const WhenAction& action = model.when_clauses()[0].branches[0].actions[0];
  EXPECT_EQ(action.kind, WhenAction::Kind::kTerminate);
  EXPECT_EQ(action.message, "low");
}

// ---- interfaces ----

TEST(Legal, inputs_inside_of_connectors_of_the_model_keep_their_start_value) {
  const Model model = load_ok(R"(
connector Plug input Real cmd(start = 3); output Real state; end Plug;
model M
  Plug port[2];
equation
  for i in 1:2 loop port[i].state = i*port[i].cmd; end for;
end M;)");
  EXPECT_EQ(definition(model, "port[1].cmd"), "3");
  EXPECT_EQ(definition(model, "port[2].state"), "2*port[2].cmd");
}

TEST(Legal, outer_classes_stand_for_inner_ones) {
  const Model model = load_ok(R"(
partial block Law input Real u; output Real y; end Law;
block Square extends Law; equation y = u^2; end Square;
model Part outer block R = Law; R r(u = time); end Part;
model M inner block R = Square; Part part; end M;)");
  EXPECT_EQ(definition(model, "part.r.y"), "part.r.u^2");
}

// ---- functions ----

TEST(Legal, outputs_that_nobody_needs_may_stay_without_a_value) {
  const std::string function =
      "function f input Real x; output Real y; output Real z; algorithm y := 2*x; end f; ";
  EXPECT_EQ(warnings_of(function + "model M Real y = f(time); end M;"), "unassigned-output");
  EXPECT_EQ(error_codes(function + "model M Real y, z; equation (y, z) = f(time); end M;"),
            "type-mismatch");
}

// Where the branch is not taken the output has no value: that is watched.
TEST(Legal, outputs_of_one_branch_are_watched) {
  const Model model = load_ok(
      "function f input Real x; output Real y; algorithm if x > 1 then y := 2*x; end if; end f; "
      "model M Real y = f(time); end M;");
  ASSERT_EQ(model.assertions().size(), 1u);
  EXPECT_EQ(model.assertions()[0].message, "`f` gives its output `y` no value");
  EXPECT_EQ(error_codes("function f input Real x; output Real y; algorithm "
                        "if x > 1 then y := 2*x; end if; end f; model M Real y = f(0); end M;"),
            "unassigned-variable");
}

// ---- texts ----

TEST(Legal, strings_follow_their_options) {
  const Model model = load_ok(R"(
model M
  type E = enumeration(low, high);
  parameter Boolean a = String(7, minimumLength = 3, leftJustified = false) == "  7",
    b = String(3.14159265, significantDigits = 3) == "3.14",
    c = String(2.5, format = "8.3f") == "   2.500",
    d = String(E.high) == "high",
    e = String(true, minimumLength = 6) == "true  ",
    f = String(255, format = "x") == "ff";
end M;)");
  for (const char* name : {"a", "b", "c", "d", "e", "f"})
    EXPECT_EQ(definition(model, name), "true") << name;
  EXPECT_EQ(error_codes("model M parameter String s = String(1.5, format = \"%n\"); end M;"),
            "string-format");
  EXPECT_EQ(error_codes("model M parameter String s = String(true, format = \"d\"); end M;"),
            "no-such-argument");
}

TEST(Legal, texts_that_change_are_no_values) {
  EXPECT_EQ(error_codes("model M parameter String s = String(time); end M;"),
            "not-a-parameter-expression");
  EXPECT_EQ(error_codes("model M Boolean b = String(time) == \"1\"; end M;"), "type-mismatch");
}

// ---- numbers ----

TEST(Legal, integers_are_exact) {
  EXPECT_EQ(error_codes("model M parameter Integer n = 9007199254740993; end M;"),
            "integer-overflow");
  EXPECT_EQ(error_codes("model M parameter Integer n = 3000000000*4000000000; end M;"),
            "integer-overflow");
  EXPECT_EQ(definition(load_ok("model M parameter Integer n = 9007199254740992; end M;"), "n"),
            "9007199254740992.0");
}

// ---- variability ----

TEST(Legal, pre_is_for_what_changes_at_events) {
  EXPECT_EQ(error_codes("model M Real x = time; Real y = pre(x); end M;"), "pre-of-continuous");
  EXPECT_EQ(error_codes("model M Real x(start = 1, fixed = true); initial equation pre(x) = 4; "
                        "equation der(x) = -x; end M;"),
            "pre-of-continuous");
  EXPECT_EQ(error_codes("model M Real x(start = 1, fixed = true); discrete Real y(start = 0); "
                        "equation der(x) = -x; when time > 1 then y = pre(x); end when; end M;"),
            "");
}

TEST(Legal, discrete_reals_get_their_value_in_when_clauses) {
  EXPECT_EQ(
      error_codes("model M discrete Real d; equation d = if time > 0.3 then 5 else 4; end M;"),
      "discrete-without-when");
}

// ---- streams ----

// One inflow of 2 with h = 1200 and two outflows into h = 300: exactly 1200 behind both, although
// the second might reverse.
TEST(Legal, closed_branches_are_not_mixed_in) {
  const Model model = load_ok(R"(
connector Port Real p; flow Real m; stream Real h; end Port;
model Source parameter Real rate; parameter Real h; Port port;
  equation port.m = -rate; port.h = h; end Source;
model M
  Source a(rate = 2, h = 1200), b(rate = -1, h = 300);
  model Sink parameter Real h; Port port; Real inside = inStream(port.h);
    equation port.p = 0; port.h = h; end Sink;
  Sink c(h = 300);
equation
  connect(a.port, b.port); connect(a.port, c.port);
end M;)");
  // What c sees: 2 of a, nothing of b, which takes 1 itself.
  const std::map<std::string, double> values = {
      {"a.port.m", -2}, {"b.port.m", 1}, {"a.port.h", 1200}, {"b.port.h", 300}, {"c.port.m", 1}};
  EXPECT_EQ(value_with(model, "c.inside", values), 1200);
}

// ---- syntax ----

TEST(Legal, annotations_may_come_first) {
  EXPECT_EQ(warnings_of("model M annotation(Icon()); Real x = 1; end M;"), "annotation-order");
}

}  // namespace
}  // namespace hydae

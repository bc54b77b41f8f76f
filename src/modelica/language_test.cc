// Parts of the language beyond the traps: buses, streams, overdetermined connectors, operator
// records, functions that are not inlined.
#include <cmath>
#include <gtest/gtest.h>

#include <hydae/modelica.h>

#include "expr/evaluate.h"
#include "modelica/models_testing.h"

namespace hydae {
namespace {

// ---- functions ----

// The number of halvings until the argument is below one: 5.5 -> 2.75 -> 1.375 -> 0.6875.
const std::string kHalvings = R"(
function halvings input Real x; output Integer n; output Real rest;
algorithm n := 0; rest := x;
  while rest >= 1 loop rest := rest/2; n := n + 1; end while;
end halvings;)";

TEST(FunctionPrograms, count_the_turns_of_a_loop) {
  const Model model = load_ok(kHalvings + R"(
    model M Real n, rest; equation (n, rest) = halvings(time); end M;)");
  EXPECT_EQ(value_at(model, "n", 5.5), 3);
  EXPECT_EQ(value_at(model, "rest", 5.5), 0.6875);
  EXPECT_EQ(value_at(model, "n", 0.5), 0);
}

TEST(FunctionPrograms, are_differentiated_through_their_loops) {
  // Around 5.5 the rest is x/8.
  const Model model = load_ok(kHalvings + R"(
    function rest_of input Real x; output Real y; protected Integer n;
    algorithm (n, y) := halvings(x); y := y^2; end rest_of;
    model M Real y = rest_of(time); end M;)");
  ASSERT_EQ(model.functions().size(), 1u);
  const Function& function = model.functions()[FunctionId(0)];
  const double x = 5.5;
  double slope = 0;
  function.jacobian(std::span(&x, 1), std::span(&slope, 1));
  EXPECT_DOUBLE_EQ(slope, 2 * x / 64);
}

TEST(FunctionPrograms, stop_at_break_and_return) {
  // Sum of 1, 2, ... up to the first multiple of four or until the sum passes the argument.
  const Model model = load_ok(R"(
    function f input Real x; output Real y; protected Integer i;
    algorithm
      y := 0; i := 0;
      while true loop
        i := i + 1;
        if y > x then y := -y; return; end if;
        if mod(i, 4) == 0 then break; end if;
        y := y + i;
      end while;
      y := y + 100;
    end f;
    model M Real y = f(time); end M;)");
  EXPECT_EQ(value_at(model, "y", 10), 106);  // 1 + 2 + 3, then break
  EXPECT_EQ(value_at(model, "y", 2), -3);    // 1 + 2 > 2
}

TEST(FunctionPrograms, run_loops_in_loops_with_changing_ranges) {
  // Sum of i*j for 1 <= j <= i <= n is (1 + ... ) = sum of i^2*(i + 1)/2: 1 + 6 + 18 = 25 for n
  // = 3.
  const Model model = load_ok(R"(
    function f input Real x; output Real s; protected Integer n;
    algorithm
      n := integer(x); s := 0;
      for i in 1:n loop for j in 1:i loop s := s + i*j; end for; end for;
    end f;
    model M Real y = f(time); end M;)");
  EXPECT_EQ(value_at(model, "y", 3.5), 25);
  EXPECT_EQ(value_at(model, "y", 0.5), 0);
}

TEST(FunctionPrograms, leave_loops_alone_that_are_not_reached) {
  // The loop of the first branch would not end for negative arguments.
  const Model model = load_ok(R"(
    function f input Real x; output Real y;
    algorithm
      y := x;
      if x > 0 then while y <> 0 loop y := max(y - 1, 0); end while; else y := 7; end if;
    end f;
    model M Real y = f(time); end M;)");
  EXPECT_EQ(value_at(model, "y", -1), 7);
  EXPECT_EQ(value_at(model, "y", 2.5), 0);
}

TEST(Functions, take_functions_as_arguments) {
  // Trapezoidal rule with two intervals on x^2*k over [0, 2], k = 3: 3*(0/2 + 1 + 4/2) = 9.
  const Model model = load_ok(R"(
    partial function F input Real x; output Real y; end F;
    function square extends F; input Real k; algorithm y := k*x^2; end square;
    function integral input F f; input Real a; input Real b; output Real s;
    algorithm s := (b - a)/2*(f(a)/2 + f((a + b)/2) + f(b)/2); end integral;
    model M Real y = integral(function square(k = 3), 0, 2*time); end M;)");
  EXPECT_DOUBLE_EQ(value_at(model, "y", 1), 9);
}

TEST(Functions, evaluate_declarations_in_the_order_they_need) {
  const Model model = load_ok(R"(
    function f input Real x[:]; output Real y = k*n; protected Real k = 2*n; Integer n = size(x, 1);
    algorithm end f;
    model M Real y = f({time, 1, 2}); end M;)");
  EXPECT_EQ(definition(model, "y"), "18");
}

TEST(Functions, repeat_the_published_random_numbers) {
  // xorshift64*: x = 1 becomes ((1 ^ 2^25) ^ (1 ^ 2^25) >> 27) * 2685821657736338717 mod 2^64.
  const Model model = load_ok(R"(
    function random input Integer stateIn[2]; output Real result; output Integer stateOut[2];
      external "C" ModelicaRandom_xorshift64star(stateIn, stateOut, result);
    end random;
    model M parameter Real r(fixed = false); parameter Integer s[2](each fixed = false);
    initial equation (r, s) = random({1, 0}); end M;)");
  const std::uint64_t x = (std::uint64_t{1} ^ std::uint64_t{1} << 25) * 2685821657736338717U;
  const double expected = static_cast<double>(static_cast<std::int64_t>(x)) * 0x1p-64 + 0.5;
  Graph& graph = model.graph();
  ASSERT_EQ(model.initial_equations().size(), 3u);
  EXPECT_EQ(graph.constant_value(model.initial_equations()[0].rhs.in(graph)), expected);
  EXPECT_EQ(graph.constant_value(model.initial_equations()[1].rhs.in(graph)),
            static_cast<std::int32_t>(static_cast<std::uint32_t>(x)));
}

// ---- operator records ----

const std::string kComplex = R"(
operator record C Real re; Real im;
  encapsulated operator 'constructor' import C;
    function fromReal input Real re; input Real im = 0; output C r(re = re, im = im); algorithm end fromReal;
  end 'constructor';
  encapsulated operator function '0' import C; output C r; algorithm r := C(0); end '0';
  encapsulated operator '-'
    function negate import C; input C a; output C r; algorithm r := C(-a.re, -a.im); end negate;
    function subtract import C; input C a; input C b; output C r;
    algorithm r := C(a.re - b.re, a.im - b.im); end subtract;
  end '-';
  encapsulated operator function '+' import C; input C a; input C b; output C r;
  algorithm r := C(a.re + b.re, a.im + b.im); end '+';
  encapsulated operator function '*' import C; input C a; input C b; output C r;
  algorithm r := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re); end '*';
end C;
operator record V = C(re(unit = "V"), im(unit = "V"));)";

TEST(Functions, assert_where_their_result_counts) {
  const std::string function = R"(
function root input Real x; output Real y;
algorithm
  assert(x >= 0, "negative");
  if x > 1 then y := large(x); else y := sqrt(x); end if;
end root;
function large input Real x; output Real y;
algorithm assert(x < 100, "too large"); y := sqrt(x);
end large;
)";
  const auto assertions = [&](const std::string& model) {
    const Model m = load_ok(function + "model M " + model + " end M;", "M");
    std::string out;
    for (const Assertion& assertion : m.assertions())
      out += m.to_string(assertion.condition) + ": " + assertion.message + "\n";
    return out;
  };
  EXPECT_EQ(assertions("Real y = root(time);"),
            "noEvent(time >= 0): negative\n"
            "not noEvent(time > 1) or noEvent(time < 100): too large\n");
  EXPECT_EQ(assertions("Real y = if time > 5 then root(-time) else 0;"),
            "not time > 5 or noEvent(-time >= 0): negative\n"
            "not (time > 5 and noEvent(-time > 1)) or noEvent(-time < 100): too large\n");
  EXPECT_EQ(assertions("Real y = root(4);"), "");
  EXPECT_EQ(
      assertions("Real y(start = 0); equation when time > 1 then y = root(pre(y)); end when;"), "");
  EXPECT_EQ(error_codes(function + "model M Real y = root(-4); end M;"), "assertion-failed");
}

TEST(Aliases, what_equals_a_sampled_variable_changes_at_events_only) {
  const Model m = load_ok(R"(model M Real d(start = 0, fixed = true), x, y, z;
equation x = d; y = -x; z = sqrt(x);
when sample(0, 1) then d = time; end when; end M;)");
  EXPECT_EQ(definition(m, "y"), "-d");
  EXPECT_EQ(definition(m, "x"), "d");
  EXPECT_EQ(m.num_variables(), 2u);  // d and z
}

TEST(OperatorRecords, choose_the_function_by_the_operands) {
  // -(1 + 2i) - 3 = -4 - 2i
  const Model model = load_ok(kComplex + "model M C z = -C(1, 2) - 3; end M;");
  EXPECT_EQ(definition(model, "z.re"), "-4");
  EXPECT_EQ(definition(model, "z.im"), "-2");
}

TEST(OperatorRecords, work_on_arrays_and_through_short_classes) {
  // 2*{1 + i, 3} - {i, 1} = {2 + i, 5}; the sum is 7 + i.
  const Model model = load_ok(kComplex + R"(
    model M V a[2] = 2*{C(1, 1), C(3)} - {C(0, 1), C(1)}; C s = sum(a); end M;)");
  EXPECT_EQ(definition(model, "a[1].re"), "2");
  EXPECT_EQ(definition(model, "a[2].re"), "5");
  EXPECT_EQ(definition(model, "s.re"), "a[1].re + a[2].re");
}

TEST(OperatorRecords, say_which_operator_is_missing) {
  EXPECT_EQ(error_codes(kComplex + "model M C z = C(1)/C(2); end M;"), "no-operator");
}

// ---- buses ----

const std::string kBus = R"(
connector In = input Real; connector Out = output Real; expandable connector Bus end Bus;
block Src parameter Real k = 1; Out y = k*time; end Src;
block Snk In u; Real z = 2*u; end Snk;)";

TEST(Buses, pass_elements_on_through_connected_buses) {
  const Model model = load_ok(kBus + R"(
    model A Src s; Bus b; equation connect(s.y, b.speed); end A;
    model B Snk k; Bus b; equation connect(b.speed, k.u); end B;
    model M A a; B b; Bus bus; equation connect(a.b, bus); connect(bus, b.b); end M;)");
  EXPECT_EQ(definition(model, "b.k.z"), "2*bus.speed");
  EXPECT_EQ(definition(model, "b.b.speed"), "bus.speed");
}

TEST(Buses, hold_buses) {
  const Model model = load_ok(kBus + R"(
    expandable connector Main Bus sub; Real unused; end Main;
    model A Src s; Main b; equation connect(s.y, b.sub.speed); end A;
    model B Snk k; Main b; equation connect(b.sub.speed, k.u); end B;
    model M A a; B b; equation connect(a.b, b.b); end M;)");
  EXPECT_EQ(definition(model, "b.k.z"), "2*a.s.y");
  EXPECT_FALSE(model.find_variable("a.b.unused"));
}

TEST(Buses, need_to_know_what_an_element_is) {
  EXPECT_EQ(error_codes(kBus + R"(
    model M Bus a; Bus b; equation connect(a.x, b.y); end M;)"),
            "undeclared-bus-element undeclared-bus-element");
}

// ---- streams ----

TEST(Streams, leave_out_connectors_that_nothing_can_come_from) {
  // The third connector takes only: it is no source, so the first two see each other.
  const Model model = load_ok(R"(
    connector F Real p; flow Real m; stream Real h; end F;
    model A parameter Real h0 = 1; F f; Real hin = inStream(f.h);
    equation f.h = h0; f.p = h0 - f.m; end A;
    model T F f(m(min = 0)); equation f.h = 0; f.m = 1; end T;
    model M A a; A b; T t; equation connect(a.f, b.f); connect(b.f, t.f); end M;)");
  EXPECT_EQ(definition(model, "b.f.h"), "a.hin");
  EXPECT_EQ(definition(model, "a.f.h"), "b.hin");
}

TEST(Streams, carry_on_through_a_connector_of_the_model_around) {
  const Model model = load_ok(R"(
    connector F Real p; flow Real m; stream Real h; end F;
    model A parameter Real h0 = 1; F f; Real hin = inStream(f.h);
    equation f.h = h0; f.p = h0 - f.m; end A;
    model W F c; A a(h0 = 5); equation connect(c, a.f); end W;
    model M W w; A x; equation connect(w.c, x.f); end M;)");
  EXPECT_EQ(definition(model, "w.a.hin"), "x.f.h");
  EXPECT_EQ(definition(model, "w.c.h"), "x.hin");
}

// ---- overdetermined connectors ----

TEST(Overdetermined, a_loop_gets_the_constraint_instead_of_the_equality) {
  // Source, two lines and a joint in a ring: 35 unknowns. Without the last connection 33 equations
  // hold; the two residuals of the constraint stand in for its three equalities.
  const Model model = load_ok(R"(
    record R Real a; Real b; Real c;
      function equalityConstraint input R x; input R y; output Real residue[2];
      algorithm residue := {x.a - y.a, x.b + y.b}; end equalityConstraint;
    end R;
    connector P R r; Real v; flow Real i; end P;
    model Src P p; equation Connections.root(p.r); p.r = R(1, 2, 3); p.v = 1; end Src;
    partial model Two P p, n; equation Connections.branch(p.r, n.r);
      p.v - n.v = p.i; 0 = p.i + n.i; n.r.c = p.r.c + 1; end Two;
    model Line extends Two;
    equation if Connections.rooted(p.r) then n.r.a = p.r.a; else 0 = 1; end if; n.r.b = p.r.b; end Line;
    model Joint extends Two; end Joint;
    model M Src s; Line a, b; Joint c;
    equation connect(s.p, a.p); connect(a.n, b.p); connect(b.n, c.p); connect(c.n, a.p);
    end M;)");
  EXPECT_EQ(definition(model, "c.n.r.a"), "s.p.r.a");
  EXPECT_EQ(definition(model, "c.n.r.b"), "-s.p.r.b");
  EXPECT_EQ(definition(model, "c.n.r.c"), "b.n.r.c + 1");
}

TEST(Overdetermined, needs_a_root) {
  EXPECT_EQ(error_codes(R"(
    type A extends Real; function equalityConstraint input A a; input A b; output Real r[0];
      algorithm end equalityConstraint; end A;
    connector P A th; Real v; flow Real i; end P;
    model N P p; equation p.v = 1; end N;
    model M N a, b; equation connect(a.p, b.p); end M;)"),
            "connection-graph");
}

TEST(Functions, recursion_that_only_numbers_end) {
  // Halving the interval until the function hardly changes: both branches for a formula, one for a
  // number. The function is linear, so the rule of the midpoint is exact: 3*(4 - 0)/2 = 6.
  const Model model = load_ok(R"(
partial function Scalar input Real u; output Real y; end Scalar;
function line extends Scalar; input Real k; algorithm y := k*u; end line;
function integral input Scalar f; input Real a; input Real b; output Real s;
algorithm
  s := if f(b) - f(a) < 1 then (b - a)*f((a + b)/2)
       else integral(f, a, (a + b)/2) + integral(f, (a + b)/2, b);
end integral;
model M parameter Real k = 3; parameter Real s = integral(function line(k = k), 0, 2);
  Real x = s*time;
end M;
)",
                              "M");
  EXPECT_EQ(definition(model, "s"), "6");
}

}  // namespace
}  // namespace hydae

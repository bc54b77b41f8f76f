#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include <hydae/error.h>
#include <hydae/model.h>

#include "expr/incidence.h"

namespace hydae {
namespace {

using testing::ElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

template <class Action>
std::string message(Action action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Model, reads_back_what_was_said) {
  Model m("pendulum");
  Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
  Expr g = m.parameter("g", 9.81), L = m.parameter("L", 1.0);
  m.equation(der(x, 2) + x * lambda == 0);
  m.equation(der(y, 2) + y * lambda - g == 0);
  const EqId rod = m.equation(x * x + y * y == L * L, "rod");
  EXPECT_EQ(m.name(), "pendulum");
  EXPECT_EQ(m.num_variables(), 3u);
  EXPECT_EQ(m.num_equations(), 3u);
  EXPECT_EQ(m.equations()[EqId(0)].name, "f1");
  EXPECT_EQ(m.equations()[rod].name, "rod");
  EXPECT_EQ(m.to_string({m.graph(), m.residual(EqId(1))}), "der(y, 2) + y*lambda - g");
  EXPECT_EQ(m.to_string({m.graph(), m.residual(rod)}), "x^2 + y^2 - L^2");
  EXPECT_EQ(m.variable_name(VarId(1), 0), "y");
  EXPECT_EQ(m.variable_name(VarId(1), 1), "der(y)");
  EXPECT_EQ(m.variable_name(VarId(1), 2), "der(y, 2)");
  EXPECT_THAT(m.parameter_values(), ElementsAre(9.81, 1.0));
  EXPECT_THAT(incidence(m.graph(), m.residual(EqId(0))),
              ElementsAre(Leaf{VarId(0), 2}, Leaf{VarId(2), 0}));
}

TEST(Model, finds_by_name) {
  Model m;
  const std::vector<Expr> x = m.variables("x", 3);
  m.parameter("p", 2.0);
  m.alias({"y", VarId(1), -1, {}, {}, {}});
  EXPECT_EQ(m.find_variable("x[2]"), VarId(1));
  EXPECT_EQ(m.find_parameter("p"), ParamId(0));
  EXPECT_EQ(m.find_alias("y")->target, VarId(1));
  EXPECT_FALSE(m.find_variable("p") || m.find_variable("y") || m.find_variable("x"));
  EXPECT_FALSE(m.find_parameter("x[1]"));
  EXPECT_EQ(m.find_alias("p"), nullptr);
}

TEST(Model, a_copy_is_independent_but_shares_expressions) {
  Model m;
  const Expr x = m.variable("x");
  m.parameter("p", 2.0);
  Model copy = m;
  copy.set_parameter(ParamId(0), 3);
  copy.variable("y");
  copy.equation(x == 1);
  EXPECT_THAT(m.parameter_values(), ElementsAre(2.0));
  EXPECT_THAT(copy.parameter_values(), ElementsAre(3.0));
  EXPECT_FALSE(m.find_variable("y"));
  EXPECT_TRUE(copy.find_variable("y"));
  m.variable("y");  // no clash with the copy
}

TEST(Model, names_are_unique) {
  Model m;
  m.variable("x");
  m.parameter("p", 1.0);
  m.alias({"a", VarId(0), 1, {}, {}, {}});
  EXPECT_EQ(message([&] { m.variable("x"); }), "variable `x`: there is a variable of this name");
  EXPECT_EQ(message([&] { m.variable("p"); }), "variable `p`: there is a parameter of this name");
  EXPECT_EQ(message([&] { m.parameter("a", 1.0); }),
            "parameter `a`: there is an alias of this name");
  EXPECT_EQ(message([&] {
              m.alias({"x", VarId(0), 1, {}, {}, {}});
            }),
            "alias `x`: there is a variable of this name");
  EXPECT_EQ(message([&] { m.variable(""); }), "a variable must have a name");
}

TEST(Model, expressions_of_another_model_are_refused) {
  Model m, other;
  const Expr x = m.variable("x"), foreign = other.variable("y");
  EXPECT_EQ(message([&] { m.equation(foreign == 0, "law"); }),
            "equation `law`: an expression of another model");
  EXPECT_EQ(message([&] { m.equation(x == foreign); }),
            "equation `f1`: an expression of another model");
  EXPECT_EQ(message([&] { m.start(foreign, 0); }), "start value: an expression of another model");
  EXPECT_EQ(message([&] { m.start(x, foreign); }),
            "start value of `x`: an expression of another model");
  EXPECT_EQ(message([&] { m.equation(x + foreign == 0); }),
            "expressions of two models meet in one operation");
}

TEST(Model, equations_need_an_expression) {
  Model m;
  const Expr p = m.parameter("p", 1.0), x = m.variable("x");
  EXPECT_EQ(message([&] { m.equation(Expr(1) == 0); }),
            "equation `f1`: 1 == 0 contains no variable or parameter");
  EXPECT_EQ(message([&] { m.equation(x == kNan); }), "equation `f1`: nan is not a finite number");
  m.equation(p == 2);                                  // to be diagnosed by the analysis
  m.equation(Expr(m.graph(), m.graph().constant(1)));  // 1 == 0, written as such
  EXPECT_EQ(m.num_equations(), 2u);
}

TEST(Model, start_values_belong_to_a_variable_and_an_order) {
  Model m;
  const Expr x = m.variable("x"), p = m.parameter("p", 1.0);
  m.start(x, 1);
  m.fix(der(x), 2 * p);
  m.fix(x, 3);  // replaces the guess
  const auto& starts = m.all_variables()[VarId(0)].starts;
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_EQ(starts[0].order, 0);
  EXPECT_TRUE(starts[0].fixed);
  EXPECT_EQ(m.to_string(starts[0].value), "3");
  EXPECT_EQ(starts[1].order, 1);
  EXPECT_EQ(m.to_string(starts[1].value), "2*p");
  EXPECT_EQ(message([&] { m.start(x + 1, 0); }),
            "start value: `x + 1` is not a variable or a derivative of one");
  EXPECT_EQ(message([&] { m.fix(p, 0); }),
            "start value: `p` is not a variable or a derivative of one");
  EXPECT_EQ(message([&] { m.fix(der(x), x); }),
            "start value of `der(x)`: `x` depends on more than parameters");
  EXPECT_EQ(message([&] { m.start(x, kNan); }), "start value of `x`: nan is not a finite number");
  Variable bad;
  bad.name = "bad";
  bad.starts = {{-1, 0, false}};
  EXPECT_EQ(message([&] { m.variable(bad); }), "start value of `bad`: order -1 is negative");
  EXPECT_FALSE(m.find_variable("bad"));  // a variable that is refused is not there
}

TEST(Model, bounds_and_nominal_values_are_checked) {
  Model m;
  const Expr x = m.variable("x");
  m.bounds(x, -kInf, 5);
  EXPECT_EQ(m.all_variables()[VarId(0)].max->value(), 5);
  EXPECT_EQ(message([&] { m.bounds(x, 2, 1); }), "bounds of `x`: 2 to 1 is empty");
  EXPECT_EQ(message([&] { m.bounds(x, kNan, 1); }), "bounds of `x`: nan to 1 is empty");
  EXPECT_EQ(message([&] { m.bounds(der(x), 0, 1); }),
            "bounds of `der(x)`: only a variable itself has bounds");
  EXPECT_EQ(message([&] { m.nominal(x, 0); }),
            "nominal value of `x`: 0 is not a finite number other than 0");
}

TEST(Model, parameters_follow_their_bindings) {
  Model m;
  const Expr a = m.parameter("a", 2.0), b = m.parameter("b", 3 * a), c = m.parameter("c", 0.0);
  const Expr d = m.parameter("d", b + c);
  m.bind(c, a * a);  // declared before, bound after
  EXPECT_THAT(m.parameter_values(), ElementsAre(2, 6, 4, 10));
  m.set_parameter(ParamId(0), 1);
  EXPECT_THAT(m.parameter_values(), ElementsAre(1, 3, 1, 4));
  EXPECT_EQ(message([&] { m.set_parameter(ParamId(1), 1); }),
            "parameter `b` cannot be set: it is bound to `3*a`");
  EXPECT_EQ(message([&] { m.set_parameter(ParamId(0), kNan); }),
            "parameter `a`: the value is not a number");
  EXPECT_EQ(message([&] { m.set_parameter(ParamId(9), 1); }),
            "set_parameter: the model has no such parameter");
  const Expr x = m.variable("x");
  EXPECT_EQ(message([&] { m.bind(c, x + d); }),
            "parameter `c`: `x + d` depends on more than parameters");
  EXPECT_EQ(message([&] { m.bind(x, 1); }), "bind: `x` is not a parameter");
  Parameter shape;
  shape.name = "n";
  shape.is_structural = true;
  m.parameter(shape);
  EXPECT_EQ(message([&] { m.set_parameter(ParamId(4), 2); }),
            "parameter `n` cannot be set: its value shaped the model");
}

TEST(Model, a_cycle_of_bindings_is_named) {
  Model m;
  const Expr a = m.parameter("a", 1.0), b = m.parameter("b", 1.0), c = m.parameter("c", 1.0);
  m.bind(a, b + 1);
  m.bind(b, c * 2);
  m.bind(c, b - 1);
  try {
    m.parameter_values();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "error: parameter `b` depends on itself [parameter-cycle]\n"
                 "   note: b = 2*c\n"
                 "   note: c = b - 1\n");
  }
}

TEST(Model, an_undefined_binding_is_named) {
  Model m;
  const Expr a = m.parameter("a", -1.0);
  m.parameter("b", 1 + log(a));
  try {
    m.parameter_values();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "error: parameter `b` = `log(a) + 1` has no finite value [undefined-parameter]\n"
                 "   `log(a)` is undefined\n");
  }
}

TEST(Model, functions_are_called_with_what_they_take) {
  Model m;
  const Expr x = m.variable("x");
  const FunctionId f =
      m.function({"lib.f", 2, 1, [](auto in, auto out) { out[0] = in[0] + in[1]; }, {}, {}});
  const Expr both[] = {x, 2};
  EXPECT_EQ(m.to_string(m.call(f, both)), "lib.f(x, 2)");
  EXPECT_EQ(message([&] { m.call(f, std::span(both).first(1)); }),
            "function `lib.f` takes 2 arguments, not 1");
  EXPECT_EQ(message([&] { m.call(f, both, 1); }),
            "function `lib.f` has no output 1: outputs are 0 to 0");
  EXPECT_EQ(message([&] { m.call(FunctionId(3), both); }), "call: the model has no such function");
  EXPECT_EQ(message([&] { m.function({"g", 1, 1, {}, {}, {}}); }), "function `g` has no code");
  const Expr three = m.parameter("three", 3.0);
  const Expr numbers[] = {three, 2};
  m.parameter("sum", m.call(f, numbers));
  EXPECT_THAT(m.parameter_values(), ElementsAre(3, 5));
}

TEST(Model, aliases_point_to_variables) {
  Model m;
  m.variable("x");
  EXPECT_EQ(message([&] {
              m.alias({"y", VarId(1), 1, {}, {}, {}});
            }),
            "alias `y`: the model has no such variable");
  EXPECT_EQ(message([&] {
              m.alias({"y", VarId(0), 2, {}, {}, {}});
            }),
            "alias `y`: the factor must be 1 or -1, not 2");
}

TEST(Model, when_clauses_act_on_variables) {
  Model m;
  const Expr x = m.variable("x");
  Variable count;
  count.name = "n";
  count.kind = VariableKind::kInteger;
  const Expr n = m.variable(count);
  using Kind = WhenAction::Kind;
  const auto clause = [&](Kind kind, Expr target, Expr value) {
    WhenAction action;
    action.kind = kind;
    action.target = target;
    action.value = value;
    return WhenClause{{{{x < 0}, {action}}}, "", {}};
  };
  m.when(clause(Kind::kAssign, n, pre(n) + 1));
  m.when(clause(Kind::kReinit, x, -pre(x)));
  m.when(clause(Kind::kEquation, der(x), -0.5 * pre(der(x))));
  EXPECT_EQ(m.when_clauses().size(), 3u);
  EXPECT_EQ(message([&] { m.when(clause(Kind::kAssign, x, 1)); }),
            "when-clause 4: `x` is continuous and cannot be assigned; use reinit");
  EXPECT_EQ(message([&] { m.when(clause(Kind::kReinit, x + 1, 1)); }),
            "when-clause 4: `x + 1` is not a variable or a derivative of one");
  EXPECT_EQ(message([&] { m.when({}); }), "when-clause 4 has no branch");
  EXPECT_EQ(message([&] {
              m.when({{{{}, {}}}, "", {}});
            }),
            "when-clause 4 has a branch without a condition");
  EXPECT_EQ(m.to_string(der(n)), "0");  // held between events
}

// --- function templates
// ---------------------------------------------------------------------------

struct Pendulum {
  template <class T>
  void operator()(T t, const T* x, T* f) const {
    const T g = 9.8;
    f[0] = diff(x[0], 2) + x[0] * x[2];
    f[1] = diff(x[1], 2) + x[1] * x[2] - g;
    f[2] = pow(x[0], 2) + sqr(x[1]) - 100;
    f[2] += T(0.5) * sin(2 * t) - 0;
  }
};

TEST(Record, takes_a_function_template_as_it_is) {
  Model m;
  const auto x = record(m, Pendulum(), 3);
  EXPECT_EQ(x.size(), 3u);
  EXPECT_EQ(m.to_string({m.graph(), m.residual(EqId(0))}), "der(x[1], 2) + x[1]*x[3]");
  EXPECT_EQ(m.to_string({m.graph(), m.residual(EqId(1))}), "der(x[2], 2) + x[2]*x[3] - 9.8");
  EXPECT_EQ(m.to_string({m.graph(), m.residual(EqId(2))}),
            "x[1]^2 + x[2]^2 - 100 + 0.5*sin(2*time)");
}

template <class T>
void decay(T, const T* x, T* f, void* parameters) {
  f[0] = Diff(x[0], 1) + *static_cast<double*>(parameters) * x[0];
}

TEST(Record, passes_parameters_and_names_on) {
  Model m;
  double rate = 2;
  record(m, decay<Expr>, 1, {"u"}, &rate);
  EXPECT_EQ(m.to_string({m.graph(), m.residual(EqId(0))}), "der(u) + 2*u");
}

TEST(Record, names_the_equation_that_was_left_out) {
  Model m;
  const auto forgets = [](Expr, const Expr* x, Expr* f) { f[0] = x[0] + x[1]; };
  EXPECT_EQ(message([&] { record(m, forgets, 2); }),
            "equation `f2`: 0 == 0 contains no variable or parameter");
}

// --- size
// -----------------------------------------------------------------------------------------

TEST(ModelSize, a_large_model_keeps_its_names_and_rows) {
  Model m;
  const int n = 100'000;
  const std::vector<Expr> x = m.variables("x", n);
  for (int i = 1; i < n; ++i) m.equation(der(x[i]) == x[i - 1] - x[i]);
  EXPECT_EQ(m.find_variable("x[77777]"), VarId(77776));
  EXPECT_EQ(m.equations()[EqId(n - 2)].name, "f99999");
  Incidence scratch;
  std::size_t num_entries = 0;
  for (EqId id : ids<EqId>(m.num_equations()))
    num_entries += scratch.of(m.graph(), m.residual(id)).size();
  EXPECT_EQ(num_entries, 2u * (n - 1));
}

// Forty squarings of a sum are 41 nodes and 2^40 letters: the text has an end, the graph goes on.
TEST(ModelSize, the_text_of_what_is_shared_often_is_cut) {
  Model m("Shared");
  Expr e = m.variable("x");
  for (int i = 0; i < 40; ++i) e = e * e + e;
  const std::string text = m.to_string(e);
  EXPECT_LE(text.size(), 10'003u);
  EXPECT_TRUE(text.ends_with("..."));
}

}  // namespace
}  // namespace hydae

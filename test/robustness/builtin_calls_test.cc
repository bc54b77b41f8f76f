// Calls of every predefined function with arguments of every kind: by position and by name, too few
// and too many, numbers, texts, Booleans, enumerations, records, arrays of these, of no elements,
// functions, ranges, comprehensions, `end`, in equations, bindings, functions and when-clauses.
#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "test/robustness/random_models.h"

namespace hydae {
namespace {

constexpr std::array kFunctions = {"der",
                                   "pre",
                                   "edge",
                                   "change",
                                   "initial",
                                   "terminal",
                                   "sample",
                                   "noEvent",
                                   "smooth",
                                   "semiLinear",
                                   "homotopy",
                                   "delay",
                                   "cardinality",
                                   "getInstanceName",
                                   "rooted",
                                   "inStream",
                                   "actualStream",
                                   "spatialDistribution",
                                   "previous",
                                   "hold",
                                   "Clock",
                                   "abs",
                                   "sign",
                                   "sqrt",
                                   "sin",
                                   "atan2",
                                   "exp",
                                   "log",
                                   "div",
                                   "mod",
                                   "rem",
                                   "ceil",
                                   "floor",
                                   "integer",
                                   "Integer",
                                   "String",
                                   "size",
                                   "ndims",
                                   "zeros",
                                   "ones",
                                   "fill",
                                   "identity",
                                   "linspace",
                                   "cat",
                                   "array",
                                   "promote",
                                   "min",
                                   "max",
                                   "sum",
                                   "product",
                                   "diagonal",
                                   "transpose",
                                   "symmetric",
                                   "skew",
                                   "scalar",
                                   "vector",
                                   "matrix",
                                   "cross",
                                   "outerProduct",
                                   "assert",
                                   "terminate",
                                   "reinit",
                                   "pure",
                                   "f",
                                   "g",
                                   "R",
                                   "E",
                                   "Connections.isRoot",
                                   "Connections.rooted",
                                   "noSuch"};

constexpr std::array kNames = {"n",
                               "x",
                               "actual",
                               "simplified",
                               "expr",
                               "delayTime",
                               "start",
                               "interval",
                               "significantDigits",
                               "minimumLength",
                               "leftJustified",
                               "format",
                               "a",
                               "k",
                               "condition",
                               "message"};

constexpr std::array kArguments = {"1",
                                   "-1",
                                   "0",
                                   "2.5",
                                   "1e300",
                                   "time",
                                   "x",
                                   "k",
                                   "n",
                                   "true",
                                   "b",
                                   "\"a\"",
                                   "s",
                                   "E.one",
                                   "e",
                                   "r",
                                   "rs",
                                   "c",
                                   "c.v",
                                   "v",
                                   "m",
                                   "{}",
                                   "{1, 2}",
                                   "{1, 2, 3}",
                                   "{{1, 2}, {3, 4}}",
                                   "{\"a\", \"b\"}",
                                   "{true, false}",
                                   "{r, r}",
                                   "{x, \"a\"}",
                                   "fill(1, 0)",
                                   "zeros(2, 0)",
                                   "[1, 2; 3, 4]",
                                   "[1, \"a\"]",
                                   "1:3",
                                   "3:1",
                                   "\"a\":\"c\"",
                                   "{i for i in 1:2}",
                                   "i for i in 1:2",
                                   "f",
                                   "function g(k = 2)",
                                   "f(x)",
                                   "g(x)",
                                   "h(x)",
                                   "R(1, 2)",
                                   "(1, 2)",
                                   "(x)",
                                   "if b then 1 else 2",
                                   "if b then \"a\" else \"b\"",
                                   "end",
                                   "v[end]",
                                   "v[0]",
                                   "v[n]",
                                   "m[:, 1]",
                                   "v[b]",
                                   "x > 1",
                                   "not b",
                                   "der(x)",
                                   "pre(k)",
                                   "{f(x), 1}",
                                   "rs.p",
                                   "rs[1].q",
                                   "1/0",
                                   "0/0",
                                   "2^0.5",
                                   "AssertionLevel.warning",
                                   "noSuch",
                                   "M",
                                   "Real"};

class Calls {
 public:
  explicit Calls(std::uint32_t seed) : random_(seed) {}

  std::string model() {
    std::string text = kHead;
    text += fmt::format("  {} y{} = {};\n", random_.pick(kTypes), random_.pick(kSizes), call(2));
    text += "equation\n  der(x) = -x;\n";
    switch (random_.below(5)) {
      case 0: text += fmt::format("  when {} then k = {}; end when;\n", call(1), call(1)); break;
      case 1:
        text += fmt::format("  for j in {} loop z = {}; end for;\n", argument(), call(1));
        break;
      case 2:
        text += fmt::format("  if {} then z = {}; else z = {}; end if;\n", argument(), call(1),
                            call(1));
        break;
      case 3: text += fmt::format("  {};\n  z = 1;\n", call(1)); break;
      default: text += fmt::format("  z = {};\n", call(2)); break;
    }
    if (random_.one_in(4))
      text += fmt::format("algorithm\n  w := {};\n  w := if {} then {} else w;\n", call(1),
                          argument(), call(1));
    return text + "end M;\n";
  }

 private:
  static constexpr const char* kHead = R"(
type E = enumeration(one, two);
record R Real p; Integer q; end R;
connector C Real v; flow Real i; stream Real h; end C;
function f input Real a; output Real y; algorithm y := 2*a; end f;
function g input Real a; input Integer k = 1; output Real y[2]; output String s;
  algorithm y := {a, k}; s := "t"; end g;
function h input Real a; end h;
model M
  parameter Integer n = 2;
  parameter String s = "text";
  Real x(start = 1, fixed = true), z, w;
  discrete Integer k(start = 1, fixed = true);
  Boolean b = x > 0.5;
  E e = if b then E.one else E.two;
  R r(p = x, q = 3), rs[2](p = {x, 1}, q = {1, 2});
  C c;
  Real v[3] = {x, 1, 2}, m[2, 2] = {{1, x}, {x, 1}};
)";
  static constexpr std::array kTypes = {"Real",
                                        "Integer",
                                        "Boolean",
                                        "parameter Real",
                                        "parameter Integer",
                                        "parameter String",
                                        "constant Real",
                                        "E",
                                        "R",
                                        "discrete Real"};
  static constexpr std::array kSizes = {"", "", "", "[2]", "[:]", "[2, 2]", "[:, :]", "[0]", "[E]"};

  std::string argument() { return random_.pick(kArguments); }

  std::string call(int depth) {
    std::string out = std::string(random_.pick(kFunctions)) + "(";
    const int count = random_.below(4);
    for (int i = 0; i < count; ++i) {
      if (i > 0) out += ", ";
      const bool is_named = random_.one_in(4);
      if (is_named) out += std::string(random_.pick(kNames)) + " = ";
      out += depth > 0 && random_.one_in(3) ? call(depth - 1) : argument();
    }
    return out + ")";
  }

  Random random_;
};

TEST(BuiltinCalls, end_with_a_model_or_an_error) {
  const std::uint32_t seed = seed_of_run();
  SCOPED_TRACE(fmt::format("HYDAE_SEED={}", seed));
  int num_models = 0;
  for (int i = 0; i < num_cases(400); ++i) {
    Calls calls(seed * 1'000'003 + static_cast<std::uint32_t>(i));
    const std::string text = calls.model();
    if (expect_model_or_error(text) == Outcome::kModel) ++num_models;
    if (::testing::Test::HasFailure()) return;
  }
  RecordProperty("models", num_models);
}

// Every function with every argument, alone: what chance may leave out.
TEST(BuiltinCalls, of_every_single_argument_end_with_a_model_or_an_error) {
  for (const char* function : kFunctions)
    for (const char* argument : kArguments)
      for (const char* form : {"{}", "{}, 2", "2, {}", "{}, {}", "n = {}"}) {
        const std::string arguments = fmt::format(fmt::runtime(form), argument, argument);
        const std::string text = fmt::format(
            "type E = enumeration(one, two); record R Real p; Integer q; end R;\n"
            "connector C Real v; flow Real i; end C;\n"
            "function f input Real a; output Real y; algorithm y := 2*a; end f;\n"
            "function g input Real a; input Integer k = 1; output Real y[2]; output String s;\n"
            "  algorithm y := {{a, k}}; s := \"t\"; end g;\n"
            "function h input Real a; end h;\n"
            "model M parameter Integer n = 2; parameter String s = \"t\"; Real x(start = 1);\n"
            "  discrete Integer k(start = 1); Boolean b = x > 0.5; E e = E.one; R r(p = x, q = "
            "3),\n"
            "  rs[2](p = {{x, 1}}, q = {{1, 2}}); C c; Real v[3] = {{x, 1, 2}}, m[2, 2] = {{{{1, "
            "x}}, {{x, 1}}}};\n"
            "  Real y = {}({}); equation der(x) = -x; end M;",
            function, arguments);
        expect_model_or_error(text);
        if (::testing::Test::HasFailure()) return;
      }
}

}  // namespace
}  // namespace hydae

// Texts made to exhaust the front end: it ends with a message (or a model), soon. The time limit of
// the test program is the judge of "soon"; a text that needs memory without bound would be killed.
#include <gtest/gtest.h>
#include <random>

#include <hydae/modelica.h>

#include "modelica/models_testing.h"

namespace hydae {
namespace {

constexpr int kDeep = 10'000;

std::string repeated(const std::string& text, int count = kDeep) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

// `text` with %i and %j for the number i and the one before, for i = first .. last.
std::string numbered(const std::string& text, int first, int last) {
  std::string out;
  for (int i = first; i <= last; ++i) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '%') {
        out += text[at];
        continue;
      }
      ++at;
      out += std::to_string(text[at] == 'j' ? i - 1 : i);
    }
  }
  return out;
}

std::string in_model(const std::string& value) { return "model M Real x = " + value + "; end M;"; }

// ---- nesting ----

TEST(Robustness, expressions_nested_ten_thousand_deep_are_read) {
  EXPECT_EQ(error_codes(in_model(repeated("(") + "1" + repeated(")"))), "");
  EXPECT_EQ(error_codes(in_model(repeated("-(") + "time" + repeated(")"))), "");
  EXPECT_EQ(error_codes(in_model(repeated("sin(") + "time" + repeated(")"))), "");
  EXPECT_EQ(error_codes(in_model(repeated("if time > 1 then 1 else ") + "2")), "");
  EXPECT_EQ(error_codes(in_model(repeated("time + ") + "2")), "");
  EXPECT_EQ(error_codes(in_model("sum(" + repeated("{") + "1" + repeated("}") + ")")), "");
}

TEST(Robustness, equations_nested_ten_thousand_deep_are_read) {
  EXPECT_EQ(error_codes("model M Real x; equation " + repeated("if time > 1 then ") + "x = 1; " +
                        repeated("else x = 2; end if; ") + "end M;"),
            "");
  EXPECT_EQ(error_codes("model M Real x; equation " + numbered("for i%i in 1:1 loop ", 1, kDeep) +
                        "x = 1; " + repeated("end for; ") + "end M;"),
            "");
}

TEST(Robustness, chains_of_ten_thousand_parameters_are_followed) {
  EXPECT_EQ(error_codes("model M parameter Integer p0 = 1; " +
                        numbered("parameter Integer p%i = p%j; ", 1, kDeep) + "Real x[p" +
                        std::to_string(kDeep) + "] = {time}; end M;"),
            "");
}

TEST(Robustness, classes_nested_too_deeply_are_an_error) {
  EXPECT_EQ(error_codes("model M0 Real x = 1; end M0;\n" +
                        numbered("model M%i extends M%j; end M%i;\n", 1, kDeep)),
            "nested-too-deeply");
  EXPECT_EQ(error_codes("model M0 Real x = 1; end M0;\n" +
                        numbered("model M%i M%j m; end M%i;\n", 1, kDeep)),
            "nested-too-deeply");
  EXPECT_EQ(error_codes("type T0 = Real;\n" + numbered("type T%i = T%j;\n", 1, kDeep) +
                        "model M T" + std::to_string(kDeep) + " x = 1; end M;"),
            "nested-too-deeply");
  EXPECT_EQ(error_codes("function f0 input Real x; output Real y = x; end f0;\n" +
                        numbered("function f%i input Real x; output Real y = f%j(x); end f%i;\n", 1,
                                 kDeep) +
                        in_model("f" + std::to_string(kDeep) + "(time)")),
            "call-depth");
}

// ---- cycles ----

TEST(Robustness, inheritance_in_a_circle_is_an_error) {
  EXPECT_EQ(error_codes("model A extends A; end A;"), "cyclic-extends");
  EXPECT_EQ(error_codes("model A extends B; end A; model B extends A; end B;"), "cyclic-extends");
  EXPECT_EQ(error_codes("type A = B; type B = A; model M A x = 1; end M;"), "cyclic-extends");
  EXPECT_EQ(error_codes("model A model B extends A; end B; extends B; end A;"), "cyclic-extends");
}

TEST(Robustness, a_class_that_contains_itself_is_an_error) {
  EXPECT_EQ(error_codes("model A A a; end A;"), "recursive-component");
  EXPECT_EQ(error_codes("model A B b[2]; end A; model B A a[2]; end B;"), "recursive-component");
  EXPECT_EQ(error_codes("model A replaceable model T = B; T t; end A; model B end B; "
                        "model M A a(redeclare model T = M); end M;"),
            "recursive-component");
}

TEST(Robustness, sizes_and_conditions_that_need_themselves_are_errors) {
  EXPECT_EQ(error_codes("model M Real x[size(x, 1)]; end M;"), "cyclic-size");
  EXPECT_EQ(error_codes("model M parameter Integer n = size(x, 1); Real x[n] = {1, 2}; end M;"),
            "cyclic-size");
  EXPECT_EQ(error_codes("model M Real x[:] = x; end M;"), "cyclic-size");
  EXPECT_EQ(error_codes("model A Real x = 1; end A; model M A a if a.x > 0; end M;"),
            "cyclic-size");
}

TEST(Robustness, values_that_need_themselves_are_errors) {
  EXPECT_EQ(error_codes("package P constant Real a = b; constant Real b = a; end P; "
                        "model M Real y = P.a; end M;"),
            "cyclic-binding");
  EXPECT_EQ(error_codes("model M Real x(start = x); equation der(x) = 1; end M;"),
            "attribute-variability");
  EXPECT_EQ(error_codes("package P import Q.x; end P; package Q import P.x; end Q; "
                        "model M import P.x; Real y = x; end M;"),
            "import-not-found");
}

// ---- growth ----

TEST(Robustness, models_that_double_at_every_level_are_an_error) {
  EXPECT_EQ(error_codes("model M0 Real x = 1; end M0;\n" +
                        numbered("model M%i M%j a, b; end M%i;\n", 1, 40)),
            "model-too-large");
  EXPECT_EQ(error_codes("model M0 Real x = 1; end M0;\n" +
                        numbered("model M%i extends M%j; extends M%j; end M%i;\n", 1, 40)),
            "model-too-large");
  EXPECT_EQ(error_codes("model A Real x = 1; end A; model M A a[1000, 1000]; end M;"),
            "model-too-large");
}

TEST(Robustness, gigantic_arrays_are_an_error) {
  EXPECT_EQ(error_codes("model M Real x[1000000000]; end M;"), "array-size");
  EXPECT_EQ(error_codes("model M Real x[100000, 100000]; end M;"), "array-size");
  EXPECT_EQ(error_codes("model M Real x[-1]; end M;"), "array-size");
  for (const char* value :
       {"zeros(100000, 100000)", "fill(1.0, 1000000000)", "identity(100000)", "1:1000000000",
        "i*time for i in 1:1000000000", "linspace(0, 1, 1000000000)"})
    EXPECT_EQ(error_codes(in_model("sum(" + std::string(value) + ")")), "array-size") << value;
  EXPECT_EQ(error_codes("function f output Integer n; protected Real x[:] = {1.0}; algorithm "
                        "for i in 1:60 loop x := cat(1, x, x); end for; n := size(x, 1); end f; "
                        "model M constant Integer n = f(); Real y = n; end M;"),
            "array-size");
  EXPECT_EQ(error_codes("function f output Integer n; protected String s = \"a\"; algorithm "
                        "for i in 1:60 loop s := s + s; end for; n := 1; end f; "
                        "model M constant Integer n = f(); Real y = n; end M;"),
            "string-too-long");
}

TEST(Robustness, endless_functions_are_an_error) {
  const std::string kLoop = "function f input Real x; output Real y = x; algorithm ";
  EXPECT_EQ(
      error_codes(kLoop + "while true loop y := y + 1; end while; end f; " + in_model("f(1)")),
      "too-many-steps");
  EXPECT_EQ(
      error_codes("function f input Real x; output Real y = f(x + 1); end f; " + in_model("f(1)")),
      "call-depth");
  EXPECT_EQ(error_codes("function f input Real x; output Real y = f(x + 1); end f; " +
                        in_model("f(time)")),
            "call-depth");
  EXPECT_EQ(error_codes("function f input Integer n; output Integer y = if n < 2 then n else "
                        "f(n - 1) + f(n - 2); end f; " +
                        in_model("f(60)*time")),
            "too-many-steps");
}

TEST(Robustness, huge_numbers_are_errors_or_infinite) {
  EXPECT_EQ(error_codes("model M Integer i = 99999999999999999999999; Real x = 1; end M;"),
            "syntax");
  EXPECT_EQ(error_codes("model M Real x[1e300]; end M;"), "type-mismatch");
  EXPECT_NE(error_codes("model M parameter Integer n = 2147483647; Real z[n + 1]; end M;"), "");
}

// ---- no text at all ----

TEST(Robustness, empty_texts_have_no_model) {
  EXPECT_EQ(error_codes(""), "no-model");
  EXPECT_EQ(error_codes("\n // nothing \n"), "no-model");
  EXPECT_EQ(error_codes("\xef\xbb\xbf"), "no-model");
}

TEST(Robustness, bytes_that_are_no_text_are_errors) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::string text(5000, ' ');
    for (char& c : text) c = static_cast<char>(random() & 0xff);
    EXPECT_NE(error_codes(text), "");
    EXPECT_NE(error_codes("model M Real x = 1; " + text + " end M;"), "");
  }
  EXPECT_NE(error_codes(std::string("model M Real x\0 = 1; end M;", 27)), "");
}

TEST(Robustness, a_function_cannot_read_time) {
  EXPECT_EQ(error_codes("function f input Real x; output Real y; algorithm y := x*time; end f;\n"
                        "model M Real a = f(1); end M;"),
            "time-in-function");
}

TEST(Robustness, an_array_of_numbers_and_truths_is_refused) {
  EXPECT_EQ(error_codes("model M Real x[2] = {0, true}; end M;"), "type-mismatch");
}

TEST(Robustness, a_number_of_friction_is_no_law_of_a_contact) {
  EXPECT_EQ(error_codes("model M Real h(start = 1, fixed = true), w(start = 0, fixed = true), F;\n"
                        "equation der(h) = w; der(w) = F - 10; contact(h, F, 0.5, \"friction\"); "
                        "end M;"),
            "contact-law");
}

}  // namespace
}  // namespace hydae

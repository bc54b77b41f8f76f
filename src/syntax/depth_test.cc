// Text nested far deeper than the processor's stack would allow.
#include <gtest/gtest.h>
#include <string>

#include "syntax/parsed.h"

namespace hydae::syntax {
namespace {

std::string repeated(const std::string& text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

std::string nested(const char* open, const char* inside, const char* close, int depth) {
  return repeated(open, depth) + inside + repeated(close, depth);
}

std::string binding(const std::string& expression) {
  return "model A Real x = " + expression + "; end A;";
}

// Parses without a message; what is printed reads as the same.
void expect_readable(const std::string& text) {
  const Parsed first(text);
  EXPECT_EQ(first.messages().substr(0, 1000), "") << text.substr(0, 60);
  const Parsed second(first.print());
  EXPECT_TRUE(second.file.diagnostics.empty()) << text.substr(0, 60);
  EXPECT_TRUE(second.print() == first.print()) << text.substr(0, 60);
}

TEST(Depth, a_million_nested_parentheses) {
  expect_readable(binding(nested("(", "1", ")", 1'000'000)));
}

TEST(Depth, a_sum_of_a_million_terms) {
  expect_readable(binding("1" + repeated(" + x", 1'000'000)));
}

TEST(Depth, expressions_of_every_kind_nest_a_hundred_thousand_deep) {
  constexpr int kDepth = 100'000;
  for (const auto& [open, close] :
       {std::pair("-(", ")"), std::pair("f(1, ", ")"), std::pair("f(a = ", ")"),
        std::pair("{", "}"), std::pair("[1; ", "]"), std::pair("x[", "]"), std::pair("(2, ", ")"),
        std::pair("sum(", " for i in x)"), std::pair("{i for i in ", "}"),
        std::pair("if a then 1 else ", ""), std::pair("if ", " then 1 else 2"),
        std::pair("if a then ", " else 2"), std::pair("1 + (2:", ")"),
        std::pair("f(function g(a = ", "))")})
    expect_readable(binding(nested(open, "y", close, kDepth)));
}

TEST(Depth, classes_modifications_and_blocks_nest_ten_thousand_deep) {
  constexpr int kDepth = 10'000;
  expect_readable(nested("model A ", "", "end A; ", kDepth));
  expect_readable("model A B b" + nested("(c", "", ")", kDepth) + "; end A;");
  expect_readable("model A B b" + nested("(redeclare model C = D", "", ")", kDepth) + "; end A;");
  expect_readable("model A B b" + nested("(redeclare C c", "", ")", kDepth) + "; end A;");
  expect_readable("model A annotation" + nested("(a = 1, b", "", ")", kDepth) + "; end A;");
  expect_readable("model A equation " + nested("if a then ", "x = 1;", " end if;", kDepth) +
                  "end A;");
  expect_readable("model A equation " + nested("for i loop ", "", " end for;", kDepth) + "end A;");
  expect_readable("model A algorithm " + nested("while a loop ", "", " end while;", kDepth) +
                  "end A;");
  expect_readable("model A algorithm " + nested("when a then ", "", " end when;", kDepth) +
                  "end A;");
}

TEST(Depth, long_lists_are_read_in_linear_time) {
  constexpr int kLength = 300'000;
  expect_readable(binding("f(1" + repeated(", 1", kLength) + ")"));
  expect_readable(binding("sum(x for i" + repeated(", i", kLength) + ")"));
  expect_readable(binding("(a" + repeated(",", kLength) + ")"));
  expect_readable(binding("x" + repeated(".x", kLength)));
  expect_readable("model A Real x" + repeated(", x", kLength) + "; end A;");
  expect_readable("model A equation if a then " + repeated("elseif b then ", kLength) +
                  "end if; end A;");
  expect_readable(repeated("model A end A; ", kLength));
}

// What is open and never closed: one message, and an end.
TEST(Depth, unclosed_nesting_is_reported_once) {
  constexpr int kDepth = 100'000;
  for (const char* open :
       {"(", "f(", "{", "[", "x[", "if ", "if a then ", "f(a = ", "1 + (", "- ("}) {
    const Parsed parsed("model A Real x = " + repeated(open, kDepth));
    EXPECT_EQ(parsed.file.diagnostics.num_errors(), 1u) << open;
  }
  for (const char* open : {"model A ", "model A equation if a then ", "model A B b("}) {
    const Parsed parsed(repeated(open, kDepth));
    EXPECT_GE(parsed.file.diagnostics.num_errors(), 1u) << open;
  }
}

}  // namespace
}  // namespace hydae::syntax

// What the parser says about wrong expressions and characters: which message, where, and no others.
#include <gtest/gtest.h>
#include <string>

#include "syntax/parsed.h"

namespace hydae::syntax {
namespace {

// clang-format off
TEST(ExpressionError, conditions_compare_with_two_equals_signs) {
  EXPECT_EQ(messages_of(R"(model A
  Real x = if a = 1 then 2 else 3;
equation
  when b = 2 then
    y = (c = d);
  end when;
end A;
)"),
            R"(a.mo:2:17: error: `=` does not compare [syntax]
    2 |   Real x = if a = 1 then 2 else 3;
      |                 ^
   help: equality is tested with `==`
a.mo:4:10: error: `=` does not compare [syntax]
    4 |   when b = 2 then
      |          ^
   help: equality is tested with `==`
a.mo:5:12: error: `=` does not compare [syntax]
    5 |     y = (c = d);
      |            ^
   help: equality is tested with `==`
)");
}

TEST(ExpressionError, illegal_operand_forms_are_all_found) {
  EXPECT_EQ(messages_of(R"(model T02
  Real a = 2^-1;
  Real b = 2*-2;
  Boolean c = 1 < 2 < 3;
  Real d = 2^3^4;
  Boolean e = a == not b;
  Real f = 1 + if c then 2 else 3;
  Real g = 1:2:3:4;
  Real h = 1;
end T02;
)"),
            R"(a.mo:2:14: error: `-` cannot follow another operator [syntax]
    2 |   Real a = 2^-1;
      |              ^
   help: use parentheses: `(-x)`
a.mo:3:14: error: `-` cannot follow another operator [syntax]
    3 |   Real b = 2*-2;
      |              ^
   help: use parentheses: `(-x)`
a.mo:4:21: error: comparisons cannot be chained [syntax]
    4 |   Boolean c = 1 < 2 < 3;
      |                     ^
   help: join two comparisons: `a < b and b < c`
a.mo:5:15: error: powers cannot be chained [syntax]
    5 |   Real d = 2^3^4;
      |               ^
   help: use parentheses: `(a^b)^c` or `a^(b^c)`
a.mo:6:20: error: `not` cannot follow another operator [syntax]
    6 |   Boolean e = a == not b;
      |                    ^^^
   help: use parentheses: `(not x)`
a.mo:7:16: error: an if-expression cannot be an operand [syntax]
    7 |   Real f = 1 + if c then 2 else 3;
      |                ^^
   help: put it in parentheses
a.mo:8:17: error: a range has at most three parts [syntax]
    8 |   Real g = 1:2:3:4;
      |                 ^
   help: write `start:stop` or `start:step:stop`
)");
}

TEST(ExpressionError, missing_parentheses) {
  EXPECT_EQ(messages_of(R"(model A
  Real x(start = 1;
  Real y = sin(2;
  Real z = (1 + 2;
  Real v[3 = {1, 2, 3};
  Real w = {1, 2;
  Real u = 1;
equation
  x = f(y
  z = 2;
  connect(a, b;
end A;
)"),
            R"(a.mo:2:19: error: expected `,` or `)`, found `;` [syntax]
    2 |   Real x(start = 1;
      |                   ^
   note: the bracket was opened here (a.mo:2:9)
a.mo:3:17: error: expected `,` or `)`, found `;` [syntax]
    3 |   Real y = sin(2;
      |                 ^
   note: the bracket was opened here (a.mo:3:15)
a.mo:4:18: error: expected `,` or `)`, found `;` [syntax]
    4 |   Real z = (1 + 2;
      |                  ^
   note: the bracket was opened here (a.mo:4:12)
a.mo:5:12: error: expected `,` or `]`, found `=` [syntax]
    5 |   Real v[3 = {1, 2, 3};
      |            ^
   note: the bracket was opened here (a.mo:5:10)
a.mo:6:17: error: expected `,` or `}`, found `;` [syntax]
    6 |   Real w = {1, 2;
      |                 ^
   note: the bracket was opened here (a.mo:6:12)
a.mo:9:10: error: missing `,` or `)` [syntax]
    9 |   x = f(y
      |          ^
   note: the bracket was opened here (a.mo:9:8)
a.mo:11:15: error: expected `)` after the connectors, found `;` [syntax]
   11 |   connect(a, b;
      |               ^
)");
}

TEST(ExpressionError, missing_commas_in_brackets) {
  EXPECT_EQ(messages_of(R"(model A
  Real m[2, 2] = [1 2; 3 4];
  Real v[3] = {1 2 3};
  Real f = g(a b, c);
end A;
)"),
            R"(a.mo:2:21: error: expected `,` or `]`, found `2` [syntax]
    2 |   Real m[2, 2] = [1 2; 3 4];
      |                     ^
   note: the bracket was opened here (a.mo:2:18)
a.mo:3:18: error: expected `,` or `}`, found `2` [syntax]
    3 |   Real v[3] = {1 2 3};
      |                  ^
   note: the bracket was opened here (a.mo:3:15)
a.mo:4:16: error: expected `,` or `)`, found `b` [syntax]
    4 |   Real f = g(a b, c);
      |                ^
   note: the bracket was opened here (a.mo:4:13)
)");
}

TEST(ExpressionError, operators_of_other_languages) {
  EXPECT_EQ(messages_of(R"(model A
  Boolean b = a != c && !d || e;
  Real y = 2**3 % 4;
end A;
)"),
            R"(a.mo:2:17: error: `!=` is not an operator of Modelica [foreign-operator]
    2 |   Boolean b = a != c && !d || e;
      |                 ^^
   help: not equal is written `<>`
a.mo:2:22: error: `&&` is not an operator of Modelica [foreign-operator]
    2 |   Boolean b = a != c && !d || e;
      |                      ^^
   help: conjunction is written `and`
a.mo:2:25: error: `!` is not an operator of Modelica [foreign-operator]
    2 |   Boolean b = a != c && !d || e;
      |                         ^
   help: negation is written `not`
a.mo:2:28: error: `||` is not an operator of Modelica [foreign-operator]
    2 |   Boolean b = a != c && !d || e;
      |                            ^^
   help: disjunction is written `or`
a.mo:3:13: error: `**` is not an operator of Modelica [foreign-operator]
    3 |   Real y = 2**3 % 4;
      |             ^^
   help: the power operator is `^`
a.mo:3:17: error: `%` is not an operator of Modelica [foreign-operator]
    3 |   Real y = 2**3 % 4;
      |                 ^
   help: the remainder of a division is `mod(a, b)`
)");
}

TEST(ExpressionError, der_needs_parentheses) {
  EXPECT_EQ(messages_of(R"(model A
equation
  der x = 1;
  when initial then
    y = 1;
  end when;
end A;
)"),
            R"(a.mo:3:3: error: `der` needs its argument in parentheses [syntax]
    3 |   der x = 1;
      |   ^^^
   help: write `der(x)`
a.mo:4:8: error: `initial` needs parentheses [syntax]
    4 |   when initial then
      |        ^^^^^^^
   help: write `initial()`
)");
}

TEST(ExpressionError, numbers_out_of_range) {
  EXPECT_EQ(messages_of(R"(model A
  Real x = 1e999;
  Integer n = 99999999999999999999;
  Real y = 3m;
end A;
)"),
            R"(a.mo:2:12: error: this Real is too large [syntax]
    2 |   Real x = 1e999;
      |            ^^^^^ the largest is about 1.8e308
a.mo:3:15: error: this Integer is too large [syntax]
    3 |   Integer n = 99999999999999999999;
      |               ^^^^^^^^^^^^^^^^^^^^ the largest is 9223372036854775807
   help: a Real has a point or an exponent: `1e20`
a.mo:4:12: error: `3m` is neither a number nor a name [invalid-number]
    4 |   Real y = 3m;
      |            ^^
)");
}

TEST(ExpressionError, incomplete_if_expressions) {
  EXPECT_EQ(messages_of(R"(model A
  Real x = if a then 1;
  Real y = if b 1 else 2;
  Real z = if c then else 2;
end A;
)"),
            R"(a.mo:2:23: error: expected `else`, found `;` [syntax]
    2 |   Real x = if a then 1;
      |                       ^ an if-expression needs a value for every case
a.mo:3:17: error: expected `then` after the condition, found `1` [syntax]
    3 |   Real y = if b 1 else 2;
      |                 ^
a.mo:4:22: error: expected an expression, found keyword `else` [syntax]
    4 |   Real z = if c then else 2;
      |                      ^^^^
)");
}

TEST(ExpressionError, arguments_after_named_ones_need_names) {
  EXPECT_EQ(messages_of(R"(model A
  Real x = f(a = 1, 2);
  Real y = f(1, );
  Real z = f(function g(1));
  Real w = f(x, y for i in 1:2);
end A;
)"),
            R"(a.mo:2:21: error: expected an argument with its name [syntax]
    2 |   Real x = f(a = 1, 2);
      |                     ^ after a named argument, all have names
   help: write `name = value`
a.mo:3:17: error: expected an expression, found `)` [syntax]
    3 |   Real y = f(1, );
      |                 ^
a.mo:4:25: error: expected an argument with its name [syntax]
    4 |   Real z = f(function g(1));
      |                         ^
   help: write `name = value`
a.mo:5:19: error: expected `,` or `)`, found keyword `for` [syntax]
    5 |   Real w = f(x, y for i in 1:2);
      |                   ^^^
   note: the bracket was opened here (a.mo:5:13)
)");
}

TEST(ExpressionError, empty_arrays_and_indexed_expressions) {
  EXPECT_EQ(messages_of(R"(model A
  Real x = {};
  Real y = [];
  Real z = (a + b)[1];
end A;
)"),
            R"(a.mo:2:13: error: an array constructor needs an element [syntax]
    2 |   Real x = {};
      |             ^
   help: an empty array is written with its type, such as `fill(0.0, 0)`
a.mo:3:13: error: an array constructor needs an element [syntax]
    3 |   Real y = [];
      |             ^
   help: an empty array is written with its type, such as `fill(0.0, 0)`
a.mo:4:19: error: only a name can have subscripts [syntax]
    4 |   Real z = (a + b)[1];
      |                   ^
   help: declare a variable for the value, and index that
)");
}

TEST(ExpressionError, an_unclosed_string_is_reported_at_its_beginning) {
  EXPECT_EQ(messages_of(R"(model A "text
  Real x;
equation
  x = 1;
end A;
)"),
            R"(a.mo:1:9: error: this string has no end [unterminated]
    1 | model A "text
      |         ^
   help: close it with `"`
)");
}

TEST(ExpressionError, an_unclosed_comment_is_reported_at_its_beginning) {
  EXPECT_EQ(messages_of(R"(model A /* text
  Real x;
equation
  x = 1;
end A;
)"),
            R"(a.mo:1:9: error: this comment has no end [unterminated]
    1 | model A /* text
      |         ^^
   help: close it with `*/`
)");
}

TEST(ExpressionError, bad_characters_cause_one_message) {
  EXPECT_EQ(messages_of(R"(model A
  Real x = 3 § 4;
  Real y = “text”;
  Real größe = 1;
equation
  x = @;
end A;
)"),
            R"(a.mo:2:14: error: unexpected character `§` (U+00A7) [invalid-character]
    2 |   Real x = 3 § 4;
      |              ^
a.mo:3:12: error: typographic quotes do not make a string [invalid-character]
    3 |   Real y = “text”;
      |            ^^^^^^
   help: use the plain quote `"`
a.mo:4:8: error: `größe` cannot be a name [invalid-character]
    4 |   Real größe = 1;
      |        ^^^^^ names have only the letters a-z and A-Z, digits and `_`
a.mo:6:7: error: unexpected character `@` [invalid-character]
    6 |   x = @;
      |       ^
)");
}

// clang-format on

}  // namespace
}  // namespace hydae::syntax

// What the parser says about wrong text: which message, where, and no others.
#include <gtest/gtest.h>
#include <string>

#include "syntax/parsed.h"

namespace hydae::syntax {
namespace {

// clang-format off
std::string messages(const std::string& text) { return Parsed(text).messages(); }

TEST(Errors, missing_semicolons_are_reported_where_they_belong) {
  EXPECT_EQ(messages(R"(model A
  Real x
  Real y;
equation
  x = 1
  y = 2;
end A
)"),
            R"(a.mo:2:9: error: missing `;` after this declaration [syntax]
    2 |   Real x
      |         ^
a.mo:5:8: error: missing `;` after this equation [syntax]
    5 |   x = 1
      |        ^
a.mo:7:6: error: missing `;` after the class [syntax]
    7 | end A
      |      ^
)");
}

TEST(Errors, a_missing_semicolon_in_a_line_shows_what_was_found) {
  EXPECT_EQ(messages(R"(model A
  Real x y;
equation
  x = 1 y = 2;
  y = 3;
end A;
)"),
            R"(a.mo:2:10: error: expected `;` after this declaration, found `y` [syntax]
    2 |   Real x y;
      |          ^
a.mo:4:9: error: expected `;` after this equation, found `y` [syntax]
    4 |   x = 1 y = 2;
      |         ^
)");
}

TEST(Errors, equations_use_one_equals_sign) {
  EXPECT_EQ(messages(R"(model A
equation
  x := 1;
  x == 2;
  a = b = c;
  y;
end A;
)"),
            R"(a.mo:3:5: error: `:=` cannot stand in an equation [syntax]
    3 |   x := 1;
      |     ^^
   help: an equation is written with `=`; assignments belong in an `algorithm`
a.mo:4:3: error: `==` compares; an equation is written with `=` [syntax]
    4 |   x == 2;
      |   ^^^^^^
a.mo:5:9: error: an equation has one `=` [syntax]
    5 |   a = b = c;
      |         ^
   help: write two equations
a.mo:6:4: error: expected `=`, found `;` [syntax]
    6 |   y;
      |    ^
)");
}

TEST(Errors, statements_use_the_assignment_sign) {
  EXPECT_EQ(messages(R"(function f
algorithm
  y = x;
  (a, b) := 3;
  (a, 1) := g(x);
  3 := y;
  x + y;
  connect(a, b);
end f;
)"),
            R"(a.mo:3:5: error: `=` does not assign [syntax]
    3 |   y = x;
      |     ^
   help: a statement is written with `:=`; equations belong in an `equation` section
a.mo:4:13: error: only a function call can be assigned to a list in parentheses [syntax]
    4 |   (a, b) := 3;
      |             ^
a.mo:5:7: error: only a variable can be assigned to [syntax]
    5 |   (a, 1) := g(x);
      |       ^
a.mo:6:3: error: only a variable can be assigned to [syntax]
    6 |   3 := y;
      |   ^
a.mo:7:8: error: expected `:=`, found `;` [syntax]
    7 |   x + y;
      |        ^
a.mo:8:3: error: `connect` cannot stand in an algorithm [syntax]
    8 |   connect(a, b);
      |   ^^^^^^^
   help: connections belong in an `equation` section
)");
}

TEST(Errors, conditions_compare_with_two_equals_signs) {
  EXPECT_EQ(messages(R"(model A
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

TEST(Errors, illegal_operand_forms_are_all_found) {
  EXPECT_EQ(messages(R"(model T02
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

TEST(Errors, an_end_with_another_name) {
  EXPECT_EQ(messages(R"(model A
  Real x;
end B;
)"),
            R"(a.mo:3:1: error: `end B` does not match `A` [syntax]
    3 | end B;
      | ^^^^^
   note: `A` begins here (a.mo:1:7)
)");
}

TEST(Errors, an_end_that_closes_a_class_further_out) {
  EXPECT_EQ(messages(R"(package P
  model A
    Real x;
end P;
)"),
            R"(a.mo:4:1: error: `end A` is missing [syntax]
    4 | end P;
      | ^^^^^
   note: `A` begins here (a.mo:2:9)
)");
}

TEST(Errors, an_end_without_name) {
  EXPECT_EQ(messages(R"(model A
end;
)"),
            R"(a.mo:2:4: error: expected `A` after `end` [syntax]
    2 | end;
      |    ^
)");
}

TEST(Errors, a_class_without_end) {
  EXPECT_EQ(messages(R"(package P
  model A
  end A;
)"),
            R"(a.mo:1:9: error: class `P` has no `end P` [syntax]
    1 | package P
      |         ^
)");
}

TEST(Errors, an_end_too_many) {
  EXPECT_EQ(messages(R"(model A
equation
  x = 1;
  end if;
end A;
end A;
)"),
            R"(a.mo:4:3: error: `end if` closes nothing [syntax]
    4 |   end if;
      |   ^^^
a.mo:6:1: error: `end A` closes nothing [syntax]
    6 | end A;
      | ^^^
)");
}

TEST(Errors, keywords_cannot_be_names) {
  EXPECT_EQ(messages(R"(model A
  Real flow;
  Real end;
  model type
  end type;
equation
  input = 3;
end A;
)"),
            R"(a.mo:2:8: error: `flow` is a keyword and cannot be the name of a component [syntax]
    2 |   Real flow;
      |        ^^^^
   help: choose another name, or quote it: `'flow'`
a.mo:3:8: error: `end` is a keyword and cannot be the name of a component [syntax]
    3 |   Real end;
      |        ^^^
   help: choose another name, or quote it: `'end'`
a.mo:4:9: error: `type` is a keyword and cannot be the name of a class [syntax]
    4 |   model type
      |         ^^^^
   help: choose another name, or quote it: `'type'`
a.mo:7:3: error: `input` is a keyword and cannot be a name [syntax]
    7 |   input = 3;
      |   ^^^^^
   help: choose another name, or quote it: `'input'`
)");
}

TEST(Errors, prefixes_have_an_order) {
  EXPECT_EQ(messages(R"(model A
  Real parameter x = 1;
  parameter final Real y;
  input output Real z;
  parameter parameter Real w;
  each Real v;
  B b(parameter c = 1);
end A;
)"),
            R"(a.mo:2:8: error: `parameter` must come before the type [syntax]
    2 |   Real parameter x = 1;
      |        ^^^^^^^^^
a.mo:3:13: error: `final` must come before `parameter` [syntax]
    3 |   parameter final Real y;
      |             ^^^^^
a.mo:4:9: error: `input` and `output` exclude each other [syntax]
    4 |   input output Real z;
      |         ^^^^^^
a.mo:5:13: error: `parameter` is written twice [syntax]
    5 |   parameter parameter Real w;
      |             ^^^^^^^^^
a.mo:6:3: error: `each` belongs in a modification [syntax]
    6 |   each Real v;
      |   ^^^^
a.mo:7:7: error: only `each` and `final` can stand in front of a modification [syntax]
    7 |   B b(parameter c = 1);
      |       ^^^^^^^^^
)");
}

TEST(Errors, missing_then_and_loop) {
  EXPECT_EQ(messages(R"(model A
equation
  if a
    x = 1;
  end if;
  for i in 1:3
    x[i] = 2;
  end for;
  if b x = 2; end if;
end A;
)"),
            R"(a.mo:3:7: error: missing `then` after the condition [syntax]
    3 |   if a
      |       ^
a.mo:6:15: error: missing `loop` after the range [syntax]
    6 |   for i in 1:3
      |               ^
a.mo:9:8: error: expected `then` after the condition, found `x` [syntax]
    9 |   if b x = 2; end if;
      |        ^
)");
}

TEST(Errors, blocks_are_closed_by_their_own_end) {
  EXPECT_EQ(messages(R"(model A
equation
  if a then
    for i in 1:2 loop
      x = 1;
  end if;
  when b then
    y = 2;
  end for;
  if c then
end A;
)"),
            R"(a.mo:6:3: error: expected `end for`, found `end if` [syntax]
    6 |   end if;
      |   ^^^
   note: this `for` is open (a.mo:4:5)
a.mo:9:3: error: expected `end when`, found `end for` [syntax]
    9 |   end for;
      |   ^^^
   note: this `when` is open (a.mo:7:3)
a.mo:11:1: error: expected `end if`, found `end A` [syntax]
   11 | end A;
      | ^^^
   note: this `if` is open (a.mo:10:3)
)");
}

TEST(Errors, branches_of_other_languages) {
  EXPECT_EQ(messages(R"(model A
equation
  if a then
    x = 1;
  elif b then
    x = 2;
  elsewhen c then
    x = 3;
  else
    x = 4;
  else
    x = 5;
  end if;
  when d then
    y = 1;
  else
    y = 2;
  end when;
end A;
)"),
            R"(a.mo:5:3: error: expected `elseif`, found `elif` [syntax]
    5 |   elif b then
      |   ^^^^
a.mo:7:3: error: expected `elseif`, found keyword `elsewhen` [syntax]
    7 |   elsewhen c then
      |   ^^^^^^^^
a.mo:11:3: error: `else` must be the last branch [syntax]
   11 |   else
      |   ^^^^
a.mo:16:3: error: a `when` has no `else` [syntax]
   16 |   else
      |   ^^^^
   help: write `elsewhen` with a condition
)");
}

TEST(Errors, missing_parentheses) {
  EXPECT_EQ(messages(R"(model A
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

TEST(Errors, missing_commas_in_brackets) {
  EXPECT_EQ(messages(R"(model A
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

TEST(Errors, operators_of_other_languages) {
  EXPECT_EQ(messages(R"(model A
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

TEST(Errors, equations_among_declarations) {
  EXPECT_EQ(messages(R"(model A
  Real x, y;
  der(x) = 1;
  y = 3;
end A;
)"),
            R"(a.mo:3:3: error: an equation cannot stand among declarations [syntax]
    3 |   der(x) = 1;
      |   ^^^
   help: begin a section with `equation`
)");
}

TEST(Errors, statements_among_declarations_of_a_function) {
  EXPECT_EQ(messages(R"(function f
  output Real y;
  y := 3;
end f;
)"),
            R"(a.mo:3:3: error: a statement cannot stand among declarations [syntax]
    3 |   y := 3;
      |   ^
   help: begin a section with `algorithm`
)");
}

TEST(Errors, indexed_equations_among_declarations) {
  EXPECT_EQ(messages(R"(model A
  Real x[2];
  x[1] = 2;
end A;
)"),
            R"(a.mo:3:3: error: an equation cannot stand among declarations [syntax]
    3 |   x[1] = 2;
      |   ^
   help: begin a section with `equation`
)");
}

TEST(Errors, declarations_among_equations) {
  EXPECT_EQ(messages(R"(model A
equation
  Real z;
  x = 1;
  parameter Real p;
  model B end B;
public
  Real u;
end A;
)"),
            R"(a.mo:3:3: error: a declaration cannot stand here [syntax]
    3 |   Real z;
      |   ^^^^
   help: move it up to the declarations, or begin a `public` or `protected` section
a.mo:5:3: error: a declaration cannot stand here [syntax]
    5 |   parameter Real p;
      |   ^^^^^^^^^
   help: move it up to the declarations, or begin a `public` or `protected` section
a.mo:6:3: error: a declaration cannot stand here [syntax]
    6 |   model B end B;
      |   ^^^^^
   help: move it up to the declarations, or begin a `public` or `protected` section
)");
}

TEST(Errors, der_needs_parentheses) {
  EXPECT_EQ(messages(R"(model A
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

TEST(Errors, connect_takes_two_names) {
  EXPECT_EQ(messages(R"(model A
equation
  connect(a, b + 1);
  connect(a b);
  connect(a);
  connect a, b;
end A;
)"),
            R"(a.mo:3:14: error: expected a connector [syntax]
    3 |   connect(a, b + 1);
      |              ^^^^^ only a name can stand here
a.mo:4:13: error: expected `,` between the connectors, found `b` [syntax]
    4 |   connect(a b);
      |             ^
a.mo:5:12: error: expected `,` between the connectors, found `)` [syntax]
    5 |   connect(a);
      |            ^
a.mo:6:11: error: expected `(` after `connect`, found `a` [syntax]
    6 |   connect a, b;
      |           ^
)");
}

TEST(Errors, numbers_out_of_range) {
  EXPECT_EQ(messages(R"(model A
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

TEST(Errors, incomplete_if_expressions) {
  EXPECT_EQ(messages(R"(model A
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

TEST(Errors, arguments_after_named_ones_need_names) {
  EXPECT_EQ(messages(R"(model A
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

TEST(Errors, empty_arrays_and_indexed_expressions) {
  EXPECT_EQ(messages(R"(model A
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

TEST(Errors, broken_elements_do_not_hide_the_next) {
  EXPECT_EQ(messages(R"(model A
  import;
  extends;
  import A.{b, c;
  Real;
  model B = ;
  type E = enumeration(a, b;
  function g = der(f);
  Real x = 2 +;
  Real y;
end A;
)"),
            R"(a.mo:2:9: error: expected the name of a package, found `;` [syntax]
    2 |   import;
      |         ^
a.mo:3:10: error: expected the name of a class, found `;` [syntax]
    3 |   extends;
      |          ^
a.mo:4:17: error: expected `}`, found `;` [syntax]
    4 |   import A.{b, c;
      |                 ^
a.mo:5:7: error: expected the name of a component, found `;` [syntax]
    5 |   Real;
      |       ^
a.mo:6:13: error: expected the name of a class, found `;` [syntax]
    6 |   model B = ;
      |             ^
a.mo:7:28: error: expected `)` after the enumeration literals, found `;` [syntax]
    7 |   type E = enumeration(a, b;
      |                            ^
a.mo:8:21: error: a partial derivative needs a variable [syntax]
    8 |   function g = der(f);
      |                     ^
   help: write `der(f, x)`
a.mo:9:15: error: expected an expression, found `;` [syntax]
    9 |   Real x = 2 +;
      |               ^
)");
}

TEST(Errors, constraints_need_replaceable) {
  EXPECT_EQ(messages(R"(model A
  Real x constrainedby Real;
  B b(redeclare model M end M);
end A;
)"),
            R"(a.mo:2:10: error: `constrainedby` needs `replaceable` in front of the declaration [syntax]
    2 |   Real x constrainedby Real;
      |          ^^^^^^^^^^^^^
a.mo:3:25: error: a redeclared class needs `=` [syntax]
    3 |   B b(redeclare model M end M);
      |                         ^^^
   help: define the class elsewhere, and write `redeclare model M = TheClass`
)");
}

TEST(Errors, annotations_stand_last) {
  EXPECT_EQ(messages(R"(model A
  annotation(Icon());
  Real x annotation;
end A;
)"),
            R"(a.mo:2:3: error: the annotation of a class must be its last part [syntax]
    2 |   annotation(Icon());
      |   ^^^^^^^^^^
   help: move it in front of the `end` of the class
a.mo:3:20: error: expected `(` after `annotation`, found `;` [syntax]
    3 |   Real x annotation;
      |                    ^
)");
}

TEST(Errors, within_comes_first) {
  EXPECT_EQ(messages(R"(model A
end A;
within P;
)"),
            R"(a.mo:3:1: error: `within` must be the first in the file [syntax]
    3 | within P;
      | ^^^^^^
)");
}

TEST(Errors, only_classes_stand_in_a_file) {
  EXPECT_EQ(messages(R"(Real x;
model A
end A;
x = 1;
model B
end B;
)"),
            R"(a.mo:1:1: error: expected a class, found `Real` [syntax]
    1 | Real x;
      | ^^^^
a.mo:4:1: error: expected a class, found `x` [syntax]
    4 | x = 1;
      | ^
)");
}

TEST(Errors, class_prefixes_are_checked) {
  EXPECT_EQ(messages(R"(partial
pure model A
end A;
expandable model B
end B;
encapsulated x
)"),
            R"(a.mo:2:6: error: expected `function` after `pure` or `impure`, found keyword `model` [syntax]
    2 | pure model A
      |      ^^^^^
a.mo:4:12: error: expected `connector` after `expandable`, found keyword `model` [syntax]
    4 | expandable model B
      |            ^^^^^
a.mo:6:14: error: expected `class`, `model`, `block`, `record`, `connector`, `type`, `package` or `function`, found `x` [syntax]
    6 | encapsulated x
      |              ^
a.mo:6:14: error: class `x` has no `end x` [syntax]
    6 | encapsulated x
      |              ^
)");
}

TEST(Errors, external_functions_are_calls) {
  EXPECT_EQ(messages(R"(function f
  external "C" x + y;
end f;
function g
  external "C" 1 = h(x);
end g;
function h
  external "C" P.h(x);
end h;
)"),
            R"(a.mo:2:16: error: expected the call of an external function, such as `f(x, y)` [syntax]
    2 |   external "C" x + y;
      |                ^^^^^
a.mo:5:16: error: only a variable can take the result [syntax]
    5 |   external "C" 1 = h(x);
      |                ^
a.mo:8:16: error: expected the call of an external function, such as `f(x, y)` [syntax]
    8 |   external "C" P.h(x);
      |                ^^^^^^
)");
}

TEST(Errors, while_loops_are_for_algorithms) {
  EXPECT_EQ(messages(R"(model A
equation
  while a loop
    x = 1;
  end while;
  y = 2;
end A;
)"),
            R"(a.mo:3:3: error: `while` cannot stand among equations [syntax]
    3 |   while a loop
      |   ^^^^^
   help: loops that run until a condition fails belong in an `algorithm`
)");
}

TEST(Errors, an_unclosed_string_is_reported_at_its_beginning) {
  EXPECT_EQ(messages(R"(model A "text
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

TEST(Errors, an_unclosed_comment_is_reported_at_its_beginning) {
  EXPECT_EQ(messages(R"(model A /* text
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

TEST(Errors, bad_characters_cause_one_message) {
  EXPECT_EQ(messages(R"(model A
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

TEST(Errors, a_broken_unit_keeps_its_name_and_the_rest_of_the_class) {
  const Parsed parsed(R"(model A
  Real x = 2 +;
  Real y(start = [1 2);
  Real z;
equation
  x = 1;
  y = = 2;
  z = 3;
end A;
)");
  EXPECT_EQ(parsed.file.diagnostics.num_errors(), 3u);
  const LongClass& a = parsed.first_class();
  ASSERT_EQ(a.elements.size(), 3u);
  const auto& x = as<ComponentElement>(*a.elements[0]).declarations[0];
  EXPECT_EQ(parsed.text(x.name), "x");
  EXPECT_EQ(as<BinaryExpr>(*x.modification->value).right->kind, ExprKind::kError);
  EXPECT_EQ(a.sections[1].equations.size(), 2u);  // without `y = = 2`
}

TEST(Errors, stop_at_a_hundred) {
  std::string text = "model A equation\n";
  for (int i = 0; i < 1000; ++i) text += "x = = 1;\n";
  const Parsed parsed(text + "end A;");
  EXPECT_EQ(parsed.file.diagnostics.num_errors(), 101u);
  EXPECT_EQ(parsed.file.diagnostics.items().back().code, "too-many-errors");
}

TEST(Errors, come_in_the_order_of_the_text) {
  const Parsed parsed("model A Real x = (1; Real y = 2 ! 3; Real z = (1; end A;");
  std::uint32_t last = 0;
  for (const Diagnostic& d : parsed.file.diagnostics.items()) {
    EXPECT_GE(d.range.begin, last);
    last = d.range.begin;
  }
  EXPECT_EQ(parsed.file.diagnostics.num_errors(), 4u);
}

}  // namespace
}  // namespace hydae::syntax

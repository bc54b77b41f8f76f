// What the parser says about wrong classes and declarations: which message, where, and no others.
#include <gtest/gtest.h>
#include <string>

#include "syntax/parsed.h"

namespace hydae::syntax {
namespace {

// clang-format off
TEST(ClassError, missing_semicolons_are_reported_where_they_belong) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(ClassError, a_missing_semicolon_in_a_line_shows_what_was_found) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(ClassError, an_end_with_another_name) {
  EXPECT_EQ(messages_of(R"(model A
  Real x;
end B;
)"),
            R"(a.mo:3:1: error: `end B` does not match `A` [syntax]
    3 | end B;
      | ^^^^^
   note: `A` begins here (a.mo:1:7)
)");
}

TEST(ClassError, an_end_that_closes_a_class_further_out) {
  EXPECT_EQ(messages_of(R"(package P
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

TEST(ClassError, an_end_without_name) {
  EXPECT_EQ(messages_of(R"(model A
end;
)"),
            R"(a.mo:2:4: error: expected `A` after `end` [syntax]
    2 | end;
      |    ^
)");
}

TEST(ClassError, a_class_without_name) {
  EXPECT_EQ(messages_of(R"(package P
  model =
    Real x;
  end;
end P;
)"),
            R"(a.mo:2:9: error: expected the name of a class, found `=` [syntax]
    2 |   model =
      |         ^
)");
  EXPECT_EQ(messages_of("model =\n"),
            R"(a.mo:1:7: error: expected the name of a class, found `=` [syntax]
    1 | model =
      |       ^
)");
}

TEST(ClassError, a_class_without_end) {
  EXPECT_EQ(messages_of(R"(package P
  model A
  end A;
)"),
            R"(a.mo:1:9: error: class `P` has no `end P` [syntax]
    1 | package P
      |         ^
)");
}

TEST(ClassError, an_end_too_many) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(ClassError, keywords_cannot_be_names) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(ClassError, prefixes_have_an_order) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(ClassError, broken_elements_do_not_hide_the_next) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(ClassError, constraints_need_replaceable) {
  EXPECT_EQ(messages_of(R"(model A
  Real x constrainedby Real;
  B b(redeclare model M end M);
end A;
)"),
            R"(a.mo:2:10: error: `constrainedby` needs `replaceable` in front [syntax]
    2 |   Real x constrainedby Real;
      |          ^^^^^^^^^^^^^
a.mo:3:25: error: a redeclared class needs `=` [syntax]
    3 |   B b(redeclare model M end M);
      |                         ^^^
   help: define the class elsewhere, and write `redeclare model M = TheClass`
)");
}

TEST(ClassError, annotations_stand_last) {
  EXPECT_EQ(messages_of(R"(model A
  annotation(Icon());
  Real x annotation;
end A;
)"),
            R"(a.mo:2:3: warning: the annotation of a class belongs to its end [annotation-order]
    2 |   annotation(Icon());
      |   ^^^^^^^^^^
   help: move it in front of the `end` of the class
a.mo:3:20: error: expected `(` after `annotation`, found `;` [syntax]
    3 |   Real x annotation;
      |                    ^
)");
}

TEST(ClassError, within_comes_first) {
  EXPECT_EQ(messages_of(R"(model A
end A;
within P;
)"),
            R"(a.mo:3:1: error: `within` must be the first in the file [syntax]
    3 | within P;
      | ^^^^^^
)");
}

TEST(ClassError, only_classes_stand_in_a_file) {
  EXPECT_EQ(messages_of(R"(Real x;
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

TEST(ClassError, class_prefixes_are_checked) {
  EXPECT_EQ(messages_of(R"(partial
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

TEST(ClassError, external_functions_are_calls) {
  EXPECT_EQ(messages_of(R"(function f
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

TEST(ClassError, prefixes_of_components_do_not_suit_classes) {
  EXPECT_EQ(messages_of(R"(model A
  parameter model B end B;
  C c(redeclare input model D = E);
end A;
)"),
            R"(a.mo:2:3: error: this prefix belongs to components, not to classes [syntax]
    2 |   parameter model B end B;
      |   ^^^^^^^^^
a.mo:3:7: error: this prefix belongs to components, not to classes [syntax]
    3 |   C c(redeclare input model D = E);
      |       ^^^^^^^^^^^^^^^
)");
}

TEST(ClassError, names_in_scope_have_no_leading_dot) {
  EXPECT_EQ(messages_of(R"(within .P;
model A
  import .B.C;
  B b(.x = 1);
end A;
)"),
            R"(a.mo:1:8: error: expected the name of a package, found `.` [syntax]
    1 | within .P;
      |        ^
a.mo:3:10: error: expected the name of a package, found `.` [syntax]
    3 |   import .B.C;
      |          ^
a.mo:4:7: error: expected the name of an element, found `.` [syntax]
    4 |   B b(.x = 1);
      |       ^
)");
}

TEST(ClassError, break_belongs_to_extends) {
  EXPECT_EQ(messages_of(R"(model A
  extends B(break x);
  C c(break y, z = 1);
end A;
)"),
            R"(a.mo:3:7: error: `break` can only stand in an `extends` clause [syntax]
    3 |   C c(break y, z = 1);
      |       ^^^^^
)");
}

TEST(ClassError, external_comes_last) {
  EXPECT_EQ(messages_of(R"(function f
  external "C";
  external "C";
end f;
function g
  external "C";
  Real x;
end g;
)"),
            R"(a.mo:3:3: error: only the annotation of the class can follow `external` [syntax]
    3 |   external "C";
      |   ^^^^^^^^
a.mo:7:3: error: only the annotation of the class can follow `external` [syntax]
    7 |   Real x;
      |   ^^^^
)");
}

// clang-format on

TEST(ClassError, a_broken_unit_keeps_its_name_and_the_rest_of_the_class) {
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

TEST(ClassError, stop_at_a_hundred) {
  std::string text = "model A equation\n";
  for (int i = 0; i < 1000; ++i) text += "x = = 1;\n";
  const Parsed parsed(text + "end A;");
  EXPECT_EQ(parsed.file.diagnostics.num_errors(), 101u);
  EXPECT_EQ(parsed.file.diagnostics.items().back().code, "too-many-errors");
}

TEST(ClassError, come_in_the_order_of_the_text) {
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

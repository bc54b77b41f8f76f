// What the parser says about wrong equations and statements: which message, where, and no others.
#include <gtest/gtest.h>
#include <string>

#include "syntax/parsed.h"

namespace hydae::syntax {
namespace {

// clang-format off
TEST(EquationError, equations_use_one_equals_sign) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(EquationError, statements_use_the_assignment_sign) {
  EXPECT_EQ(messages_of(R"(function f
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

TEST(EquationError, missing_then_and_loop) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(EquationError, blocks_are_closed_by_their_own_end) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(EquationError, branches_of_other_languages) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(EquationError, equations_among_declarations) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(EquationError, statements_among_declarations_of_a_function) {
  EXPECT_EQ(messages_of(R"(function f
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

TEST(EquationError, indexed_equations_among_declarations) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(EquationError, declarations_among_equations) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(EquationError, connect_takes_two_names) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(EquationError, while_loops_are_for_algorithms) {
  EXPECT_EQ(messages_of(R"(model A
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

TEST(EquationError, keyword_functions_cannot_stand_alone) {
  EXPECT_EQ(messages_of(R"(model A
equation
  der(x);
  (f(x));
end A;
)"),
            R"(a.mo:3:9: error: expected `=`, found `;` [syntax]
    3 |   der(x);
      |         ^
a.mo:4:9: error: expected `=`, found `;` [syntax]
    4 |   (f(x));
      |         ^
)");
}

// clang-format on

}  // namespace
}  // namespace hydae::syntax

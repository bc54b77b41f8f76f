// Traps of the language: one small model each, with what it must become or which error it must
// give. The number in parentheses is the section of Modelica 3.6.
#include <gtest/gtest.h>

#include <hydae/modelica.h>

#include "modelica/models_testing.h"

namespace hydae {
namespace {

struct Trap {
  const char* name;
  const char* text;
  const char* definitions;  // "x = 2; y = x": see definition()
  const char* errors;       // codes; nothing else may be reported as an error
};

void PrintTo(const Trap& trap, std::ostream* out) { *out << trap.name; }

const Trap kTraps[] = {
    // (3.2) unary minus is weaker than `^`, and `^` gives Real
    {"T01", R"(model T01 Real y = -2^2; end T01;)", "y = -4", ""},
    // (3.2, A.2.7) three illegal operand forms; recovery must find all three and keep `d`
    {"T02", R"(model T02
  Real a = 2^-1;
  Real b = 2*-2;
  Boolean c = 1 < 2 < 3;
  Real d = 1;
end T02;)",
     "", "syntax syntax syntax"},
    // (A.1: longest token) `2.*` is `2.` `*`; `}.*` is the element-wise operator
    {"T03", R"(model T03 Real y[2] = 2.*{1, 2} + {1, 2}.*{3, 4}; end T03;)", "y[1] = 5; y[2] = 12",
     ""},
    // (2.3.1) quotes belong to the name
    {"T04", R"(model T04 Real x = 1; Real 'x' = 2; Real 'a.b[1]' = x + 'x'; end T04;)",
     "x = 1; 'x' = 2; 'a.b[1]' = x + 'x'", ""},
    // (3.2) `not` is weaker than relations, `and` binds before `or`
    {"T05", R"(model T05 Boolean c = not 1 == 2; Boolean d = true or false and false; end T05;)",
     "c = true; d = true", ""},
    // (10.6.5, 10.6.7, 6.7) `/` and `^` of Integers are Real
    {"T06", R"(model T06 Integer i = 4/2; Integer j = 2^3; Integer k = div(4, 2); end T06;)", "",
     "type-mismatch type-mismatch"},
    // (3.7.2) negative operands
    {"T07",
     R"(model T07 constant Real a[5] = {mod(-3, 1.4), rem(-3, 1.4), div(-7, 2), mod(-7, 2), rem(-7, 2)}; end T07;)",
     "a[1] = 1.1999999999999993; a[2] = -0.20000000000000018; a[3] = -3; a[4] = 1; a[5] = -1", ""},
    // (10.6.2) no implicit broadcast
    {"T08", R"(model T08 Real x[2] = {1, 2} .+ 1; Real y[2] = {1, 2} + 1; end T08;)", "",
     "size-mismatch"},
    // (10.1, 10.4.1.2) order of dimensions; the last iterator is the outer dimension
    {"T09", R"(model T09
  Real[3, 2] x[4, 5] = zeros(4, 5, 3, 2);
  Integer t[:, :] = {10*i + j for i in 1:2, j in 1:3};
end T09;)",
     "x[4,5,3,2] = 0; t[1,1] = 11; t[1,2] = 21; t[2,1] = 12; t[3,2] = 23", ""},
    // (10.7, 10.3.4.1, 10.4.3, 10.4.2.1) empty arrays, ranges, columns
    {"T10", R"(model T10
  Real s = sum(fill(1.0, 0)), p = product(fill(2.0, 0)), z[2] = ones(2, 0)*fill(1.0, 0);
  Integer e[:] = 3:1; Real r[:] = 2.7:6.8; Real c[2, 1] = [{1, 2}];
end T10;)",
     "s = 0; p = 1; z[1] = 0; z[2] = 0; e[1] = no e[1]; r[1] = 2.7; r[5] = 6.7; r[6] = no r[6]; "
     "c[1,1] = 1; c[2,1] = 2",
     ""},
    // (10.5.1) index types
    {"T11", R"(type E = enumeration(a, b);
model T11 Real x[E], y[Boolean]; Real bad = x[1];
equation
  for e in E loop x[e] = Integer(e); end for;
  y[false] = 0; y[true] = x[E.b];
end T11;)",
     "", "index-type"},
    // (3.2, 10.5.2, 10.6.9) slice with subscript; `end` belongs to the nearest array
    {"T12", R"(record R Real x[2]; end R;
model T12
  R a[3](x = {{1, 2}, {3, 4}, {5, 6}}); constant Integer v[2] = {3, 1};
  Real y[3] = a.x[2]; Real z = a[v[end]].x[end];
end T12;)",
     "a[1].x[2] = y[1]; y[1] = 2; y[2] = 4; y[3] = 6; z = y[1]", ""},
    // (10.1) `:` takes its size from a binding, never from an equation
    {"T13", R"(model T13 parameter Real a[:] = {1, 2, 3}; Real x[size(a, 1)] = 2*a; Real b[:];
equation b = {1, 2}; end T13;)",
     "", "unknown-size"},
    // (5.3.1) only constants from enclosing classes
    {"T14", R"(model T14 parameter Real p = 1; constant Real c = 2;
  model A Real y = c; Real z = p; end A;
  A a;
end T14;)",
     "", "non-constant-from-enclosing-class"},
    // (5.3.1) `encapsulated` ends the search, except for predefined names
    {"T15", R"(package P constant Real k = 2;
  encapsulated model A Real x = sin(time); Real y = k; end A;
end P;
model T15 P.A a; end T15;)",
     "", "name-not-found"},
    // (13.2.2) imports are not inherited
    {"T16", R"(package P constant Real c = 1; end P;
partial model B import P.c; Real x = c; end B;
model T16 extends B; Real y = c; end T16;)",
     "", "name-not-found"},
    // (5.3.1) elements, also inherited ones, before imports
    {"T17", R"(package P constant Real x = 2; end P;
model A Real x = 1; end A;
model T17 extends A; import P.x; Real y = x; end T17;)",
     "x = 1; y = x", ""},
    // (5.3.2, 5.3.3) a component hides a class; a leading dot does not look here
    {"T18", R"(type Y = Real; record R Real x = 1; end R;
model T18 Y a = 1; Real Y = 2; .R R; Real z = R.x; end T18;)",
     "", "not-a-class"},
    // (4.5.1) a short class adds no scope, a long one does
    {"T19", R"(model Res parameter Real r = 1; end Res;
model T19 parameter Real r = 5;
  model L = Res(r = r);
  model M extends Res(r = r); end M;
  L a; M b;
end T19;)",
     "", "cyclic-binding"},
    // (5.6.1.4, 7.1.1) an extends clause must not change what another one finds
    {"T20", R"(model B Real x = 1; end B;
class Q model B Real x = 2; end B; end Q;
model T20 extends Q; extends B; end T20;)",
     "", "extends-lookup-changed"},
    // (7.2) the right side is found where the modifier stands
    {"T21", R"(model B parameter Real x; end B;
model C parameter Real x = 2; B b(x = x); end C;
model T21 parameter Real x = 3; C c(b(x = x)); end T21;)",
     "x = 3; c.x = 2; c.b.x = x", ""},
    // (7.2.4) one element, one modifier
    {"T22", R"(model A Real x(unit = "m") = 1; end A;
model T22 A a(x.start = 2, x(start = 3)); A b(x.nominal = 2, x(start = 1) = 4); end T22;)",
     "", "duplicate-modifier"},
    // (7.2.3) a field cannot override part of a record value given inside
    {"T23", R"(record A parameter Real x; parameter Real y; end A;
model B parameter A a = A(2, 3); end B;
model T23 B b(a(x = 4)); end T23;)",
     "", "modifier-overrides-part"},
    // (7.2.5) each and split
    {"T24", R"(model C parameter Real a[2]; parameter Real d; end C;
model T24 C c[3](each a = {1, 2}, d = {1, 2, 3}); end T24;)",
     "c[1].a[1] = 1; c[3].a[2] = 2; c[1].d = 1; c[2].d = 2; c[3].d = 3", ""},
    // (7.2.5) a scalar is not split
    {"T25", R"(model C parameter Real d; end C;
model T25 C c[3](d = 1); end T25;)",
     "", "missing-each"},
    // (7.2.5) nested split, outer array first
    {"T26", R"(model C parameter Real d; end C;
model B C c[2]; end B;
model T26 B b[2](c(d = {{1, 2}, {3, 4}})); end T26;)",
     "b[1].c[1].d = 1; b[1].c[2].d = 2; b[2].c[1].d = 3; b[2].c[2].d = 4", ""},
    // (7.2.6) final
    {"T27", R"(model A parameter Real k = 1; end A;
model B A a(final k = 2); end B;
model T27 B b(a(k = 3)); end T27;)",
     "", "modify-final"},
    // (7.2.7) `break` removes a binding
    {"T28", R"(model A Real x = 1; end A;
model T28 extends A(x = break); equation x = time; end T28;)",
     "x = time", ""},
    // (4.7) a component modifier may not add an equation
    {"T29", R"(model A Real x; equation x = time; end A;
model T29 A a(x = 2); end T29;)",
     "", "modifier-adds-equation"},
    // (7.3.2) constraining modifiers reach the default and every replacement
    {"T30", R"(model A Real x = 1; end A; model B Real x = 2; end B; model C Real x = 3; end C;
model D replaceable B b constrainedby A(x = 4); end D;
model T30 D d; D e(redeclare C b); end T30;)",
     "d.b.x = 4; e.b.x = 4", ""},
    // (7.3.2) the original's modifiers survive, those of an earlier redeclaration do not
    {"T31", R"(model Res parameter Real r = 1; parameter Real t = 0; end Res;
model C1 replaceable model L = Res(r = 100); L l; end C1;
model C2 extends C1(redeclare replaceable model L = Res(t = 300)); end C2;
model T31 C2 a; extends C2(redeclare model L = Res); end T31;)",
     "a.l.r = 100; a.l.t = 300; l.r = 100; l.t = 0", ""},
    // (7.3) variability and dimensions are inherited by the redeclaration
    {"T32", R"(type Len = Real(unit = "m");
model M replaceable parameter Real u[2]; end M;
model T32 M m(redeclare Len u = {1, 2}); end T32;)",
     "m.u[1] = 1; m.u[2] = 2", ""},
    // (7.3.3) a new type needs `replaceable`
    {"T33", R"(model A Real x = 1; end A; model B extends A; parameter Real p = 1; end B;
model D A a; end D;
model T33 D d(redeclare B a); end T33;)",
     "", "redeclare-non-replaceable"},
    // (7.3.1) class extends: the inherited text sees the new class and the new constant
    {"T34",
     R"(partial package Medium constant Integer n; replaceable partial model Props Real X[n]; end Props; end Medium;
package Air extends Medium(n = 2);
  redeclare model extends Props equation X = {0, 1}; end Props;
end Air;
model T34 Air.Props m; end T34;)",
     "m.X[1] = 0; m.X[2] = 1", ""},
    // (4.4.4, 5.3.2) package constants are evaluated in the modified package
    {"T35", R"(package M constant Integer n = 1; constant Real k[n] = fill(7.0, n); end M;
package M2 = M(n = 3);
model V replaceable package Medium = M; Real x[Medium.n] = Medium.k; end V;
model T35 V a; V b(redeclare package Medium = M2); end T35;)",
     "a.x[1] = 7; a.x[2] = no a.x[2]; b.x[1] = 7; b.x[3] = 7", ""},
    // (6.5) plug-compatibility: no new input inside a component
    {"T36", R"(connector In = input Real;
model F Real y = 1; end F;
model G Real y = u; In u; end G;
model D replaceable F f; end D;
model T36 D d(redeclare G f); end T36;)",
     "", "unbalanced-class"},
    // (4.4.2) a parameter used as a size is evaluated; its neighbours are not
    {"T37", R"(model T37 parameter Integer n = 2; parameter Real k = n; Real x[n + 1];
equation for i in 1:n + 1 loop x[i] = k*i; end for; end T37;)",
     "n = 2; k = n; x[1] = k; x[2] = 2*k; x[3] = 3*k", ""},
    // (8.6, 4.4.2) a size cannot wait for initialization
    {"T38", R"(model T38 parameter Integer n(fixed = false); Real x[n] = ones(n);
initial equation n = 3; end T38;)",
     "", "structural-not-fixed"},
    // (5.3.2) a predefined type has no members
    {"T36a", R"(model T36a Real x[2]; equation x[Real.n] = 1; end T36a;)", "", "name-not-found"},
    // (4.4.2) a parameter does not change
    {"T38a", R"(model T38a Integer n = 2; parameter Real k = n; parameter Real a = time;
  Real x = k*a*time; end T38a;)",
     "", "not-a-parameter-expression not-a-parameter-expression"},
    // (18.3) what waits for the initialization cannot be evaluated before it
    {"T38b", R"(model T38b parameter Real a(fixed = false);
  parameter Real b = 2*a annotation(Evaluate = true); Real x = b*time;
initial equation a = 3; end T38b;)",
     "x = b*time", ""},
    // (4.4.3) a cycle that disappears with Evaluate is legal
    {"T39", R"(model T39
  parameter Boolean useT = true annotation(Evaluate = true);
  parameter Real T = if useT then 300 else 0.5*h;
  parameter Real h = if useT then 2*T else 100;
end T39;)",
     "useT = true; T = 300; h = 2*T", ""},
    // (4.4.3) cycles are judged on whole bindings, not on elements
    {"T40", R"(model T40 parameter Real x[3] = {1, x[1], x[2]}; end T40;)", "", "cyclic-binding"},
    // (8.3.4) unequal branches need a parameter condition
    {"T41", R"(model T41 parameter Boolean s = false; Real x, y;
equation
  if s then x = 1; x = 2; else x = time; end if;
  if time > 1 then y = 1; end if;
end T41;)",
     "", "unequal-branches"},
    // (3.8, 4.4.4) a Boolean is discrete
    {"T42", R"(model T42 Real x = time; Boolean b = noEvent(x > 1); Boolean c = x > 1; end T42;)",
     "", "variability"},
    // (4.4.4.1, 8.6) variability of record fields; a parameter with start only
    {"T43", R"(record A constant Real pi = 3.14; Real y; Integer i; end A;
model T43 parameter A a(y = 1, i = 2); A b(y = time, i = 3); parameter Real p(start = 2); Real z = p; end T43;)",
     "a.pi = 3.14; b.pi = 3.14; a.y = 1; a.i = 2; b.y = time; b.i = 3; p = 2; z = p", ""},
    // (12.4.1) defaults may use other inputs
    {"T44", R"(function f input Real a; input Real b = 2*a; output Real y = a + b; end f;
model T44 Real u = f(3); Real v = f(b = 1, a = 5); Real w = f(1, a = 2); end T44;)",
     "", "argument-given-twice"},
    // (12.6) final fields are not constructor inputs
    {"T45", R"(record R parameter Real a = 1; final parameter Real b = 2*a; Real c = 0; end R;
model T45 R r = R(3, 5); R q = R(c = 4); end T45;)",
     "r.a = 3; r.b = 6; r.c = 5; q.a = 1; q.b = 2; q.c = 4", ""},
    // (11.2.3, 4.4.2) a while loop runs at compile time to give a size
    {"T46", R"(function levels input Integer n; output Integer m = 0; protected Integer k = n;
algorithm while k > 1 loop k := div(k, 2); m := m + 1; end while; end levels;
model T46 parameter Integer n = levels(8); Real x[n] = (1:n)*time; end T46;)",
     "n = 3; x[1] = time; x[2] = 2*time; x[3] = 3*time", ""},
    // (11.1.2) an unassigned path yields the start value, not the previous value
    {"T47", R"(model T47 Real x(start = -1);
algorithm if time > 1 then x := time; end if; end T47;)",
     "x = if time > 1 then time else -1", ""},
    // (8.3.5.3) branches of a when-equation define the same variables
    {"T48", R"(model T48 Real x, y;
equation when time > 1 then x = 1; y = 2; elsewhen time > 2 then x = 3; end when; end T48;)",
     "", "when-branches-differ"},
    // (14.5) operator record: Integer 2 is converted by the constructor
    {"T49", R"(operator record C Real re, im;
  encapsulated operator 'constructor' import C;
    function fromReal input Real re; input Real im = 0; output C r(re = re, im = im); algorithm end fromReal;
  end 'constructor';
  encapsulated operator function '*' import C; input C a, b; output C r;
  algorithm r := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re); end '*';
end C;
model T49 C z = 2*C(1, 3); end T49;)",
     "z.re = 2; z.im = 6", ""},
    // (7.1) diamond: equal elements once, equal equations once
    {"T50", R"(partial model A Real x; equation x = time; end A;
partial model B extends A; end B; partial model C extends A; end C;
model T50 extends B; extends C; end T50;)",
     "x = time", ""},
    // (9.2) + inside, - outside, 0 when unconnected
    {"T51", R"(connector Pin Real v; flow Real i; end Pin;
model R Pin p, n; equation p.v - n.v = p.i; 0 = p.i + n.i; end R;
model S Pin p, n; R r; equation connect(p, r.p); connect(r.n, n); end S;
model G Pin p; equation p.v = 0; end G;
model T51 S s; G g; equation connect(s.n, g.p); end T51;)",
     "s.p.i = -s.n.i; s.r.p.i = -s.n.i; s.r.n.i = s.n.i; g.p.i = -s.n.i; s.r.p.v = s.p.v; s.r.n.v "
     "= s.n.v; g.p.v = s.n.v",
     ""},
    // (4.4.5) a removed component takes its connects with it
    {"T52", R"(connector Pin Real v; flow Real i; end Pin;
model R parameter Real e = 1; Pin p; equation p.v = e - 2*p.i; end R;
model T52 parameter Boolean use = false; R a; R b(e = 5) if use; equation connect(a.p, b.p); end T52;)",
     "a.p.v = a.e - 2*a.p.i; a.p.i = 0; b.e = no b.e", ""},
    // (9.1.3) the bus grows by connecting
    {"T53",
     R"(connector In = input Real; connector Out = output Real; expandable connector Bus end Bus;
block Src Out y = time; end Src;
block Snk In u; Real z = 2*u; end Snk;
model T53 Src s; Snk k; Bus b; equation connect(s.y, b.speed); connect(b.speed, k.u); end T53;)",
     "s.y = time; b.speed = s.y; k.u = s.y; k.z = 2*s.y", ""},
    // (5.4) missing inner
    {"T54", R"(model World parameter Real g = 9.81; end World;
model A outer World world; Real w = world.g; end A;
model T54 A a, b; end T54;)",
     "world.g = 9.81; a.w = world.g; b.w = world.g", ""},
    // (5.5) `inner outer`: the right side means the outer one
    {"T55", R"(model I outer Boolean on; Real x = if on then 1 else 0; end I;
model S Boolean me = time > 1; inner outer Boolean on = on and me; I i; end S;
model T55 S s; inner Boolean on = time > 2; end T55;)",
     "on = time > 2; s.me = time > 1; s.on = on and s.me; s.i.x = if s.on then 1 else 0", ""},
    // (9.2) inside/outside is decided before outer is resolved
    {"T56", R"(connector Pin Real v; flow Real i; end Pin;
model R Pin p, n; equation p.v - n.v = p.i; 0 = p.i + n.i; end R;
model G Pin p; equation p.v = 0; end G;
model L Pin p, n; outer R r; equation connect(p, r.p); connect(r.n, n); end L;
model T56 L l; G g; inner R r; equation connect(l.p, g.p); end T56;)",
     "r.p.v = l.p.v; l.n.v = r.n.v; g.p.v = l.p.v; r.p.i = l.p.i; r.n.i = -l.p.i; g.p.i = -l.p.i; "
     "l.n.i = -l.p.i",
     ""},
    // (15.2, 15.3) two and one stream connectors
    {"T57", R"(connector F Real p; flow Real m; stream Real h; end F;
model A parameter Real h0 = 1; F f; Real hin = inStream(f.h); Real hact = actualStream(f.h);
equation f.h = h0; f.p = h0 - f.m; end A;
model T57 A a, b(h0 = 2), c; equation connect(a.f, b.f); end T57;)",
     "b.f.h = a.hin; a.f.h = b.hin; c.f.h = c.hin; a.hin = b.h0; b.hin = a.h0; "
     "a.hact = if a.f.m > 0 then a.hin else b.hin; b.f.p = a.f.p; b.f.m = -a.f.m; c.f.m = 0",
     ""},
    // (15.2) through a level of hierarchy, then mixing of three
    {"T58", R"(connector F Real p; flow Real m; stream Real h; end F;
model A parameter Real h0 = 3; F f; Real hin = inStream(f.h); equation f.h = h0; f.p = h0 - f.m; end A;
model W F c; A a; equation connect(c, a.f); end W;
model T58 W w; A x(h0 = 1), y(h0 = 2); equation connect(w.c, x.f); connect(x.f, y.f); end T58;)",
     "w.a.f.h = w.c.h; w.c.h = w.a.h0", ""},
    // (9.4) a loop of overconstrained connectors is broken once
    {"T59", R"(type Ang extends Real;
  function equalityConstraint input Ang a; input Ang b; output Real r[0]; algorithm end equalityConstraint; end Ang;
connector P Ang th; Real v; flow Real i; end P;
model Src P p; equation Connections.root(p.th); p.th = time; p.v = 1; end Src;
model Line P p, n; equation Connections.branch(p.th, n.th); n.th = p.th; p.v - n.v = p.i; 0 = p.i + n.i; end Line;
model T59 Src s; Line a, b; equation connect(s.p, a.p); connect(s.p, b.p); connect(a.n, b.n); end T59;)",
     "s.p.th = time; a.p.th = s.p.th; b.p.th = s.p.th; a.n.th = s.p.th; b.n.th = s.p.th; a.p.v = "
     "s.p.v; "
     "b.n.v = a.n.v; a.n.i = -a.p.i; b.n.i = a.p.i",
     ""},
    // (5.6.1.4) inherited text looks in its own node, then where *it* is written
    {"T60", R"(model T60
  model B A a; replaceable model A = C; type E = Boolean; end B;
  B b(redeclare model A = D(p = 1));
  partial model C E e = 2.5; end C;
  model D extends C; parameter E p; type E = Integer; end D;
  type E = Real;
end T60;)",
     "b.a.e = 2.5; b.a.p = 1", ""},
};

class Traps : public testing::TestWithParam<Trap> {};

TEST_P(Traps, become_what_the_language_says) {
  const Trap& trap = GetParam();
  const LoadResult result = load_text(trap.text, trap.name);
  EXPECT_EQ(error_codes(result), trap.errors) << render(result.diagnostics, result.sources.get());
  if (!result.model) return;
  const std::string all = trap.definitions;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find("; ", begin), all.size());
    const std::string one = all.substr(begin, end - begin);
    const std::string name = one.substr(0, one.find(" = "));
    EXPECT_EQ(name + " = " + definition(*result.model, name), one);
    begin = end + 2;
  }
}

INSTANTIATE_TEST_SUITE_P(Language, Traps, testing::ValuesIn(kTraps),
                         [](const auto& trap) { return std::string(trap.param.name); });

}  // namespace
}  // namespace hydae

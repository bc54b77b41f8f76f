// Operators on terms, for systems that are written down by hand: tests and benchmarks.
#pragma once

#include "codegen/tape.h"

namespace hydae::codegen {

struct Sym {
  TapeBuilder* tape = nullptr;
  TermId id = {};
};

inline Sym number(const Sym& like, double value) { return {like.tape, like.tape->constant(value)}; }

inline Sym operator+(Sym a, Sym b) { return {a.tape, a.tape->add(a.id, b.id)}; }
inline Sym operator-(Sym a, Sym b) { return {a.tape, a.tape->sub(a.id, b.id)}; }
inline Sym operator*(Sym a, Sym b) { return {a.tape, a.tape->mul(a.id, b.id)}; }
inline Sym operator/(Sym a, Sym b) { return {a.tape, a.tape->div(a.id, b.id)}; }
inline Sym operator-(Sym a) { return {a.tape, a.tape->neg(a.id)}; }
inline Sym operator+(Sym a, double b) { return a + number(a, b); }
inline Sym operator-(Sym a, double b) { return a - number(a, b); }
inline Sym operator*(Sym a, double b) { return a * number(a, b); }
inline Sym operator/(Sym a, double b) { return a / number(a, b); }
inline Sym operator+(double a, Sym b) { return number(b, a) + b; }
inline Sym operator-(double a, Sym b) { return number(b, a) - b; }
inline Sym operator*(double a, Sym b) { return number(b, a) * b; }
inline Sym operator/(double a, Sym b) { return number(b, a) / b; }
inline Sym pow(Sym a, double e) { return {a.tape, a.tape->pow(a.id, e)}; }
inline Sym pow(Sym a, Sym e) { return {a.tape, a.tape->pow(a.id, e.id)}; }
inline Sym atan2(Sym y, Sym x) { return {y.tape, y.tape->atan2(y.id, x.id)}; }
inline Sym apply(Op op, Sym a) { return {a.tape, a.tape->unary(op, a.id)}; }
inline Sym sqr(Sym a) { return a * a; }
inline Sym sqrt(Sym a) { return apply(Op::kSqrt, a); }
inline Sym exp(Sym a) { return apply(Op::kExp, a); }
inline Sym log(Sym a) { return apply(Op::kLog, a); }
inline Sym log10(Sym a) { return apply(Op::kLog10, a); }
inline Sym sin(Sym a) { return apply(Op::kSin, a); }
inline Sym cos(Sym a) { return apply(Op::kCos, a); }
inline Sym tan(Sym a) { return apply(Op::kTan, a); }
inline Sym asin(Sym a) { return apply(Op::kAsin, a); }
inline Sym acos(Sym a) { return apply(Op::kAcos, a); }
inline Sym atan(Sym a) { return apply(Op::kAtan, a); }
inline Sym sinh(Sym a) { return apply(Op::kSinh, a); }
inline Sym cosh(Sym a) { return apply(Op::kCosh, a); }
inline Sym tanh(Sym a) { return apply(Op::kTanh, a); }

}  // namespace hydae::codegen

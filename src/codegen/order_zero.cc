// Order 0 of all operations: the only place where functions of the mathematical library are called
// and where an operation can be undefined.
#include <cmath>

#include "base/check.h"
#include "codegen/kernels.h"

namespace hydae::codegen {
namespace {

bool put(double* d, const Instr& in, double value) {
  d[in.out] = value;
  d[in.rev] = value;
  return std::isfinite(value);
}

bool put_second(double* d, const Instr& in, double value) {
  d[in.out2] = value;
  d[in.rev2] = value;
  return std::isfinite(value);
}

// What is as good as infinite, and has a square.
constexpr double kHuge = 1e150;

bool exponential(const Instr& in, double* d) {
  const double value = std::exp(d[in.a]);
  return put(d, in, in.is_denominator && value > kHuge ? kHuge : value);
}

double form_at_zero(const Instr& in, const double* d) {
  double sum = in.number;
  for (const LinearPart* p = in.linear; p != in.leading; ++p) sum += p->factor * d[p->place];
  for (const ProductPart* p = in.products; p != in.squares_end; ++p)
    sum += p->factor * (d[p->left] * d[p->right_rev]);
  return sum;
}

// A power of zero is differentiable only for exponents 0, 1, 2, ...; of a negative number only for
// whole exponents.
bool power(const Instr& in, double* d) {
  const double base = d[in.a], exponent = in.number;
  const bool is_whole = exponent == std::floor(exponent);
  const bool is_defined =
      base > 0 || in.variant == Variant::kIntegerPower || (base < 0 && is_whole);
  return put(d, in, std::pow(base, exponent)) && is_defined;
}

bool integral(const Instr& in, double* d) {
  const double a = d[in.a];
  switch (in.function) {
    case TermOp::kLog: return put(d, in, std::log(a)) && a > 0;
    case TermOp::kLog10: return put(d, in, std::log10(a)) && a > 0;
    case TermOp::kAsin: return put(d, in, std::asin(a)) && std::abs(a) < 1;
    case TermOp::kAcos: return put(d, in, std::acos(a)) && std::abs(a) < 1;
    case TermOp::kAtan: return put(d, in, std::atan(a));
    default: break;
  }
  fail_check("a function given by an integral", __FILE__, __LINE__);
}

bool tangent(const Instr& in, double* d) {
  const double v = std::tan(d[in.a]);
  return put(d, in, v) & put_second(d, in, 1 + v * v);
}

bool hyperbolic_tangent(const Instr& in, double* d) {
  const double c = std::cosh(d[in.a]);  // 1/c^2 is right where 1 - v^2 cancels, and 0 beyond
  return put(d, in, std::tanh(d[in.a])) & put_second(d, in, 1 / c / c);
}

}  // namespace

bool evaluate_at_zero(const Instr& in, double* d) {
  switch (in.op) {
    case SeriesOp::kSum:
      put(d, in, form_at_zero(in, d));
      return true;  // overflow is noticed where it does harm
    case SeriesOp::kSinCos: {
      const bool is_finite = put(d, in, std::sin(d[in.a]));
      return put_second(d, in, std::cos(d[in.a])) && is_finite;
    }
    case SeriesOp::kSinhCosh:
      return put(d, in, std::sinh(d[in.a])) & put_second(d, in, std::cosh(d[in.a]));
    case SeriesOp::kTan: return tangent(in, d);
    case SeriesOp::kTanh: return hyperbolic_tangent(in, d);
    case SeriesOp::kExp: return exponential(in, d);
    case SeriesOp::kQuotient: return put(d, in, d[in.a] / d[in.b]) && d[in.b] != 0;
    case SeriesOp::kReciprocal: return put(d, in, 1 / d[in.a]);
    case SeriesOp::kSqrt: return put(d, in, std::sqrt(d[in.a])) && d[in.a] > 0;
    case SeriesOp::kPower: return power(in, d);
    case SeriesOp::kIntegral: return integral(in, d);
    case SeriesOp::kCall: return in.call->evaluate(d);
    case SeriesOp::kAtan2: return put(d, in, std::atan2(d[in.a], d[in.b])) && d[in.c] > 0;
    case SeriesOp::kTime:
    case SeriesOp::kVariable:
    case SeriesOp::kSecond: break;
  }
  fail_check("an operation", __FILE__, __LINE__);
}

}  // namespace hydae::codegen

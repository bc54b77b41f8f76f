#include "expr/scalar.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/check.h"

namespace hydae {
namespace {

double power(double base, double exponent) {
  return exponent == 2 ? base * base : std::pow(base, exponent);
}

double sign(double a) { return a > 0 ? 1 : a < 0 ? -1 : a; }

constexpr double kUnordered = std::numeric_limits<double>::quiet_NaN();

double relate(Op op, double a, double b) {
  if (std::isunordered(a, b)) return kUnordered;
  switch (op) {
    case Op::kLess: return a < b;
    case Op::kLessEqual: return a <= b;
    case Op::kGreater: return a > b;
    case Op::kGreaterEqual: return a >= b;
    case Op::kEqual: return a == b;
    default: return a != b;
  }
}

double negate(double a) { return std::isnan(a) ? a : a == 0; }

// false and anything is false, even if it is undefined.
double conjunction(double a, double b) {
  if (a == 0 || b == 0) return 0;
  return std::isunordered(a, b) ? kUnordered : 1;
}

}  // namespace

double apply(Op op, double a, double b) {
  switch (op) {
    case Op::kNeg: return -a;
    case Op::kAdd: return a + b;
    case Op::kSub: return a - b;
    case Op::kMul: return a * b;
    case Op::kDiv: return a / b;
    case Op::kPow: return power(a, b);
    case Op::kSqrt: return std::sqrt(a);
    case Op::kExp: return std::exp(a);
    case Op::kLog: return std::log(a);
    case Op::kLog10: return std::log10(a);
    case Op::kSin: return std::sin(a);
    case Op::kCos: return std::cos(a);
    case Op::kTan: return std::tan(a);
    case Op::kAsin: return std::asin(a);
    case Op::kAcos: return std::acos(a);
    case Op::kAtan: return std::atan(a);
    case Op::kAtan2: return std::atan2(a, b);
    case Op::kSinh: return std::sinh(a);
    case Op::kCosh: return std::cosh(a);
    case Op::kTanh: return std::tanh(a);
    case Op::kAbs: return std::abs(a);
    case Op::kSign: return sign(a);
    case Op::kMin: return std::isnan(b) ? b : std::min(a, b);
    case Op::kMax: return std::isnan(b) ? b : std::max(a, b);
    case Op::kFloor: return std::floor(a);
    case Op::kCeil: return std::ceil(a);
    case Op::kTrunc: return std::trunc(a);
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kEqual:
    case Op::kNotEqual: return relate(op, a, b);
    case Op::kNot: return negate(a);
    case Op::kAnd: return conjunction(a, b);
    case Op::kOr: return negate(conjunction(negate(a), negate(b)));
    case Op::kConstant:
    case Op::kParameter:
    case Op::kTime:
    case Op::kVariable:
    case Op::kPre:
    case Op::kInitial:
    case Op::kTerminal:
    case Op::kSelect:
    case Op::kSample:
    case Op::kDelay:
    case Op::kHomotopy:
    case Op::kSmooth:
    case Op::kCall:
    case Op::kCallDerivative: break;
  }
  HYDAE_CHECK(!"an operation on one or two numbers");
  return 0;
}

Slopes slopes(Op op, double value, double a, double b) {
  switch (op) {
    case Op::kNeg: return {-1};
    case Op::kAdd: return {1, 1};
    case Op::kSub: return {1, -1};
    case Op::kMul: return {b, a};
    case Op::kDiv: return {1 / b, -value / b};
    case Op::kPow: return {b * power(a, b - 1), a == 0 ? 0 : value * std::log(a)};
    case Op::kSqrt: return {0.5 / value};
    case Op::kExp: return {value};
    case Op::kLog: return {1 / a};
    case Op::kLog10: return {1 / (a * std::numbers::ln10)};
    case Op::kSin: return {std::cos(a)};
    case Op::kCos: return {-std::sin(a)};
    case Op::kTan: return {1 + value * value};
    case Op::kAsin: return {1 / std::sqrt((1 - a) * (1 + a))};
    case Op::kAcos: return {-1 / std::sqrt((1 - a) * (1 + a))};
    case Op::kAtan: return {1 / (1 + a * a)};
    case Op::kAtan2: return {b / (a * a + b * b), -a / (a * a + b * b)};
    case Op::kSinh: return {std::cosh(a)};
    case Op::kCosh: return {std::sinh(a)};
    case Op::kTanh: return {1 - value * value};
    case Op::kAbs: return {a >= 0 ? 1.0 : -1.0};
    case Op::kMin: return a <= b ? Slopes{1, 0} : Slopes{0, 1};
    case Op::kMax: return a >= b ? Slopes{1, 0} : Slopes{0, 1};
    default: return {};
  }
}

}  // namespace hydae

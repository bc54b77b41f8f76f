#include "expr/scalar.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace hydae {
namespace {

double power(double base, double exponent) {
  return exponent == 2 ? base * base : std::pow(base, exponent);
}

double sign(double a) { return a > 0 ? 1 : a < 0 ? -1 : a; }

}  // namespace

double apply(Op op, double a, double b) {
  switch (op) {
    case Op::kNeg:
      return -a;
    case Op::kAdd:
      return a + b;
    case Op::kSub:
      return a - b;
    case Op::kMul:
      return a * b;
    case Op::kDiv:
      return a / b;
    case Op::kPow:
      return power(a, b);
    case Op::kSqrt:
      return std::sqrt(a);
    case Op::kExp:
      return std::exp(a);
    case Op::kLog:
      return std::log(a);
    case Op::kLog10:
      return std::log10(a);
    case Op::kSin:
      return std::sin(a);
    case Op::kCos:
      return std::cos(a);
    case Op::kTan:
      return std::tan(a);
    case Op::kAsin:
      return std::asin(a);
    case Op::kAcos:
      return std::acos(a);
    case Op::kAtan:
      return std::atan(a);
    case Op::kAtan2:
      return std::atan2(a, b);
    case Op::kSinh:
      return std::sinh(a);
    case Op::kCosh:
      return std::cosh(a);
    case Op::kTanh:
      return std::tanh(a);
    case Op::kAbs:
      return std::abs(a);
    case Op::kSign:
      return sign(a);
    case Op::kMin:
      return std::isnan(b) ? b : std::min(a, b);
    case Op::kMax:
      return std::isnan(b) ? b : std::max(a, b);
    case Op::kFloor:
      return std::floor(a);
    case Op::kCeil:
      return std::ceil(a);
    case Op::kTrunc:
      return std::trunc(a);
    case Op::kLess:
      return a < b;
    case Op::kLessEqual:
      return a <= b;
    case Op::kGreater:
      return a > b;
    case Op::kGreaterEqual:
      return a >= b;
    case Op::kEqual:
      return a == b;
    case Op::kNotEqual:
      return a != b;
    case Op::kNot:
      return a == 0;
    case Op::kAnd:
      return a != 0 && b != 0;
    case Op::kOr:
      return a != 0 || b != 0;
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
    case Op::kCallDerivative:
      break;
  }
  HYDAE_CHECK(!"an operation on one or two numbers");
  return 0;
}

}  // namespace hydae

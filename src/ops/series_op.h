// The recurrences for power series that the Taylor engine has: docs/math/taylor.md.
#pragma once

#include <cstdint>

namespace hydae::ops {

enum class SeriesOp : std::uint8_t {
  kTime,
  kVariable,  // x_variable^(order)
  kSum,       // form
  kSinCos,    // sine of a; the next series is the cosine
  kSinhCosh,  // likewise
  kTan,       // tangent of a; the next series is 1 + tan^2
  kTanh,      // the next series is 1 - tanh^2
  kSecond,    // further result of series a; the one before is another or a itself
  kExp,
  kQuotient,    // a / b
  kReciprocal,  // 1 / a
  kSqrt,
  kPower,     // a ^ scalar
  kIntegral,  // v' b = scalar * a', v_0 by a function: log, log10, asin, acos, atan
  kAtan2,     // angle of (b, a), c = a^2 + b^2
  kCall,      // first output of code; the next series are the other ones, then d output / d input
};

// Two series come out: the next one is the second.
constexpr bool is_pair(SeriesOp op) {
  return op == SeriesOp::kSinCos || op == SeriesOp::kSinhCosh || op == SeriesOp::kTan ||
         op == SeriesOp::kTanh;
}

}  // namespace hydae::ops

// Whether all numbers of a list are finite.
#pragma once

#include <span>

namespace hydae {

// One test for all: an infinity or NaN stays in the sum.
inline bool are_finite(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += 0 * value;
  return sum == 0;
}

}  // namespace hydae

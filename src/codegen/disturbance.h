// Rounding errors by choice: what a computation makes of several patterns of them tells how well
// its result is known (J. Vignes, A stochastic arithmetic for reliable scientific computation,
// Mathematics and Computers in Simulation 35 (1993) 233-261).
#pragma once

#include <cstdint>
#include <limits>

namespace hydae::codegen {

// Relative, between half of the last digit and all of it, of either sign. No two of a pattern are
// alike, so that they do not cancel where terms do.
inline double disturbance(unsigned pattern, int place) {
  std::uint64_t bits = (std::uint64_t{pattern} << 32) ^ static_cast<std::uint32_t>(place);
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;  // splitmix64
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
  bits ^= bits >> 31;
  const double size = 0.5 + 0.5 * static_cast<double>(bits >> 12) * 0x1p-52;
  return (bits & 1 ? size : -size) * std::numeric_limits<double>::epsilon();
}

}  // namespace hydae::codegen

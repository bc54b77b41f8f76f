#include "sim/determinant_watch.h"

#include <algorithm>

namespace hydae {
namespace {

constexpr double kPoleSize = 1e3;      // of an unknown, relative to the ends of the step
constexpr double kNearlyHalf = 0.48;   // so that places such as 1 are not met by chance
constexpr int kMostSignHalvings = 60;  // to the resolution of time
// Where the unknown has grown on the way already, time does not resolve how it grows further.
constexpr double kNearlySingular = 1e6;

}  // namespace

void DeterminantWatch::begin(ReducedSolution& solution) {
  if (solution.complete()) solution.program().linear().read_state(last_);
  size_at_start_ = 1 + last_.size;
}

std::optional<DeterminantWatch::Pole> DeterminantWatch::find_pole(double from,
                                                                  ReducedSolution& solution) {
  const ReducedProgram& program = solution.program();
  program.linear().read_state(now_);
  const bool is_same = last_.signs.size() != now_.signs.size() || last_.signs == now_.signs;
  std::swap(last_, now_);  // now_: at `from`
  if (is_same) return std::nullopt;
  const double size = 1 + std::max(last_.size, now_.size);
  double lower = from, upper = solution.time(), largest = 0;
  LinearSubsystem::State middle;
  for (int k = 0; k < kMostSignHalvings; ++k) {
    const double t = lower + kNearlyHalf * (upper - lower);
    if (t == lower || t == upper || !solution.interpolate(t)) break;
    program.linear().read_state(middle);
    largest = std::max(largest, middle.size);
    (middle.signs == now_.signs ? lower : upper) = t;
  }
  const std::string block = program.linear().singular_block(kNearlySingular);
  if (largest > kPoleSize * size || (largest > kPoleSize * size_at_start_ && !block.empty()))
    return Pole{lower, upper, block};
  solution.take_over();
  return std::nullopt;
}

}  // namespace hydae

#include "codegen/sleeping.h"

#include <algorithm>
#include <cmath>

#include "codegen/recurrences.h"

namespace hydae::codegen {
namespace {

// Sizes of what changes in a function, as natural logarithms relative to its range: below the first
// one coefficients say nothing about steps of a usual length, above the last one they do.
constexpr double kAsleep = -40, kWaking = -35, kAwake = -30;
// What comes out of there may still be next to nothing where it is used, a square of it or its
// cube: up to here no step more than halves its logarithm.
constexpr double kDrowsy = -10;
constexpr int kPieces = 16;       // of a step, for the first look at the argument
constexpr int kRefinements = 40;  // of a maximum and of a crossing

// c_0 + c_1 tau + ...
double value_at(std::span<const double> series, double tau) {
  double sum = 0;
  for (std::size_t n = series.size(); n-- > 0;) sum = sum * tau + series[n];
  return sum;
}

// The factor f for which f u is the logarithm of what changes; 0 if it is not asleep.
double sleeping_factor(const Instr& instr, double u) {
  double factor = 0;
  if (instr.op == SeriesOp::kTanh)
    factor = u > 0 ? -2 : 2;
  else if (instr.op == SeriesOp::kSinhCosh)
    factor = u > 0 ? -1 : 1;
  else
    factor = u > 0 && instr.is_denominator ? -1 : 1;
  return factor * u < kDrowsy ? factor : 0;
}

// The size at which a step ends that begins at another one, and what makes it end there.
struct Waking {
  double end = 0, beyond = 0;
};
Waking waking_from(double size) {
  if (size < kAsleep) return {kWaking, kAwake};
  return {size / 2, size / 2 + 1};
}

// Where f u is largest between `low` and `high`: it has one maximum there.
double place_of_maximum(std::span<const double> series, double factor, double low, double high) {
  constexpr double kGolden = 0.6180339887498949;
  for (int k = 0; k < kRefinements; ++k) {
    const double width = kGolden * (high - low), left = high - width, right = low + width;
    if (factor * value_at(series, left) > factor * value_at(series, right))
      high = right;
    else
      low = left;
  }
  return (low + high) / 2;
}

// Between a place where it sleeps and one where it is awake.
double place_of_size(std::span<const double> series, double factor, double size, double asleep,
                     double awake) {
  for (int k = 0; k < kRefinements; ++k) {
    const double middle = (asleep + awake) / 2;
    (factor * value_at(series, middle) < size ? asleep : awake) = middle;
  }
  return asleep;
}

}  // namespace

bool can_sleep(const Instr& instr) { return recurrence(instr.op).can_sleep; }

bool is_asleep(const Instr& instr, double argument) {
  return sleeping_factor(instr, argument) != 0;
}

double wake_time(const Instr& instr, std::span<const double> argument, double tau) {
  const double factor = sleeping_factor(instr, argument[0]);
  if (factor == 0) return tau;
  const Waking waking = waking_from(factor * argument[0]);
  double change = 0;
  for (std::size_t n = argument.size(); n-- > 1;) change = (change + std::abs(argument[n])) * tau;
  if (factor * argument[0] + std::abs(factor) * change < waking.beyond) return tau;
  double before = factor * argument[0], here = before, from = 0, asleep = 0;
  for (int k = 1; k <= kPieces + 1; ++k) {
    const double next_place = tau * std::min(k, kPieces) / kPieces;
    const double next = k > kPieces ? -HUGE_VAL : factor * value_at(argument, next_place);
    const double place = tau * (k - 1) / kPieces;
    double top = place;
    if (here >= before && here >= next && here < waking.beyond)
      top = place_of_maximum(argument, factor, from, next_place);
    if (factor * value_at(argument, top) >= waking.beyond)
      return place_of_size(argument, factor, waking.end, asleep, top);
    from = place;
    if (here < waking.end) asleep = place;
    before = here;
    here = next;
  }
  return tau;
}

}  // namespace hydae::codegen

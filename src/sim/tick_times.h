// Times of sample(start, interval), exact: numbers that are written as short decimals are taken as
// the fractions they stand for, so that 3 * 0.1 is the double 0.3.
#pragma once

#include <cstdint>
#include <optional>

namespace hydae {

// The fraction with the smallest denominator up to 10^6 whose nearest double is x.
struct Fraction {
  std::int64_t numerator = 0, denominator = 1;
};
std::optional<Fraction> find_fraction(double x);

// start + count * interval, rounded once where both are fractions.
double tick_time(double start, double interval, std::int64_t count);
// The first tick after `now` (or before, in a run backwards: direction -1), none if there is none.
std::optional<double> next_tick(double start, double interval, double now, double direction);
// Whether a tick is due at `now`.
bool is_tick(double start, double interval, double now);

// Two times that are computed in different ways and mean the same.
bool is_same_time(double a, double b);

}  // namespace hydae

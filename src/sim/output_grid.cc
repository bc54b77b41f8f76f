#include "sim/output_grid.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

namespace hydae {
namespace {

constexpr int kDefaultPoints = 501;
constexpr double kMostPoints = 1e8;

std::vector<double> evenly_spaced(double start, double stop, int points) {
  std::vector<double> times;
  for (int k = 0; k < points; ++k)
    times.push_back(k + 1 == points ? stop : start + (stop - start) * k / (points - 1));
  return times;
}

// start + k * interval computed for each k alone: no rounding errors add up.
std::vector<double> by_interval(double start, double stop, double interval) {
  const double direction = stop >= start ? 1 : -1;
  std::vector<double> times;
  for (double k = 0;; ++k) {
    const double t = start + direction * k * interval;
    if ((stop - t) * direction <= 1e-12 * interval) break;
    times.push_back(t);
  }
  times.push_back(stop);
  return times;
}

}  // namespace

OutputGrid::OutputGrid(double start, double stop, const SimulateOptions& options)
    : direction_(stop >= start ? 1 : -1) {
  const double span = std::abs(stop - start);
  if (!options.times.empty()) {
    times_ = options.times;
    std::sort(times_.begin(), times_.end(),
              [&](double a, double b) { return (b - a) * direction_ > 0; });
    if ((times_.front() - start) * direction_ < 0 || (stop - times_.back()) * direction_ < 0)
      throw UsageError("an output time lies outside of the simulation");
  } else if (options.interval) {
    if (!(*options.interval > 0) || span / *options.interval > kMostPoints)
      throw UsageError(fmt::format("output interval {} makes no sense", *options.interval));
    times_ = by_interval(start, stop, *options.interval);
  } else {
    const int points = options.points.value_or(kDefaultPoints);
    if (points < 2)
      throw UsageError(fmt::format("{} output points; at least 2 are needed", points));
    times_ = evenly_spaced(start, stop, points);
  }
  times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
}

std::optional<double> OutputGrid::next_until(double reach) {
  if (next_ == times_.size() || (times_[next_] - reach) * direction_ > 0) return std::nullopt;
  return times_[next_++];
}

}  // namespace hydae

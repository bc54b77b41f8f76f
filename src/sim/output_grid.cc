#include "sim/output_grid.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

#include "sim/tick_times.h"

namespace hydae {
namespace {

constexpr int kDefaultPoints = 501;
// A file of so many rows has gigabytes for each ten columns.
constexpr double kMostPoints = 1e8;
constexpr double kRoundingOfLastInterval = 1e-12;  // relative to the interval

}  // namespace

OutputGrid::OutputGrid(double start, double stop, const SimulateOptions& options)
    : start_(start), stop_(stop), direction_(stop >= start ? 1 : -1) {
  if (!options.times.empty())
    take_times(options.times);
  else if (options.interval)
    take_interval(*options.interval);
  else
    take_points(options.points.value_or(kDefaultPoints));
}

void OutputGrid::take_times(std::vector<double> times) {
  times_ = std::move(times);
  if (!std::all_of(times_.begin(), times_.end(), [](double t) { return std::isfinite(t); }))
    throw UsageError("an output time is not finite");
  std::sort(times_.begin(), times_.end(),
            [&](double a, double b) { return (b - a) * direction_ > 0; });
  if ((times_.front() - start_) * direction_ < 0 || (stop_ - times_.back()) * direction_ < 0)
    throw UsageError("an output time lies outside of the simulation");
  times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
  size_ = times_.size();
}

void OutputGrid::take_interval(double interval) {
  const double count = std::abs(stop_ - start_) / interval;
  if (!(interval > 0)) throw UsageError(fmt::format("output interval {} makes no sense", interval));
  if (!(count <= kMostPoints))
    throw UsageError(fmt::format("output interval {} makes {:.3g} rows, more than {:.0e}", interval,
                                 count, kMostPoints));
  interval_ = interval;
  const double whole = std::ceil(count - kRoundingOfLastInterval);  // before the stop
  size_ = static_cast<std::size_t>(std::max(whole, 0.0)) + 1;
}

void OutputGrid::take_points(int points) {
  if (points < 2) throw UsageError(fmt::format("{} output points; at least 2 are needed", points));
  if (points > kMostPoints)
    throw UsageError(fmt::format("{} output points are more than {:.0e}", points, kMostPoints));
  size_ = start_ == stop_ ? 1 : static_cast<std::size_t>(points);
}

double OutputGrid::time(std::size_t k) const {
  if (!times_.empty()) return times_[k];
  if (k + 1 == size_) return stop_;
  if (interval_) return tick_time(start_, direction_ * *interval_, static_cast<std::int64_t>(k));
  return start_ + (stop_ - start_) * static_cast<double>(k) / static_cast<double>(size_ - 1);
}

std::optional<double> OutputGrid::next_until(double reach) {
  while (next_ < size_) {
    const double t = time(next_);
    if ((t - reach) * direction_ > 0) return std::nullopt;
    const bool is_new = next_ == 0 || t != time(next_ - 1);  // a grid finer than numbers are
    ++next_;
    if (is_new) return t;
  }
  return std::nullopt;
}

}  // namespace hydae

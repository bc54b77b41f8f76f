// The times at which results are wanted, in the direction of the run. Each is computed when it is
// asked for, alone, so that no rounding errors add up and a fine grid costs no memory.
#pragma once

#include <optional>
#include <vector>

#include <hydae/simulate.h>

namespace hydae {

class OutputGrid {
 public:
  // Throws UsageError for times that make no sense.
  OutputGrid(double start, double stop, const SimulateOptions& options);

  std::size_t size() const { return size_; }
  bool has_start() const { return time(0) == start_; }
  // The next time not beyond `reach`, each once; none if there is none left.
  std::optional<double> next_until(double reach);

 private:
  void take_times(std::vector<double> times);
  void take_interval(double interval);
  void take_points(int points);
  double time(std::size_t k) const;

  double start_, stop_, direction_;
  std::vector<double> times_;       // if they were given one by one
  std::optional<double> interval_;  // if they were given by their distance
  std::size_t size_ = 0, next_ = 0;
};

}  // namespace hydae

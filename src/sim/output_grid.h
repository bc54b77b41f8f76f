// The times at which results are wanted, in the direction of the run.
#pragma once

#include <optional>
#include <vector>

#include <hydae/simulate.h>

namespace hydae {

class OutputGrid {
 public:
  // Throws UsageError for times that make no sense.
  OutputGrid(double start, double stop, const SimulateOptions& options);

  std::size_t size() const { return times_.size(); }
  // The next time not beyond `reach`, each once; none if there is none left.
  std::optional<double> next_until(double reach);

 private:
  double direction_;
  std::vector<double> times_;
  std::size_t next_ = 0;
};

}  // namespace hydae

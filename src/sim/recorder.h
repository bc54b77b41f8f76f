// Rows of a trajectory: variables of the model, the derivatives that its equations contain,
// discrete variables and aliases.
#pragma once

#include <functional>
#include <vector>

#include <hydae/simulate.h>

#include "sim/hybrid_model.h"

namespace hydae {

class Recorder {
 public:
  Recorder(const HybridModel& model, const SimulateOptions& options);

  void record(double t, const std::function<double(Leaf)>& value);
  // Room for so many rows, as far as that is sensible.
  void reserve(std::size_t rows);
  Trajectory take() { return std::move(trajectory_); }

 private:
  struct Source {
    Leaf leaf;
    double factor;
  };
  std::vector<Source> sources_;
  std::vector<double> row_;
  Trajectory trajectory_;
};

}  // namespace hydae

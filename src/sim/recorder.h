// Rows of a trajectory: variables of the model, observed ones included, the derivatives that its
// equations contain, discrete variables and aliases.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <hydae/simulate.h>

#include "sim/hybrid_model.h"
#include "sim/observed_values.h"

namespace hydae {

class Recorder {
 public:
  Recorder(const HybridModel& model, const SimulateOptions& options);

  // `value`: of a solved or discrete variable.
  void record(double t, const std::function<double(Leaf)>& value);
  // Room for so many rows, as far as that is sensible.
  void reserve(std::size_t rows);
  Trajectory take() { return std::move(trajectory_); }
  const std::vector<std::string>& warnings() const { return observed_->warnings(); }

 private:
  struct Source {
    Leaf leaf;
    double factor;
    std::optional<std::size_t> observed = std::nullopt;  // position among the observed values
  };
  void find_observed(const HybridModel& model);

  std::vector<Source> sources_;
  std::optional<ObservedValues> observed_;  // that are recorded
  std::vector<double> row_;
  Trajectory trajectory_;
};

}  // namespace hydae

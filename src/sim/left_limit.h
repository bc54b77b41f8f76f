// The solution just before an instant, in numbers: what every trial starts from.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "sim/taylor_solution.h"

namespace hydae {

struct LeftLimit {
  // By variable of the model: as many derivatives as known.
  std::vector<std::vector<double>> jets;
  // Of the first limit of an event.
  std::vector<double> discrete{}, observed{};
  std::vector<std::pair<Leaf, double>> resets{};  // values that reinit() has given
  std::map<Leaf, double> extrapolated{};          // by how much, at a limit of events
  // The series that it is taken from. None: it was changed since.
  SolutionPtr solution;

  // NaN if it is not known.
  double value(Leaf leaf) const;
  // Of a variable of the model, discrete ones included.
  double value_or_discrete(Leaf leaf) const {
    return jets[leaf.variable.index()].empty() ? discrete[leaf.variable.index()] : value(leaf);
  }
  void set(Leaf leaf, double value) {
    jets[leaf.variable.index()][static_cast<std::size_t>(leaf.order)] = value;
    solution.reset();
  }
};

LeftLimit left_limit(const SolutionPtr& solution, double t, std::size_t num_variables);

}  // namespace hydae

// What the values of parameters decide about the form of a model: a term whose factor is zero is
// not there, a delay of no length is none. All expressions of parameters alone in a graph are
// looked at: whether one is zero or undefined, and of lags the sign, is all that a decision about
// it depends on.
#pragma once

#include <vector>

#include <hydae/model.h>

namespace hydae {

class ParameterFacts {
 public:
  // Of the first `size` nodes of a graph, at these values of the parameters of the model. Both must
  // outlive it.
  ParameterFacts(const Model& model, const Graph& graph, std::size_t size,
                 std::vector<double> parameters)
      : model_(model), graph_(graph), size_(size), parameters_(std::move(parameters)) {}

  // Whether other values lead to the same decisions.
  bool hold_for(const std::vector<double>& parameters) const;

 private:
  const Model& model_;
  const Graph& graph_;
  std::size_t size_;
  std::vector<double> parameters_;
};

}  // namespace hydae

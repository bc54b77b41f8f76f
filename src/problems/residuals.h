// For the tests: residuals of a model, and of their time derivatives, at given values of variables
// and derivatives, with the rounding error to be expected.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <hydae/problems.h>

#include "expr/derivative.h"
#include "expr/jacobian.h"

namespace hydae::problems {

// A value of a variable or derivative and a bound of its error.
struct Known {
  double value = 0;
  double accuracy = 0;
};
using KnownValues = std::function<std::optional<Known>(Leaf)>;

inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// A residual and its gradient at a point.
struct Residual {
  struct Term {
    Leaf leaf;
    Known at;
    double partial = 0;
  };
  double value = 0;
  std::vector<Term> terms;

  // What the errors of the values explain.
  double from_accuracy() const {
    double sum = 0;
    for (const Term& term : terms) sum += std::abs(term.partial) * term.at.accuracy;
    return sum;
  }
  // Size of the terms, so that epsilon * scale() is their rounding error.
  double scale() const {
    double sum = std::abs(value);
    for (const Term& term : terms) sum += std::abs(term.partial * term.at.value);
    return sum;
  }
};

// d^times/dt^times of one equation's residual; no value if some leaf of it is not known.
inline std::optional<Residual> residual_at(const Model& model, EqId equation, int times, double t,
                                           const KnownValues& known) {
  Graph& graph = model.graph();
  const NodeId root = total_derivative(graph, model.residual(equation), times);
  Evaluator evaluator(graph, {{root}}, &model.functions());
  Residual residual;
  std::vector<double> values;
  for (const Leaf& leaf : evaluator.leaves()) {
    const std::optional<Known> at = known(leaf);
    if (!at) return std::nullopt;
    residual.terms.push_back({leaf, *at});
    values.push_back(at->value);
  }
  const std::vector<double> parameters = model.parameter_values();
  Jacobian jacobian(evaluator, evaluator.leaves());
  residual.value = jacobian.evaluate({.time = t, .parameters = parameters, .values = values})[0];
  for (const JacobianEntry& entry : jacobian.row(0))
    residual.terms[entry.column].partial = entry.value;
  return residual;
}

inline double start_value(const Model& model, const StartValue& start) {
  if (start.value.is_number()) return start.value.value();
  const NodeId root = start.value.id();
  Evaluator evaluator(model.graph(), {{root}});
  const std::vector<double> parameters = model.parameter_values();
  return evaluator.evaluate({.parameters = parameters})[0];
}

}  // namespace hydae::problems

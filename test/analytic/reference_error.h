// How far a simulation is from what is known about the solution of a problem.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <hydae/problems.h>
#include <hydae/simulate.h>

#include "base/derivative_name.h"

namespace hydae {

// Times at which something is known: those of the references, and with an exact solution the middle
// and the end.
inline std::vector<double> known_times(const Problem& problem) {
  const Model model = problem.make_model();
  const double start = *model.experiment.start_time, stop = *model.experiment.stop_time;
  std::vector<double> times = {start, 0.5 * (start + stop), stop};
  for (const Reference& reference : problem.references()) times.push_back(reference.t);
  return times;
}

struct KnownValue {
  double t = 0;
  std::string column;
  double value = 0;
  double accuracy = 0;
};

// What is known of the columns of a trajectory.
inline std::vector<KnownValue> known_values(const Problem& problem, const Trajectory& trajectory) {
  std::vector<KnownValue> known;
  for (const Reference& reference : problem.references())
    for (const ReferenceValue& value : reference.values) {
      const std::string column = derivative_name(value.variable, value.order);
      if (trajectory.find_column(column))
        known.push_back({reference.t, column, value.value, value.accuracy});
    }
  if (!problem.has_exact()) return known;
  const ExactSolution exact = problem.exact_solution();
  const Model model = problem.make_model();
  const double start = *model.experiment.start_time, stop = *model.experiment.stop_time;
  for (const std::string& variable : exact.variables())
    for (double t : {0.5 * (start + stop), stop})
      known.push_back({t, variable, exact.value(variable, 0, t), 0});
  return known;
}

inline double value_at(const Trajectory& trajectory, double t, const std::string& column) {
  for (std::size_t r = 0; r < trajectory.num_rows(); ++r)
    if (trajectory.times()[r] == t) return trajectory.value(r, *trajectory.find_column(column));
  return std::nan("");
}

// Largest error, relative to the larger of the value and one; and that of the reference itself
// where it is largest.
struct ReferenceError {
  double error = 0;
  double of_reference = 0;
  std::string column;  // where the error is largest
};

enum class Selection { kAll, kDifferential };

// A derivative, or a variable of which there is one.
inline bool is_differential(const Trajectory& trajectory, const std::string& column) {
  const auto [variable, order] = parse_derivative_name(column);
  return order > 0 || trajectory.find_column(derivative_name(variable, 1)).has_value();
}

inline ReferenceError reference_error(const Problem& problem, const Trajectory& trajectory,
                                      Selection selection = Selection::kAll) {
  ReferenceError worst;
  for (const KnownValue& known : known_values(problem, trajectory)) {
    if (selection == Selection::kDifferential && !is_differential(trajectory, known.column))
      continue;
    const double size = std::max(1.0, std::abs(known.value));
    const double error = std::abs(value_at(trajectory, known.t, known.column) - known.value) / size;
    if (!(error <= worst.error)) {
      worst.error = error;
      worst.column = known.column;
    }
    worst.of_reference = std::max(worst.of_reference, known.accuracy / size);
  }
  return worst;
}

inline SimulateOptions at_tolerance(const Problem& problem, double tolerance) {
  SimulateOptions options;
  options.tolerance = tolerance;
  options.atol = tolerance;
  options.solver = Solver::kTaylor;
  options.times = known_times(problem);
  return options;
}

}  // namespace hydae

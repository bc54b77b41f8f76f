#include "sim/settings.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

#include "compile/start_values.h"

namespace hydae {

namespace {
constexpr double kDefaultTolerance = 1e-6;
// The step size compares two windows of terms: they need one each, beside the first of all.
constexpr int kLowestOrder = 5, kHighestOrder = 60;
constexpr double kFinestTolerance = 1e-16;  // numbers have no more digits
constexpr double kFinestStep = 1e-16;  // relative to the times of the run: shorter ones stand still
}  // namespace

RunSettings settings_of(const Model& model, const SimulateOptions& options) {
  RunSettings s;
  s.start = options.start.value_or(model.experiment.start_time.value_or(0.0));
  s.stop = options.stop.value_or(model.experiment.stop_time.value_or(s.start + 1.0));
  s.rtol = options.tolerance.value_or(model.experiment.tolerance.value_or(kDefaultTolerance));
  s.atol = options.atol.value_or(s.rtol);
  s.impulse_coefficients = options.rules.impulse_coefficients;
  if (!std::isfinite(s.start) || !std::isfinite(s.stop))
    throw UsageError("start and stop time must be finite");
  // Whoever moves the start of a run does not thereby turn time round.
  if (options.start && !options.stop && s.stop < s.start)
    throw UsageError(
        fmt::format("the start time {} lies behind the stop time {} of the model; "
                    "give a stop time, too",
                    s.start, s.stop));
  if (!(s.rtol > 0 && s.rtol < 1))
    throw UsageError(fmt::format("tolerance {} is not in (0, 1)", s.rtol));
  if (s.rtol < kFinestTolerance)
    throw UsageError(fmt::format("tolerance {} is below {}: numbers have no more digits", s.rtol,
                                 kFinestTolerance));
  if (!(s.atol > 0)) throw UsageError(fmt::format("absolute tolerance {} is not positive", s.atol));
  if (options.max_step && !(*options.max_step > 0))
    throw UsageError(fmt::format("longest step {} is not positive", *options.max_step));
  const double finest = kFinestStep * std::max(std::abs(s.start), std::abs(s.stop));
  if (options.max_step && *options.max_step < finest)
    throw UsageError(
        fmt::format("longest step {} is below {:.2g}, what times up to {} can tell apart",
                    *options.max_step, finest, s.stop));
  if (options.order != 0 && (options.order < kLowestOrder || options.order > kHighestOrder))
    throw UsageError(fmt::format("order {} is not in {} .. {}, nor 0 for that of the tolerance",
                                 options.order, kLowestOrder, kHighestOrder));
  return s;
}

void set_parameters(Model& model, const std::vector<ParameterOverride>& parameters) {
  for (const ParameterOverride& given : parameters) {
    const auto parameter = model.find_parameter(given.parameter);
    if (!parameter)
      throw UsageError(
          fmt::format("model `{}` has no parameter `{}`", model.name(), given.parameter));
    model.set_parameter(*parameter, given.value);
  }
}

double nominal_of(const Model& model, const Variable& variable,
                  const std::vector<double>& parameters) {
  if (!variable.nominal) return 1;
  const double value = std::abs(number_of(model, *variable.nominal, parameters).value_or(1.0));
  return value > 0 ? value : 1.0;
}

}  // namespace hydae

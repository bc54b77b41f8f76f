// Options of a run with everything filled in.
#pragma once

#include <algorithm>
#include <vector>

#include <hydae/simulate.h>

#include "sim/hybrid_model.h"

namespace hydae {

struct RunSettings {
  double start = 0, stop = 1, rtol = 1e-6, atol = 1e-6;
  ImpulseCoefficients impulse_coefficients = ImpulseCoefficients::kPath;
  double direction() const { return stop >= start ? 1 : -1; }
  // Relative size below which a jump at an event is an error of the solution before it.
  double jump_noise() const { return std::max(1e-11, 10 * rtol); }
};

// Throws UsageError for options that make no sense.
RunSettings settings_of(const Model& model, const SimulateOptions& options);

// Throws UsageError for a parameter that the model does not have or that cannot be set.
void set_parameters(Model& model, const std::vector<ParameterOverride>& parameters);

// 1 if none is given.
double nominal_of(const Model& model, const Variable& variable,
                  const std::vector<double>& parameters);

// `atol` times the nominal value, for each unknown of the system in turn.

}  // namespace hydae

// A run that is begun again with another form of the model where the plain one has ended at a root.
// To whoever takes its rows it is one run.
#pragma once

#include <functional>
#include <optional>

#include <hydae/simulate.h>

namespace hydae {

// `guards_roots`: with the form of guarded_roots.h; nothing if the model has no such roots.
using Attempt = std::function<std::optional<Simulation>(const SimulateOptions&, bool guards_roots)>;

// The plain form, or the other one where that comes further.
Simulation run_in_attempts(const SimulateOptions& options, double direction, const Attempt& run);

}  // namespace hydae

// Which method a model needs, as far as the model alone says.
#pragma once

#include <string>

#include <hydae/simulate.h>

#include "sim/hybrid_model.h"

namespace hydae {

// No switches and no discrete variables: BDF needs no Taylor series for it, so it takes what has
// none (functions that exist as code only) and systems of any size.
bool is_smooth(const HybridModel& model);
// The same but for signals of inputs, whose pieces end at events.
bool is_smooth_between_inputs(const HybridModel& model);

// Why BDF is the only method for this model, or by far the better one, from the start; empty if it
// is not.
std::string reason_for_bdf(const HybridModel& model);

// Whether BDF integrates, and why `auto` has chosen it.
struct SolverChoice {
  bool uses_bdf = false, has_series = true;
  std::string reason;
};
// Throws as refuse_code() does where the user asks for `taylor`.
SolverChoice choose_solver(const HybridModel& model, const SimulateOptions& options);

// Throws ModelError [not-for-taylor] naming the function and the equation if the continuous part of
// the model has functions that exist as code only.
void refuse_code(const HybridModel& model);

}  // namespace hydae

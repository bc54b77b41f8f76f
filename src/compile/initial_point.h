// The public answer of an initialization, from the system that was solved and its solution.
#pragma once

#include <hydae/initial_point.h>

#include "compile/consistent_point.h"

namespace hydae {

// Values, what was held, kept and moved, what the structure leaves open.
void describe_point(const InitialSystem& system, const ConsistentPoint& solution,
                    InitialPoint& point);
// Behind the other variables: those that are equal to one of them up to sign.
void add_aliases(const Model& model, InitialPoint& point);
// Where there is no point no start value has moved anywhere.
void describe_failure(const Diagnostic& why, InitialPoint& point);

// Of equations without switches.
InitialPoint find_initial_point(const AnalyzedSystem& prepared, const InitializeOptions& options);
// In the mode of the options, or of the start values: other modes are not looked for.
InitialPoint initialize_in_mode(const Model& model, const InitializeOptions& options = {});

}  // namespace hydae

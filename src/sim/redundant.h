// Equations that follow from the others, as a run deals with them: dropped, or named.
#pragma once

#include <hydae/error.h>
#include <hydae/simulate.h>

#include "compile/redundancy.h"

namespace hydae {

// At the values of the parameters that the options say.
Redundancy find_redundancy(const Model& model, const SimulateOptions& options);

// What was dropped, into the summary of the run without it.
void note_dropped(const Model& model, const Redundancy& redundancy, Summary& summary);

// The same error, or a better one where equations follow from the others or contradict each other.
ModelError explained(const Model& model, const SimulateOptions& options, const ModelError& error);
// The same for a run that ends where it starts, since its equations are singular there.
void explain_singular_start(const Model& model, const SimulateOptions& options, Summary& summary);

}  // namespace hydae

// A point of equations that need not determine it: singular, too few or too many (Uhlig, Blochwitz,
// Schnabel, Naehring, sections 2.1, 5 and 7). Which equations are differentiated is their index
// calculation, which needs no perfect assignment; the point is the closest one to the start values
// that satisfies all of them. Equations that contradict each other are named, as few as possible.
#pragma once

#include <hydae/initial_point.h>
#include <hydae/model.h>

#include "compile/consistent_point.h"

namespace hydae {

// With offsets of the index calculation, and without a structure that can be trusted.
AnalyzedSystem with_offsets_of_index(System system);

// Which rows, as few as possible, have no solution.
Diagnostic explain_contradiction(const InitialSystem& system, const PointSettings& settings,
                                 const ConsistentPoint& point);

InitialPoint find_least_norm_point(const Model& model, const InitializeOptions& options);

}  // namespace hydae

// What is wrong with an ill-posed system, as diagnostics that name equations and variables.
#pragma once

#include <hydae/diagnostic.h>

#include "compile/analyzed_system.h"

namespace hydae {

// [empty-model], [equation-without-unknowns], [unused-variable], [too-few-equations],
// [too-many-equations]; for a well-posed system [external-too-deep] or nothing.
void report_ill_posed(const AnalyzedSystem& prepared, Diagnostics& diagnostics);

// [singular-jacobian]; nothing for a regular one.
void report_singular_jacobian(const AnalyzedSystem& prepared, Diagnostics& diagnostics);

// Throws ModelError if there is something of both.
void require_well_posed(const AnalyzedSystem& prepared);

}  // namespace hydae

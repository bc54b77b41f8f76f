// What is said of a run when it has ended: counters, scales, residuals, where the solution is
// heading for.
#pragma once

#include "sim/active_solution.h"
#include "sim/singularity.h"

namespace hydae {

// Into the summary of the report, behind how the run has ended.
void complete_summary(RunParts& parts, const ActiveSolution& active,
                      const SingularityWatch& singularity);

}  // namespace hydae

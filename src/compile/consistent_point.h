// Solves an initial system group by group.
#pragma once

#include <string>
#include <vector>

#include "compile/group_equations.h"

namespace hydae {

struct ConsistentPoint {
  std::vector<double> values;  // by column of the initial system
  init::Report report;         // of the first group that failed, or of the hardest one
  int iterations = 0;          // of all groups
  double residual_norm = 0;    // largest of all groups

  bool is_solved() const { return report.status == init::Status::kSolved; }
};

ConsistentPoint solve_initial_system(const InitialSystem& system, const PointSettings& settings);

// Why no point was found: [conflicting-start-values] with fixed values, as few as possible, that
// cannot hold together, or [initialization-failed].
Diagnostic explain_failure(const InitialSystem& system, const PointSettings& settings,
                           const ConsistentPoint& point);

}  // namespace hydae

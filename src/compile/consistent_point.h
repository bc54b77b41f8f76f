// Solves an initial system group by group, with as many of the given start values held as there are
// free values. Where that has no solution, the guesses that can have to do with it are let go
// together, and the closest point is taken. docs/math/initialization.md says the rule.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <hydae/initial_point.h>

#include "compile/group_equations.h"

namespace hydae {

struct ConsistentPoint {
  std::vector<double> values;  // by column of the initial system
  init::Report report;         // of the first group that failed, or of the hardest one
  int iterations = 0;          // of all groups
  double residual_norm = 0;    // largest of all groups
  std::vector<int> kept;       // columns that were held, ascending
  std::vector<MovedStart> moved;
  // Equations of groups that had none. Unless guesses may be let go anywhere the search goes on
  // behind the first of them, to find them all.
  std::set<std::string> without_solution;

  bool is_solved() const { return report.status == init::Status::kSolved; }
};

// From good guesses Newton's method is enough.
init::Options newton_only();

// Moves of less than this, in units of the guess and its nominal value, are rounding.
inline constexpr double kSmallestMove = 1e-9;
bool is_moved(const InitialColumn& column, double to);

ConsistentPoint solve_initial_system(const InitialSystem& system, const PointSettings& settings);

// [conflicting-start-values]: fixed values, as "x = 1", that cannot hold together.
Diagnostic conflict_of(const std::vector<std::string>& values);

// Why no point was found: [conflicting-start-values] with fixed values, as few as possible, that
// cannot hold together, or [initialization-failed].
Diagnostic explain_failure(const InitialSystem& system, const PointSettings& settings,
                           const ConsistentPoint& point);

}  // namespace hydae

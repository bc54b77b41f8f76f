// Policy 1 for small systems: every choice of constraints and algebraic variables is tried, and the
// subsystem with the most constraints is taken, of those the one with the lowest logarithmic norm.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "partition/partition_system.h"
#include "partition/semi_explicit.h"

namespace hydae::partition {

struct ExhaustiveInput {
  const SemiExplicit& s;
  const std::vector<bool>& is_row_allowed;     // by constraint
  const std::vector<bool>& is_column_allowed;  // by algebraic variable
  const std::vector<bool>& must_include;       // by constraint
  std::vector<bool> must_determine;            // by algebraic variable
  double limit = 0;                            // of the log norm
  const SystemOptions& options;
};

struct ExhaustiveChoice {
  std::vector<int> rows1, columns1, rows2, columns2;
};

// Nothing if there are too many constraints or combinations to try them all.
std::optional<ExhaustiveChoice> search_all_combinations(const ExhaustiveInput& input);

}  // namespace hydae::partition

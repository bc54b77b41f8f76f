// Where a model is linearized: the values at every time, and the mode that they belong to.
#pragma once

#include <vector>

#include <hydae/partition.h>

namespace hydae::partition {

struct ModePoints {
  std::vector<TimePoint> points;  // with all values that are known
  std::vector<bool> mode;         // truth of system_relations() at the first of them
  std::vector<MovedStart> moved;  // by the search for consistent points
};

// As the options say; of consistent points the mode is the one that was found with them. A warning
// [other-mode] if a later point has another one: its equations are those of the first.
ModePoints find_points(const Model& model, const Options& options, Diagnostics& warnings);

}  // namespace hydae::partition

#include "sim/run_report.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace hydae {

int count_modes(const std::vector<EventRecord>& events, double start) {
  std::set<std::string> modes;
  if (!events.empty() && events.front().t != start) modes.insert(events.front().from_mode);
  for (const EventRecord& event : events) modes.insert(event.to_mode);
  return std::max(1, static_cast<int>(modes.size()));
}

void add_up(const Summary& part, Summary& whole) {
  whole.steps += part.steps;
  whole.rejected_steps += part.rejected_steps;
  whole.jacobians += part.jacobians;
  whole.factorizations += part.factorizations;
  whole.newton_iterations += part.newton_iterations;
  whole.state_selections += part.state_selections;
  whole.max_constraint_residual =
      std::max(whole.max_constraint_residual, part.max_constraint_residual);
  whole.max_dropped_residual = std::max(whole.max_dropped_residual, part.max_dropped_residual);
  whole.max_projection = std::max(whole.max_projection, part.max_projection);
  if (whole.bdf.empty())
    whole.bdf = part.bdf;
  else if (!part.bdf.empty() && part.bdf != whole.bdf)
    whole.bdf = "CVODE and IDA";
}

void RunReport::warn_once(const std::string& text) {
  auto& warnings = summary_.warnings;
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warn(text);
}

}  // namespace hydae

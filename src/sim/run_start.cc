#include "sim/run_start.h"

#include <limits>

namespace hydae {

Outcome<std::set<std::size_t>> RunStart::find(const MethodChoice& choice) {
  HybridInitializer initializer(parts_.model, parts_.settings, parts_.options,
                                {parts_.discrete_part, parts_.selector, parts_.workspaces,
                                 parts_.signs, parts_.delays, parts_.report, parts_.inputs});
  if (!choice.has_series()) {
    if (auto found = find_point(initializer); !found) return std::move(found).failure();
    return std::set<std::size_t>();
  }
  Outcome<HybridStart> start = initializer.find_start();
  if (!start) {
    record_point(initializer);
    return std::move(start).failure();
  }
  Committed& run = active_.committed();
  run.state = std::move(start->state);
  run.solution = std::move(start->solution);
  run.fill_table();
  parts_.workspaces.scales().begin(active_.stepper());
  parts_.workspaces.update_tolerances(*run.solution);
  parts_.report.summary().moved_starts = start->point->point.moved;
  return std::move(start->conflict);
}

Outcome<Done> RunStart::find_point(HybridInitializer& initializer) {
  const Outcome<HybridInitializer::Point> point = initializer.find_point();
  if (!point) return point.failure();
  parts_.report.summary().moved_starts = initializer.last_solution()->point.moved;
  Committed& run = active_.committed();
  run.state.discrete.assign(parts_.model.model().num_variables(), 0.0);
  run.fill_table();
  const auto value = [&](Leaf leaf) {
    const auto at = point->values.find(leaf);
    return at == point->values.end() ? std::numeric_limits<double>::quiet_NaN() : at->second;
  };
  const RunSettings& settings = parts_.settings;
  parts_.workspaces.scales().begin(value, settings.stop - settings.start);
  return active_.start_bdf(*point->mode, settings.start, value);
}

// Where the run ends before it has begun, the point is its result.
void RunStart::record_point(const HybridInitializer& initializer) {
  const auto& point = initializer.point_without_series();
  if (point.empty()) return;
  parts_.rows.record(parts_.settings.start, [&](Leaf leaf) {
    const auto at = point.find(leaf);
    return at == point.end() ? 0.0 : at->second;
  });
}

}  // namespace hydae

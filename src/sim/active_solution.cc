#include "sim/active_solution.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/expansion_failure.h"

namespace hydae {

Outcome<Done> ActiveSolution::start_bdf() {
  if (!stepper().is_expanded() && !stepper().expand(parts_.settings.stop))
    return expansion_failure(parts_.model.model(), *run_.solution);
  const double t = stepper().time();
  return start_bdf(run_.solution->mode(), t, [&](Leaf leaf) { return run_.view().value(leaf, t); });
}

Outcome<Done> ActiveSolution::start_bdf(const CompiledMode& mode, double t,
                                        const BdfSolver::LeafValue& value) {
  BdfSolver& solver = parts_.workspaces.bdf(mode);
  const auto held = [this](Leaf leaf) { return run_.state.discrete[leaf.variable.index()]; };
  if (!solver.start(t, value, {run_.table.numbers(), held, held}))
    return failure_named(solver.failure_status(), Status::kNotConverged, solver.failure_message());
  bdf_ = &solver;
  bdf_solution_.emplace(mode, solver);
  return Done{};
}

Outcome<Done> ActiveSolution::end_bdf(double t) {
  const CompiledMode& ended = run_.solution->mode();
  BdfSolver& bdf = *bdf_;
  bdf_ = nullptr;
  if (t == bdf.start_time() && t == stepper().time()) return Done{};
  std::vector<double> entries;
  const auto& d = ended.prepared.structure.offsets.d;
  for (const codegen::JetEntry& entry : ended.compiled.program->entries()) {
    const VarId column(static_cast<std::size_t>(entry.variable));
    entries.push_back(entry.order <= d[column] ? bdf.value(column, entry.order, t)
                                               : std::numeric_limits<double>::quiet_NaN());
  }
  stepper().start(t, entries, parts_.settings.direction());
  if (stepper().expand(parts_.settings.stop)) return Done{};
  return expansion_failure(parts_.model.model(), *run_.solution);
}

double ActiveSolution::reach_of_series(double t) {
  BdfSolver* const bdf = bdf_;
  const bool has_series = static_cast<bool>(end_bdf(t));
  bdf_ = bdf;
  return has_series ? std::abs(stepper().reach() - stepper().time()) : 0;
}

// With what it has learned: whoever goes on from the same state elsewhere does not know it.
void ActiveSolution::drop_bdf() {
  bdf_ = nullptr;
  parts_.workspaces.forget_bdf();
}

Outcome<Done> ActiveSolution::expand_here() {
  const double t = stepper().time();
  const double beyond = t + parts_.settings.direction() * std::max(1.0, std::abs(t));
  if (stepper().expand(beyond)) return Done{};
  return expansion_failure(parts_.model.model(), *run_.solution);
}

void ActiveSolution::extend_histories(double until) {
  if (parts_.delays.empty() || until == stepper().time()) return;
  StepOutputs& outputs = parts_.outputs.over_step(*run_.solution, run_.table.numbers());
  const double part = (until - stepper().time()) / (stepper().reach() - stepper().time());
  parts_.delays.extend(outputs, run_.solution->mode(), {part, parts_.settings.rtol}, run_.state);
}

}  // namespace hydae

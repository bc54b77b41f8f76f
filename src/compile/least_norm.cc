#include "compile/least_norm.h"

#include <algorithm>
#include <fmt/format.h>

#include <hydae/analyze.h>

#include "compile/initial_point.h"
#include "compile/observers.h"
#include "expr/incidence.h"
#include "init/conflict.h"
#include "structure/index_calculation.h"

namespace hydae {
namespace {

constexpr std::size_t kMostRowsInSearch = 300;  // among which a contradiction is looked for

InitialSystem with_rows(const InitialSystem& system, std::span<const int> rows) {
  InitialSystem part = system;
  part.rows.clear();
  for (int row : rows) part.rows.push_back(system.rows[slot(row)]);
  return part;
}

}  // namespace

AnalyzedSystem with_offsets_of_index(System system) {
  AnalyzedSystem prepared;
  prepared.system = std::move(system);
  prepared.sigma = signature_of(prepared.system);
  const structure::IndexCalculation index = structure::compute_index(prepared.sigma);
  prepared.structure.offsets.c = index.num_differentiations;
  prepared.structure.offsets.d = index.highest_order;
  for (int& order : prepared.structure.offsets.d) order = std::max(order, 0);
  return prepared;
}

Diagnostic explain_contradiction(const InitialSystem& system, const PointSettings& settings,
                                 const ConsistentPoint& point) {
  Diagnostic why;
  why.code = "initialization-failed";
  why.message = "initialization: " + point.report.message;
  if (system.rows.size() > kMostRowsInSearch) return why;
  const auto rows =
      init::find_minimal_conflict(static_cast<int>(system.rows.size()), [&](auto chosen) {
        return solve_initial_system(with_rows(system, chosen), settings).is_solved();
      });
  if (!rows || rows->empty()) return why;
  std::vector<std::string> names;
  for (int row : *rows) {
    names.push_back(system.rows[slot(row)].name);
    why.notes.push_back({fmt::format("`{}` is here", names.back()), system.rows[slot(row)].source});
  }
  why.range = system.rows[slot(rows->back())].source;
  why.code = "contradicting-equations";
  why.message =
      fmt::format("initialization: equations contradict each other: {}", quoted_list(names));
  return why;
}

InitialPoint find_least_norm_point(const Model& given, const InitializeOptions& options) {
  const Model model = given.extended();  // what is added is not the model's
  std::vector<bool> mode = start_mode(model);
  std::copy_n(options.mode.begin(), std::min(options.mode.size(), mode.size()), mode.begin());
  const AnalyzedSystem prepared = with_offsets_of_index(make_system(model, mode));
  InitializeOptions closest = options;
  closest.guesses = Guesses::kClosest;
  InitialSystem system = make_initial_system(prepared, closest);
  InitialPoint point;
  point.t = options.time.value_or(model.experiment.start_time.value_or(0.0));
  const PointSettings settings{point.t, model.parameter_values()};
  const ConsistentPoint solution = solve_with_observers(system, settings);
  describe_point(system, solution, point);
  add_aliases(model, point);
  if (solution.is_solved()) return point;
  const auto unequal = find_unequal_starts(system);
  describe_failure(unequal ? *unequal : explain_contradiction(system, settings, solution), point);
  return point;
}

}  // namespace hydae

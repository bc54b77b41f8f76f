#include "sim/recorder.h"

#include <algorithm>
#include <fmt/format.h>

namespace hydae {
namespace {

std::string column_name(const std::string& name, int order) {
  if (order == 0) return name;
  return order == 1 ? fmt::format("der({})", name) : fmt::format("der({},{})", name, order);
}

// Highest derivative of a column in the equations.
int highest_order(const Prepared& prepared, VarId column) {
  int order = 0;
  for (const auto& entry : prepared.sigma.column(column)) order = std::max(order, entry.order);
  return order;
}

}  // namespace

Recorder::Recorder(const Prepared& prepared, const SimulateOptions& options) {
  const Model& model = *prepared.system.model;
  std::vector<Column> columns;
  std::vector<Source> sources;
  for (VarId column : ids<VarId>(prepared.system.unknowns.size())) {
    const VarId variable = prepared.system.unknowns[column];
    if (variable.index() >= model.num_variables()) continue;
    const Variable& v = model.all_variables()[variable];
    const int last = options.with_derivatives ? highest_order(prepared, column) : 0;
    for (int order = 0; order <= last; ++order) {
      columns.push_back({column_name(v.name, order), order == 0 ? v.unit : "", v.description});
      sources.push_back({static_cast<int>(column.index()), order, 1.0});
    }
  }
  for (const Alias& alias : model.aliases()) {
    const auto column = prepared.system.find_column(alias.target);
    if (!column) continue;
    columns.push_back({alias.name, alias.unit, alias.description});
    sources.push_back({static_cast<int>(column->index()), 0, alias.factor});
  }
  if (!options.variables.empty()) {
    const Trajectory wanted = Trajectory(columns).selected(options.variables);
    std::vector<Column> kept;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (!wanted.find_column(columns[k].name)) continue;
      kept.push_back(columns[k]);
      sources_.push_back(sources[k]);
    }
    columns = std::move(kept);
  } else {
    sources_ = std::move(sources);
  }
  row_.resize(columns.size());
  trajectory_ = Trajectory(std::move(columns));
}

void Recorder::record(const integrate::TaylorStepper& stepper, double t) {
  for (std::size_t k = 0; k < sources_.size(); ++k)
    row_[k] = sources_[k].factor * stepper.value(sources_[k].variable, sources_[k].derivative, t);
  trajectory_.add_row(t, row_);
}

}  // namespace hydae

#include "sim/recorder.h"

#include <algorithm>
#include <map>

#include "base/derivative_name.h"
#include "expr/incidence.h"

namespace hydae {
namespace {

constexpr std::size_t kMostReserved = 10'000'000;  // numbers

// Highest derivative of each variable in the equations, in whatever mode.
std::map<VarId, int> highest_orders(const HybridModel& model) {
  std::map<VarId, int> orders;
  Incidence incidence;
  for (const Leaf& leaf : incidence.of(model.graph(), model.residuals()))
    orders[leaf.variable] = leaf.order;
  return orders;
}

}  // namespace

Recorder::Recorder(const HybridModel& hybrid, const SimulateOptions& options) {
  const Model& model = hybrid.model();
  std::vector<Column> columns;
  std::vector<Source> sources;
  const std::map<VarId, int> orders = highest_orders(hybrid);
  for (VarId variable : ids<VarId>(model.num_variables())) {
    const Variable& v = model.all_variables()[variable];
    const auto at = orders.find(variable);
    const bool has_derivatives = options.with_derivatives && v.kind == VariableKind::kReal;
    const int last = has_derivatives && at != orders.end() ? at->second : 0;
    for (int order = 0; order <= last; ++order) {
      columns.push_back({derivative_name(v.name, order), order == 0 ? v.unit : "", v.description});
      sources.push_back({{variable, order}, 1.0});
    }
  }
  for (const Alias& alias : model.aliases()) {
    columns.push_back({alias.name, alias.unit, alias.description});
    sources.push_back({{alias.target, 0}, alias.factor});
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
  find_observed(hybrid);
  row_.resize(columns.size());
  trajectory_ = Trajectory(std::move(columns));
}

void Recorder::find_observed(const HybridModel& model) {
  const auto& observed = model.observed().variables;
  std::map<VarId, std::size_t> places;  // of those that are asked for
  std::vector<std::size_t> which;
  for (Source& source : sources_) {
    if (!model.observed().contains(source.leaf.variable)) continue;
    const auto [at, is_new] = places.emplace(source.leaf.variable, which.size());
    source.observed = at->second;
    if (!is_new) continue;
    const auto found = std::lower_bound(
        observed.begin(), observed.end(), source.leaf.variable,
        [](const ObservedVariable& a, VarId variable) { return a.variable < variable; });
    which.push_back(static_cast<std::size_t>(found - observed.begin()));
  }
  observed_.emplace(model, std::move(which));
}

void Recorder::reserve(std::size_t rows) {
  trajectory_.reserve(std::min(rows, kMostReserved / (row_.size() + 1)));
}

void Recorder::record(double t, const std::function<double(Leaf)>& value) {
  const auto observed = observed_->evaluate(t, value);
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const Source& source = sources_[k];
    row_[k] = source.factor * (source.observed ? observed[*source.observed] : value(source.leaf));
  }
  trajectory_.add_row(t, row_);
}

}  // namespace hydae

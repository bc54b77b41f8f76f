#include "sim/recorder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "base/derivative_name.h"
#include "expr/incidence.h"
#include "sim/settings.h"
#include "sim/tick_times.h"

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

Recorder::Recorder(const HybridModel& hybrid, const SimulateOptions& options)
    : has_event_rows_(options.sinks.event_rows), sink_(options.sinks.rows) {
  const RunSettings settings = settings_of(hybrid.model(), options);
  start_ = settings.start;
  direction_ = settings.direction();
  const Model& model = hybrid.model();
  std::vector<Column> columns;
  const std::map<VarId, int> orders = highest_orders(hybrid);
  for (VarId variable : ids<VarId>(model.num_variables())) {
    const Variable& v = model.all_variables()[variable];
    const auto at = orders.find(variable);
    const bool has_derivatives = options.with_derivatives && v.kind == VariableKind::kReal;
    const int last = has_derivatives && at != orders.end() ? at->second : 0;
    for (int order = 0; order <= last; ++order) {
      columns.push_back({derivative_name(v.name, order), order == 0 ? v.unit : "", v.description});
      sources_.push_back({{variable, order}, 1.0});
    }
  }
  for (const Alias& alias : model.aliases()) {
    columns.push_back({alias.name, alias.unit, alias.description});
    sources_.push_back({{alias.target, 0}, alias.factor});
  }
  if (!options.variables.empty()) select(columns, options.variables);
  find_observed(hybrid);
  row_.resize(columns.size());
  trajectory_ = Trajectory(std::move(columns));
  if (sink_ != nullptr) sink_->begin(trajectory_.axis(), trajectory_.columns());
}

void Recorder::select(std::vector<Column>& columns, std::span<const std::string> patterns) {
  const Trajectory all(columns);
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  for (const std::string& pattern : patterns)
    if (all.selected({&pattern, 1}).columns().empty()) {
      const std::vector<std::string> near = nearest_names(pattern, names);
      throw PatternError(
          fmt::format("no variable fits {}{}", quoted(pattern),
                      near.empty() ? "" : fmt::format("; near: {}", quoted_list(near))));
    }
  const Trajectory wanted = all.selected(patterns);
  std::vector<Source> sources;
  std::vector<Column> kept;
  for (std::size_t k = 0, next = 0; k < columns.size(); ++k) {
    if (next == wanted.columns().size() || wanted.columns()[next].name != columns[k].name) continue;
    ++next;
    kept.push_back(columns[k]);
    sources.push_back(sources_[k]);
  }
  columns = std::move(kept);
  sources_ = std::move(sources);
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
  if (sink_ != nullptr) return;
  trajectory_.reserve(std::min(rows, kMostReserved / (row_.size() + 1)));
}

std::span<const double> Recorder::row_at(double t, const std::function<double(Leaf)>& value) {
  const auto observed = observed_->evaluate(t, value);
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const Source& source = sources_[k];
    row_[k] = source.factor * (source.observed ? observed[*source.observed] : value(source.leaf));
  }
  return row_;
}

void Recorder::record(double t, const std::function<double(Leaf)>& value) {
  row_at(t, value);
  look_for_undefined(t);
  if (!has_rows_ || !is_same_time(t, first_time_)) {
    flush();
    has_rows_ = true;
    first_time_ = t;
    if (has_event_rows_ && !is_same_time(t, start_)) return emit(t, row_);
    pending_.t = t;
  }
  if (has_event_rows_) pending_.t = t;
  pending_.row.assign(row_.begin(), row_.end());
  pending_.is_there = true;
}

void Recorder::record_end(double t, const std::function<double(Leaf)>& value) {
  const bool is_beyond = (t - first_time_) * direction_ > 0 && !is_same_time(t, first_time_);
  // Where the solution has become infinite there is no point to show.
  const bool is_point = std::all_of(sources_.begin(), sources_.end(), [&](const Source& source) {
    return source.observed || std::isfinite(value(source.leaf));
  });
  if (!has_rows_ || (is_beyond && is_point)) record(t, value);
}

void Recorder::flush() {
  if (pending_.is_there) emit(pending_.t, pending_.row);
  pending_.is_there = false;
}

void Recorder::emit(double t, std::span<const double> row) {
  if (sink_ != nullptr)
    sink_->add_row(t, row);
  else
    trajectory_.add_row(t, row);
}

void Recorder::look_for_undefined(double t) {
  if (!undefined_.empty()) return;
  const auto at =
      std::find_if(row_.begin(), row_.end(), [](double value) { return !std::isfinite(value); });
  if (at == row_.end()) return;
  const Column& column = trajectory_.columns()[static_cast<std::size_t>(at - row_.begin())];
  undefined_ = fmt::format("{} is {} at t = {:.10g}", quoted(column.name), *at, t);
}

Trajectory Recorder::take() {
  flush();
  return std::move(trajectory_);
}

}  // namespace hydae

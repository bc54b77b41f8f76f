#include "sim/bound_watch.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "compile/start_values.h"

namespace hydae {
namespace {

constexpr double kErrors = 10;  // tolerances by which a limit is passed before it counts
constexpr int kHalvings = 60;

}  // namespace

BoundWatch::BoundWatch(const HybridModel& model, const RunSettings& settings,
                       const VariableScales& scales, RunReport& report)
    : model_(model), settings_(settings), scales_(scales), report_(report), last_(settings.start) {
  const Model& flat = model.model();
  const std::vector<double> parameters = flat.parameter_values();
  for (VarId id : ids<VarId>(flat.num_variables())) {
    const Variable& variable = flat.all_variables()[id];
    if (model.observed().contains(id)) continue;
    for (const bool is_min : {true, false})
      if (const auto& given = is_min ? variable.min : variable.max)
        if (const auto limit = number_of(flat, *given, parameters); limit && std::isfinite(*limit))
          bounds_.push_back({id, *limit, is_min});
  }
}

bool BoundWatch::is_violated(const Bound& bound, double value) const {
  const double error = kErrors * (settings_.atol * scales_.scale_of(bound.variable) +
                                  settings_.rtol * std::abs(bound.limit));
  return bound.is_min ? value < bound.limit - error : value > bound.limit + error;
}

void BoundWatch::check(const StateView& view, double t) {
  std::erase_if(bounds_, [&](const Bound& bound) {
    if (!is_violated(bound, view.value({bound.variable, 0}, t))) return false;
    say(bound, view, t);
    return true;
  });
  last_ = t;
  is_first_ = false;
}

void BoundWatch::say(const Bound& bound, const StateView& view, double t) {
  const double after = t;
  double before = last_;
  for (int k = 0; k < kHalvings && before != t; ++k) {
    const double middle = before + (t - before) / 2;
    if (middle == before || middle == t) break;
    const double value = view.value({bound.variable, 0}, middle);
    ((bound.is_min ? value < bound.limit : value > bound.limit) ? t : before) = middle;
  }
  const char* when = is_first_ ? "at the start," : last_ == after ? "by the event at" : "from";
  report_.warn(
      fmt::format("`{}` leaves its {} = {:.6g} {} t = {:.10g}: it is {:.6g} at t = {:.10g}",
                  model_.model().all_variables()[bound.variable].name, bound.is_min ? "min" : "max",
                  bound.limit, when, t, view.value({bound.variable, 0}, after), after));
}

}  // namespace hydae

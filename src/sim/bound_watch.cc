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
  for (VarId id : ids<VarId>(flat.num_variables()))
    if (!model.observed().contains(id)) add_bounds(parameters, {id});
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < model.observed().variables.size(); ++k) {
    const VarId id = model.observed().variables[k].variable;
    const Variable& variable = flat.all_variables()[id];
    const std::size_t before = bounds_.size();
    Bound bound{id};
    bound.observed = which.size();
    bound.has_nominal = variable.nominal.has_value();
    bound.scale = bound.has_nominal ? nominal_of(flat, variable, parameters) : 0;
    add_bounds(parameters, bound);
    if (bounds_.size() != before) which.push_back(k);
  }
  if (!which.empty()) observed_.emplace(model, std::move(which));
}

void BoundWatch::add_bounds(const std::vector<double>& parameters, Bound bound) {
  const Model& flat = model_.model();
  const Variable& variable = flat.all_variables()[bound.variable];
  for (const bool is_min : {true, false})
    if (const auto& given = is_min ? variable.min : variable.max)
      if (const auto limit = number_of(flat, *given, parameters); limit && std::isfinite(*limit)) {
        bound.limit = *limit;
        bound.is_min = is_min;
        bounds_.push_back(bound);
      }
}

// Of an observed variable nobody derives a scale: it is what it has been, at most one.
bool BoundWatch::is_violated(Bound& bound, double value) const {
  if (bound.observed && !bound.has_nominal && std::isfinite(value))
    bound.scale = std::max(bound.scale, std::min(1.0, std::abs(value)));
  const double scale = bound.observed ? bound.scale : scales_.scale_of(bound.variable);
  const double error = kErrors * (settings_.atol * scale + settings_.rtol * std::abs(bound.limit));
  return bound.is_min ? value < bound.limit - error : value > bound.limit + error;
}

double BoundWatch::value_of(const Bound& bound, const ValuesAt& values, double t) {
  if (!bound.observed) return values({bound.variable, 0}, t);
  return observed_->evaluate(t, [&](Leaf leaf) { return values(leaf, t); })[*bound.observed];
}

void BoundWatch::check(const StateView& view, double t) {
  check(ValuesAt([&view](Leaf leaf, double at) { return view.value(leaf, at); }), t);
}

void BoundWatch::check_start(const std::function<double(Leaf)>& values, double t) {
  check(ValuesAt([&values](Leaf leaf, double) { return values(leaf); }), t);
}

void BoundWatch::check(const ValuesAt& values, double t) {
  std::vector<double> observed;
  if (observed_) {
    const auto seen = observed_->evaluate(t, [&](Leaf leaf) { return values(leaf, t); });
    observed.assign(seen.begin(), seen.end());
  }
  std::erase_if(bounds_, [&](Bound& bound) {
    const double value =
        bound.observed ? observed[*bound.observed] : values({bound.variable, 0}, t);
    if (!is_violated(bound, value)) return false;
    say(bound, values, t);
    return true;
  });
  last_ = t;
  is_first_ = false;
}

void BoundWatch::say(const Bound& bound, const ValuesAt& values, double t) {
  const double after = t;
  double before = last_;
  for (int k = 0; k < kHalvings && before != t; ++k) {
    const double middle = before + (t - before) / 2;
    if (middle == before || middle == t) break;
    const double value = value_of(bound, values, middle);
    ((bound.is_min ? value < bound.limit : value > bound.limit) ? t : before) = middle;
  }
  const char* when = is_first_ ? "at the start," : last_ == after ? "by the event at" : "from";
  report_.warn(
      fmt::format("`{}` leaves its {} = {:.6g} {} t = {:.10g}: it is {:.6g} at t = {:.10g}",
                  model_.model().all_variables()[bound.variable].name, bound.is_min ? "min" : "max",
                  bound.limit, when, t, value_of(bound, values, after), after));
}

}  // namespace hydae

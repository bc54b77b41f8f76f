#include "sim/event_log.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "expr/derivative.h"
#include "expr/linearity.h"

namespace hydae {
namespace {

struct PathPoint {
  double place, weight;
};
// Gauss-Legendre on [0, 1], exact for coefficients of degree five along the way.
constexpr std::array<PathPoint, 3> kPath{
    {{0.1127016653792583, 5.0 / 18}, {0.5, 8.0 / 18}, {0.8872983346207417, 5.0 / 18}}};

constexpr std::size_t kLongestName = 64;  // of a mode

std::vector<std::size_t> all_observed(const HybridModel& model) {
  std::vector<std::size_t> places(model.observed().variables.size());
  std::iota(places.begin(), places.end(), 0);
  return places;
}

std::vector<std::size_t> slides_in(const std::vector<PinnedGuard>& pins) {
  std::vector<std::size_t> surfaces;
  for (const PinnedGuard& pin : pins)
    if (pin.is_sliding()) surfaces.push_back(pin.surface);
  return surfaces;
}

}  // namespace

EventLog::EventLog(const HybridModel& model, const RunSettings& settings,
                   const VariableScales& scales, RunReport& report)
    : hybrid_(model),
      model_(model.model()),
      settings_(settings),
      scales_(scales),
      report_(report),
      observed_(model, all_observed(model)) {}

std::vector<double> EventLog::observed(double t, const ObservedValues::Values& value) {
  const auto values = observed_.evaluate(t, value);
  return {values.begin(), values.end()};
}

void EventLog::record(const StateView& now, Event& event) {
  observe_impulses(now, event);
  add_record(now, event);
  warn_of_magnified_errors(now, event);
}

void EventLog::add_record(const StateView& now, const Event& event) {
  EventRecord record;
  record.t = event.t;
  record.passes = std::max(1, event.pass);
  record.kind = kind_of(now, event);
  record.relations = switched_relations(now, event);
  record.from_mode = mode_name(event.before);
  record.to_mode = mode_name(now.state.choice());
  record.impulses = event.impulses;
  record.jumps = jumps(now, event);
  report_.add_event(std::move(record));
}

std::string EventLog::kind_of(const StateView& now, const Event& event) const {
  if (event.cause.is_zeno) return "zeno";
  if (slides_in(now.state.pins) != slides_in(event.before.pins)) return "sliding";
  return event.cause.is_time_event ? "time" : "state";
}

std::vector<std::string> EventLog::switched_relations(const StateView& now,
                                                      const Event& event) const {
  std::set<std::size_t> left_surfaces;
  for (const auto& [surface, side] : event.cause.exits) left_surfaces.insert(surface);
  std::vector<std::string> texts;
  const std::vector<bool>& bits = now.state.switches.bits;
  for (std::size_t k = 0; k < bits.size(); ++k)
    if (bits[k] != event.before.switches.bits[k] || event.cause.relations.count(k) != 0 ||
        left_surfaces.count(hybrid_.surface_of(k)) != 0)
      texts.push_back(hybrid_.relations()[k].text);
  for (std::size_t k : event.cause.inputs)
    texts.push_back(fmt::format("input {}", hybrid_.inputs()[k].name));
  return texts;
}

std::vector<Jump> EventLog::jumps(const StateView& now, const Event& event) {
  std::vector<Jump> jumps;
  const LeftLimit& left = event.first_left;
  const auto note = [&](VarId variable, double before, double after) {
    const double size = std::max({1.0, std::abs(before), std::abs(after)});
    if (std::abs(after - before) > settings_.jump_noise() * size)
      jumps.push_back({model_.all_variables()[variable].name, before, after});
  };
  const std::vector<double> seen = observed(event.t, now.values(event.t));
  std::size_t next_observed = 0;
  for (VarId variable : ids<VarId>(model_.num_variables())) {
    if (hybrid_.observed().contains(variable)) {
      note(variable, left.observed[next_observed], seen[next_observed]);
      ++next_observed;
    } else if (!left.jets[variable.index()].empty()) {
      note(variable, left.value({variable, 0}), now.value({variable, 0}, event.t));
    }
  }
  return jumps;
}

std::string EventLog::mode_name(const ModeChoice& choice) const {
  std::string name;
  for (bool bit : choice.switches.bits) name += bit ? '1' : '0';
  for (const PinnedGuard& pin : choice.pins)
    for (const Surface::Side& side : hybrid_.surfaces()[pin.surface].relations)
      name[side.relation] = 'S';
  return name.size() <= kLongestName ? name
                                     : fmt::format("{}...", name.substr(0, kLongestName - 3));
}

// y = a v with an impulse in v carries a times that impulse; where a jumps, its mean over the way
// from left to right counts, as in the restart.
void EventLog::observe_impulses(const StateView& now, Event& event) {
  if (event.impulses.empty() || hybrid_.observed().variables.empty()) return;
  std::map<VarId, std::vector<Impulse>> given;
  for (const Impulse& impulse : event.impulses)
    given[*model_.find_variable(impulse.variable)].push_back(impulse);
  const auto is_impulsive = [&](Leaf leaf) { return given.count(leaf.variable) != 0; };
  for (const ObservedVariable& observed : hybrid_.observed().variables) {
    const Linearity kind = linearity(hybrid_.graph(), observed.value, is_impulsive);
    if (kind == Linearity::kFree) continue;
    const std::string& name = model_.all_variables()[observed.variable].name;
    if (kind == Linearity::kNonlinear) {
      report_.warn_once(
          fmt::format("event at t = {:.10g}: `{}` depends on impulsive variables, and not "
                      "linearly; what impulse it has is not known",
                      event.t, name));
      continue;
    }
    for (const Partial& partial : gradient(hybrid_.graph(), observed.value)) {
      if (!is_impulsive(partial.leaf)) continue;
      const double a = mean_along_jump(partial.derivative, now, event);
      for (const Impulse& impulse : given[partial.leaf.variable])
        add_impulse(model_, observed.variable, {VarId(), impulse.order, a * impulse.weight},
                    event.impulses);
    }
  }
}

double EventLog::mean_along_jump(NodeId root, const StateView& now, const Event& event) {
  CompiledExpressions value(hybrid_, {root});
  double mean = 0;
  for (const PathPoint& point : kPath) {
    EvaluationContext here = now.at(event.t);
    here.continuous = [&](Leaf leaf) {
      const double before = event.first_left.value(leaf), after = now.value(leaf, event.t);
      return before + point.place * (after - before);
    };
    mean += point.weight * value.evaluate(here).front();
  }
  return mean;
}

// An error before the event shifts its time, and through the jump of the derivatives becomes an
// error after it. Where a guard meets its limit almost tangentially it grows without bounds. The
// time at which a function of time alone switches is exact. What counts as an error of a variable
// is measured by what it has been, as that of the guard is: a height is zero at every impact.
void EventLog::warn_of_magnified_errors(const StateView& now, const Event& event) {
  const std::set<std::size_t>& relations = event.cause.relations;
  const auto is_exact = [this](std::size_t k) { return hybrid_.relations()[k].is_time_only; };
  if (std::any_of(relations.begin(), relations.end(), is_exact)) return;
  const AnalyzedSystem& prepared = now.solution.mode().prepared;
  double largest = 0;
  for (VarId column : ids<VarId>(prepared.system.unknowns.size())) {
    const VarId variable = prepared.system.unknowns[column];
    if (prepared.structure.offsets.d[column] == 0 || variable.index() >= model_.num_variables())
      continue;
    const double before = event.first_left.value({variable, 1});
    const double jump = now.value({variable, 1}, event.t) - before;
    const double size =
        std::max(std::abs(now.value({variable, 0}, event.t)), scales_.size_of(variable));
    const double scale = std::max(scales_.scale_of(variable), std::min(1.0, size));
    const double error = settings_.rtol * size + settings_.atol * scale;
    if (std::isfinite(jump))
      largest = std::max(largest, std::abs(jump) * event.cause.time_error / error);
  }
  if (largest <= 1 / std::sqrt(settings_.rtol)) return;
  const std::vector<std::string> texts = texts_of(hybrid_, relations);
  report_.warn(fmt::format(
      "event at t = {:.10g}: {} {} almost tangentially; errors grow {:.2g} times there", event.t,
      quoted_list(texts), texts.size() == 1 ? "reaches its limit" : "reach their limits", largest));
}

}  // namespace hydae

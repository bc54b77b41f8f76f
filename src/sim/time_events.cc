#include "sim/time_events.h"

#include "sim/mode_search.h"
#include "sim/tick_times.h"

namespace hydae {
namespace {

std::vector<NodeId> tick_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const Tick& tick : model.ticks()) {
    roots.push_back(tick.start);
    roots.push_back(tick.interval);
  }
  return roots;
}

std::vector<NodeId> time_guard_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (std::size_t k : time_relations(model)) {
    roots.push_back(model.relations()[k].guard);
    roots.push_back(model.relations()[k].slope);
  }
  return roots;
}

}  // namespace

// The earliest of the times behind `now` that were looked at, and what happens there.
class TimeEvents::Earliest {
 public:
  Earliest(double now, double direction, double limit)
      : now_(now), direction_(direction), event_{limit} {}

  // Whether t is the earliest so far; what was known to happen later is forgotten.
  bool consider(double t) {
    if (!((t - now_) * direction_ > 0) || is_same_time(t, now_)) return false;
    if (is_same_time(t, event_.t)) return true;
    if ((t - event_.t) * direction_ > 0) return false;
    event_ = {t, {}};
    return true;
  }
  TimeEvent& event() { return event_; }

 private:
  double now_, direction_;
  TimeEvent event_;
};

TimeEvents::TimeEvents(const HybridModel& model, const RunSettings& settings,
                       const InputDriver& inputs)
    : model_(model),
      settings_(settings),
      inputs_(inputs),
      ticks_(model, tick_roots(model)),
      relations_(time_relations(model)),
      guards_(model, time_guard_roots(model)) {}

TimeEvent TimeEvents::next(const StateView& view, double limit) {
  Earliest earliest(view.time(), settings_.direction(), limit);
  if (!model_.ticks().empty()) consider_ticks(view, earliest);
  if (!relations_.empty()) consider_relations(view, earliest);
  const bool has_new_piece = consider_inputs(view, earliest);
  TimeEvent event = std::move(earliest.event());
  Cause& cause = event.cause;
  if (has_new_piece) cause.inputs = inputs_.jumps_at(event.t, view.state);
  cause.is_time_event = has_new_piece || !cause.ticks.empty() || !cause.relations.empty();
  cause.is_silent =
      cause.ticks.empty() && cause.inputs.empty() && are_silent(model_, cause.relations);
  for (std::size_t k : cause.relations) cause.left_guards[k] = 0;
  return event;
}

void TimeEvents::consider_ticks(const StateView& view, Earliest& earliest) {
  const double now = view.time();
  const auto values = ticks_.evaluate(view.at(now));
  for (std::size_t k = 0; k < model_.ticks().size(); ++k) {
    const auto t = next_tick(values[2 * k], values[2 * k + 1], now, settings_.direction());
    if (t && earliest.consider(*t)) earliest.event().cause.ticks.insert(k);
  }
}

// Where a guard g(0) + slope * t is zero.
void TimeEvents::consider_relations(const StateView& view, Earliest& earliest) {
  EvaluationContext at_zero = view.at(view.time());
  at_zero.t = 0;
  const auto values = guards_.evaluate(at_zero);
  for (std::size_t k = 0; k < relations_.size(); ++k) {
    const double slope = values[2 * k + 1];
    if (slope != 0 && model_.relations()[relations_[k]].is_watched &&
        earliest.consider(-values[2 * k] / slope))
      earliest.event().cause.relations.insert(relations_[k]);
  }
}

// Whether a piece of an input ends there.
bool TimeEvents::consider_inputs(const StateView& view, Earliest& earliest) const {
  bool has_new_piece = false;
  for (std::size_t k = 0; k < model_.inputs().size(); ++k) {
    const double last = earliest.event().t;
    const bool is_next = earliest.consider(inputs_.end_of(k, view.state));
    has_new_piece = is_next || (has_new_piece && earliest.event().t == last);
  }
  return has_new_piece;
}

std::set<std::size_t> TimeEvents::ticks_at(const StateView& view, double t) {
  std::set<std::size_t> due;
  const auto values = ticks_.evaluate(view.at(t));
  for (std::size_t k = 0; k < model_.ticks().size(); ++k)
    if (is_tick(values[2 * k], values[2 * k + 1], t)) due.insert(k);
  return due;
}

}  // namespace hydae

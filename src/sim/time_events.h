// Events whose times are known before the solution gets there, and exact: ticks of sample(),
// relations whose guards are affine in time, ends of the pieces that inputs read.
#pragma once

#include <set>
#include <vector>

#include "sim/cause.h"
#include "sim/evaluation_context.h"
#include "sim/input_driver.h"
#include "sim/settings.h"
#include "sim/state_view.h"

namespace hydae {

struct TimeEvent {
  double t = 0;
  Cause cause{};  // not a time event: nothing happens at t, it is where the search has ended
};

class TimeEvents {
 public:
  TimeEvents(const HybridModel& model, const RunSettings& settings, const InputDriver& inputs);

  // The first one behind the time of the view, at most `limit`. Those that mean the same time are
  // one event.
  TimeEvent next(const StateView& view, double limit);
  // Ticks that are due at t.
  std::set<std::size_t> ticks_at(const StateView& view, double t);

 private:
  class Earliest;
  void consider_ticks(const StateView& view, Earliest& earliest);
  void consider_relations(const StateView& view, Earliest& earliest);
  bool consider_inputs(const StateView& view, Earliest& earliest) const;

  const HybridModel& model_;
  const RunSettings& settings_;
  const InputDriver& inputs_;
  CompiledExpressions ticks_;  // start and interval of each sample()
  std::vector<std::size_t> relations_;
  CompiledExpressions guards_;  // value and slope of each of these relations, at time 0
};

}  // namespace hydae

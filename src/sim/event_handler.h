// Everything that happens at an event: its left limit, the instant itself, the right limit and its
// record; and the limit of events that accumulate.
#pragma once

#include "sim/event_instant.h"
#include "sim/run_parts.h"
#include "sim/zeno_closure.h"

namespace hydae {

class EventHandler {
 public:
  EventHandler(RunParts& parts, Committed& run);

  Outcome<Done> process(double t, Cause cause);
  // After an event: if events of its kind accumulate at once, goes on from their limit.
  Outcome<Done> close_accumulation();

 private:
  Outcome<Done> check_progress(double t);
  Outcome<Done> check_roots(double t, const Cause& cause);
  Outcome<Done> check_gaps(const Event& event);
  Event begin(double t, Cause cause);
  Outcome<Done> settle(Event& event);
  void exchange_guards(double t);
  void finish(Event& event);
  bool is_end_of_past(const Cause& cause) const;
  bool is_worth_a_record(const Event& event) const;
  void drop_corrections(Event& event);
  void choose_pieces(double t, const Cause& cause);
  bool settle_at(const Accumulation& limit);
  void accept_closed(ZenoClosure::Closed& closed);

  RunParts& parts_;
  const HybridModel& model_;
  Committed& run_;
  EventInstant::Tools tools_;
  ZenoClosure zeno_;
  int num_in_a_row_ = 0;  // without time moving on
  int num_crowded_ = 0;   // so close together that the run cannot end
  double crowd_start_ = 0;
  int num_stepped_over_ = 0;  // in a row
  double first_stepped_over_ = 0;
  int num_roots_ = 0;  // in a row
  double first_root_ = 0;
  double last_time_ = 0;
};

}  // namespace hydae

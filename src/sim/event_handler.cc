#include "sim/event_handler.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sim/activity.h"

namespace hydae {
namespace {

constexpr int kMostEventsInARow = 2000;  // without time moving on
// So many events while time moves by less than rounding of the length of the run: the end is out of
// reach (10^21 events), whatever a single event costs.
constexpr int kMostCrowdedEvents = 100'000;
// Instants without a mode, one after the other, within this part of a run.
constexpr int kMostGapsInARow = 2000;
constexpr double kStretchOfGaps = 1e-2;
constexpr int kMostRoundsOfPresent = 50;  // of signals that read themselves without delay
// Roots that come to zero, one after the other, within this part of a run: those of squares have
// moved on.
constexpr int kMostRootsInARow = 100;
constexpr double kStretchOfRoots = 1e-5;

}  // namespace

EventHandler::EventHandler(RunParts& parts, Committed& run)
    : parts_(parts),
      model_(parts.model),
      run_(run),
      tools_{parts.trials,
             parts.contacts,
             parts.impacts,
             parts.selector,
             parts.settings,
             parts.report,
             [this](const TaylorSolution& solution, double limit) {
               return parts_.times.next({run_.state, solution, run_.table.numbers()}, limit).t;
             },
             [this](const TaylorSolution& solution, double t) {
               parts_.rows.record_until({run_.state, solution, run_.table.numbers()}, t);
             }},
      zeno_(parts.trials, parts.contacts) {}

Outcome<Done> EventHandler::process(double t, Cause cause) {
  parts_.report.reach(t);
  if (const auto progress = check_progress(t); !progress) return progress;
  if (const auto progress = check_roots(t, cause); !progress) return progress;
  show_event(parts_.options);
  Event event = begin(t, std::move(cause));
  if (const auto settled = settle(event); !settled) return settled;
  if (const auto progress = check_gaps(event); !progress) return progress;
  exchange_guards(event.t);
  if (!model_.contacts().empty())
    parts_.contacts.warn_of_other_continuations(run_.view(), run_.solution, event.t);
  finish(event);
  show(parts_.options, "integrating");
  return Done{};
}

// A delay time may have jumped: then another piece of the past is due, and the instant is settled
// with it. Where a signal has jumped that is read without delay at the moment, its piece of the
// past is that of before, and the present one is due.
Outcome<Done> EventHandler::settle(Event& event) {
  Outcome<Done> settled = EventInstant(tools_, run_).settle(event);
  if (parts_.delays.empty()) return settled;
  if (settled && parts_.delays.have_jumped(run_.view().at(event.t), run_.state)) {
    choose_pieces(event.t, {});
    settled = EventInstant(tools_, run_).settle(event);
  }
  for (int round = 0; settled && parts_.overlap.read_present(run_, event.t); ++round) {
    if (round == kMostRoundsOfPresent)
      return Failure{Status::kDiscreteCycle,
                     fmt::format("event at t = {:.10g}: a signal depends on its own delayed value, "
                                 "and the delay is zero",
                                 event.t)};
    settled = EventInstant(tools_, run_).settle(event);
  }
  return settled;
}

Outcome<Done> EventHandler::check_progress(double t) {
  num_in_a_row_ = t == last_time_ ? num_in_a_row_ + 1 : 0;
  last_time_ = t;
  const double resolution = std::numeric_limits<double>::epsilon() *
                            std::abs(parts_.settings.stop - parts_.settings.start);
  if (num_crowded_++ == 0 || std::abs(t - crowd_start_) > resolution) {
    crowd_start_ = t;
    num_crowded_ = 1;
  }
  if (num_crowded_ > kMostCrowdedEvents)
    return Failure{
        Status::kChattering,
        fmt::format("{} events between t = {:.17g} and t = {:.17g}: at this pace the run "
                    "does not come to its end",
                    kMostCrowdedEvents, crowd_start_, t)};
  if (num_in_a_row_ <= kMostEventsInARow) return Done{};
  return Failure{Status::kChattering,
                 fmt::format("more than {} events at t = {:.10g}", kMostEventsInARow, t)};
}

// A root that comes to zero alone turns back there (that of a square) or is at rest; there the
// solution has no series, and each root of rounding errors is an event.
Outcome<Done> EventHandler::check_roots(double t, const Cause& cause) {
  num_roots_ = cause.is_root_alone ? num_roots_ + 1 : 0;
  if (num_roots_ == 1) first_root_ = t;
  const double length = std::abs(parts_.settings.stop - parts_.settings.start);
  if (num_roots_ <= kMostRootsInARow || std::abs(t - first_root_) > kStretchOfRoots * length)
    return Done{};
  return Failure{Status::kUndefinedFunction,
                 fmt::format("simulation stopped at t = {:.10g}: a square root is at rest at zero, "
                             "where the solution has no series",
                             first_root_)};
}

// A gap of an expression is a single point. Where one follows the other the solution does not exist
// behind the first one: each side of a switch leads back to it.
Outcome<Done> EventHandler::check_gaps(const Event& event) {
  num_stepped_over_ = event.is_stepped_over ? num_stepped_over_ + 1 : 0;
  if (num_stepped_over_ == 1) first_stepped_over_ = event.t;
  const double length = std::abs(parts_.settings.stop - parts_.settings.start);
  if (num_stepped_over_ <= kMostGapsInARow ||
      std::abs(event.t - first_stepped_over_) > kStretchOfGaps * length)
    return Done{};
  return Failure{
      Status::kModeCycle,
      fmt::format("event at t = {:.10g}: no mode agrees with its own solution behind it; "
                  "switching: {}",
                  first_stepped_over_, quoted_list(texts_of(model_, event.cause.relations)))};
}

Event EventHandler::begin(double t, Cause cause) {
  Event event;
  event.t = event.row = t;
  event.before = run_.state.choice();
  event.left = event.first_left = left_limit(run_.solution, t, model_.model().num_variables());
  event.first_left.solution.reset();
  event.first_left.discrete = run_.state.discrete;
  const StateView view = run_.view();
  event.first_left.observed = parts_.log.observed(t, view.values(t));
  if (!cause.is_silent) parts_.rows.record(view, t);
  choose_pieces(t, cause);
  event.cause = std::move(cause);
  return event;
}

void EventHandler::choose_pieces(double t, const Cause& cause) {
  if (parts_.delays.empty() && model_.inputs().empty()) return;
  parts_.inputs.choose(t, run_.state);
  parts_.delays.choose_pieces(run_.view().at(t), cause, run_.state);
  run_.fill_table();
}

void EventHandler::exchange_guards(double t) {
  parts_.contacts.exchange_guards(run_.view().at(t), run_.view().values(t), run_.state);
}

void EventHandler::finish(Event& event) {
  drop_corrections(event);
  const double t = (event.t - event.row) * parts_.settings.direction() > 0 ? event.t : event.row;
  if (is_worth_a_record(event)) {
    const StateView view = run_.view();
    if (t == parts_.settings.start && !event.cause.relations.empty()) parts_.rows.recorder().keep();
    if (event.cause.is_silent)
      parts_.rows.record(t, [&](Leaf leaf) { return event.first_left.value_or_discrete(leaf); });
    parts_.rows.record(view, t);
    parts_.log.record(view, event);
    parts_.rows.pieces().add_event(parts_.report.summary().events.back());
  }
  if (parts_.delays.hold(*run_.solution, t, run_.state)) choose_pieces(t, event.cause);
  if (!is_end_of_past(event.cause)) observe_event(event, *run_.solution, run_.state);
}

// What moves bodies apart that start a little inside each other is no impulse.
void EventHandler::drop_corrections(Event& event) {
  if (event.t != parts_.settings.start || event.impulses.empty()) return;
  const auto left = [&](Leaf leaf) { return event.first_left.value(leaf); };
  if (is_correction(parts_.contacts.motions(run_.view().at(event.t), left))) event.impulses.clear();
}

// The next piece of a delayed signal is due, and nothing else.
bool EventHandler::is_end_of_past(const Cause& cause) const {
  const auto is_silent_bound = [&](std::size_t k) {
    return model_.relations()[k].is_bound && model_.relations()[k].is_silent;
  };
  return cause.is_silent &&
         std::all_of(cause.relations.begin(), cause.relations.end(), is_silent_bound);
}

bool EventHandler::is_worth_a_record(const Event& event) const {
  const HybridState& state = run_.state;
  // A flat guard may come so close to zero that it looks like a crossing, and turn out not to be.
  const bool is_nothing = event.pass <= 1 && state.choice() == event.before &&
                          event.cause.ticks.empty() && event.cause.inputs.empty() &&
                          event.impulses.empty() && !event.cause.is_terminal;
  // Where the signal of an input has a kink, what reads its derivative jumps.
  const bool is_kink = event.cause.is_silent && event.cause.relations.empty();
  const bool has_changed =
      is_kink && (state.choice() != event.before || parts_.log.has_jumps(run_.view(), event));
  const bool is_quiet = event.cause.is_silent && state.pins == event.before.pins &&
                        state.discrete == event.first_left.discrete && !has_changed;
  return (has_changed || !is_nothing) && !is_quiet;
}

Outcome<Done> EventHandler::close_accumulation() {
  const auto limit = run_.state.zeno.find_accumulation();
  if (!limit) return Done{};
  run_.state.zeno.clear();
  const double from = run_.solution->time();
  const RunSettings& settings = parts_.settings;
  if ((limit->t - settings.stop) * settings.direction() >= 0) return Done{};
  parts_.report.reach(limit->t);
  Outcome<ZenoClosure::Closed> closed = zeno_.close(*limit, run_);
  if (!closed && !settle_at(*limit)) return std::move(closed).failure();
  if (closed) accept_closed(*closed);
  parts_.report.warn(
      fmt::format("events accumulate at t = {:.10g}: closed after {}, ratio {:.6g}, {:.2g} before "
                  "the limit",
                  limit->t, limit->num_events, limit->ratio, std::abs(limit->t - from)));
  if (parts_.delays.hold(*run_.solution, limit->t, run_.state)) choose_pieces(limit->t, {});
  if (!has_violated_contact(model_, run_.state.switches.bits)) return Done{};
  return process(limit->t, {});
}

// The event at the limit itself, as the model has it: a ball whose last impact has no speed stops.
// Only if the guards that have accumulated are zero from there on.
bool EventHandler::settle_at(const Accumulation& limit) {
  const HybridState state = run_.state;
  const SolutionPtr solution = run_.solution;
  Event event = zeno_.event_at(limit, run_);
  event.first_left = event.left;
  const auto left = [&](Leaf leaf) { return event.first_left.value_or_discrete(leaf); };
  event.first_left.observed = parts_.log.observed(event.t, left);
  bool stays = static_cast<bool>(EventInstant(tools_, run_).settle(event));
  for (std::size_t k : limit.relations)
    stays =
        stays && parts_.signs.sign({*run_.solution, run_.state.guards, event.cause}, k).sign == 0;
  if (!stays) {
    run_.state = state;
    run_.solution = solution;
    run_.fill_table();
    return false;
  }
  parts_.rows.pieces().skip_to(event.t);
  parts_.rows.record(event.t, left);
  parts_.rows.record(run_.view(), event.t);
  parts_.log.add_record(run_.view(), event);
  parts_.rows.pieces().add_event(parts_.report.summary().events.back());
  return true;
}

void EventHandler::accept_closed(ZenoClosure::Closed& closed) {
  Event& event = closed.event;
  event.first_left = event.left;
  const auto left = [&](Leaf leaf) { return event.first_left.value_or_discrete(leaf); };
  event.first_left.observed = parts_.log.observed(event.t, left);
  parts_.rows.pieces().skip_to(event.t);
  parts_.rows.record(event.t, left);
  run_.state = std::move(closed.state);
  accept_trial(closed.trial, run_);
  // The limit is extrapolated: guards that rest there are known to the rounding of what they were.
  constexpr double kExtrapolated = 1e-13;
  GuardMemory& guards = run_.state.guards;
  for (std::size_t k = 0; k < guards.noise.size(); ++k)
    if (!guards.sizes[k].empty())
      guards.noise[k] = std::max(guards.noise[k], kExtrapolated * guards.sizes[k][0]);
  exchange_guards(event.t);
  const StateView view = run_.view();
  parts_.rows.record(view, event.t);
  parts_.log.add_record(view, event);
  parts_.rows.pieces().add_event(parts_.report.summary().events.back());
}

}  // namespace hydae

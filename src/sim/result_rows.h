// The rows of the result: at the times that were asked for, and where somebody asks for one more.
#pragma once

#include "sim/output_grid.h"
#include "sim/recorder.h"
#include "sim/settings.h"
#include "sim/solution_pieces.h"
#include "sim/state_view.h"
#include "sim/tick_times.h"

namespace hydae {

class ResultRows {
 public:
  ResultRows(const HybridModel& model, const RunSettings& settings, const SimulateOptions& options)
      : grid_(settings.start, settings.stop, options),
        has_event_rows_(options.sinks.event_rows),
        recorder_(model, options),
        pieces_(options.sinks.solution, recorder_.columns(), settings.rtol) {
    recorder_.reserve(grid_.size());
    pieces_.begin_at(settings.start);
    if (grid_.has_start()) last_of_grid_ = settings.start;
  }

  // Nobody wants rows.
  void turn_off() { is_off_ = true; }

  // The row of an event, or of the start.
  using Values = std::function<double(Leaf)>;
  void record(double t, const Values& values) {
    if (!is_off_ && is_wanted(t)) recorder_.record(t, values);
  }
  void record(const StateView& view, double t) { record(t, view.values(t)); }
  // All times of the grid that have not been recorded, up to t. The solution is final up to there.
  void record_until(const StateView& view, double t) {
    if (is_off_) return;
    while (const auto time = grid_.next_until(t)) {
      last_of_grid_ = *time;
      record(view, *time);
    }
    if (pieces_.is_on())
      pieces_.add_until(t, [&](double s) { return recorder_.row_at(s, view.values(s)); });
  }

  // The row of a run that goes on from t, in place of all that the grid has up to there.
  void begin_at(const StateView& view, double t) {
    while (grid_.next_until(t)) {
    }
    last_of_grid_ = t;
    record(view, t);
    pieces_.begin_at(t);
  }
  // The values at which the run has ended.
  void end_at(const StateView& view, double t) {
    if (pieces_.is_on()) pieces_.end_at(t, recorder_.row_at(t, view.values(t)));
  }

  SolutionPieces& pieces() { return pieces_; }
  Recorder& recorder() { return recorder_; }

 private:
  // Without rows of events an event counts where the grid has a row of its own at that time.
  bool is_wanted(double t) const {
    return has_event_rows_ || (last_of_grid_ && is_same_time(t, *last_of_grid_));
  }

  OutputGrid grid_;
  bool has_event_rows_;
  std::optional<double> last_of_grid_;  // that has been reached
  Recorder recorder_;
  SolutionPieces pieces_;
  bool is_off_ = false;
};

}  // namespace hydae

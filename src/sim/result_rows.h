// The rows of the result: at the times that were asked for, and where somebody asks for one more.
#pragma once

#include "sim/output_grid.h"
#include "sim/recorder.h"
#include "sim/settings.h"
#include "sim/solution_pieces.h"
#include "sim/state_view.h"

namespace hydae {

class ResultRows {
 public:
  ResultRows(const HybridModel& model, const RunSettings& settings, const SimulateOptions& options)
      : grid_(settings.start, settings.stop, options),
        recorder_(model, options),
        pieces_(options.sinks.solution, recorder_.columns(), settings.rtol) {
    recorder_.reserve(grid_.size());
    pieces_.begin_at(settings.start);
  }

  // Nobody wants rows.
  void turn_off() { is_off_ = true; }

  using Values = std::function<double(Leaf)>;
  void record(double t, const Values& values) {
    if (!is_off_) recorder_.record(t, values);
  }
  void record(const StateView& view, double t) { record(t, view.values(t)); }
  // All times of the grid that have not been recorded, up to t. The solution is final up to there.
  void record_until(const StateView& view, double t) {
    if (is_off_) return;
    while (const auto time = grid_.next_until(t)) record(view, *time);
    if (pieces_.is_on())
      pieces_.add_until(t, [&](double s) { return recorder_.row_at(s, view.values(s)); });
  }

  // The row of a run that goes on from t, in place of all that the grid has up to there.
  void begin_at(const StateView& view, double t) {
    while (grid_.next_until(t)) {
    }
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
  OutputGrid grid_;
  Recorder recorder_;
  SolutionPieces pieces_;
  bool is_off_ = false;
};

}  // namespace hydae

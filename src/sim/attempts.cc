#include "sim/attempts.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <hydae/trajectory.h>

namespace hydae {
namespace {

// Rows go on as they come, but for those of the last time: where the first attempt ends they are no
// rows of the second one, which begins with those that are known already.
class RowsOfAttempts : public RowSink {
 public:
  RowsOfAttempts(RowSink* sink, double direction) : sink_(sink), direction_(direction) {}

  void begin(const Column& axis, std::span<const Column> columns) override {
    if (!std::exchange(has_begun_, true)) sink_->begin(axis, columns);
  }
  void add_row(double time, std::span<const double> values) override {
    if (passed_ && (time - *passed_) * direction_ <= 0) return;
    if (!last_.empty() && last_.front().time != time) flush();
    last_.push_back({time, {values.begin(), values.end()}});
  }

  void begin_again() {
    first_last_ = std::exchange(last_, {});
    passed_ = flushed_;
  }
  void end_with_first() {
    last_ = std::move(first_last_);
    flush();
  }
  void flush() {
    if (sink_ == nullptr) return;
    for (const Row& row : last_) sink_->add_row(row.time, row.values);
    if (!last_.empty()) flushed_ = last_.front().time;
    last_.clear();
  }

 private:
  struct Row {
    double time;
    std::vector<double> values;
  };
  RowSink* sink_;
  double direction_;
  bool has_begun_ = false;
  std::vector<Row> last_, first_last_;  // of one time; of the first attempt
  std::optional<double> flushed_, passed_;
};

bool may_end_at_root(Status status) {
  constexpr Status kEnds[] = {Status::kUndefinedFunction, Status::kStepTooSmall,
                              Status::kSingularity,       Status::kNotConverged,
                              Status::kSingularJacobian,  Status::kChattering,
                              Status::kModeCycle};
  return std::ranges::find(kEnds, status) != std::end(kEnds);
}

// Where both end at one place the second one knows better why.
bool comes_as_far(const Summary& guarded, const Summary& plain, double direction) {
  constexpr double kSamePlace = 1e-6;  // relative
  const double gained = (guarded.t_end - plain.t_end) * direction;
  return guarded.succeeded() || gained >= -kSamePlace * std::abs(plain.t_end);
}

}  // namespace

// A state that is saved or resumed is one of the plain form.
Simulation run_in_attempts(const SimulateOptions& given, double direction, const Attempt& run) {
  if (given.state.resume || given.state.save || given.sinks.solution != nullptr)
    return *run(given, /*guards_roots=*/false);
  SimulateOptions options = given;
  RowsOfAttempts rows(given.sinks.rows, direction);
  if (given.sinks.rows != nullptr) options.sinks.rows = &rows;
  Simulation plain = *run(options, /*guards_roots=*/false);
  if (may_end_at_root(plain.summary.status)) {
    rows.begin_again();
    std::optional<Simulation> guarded = run(options, /*guards_roots=*/true);
    if (guarded && comes_as_far(guarded->summary, plain.summary, direction)) {
      rows.flush();
      return *std::move(guarded);
    }
    rows.end_with_first();
    return plain;
  }
  rows.flush();
  return plain;
}

}  // namespace hydae

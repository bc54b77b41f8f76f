// Rows of a trajectory: variables of the model, observed ones included, the derivatives that its
// equations contain, discrete variables and aliases. Whoever records need not know what was
// recorded before: of the rows of one time the first and the last are kept (the limits of an
// event), of those of the start the last one.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <hydae/error.h>
#include <hydae/simulate.h>

#include "sim/hybrid_model.h"
#include "sim/observed_values.h"

namespace hydae {

// A pattern of names to record that fits none.
class PatternError : public UsageError {
 public:
  using UsageError::UsageError;
};

class Recorder {
 public:
  // Throws PatternError if a pattern of the options fits no name.
  Recorder(const HybridModel& model, const SimulateOptions& options);

  std::span<const Column> columns() const { return trajectory_.columns(); }
  // Values of all columns, good until the next call. `value`: of a solved or discrete variable.
  std::span<const double> row_at(double t, const std::function<double(Leaf)>& value);
  void record(double t, const std::function<double(Leaf)>& value);
  // The row of the present time stays, whatever follows at this time: the left limit of an event at
  // the start.
  void keep() {
    if (has_event_rows_) flush();
  }
  // The point at which a run has stopped early, unless there is a row of this time or beyond.
  void record_end(double t, const std::function<double(Leaf)>& value);
  // Room for so many rows, as far as that is sensible.
  void reserve(std::size_t rows);
  // No more rows.
  Trajectory take();
  const std::vector<std::string>& warnings() const { return observed_->warnings(); }
  // "`y` is nan at t = 0.5": the first number of the rows that is not finite; empty if all are.
  const std::string& undefined() const { return undefined_; }

 private:
  struct Source {
    Leaf leaf;
    double factor;
    std::optional<std::size_t> observed = std::nullopt;  // position among the observed values
  };
  void select(std::vector<Column>& columns, std::span<const std::string> patterns);
  void find_observed(const HybridModel& model);
  void look_for_undefined(double t);
  void flush();
  void emit(double t, std::span<const double> row);

  std::vector<Source> sources_;
  std::optional<ObservedValues> observed_;  // that are recorded
  std::vector<double> row_;
  // The last row of the present time, not yet written: another of this time replaces it.
  struct Pending {
    double t = 0;
    std::vector<double> row;
    bool is_there = false;
  } pending_;
  double start_, direction_;  // of the run
  bool has_event_rows_;       // without them there is one row for each time, the last one
  bool has_rows_ = false;
  double first_time_ = 0;  // of the present group
  RowSink* sink_;          // or the trajectory
  Trajectory trajectory_;
  std::string undefined_;
};

}  // namespace hydae

// What a run has to say besides its trajectory: warnings, each once where it is asked for, and how
// it ended.
#pragma once

#include <string>
#include <utility>

#include <hydae/simulate.h>

#include "sim/outcome.h"

namespace hydae {

// Different truths of the relations, before the first event and behind each; what an event at the
// start leaves at once was no mode of the run.
int count_modes(const std::vector<EventRecord>& events, double start);

// Counters of a part of a run into those of the whole.
void add_up(const Summary& part, Summary& whole);

class RunReport {
 public:
  void warn(std::string text) { summary_.warnings.push_back(std::move(text)); }
  void warn_once(const std::string& text);
  void fail(Failure failure) {
    summary_.status = failure.status;
    summary_.message = std::move(failure.message);
  }
  bool succeeded() const { return summary_.succeeded(); }
  // How far the run has come, also where it ends there.
  void reach(double t) { summary_.t_end = t; }

  Summary& summary() { return summary_; }
  Summary take() { return std::move(summary_); }

 private:
  Summary summary_;
};

}  // namespace hydae

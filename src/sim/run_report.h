// What a run has to say besides its trajectory: warnings, each once where it is asked for, and how
// it ended.
#pragma once

#include <map>
#include <string>
#include <utility>

#include <hydae/simulate.h>

#include "sim/outcome.h"

namespace hydae {

// Counters of a part of a run into those of the whole.
void add_up(const Summary& part, Summary& whole);

class RunReport {
 public:
  RunReport() = default;
  // `start`: of the run. What an event there leaves at once is no mode of the run.
  RunReport(double start, bool keeps_events) : start_(start), keeps_events_(keeps_events) {}

  // Of many texts that differ in their numbers only the first are kept, and how many more there
  // were, with the last one.
  void warn(std::string text);
  void warn_once(const std::string& text);
  void add_event(EventRecord record);
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
  struct Alike {
    long count = 0;
    std::size_t place = 0;  // in the warnings: of the text that counts
  };

  double start_ = 0;
  bool keeps_events_ = true;
  Summary summary_;
  std::map<std::string, Alike> alike_;  // by the text without its numbers
};

}  // namespace hydae

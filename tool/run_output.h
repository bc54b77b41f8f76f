// The files of a run: rows as they are found (CSV) or as a whole at the end (MAT, JSON), a picture,
// statistics. All are tried before the run, and each keeps what was reached however the run ends.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <hydae/simulate.h>

#include "tool/result_file.h"

namespace hydae::tool {

struct RunFiles {
  std::string rows;   // --output; empty: none
  std::string plot;   // --plot
  std::string stats;  // --stats
  std::string state;  // --save-state; whoever saves it writes it
};

// Rows are added by the thread of the run; the end may come from another one.
class RunOutput : public RowSink {
 public:
  // Throws UsageError.
  explicit RunOutput(RunFiles files);

  void begin(const Column& axis, std::span<const Column> columns) override;
  void add_row(double time, std::span<const double> values) override;

  bool has_rows() const { return num_rows_ > 0; }
  bool has_failed() const { return !failures_.empty(); }
  double last_time() const { return last_time_; }
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<double>& last_row() const { return last_row_; }

  // Leaves no file behind: nothing was reached.
  void abandon();
  // Completes the files, once; later calls do nothing. What goes wrong is among the failures.
  // The time spent is added to the summary.
  void finish(Summary& summary, const std::string& title);
  // "cannot write `x.csv`: ..."; what a reader of standard output does not want to see is none.
  const std::vector<std::string>& failures() const { return failures_; }
  // Where the rows are, after a run that has not reached its end; empty if nobody asked for them.
  const std::string& whereabouts() const { return whereabouts_; }
  bool is_reader_gone() const { return is_reader_gone_; }

 private:
  static constexpr std::size_t kBufferSize = 1 << 16;

  template <class F>
  bool attempt(F work);
  void flush();
  void finish_rows(const Summary& summary);

  const RunFiles files_;
  std::optional<ResultFile> rows_, plot_, stats_;
  bool streams_ = false;      // rows go to their file at once
  bool keeps_table_ = false;  // the whole is needed at the end
  std::timed_mutex mutex_;    // guards what follows
  bool is_finished_ = false;
  std::string buffer_;
  Trajectory table_;
  Column axis_;
  std::vector<Column> columns_;
  std::vector<double> last_row_;
  std::atomic<std::size_t> num_rows_ = 0;  // both are read by the watchdog
  std::atomic<double> last_time_ = 0;
  std::vector<std::string> failures_;
  std::string whereabouts_;
  bool is_reader_gone_ = false;
};

}  // namespace hydae::tool

#include "tool/run_output.h"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>

#include <hydae/error.h>

#include "base/timer.h"
#include "sim/plot.h"
#include "tool/output.h"
#include "tool/picture_file.h"

namespace hydae::tool {
RunOutput::RunOutput(RunFiles files) : files_(std::move(files)) {
  check_suffix(files_.rows, {".csv", ".mat", ".json"});
  check_suffix(files_.plot, picture_suffixes());
  if (files_.plot == "-") throw UsageError("a picture is written to a file: --plot FILE.svg");
  if (!files_.rows.empty()) rows_.emplace(files_.rows);
  if (!files_.plot.empty()) plot_.emplace(files_.plot);
  if (!files_.stats.empty()) stats_.emplace(files_.stats);
  if (!files_.state.empty()) const ResultFile tried(files_.state);
  streams_ = rows_ && (rows_->is_standard_output() || suffix_of(files_.rows) == ".csv");
  keeps_table_ = plot_ || (rows_ && !streams_);
}

// Runs `work`; a failure to write is remembered. Whether it worked.
template <class F>
bool RunOutput::attempt(F work) {
  try {
    work();
    return true;
  } catch (const ReaderGone&) {
    is_reader_gone_ = true;
    failures_.emplace_back();
  } catch (const OutputFailed& error) {
    failures_.emplace_back(error.what());
  } catch (const UsageError& error) {
    failures_.emplace_back(error.what());
  } catch (const std::bad_alloc&) {
    failures_.emplace_back("there is not enough memory to write the results");
  }
  return false;
}

void RunOutput::begin(const Column& axis, std::span<const Column> columns) {
  const std::lock_guard lock(mutex_);
  axis_ = axis;
  columns_.assign(columns.begin(), columns.end());
  last_row_.resize(columns.size());
  table_ = Trajectory(columns_, axis);
  if (streams_) append_csv_header(buffer_, axis, columns);
}

void RunOutput::add_row(double time, std::span<const double> values) {
  const std::lock_guard lock(mutex_);
  if (is_finished_ || has_failed()) return;
  if (keeps_table_) table_.add_row(time, values);
  last_time_ = time;
  last_row_.assign(values.begin(), values.end());
  ++num_rows_;
  if (!streams_) return;
  append_csv_row(buffer_, time, values);
  if (buffer_.size() >= kBufferSize) attempt([this] { flush(); });
}

void RunOutput::flush() {
  const std::string text = std::move(buffer_);
  buffer_.clear();
  buffer_.reserve(kBufferSize + kBufferSize / 4);
  rows_->write(text);
}

void RunOutput::finish(Summary& summary, const std::string& title) {
  // A run that hangs inside of a write is not waited for.
  const std::unique_lock lock(mutex_, std::chrono::seconds(1));
  if (is_finished_ || !lock.owns_lock()) return;
  is_finished_ = true;
  const Timer timer;
  if (rows_) finish_rows(summary);
  if (plot_ && !has_rows()) plot_->discard();
  if (plot_ && has_rows())
    attempt([&] {
      plot_->write(picture_bytes(plot(table_, {.title = title}), suffix_of(files_.plot)));
      plot_->keep();
    });
  summary.seconds["output"] = timer.seconds();
  if (stats_)
    attempt([&] {
      stats_->write(to_json(summary));
      stats_->keep();
    });
}

void RunOutput::abandon() {
  const std::unique_lock lock(mutex_, std::chrono::seconds(1));
  for (std::optional<ResultFile>* file : {&rows_, &plot_, &stats_})
    if (file->has_value()) (*file)->discard();
}

void RunOutput::finish_rows(const Summary& summary) {
  if (!has_rows()) {
    std::error_code error;
    rows_->discard();
    if (std::filesystem::exists(files_.rows, error))
      whereabouts_ = fmt::format("nothing was reached: `{}` stays as it was", files_.rows);
    return;
  }
  if (!has_failed())
    attempt([&] {
      if (streams_)
        flush();
      else
        rows_->write(suffix_of(files_.rows) == ".json" ? to_json(table_) : to_mat(table_));
    });
  // What a full disk has taken is rows as well.
  const bool is_kept = (streams_ || !has_failed()) && attempt([this] { rows_->keep(); });
  if (is_kept && !rows_->is_standard_output() && (has_failed() || !summary.succeeded()))
    whereabouts_ = has_failed() ? fmt::format("`{}` holds the first rows", files_.rows)
                                : fmt::format("the rows up to t = {:.10g} are in `{}`",
                                              last_time_.load(), files_.rows);
}

}  // namespace hydae::tool

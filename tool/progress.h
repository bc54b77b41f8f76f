// A progress line on standard error while a person waits; nothing when it is not a terminal.
#pragma once

#include <chrono>

#include <hydae/simulate.h>

namespace hydae::tool {

class Progress {
 public:
  explicit Progress(bool is_wanted);
  // Shows the time reached while `options` are used.
  void attach(SimulateOptions& options, const Model& model);
  void finish();

 private:
  bool is_on_;
  bool has_written_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace hydae::tool

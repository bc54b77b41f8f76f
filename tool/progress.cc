#include "tool/progress.h"

#include <fmt/format.h>
#include <unistd.h>

namespace hydae::tool {

Progress::Progress(bool is_wanted) : is_on_(is_wanted && isatty(STDERR_FILENO) != 0) {}

void Progress::attach(SimulateOptions& options, const Model& model) {
  if (!is_on_) return;
  const double stop = options.stop.value_or(model.experiment.stop_time.value_or(1.0));
  options.progress = [this, stop](double t) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ > std::chrono::milliseconds(500)) {
      fmt::print(stderr, "\rt = {:<14.8g} of {:.8g}", t, stop);
      last_ = now;
      has_written_ = true;
    }
    return true;
  };
}

void Progress::finish() {
  if (has_written_) fmt::print(stderr, "\r{:60}\r", "");
}

}  // namespace hydae::tool

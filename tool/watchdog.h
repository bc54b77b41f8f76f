// Watches a run from a thread of its own: signals, limits of time and memory, and what a person who
// waits wants to know. A run that hears the wish to stop ends by itself; one that is deep in a
// computation and does not is ended from here, with what it has reached kept.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <hydae/simulate.h>

namespace CLI {
class App;
}

namespace hydae::tool {

struct Limits {
  std::optional<double> seconds;    // --time-limit
  std::optional<double> megabytes;  // --memory-limit
  bool is_verbose = false;          // --verbose: as if standard error were a terminal
  bool is_quiet = false;            // nothing is said of what takes long

  void add_options(CLI::App& command);
};

// Why a run has to stop.
struct StopReason {
  Status status = Status::kCancelled;
  std::string message;  // "cancelled by Ctrl-C"
};

class Watchdog {
 public:
  // Begins to watch. Without a thread (the system may refuse one) signals and limits are looked at
  // when the run asks.
  explicit Watchdog(const Limits& limits);
  ~Watchdog();

  RunActivity& activity() { return activity_; }
  // The stop time, for a forecast of how long a run will take, and whether it shows its progress.
  void expect(double start, double stop, bool shows_progress);
  // What ends the program for a run that does not hear: called in the thread of the watchdog with
  // the reason, must not return. Without one the reason is said and the exit status is 3.
  void set_emergency(std::function<void(const StopReason&)> emergency);
  // What the run was doing when it had to stop.
  void say_where(const StopReason& reason) const;
  // The run is over: from now on nobody ends the program.
  void stand_down();

  bool wants_to_stop() { return find_reason().has_value(); }
  // None if the run may go on.
  std::optional<StopReason> find_reason();

 private:
  using Clock = std::chrono::steady_clock;

  void watch();
  void look();
  void tell(double seconds);
  void tell_what_it_does(double seconds);
  void show_progress(double seconds);
  void warn_of_events(double seconds);
  void end_program(const StopReason& reason);

  const Limits limits_;
  const bool is_read_along_;  // at a terminal, or asked for
  const Clock::time_point start_ = Clock::now();
  RunActivity activity_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable condition_;
  bool is_over_ = false;
  std::optional<StopReason> reason_;
  Clock::time_point reason_time_;
  std::function<void(const StopReason&)> emergency_;
  double first_t_ = 0, last_t_ = 1;
  bool is_expected_ = false, shows_progress_ = false, has_line_ = false;
  bool has_warned_of_events_ = false;
  double seen_t_ = 0, seen_at_ = 0, told_at_ = 0;  // progress as last seen, in seconds of the run
  double patience_;                                // seconds without progress until that is said
  std::thread thread_;
};

}  // namespace hydae::tool

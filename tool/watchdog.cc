#include "tool/watchdog.h"

#include <CLI/App.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

#include "tool/command.h"
#include "tool/interrupt.h"
#include "tool/standard_streams.h"

namespace hydae::tool {
namespace {

using namespace std::chrono_literals;

// Fast enough that a model cannot take much more memory than its limit before it is seen.
constexpr auto kRound = 20ms;
// For a run to hear that it has to stop: long steps of large models.
constexpr double kGraceSeconds = 2;
constexpr double kPatienceSeconds = 10;  // of a person, before they wonder what it is doing
constexpr double kSecondsBetweenLines = 0.5;
// A run that has this many events each second, and would go on for longer than an hour.
constexpr double kManyEventsPerSecond = 100, kLongRunSeconds = 3600;

// Resident memory in megabytes; 0 if the system does not tell.
double resident_megabytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long size = 0, resident = 0;
  const int count = std::fscanf(file, "%lu %lu", &size, &resident);
  std::fclose(file);
  return count == 2 ? static_cast<double>(resident) * static_cast<double>(getpagesize()) / 1e6 : 0;
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 7200) return fmt::format("{:.3g} minutes", seconds / 60);
  if (seconds < 200000) return fmt::format("{:.3g} hours", seconds / 3600);
  return fmt::format("{:.3g} days", seconds / 86400);
}

std::string refuse_not_positive(const std::string& text) {
  const bool is_positive = !(std::strtod(text.c_str(), nullptr) <= 0);  // or no number
  return is_positive ? "" : fmt::format("a limit is positive, not `{}`", text);
}

}  // namespace

void Limits::add_options(CLI::App& command) {
  command.add_option("--time-limit", seconds, "stop after so many seconds, with what was reached")
      ->type_name("SECONDS")
      ->check(refuse_not_positive);
  command
      .add_option("--memory-limit", megabytes, "stop beyond so much memory, with what was reached")
      ->type_name("MB")
      ->check(refuse_not_positive);
  command.add_flag("--verbose", is_verbose, "say what takes long as often as at a terminal");
}

Watchdog::Watchdog(const Limits& limits)
    : limits_(limits),
      is_read_along_(limits.is_verbose || isatty(STDERR_FILENO) != 0),
      patience_(kPatienceSeconds) {
  activity_.doing = "reading the model";
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
  }
}

Watchdog::~Watchdog() {
  stand_down();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::expect(double start, double stop, bool shows_progress) {
  const std::lock_guard lock(mutex_);
  first_t_ = seen_t_ = start;
  last_t_ = stop;
  is_expected_ = true;
  shows_progress_ = shows_progress && isatty(STDERR_FILENO) != 0;
}

void Watchdog::set_emergency(std::function<void(const StopReason&)> emergency) {
  const std::lock_guard lock(mutex_);
  emergency_ = std::move(emergency);
}

void Watchdog::stand_down() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    if (has_line_) say_raw("\r\x1b[K");
    has_line_ = false;
  }
  condition_.notify_all();
}

std::optional<StopReason> Watchdog::find_reason() {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) look();
  return reason_;
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!condition_.wait_for(lock, kRound, [this] { return is_over_; })) {
    look();
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (!reason_) {
      tell(seconds);
      continue;
    }
    const std::chrono::duration<double> waited = Clock::now() - reason_time_;
    if (!is_expected_ || waited.count() > kGraceSeconds) end_program(*reason_);
  }
}

void Watchdog::look() {
  if (reason_) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (const char* signal = interrupt())
    reason_ = {Status::kCancelled, fmt::format("cancelled by {}", signal)};
  else if (limits_.seconds && seconds > *limits_.seconds)
    reason_ = {Status::kTimeLimit,
               fmt::format("the time limit of {:g} s is reached", *limits_.seconds)};
  else if (limits_.megabytes && resident_megabytes() > *limits_.megabytes)
    reason_ = {Status::kMemoryLimit,
               fmt::format("the memory limit of {:g} MB is reached", *limits_.megabytes)};
  if (reason_) reason_time_ = Clock::now();
}

void Watchdog::tell(double seconds) {
  show_progress(seconds);
  tell_what_it_does(seconds);
  warn_of_events(seconds);
}

void Watchdog::show_progress(double seconds) {
  if (!shows_progress_ || seconds - told_at_ < kSecondsBetweenLines) return;
  told_at_ = seconds;
  has_line_ = true;
  say_raw(fmt::format("\r\x1b[Kt = {:.8g} of {:.8g}", activity_.t.load(), last_t_));
}

void Watchdog::tell_what_it_does(double seconds) {
  if (activity_.t != seen_t_) {
    seen_t_ = activity_.t;
    seen_at_ = seconds;
    patience_ = kPatienceSeconds;
  }
  if (limits_.is_quiet || seconds - seen_at_ < patience_) return;
  seen_at_ = seconds;
  // Again after the same time for somebody who reads along; a log is not filled by a long silence.
  if (!is_read_along_) patience_ *= 2;
  const std::string place =
      is_expected_ ? fmt::format(" at t = {:.10g}", activity_.t.load()) : std::string();
  say(fmt::format("{}after {} the run is {}{}\n", has_line_ ? "\n" : "", duration(seconds),
                  activity_.doing.load(), place));
}

// At the pace so far: events that are close together make a run that never ends look like one that
// works.
void Watchdog::warn_of_events(double seconds) {
  if (has_warned_of_events_ || !is_expected_ || seconds < kPatienceSeconds) return;
  const auto events = static_cast<double>(activity_.events.load());
  const double share = (activity_.t - first_t_) / (last_t_ - first_t_);
  const double remaining = share > 0 ? seconds * (1 - share) / share : INFINITY;
  if (events < kManyEventsPerSecond * seconds || remaining < kLongRunSeconds) return;
  has_warned_of_events_ = true;
  say(
      fmt::format("{}warning: {:.0f} events in {} up to t = {:.10g}; at this pace the run takes "
                  "another {} [event-storm]\n",
                  has_line_ ? "\n" : "", events, duration(seconds), activity_.t.load(),
                  std::isfinite(remaining) ? duration(remaining) : "eternity"));
}

void Watchdog::end_program(const StopReason& reason) {
  if (emergency_) emergency_(reason);
  say_where(reason);
  _exit(kComputationFailed);
}

void Watchdog::say_where(const StopReason& reason) const {
  say(fmt::format("{} while the run was {} [{}]\n", reason.message, activity_.doing.load(),
                  name_of(reason.status)));
}

}  // namespace hydae::tool

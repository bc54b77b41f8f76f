#include "test/robustness/random_models.h"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <gtest/gtest.h>
#include <unistd.h>

#include <hydae/modelica.h>

namespace hydae {

namespace {

// Far above what any of these small texts needs, with sanitizers too.
constexpr double kMostSeconds = 20;

const std::string* text_under_test = nullptr;

void print_text(int signal) {
  if (text_under_test != nullptr) {
    // A process that dies has nothing to do with a failed write.
    [[maybe_unused]] const auto written =
        ::write(STDERR_FILENO, text_under_test->data(), text_under_test->size());
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void watch_signals() {
  static const bool is_watched = [] {
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(signal, print_text);
    return true;
  }();
  (void)is_watched;
}

void load_twice(const std::string& text, Outcome& outcome) {
  const LoadResult first = load_text(text);
  const std::string said = render(first.diagnostics, first.sources.get());
  outcome = first.model ? Outcome::kModel : Outcome::kError;
  ASSERT_NE(first.model.has_value(), first.diagnostics.has_errors()) << said;
  if (!first.model) return;
  const std::string flat = flatten_to_text(*first.model);
  const LoadResult second = load_text(flat);
  ASSERT_TRUE(second.model) << flat << render(second.diagnostics, second.sources.get());
}

}  // namespace

std::uint32_t seed_of_run() {
  const char* given = std::getenv("HYDAE_SEED");
  return given == nullptr ? 1 : static_cast<std::uint32_t>(std::atoll(given));
}

int num_cases(int usual) {
  const char* given = std::getenv("HYDAE_CASES");
  return given == nullptr ? usual : std::atoi(given);
}

Outcome expect_model_or_error(const std::string& text) {
  watch_signals();
  text_under_test = &text;
  Outcome outcome = Outcome::kError;
  const std::clock_t begin = std::clock();  // of this process: others may keep the machine busy
  try {
    load_twice(text, outcome);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << "\n" << text;
  }
  const double taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_LT(taken, kMostSeconds) << text;
  text_under_test = nullptr;
  return outcome;
}

}  // namespace hydae

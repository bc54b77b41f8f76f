// What the generators of random models share: numbers from a seed, and the claim that every text
// ends with a model or with an error, in process and soon.
//
// HYDAE_CASES raises the number of cases, HYDAE_SEED chooses others. When the process dies, the
// text that killed it is printed first.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace hydae {

// The seed of this run and how many cases it makes; printed with every failure.
std::uint32_t seed_of_run();
int num_cases(int usual);

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(count)); }
  bool one_in(int count) { return below(count) == 0; }
  template <class List>
  const auto& pick(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
  }

 private:
  std::mt19937 engine_;
};

// Loads the text and says what happened to it; a test failure if it ends in anything but a model or
// errors, or if its flat text is not a model again.
enum class Outcome { kModel, kError };
Outcome expect_model_or_error(const std::string& text);

}  // namespace hydae

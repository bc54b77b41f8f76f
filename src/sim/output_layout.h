// The outputs of the program of a mode, in their order: guards of all relations, two exits for each
// hold, delayed signals, square roots.
#pragma once

#include <cstddef>

namespace hydae {

struct OutputLayout {
  std::size_t num_guards = 0, num_exits = 0, num_delayed = 0, num_roots = 0;

  static constexpr std::size_t guard(std::size_t relation) { return relation; }
  // Exit 2k leaves hold k to its negative side, 2k + 1 to its positive side.
  constexpr std::size_t exit(std::size_t k) const { return num_guards + k; }
  constexpr std::size_t delayed(std::size_t k) const { return exit(num_exits) + k; }
  constexpr std::size_t root(std::size_t k) const { return delayed(num_delayed) + k; }
  constexpr std::size_t size() const { return root(num_roots); }

  constexpr bool is_guard(std::size_t output) const { return output < num_guards; }
  constexpr bool is_exit(std::size_t output) const {
    return output >= exit(0) && output < exit(num_exits);
  }
  constexpr bool is_root(std::size_t output) const { return output >= root(0); }
  // Of an exit: its place among the exits.
  constexpr std::size_t exit_of(std::size_t output) const { return output - exit(0); }
};

}  // namespace hydae

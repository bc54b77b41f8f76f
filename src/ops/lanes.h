// Values with derivatives along several directions, in one sweep forward: each register has, beside
// its value, one number per direction, and an instruction handles all of them at once (Griewank and
// Walther 2008, section 3.1; vectors of 2, 4, 8 or 16 numbers).
#pragma once

#include <vector>

#include "ops/activity.h"
#include "ops/machine.h"

namespace hydae::ops {

class Lanes {
 public:
  // The registers that directions may move; none (kNoRegister) may be among them.
  Lanes(Machine& machine, std::span<const Register> inputs);

  // Runs the tape. `seeds` has one row of `width` numbers per input: how it moves along each
  // direction. Appends to `products` the rows of the registers `roots`, likewise.
  // A derivative of 0 hides what is below it, even if that is undefined; where a derivative is
  // infinite, a direction that does not move the operand does not move the result.
  void run(std::span<const double> seeds, std::size_t width, std::span<const Register> roots,
           std::vector<double>& products);

 private:
  template <int kWidth>
  void run_pass(std::span<const double> seeds, std::size_t width, std::size_t first);
  template <int kWidth>
  void move(const Instruction& instruction, std::uint32_t is_wanted);
  template <int kWidth>
  void run_passes(std::span<const double> seeds, std::size_t width, std::span<const Register> roots,
                  double* products);

  Machine& machine_;
  std::vector<Register> inputs_;
  Activity activity_;
  std::vector<double> tangents_;  // by register, then by direction
  std::vector<double> slopes_;    // of one instruction
};

}  // namespace hydae::ops

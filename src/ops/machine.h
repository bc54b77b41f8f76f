// Runs a tape for values: its registers, and the functions it calls. Nothing is allocated in a run,
// unless a function fails.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ops/function_point.h"
#include "ops/tape.h"

namespace hydae::ops {

class Machine {
 public:
  explicit Machine(std::shared_ptr<const Tape> tape);

  const Tape& tape() const { return *tape_; }
  std::span<double> registers() { return registers_; }
  std::span<const double> registers() const { return registers_; }
  double value(Register at) const { return registers_[at]; }

  // Before the first block at a new point: functions are called again, the last failure is
  // forgotten.
  void begin();
  // Instructions begin .. end-1. Undefined results are NaN or infinite.
  void run(std::size_t begin, std::size_t end);
  void run() {
    begin();
    run(0, tape_->instructions().size());
  }

  // The value of a use of a call: the function runs where the point is new. NaN where it fails.
  double call(std::uint32_t use);
  // Writes the derivatives of a use by all arguments, after call(). One order more is asked of the
  // function, so require_slopes() comes first.
  void call_slopes(std::uint32_t use, double* slopes) const;
  void require_slopes(std::uint32_t use);
  // What the first function that failed since begin() said; empty if none did.
  const std::string& call_failure() const { return call_failure_; }

  // Below an undefined register: one that is undefined although what it is made of is defined;
  // branches that are not taken do not count.
  Register find_undefined(Register root) const;

 private:
  struct Site {
    FunctionPoint point;
    std::size_t run = 0;  // of the last evaluation
    bool has_failed = false;
  };
  void evaluate(Site& site, std::span<const Register> arguments);
  std::optional<Register> undefined_operand(const Instruction& instruction) const;

  std::shared_ptr<const Tape> tape_;
  std::vector<double> registers_;
  std::vector<Site> sites_;
  std::vector<double> arguments_;  // scratch
  std::size_t run_ = 0;
  std::string call_failure_;
};

}  // namespace hydae::ops

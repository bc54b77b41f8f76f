// The numeric tape: a program on registers of doubles, as plain integers. Expressions are lowered
// to it (expr/tape_lowering.h); it is interpreted for values (machine.h), for values with
// derivatives along several directions at once (lanes.h) and for rows of a sparse Jacobian
// (adjoints.h). A tape is never changed, so that any number of machines on as many threads may run
// it.
//
// An instruction names the register it writes. Today a tape is one block without branches in which
// each register is written once. Functions with control flow are blocks of instructions over the
// same registers, joined by branches and loops outside of the instruction list: Machine::run() and
// Lanes take ranges of instructions for that; only Adjoints needs single assignment.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <hydae/function.h>
#include <hydae/op.h>

namespace hydae::ops {

using Register = std::uint32_t;
inline constexpr Register kNoRegister = 0xffffffff;
inline constexpr std::uint32_t kNoTag = 0xffffffff;

// Of an instruction: an operation, or one of those below.
using Code = std::uint32_t;
constexpr Code code_of(Op op) { return static_cast<Code>(op); }
constexpr bool is_call(Code code) {
  return code == code_of(Op::kCall) || code == code_of(Op::kCallDerivative);
}
inline constexpr Code kMulAdd = kNumOps;      // a*b + c
inline constexpr Code kMulSub = kNumOps + 1;  // a*b - c
inline constexpr Code kSubMul = kNumOps + 2;  // c - a*b

struct Instruction {
  Code code = 0;
  Register out = 0;
  // Operands. kHomotopy: the share of the first one comes last. Calls: the number of the use.
  std::array<Register, 3> in = {};
};

// One function at one list of arguments: evaluated once for all that is asked of it.
struct CallSite {
  const Function* function = nullptr;
  int order = 0;  // highest derivative that the uses ask for
  std::vector<Register> arguments = {};
};

// An output, its derivative by argument `input`, or by `input` and `second_input`.
struct CallUse {
  std::uint32_t site = 0;
  int output = 0, input = -1, second_input = -1;
  int order() const { return (input >= 0) + (second_input >= 0); }
};

class Tape {
 public:
  std::span<const Instruction> instructions() const { return instructions_; }
  std::size_t num_registers() const { return image_.size(); }
  // What registers hold before the first run: constants, and 0.
  std::span<const double> image() const { return image_; }
  const std::vector<CallSite>& sites() const { return sites_; }
  const std::vector<CallUse>& uses() const { return uses_; }
  // What a register is for, as TapeBuilder was told.
  std::uint32_t tag(Register at) const { return tags_[at]; }

  // The registers that the value of an instruction is made of.
  std::span<const Register> operands(const Instruction& instruction) const;

 private:
  friend class TapeBuilder;

  std::vector<Instruction> instructions_;
  std::vector<double> image_;
  std::vector<std::uint32_t> tags_;  // by register
  std::vector<CallSite> sites_;
  std::vector<CallUse> uses_;
};

class TapeBuilder {
 public:
  Register add_register(double value = 0, std::uint32_t tag = kNoTag);  // an input, or a constant
  void set_tag(Register at, std::uint32_t tag) { tape_.tags_[at] = tag; }
  Register emit(Code code, std::array<Register, 3> in, std::uint32_t tag);
  // The function must outlive the tape.
  Register call(const Function& function, std::vector<Register> arguments, CallUse use,
                std::uint32_t tag);
  std::size_t num_instructions() const { return tape_.instructions_.size(); }
  Tape take() { return std::move(tape_); }

 private:
  Tape tape_;
  std::map<std::pair<const Function*, std::vector<Register>>, std::uint32_t> known_sites_;
};

}  // namespace hydae::ops

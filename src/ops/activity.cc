#include "ops/activity.h"

#include "ops/operation.h"

namespace hydae::ops {
namespace {

bool is_constant(const Tape& tape, const Instruction& instruction) {
  if (instruction.code >= static_cast<Code>(kNumOps)) return false;
  const Op op = static_cast<Op>(instruction.code);
  if (op == Op::kCallDerivative) return tape.uses()[instruction.in[0]].second_input >= 0;
  return is_step(op);
}

}  // namespace

Activity::Activity(const Tape& tape, std::span<const Register> inputs)
    : is_active(tape.num_registers(), false) {
  for (const Register input : inputs)
    if (input != kNoRegister) is_active[input] = true;
  const auto list = tape.instructions();
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (is_constant(tape, list[k])) continue;
    const auto operands = tape.operands(list[k]);
    std::uint32_t is_wanted = 0;
    bool has_active = false;
    for (std::size_t j = list[k].code == code_of(Op::kSelect) ? 1 : 0; j < operands.size(); ++j) {
      if (!is_active[operands[j]]) continue;
      has_active = true;
      if (j < 3) is_wanted |= 1u << j;
    }
    if (!has_active) continue;
    is_active[list[k].out] = true;
    instructions.push_back({static_cast<std::uint32_t>(k), is_wanted});
  }
}

}  // namespace hydae::ops

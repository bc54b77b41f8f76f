#include "ops/tape.h"

#include <algorithm>

#include "ops/operation.h"

namespace hydae::ops {
namespace {

std::size_t num_inputs(Code code) {
  const bool has_three = code >= static_cast<Code>(kNumOps) || code == code_of(Op::kHomotopy);
  return has_three ? 3 : static_cast<std::size_t>(entry(static_cast<Op>(code)).num_operands);
}

}  // namespace

std::span<const Register> Tape::operands(const Instruction& instruction) const {
  if (is_call(instruction.code)) return sites_[uses_[instruction.in[0]].site].arguments;
  return std::span(instruction.in).first(num_inputs(instruction.code));
}

Register TapeBuilder::add_register(double value, std::uint32_t tag) {
  tape_.image_.push_back(value);
  tape_.tags_.push_back(tag);
  return static_cast<Register>(tape_.image_.size() - 1);
}

Register TapeBuilder::emit(Code code, std::array<Register, 3> in, std::uint32_t tag) {
  const Register out = add_register(0, tag);
  tape_.instructions_.push_back({code, out, in});
  return out;
}

Register TapeBuilder::call(const Function& function, std::vector<Register> arguments, CallUse use,
                           std::uint32_t tag) {
  const auto next = static_cast<std::uint32_t>(tape_.sites_.size());
  const auto [known, is_new] = known_sites_.try_emplace({&function, arguments}, next);
  if (is_new) tape_.sites_.push_back({&function, 0, std::move(arguments)});
  use.site = known->second;
  CallSite& site = tape_.sites_[use.site];
  site.order = std::max(site.order, use.order());
  tape_.uses_.push_back(use);
  const auto number = static_cast<std::uint32_t>(tape_.uses_.size() - 1);
  return emit(code_of(use.order() == 0 ? Op::kCall : Op::kCallDerivative), {number, 0, 0}, tag);
}

}  // namespace hydae::ops

#include "ops/machine.h"

#include <algorithm>
#include <limits>

#include "ops/execute.h"

namespace hydae::ops {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Machine::Machine(std::shared_ptr<const Tape> tape)
    : tape_(std::move(tape)), registers_(tape_->image().begin(), tape_->image().end()) {
  std::size_t longest = 0;
  for (const CallSite& site : tape_->sites()) {
    sites_.push_back({FunctionPoint(*site.function, site.order)});
    longest = std::max(longest, site.arguments.size());
  }
  arguments_.resize(longest);
}

void Machine::begin() {
  ++run_;
  if (!call_failure_.empty()) call_failure_.clear();
}

void Machine::run(std::size_t begin, std::size_t end) {
  double* const r = registers_.data();
  const Instruction* const instructions = tape_->instructions().data();
  for (std::size_t k = begin; k < end; ++k)
    r[instructions[k].out] = execute(instructions[k], r, *this);
}

double Machine::call(std::uint32_t number) {
  const CallUse& use = tape_->uses()[number];
  Site& site = sites_[use.site];
  if (site.run != run_) evaluate(site, tape_->sites()[use.site].arguments);
  if (site.has_failed) return kUndefined;
  if (use.input < 0) return site.point.output(use.output);
  if (use.second_input < 0) return site.point.derivative(use.output, use.input);
  return site.point.derivative(use.output, use.input, use.second_input);
}

void Machine::evaluate(Site& site, std::span<const Register> arguments) {
  site.run = run_;
  for (std::size_t k = 0; k < arguments.size(); ++k) arguments_[k] = registers_[arguments[k]];
  std::string failure = site.point.try_evaluate(std::span(arguments_).first(arguments.size()));
  site.has_failed = !failure.empty();
  if (site.has_failed && call_failure_.empty()) call_failure_ = std::move(failure);
}

void Machine::require_slopes(std::uint32_t number) {
  const CallUse& use = tape_->uses()[number];
  FunctionPoint& point = sites_[use.site].point;
  if (point.order() <= use.order()) point = FunctionPoint(point.function(), use.order() + 1);
}

void Machine::call_slopes(std::uint32_t number, double* slopes) const {
  const CallUse& use = tape_->uses()[number];
  const Site& site = sites_[use.site];
  const int count = site.point.function().num_inputs;
  for (int k = 0; k < count; ++k)
    slopes[k] = site.has_failed ? kUndefined
                : use.input < 0 ? site.point.derivative(use.output, k)
                                : site.point.derivative(use.output, use.input, k);
}

// --- finding what is undefined
// --------------------------------------------------------------------

std::optional<Register> Machine::undefined_operand(const Instruction& instruction) const {
  const auto operands = tape_->operands(instruction);
  const auto is_undefined = [&](Register k) { return !std::isfinite(registers_[k]); };
  if (instruction.code == code_of(Op::kSelect) && !is_undefined(operands[0])) {
    const Register taken = operands[registers_[operands[0]] != 0 ? 1 : 2];
    return is_undefined(taken) ? std::optional(taken) : std::nullopt;
  }
  const auto found = std::find_if(operands.begin(), operands.end(), is_undefined);
  return found == operands.end() ? std::nullopt : std::optional(*found);
}

// Instructions are sorted by the registers they write.
Register Machine::find_undefined(Register root) const {
  const auto list = tape_->instructions();
  while (true) {
    const auto writer = std::lower_bound(
        list.begin(), list.end(), root,
        [](const Instruction& instruction, Register out) { return instruction.out < out; });
    if (writer == list.end() || writer->out != root) return root;  // an input
    const std::optional<Register> below = undefined_operand(*writer);
    if (!below) return root;
    root = *below;
  }
}

}  // namespace hydae::ops

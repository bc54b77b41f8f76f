#include "ops/lanes.h"

#include <algorithm>

#include "ops/execute.h"

namespace hydae::ops {
namespace {

// sum += slope * tangent
template <int kWidth>
void add_multiple(double* sum, double slope, const double* tangent) {
  if (slope == 0) return;
  if (std::isfinite(slope)) {
    for (int j = 0; j < kWidth; ++j) sum[j] += slope * tangent[j];
  } else {
    for (int j = 0; j < kWidth; ++j)
      if (tangent[j] != 0) sum[j] += slope * tangent[j];
  }
}

}  // namespace

Lanes::Lanes(Machine& machine, std::span<const Register> inputs)
    : machine_(machine),
      inputs_(inputs.begin(), inputs.end()),
      activity_(machine.tape(), inputs),
      slopes_(3) {
  const Tape& tape = machine.tape();
  for (const ActiveInstruction& active : activity_.instructions) {
    const Instruction& instruction = tape.instructions()[active.number];
    slopes_.resize(std::max(slopes_.size(), tape.operands(instruction).size()));
    if (is_call(instruction.code)) machine.require_slopes(instruction.in[0]);
  }
}

void Lanes::run(std::span<const double> seeds, std::size_t width, std::span<const Register> roots,
                std::vector<double>& products) {
  const std::size_t first = products.size();
  products.resize(first + roots.size() * width);
  double* const out = products.data() + first;
  if (width <= 2)
    run_passes<2>(seeds, width, roots, out);
  else if (width <= 4)
    run_passes<4>(seeds, width, roots, out);
  else if (width <= 8)
    run_passes<8>(seeds, width, roots, out);
  else
    run_passes<16>(seeds, width, roots, out);
}

template <int kWidth>
void Lanes::run_passes(std::span<const double> seeds, std::size_t width,
                       std::span<const Register> roots, double* products) {
  tangents_.resize(machine_.tape().num_registers() * kWidth);
  for (std::size_t first = 0; first < std::max<std::size_t>(width, 1); first += kWidth) {
    run_pass<kWidth>(seeds, width, first);
    const std::size_t count = std::min<std::size_t>(kWidth, width - first);
    for (std::size_t i = 0; i < roots.size(); ++i) {
      double* const row = products + i * width + first;
      if (activity_.is_active[roots[i]])
        std::copy_n(&tangents_[roots[i] * std::size_t{kWidth}], count, row);
      else
        std::fill_n(row, count, 0.0);
    }
  }
}

template <int kWidth>
void Lanes::run_pass(std::span<const double> seeds, std::size_t width, std::size_t first) {
  const std::size_t count = std::min<std::size_t>(kWidth, width - first);
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    if (inputs_[k] == kNoRegister) continue;
    double* const tangent = &tangents_[inputs_[k] * std::size_t{kWidth}];
    std::fill_n(tangent, kWidth, 0.0);
    std::copy_n(seeds.data() + k * width + first, count, tangent);
  }
  const auto instructions = machine_.tape().instructions();
  double* const r = machine_.registers().data();
  machine_.begin();
  std::size_t done = 0;
  for (const ActiveInstruction& active : activity_.instructions) {
    for (; done <= active.number; ++done)
      r[instructions[done].out] = execute(instructions[done], r, machine_);
    move<kWidth>(instructions[active.number], active.is_wanted);
  }
  machine_.run(done, instructions.size());
}

template <int kWidth>
void Lanes::move(const Instruction& instruction, std::uint32_t is_wanted) {
  double sum[kWidth] = {};
  const auto operands = machine_.tape().operands(instruction);
  find_slopes(instruction, is_wanted, machine_, slopes_.data());
  for (std::size_t k = 0; k < operands.size(); ++k)
    if (activity_.is_active[operands[k]])
      add_multiple<kWidth>(sum, slopes_[k], &tangents_[operands[k] * std::size_t{kWidth}]);
  std::copy_n(sum, kWidth, &tangents_[instruction.out * std::size_t{kWidth}]);
}

}  // namespace hydae::ops

#include "ops/adjoints.h"

#include <algorithm>
#include <functional>

#include "base/check.h"
#include "ops/execute.h"

namespace hydae::ops {
namespace {

// Its slopes are the same at every point.
bool has_constant_slopes(Code code) {
  return code == code_of(Op::kAdd) || code == code_of(Op::kSub) || code == code_of(Op::kNeg);
}

}  // namespace

Adjoints::Adjoints(Machine& machine, std::span<const Register> columns,
                   std::span<const Register> roots)
    : machine_(machine),
      activity_(machine.tape(), columns),
      column_of_(machine.tape().num_registers(), kNoRegister),
      roots_(roots.begin(), roots.end()),
      adjoints_(machine.tape().num_registers()) {
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k] != kNoRegister) column_of_[columns[k]] = static_cast<std::uint32_t>(k);
  find_edges();
  Search search{std::vector<bool>(machine.tape().num_registers()), {}};
  first_step_.push_back(0);
  first_place_.push_back(0);
  for (const Register root : roots) make_row(root, search);
}

void Adjoints::find_edges() {
  const Tape& tape = machine_.tape();
  step_of_.assign(tape.num_registers(), kNoRegister);
  std::uint32_t num_slopes = 0;
  for (std::size_t k = 0; k < activity_.instructions.size(); ++k) {
    const ActiveInstruction& active = activity_.instructions[k];
    const Instruction& instruction = tape.instructions()[active.number];
    const auto operands = tape.operands(instruction);
    HYDAE_CHECK(step_of_[instruction.out] == kNoRegister);
    step_of_[instruction.out] = static_cast<std::uint32_t>(k);
    first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
    first_slope_.push_back(num_slopes);
    for (std::size_t j = 0; j < operands.size(); ++j)
      if (activity_.is_active[operands[j]])
        edges_.push_back({operands[j], num_slopes + static_cast<std::uint32_t>(j)});
    num_slopes += static_cast<std::uint32_t>(std::max<std::size_t>(3, operands.size()));
    if (!has_constant_slopes(instruction.code)) changing_.push_back(static_cast<std::uint32_t>(k));
    if (is_call(instruction.code)) machine_.require_slopes(instruction.in[0]);
  }
  first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
  slopes_.resize(num_slopes);
  for (std::size_t k = 0; k < activity_.instructions.size(); ++k) {
    const Instruction& instruction = tape.instructions()[activity_.instructions[k].number];
    if (has_constant_slopes(instruction.code))
      find_slopes(instruction, 7, machine_, &slopes_[first_slope_[k]]);
  }
}

// Later instructions come first: every one after all that use it.
void Adjoints::make_row(Register root, Search& search) {
  auto& [seen, found] = search;
  found.clear();
  if (activity_.is_active[root]) {
    found.push_back(root);
    seen[root] = true;
  }
  for (std::size_t next = 0; next < found.size(); ++next) {
    const std::uint32_t k = step_of_[found[next]];
    if (k == kNoRegister) continue;
    for (std::uint32_t e = first_edge_[k]; e < first_edge_[k + 1]; ++e) {
      if (seen[edges_[e].in]) continue;
      seen[edges_[e].in] = true;
      found.push_back(edges_[e].in);
    }
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  for (const Register at : found) {
    seen[at] = false;
    const std::uint32_t k = step_of_[at];
    if (k != kNoRegister) steps_.push_back({at, first_edge_[k], first_edge_[k + 1]});
    if (column_of_[at] != kNoRegister) places_.push_back({column_of_[at], at});
  }
  std::sort(places_.begin() + static_cast<std::ptrdiff_t>(first_place_.back()), places_.end(),
            [](const ColumnPlace& x, const ColumnPlace& y) { return x.column < y.column; });
  first_step_.push_back(steps_.size());
  first_place_.push_back(places_.size());
}

void Adjoints::update() {
  const auto instructions = machine_.tape().instructions();
  for (const std::uint32_t k : changing_) {
    const ActiveInstruction& active = activity_.instructions[k];
    find_slopes(instructions[active.number], active.is_wanted, machine_, &slopes_[first_slope_[k]]);
  }
}

// What is not used must not spoil a sum, even if it is undefined: zeros are not handed down.
std::span<const DerivativeEntry> Adjoints::row(std::size_t root) {
  if (activity_.is_active[roots_[root]]) adjoints_[roots_[root]] = 1;
  for (std::size_t k = first_step_[root]; k < first_step_[root + 1]; ++k) {
    const Step& step = steps_[k];
    const double adjoint = adjoints_[step.out];
    if (adjoint == 0) continue;
    adjoints_[step.out] = 0;
    for (std::uint32_t e = step.first_edge; e < step.last_edge; ++e) {
      const double slope = slopes_[edges_[e].slope];
      if (slope != 0) adjoints_[edges_[e].in] += adjoint * slope;
    }
  }
  row_.clear();
  for (std::size_t k = first_place_[root]; k < first_place_[root + 1]; ++k) {
    row_.push_back({places_[k].column, adjoints_[places_[k].at]});
    adjoints_[places_[k].at] = 0;
  }
  return row_;
}

}  // namespace hydae::ops

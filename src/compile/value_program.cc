#include "compile/value_program.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include <hydae/error.h>

namespace hydae {
namespace {

[[noreturn]] void refuse(Op op) {
  Diagnostics diagnostics;
  diagnostics.error("not-supported-yet",
                    fmt::format("`{}` is not supported in a simulation yet", op_name(op)));
  throw ModelError(std::move(diagnostics));
}

// By position: depends on time or a running input.
std::vector<bool> find_running(const Graph& graph, const TapeLowering& lowering,
                               const ValueProgram::Inputs& inputs) {
  std::vector<bool> is_running(lowering.nodes().size(), false);
  for (std::size_t k = 0; k < is_running.size(); ++k) {
    const NodeId id = lowering.nodes()[k];
    const Op op = graph.op(id);
    if (op == Op::kTime) is_running[k] = true;
    if (op == Op::kVariable || op == Op::kPre)
      is_running[k] = inputs.place(graph.node(id)) < inputs.num_running;
    for (NodeId operand : graph.operands(id))
      if (is_running[lowering.position(operand)]) is_running[k] = true;
  }
  return is_running;
}

}  // namespace

ValueProgram::ValueProgram(const Graph& graph, std::span<const NodeId> roots, const Inputs& inputs,
                           const Functions* functions)
    : num_running_(inputs.num_running), num_held_(inputs.num_held) {
  TapeLowering lowering(graph, roots);
  for (const NodeId id : lowering.nodes())
    if (graph.op(id) == Op::kDelay || graph.op(id) == Op::kSample) refuse(graph.op(id));
  const std::vector<bool> is_running = find_running(graph, lowering, inputs);
  place_leaves(graph, lowering, inputs.place);
  lowering.emit(functions, [&](std::size_t k) { return !is_running[k]; });
  num_fixed_ = lowering.tape().num_instructions();
  lowering.emit(functions);
  for (NodeId root : roots) {
    roots_.push_back(lowering.register_of(root));
    is_fixed_.push_back(!is_running[lowering.position(root)]);
  }
  machine_.emplace(std::make_shared<const ops::Tape>(lowering.tape().take()));
}

void ValueProgram::place_leaves(const Graph& graph, TapeLowering& lowering, const Place& place) {
  const std::size_t num_inputs = num_running_ + 1 + num_held_;
  for (std::size_t k = 0; k < num_inputs; ++k) lowering.tape().add_register();
  for (const NodeId id : lowering.nodes()) {
    const Node node = graph.node(id);
    if (node.op == Op::kVariable || node.op == Op::kPre) {
      const std::size_t at = place(node);
      lowering.place(id, static_cast<ops::Register>(at < num_running_ ? at : at + 1));
    } else if (node.op == Op::kTime) {
      lowering.place(id, static_cast<ops::Register>(num_running_));
    } else if (node.op == Op::kParameter) {
      parameters_.push_back(node.parameter.index());
      lowering.place(id, lowering.tape().add_register());
    }
  }
  for (const NodeId id : lowering.nodes())
    if (graph.op(id) == Op::kInitial || graph.op(id) == Op::kTerminal)
      lowering.place(id, lowering.tape().add_register());
}

void ValueProgram::set_fixed(std::span<const double> parameters, std::span<const double> held) {
  if (held.size() < num_held_) throw UsageError("not all held values are given");
  double* next = machine_->registers().data() + num_running_ + 1;
  next = std::copy_n(held.begin(), num_held_, next);
  for (const std::size_t parameter : parameters_) {
    if (parameter >= parameters.size()) throw UsageError("not all parameters are given");
    *next++ = parameters[parameter];
  }
  machine_->begin();
  machine_->run(0, num_fixed_);
}

void ValueProgram::evaluate(double time, std::span<double> out) {
  machine_->registers()[num_running_] = time;
  machine_->begin();
  machine_->run(num_fixed_, machine_->tape().instructions().size());
  for (std::size_t k = 0; k < roots_.size(); ++k) out[k] = machine_->value(roots_[k]);
}

std::optional<NodeId> ValueProgram::find_undefined() const {
  for (const ops::Register root : roots_) {
    if (std::isfinite(machine_->value(root))) continue;
    const std::uint32_t tag = machine_->tape().tag(machine_->find_undefined(root));
    if (tag != ops::kNoTag) return NodeId(tag);
  }
  return std::nullopt;
}

}  // namespace hydae

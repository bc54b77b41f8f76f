#include <bit>
#include <cmath>

#include <hydae/error.h>
#include <hydae/expr.h>

#include "base/check.h"
#include "expr/copy_operation.h"

namespace hydae {

Graph::Graph(std::shared_ptr<const Graph> base) : NodeStore(std::move(base)) {}

std::shared_ptr<Graph> Graph::clone() const { return std::shared_ptr<Graph>(new Graph(*this)); }

NodeId Graph::constant(double value) {
  if (!std::isfinite(value))
    throw UsageError("a constant of an expression must be a finite number");
  if (value == 0) value = 0;  // -0 is 0
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return intern({Op::kConstant, 0, {NodeId(bits & 0xffffffff), NodeId(bits >> 32), NodeId(0)}});
}

NodeId Graph::boolean(bool value) {
  const auto bits = std::bit_cast<std::uint64_t>(value ? 1.0 : 0.0);
  return intern({Op::kConstant, 1, {NodeId(bits & 0xffffffff), NodeId(bits >> 32), NodeId(0)}});
}

NodeId Graph::parameter(ParamId parameter) {
  return intern({Op::kParameter, 0, {NodeId(parameter.index()), {}, {}}});
}

NodeId Graph::time() { return leaf(Op::kTime); }

NodeId Graph::leaf(Op op) {
  HYDAE_CHECK(op == Op::kTime || op == Op::kInitial || op == Op::kTerminal);
  return intern({op, 0, {}});
}

NodeId Graph::variable(VarId variable, int order) {
  if (order < 0) throw UsageError("a derivative must have an order of 0 or more");
  return intern({Op::kVariable, 0, {NodeId(variable.index()), NodeId(order), {}}});
}

NodeId Graph::pre(VarId variable, int order) {
  if (order < 0) throw UsageError("a derivative must have an order of 0 or more");
  return intern({Op::kPre, 0, {NodeId(variable.index()), NodeId(order), {}}});
}

NodeId Graph::call(FunctionId function, int output, std::span<const NodeId> arguments) {
  return intern_call(Op::kCall, {function, output, -1, -1, 0, 0}, arguments);
}

NodeId Graph::call_derivative(FunctionId function, int output, int input, int second_input,
                              std::span<const NodeId> arguments) {
  HYDAE_CHECK(0 <= input && input < static_cast<int>(arguments.size()));
  HYDAE_CHECK(second_input < static_cast<int>(arguments.size()));
  if (second_input >= 0 && second_input < input) std::swap(input, second_input);
  return intern_call(Op::kCallDerivative, {function, output, input, second_input, 0, 0}, arguments);
}

NodeId Graph::rebuild(NodeId id, std::span<const NodeId> operands) {
  HYDAE_CHECK(operands.size() == this->operands(id).size());
  return operands.empty() ? id : copy_operation(*this, id, operands, *this);
}

void Graph::hold_between_events(VarId variable) {
  if (variable.index() >= held_between_events_.size())
    held_between_events_.resize(variable.index() + 1);
  held_between_events_[variable.index()] = true;
}

NodeId Graph::make(Op op, NodeId a, NodeId b, NodeId c, bool silent) {
  return intern({op, static_cast<std::uint8_t>(silent), {a, b, c}});
}

}  // namespace hydae

#include "compile/value_program.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

#include <hydae/error.h>

#include "expr/node_map.h"
#include "expr/scalar.h"
#include "expr/walk.h"

namespace hydae {

// Registers are numbered in three passes: leaves, fixed operations, running operations.
class ValueProgram::Builder {
 public:
  Builder(ValueProgram& program, const Graph& graph, const Inputs& inputs,
          const Functions* functions)
      : p_(program), graph_(graph), inputs_(inputs), functions_(functions) {}

  void build(std::span<const NodeId> roots) {
    order_ = walk_.order(graph_, roots, Walk::Scope::kGiven);
    for (NodeId id : order_)
      if (graph_.op(id) == Op::kDelay || graph_.op(id) == Op::kSample) refuse(graph_.op(id));
    count_uses(roots);
    find_running();
    number_leaves();
    for (const bool is_running : {false, true}) {
      for (std::size_t k = 0; k < order_.size(); ++k)
        if (is_running_[k] == is_running) add_operation(k);
      if (!is_running) p_.num_fixed_ = p_.operations_.size();
    }
    p_.registers_.resize(p_.first_result_ + p_.operations_.size());
    for (NodeId root : roots) {
      p_.roots_.push_back(register_of(root));
      p_.is_fixed_.push_back(!is_running_[position(root)]);
    }
  }

 private:
  static constexpr Register kNone = 0xffffffff;

  std::size_t position(NodeId id) const { return walk_.position(id); }
  Register register_of(NodeId id) const { return registers_[position(id)]; }

  // homotopy() and smooth() are their main operand.
  std::optional<NodeId> same_as(NodeId id) const {
    const Op op = graph_.op(id);
    if (op == Op::kHomotopy) return graph_.operands(id)[0];
    if (op == Op::kSmooth) return graph_.operands(id)[1];
    return std::nullopt;
  }

  void count_uses(std::span<const NodeId> roots) {
    num_uses_.assign(order_.size(), 0);
    is_in_sum_.assign(order_.size(), false);
    for (NodeId root : roots) num_uses_[position(root)] += 2;  // never fused away
    for (NodeId id : order_) {
      const bool is_sum = graph_.op(id) == Op::kAdd || graph_.op(id) == Op::kSub;
      for (NodeId operand : graph_.operands(id)) {
        ++num_uses_[position(operand)];
        if (is_sum) is_in_sum_[position(operand)] = true;
      }
    }
  }

  void find_running() {
    is_running_.assign(order_.size(), false);
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Op op = graph_.op(order_[k]);
      if (op == Op::kTime) is_running_[k] = true;
      if (op == Op::kVariable || op == Op::kPre)
        is_running_[k] = inputs_.place(graph_.node(order_[k])) < inputs_.num_running;
      for (NodeId operand : graph_.operands(order_[k]))
        if (is_running_[position(operand)]) is_running_[k] = true;
    }
  }

  // Running inputs, time, held inputs, parameters, constants.
  void number_leaves() {
    registers_.assign(order_.size(), kNone);
    const auto num_inputs = static_cast<Register>(inputs_.num_running + 1 + inputs_.num_held);
    p_.num_running_ = inputs_.num_running;
    p_.num_held_ = inputs_.num_held;
    p_.registers_.assign(num_inputs, 0.0);
    p_.first_parameter_ = num_inputs;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Node node = graph_.node(order_[k]);
      if (node.op == Op::kVariable || node.op == Op::kPre) {
        const std::size_t place = inputs_.place(node);
        registers_[k] = static_cast<Register>(place + (place >= inputs_.num_running ? 1 : 0));
      } else if (node.op == Op::kTime) {
        registers_[k] = static_cast<Register>(inputs_.num_running);
      } else if (node.op == Op::kParameter) {
        registers_[k] = num_inputs + static_cast<Register>(p_.parameters_.size());
        p_.parameters_.push_back(static_cast<std::uint32_t>(node.parameter.index()));
      }
    }
    p_.registers_.resize(num_inputs + p_.parameters_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Node node = graph_.node(order_[k]);
      const bool is_flag = node.op == Op::kInitial || node.op == Op::kTerminal;
      if (node.op == Op::kConstant || is_flag) registers_[k] = constant(is_flag ? 0 : node.value);
    }
    p_.first_result_ = static_cast<Register>(p_.registers_.size());
  }

  Register constant(double value) {
    p_.registers_.push_back(value);
    return static_cast<Register>(p_.registers_.size() - 1);
  }

  void add_operation(std::size_t k) {
    if (registers_[k] != kNone) return;
    const NodeId id = order_[k];
    if (const auto same = same_as(id)) {
      registers_[k] = register_of(*same);
      return;
    }
    if (can_wait(k)) return;
    emit(k, make(id));
  }

  void emit(std::size_t k, const Operation& operation) {
    registers_[k] = p_.first_result_ + static_cast<Register>(p_.operations_.size());
    p_.operations_.push_back(operation);
    p_.nodes_.push_back(order_[k]);
  }

  // A product that only one sum uses becomes part of it: it is not made by itself. Its own operands
  // are used by a product, so they never wait.
  bool can_wait(std::size_t k) const {
    return is_running_[k] && graph_.op(order_[k]) == Op::kMul && num_uses_[k] == 1 && is_in_sum_[k];
  }

  bool is_waiting(NodeId id) const {
    const std::size_t k = position(id);
    return registers_[k] == kNone && can_wait(k);
  }

  // The register of an operand; a product that still waits is made now.
  Register ready(NodeId id) {
    if (is_waiting(id)) {
      const auto factors = graph_.operands(id);
      const Operation product{Kind::kMul, Op::kMul, register_of(factors[0]),
                              register_of(factors[1]), 0};
      emit(position(id), product);
    }
    return register_of(id);
  }

  Operation make(NodeId id) {
    const Node node = graph_.node(id);
    switch (node.op) {
      case Op::kAdd: return make_sum(node);
      case Op::kSub: return make_difference(node);
      case Op::kMul: return two(Kind::kMul, node);
      case Op::kDiv: return two(Kind::kDiv, node);
      case Op::kNeg: return {Kind::kNeg, node.op, ready(node.a), 0, 0};
      case Op::kSelect: {
        const Register a = ready(node.a), b = ready(node.b);
        return {Kind::kSelect, node.op, a, b, ready(node.c)};
      }
      case Op::kCall:
      case Op::kCallDerivative: return make_call(id);
      default: break;
    }
    if (num_operands(node.op) == 2) return two(Kind::kBinary, node);
    return {Kind::kUnary, node.op, ready(node.a), 0, 0};
  }

  Operation two(Kind kind, const Node& node) {
    const Register a = ready(node.a);
    return {kind, node.op, a, ready(node.b), 0};
  }

  Operation fused(Kind kind, NodeId product, NodeId rest) {
    const Register c = ready(rest);
    const auto factors = graph_.operands(product);
    return {kind, Op::kMul, register_of(factors[0]), register_of(factors[1]), c};
  }

  Operation make_sum(const Node& node) {
    if (is_waiting(node.a)) return fused(Kind::kMulAdd, node.a, node.b);
    if (is_waiting(node.b)) return fused(Kind::kMulAdd, node.b, node.a);
    return two(Kind::kAdd, node);
  }

  Operation make_difference(const Node& node) {
    if (is_waiting(node.a)) return fused(Kind::kMulSub, node.a, node.b);
    if (is_waiting(node.b)) return fused(Kind::kSubMul, node.b, node.a);
    return two(Kind::kSub, node);
  }

  Operation make_call(NodeId id) {
    const Node node = graph_.node(id);
    const std::vector<NodeId> operands(node.arguments.begin(), node.arguments.end());
    std::vector<Register> arguments;
    for (NodeId operand : operands) arguments.push_back(ready(operand));
    const int order = (node.input >= 0) + (node.second_input >= 0);
    const auto [known, is_new] = site_ids_.insert(
        {{node.function, arguments}, static_cast<std::uint32_t>(p_.sites_.size())});
    if (is_new)
      p_.sites_.push_back({FunctionPoint((*functions_)[node.function], order), arguments});
    CallSite& site = p_.sites_[known->second];
    if (site.point.order() < order) site.point = FunctionPoint(site.point.function(), order);
    p_.uses_.push_back({known->second, node.output, node.input, node.second_input});
    return {Kind::kCall, node.op, static_cast<Register>(p_.uses_.size() - 1), 0, 0};
  }

  [[noreturn]] static void refuse(Op op) {
    Diagnostics diagnostics;
    diagnostics.error("not-supported-yet",
                      fmt::format("`{}` is not supported in a simulation yet", op_name(op)));
    throw ModelError(std::move(diagnostics));
  }

  ValueProgram& p_;
  const Graph& graph_;
  const Inputs& inputs_;
  const Functions* functions_;
  Walk walk_;
  std::span<const NodeId> order_;
  std::vector<int> num_uses_;
  std::vector<bool> is_in_sum_, is_running_;
  std::vector<Register> registers_;
  std::map<std::pair<FunctionId, std::vector<Register>>, std::uint32_t> site_ids_;
};

ValueProgram::ValueProgram(const Graph& graph, std::span<const NodeId> roots, const Inputs& inputs,
                           const Functions* functions) {
  Builder(*this, graph, inputs, functions).build(roots);
}

void ValueProgram::set_fixed(std::span<const double> parameters, std::span<const double> held) {
  if (held.size() < num_held_) throw UsageError("not all held values are given");
  std::copy_n(held.begin(), num_held_, registers_.begin() + static_cast<long>(num_running_) + 1);
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    if (parameters_[k] >= parameters.size()) throw UsageError("not all parameters are given");
    registers_[first_parameter_ + k] = parameters[parameters_[k]];
  }
  ++run_;
  run(0, num_fixed_);
}

void ValueProgram::evaluate(double time, std::span<double> out) {
  registers_[num_running_] = time;
  call_failure_.clear();
  ++run_;
  run(num_fixed_, operations_.size());
  for (std::size_t k = 0; k < roots_.size(); ++k) out[k] = registers_[roots_[k]];
}

void ValueProgram::run(std::size_t begin, std::size_t end) {
  double* const r = registers_.data();
  double* result = r + first_result_ + begin;
  for (std::size_t k = begin; k < end; ++k, ++result) {
    const Operation& o = operations_[k];
    switch (o.kind) {
      case Kind::kAdd: *result = r[o.a] + r[o.b]; break;
      case Kind::kSub: *result = r[o.a] - r[o.b]; break;
      case Kind::kMul: *result = r[o.a] * r[o.b]; break;
      case Kind::kDiv: *result = r[o.a] / r[o.b]; break;
      case Kind::kNeg: *result = -r[o.a]; break;
      case Kind::kMulAdd: *result = r[o.a] * r[o.b] + r[o.c]; break;
      case Kind::kMulSub: *result = r[o.a] * r[o.b] - r[o.c]; break;
      case Kind::kSubMul: *result = r[o.c] - r[o.a] * r[o.b]; break;
      default: *result = other(o);
    }
  }
}

double ValueProgram::other(const Operation& o) {
  const double* const r = registers_.data();
  switch (o.kind) {
    case Kind::kSelect: return std::isnan(r[o.a]) ? r[o.a] : r[r[o.a] != 0 ? o.b : o.c];
    case Kind::kUnary: return apply(o.op, r[o.a]);
    case Kind::kBinary: return apply(o.op, r[o.a], r[o.b]);
    default: return call(uses_[o.a]);
  }
}

double ValueProgram::call(const CallUse& use) {
  CallSite& site = sites_[use.site];
  if (site.run != run_) {
    site.run = run_;
    site.has_failed = false;
    arguments_.clear();
    for (Register argument : site.arguments) arguments_.push_back(registers_[argument]);
    const std::string failure = site.point.try_evaluate(arguments_);
    site.has_failed = !failure.empty();
    if (call_failure_.empty()) call_failure_ = failure;
  }
  if (site.has_failed) return std::numeric_limits<double>::quiet_NaN();
  if (use.input < 0) return site.point.output(use.output);
  if (use.second_input < 0) return site.point.derivative(use.output, use.input);
  return site.point.derivative(use.output, use.input, use.second_input);
}

// Operands come before what is made of them, so the first undefined result is an innermost one; one
// that a select leaves out does not count, and is skipped when every root is defined.
std::optional<NodeId> ValueProgram::find_undefined() const {
  bool is_defined = true;
  for (Register root : roots_) is_defined = is_defined && std::isfinite(registers_[root]);
  if (is_defined) return std::nullopt;
  for (std::size_t k = 0; k < operations_.size(); ++k)
    if (!std::isfinite(registers_[first_result_ + k])) return nodes_[k];
  return std::nullopt;
}

}  // namespace hydae

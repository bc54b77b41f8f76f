#include "compile/taylor_lowering.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include <hydae/error.h>

#include "expr/node_map.h"
#include "expr/walk.h"
#include "ops/function_point.h"
#include "ops/operation.h"

namespace hydae {
namespace {

using codegen::TermId;
using In = std::span<const double>;
using Out = std::span<double>;

// Values of a function, with its derivatives where they are asked for.
codegen::BlackBox code_of(const Function& function) {
  const int n = function.num_inputs, m = function.num_outputs;
  const auto call = [=, point = FunctionPoint(function, 0), jet = FunctionPoint(function, 1)](
                        In in, Out out, Out jacobian) mutable {
    FunctionPoint& at = jacobian.empty() ? point : jet;
    std::string failure = at.try_evaluate(in);
    for (int i = 0; i < m; ++i) out[static_cast<std::size_t>(i)] = at.output(i);
    for (std::size_t k = 0; k < jacobian.size(); ++k)
      jacobian[k] = at.derivative(static_cast<int>(k) / n, static_cast<int>(k) % n);
    return failure;
  };
  return {call, n, m, function.jacobian != nullptr};
}

// Its matrix of derivatives as a function: output i * n + j is output i by input j.
codegen::BlackBox derivative_code(const Function& function) {
  const int n = function.num_inputs, m = function.num_outputs;
  const auto call = [=, point = FunctionPoint(function, 1), jet = FunctionPoint(function, 2)](
                        In in, Out out, Out jacobian) mutable {
    FunctionPoint& at = jacobian.empty() ? point : jet;
    std::string failure = at.try_evaluate(in);
    for (int k = 0; k < m * n; ++k) {
      out[static_cast<std::size_t>(k)] = at.derivative(k / n, k % n);
      for (int l = 0; l < n && !jacobian.empty(); ++l)
        jacobian[static_cast<std::size_t>(k * n + l)] = at.derivative(k / n, k % n, l);
    }
    return failure;
  };
  return {call, n, m * n, function.jacobian != nullptr};
}

class Lowering {
 public:
  Lowering(const System& system, std::size_t num_parameters)
      : system_(system), graph_(system.graph()), num_parameters_(num_parameters) {}

  TermId lower(NodeId root) {
    for (NodeId id : walk_.order(graph_, root)) {
      if (terms_.find(id) != nullptr) continue;
      tape_.set_tag(static_cast<int>(id.index()));
      terms_.insert(id, make_term(id));
    }
    return *terms_.find(root);
  }

  codegen::TapeBuilder& tape() { return tape_; }
  // From now on every derivative of a variable is a variable of its own.
  void number_leaves(std::vector<codegen::JetEntry>& leaves) { leaves_ = &leaves; }
  std::vector<NodeId> take_held() { return std::move(held_); }

 private:
  TermId make_term(NodeId id) {
    const Node node = graph_.node(id);
    const auto a = [&] { return *terms_.find(node.a); };
    const auto b = [&] { return *terms_.find(node.b); };
    if (ops::is_function(node.op) && num_operands(node.op) == 1) return tape_.unary(node.op, a());
    switch (node.op) {
      case Op::kConstant: return tape_.constant(node.value);
      case Op::kParameter: return tape_.parameter(static_cast<int>(node.parameter.index()));
      case Op::kTime: return tape_.time();
      case Op::kVariable: return variable_term(id, node);
      case Op::kPre:
      case Op::kFloor:
      case Op::kCeil:
      case Op::kTrunc: return held_term(id);
      case Op::kInitial:
      case Op::kTerminal: return tape_.constant(0);
      case Op::kNeg: return tape_.neg(a());
      case Op::kAdd: return tape_.add(a(), b());
      case Op::kSub: return tape_.sub(a(), b());
      case Op::kMul: return tape_.mul(a(), b());
      case Op::kDiv: return tape_.div(a(), b());
      case Op::kPow: return tape_.pow(a(), b());
      case Op::kAtan2: return tape_.atan2(a(), b());
      case Op::kHomotopy: return a();
      case Op::kSmooth: return b();
      case Op::kCall: return call_term(id, node.output);
      case Op::kCallDerivative:
        if (node.second_input >= 0) refuse(id, node);
        return call_term(id, node.output * num_inputs(node) + node.input);
      default: refuse(id, node);
    }
  }

  TermId variable_term(NodeId id, const Node& node) {
    const auto column = system_.find_column(node.variable);
    if (!column) return held_term(id);
    const codegen::JetEntry entry{static_cast<int>(column->index()), node.order};
    if (leaves_ == nullptr) return tape_.variable(entry.variable, entry.order);
    leaves_->push_back(entry);  // met once: terms_ remembers
    return tape_.variable(static_cast<int>(leaves_->size()) - 1);
  }

  TermId held_term(NodeId id) {
    held_.push_back(id);
    return tape_.parameter(static_cast<int>(num_parameters_ + held_.size() - 1));
  }

  int num_inputs(const Node& node) const {
    return system_.model->functions()[node.function].num_inputs;
  }

  TermId call_term(NodeId id, int output) {
    const Node node = graph_.node(id);
    const bool is_derivative = node.op == Op::kCallDerivative;
    const auto [code, is_new] = codes_.try_emplace({node.function, is_derivative}, 0);
    const Function& function = system_.model->functions()[node.function];
    if (is_new)
      code->second = tape_.add_code(is_derivative ? derivative_code(function) : code_of(function));
    std::vector<TermId> arguments;
    for (NodeId argument : graph_.operands(id)) arguments.push_back(*terms_.find(argument));
    return tape_.call(code->second, std::move(arguments), output);
  }

  [[noreturn]] void refuse(NodeId id, const Node& node) const {
    Diagnostics diagnostics;
    if (is_call(node.op))
      diagnostics.error("external-too-deep",
                        fmt::format("second derivatives of function `{}`, which exists as code "
                                    "only, are needed in a model with events",
                                    system_.model->functions()[node.function].name),
                        system_.model->functions()[node.function].source);
    else
      diagnostics
          .error("not-for-taylor",
                 fmt::format("`{}`: no Taylor series can be made of it", system_.to_string(id)))
          .help = "a model without events can be simulated by --solver ida";
    throw ModelError(std::move(diagnostics));
  }

  const System& system_;
  const Graph& graph_;
  std::size_t num_parameters_;
  codegen::TapeBuilder tape_;
  Walk walk_;
  NodeMap<TermId> terms_;
  std::vector<NodeId> held_;
  std::vector<codegen::JetEntry>* leaves_ = nullptr;
  std::map<std::pair<FunctionId, bool>, int> codes_;  // by function and whether its derivatives
};

codegen::Structure tape_structure(const structure::Analysis& analysis) {
  codegen::Structure result{analysis.offsets.c.raw(), analysis.offsets.d.raw(), {}};
  for (BlockId b : ids<BlockId>(analysis.fine.size())) {
    codegen::BlockShape block;
    for (EqId eq : analysis.fine.eqs(b)) block.equations.push_back(static_cast<int>(eq.index()));
    for (VarId var : analysis.fine.vars(b))
      block.variables.push_back(static_cast<int>(var.index()));
    const VarId first = analysis.fine.vars(b).front();
    block.lead = analysis.offsets.d[first] - analysis.local.d[first];
    result.blocks.push_back(std::move(block));
  }
  return result;
}

}  // namespace

TaylorProgram compile_taylor(const System& system, const structure::Analysis& structure,
                             std::span<const NodeId> outputs, std::size_t num_parameters) {
  Lowering lowering(system, num_parameters);
  codegen::ProgramInput input;
  input.structure = tape_structure(structure);
  for (NodeId residual : system.residuals) input.residuals.push_back(lowering.lower(residual));
  for (NodeId output : outputs) input.outputs.push_back(lowering.lower(output));
  TaylorProgram result;
  result.num_parameters = num_parameters;
  result.held = lowering.take_held();
  input.num_parameters = static_cast<int>(result.num_parameters + result.held.size());
  result.program = std::make_shared<const codegen::Program>(lowering.tape(), input);
  return result;
}

OutputProgram compile_outputs(const System& system, std::span<const NodeId> outputs,
                              std::size_t num_parameters) {
  Lowering lowering(system, num_parameters);
  OutputProgram result;
  lowering.number_leaves(result.leaves);
  codegen::ProgramInput input;
  for (NodeId output : outputs) input.outputs.push_back(lowering.lower(output));
  input.structure.d.assign(result.leaves.size(), 0);
  input.num_parameters = static_cast<int>(num_parameters + lowering.take_held().size());
  result.program = std::make_shared<const codegen::Program>(lowering.tape(), input);
  return result;
}

}  // namespace hydae

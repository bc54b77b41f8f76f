#include "compile/lower.h"

#include <fmt/format.h>
#include <optional>

#include <hydae/error.h>

#include "expr/node_map.h"
#include "expr/walk.h"

namespace hydae {
namespace {

using codegen::TermId;
using codegen::TermOp;

std::optional<TermOp> function_term(Op op) {
  switch (op) {
    case Op::kSqrt: return TermOp::kSqrt;
    case Op::kExp: return TermOp::kExp;
    case Op::kLog: return TermOp::kLog;
    case Op::kLog10: return TermOp::kLog10;
    case Op::kSin: return TermOp::kSin;
    case Op::kCos: return TermOp::kCos;
    case Op::kTan: return TermOp::kTan;
    case Op::kAsin: return TermOp::kAsin;
    case Op::kAcos: return TermOp::kAcos;
    case Op::kAtan: return TermOp::kAtan;
    case Op::kSinh: return TermOp::kSinh;
    case Op::kCosh: return TermOp::kCosh;
    case Op::kTanh: return TermOp::kTanh;
    default: return std::nullopt;
  }
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
  std::vector<NodeId> take_held() { return std::move(held_); }

 private:
  TermId make_term(NodeId id) {
    const Node node = graph_.node(id);
    const auto a = [&] { return *terms_.find(node.a); };
    const auto b = [&] { return *terms_.find(node.b); };
    if (const auto function = function_term(node.op)) return tape_.unary(*function, a());
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
      default: refuse(id, node);
    }
  }

  TermId variable_term(NodeId id, const Node& node) {
    const auto column = system_.find_column(node.variable);
    return column ? tape_.variable(static_cast<int>(column->index()), node.order) : held_term(id);
  }

  TermId held_term(NodeId id) {
    held_.push_back(id);
    return tape_.parameter(static_cast<int>(num_parameters_ + held_.size() - 1));
  }

  [[noreturn]] void refuse(NodeId id, const Node& node) const {
    Diagnostics diagnostics;
    const std::string what = is_call(node.op)
                                 ? fmt::format("function `{}` exists as code only",
                                               system_.model->functions()[node.function].name)
                                 : fmt::format("`{}`", system_.to_string(id));
    diagnostics.error("not-for-taylor", fmt::format("{}: no Taylor series can be made of it", what))
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

}  // namespace hydae

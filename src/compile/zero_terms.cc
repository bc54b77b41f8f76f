#include "compile/zero_terms.h"

#include <algorithm>
#include <optional>

#include "expr/node_map.h"
#include "expr/rewrite.h"

namespace hydae {
namespace {

// Numbers of the nodes that are made of parameters and constants by arithmetic.
class FixedValues {
 public:
  FixedValues(const Graph& graph, std::vector<double> parameters)
      : graph_(graph), parameters_(std::move(parameters)) {}

  std::optional<double> of(NodeId id) const {
    if (graph_.is_constant(id)) return graph_.constant_value(id);
    const double* value = known_.find(id);
    return value == nullptr ? std::nullopt : std::optional(*value);
  }
  bool is_zero(NodeId id) const { return of(id) == 0.0; }

  void learn(NodeId id, const std::vector<NodeId>& operands) {
    if (const auto value = compute(id, operands)) known_.insert(id, *value);
  }

 private:
  std::optional<double> compute(NodeId id, const std::vector<NodeId>& operands) const {
    const Node node = graph_.node(id);
    if (node.op == Op::kParameter && node.parameter.index() < parameters_.size())
      return parameters_[node.parameter.index()];
    if (operands.empty() || operands.size() > 2) return std::nullopt;
    const auto a = of(operands.front()), b = of(operands.back());
    if (!a || !b) return std::nullopt;
    switch (node.op) {
      case Op::kNeg: return -*a;
      case Op::kAdd: return *a + *b;
      case Op::kSub: return *a - *b;
      case Op::kMul: return *a * *b;
      case Op::kDiv: return *a / *b;
      default: return std::nullopt;
    }
  }

  const Graph& graph_;
  std::vector<double> parameters_;
  NodeMap<double> known_;
};

}  // namespace

std::vector<NodeId> without_zero_terms(const Model& model, std::vector<NodeId> residuals) {
  std::vector<double> parameters = model.parameter_values();
  if (std::find(parameters.begin(), parameters.end(), 0.0) == parameters.end()) return residuals;
  Graph& graph = model.graph();
  FixedValues fixed(graph, std::move(parameters));
  Rewriter rewriter(graph, [&](NodeId id, const std::vector<NodeId>& operands) {
    const Op op = graph.op(id);
    fixed.learn(id, operands);
    if (op == Op::kMul && (fixed.is_zero(operands[0]) || fixed.is_zero(operands[1])))
      return graph.constant(0);
    if (op == Op::kDiv && fixed.is_zero(operands[0]) && !fixed.is_zero(operands[1]))
      return graph.constant(0);
    return NodeId();
  });
  for (NodeId& residual : residuals) residual = rewriter.rewrite(residual);
  return residuals;
}

}  // namespace hydae

#include "compile/zero_terms.h"

#include <algorithm>
#include <optional>
#include <set>

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
  bool is_zero(NodeId id) const {
    return of(id) == 0.0 ||
           (graph_.op(id) == Op::kVariable && zero_variables_.count(graph_.leaf_of(id)) != 0);
  }
  void never_zero(Leaf leaf) { never_zero_.insert(leaf); }
  // Takes note of a variable that a residual says is zero; true if that is news.
  bool learn_zero_variable(NodeId residual) {
    const Node node = graph_.node(residual);
    if (node.op == Op::kNeg) return learn_zero_variable_alone(node.a);
    if ((node.op == Op::kAdd || node.op == Op::kSub) && of(node.b) == 0.0)
      return learn_zero_variable_alone(node.a);
    if ((node.op == Op::kAdd || node.op == Op::kSub) && of(node.a) == 0.0)
      return learn_zero_variable_alone(node.b);
    return learn_zero_variable_alone(residual);
  }

  void learn(NodeId id, const std::vector<NodeId>& operands) {
    if (const auto value = compute(id, operands)) known_.insert(id, *value);
  }

 private:
  bool learn_zero_variable_alone(NodeId id) {
    if (graph_.op(id) != Op::kVariable || graph_.leaf_of(id).order != 0) return false;
    const Leaf leaf = graph_.leaf_of(id);
    return never_zero_.count(leaf) == 0 && zero_variables_.insert(leaf).second;
  }

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
  std::set<Leaf> zero_variables_, never_zero_;
};

std::vector<NodeId> rewritten(Graph& graph, FixedValues& fixed, std::vector<NodeId> residuals) {
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

// Variables that carry impulses are not zero at the instant of an impact.
void forget_carriers(const Model& model, FixedValues& fixed) {
  for (const WhenClause& clause : model.when_clauses())
    for (const WhenBranch& branch : clause.branches)
      for (const WhenAction& action : branch.actions)
        if (action.kind == WhenAction::Kind::kImpulse)
          fixed.never_zero(model.graph().leaf_of(action.target.id()));
}

bool has_zero(const std::vector<double>& parameters) {
  return std::find(parameters.begin(), parameters.end(), 0.0) != parameters.end();
}

}  // namespace

std::vector<NodeId> without_zero_terms(const Model& model, Graph& graph,
                                       std::vector<NodeId> residuals) {
  std::vector<double> parameters = model.parameter_values();
  if (!has_zero(parameters)) return residuals;
  FixedValues fixed(graph, std::move(parameters));
  return rewritten(graph, fixed, std::move(residuals));
}

std::vector<NodeId> without_zero_factors(const Model& model, std::vector<NodeId> residuals) {
  FixedValues fixed(model.graph(), model.parameter_values());
  forget_carriers(model, fixed);
  bool has_news = true;
  while (has_news) {
    residuals = rewritten(model.graph(), fixed, std::move(residuals));
    has_news = false;
    for (NodeId residual : residuals) has_news = fixed.learn_zero_variable(residual) || has_news;
  }
  return residuals;
}

}  // namespace hydae

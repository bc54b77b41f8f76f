#include "sim/parameter_facts.h"

#include <algorithm>
#include <cmath>

#include "expr/evaluate.h"

namespace hydae {
namespace {

enum class Fact : std::uint8_t { kZero, kNegative, kNotZero, kUndefined };

// The expressions of parameters alone, and those of them that are lags.
struct FixedNodes {
  std::vector<NodeId> nodes, lags;
};

class FixedNodeSearch {
 public:
  FixedNodeSearch(const Graph& graph, std::size_t num_parameters)
      : graph_(graph), num_parameters_(num_parameters) {}

  // Operands of a node come before it.
  FixedNodes run(std::size_t size) {
    FixedNodes found;
    for (std::size_t k = 0; k < size; ++k) {
      const NodeId id(k);
      is_fixed_.push_back(is_fixed(id));
      if (is_fixed_.back() && !graph_.is_constant(id)) found.nodes.push_back(id);
      if (graph_.op(id) != Op::kDelay) continue;
      const NodeId lag = graph_.operands(id)[1];
      if (is_fixed_[lag.index()]) found.lags.push_back(lag);
    }
    return found;
  }

 private:
  bool is_fixed(NodeId id) const {
    switch (graph_.op(id)) {
      case Op::kConstant: return true;
      case Op::kParameter: return graph_.node(id).parameter.index() < num_parameters_;
      case Op::kTime:
      case Op::kVariable:
      case Op::kPre:
      case Op::kInitial:
      case Op::kTerminal:
      case Op::kSample:
      case Op::kDelay: return false;
      default: break;
    }
    const auto operands = graph_.operands(id);
    return std::all_of(operands.begin(), operands.end(),
                       [&](NodeId operand) { return is_fixed_[operand.index()]; });
  }

  const Graph& graph_;
  std::size_t num_parameters_;
  std::vector<bool> is_fixed_;  // by node
};

std::vector<Fact> facts_at(Evaluator& evaluator, std::size_t num_lags,
                           const std::vector<double>& parameters) {
  std::vector<Fact> facts;
  for (double value : evaluator.evaluate({.parameters = parameters})) {
    const bool is_lag = facts.size() < num_lags;
    facts.push_back(!std::isfinite(value) ? Fact::kUndefined
                    : value == 0          ? Fact::kZero
                    : is_lag && value < 0 ? Fact::kNegative
                                          : Fact::kNotZero);
  }
  return facts;
}

}  // namespace

bool ParameterFacts::hold_for(const std::vector<double>& parameters) const {
  if (parameters == parameters_) return true;
  const FixedNodes fixed = FixedNodeSearch(graph_, parameters_.size()).run(size_);
  std::vector<NodeId> roots = fixed.lags;
  roots.insert(roots.end(), fixed.nodes.begin(), fixed.nodes.end());
  if (roots.empty()) return true;
  Evaluator evaluator(graph_, roots, &model_.functions());
  return facts_at(evaluator, fixed.lags.size(), parameters_) ==
         facts_at(evaluator, fixed.lags.size(), parameters);
}

}  // namespace hydae

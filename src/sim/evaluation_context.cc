#include "sim/evaluation_context.h"

namespace hydae {

CompiledExpressions::CompiledExpressions(const HybridModel& model, std::vector<NodeId> roots)
    : model_(model),
      roots_(std::move(roots)),
      evaluator_(model.graph(), roots_, &model.model().functions()),
      values_(evaluator_.leaves().size()),
      pre_values_(evaluator_.pre_leaves().size()),
      given_(evaluator_.given().size(), 0.0) {}

bool CompiledExpressions::is_discrete(VarId variable) const {
  return model_.model().all_variables()[variable].kind != VariableKind::kReal;
}

std::span<const double> CompiledExpressions::evaluate(const EvaluationContext& instant) {
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const Leaf leaf = evaluator_.leaves()[k];
    values_[k] = is_discrete(leaf.variable) ? (*instant.discrete)[leaf.variable.index()]
                                            : instant.continuous(leaf);
  }
  for (std::size_t k = 0; k < pre_values_.size(); ++k) {
    const Leaf leaf = evaluator_.pre_leaves()[k];
    pre_values_[k] =
        is_discrete(leaf.variable) ? (*instant.pre)[leaf.variable.index()] : instant.before(leaf);
  }
  return evaluator_.evaluate({.time = instant.t,
                              .parameters = *instant.table,
                              .values = values_,
                              .pre_values = pre_values_,
                              .given = given_,
                              .is_initial = instant.is_initial,
                              .is_terminal = instant.is_terminal});
}

}  // namespace hydae

// Evaluation of expressions at one instant of a hybrid run: continuous variables come from a
// callable, discrete ones from their memory, bits and ticks from the table.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "expr/evaluate.h"
#include "sim/hybrid_model.h"

namespace hydae {

struct EvaluationContext {
  double t = 0;
  std::function<double(Leaf)> continuous;         // variable or derivative
  const std::vector<double>* discrete = nullptr;  // by VarId
  std::function<double(Leaf)> before;             // left limit, for pre(x) of a continuous variable
  const std::vector<double>* pre = nullptr;       // by VarId, of discrete variables
  const std::vector<double>* table = nullptr;
  bool is_initial = false, is_terminal = false;
};

// A list of expressions that is evaluated again and again.
class CompiledExpressions {
 public:
  CompiledExpressions(const HybridModel& model, std::vector<NodeId> roots);

  // Valid until the next call.
  std::span<const double> evaluate(const EvaluationContext& instant);
  std::size_t size() const { return roots_.size(); }

 private:
  bool is_discrete(VarId variable) const;

  const HybridModel& model_;
  std::vector<NodeId> roots_;
  Evaluator evaluator_;
  std::vector<double> values_, pre_values_, given_;
};

}  // namespace hydae

// The discrete part of a model at one instant, with all values under pre() frozen: discrete
// equations, conditions of when-clauses and the assignments of their active branches, sorted so
// that everything is known before it is read. A loop of discrete Reals is solved; a loop of Boolean
// or Integer values is an error of the model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/evaluation_context.h"

namespace hydae {

struct Reinit {
  Leaf target;
  double value = 0;
};

struct DiscreteOutcome {
  std::vector<double> values;    // by VarId
  std::vector<bool> conditions;  // of all when-clauses, one after the other
  std::vector<Reinit> reinits;
  std::vector<std::size_t> impacts;         // of HybridModel::impacts() that act
  std::vector<const WhenAction*> warnings;  // assertions of level warning that failed
  const WhenAction* failed_assertion = nullptr;
  const WhenAction* terminate = nullptr;
  std::map<const WhenAction*, std::string> texts;  // of these three, with their numbers
  bool has_failed = false;  // a loop of discrete Reals has no solution that Newton's method finds
};

class DiscreteEquations {
 public:
  // Throws ModelError [discrete-loop] naming the variables of a loop.
  explicit DiscreteEquations(const HybridModel& model);

  // `instant.discrete` are the values before; `were_true`: the conditions before this pass. A
  // branch fires when one of its conditions has become true, or, while initializing, when it is
  // initial() and true.
  DiscreteOutcome evaluate(EvaluationContext instant, const std::vector<bool>& were_true);
  std::size_t num_conditions() const { return num_conditions_; }

 private:
  class Sorter;
  // One value: of a discrete equation, of a condition, or of a variable that when-clauses assign.
  struct Item {
    enum class Kind : std::uint8_t { kEquation, kCondition, kAssignment };
    Kind kind = Kind::kEquation;
    VarId target;               // not of a condition
    std::size_t condition = 0;  // of a condition
    struct Source {
      NodeId value;
      std::size_t clause = 0, branch = 0;  // of an assignment
    };
    std::vector<Source> sources;
  };
  // Items that do not need each other, or one loop.
  struct Step {
    std::vector<Item> items;
    CompiledExpressions values;
    bool is_loop = false;
  };

  void run_step(Step& step, const EvaluationContext& instant, const std::vector<bool>& were_true,
                DiscreteOutcome& outcome);
  void solve_loop(Step& step, const EvaluationContext& instant, const std::vector<bool>& were_true,
                  DiscreteOutcome& outcome);
  double value_of(const Item& item, std::span<const double> values,
                  const EvaluationContext& instant, const std::vector<bool>& were_true,
                  const DiscreteOutcome& outcome) const;
  // Branch that acts; -1: none.
  int active_branch(std::size_t clause, bool is_initial, const std::vector<bool>& were_true,
                    const DiscreteOutcome& outcome) const;
  void run_actions(const EvaluationContext& instant, const std::vector<bool>& were_true,
                   DiscreteOutcome& outcome);

  const HybridModel& model_;
  std::vector<Step> steps_;
  CompiledExpressions actions_;
  std::vector<std::size_t> first_condition_;  // of each clause
  std::size_t num_conditions_ = 0;
};

}  // namespace hydae

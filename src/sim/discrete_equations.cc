#include "sim/discrete_equations.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include <hydae/error.h>

#include "expr/incidence.h"
#include "linalg/dense_factors.h"
#include "sim/message.h"
#include "structure/blt.h"

namespace hydae {
namespace {

constexpr int kMostNewtonSteps = 50;

std::vector<NodeId> action_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const auto& branches : model.whens())
    for (const HybridBranch& branch : branches)
      for (const HybridAction& action : branch.actions) roots.push_back(action.value);
  return roots;
}

}  // namespace

// Sorts the items into steps.
class DiscreteEquations::Sorter {
 public:
  Sorter(const HybridModel& model, const std::vector<std::size_t>& first_condition)
      : model_(model), first_condition_(first_condition) {}

  std::vector<Step> sort() {
    collect();
    if (items_.empty()) return {};
    const structure::Blocks blocks = *structure::find_block_triangular_form(needs());
    std::vector<std::size_t> level(items_.size(), 0);
    for (BlockId b : ids<BlockId>(blocks.size())) {
      std::size_t own = 0;
      for (EqId eq : blocks.eqs(b))
        for (std::size_t needed : needs_[eq.index()])
          if (blocks.block_of(EqId(needed)) != b) own = std::max(own, level[needed] + 1);
      for (EqId eq : blocks.eqs(b)) level[eq.index()] = own;
    }
    return steps(blocks, level);
  }

 private:
  void collect() {
    for (const DiscreteEquation& equation : model_.discrete_equations()) {
      producer_[equation.target] = items_.size();
      items_.push_back({Item::Kind::kEquation, equation.target, 0, {{equation.value, 0, 0}}});
    }
    std::size_t condition = 0;
    for (std::size_t clause = 0; clause < model_.whens().size(); ++clause)
      for (const HybridBranch& branch : model_.whens()[clause])
        for (NodeId value : branch.conditions) {
          condition_items_.push_back(items_.size());
          items_.push_back({Item::Kind::kCondition, {}, condition++, {{value, 0, 0}}});
        }
    for (std::size_t clause = 0; clause < model_.whens().size(); ++clause)
      for (std::size_t branch = 0; branch < model_.whens()[clause].size(); ++branch)
        for (const HybridAction& action : model_.whens()[clause][branch].actions)
          if (action.kind == WhenAction::Kind::kAssign)
            assignment_of(action.target.variable).sources.push_back({action.value, clause, branch});
  }

  Item& assignment_of(VarId target) {
    const auto [at, is_new] = producer_.emplace(target, items_.size());
    if (is_new) items_.push_back({Item::Kind::kAssignment, target, 0, {}});
    return items_[at->second];
  }

  structure::SignatureMatrix needs() {
    std::vector<structure::SignatureEntry> entries;
    needs_.resize(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      for (const Item::Source& source : items_[i].sources) {
        for (const Leaf& leaf : incidence(model_.graph(), source.value))
          if (const auto at = producer_.find(leaf.variable); at != producer_.end())
            needs_[i].push_back(at->second);
        if (items_[i].kind == Item::Kind::kAssignment) add_conditions(source.clause, needs_[i]);
      }
      entries.push_back({EqId(i), VarId(i), 0});
      for (std::size_t needed : needs_[i]) entries.push_back({EqId(i), VarId(needed), 0});
    }
    return {items_.size(), items_.size(), entries};
  }

  void add_conditions(std::size_t clause, std::vector<std::size_t>& needed) const {
    for (std::size_t c = first_condition_[clause]; c < first_condition_[clause + 1]; ++c)
      needed.push_back(condition_items_[c]);
  }

  std::vector<Step> steps(const structure::Blocks& blocks, const std::vector<std::size_t>& level) {
    const std::size_t last = *std::max_element(level.begin(), level.end());
    std::vector<Step> result;
    for (std::size_t l = 0; l <= last; ++l) {
      std::vector<Item> together;
      for (BlockId b : ids<BlockId>(blocks.size())) {
        if (level[blocks.eqs(b)[0].index()] != l) continue;
        if (is_loop(blocks.eqs(b)))
          result.push_back(loop(blocks.eqs(b)));
        else
          together.push_back(items_[blocks.eqs(b)[0].index()]);
      }
      if (!together.empty()) result.push_back(step(std::move(together), false));
    }
    return result;
  }

  bool is_loop(std::span<const EqId> block) const {
    const auto& needed = needs_[block[0].index()];
    return block.size() > 1 ||
           std::find(needed.begin(), needed.end(), block[0].index()) != needed.end();
  }

  Step loop(std::span<const EqId> block) {
    std::vector<Item> items;
    bool is_real = true;
    for (EqId eq : block) {
      items.push_back(items_[eq.index()]);
      is_real = is_real && items.back().kind == Item::Kind::kAssignment &&
                model_.model().all_variables()[items.back().target].kind == VariableKind::kDiscrete;
    }
    if (!is_real) refuse(items);
    return step(std::move(items), true);
  }

  [[noreturn]] void refuse(const std::vector<Item>& items) const {
    std::vector<std::string> names;
    SourceRange where;
    for (const Item& item : items) {
      if (item.kind == Item::Kind::kCondition) continue;
      const Variable& variable = model_.model().all_variables()[item.target];
      if (names.empty()) where = variable.source;
      names.push_back(variable.name);
    }
    Diagnostics diagnostics;
    diagnostics
        .error("discrete-loop",
               fmt::format("discrete variables depend on each other in a loop: {}",
                           quoted_list(names)),
               where)
        .help = "break the loop with pre()";
    throw ModelError(std::move(diagnostics));
  }

  Step step(std::vector<Item> items, bool is_loop) const {
    std::vector<NodeId> roots;
    for (const Item& item : items)
      for (const Item::Source& source : item.sources) roots.push_back(source.value);
    return {std::move(items), CompiledExpressions(model_, std::move(roots)), is_loop};
  }

  const HybridModel& model_;
  const std::vector<std::size_t>& first_condition_;
  std::vector<Item> items_;
  std::vector<std::vector<std::size_t>> needs_;  // of each item: items
  std::map<VarId, std::size_t> producer_;
  std::vector<std::size_t> condition_items_;
};

DiscreteEquations::DiscreteEquations(const HybridModel& model)
    : model_(model), actions_(model, action_roots(model)) {
  for (const auto& branches : model.whens()) {
    first_condition_.push_back(num_conditions_);
    for (const HybridBranch& branch : branches) num_conditions_ += branch.conditions.size();
  }
  first_condition_.push_back(num_conditions_);
  steps_ = Sorter(model, first_condition_).sort();
}

DiscreteOutcome DiscreteEquations::evaluate(EvaluationContext instant,
                                            const std::vector<bool>& were_true) {
  DiscreteOutcome outcome;
  outcome.values = *instant.discrete;
  outcome.conditions.assign(num_conditions_, false);
  instant.discrete = &outcome.values;
  for (Step& step : steps_) {
    if (step.is_loop)
      solve_loop(step, instant, were_true, outcome);
    else
      run_step(step, instant, were_true, outcome);
  }
  run_actions(instant, were_true, outcome);
  return outcome;
}

void DiscreteEquations::run_step(Step& step, const EvaluationContext& instant,
                                 const std::vector<bool>& were_true, DiscreteOutcome& outcome) {
  std::span<const double> values = step.values.evaluate(instant);
  for (const Item& item : step.items) {
    if (item.kind == Item::Kind::kCondition)
      outcome.conditions[item.condition] = values[0] == 1.0;
    else
      outcome.values[item.target.index()] = value_of(item, values, instant, were_true, outcome);
    values = values.subspan(item.sources.size());
  }
}

double DiscreteEquations::value_of(const Item& item, std::span<const double> values,
                                   const EvaluationContext& instant,
                                   const std::vector<bool>& were_true,
                                   const DiscreteOutcome& outcome) const {
  if (item.kind == Item::Kind::kEquation) return values[0];
  double value = (*instant.pre)[item.target.index()];
  for (std::size_t k = 0; k < item.sources.size(); ++k) {
    const Item::Source& source = item.sources[k];
    if (active_branch(source.clause, instant.is_initial, were_true, outcome) ==
        static_cast<int>(source.branch))
      value = values[k];
  }
  return value;
}

int DiscreteEquations::active_branch(std::size_t clause, bool is_initial,
                                     const std::vector<bool>& were_true,
                                     const DiscreteOutcome& outcome) const {
  std::size_t condition = first_condition_[clause];
  const auto& branches = model_.whens()[clause];
  for (std::size_t b = 0; b < branches.size(); ++b)
    for (NodeId value : branches[b].conditions) {
      const bool has_edge =
          is_initial ? model_.graph().op(value) == Op::kInitial : !were_true[condition];
      if (outcome.conditions[condition++] && has_edge) return static_cast<int>(b);
    }
  return -1;
}

// Newton's method with difference quotients on v = value(v), from the values before.
void DiscreteEquations::solve_loop(Step& step, const EvaluationContext& instant,
                                   const std::vector<bool>& were_true, DiscreteOutcome& outcome) {
  const auto n = static_cast<Eigen::Index>(step.items.size());
  const auto place = [&](Eigen::Index k) -> double& {
    return outcome.values[step.items[static_cast<std::size_t>(k)].target.index()];
  };
  const auto residual = [&] {
    Eigen::VectorXd r(n);
    std::span<const double> values = step.values.evaluate(instant);
    for (Eigen::Index k = 0; k < n; ++k) {
      const Item& item = step.items[static_cast<std::size_t>(k)];
      r[k] = place(k) - value_of(item, values, instant, were_true, outcome);
      values = values.subspan(item.sources.size());
    }
    return r;
  };
  for (Eigen::Index k = 0; k < n; ++k)
    place(k) = (*instant.pre)[step.items[static_cast<std::size_t>(k)].target.index()];
  for (int iteration = 0; iteration < kMostNewtonSteps; ++iteration) {
    const Eigen::VectorXd r = residual();
    if (!r.allFinite()) break;
    Eigen::MatrixXd J(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const double here = place(k), h = 1e-7 * std::max(1.0, std::abs(here));
      place(k) = here + h;
      J.col(k) = (residual() - r) / h;
      place(k) = here;
    }
    const Eigen::VectorXd change = linalg::solve_regular(J, r);
    if (!change.allFinite()) break;
    double size = 0;
    for (Eigen::Index k = 0; k < n; ++k) {
      place(k) -= change[k];
      size = std::max(size, std::abs(change[k]) / std::max(1.0, std::abs(place(k))));
    }
    if (size <= 1e-14) return;
  }
  outcome.has_failed = residual().norm() > 1e-12;
}

void DiscreteEquations::run_actions(const EvaluationContext& instant,
                                    const std::vector<bool>& were_true, DiscreteOutcome& outcome) {
  const auto values = actions_.evaluate(instant);
  std::size_t action = 0;
  for (std::size_t clause = 0; clause < model_.whens().size(); ++clause) {
    const int active = active_branch(clause, instant.is_initial, were_true, outcome);
    for (std::size_t b = 0; b < model_.whens()[clause].size(); ++b) {
      const HybridBranch& branch = model_.whens()[clause][b];
      if (static_cast<int>(b) == active && branch.impact) outcome.impacts.push_back(*branch.impact);
      for (const HybridAction& entry : branch.actions) {
        const double value = values[action++];
        if (static_cast<int>(b) != active) continue;
        switch (entry.kind) {
          case WhenAction::Kind::kReinit: outcome.reinits.push_back({entry.target, value}); break;
          case WhenAction::Kind::kAssert:
            if (value == 1.0) break;
            outcome.texts[entry.source] =
                assertion_at(model_, entry.source->message, entry.source->source, instant);
            if (entry.source->is_warning)
              outcome.warnings.push_back(entry.source);
            else
              outcome.failed_assertion = entry.source;
            break;
          case WhenAction::Kind::kTerminate:
            outcome.texts[entry.source] = message_at(model_, entry.source->message, instant);
            outcome.terminate = entry.source;
            break;
          case WhenAction::Kind::kAssign:
          case WhenAction::Kind::kEquation:
          case WhenAction::Kind::kImpulse: break;
        }
      }
    }
  }
}

}  // namespace hydae

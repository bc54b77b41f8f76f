#include "compile/reduced.h"

#include "base/check.h"
#include "compile/tearing.h"
#include "expr/derivative.h"
#include "expr/rewrite.h"

namespace hydae {
namespace {

class Reduction {
 public:
  Reduction(const Prepared& prepared, structure::StateSelection selection)
      : prepared_(prepared), system_(prepared.system), graph_(system_.graph()) {
    r_.selection = std::move(selection);
  }

  Reduced run(const ReduceOptions& options) {
    differentiate();
    lay_out();
    if (options.assign) tear(options.parameters);
    number_unknowns();
    put_in();
    HYDAE_CHECK(r_.unknowns.size() == r_.equations.size() + r_.chains.size());
    return std::move(r_);
  }

 private:
  const structure::Offsets& offsets() const { return prepared_.structure.offsets; }

  void differentiate() {
    for (EqId eq : ids<EqId>(system_.residuals.size()))
      for (int k = 0; k <= offsets().c[eq]; ++k)
        r_.equations.push_back({total_derivative(graph_, system_.residuals[eq], k), eq, k});
  }

  // Leaf number first_place[j] + l is x_j^(l).
  void lay_out() {
    for (VarId column : ids<VarId>(system_.unknowns.size())) {
      r_.first_place.push_back(static_cast<std::uint32_t>(leaves_.size()));
      const int states = r_.selection.num_states[column];
      for (int order = 0; order <= offsets().d[column]; ++order) {
        const bool is_known = order < states || (states > 0 && order == states);
        leaves_.push_back({system_.unknowns[column], order});
        columns_.push_back(column);
        is_known_.push_back(is_known);
      }
    }
  }

  std::optional<std::uint32_t> leaf_number(Leaf leaf) const {
    const auto column = system_.find_column(leaf.variable);
    if (!column) return std::nullopt;
    return r_.first_place[*column] + static_cast<std::uint32_t>(leaf.order);
  }

  void tear(std::span<const double> parameters) {
    TearingInput input;
    input.graph = &graph_;
    input.parameters = parameters;
    input.num_parameters = system_.model->parameters().size();
    input.is_known = is_known_;
    input.leaf_number = [this](Leaf leaf) { return leaf_number(leaf); };
    for (const ReducedEquation& equation : r_.equations) {
      input.rows.push_back(equation.residual);
      input.row_stage.push_back(equation.order - offsets().c[equation.equation]);
    }
    for (std::size_t k = 0; k < leaves_.size(); ++k)
      input.leaf_stage.push_back(leaves_[k].order - offsets().d[columns_[k]]);
    solved_ = find_explicit(input);
    is_used_.assign(r_.equations.size(), false);
    for (const ExplicitRow& row : solved_) is_used_[row.row] = true;
  }

  void number_unknowns() {
    r_.places.resize(leaves_.size());
    std::vector<bool> is_assigned(leaves_.size(), false);
    for (const ExplicitRow& row : solved_) is_assigned[row.leaf] = true;
    for (const bool want_states : {true, false}) {
      for (std::size_t k = 0; k < leaves_.size(); ++k) {
        const int states = r_.selection.num_states[columns_[k]], order = leaves_[k].order;
        const bool is_state = order < states;
        const bool is_derivative = states > 0 && order == states;
        if (is_derivative || is_assigned[k] || is_state != want_states) continue;
        r_.places[k] = {LeafPlace::Kind::kValue, static_cast<std::uint32_t>(r_.unknowns.size())};
        r_.unknowns.push_back({leaves_[k], columns_[k], is_state});
      }
      if (want_states) r_.num_states = r_.unknowns.size();
    }
    for (std::size_t k = 0; k < leaves_.size(); ++k) {
      const int states = r_.selection.num_states[columns_[k]], order = leaves_[k].order;
      if (order == 0 || order > states) continue;
      const std::uint32_t below = r_.places[k - 1].index;
      if (order == states)
        r_.places[k] = {LeafPlace::Kind::kDerivative, below};
      else
        r_.chains.push_back({below, r_.places[k].index});
    }
  }

  // Assignments in their order: each holds leaves that are unknowns or assigned before it.
  void put_in() {
    const auto change = [this](NodeId id, const std::vector<NodeId>&) {
      if (graph_.op(id) != Op::kVariable) return NodeId();
      const auto number = leaf_number(graph_.leaf_of(id));
      return number ? replacement_[*number] : NodeId();
    };
    replacement_.assign(leaves_.size(), NodeId());
    Rewriter<decltype(change)> rewriter(graph_, change);
    for (const ExplicitRow& row : solved_) {
      const NodeId value = rewriter.rewrite(row.value);
      replacement_[row.leaf] = value;
      r_.places[row.leaf] = {LeafPlace::Kind::kAssigned,
                             static_cast<std::uint32_t>(r_.assignments.size())};
      r_.assignments.push_back({leaves_[row.leaf], value});
    }
    std::vector<ReducedEquation> left;
    for (std::size_t i = 0; i < r_.equations.size(); ++i) {
      if (!is_used_.empty() && is_used_[i]) continue;
      left.push_back(r_.equations[i]);
      left.back().residual = rewriter.rewrite(left.back().residual);
    }
    r_.equations = std::move(left);
  }

  const Prepared& prepared_;
  const System& system_;
  Graph& graph_;
  Reduced r_;
  std::vector<Leaf> leaves_;
  std::vector<VarId> columns_;  // of the leaves
  std::vector<bool> is_known_;  // a state or the derivative of one: given to the residual
  std::vector<ExplicitRow> solved_;
  std::vector<bool> is_used_;  // rows that became assignments
  std::vector<NodeId> replacement_;
};

}  // namespace

Reduced reduce(const Prepared& prepared, structure::StateSelection selection,
               const ReduceOptions& options) {
  return Reduction(prepared, std::move(selection)).run(options);
}

}  // namespace hydae

#include "compile/index_reduction.h"

#include <algorithm>

#include "base/check.h"
#include "compile/linear_part.h"
#include "compile/tearing.h"
#include "expr/derivative.h"
#include "expr/rewrite.h"

namespace hydae {
namespace {

class Reduction {
 public:
  Reduction(const AnalyzedSystem& prepared, structure::StateSelection selection)
      : prepared_(prepared), system_(prepared.system), graph_(system_.graph()) {
    r_.selection = std::move(selection);
  }

  Reduced run(const ReduceOptions& options) {
    differentiate();
    lay_out();
    if (options.assign) tear(options.parameters);
    number_unknowns();
    put_in();
    r_.num_iterated = r_.unknowns.size();
    r_.num_iterated_equations = r_.equations.size();
    if (options.solve_linear) set_linear_apart(options.allow_ode);
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

  // What is to be found, the states given: y' of the highest states and the other unknowns.
  void set_linear_apart(bool allow_ode) {
    std::vector<std::uint32_t> wanted;  // leaf numbers
    constexpr std::uint32_t kGiven = 0xffffffff;
    std::vector<std::uint32_t> number_of_leaf(leaves_.size(), kGiven);
    LinearQuestion question;
    question.graph = &graph_;
    question.may_be_all = allow_ode;
    for (std::uint32_t k = 0; k < leaves_.size(); ++k) {
      const LeafPlace place = r_.places[k];
      const bool is_derivative = place.kind == LeafPlace::Kind::kDerivative;
      if (!is_derivative && (place.kind == LeafPlace::Kind::kAssigned || is_state(place))) continue;
      number_of_leaf[k] = static_cast<std::uint32_t>(wanted.size());
      wanted.push_back(k);
      question.is_derivative.push_back(is_derivative);
    }
    for (const ReducedEquation& equation : r_.equations) question.rows.push_back(equation.residual);
    if (wanted.size() != question.rows.size()) return;
    question.unknown_number = [&](Leaf leaf) -> std::optional<std::uint32_t> {
      const auto k = leaf_number(leaf);
      if (!k || number_of_leaf[*k] == kGiven) return std::nullopt;
      return number_of_leaf[*k];
    };
    question.is_held = [this](Leaf leaf) { return !system_.find_column(leaf.variable); };
    const LinearPart part = find_linear_part(question);
    r_.is_ode = part.is_all;
    std::vector<bool> is_solved(r_.unknowns.size(), false);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const LeafPlace place = r_.places[wanted[i]];
      if (place.kind == LeafPlace::Kind::kValue)
        is_solved[place.index] = part.is_all || part.has_unknown[i];
    }
    put_solved_unknowns_last(is_solved);
    put_solved_equations_last(part);
  }

  bool is_state(LeafPlace place) const {
    return place.kind == LeafPlace::Kind::kValue && place.index < r_.num_states;
  }

  void put_solved_unknowns_last(const std::vector<bool>& is_solved) {
    std::vector<std::uint32_t> order, new_place(r_.unknowns.size());
    for (const bool want_solved : {false, true}) {
      for (std::uint32_t i = 0; i < r_.unknowns.size(); ++i)
        if (is_solved[i] == want_solved) order.push_back(i);
      if (!want_solved) r_.num_iterated = order.size();
    }
    std::vector<Unknown> unknowns;
    for (std::uint32_t i : order) {
      new_place[i] = static_cast<std::uint32_t>(unknowns.size());
      unknowns.push_back(r_.unknowns[i]);
    }
    r_.unknowns = std::move(unknowns);
    for (LeafPlace& place : r_.places)
      if (place.kind == LeafPlace::Kind::kValue) place.index = new_place[place.index];
  }

  void put_solved_equations_last(const LinearPart& part) {
    std::vector<ReducedEquation> iterated, solved;
    for (std::size_t i = 0; i < r_.equations.size(); ++i)
      (part.is_all || part.has_row[i] ? solved : iterated).push_back(r_.equations[i]);
    r_.num_iterated_equations = iterated.size();
    iterated.insert(iterated.end(), solved.begin(), solved.end());
    r_.equations = std::move(iterated);
  }

  const AnalyzedSystem& prepared_;
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

Reduced reduce(const AnalyzedSystem& prepared, structure::StateSelection selection,
               const ReduceOptions& options) {
  return Reduction(prepared, std::move(selection)).run(options);
}

}  // namespace hydae

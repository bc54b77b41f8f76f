#include "modelica/flat/free_parameters.h"

#include <algorithm>
#include <set>
#include <span>

#include "expr/incidence.h"
#include "expr/substitute.h"
#include "modelica/components/components.h"
#include "modelica/flat/flat.h"

namespace hydae::modelica {

namespace {

class Dependence {
 public:
  explicit Dependence(Session& session)
      : session_(session), graph_(*session.graph), states_(graph_.size(), State::kUnknown) {}

  // The value of a parameter; none if it has no binding or a wrong one.
  NodeId binding_of(ParamId parameter) {
    const Cell& cell = session_.flat->parameters[parameter];
    try {
      const auto value = session_.components->bindings().binding_value(*cell.component);
      if (value != nullptr) return value->cells[static_cast<std::size_t>(cell.position)];
    } catch (const Failure&) {
      // Reported.
    }
    return {};
  }

  bool reads_variable(NodeId root) {
    std::vector<NodeId> pending = {root};
    while (!pending.empty()) {
      const NodeId id = pending.back();
      if (id.index() >= states_.size()) states_.resize(graph_.size(), State::kUnknown);
      if (state(id) == State::kYes || state(id) == State::kNo) {
        pending.pop_back();
        continue;
      }
      const std::vector<NodeId> reads = reads_of(id);
      const bool is_first = state(id) == State::kUnknown;
      state(id) = State::kEntered;
      const std::size_t before = pending.size();
      if (is_first)
        for (const NodeId read : reads)
          if (state(read) == State::kUnknown) pending.push_back(read);
      if (pending.size() != before) continue;
      const bool is_any = graph_.op(id) == Op::kVariable ||
                          std::any_of(reads.begin(), reads.end(),
                                      [&](NodeId read) { return state(read) == State::kYes; });
      state(id) = is_any ? State::kYes : State::kNo;
      pending.pop_back();
    }
    return state(root) == State::kYes;
  }

 private:
  enum class State : std::uint8_t { kUnknown, kEntered, kYes, kNo };

  State& state(NodeId id) {
    if (id.index() >= states_.size()) states_.resize(graph_.size(), State::kUnknown);
    return states_[id.index()];
  }

  std::vector<NodeId> reads_of(NodeId id) {
    if (graph_.op(id) == Op::kParameter) {
      const NodeId binding = binding_of(graph_.node(id).parameter);
      return binding.is_valid() ? std::vector<NodeId>{binding} : std::vector<NodeId>();
    }
    const auto operands = graph_.operands(id);
    return {operands.begin(), operands.end()};
  }

  Session& session_;
  const Graph& graph_;
  std::vector<State> states_;
};

}  // namespace

std::vector<DependentParameter> find_dependent_on_free(Session& session) {
  const auto& variables = session.flat->variables;
  const bool is_any = std::any_of(variables.begin(), variables.end(), [](const Cell& cell) {
    return cell.component != nullptr && cell.component->is_free_parameter;
  });
  if (!is_any) return {};
  Dependence dependence(session);
  std::set<const Component*> freed;
  const auto all = ids<ParamId>(session.flat->parameters.size());
  for (const ParamId p : all) {
    const NodeId binding = dependence.binding_of(p);
    if (binding.is_valid() && dependence.reads_variable(binding))
      freed.insert(session.flat->parameters[p].component);
  }
  std::vector<DependentParameter> out;
  for (const ParamId p : all)
    if (freed.contains(session.flat->parameters[p].component))
      out.push_back({p, dependence.binding_of(p)});
  return out;
}

bool is_known(const Session& session, NodeId value, bool is_start) {
  const std::vector<Leaf> all = leaves(*session.graph, std::span(&value, 1));
  return std::all_of(all.begin(), all.end(), [&](const Leaf& leaf) {
    const Component* component = session.flat->variables[leaf.variable].component;
    return is_start && leaf.order == 0 && component != nullptr && component->is_free_parameter;
  });
}

void resolve_free_start(Session& session, VarId variable, std::optional<NodeId>& start,
                        bool& is_fixed, const std::function<NodeId(const Cell&)>& start_of) {
  Graph& graph = *session.graph;
  if (!start || !contents(graph, *start).has_variables) return;
  const Component& component = *session.flat->variables[variable].component;
  if (is_fixed)
    session.flat->initial_equations.push_back({graph.variable(variable), *start,
                                               component.element->owner,
                                               component.element->declaration->range()});
  is_fixed = false;
  Substitution guesses;
  for (const Leaf& leaf : leaves(graph, std::span(&*start, 1)))
    guesses.leaves[leaf] = start_of(session.flat->variables[leaf.variable]);
  start = substitute(graph, *start, guesses);
  if (contents(graph, *start).has_variables) start.reset();
}

}  // namespace hydae::modelica

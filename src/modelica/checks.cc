#include "modelica/checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "expr/incidence.h"
#include "modelica/components.h"
#include "modelica/flat.h"
#include "structure/dulmage_mendelsohn.h"

namespace hydae::modelica {

// ---- parameters ----

namespace {

// The parameters that the binding of a component reads.
std::vector<Component*> parameters_read(Session& session, Component& component) {
  std::vector<Component*> out;
  std::shared_ptr<const Value> bound;
  try {
    bound = session.components->binding_value(component);
  } catch (const Failure&) {
    return out;  // reported
  }
  if (bound == nullptr) return out;
  const Graph& graph = *session.graph;
  std::vector<NodeId> pending = bound->cells;
  std::set<NodeId> seen;
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (graph.is_constant(id) || !seen.insert(id).second) continue;
    if (graph.op(id) == Op::kParameter) {
      Component* read = session.flat->parameters[graph.node(id).parameter].component;
      if (std::find(out.begin(), out.end(), read) == out.end()) out.push_back(read);
    }
    for (const NodeId operand : graph.operands(id)) pending.push_back(operand);
  }
  return out;
}

}  // namespace

void check_parameter_cycles(Session& session) {
  std::unordered_map<Component*, Progress> progress;
  struct Step {
    Component* component;
    std::vector<Component*> reads;
    std::size_t next = 0;
  };
  std::vector<Component*> all;
  for (const Cell& cell : session.flat->parameters)
    if (progress.try_emplace(cell.component, Progress::kUntouched).second)
      all.push_back(cell.component);
  for (Component* root : all) {
    if (progress[root] != Progress::kUntouched) continue;
    std::vector<Step> path;
    const auto enter = [&](Component* component) {
      progress[component] = Progress::kInProgress;
      path.push_back({component, parameters_read(session, *component)});
    };
    enter(root);
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next == step.reads.size()) {
        progress[step.component] = Progress::kDone;
        path.pop_back();
        continue;
      }
      Component* read = step.reads[step.next++];
      if (progress[read] == Progress::kInProgress) {
        std::string chain;
        bool is_in_cycle = false;
        for (const Step& at : path) {
          is_in_cycle |= at.component == read;
          if (is_in_cycle)
            chain += fmt::format("`{}` -> ", session.components->path(*at.component));
        }
        session.error("cyclic-binding",
                      fmt::format("parameters depend on each other: {}`{}`", chain,
                                  session.components->path(*read)),
                      read->element->declaration->range());
      } else if (progress[read] == Progress::kUntouched) {
        enter(read);
      }
    }
  }
}

// ---- variability ----

namespace {

class DiscreteTime {
 public:
  explicit DiscreteTime(Session& session) : session_(session) {}

  // The node changes at events only.
  bool holds(NodeId root) {
    const Graph& graph = *session_.graph;
    if (known_.size() < graph.size()) known_.resize(graph.size(), kUnknown);
    std::vector<NodeId> pending = {root};
    while (!pending.empty()) {
      const NodeId id = pending.back();
      if (known_[id.index()] != kUnknown) {
        pending.pop_back();
        continue;
      }
      const std::size_t before = pending.size();
      if (!is_decided_alone(id))
        for (const NodeId operand : graph.operands(id))
          if (known_[operand.index()] == kUnknown) pending.push_back(operand);
      if (pending.size() != before) continue;
      known_[id.index()] = decide(id) ? kYes : kNo;
      pending.pop_back();
    }
    return known_[root.index()] == kYes;
  }

 private:
  enum State : std::uint8_t { kUnknown, kYes, kNo };

  bool is_decided_alone(NodeId id) const {
    const Node node = session_.graph->node(id);
    return (is_relation(node.op) && !node.silent) || node.op == Op::kFloor ||
           node.op == Op::kCeil || node.op == Op::kTrunc || node.op == Op::kSample;
  }

  bool decide(NodeId id) const {
    const Graph& graph = *session_.graph;
    if (is_decided_alone(id)) return true;
    const Node node = graph.node(id);
    if (node.op == Op::kTime) return false;
    if (node.op == Op::kVariable) {
      const Component* component = session_.flat->variables[node.variable].component;
      return component == nullptr || component->is_discrete || component->is_free_parameter ||
             component->variability <= Variability::kDiscrete;
    }
    for (const NodeId operand : graph.operands(id))
      if (known_[operand.index()] != kYes) return false;
    return true;
  }

  Session& session_;
  std::vector<State> known_;
};

}  // namespace

void check_variability(Session& session) {
  const Graph& graph = *session.graph;
  DiscreteTime discrete(session);
  const auto needs_events = [&](NodeId id) -> const Component* {
    if (graph.op(id) != Op::kVariable) return nullptr;
    const Component* component = session.flat->variables[graph.leaf_of(id).variable].component;
    return component != nullptr && component->base() != BaseType::kReal ? component : nullptr;
  };
  for (const FlatEquation& equation : session.flat->equations) {
    const Component* left = needs_events(equation.lhs);
    const Component* component = left != nullptr ? left : needs_events(equation.rhs);
    if (component == nullptr) continue;
    if (discrete.holds(left != nullptr ? equation.rhs : equation.lhs)) continue;
    session.error("variability",
                  fmt::format("`{}` is discrete but its value can change at any time",
                              session.components->path(*component)),
                  equation.source);
  }
}

// ---- balance ----

namespace {

// Rows are the equations, then one for each variable that when-clauses assign.
struct Rows {
  std::vector<structure::SignatureEntry> entries;
  std::vector<SourceRange> sources;

  void add(std::span<const Leaf> leaves, SourceRange source) {
    for (const Leaf& leaf : leaves) entries.push_back({EqId(sources.size()), leaf.variable, 0});
    sources.push_back(source);
  }
};

Rows rows_of(const Model& model) {
  Rows rows;
  Graph& graph = model.graph();
  Incidence incidence;
  for (const EqId e : ids<EqId>(model.num_equations())) {
    const Equation& equation = model.equations()[e];
    const NodeId sides[] = {equation.lhs.in(graph), equation.rhs.in(graph)};
    rows.add(incidence.of(graph, sides), equation.source);
  }
  std::set<VarId> assigned;
  for (const WhenClause& clause : model.when_clauses())
    for (const WhenBranch& branch : clause.branches)
      for (const WhenAction& action : branch.actions) {
        if (action.kind != WhenAction::Kind::kAssign) continue;
        const Leaf leaf = graph.leaf_of(action.target.in(graph));
        if (assigned.insert(leaf.variable).second) rows.add(std::span(&leaf, 1), action.source);
      }
  return rows;
}

}  // namespace

void check_balance(Session& session, const Model& model) {
  const Rows rows = rows_of(model);
  const std::size_t num_unknowns = model.num_variables();
  if (rows.sources.size() == num_unknowns) return;
  const structure::SignatureMatrix pattern(rows.sources.size(), num_unknowns, rows.entries);
  const auto parts = structure::compute_dulmage_mendelsohn(pattern);
  Diagnostic diagnostic;
  diagnostic.code = "unbalanced-model";
  diagnostic.message = fmt::format("model `{}` has {} unknowns but {} equations", model.name(),
                                   num_unknowns, rows.sources.size());
  const char* kHow = " (found by matching; other choices are possible)";
  const std::vector<VarId> free_vars = parts.matching.free_vars();
  const std::vector<EqId> free_eqs = parts.matching.free_eqs();
  if (rows.sources.size() < num_unknowns && !free_vars.empty()) {
    const Variable& variable = model.all_variables()[free_vars.front()];
    diagnostic.range = variable.source;
    diagnostic.label = fmt::format("nothing determines `{}`{}", variable.name, kHow);
    diagnostic.help =
        fmt::format("add an equation for `{}`, or connect what it belongs to", variable.name);
  } else if (!free_eqs.empty()) {
    diagnostic.range = rows.sources[free_eqs.front().index()];
    diagnostic.label = std::string("this equation is one too many") + kHow;
  }
  if (!diagnostic.range.is_valid()) diagnostic.range = session.model->def->definition->name.range;
  session.workspace.diagnostics().add(std::move(diagnostic));
}

}  // namespace hydae::modelica

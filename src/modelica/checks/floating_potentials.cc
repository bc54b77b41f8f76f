#include "modelica/checks/floating_potentials.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "expr/incidence.h"
#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/flat/declaring_model.h"
#include "modelica/flat/flat.h"

namespace hydae::modelica {

namespace {

// How much an expression moves when the chosen leaves move by one: a number if that is the same
// everywhere, nothing if it is not known to be.
class Shift {
 public:
  Shift(const Graph& graph, const std::vector<bool>& is_moved, int order)
      : graph_(graph), is_moved_(is_moved), order_(order) {}

  std::optional<double> of(NodeId root) {
    std::vector<NodeId> pending = {root};
    while (!pending.empty()) {
      const NodeId id = pending.back();
      if (known_.contains(id.index())) {
        pending.pop_back();
        continue;
      }
      const std::size_t before = pending.size();
      for (const NodeId operand : graph_.operands(id))
        if (!known_.contains(operand.index())) pending.push_back(operand);
      if (pending.size() != before) continue;
      known_.emplace(id.index(), decide(id));
      pending.pop_back();
    }
    return known_.at(root.index());
  }

 private:
  std::optional<double> decide(NodeId id) const {
    const Op op = graph_.op(id);
    if (op == Op::kVariable) {
      const Leaf leaf = graph_.leaf_of(id);
      return is_moved_[leaf.variable.index()] && leaf.order == order_ ? 1.0 : 0.0;
    }
    const auto operands = graph_.operands(id);
    const auto moves = [&](std::size_t i) { return known_.at(operands[i].index()); };
    bool is_still = true;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!moves(i)) return std::nullopt;
      is_still &= *moves(i) == 0;
    }
    if (is_still) return 0.0;
    const auto constant = [&](std::size_t i) { return graph_.is_constant(operands[i]); };
    const auto value = [&](std::size_t i) { return graph_.constant_value(operands[i]); };
    switch (op) {
      case Op::kNeg: return -*moves(0);
      case Op::kAdd: return *moves(0) + *moves(1);
      case Op::kSub: return *moves(0) - *moves(1);
      case Op::kMul:
        if (constant(0)) return value(0) * *moves(1);
        if (constant(1)) return value(1) * *moves(0);
        return std::nullopt;
      case Op::kDiv:
        if (constant(1)) return *moves(0) / value(1);
        return std::nullopt;
      default: return std::nullopt;
    }
  }

  const Graph& graph_;
  const std::vector<bool>& is_moved_;
  int order_;
  std::unordered_map<std::size_t, std::optional<double>> known_;
};

class Grounds {
 public:
  explicit Grounds(Session& session)
      : session_(session), is_moved_(session.flat->variables.size(), false) {
    for (std::size_t v = 0; v < is_moved_.size(); ++v) parent_.push_back(v);
  }

  void run() {
    collect();
    std::map<std::size_t, Group> groups;
    for (std::size_t v = 0; v < parent_.size(); ++v)
      if (is_potential_[v]) groups[find(v)].variables.push_back(VarId(v));
    for (std::size_t e = 0; e < potentials_of_.size(); ++e)
      for (const std::size_t v : potentials_of_[e]) {
        auto& equations = groups[find(v)].equations;
        if (equations.empty() || equations.back() != e) equations.push_back(e);
      }
    for (const auto& [leader, group] : groups)
      if (!group.equations.empty() && is_free(group)) report(group);
  }

 private:
  struct Group {
    std::vector<VarId> variables;
    std::vector<std::size_t> equations;
  };

  // A variable beside a flow in a connector.
  bool is_potential(const Cell& cell) {
    const Component* component = cell.component;
    if (component == nullptr || component->base() != BaseType::kReal || component->is_discrete ||
        component->connection != syntax::Connection::kNone ||
        component->causality != syntax::Causality::kNone ||
        component->variability <= Variability::kParameter)
      return false;
    const Instance& owner = *component->element->owner;
    if (owner.component == nullptr || !session_.classes->is_connector(*owner.component->type))
      return false;
    return std::any_of(owner.elements.begin(), owner.elements.end(), [](const Element* element) {
      return element->component != nullptr &&
             element->component->connection == syntax::Connection::kFlow;
    });
  }

  void collect() {
    const auto& variables = session_.flat->variables;
    for (const VarId v : ids<VarId>(variables.size()))
      is_potential_.push_back(is_potential(variables[v]));
    Incidence incidence;
    for (const FlatEquation& equation : session_.flat->equations) {
      const NodeId sides[] = {equation.lhs, equation.rhs};
      auto& potentials = potentials_of_.emplace_back();
      for (const Leaf& leaf : incidence.leaves(*session_.graph, sides)) {
        if (!is_potential_[leaf.variable.index()]) continue;
        potentials.push_back(leaf.variable.index());
        max_order_ = std::max(max_order_, leaf.order);
      }
      for (const std::size_t a : potentials)
        if (name_of(a) == name_of(potentials.front())) join(a, potentials.front());
    }
  }

  Symbol name_of(std::size_t variable) const {
    return session_.flat->variables[VarId(variable)].component->element->name;
  }

  std::size_t find(std::size_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t left = find(a), right = find(b);
    parent_[std::max(left, right)] = std::min(left, right);
  }

  // Every equation holds after a common shift of the group, whatever function of time it is.
  bool is_free(const Group& group) {
    for (const VarId v : group.variables) is_moved_[v.index()] = true;
    bool is_free = true;
    for (int order = 0; order <= max_order_ && is_free; ++order)
      for (const std::size_t e : group.equations) {
        const FlatEquation& equation = session_.flat->equations[e];
        Shift shift(*session_.graph, is_moved_, order);
        const auto left = shift.of(equation.lhs), right = shift.of(equation.rhs);
        is_free = left && right && *left == *right;
        if (!is_free) break;
      }
    for (const VarId v : group.variables) is_moved_[v.index()] = false;
    return is_free;
  }

  void report(const Group& group) {
    std::vector<std::string> names;
    for (const VarId v : group.variables) {
      const Cell& cell = session_.flat->variables[v];
      names.push_back(session_.components->path(*cell.component) +
                      session_.components->subscript(*cell.component, cell.position));
    }
    const Component* top = session_.flat->variables[group.variables.front()].component;
    const Instance* model = home_of(session_, *top).model;
    const bool is_alone = std::all_of(group.variables.begin(), group.variables.end(), [&](VarId v) {
      return home_of(session_, *session_.flat->variables[v].component).model == model;
    });
    while (top->element->owner->component != nullptr) top = top->element->owner->component;
    Diagnostic diagnostic;
    diagnostic.code = "missing-ground";
    diagnostic.message = fmt::format(
        "only differences of {} matter: nothing determines their level", quoted_list(names, 4));
    diagnostic.range = top->element->declaration->range();
    diagnostic.label = fmt::format("`{}` is one of them", names.front());
    diagnostic.help = is_alone && model->component != nullptr
                          ? fmt::format("connect `{}` to the rest of the model",
                                        session_.components->path(*model))
                          : "connect one of them to a ground, or give one of them a value";
    session_.report(std::move(diagnostic));
  }

  Session& session_;
  std::vector<bool> is_potential_;
  std::vector<bool> is_moved_;
  std::vector<std::size_t> parent_;
  std::vector<std::vector<std::size_t>> potentials_of_;  // by equation
  int max_order_ = 0;
};

}  // namespace

void check_grounds(Session& session) { Grounds(session).run(); }

}  // namespace hydae::modelica

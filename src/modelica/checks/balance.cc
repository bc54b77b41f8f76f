#include "modelica/checks/balance.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "expr/incidence.h"
#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/flat/declaring_model.h"
#include "modelica/flat/flat.h"
#include "structure/dulmage_mendelsohn.h"

namespace hydae::modelica {

// ---- counting ----

namespace {

class Counting {
 public:
  explicit Counting(Session& session) : session_(session) {}

  Tallies run(const ComponentOrder& order) {
    for (Component* component : order) count_unknowns(*component);
    for (const FlatEquation& equation : session_.flat->equations) count_equation(equation);
    for (const FlatWhen& when : session_.flat->whens) count_when(when);
    return std::move(tallies_);
  }

 private:
  Tally& at(Instance* instance) {
    const auto [found, is_new] = position_.try_emplace(instance, tallies_.size());
    if (is_new) tallies_.push_back({instance, {}});
    return tallies_[found->second].second;
  }

  const Component* component_of(NodeId id) const {
    if (session_.graph->op(id) != Op::kVariable) return nullptr;
    return session_.flat->variables[session_.graph->leaf_of(id).variable].component;
  }

  void count_unknowns(Component& component) {
    if (component.valuation != Progress::kDone || component.is_free_parameter ||
        component.variability <= Variability::kParameter)
      return;
    const auto count =
        std::count_if(component.value.cells.begin(), component.value.cells.end(),
                      [&](NodeId id) { return session_.graph->op(id) == Op::kVariable; });
    const Home home = home_of(session_, component);
    Instance* parent = parent_of(session_, *home.model);
    at(home.model).unknowns += count;
    if (is_uncounted(component, home)) {
      at(home.model).is_checked = false;
      if (parent != nullptr) at(parent).is_checked = false;
    }
    const bool is_given = is_given_from_outside(home, component);
    const bool is_free_input = home.connector == nullptr && home.is_public &&
                               component.causality == syntax::Causality::kInput &&
                               !has_value(component);
    if (is_given || is_free_input) {
      at(home.model).equations += count;
      at(home.model).given += count;
    }
    if (is_given && parent != nullptr) at(parent).unknowns += count;
  }

  bool has_value(Component& component) {
    try {
      return session_.components->bindings().binding_value(component) != nullptr;
    } catch (const Failure&) {
      return true;  // reported
    }
  }

  // Expandable connectors get their elements, overdetermined ones their equations from the
  // connections of the whole model.
  bool is_uncounted(const Component& component, const Home& home) {
    for (const Component* part = &component;; part = part->element->owner->component) {
      if (session_.classes->is_kind(*part->type, syntax::ClassKind::kExpandableConnector) ||
          session_.classes->find_member(*part->type, session_.names.equality_constraint) != nullptr)
        return true;
      if (part == home.part) return false;
    }
  }

  void count_equation(const FlatEquation& equation) {
    if (is_helper(equation.lhs) || is_helper(equation.rhs)) return;
    Instance* instance = equation.is_flow_sum ? home_of_flow_sum(equation.rhs)
                                              : model_of(session_, whole_of(equation.instance));
    if (instance != nullptr) ++at(instance).equations;
  }

  void count_when(const FlatWhen& when) {
    std::set<VarId> assigned;
    for (const FlatWhenBranch& branch : when.branches)
      for (const FlatAction& action : branch.actions)
        if (action.kind == WhenAction::Kind::kAssign && component_of(action.target) != nullptr)
          assigned.insert(session_.graph->leaf_of(action.target).variable);
    at(model_of(session_, whole_of(when.instance))).equations +=
        static_cast<std::int64_t>(assigned.size());
  }

  Instance* whole_of(const Instance* instance) const {
    return instance == nullptr ? session_.model : instance->whole;
  }

  bool is_helper(NodeId id) const {
    return session_.graph->op(id) == Op::kVariable && component_of(id) == nullptr;
  }

  // A flow seen from inside its component (+) is summed in the class around that component, seen
  // from outside (-) in the class that has the connector. Through outer components these differ:
  // the sum belongs to the upper one. Null: only a connector of the model itself.
  Instance* home_of_flow_sum(NodeId sum) {
    struct Term {
      NodeId id;
      bool is_outside;
    };
    const Graph& graph = *session_.graph;
    Instance* upper = nullptr;
    std::vector<Term> terms = {{sum, false}};
    while (!terms.empty()) {
      const auto [id, is_outside] = terms.back();
      terms.pop_back();
      const Op op = graph.op(id);
      if (op == Op::kAdd || op == Op::kSub || op == Op::kNeg) {
        const auto operands = graph.operands(id);
        for (std::size_t i = 0; i < operands.size(); ++i)
          terms.push_back(
              {operands[i], is_outside != (op == Op::kNeg || (op == Op::kSub && i == 1))});
      } else if (const Component* flow = component_of(id)) {
        const Home home = home_of(session_, *flow);
        Instance* model = home.model;
        if (!is_outside && home.is_public) model = parent_of(session_, *model);
        if (model != nullptr && (upper == nullptr || model->depth < upper->depth)) upper = model;
      }
    }
    return upper;
  }

  Session& session_;
  Tallies tallies_;
  std::unordered_map<Instance*, std::size_t> position_;
};

}  // namespace

Tallies count_by_class(Session& session, const ComponentOrder& order) {
  return Counting(session).run(order);
}

// ---- which unknown, which equation ----

namespace {

// The flat equations as a pattern. Flows and inputs are the last columns, so that a matching leaves
// them over rather than what depends on them.
class Pattern {
 public:
  explicit Pattern(Session& session) : session_(session) {
    order_columns();
    Incidence incidence;
    for (const FlatEquation& equation : session_.flat->equations) {
      const NodeId sides[] = {equation.lhs, equation.rhs};
      add_row(incidence.of(*session_.graph, sides),
              {equation.source, equation.instance, equation.is_flow_sum});
    }
    add_whens();
    const structure::SignatureMatrix matrix(rows_.size(), columns_.size(), entries_);
    parts_ = structure::compute_dulmage_mendelsohn(matrix);
  }

  std::size_t num_equations() const { return rows_.size(); }
  std::size_t num_unknowns() const { return columns_.size(); }

  // What the matching leaves over, then what could be left over instead.
  std::vector<VarId> undetermined() const {
    std::vector<VarId> out;
    for (const VarId column : parts_.matching.free_vars()) out.push_back(columns_[column.index()]);
    for (auto column = parts_.under.vars.rbegin(); column != parts_.under.vars.rend(); ++column)
      out.push_back(columns_[column->index()]);
    return out;
  }

  struct Row {
    SourceRange source;
    const Instance* instance;
    bool is_flow_sum = false;
  };
  std::vector<Row> too_many() const {
    std::vector<Row> out;
    for (const EqId e : parts_.matching.free_eqs()) out.push_back(rows_[e.index()]);
    for (const EqId e : parts_.over.eqs) out.push_back(rows_[e.index()]);
    return out;
  }

 private:
  void order_columns() {
    const auto& variables = session_.flat->variables;
    column_of_.resize(variables.size());
    for (const bool is_last : {false, true})
      for (const VarId v : ids<VarId>(variables.size())) {
        const Component* component = variables[v].component;
        if (component != nullptr && component->is_free_parameter) continue;
        const bool is_given =
            component != nullptr && (component->connection == syntax::Connection::kFlow ||
                                     component->causality == syntax::Causality::kInput);
        if (is_given != is_last) continue;
        column_of_[v] = VarId(columns_.size());
        columns_.push_back(v);
      }
  }

  void add_row(std::span<const Leaf> leaves, const Row& row) {
    for (const Leaf& leaf : leaves)
      if (column_of_[leaf.variable].is_valid())
        entries_.push_back({EqId(rows_.size()), column_of_[leaf.variable], 0});
    rows_.push_back(row);
  }

  void add_whens() {
    std::set<VarId> assigned;
    for (const FlatWhen& when : session_.flat->whens)
      for (const FlatWhenBranch& branch : when.branches)
        for (const FlatAction& action : branch.actions) {
          if (action.kind != WhenAction::Kind::kAssign) continue;
          const Leaf leaf = session_.graph->leaf_of(action.target);
          if (assigned.insert(leaf.variable).second)
            add_row(std::span(&leaf, 1), {action.source, when.instance});
        }
  }

  Session& session_;
  IdVector<VarId, VarId> column_of_;
  std::vector<VarId> columns_;
  std::vector<Row> rows_;
  std::vector<structure::SignatureEntry> entries_;
  structure::DulmageMendelsohn parts_;
};

constexpr const char* kHow = " (found by matching; other choices are possible)";

// `path` as a reader of the class of `instance` writes it.
std::string inside(Session& session, const Instance& instance, std::string path) {
  const std::string outer = session.components->path(instance);
  if (!outer.empty() && path.starts_with(outer + ".")) path.erase(0, outer.size() + 1);
  return path;
}

// The component of `instance` that `component` is in; null if it is elsewhere.
const Component* part_in(const Instance& instance, const Component& component) {
  for (const Component* at = &component; at != nullptr; at = at->element->owner->component)
    if (at->element->owner == &instance) return at;
  return nullptr;
}

class Report {
 public:
  Report(Session& session, const Pattern& pattern) : session_(session), pattern_(pattern) {}

  // Says in `diagnostic` what `instance` leaves open or determines too often.
  void explain(Instance& instance, bool is_missing, Diagnostic& diagnostic) const {
    if (is_missing)
      explain_missing(instance, diagnostic);
    else
      explain_surplus(instance, diagnostic);
    if (!diagnostic.range.is_valid()) diagnostic.range = instance.def->definition->name.range;
  }

 private:
  void explain_missing(Instance& instance, Diagnostic& diagnostic) const {
    for (const VarId v : pattern_.undetermined()) {
      const Cell& cell = session_.flat->variables[v];
      if (cell.component == nullptr) continue;
      const Component* part = part_in(instance, *cell.component);
      if (part == nullptr) continue;
      const std::string name =
          inside(session_, instance,
                 session_.components->path(*cell.component) +
                     session_.components->subscript(*cell.component, cell.position));
      diagnostic.range = part->element->declaration->range();
      diagnostic.label = fmt::format("nothing determines `{}`{}", name, kHow);
      diagnostic.help = advice(instance, *cell.component, name);
      return;
    }
  }

  std::string advice(Instance& instance, const Component& component,
                     const std::string& name) const {
    const Home home = home_of(session_, component);
    if (home.connector == nullptr) return fmt::format("add an equation for `{}`", name);
    const std::string connector =
        inside(session_, instance, session_.components->path(*home.connector));
    if (home.model != &instance)
      return fmt::format("connect `{}`, or add an equation for `{}`", connector, name);
    if (component.connection == syntax::Connection::kFlow)
      return fmt::format("add an equation that says where the flow `{}` goes", name);
    return fmt::format("add an equation for `{}`", name);
  }

  // A value given from outside to a variable that the class determines itself (4.7).
  const Binding* find_added_equation(Instance& instance) const {
    for (Element* element : instance.elements) {
      Component* component = element->component;
      if (component == nullptr || component->expansion != Progress::kDone ||
          component->variability <= Variability::kParameter ||
          component->causality == syntax::Causality::kInput)
        continue;
      const std::optional<Binding>& binding = session_.components->bindings().binding(*component);
      const bool has_own =
          std::any_of(element->mods.begin(), element->mods.end(), [&](const ModRef& ref) {
            return ref.mod->value != nullptr && ref.scope->whole == &instance;
          });
      if (binding && !has_own) return &*binding;
    }
    return nullptr;
  }

  // An equation of the class itself if there is one among those that are too many.
  void explain_surplus(Instance& instance, Diagnostic& diagnostic) const {
    if (const Binding* added = find_added_equation(instance)) {
      const std::string name = session_.text(added->mod->name);
      diagnostic.code = "modifier-adds-equation";
      diagnostic.message = fmt::format("this value of `{}` is one equation more than `{}` needs",
                                       name, session_.text(instance.def->name));
      diagnostic.range = added->mod->range;
      diagnostic.notes.clear();
      return;
    }
    const std::vector<Pattern::Row> rows = pattern_.too_many();
    const auto is_own = [&](const Pattern::Row& row) {
      return row.instance != nullptr && row.source.is_valid() &&
             model_of(session_, row.instance->whole) == &instance;
    };
    auto found = std::find_if(rows.begin(), rows.end(), is_own);
    if (found == rows.end() && &instance == session_.model)
      found = std::find_if(rows.begin(), rows.end(),
                           [](const Pattern::Row& row) { return row.source.is_valid(); });
    if (found == rows.end()) return;
    diagnostic.range = found->source;
    diagnostic.label = fmt::format("this equation is one too many{}", kHow);
    if (found->is_flow_sum && found->instance->component != nullptr &&
        session_.classes->is_connector(*found->instance->component->type))
      explain_unconnected(instance, *found->instance->component, diagnostic);
  }

  void explain_unconnected(Instance& instance, const Component& connector,
                           Diagnostic& diagnostic) const {
    const std::string name = inside(session_, instance, session_.components->path(connector));
    if (const Component* part = part_in(instance, connector))
      diagnostic.range = part->element->declaration->range();
    diagnostic.label =
        fmt::format("nothing is connected to `{}`: its flow is zero, which is one equation", name);
    diagnostic.help = fmt::format("connect `{}` instead of giving its variables values", name);
  }

  Session& session_;
  const Pattern& pattern_;
};

Diagnostic class_diagnostic(Session& session, const Instance& instance, const Tally& tally) {
  Diagnostic out;
  out.code = "unbalanced-class";
  out.message = fmt::format("class `{}` has {} unknowns but {} equations",
                            session.text(instance.def->name), tally.unknowns, tally.equations);
  if (tally.given > 0)
    out.notes.push_back(
        {fmt::format(
             "{} of the equations are flows and inputs that are determined where it is used",
             tally.given),
         {}});
  if (instance.component != nullptr)
    out.notes.push_back({fmt::format("it is used as `{}`", session.components->path(instance)),
                         instance.component->element->declaration->range()});
  return out;
}

}  // namespace

void check_balance(Session& session, const Model& model, const Tallies& tallies) {
  std::int64_t num_assigned = 0;
  std::set<VarId> assigned;
  for (const WhenClause& clause : model.when_clauses())
    for (const WhenBranch& branch : clause.branches)
      for (const WhenAction& action : branch.actions)
        if (action.kind == WhenAction::Kind::kAssign &&
            assigned.insert(model.graph().leaf_of(action.target.in(model.graph())).variable).second)
          ++num_assigned;
  const auto num_unknowns = static_cast<std::int64_t>(model.num_variables());
  const auto num_equations = static_cast<std::int64_t>(model.num_equations()) + num_assigned;
  const bool is_balanced = num_unknowns == num_equations;
  std::vector<const std::pair<Instance*, Tally>*> wrong;
  std::set<const ClassDef*> seen;
  for (const auto& entry : tallies)
    if (!entry.second.is_balanced() && entry.first != session.model &&
        seen.insert(entry.first->def).second)
      wrong.push_back(&entry);
  if (is_balanced && wrong.empty()) return;

  const Pattern pattern(session);
  const Report report(session, pattern);
  for (const auto* entry : wrong) {
    const auto& [instance, tally] = *entry;
    Diagnostic diagnostic = class_diagnostic(session, *instance, tally);
    diagnostic.severity = is_balanced ? Severity::kWarning : Severity::kError;
    report.explain(*instance, tally.equations < tally.unknowns, diagnostic);
    session.report(std::move(diagnostic));
  }
  if (is_balanced || !wrong.empty()) return;
  Diagnostic diagnostic;
  diagnostic.code = "unbalanced-model";
  diagnostic.message = fmt::format("model `{}` has {} unknowns but {} equations", model.name(),
                                   pattern.num_unknowns(), pattern.num_equations());
  report.explain(*session.model, num_equations < num_unknowns, diagnostic);
  session.report(std::move(diagnostic));
}

}  // namespace hydae::modelica

#include "modelica/flat/declaring_model.h"

#include "modelica/classes/classes.h"

namespace hydae::modelica {

namespace {

bool is_part_of_owner(Session& session, Instance& instance) {
  return instance.component != nullptr &&
         (session.classes->is_record(instance) || session.classes->is_connector(instance));
}

}  // namespace

Instance* model_of(Session& session, Instance* instance) {
  while (is_part_of_owner(session, *instance)) instance = instance->component->element->owner;
  return instance;
}

Instance* parent_of(Session& session, const Instance& model) {
  if (model.component == nullptr) return nullptr;
  return model_of(session, model.component->element->owner);
}

Home home_of(Session& session, const Component& component) {
  Home home;
  for (const Component* at = &component;; at = home.model->component) {
    home.part = at;
    if (session.classes->is_connector(*at->type)) home.connector = at;
    home.model = at->element->owner;
    if (!is_part_of_owner(session, *home.model)) break;
  }
  home.is_public = !home.part->element->is_protected;
  return home;
}

bool is_given_from_outside(const Home& home, const Component& component) {
  return home.connector != nullptr && home.is_public &&
         (component.connection == syntax::Connection::kFlow ||
          component.causality == syntax::Causality::kInput);
}

bool is_of_interface(Session& session, const Component& component) {
  if (component.element->owner == session.model) return true;
  const Home home = home_of(session, component);
  return home.model == session.model && home.connector != nullptr && home.is_public &&
         !session.classes->is_kind(*home.connector->type, syntax::ClassKind::kExpandableConnector);
}

std::vector<Cell> interface_cells(Session& session, const ComponentOrder& order,
                                  syntax::Causality causality) {
  std::vector<Cell> cells;
  for (Component* component : order) {
    if (!is_of_interface(session, *component) || component->causality != causality ||
        component->valuation != Progress::kDone ||
        component->variability <= Variability::kParameter)
      continue;
    for (std::size_t i = 0; i < component->value.cells.size(); ++i)
      cells.push_back({component, static_cast<std::int64_t>(i)});
  }
  return cells;
}

std::vector<VarId> output_variables(Session& session, const ComponentOrder& order) {
  const Graph& graph = *session.graph;
  std::vector<VarId> variables;
  for (const Cell& cell : interface_cells(session, order, syntax::Causality::kOutput)) {
    const NodeId id = cell.component->value.cells[static_cast<std::size_t>(cell.position)];
    if (graph.op(id) == Op::kVariable) variables.push_back(graph.leaf_of(id).variable);
  }
  return variables;
}

}  // namespace hydae::modelica

#include "modelica/flat/flatten.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/connections/connections.h"
#include "modelica/equations/equations.h"

namespace hydae::modelica {

void Flattener::walk_component(Component& component) {
  session_.components->expand(component);
  if (component.inner_twin != nullptr) {
    session_.components->expand(*component.inner_twin);
    walk_component(*component.inner_twin);
  }
  if (component.is_outer || !component.is_present) return;
  if (component.type->is_builtin) order_.push_back(&component);
  for (Instance* instance : component.instances) walk(*instance);
}

void Flattener::walk(Instance& instance) {
  session_.classes->elaborate(instance);
  instances_.push_back(&instance);
  // Missing inner components may be added at the end while this runs.
  for (std::size_t i = 0; i < instance.elements.size(); ++i) {
    Element& element = *instance.elements[i];
    if (element.component == nullptr) continue;
    session_.attempt(element.declaration->range(), [&] { walk_component(*element.component); });
  }
}

// Base classes first; one that is inherited twice counts once (7.1).
std::vector<Instance*> Flattener::parts_of(Instance& instance) {
  std::vector<Instance*> parts;
  const auto visit = [&](auto&& self, Instance& part) -> void {
    for (Instance* base : part.bases) self(self, *base);
    if (part.def == nullptr) return;
    for (const Instance* other : parts) {
      if (other->def != part.def || other->enclosing != part.enclosing) continue;
      const syntax::LongClass* definition = part.def->long_class();
      if (definition != nullptr && !definition->sections.empty())
        for (const syntax::Section& section : definition->sections)
          if (!section.equations.empty() || !section.statements.empty()) {
            session_.warning("duplicate-inherited",
                             fmt::format("the equations of `{}` are inherited twice and count once",
                                         session_.text(part.def->name)),
                             instance.def->definition->name.range);
            break;
          }
      return;
    }
    parts.push_back(&part);
  };
  visit(visit, instance);
  return parts;
}

// The equation that a binding of a variable is; parameters and constants are not equations.
void Flattener::bind(Component& component) {
  Components& components = *session_.components;
  session_.attempt(component.element->declaration->range(), [&] {
    // A text is no equation, and nobody may ask for one that is not given.
    if (component.base() == BaseType::kString && component.variability <= Variability::kParameter)
      return;
    const Value& value = components.value(component);
    if (!value.has_cells() || component.is_part) return;
    if (component.variability <= Variability::kParameter && !component.is_free_parameter) return;
    const auto bound = components.binding_value(component);
    if (bound == nullptr) return;
    const std::optional<Binding>& binding = components.binding(component);
    const SourceRange range =
        binding ? binding->mod->range : component.element->declaration->range();
    auto& out =
        component.is_free_parameter ? session_.flat->initial_equations : session_.flat->equations;
    const std::size_t first = out.size();
    Equations(session_).add_equality(value, *bound, component.element->owner, range, out);
    for (std::size_t i = first; i < out.size(); ++i) out[i].allows_any_variability = !binding;
  });
}

void Flattener::walk_model() {
  order_.clear();
  instances_.clear();
  walk(*session_.model);
}

// Expandable connectors have their elements only when all connect clauses are known.
void Flattener::connect(Equations& equations) {
  for (Instance* instance : instances_)
    for (Instance* part : parts_of(*instance)) equations.stamp_connections(*part);
  Connections& connections = *session_.connections;
  if (connections.expand_buses()) walk_model();
  if (connections.remove_unused(instances_)) walk_model();
  connections.finish();
}

void Flattener::run(Element& model_class) {
  session_.model = &session_.classes->plain(model_class);
  Instance& model = *session_.model;
  const bool is_walked = session_.attempt(SourceRange(), [&] {
    session_.classes->elaborate(model);
    session_.is_flat_text = annotation_is_true(
        find_annotation(model.def->definition->comment.annotation, session_.names.hydae),
        session_.names.flat);
    walk_model();
  });
  if (!is_walked) return;
  Equations equations(session_);
  connect(equations);
  for (Component* component : order_)
    if (component->connection == syntax::Connection::kFlow)
      session_.attempt(component->element->declaration->range(),
                       [&] { session_.connections->add_flow(*component); });
  for (Component* component : order_) bind(*component);
  for (Instance* instance : instances_)
    for (Instance* part : parts_of(*instance)) equations.stamp(*part);
  const std::vector<FlatEquation> connected = session_.connections->equations();
  session_.flat->equations.insert(session_.flat->equations.end(), connected.begin(),
                                  connected.end());
}

}  // namespace hydae::modelica

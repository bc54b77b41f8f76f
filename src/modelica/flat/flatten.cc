#include "modelica/flat/flatten.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/components/prefix_rules.h"
#include "modelica/connections/connections.h"
#include "modelica/equations/connect_clauses.h"
#include "modelica/equations/equations.h"

namespace hydae::modelica {

namespace {

// The class with a body that a short class stands for.
const ClassDef* written_class(const Instance& type) {
  const Instance* at = &type;
  while (at->def != nullptr && at->def->definition != nullptr && !at->def->definition->is_partial &&
         at->def->definition->kind == syntax::ClassForm::kShort && !at->bases.empty())
    at = at->bases.front();
  return at->def;
}

const char* name_of_kind_without_components(syntax::ClassKind kind) {
  switch (kind) {
    case syntax::ClassKind::kPackage: return "a package";
    case syntax::ClassKind::kFunction:
    case syntax::ClassKind::kOperatorFunction: return "a function";
    case syntax::ClassKind::kOperator: return "an operator";
    default: return nullptr;
  }
}

// What has no behaviour of its own; null for what can be run.
const char* name_of_kind_without_behaviour(syntax::ClassKind kind) {
  switch (kind) {
    case syntax::ClassKind::kModel:
    case syntax::ClassKind::kBlock:
    case syntax::ClassKind::kClass: return nullptr;
    case syntax::ClassKind::kRecord:
    case syntax::ClassKind::kOperatorRecord: return "a record";
    case syntax::ClassKind::kConnector:
    case syntax::ClassKind::kExpandableConnector: return "a connector";
    case syntax::ClassKind::kType: return "a type";
    default: return name_of_kind_without_components(kind);
  }
}

// The class that is asked for: a model, block or plain class with nothing left open.
void check_model_class(Session& session, const Element& cls) {
  const auto refuse = [&](const char* code, const std::string& message, SourceRange range) {
    session.fail(code, fmt::format("`{}` is {}", session.text(cls.name), message), range);
  };
  if (cls.cls == nullptr) refuse("not-a-model", "a predefined type: there is nothing to run", {});
  if (!session.workspace.require(*cls.cls)) throw Failure();
  const syntax::ClassDefinition& definition = *cls.cls->definition;
  if (const char* kind = name_of_kind_without_behaviour(definition.class_kind))
    refuse("not-a-model", fmt::format("{}: only a model or block can be run", kind),
           definition.name.range);
  if (definition.is_partial)
    refuse("partial-class", "partial: a class that extends it can be a model",
           definition.name.range);
}

}  // namespace

// 4.4.2.2, 4.6: what has behaviour is no part of a record or connector and has no prefix of values.
void Flattener::check_place(const Component& component, const ClassDef& cls) {
  const syntax::ClassKind kind = cls.definition->class_kind;
  if (kind != syntax::ClassKind::kModel && kind != syntax::ClassKind::kBlock) return;
  const SourceRange range = component.element->declaration->range();
  const std::string name = session_.text(component.element->name);
  const char* what = kind == syntax::ClassKind::kModel ? "model" : "block";
  Instance& home = *component.element->owner;
  if (home.def != nullptr &&
      (session_.classes->is_record(home) || session_.classes->is_connector(home)))
    session_.fail("misplaced-component",
                  fmt::format("`{}` is a {}: records and connectors hold none", name, what), range);
  const syntax::ComponentElement& clause = *component.element->declaration->clause;
  const bool has_prefix = clause.variability != syntax::Variability::kNone ||
                          clause.causality != syntax::Causality::kNone;
  if (has_prefix)
    session_.error(
        "misplaced-prefix",
        fmt::format("`{}` is a {}: it is no parameter, constant, input or output", name, what),
        range);
}

// Packages and functions have no components, and what is partial waits for a class that extends it.
void Flattener::check_class(const Component& component) {
  const SourceRange range = component.element->declaration->range();
  const ClassDef* cls = written_class(*component.type);
  if (cls == nullptr || cls->definition == nullptr) return;
  const char* kind = name_of_kind_without_components(cls->definition->class_kind);
  if (kind != nullptr)
    session_.fail(
        "not-a-component",
        fmt::format("`{}` is {}: there can be no component of it", session_.text(cls->name), kind),
        range);
  check_place(component, *cls);
  if (cls->definition->is_partial)
    session_.fail("partial-class",
                  fmt::format("`{}` is partial: `{}` needs a class that extends it",
                              session_.text(cls->name), session_.components->path(component)),
                  range);
}

// 9.3, 15.1: flows and streams are Reals, and what streams does so with one flow.
void Flattener::check_flows(const Instance& connector) {
  int num_flows = 0;
  const Component* stream = nullptr;
  for (const Element* element : connector.elements) {
    if (element->component == nullptr || !element->component->is_present) continue;
    const Component& component = *element->component;
    if (component.connection == syntax::Connection::kStream) stream = &component;
    if (component.connection == syntax::Connection::kFlow)
      num_flows += component.type->is_builtin() && component.dimensions.empty() ? 1 : 2;
  }
  if (stream != nullptr && num_flows != 1 &&
      session_.classes->is_connector(*connector.component->type))
    session_.error("stream-without-flow",
                   fmt::format("`{}` is a stream variable: its connector needs one flow variable, "
                               "a scalar",
                               session_.components->path(*stream)),
                   stream->element->declaration->range());
}

void Flattener::walk_component(Component& component) {
  session_.components->expand(component);
  if (component.link.inner_twin != nullptr) {
    session_.components->expand(*component.link.inner_twin);
    walk_component(*component.link.inner_twin);
  }
  if (component.link.is_outer || !component.is_present) return;
  if (component.type->is_builtin()) order_.push_back(&component);
  const bool carries = component.connection != syntax::Connection::kNone;
  if (carries && component.type->is_builtin() && component.base() != BaseType::kReal)
    session_.fail(
        "flow-type",
        fmt::format("`{}` is {}: only a Real can be a flow or stream variable",
                    session_.components->path(component), base_type_name(component.base())),
        component.element->declaration->range());
  if (!component.type->is_builtin()) check_class(component);
  for (Instance* instance : component.instances) walk(*instance);
  check_prefixes(session_, component);
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
  if (instance.component == nullptr) return;
  check_flows(instance);
  const bool is_balanced_kind =
      session_.classes->is_kind(instance, syntax::ClassKind::kConnector) ||
      session_.classes->is_kind(*instance.component->type, syntax::ClassKind::kConnector);
  if (is_balanced_kind) check_connector_balance(session_, instance);
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
    const auto bound = components.bindings().binding_value(component);
    if (bound == nullptr) return;
    const std::optional<Binding>& binding = components.bindings().binding(component);
    const SourceRange range =
        binding ? binding->mod->range : component.element->declaration->range();
    auto& out =
        component.is_free_parameter ? session_.flat->initial_equations : session_.flat->equations;
    const std::size_t first = out.size();
    add_equality(session_, value, *bound, {component.element->owner, range}, out);
    for (std::size_t i = first; i < out.size(); ++i) out[i].allows_any_variability = !binding;
  });
}

void Flattener::walk_model() {
  order_.clear();
  instances_.clear();
  walk(*session_.model);
}

// Expandable connectors have their elements only when all connect clauses are known.
void Flattener::connect() {
  for (Instance* instance : instances_)
    for (Instance* part : parts_of(*instance)) stamp_connections(session_, *part);
  Connections& connections = *session_.connections;
  if (connections.expand_buses()) walk_model();
  if (connections.buses().remove_unused(instances_)) walk_model();
  connections.finish();
}

void Flattener::run(Element& model_class) {
  session_.model = &session_.classes->plain(model_class);
  Instance& model = *session_.model;
  const bool is_walked = session_.attempt(SourceRange(), [&] {
    check_model_class(session_, model_class);
    session_.classes->elaborate(model);
    session_.request.is_flat_text =
        annotation_is_true(find_annotation(model.def->definition->comment.annotation,
                                           session_.names.annotations.hydae),
                           session_.names.annotations.flat);
    walk_model();
  });
  if (!is_walked) return;
  connect();
  Equations equations(session_);
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

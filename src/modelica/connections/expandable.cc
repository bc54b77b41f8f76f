#include "modelica/connections/expandable.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"

namespace hydae::modelica {

// The element may have been added by now.
void ExpandableBuses::find_side(ConnectorSide& side) {
  if (side.bus == nullptr) return;
  Element* member = session_.classes->find_member(*side.bus, side.missing);
  if (member == nullptr || member->component == nullptr) return;
  session_.components->expand(*member->component);
  is_used_[member->component] = true;
  side.bus = nullptr;
  side.sizes = member->component->sizes();
  for (std::int64_t i = 0; i < num_elements(side.sizes); ++i)
    side.ends.push_back({member->component, i});
}

// A component like `model`, already expanded: what it is does not depend on a declaration.
Element& ExpandableBuses::add_to_bus(Instance& bus, Symbol name, const Component& model,
                                     const Sizes& sizes) {
  Element& element = session_.make_element();
  element.name = name;
  element.declaration = element.original = model.element->declaration;
  element.scope = element.original_scope = model.element->scope;
  element.owner = bus.whole;
  element.component = &session_.make_component();
  Component& component = *element.component;
  component.element = &element;
  component.type = model.type;
  component.type_element = model.type_element;
  component.variability = model.variability;
  component.connection = model.connection;
  for (const int size : sizes) component.dimensions.push_back({size});
  component.expansion = Progress::kDone;
  if (!component.type->is_builtin())
    for (std::int64_t i = 0; i < num_elements(sizes); ++i)
      component.instances.push_back(
          &session_.classes->instantiate(*model.type_element, model.element->mods, component, i));
  session_.classes->add_element(bus, element);
  is_used_[&component] = true;
  return element;
}

// True if the clause added an element.
bool ExpandableBuses::complete(ConnectClause& clause) {
  find_side(clause.a);
  find_side(clause.b);
  for (auto [open, known] : {std::pair{&clause.a, &clause.b}, std::pair{&clause.b, &clause.a}}) {
    if (open->bus == nullptr || known->bus != nullptr || known->ends.empty()) continue;
    add_to_bus(*open->bus, open->missing, *known->ends.front().component, known->sizes);
    find_side(*open);
    return true;
  }
  return false;
}

// A bus that is connected to a part of itself would get that part again inside of it, and so on.
void ExpandableBuses::check_bus_depth(const Instance& bus, SourceRange range) {
  int depth = 0;
  for (const Component* part = bus.component; part != nullptr;
       part = part->element->owner == nullptr ? nullptr : part->element->owner->component)
    if (session_.classes->is_kind(*part->type, syntax::ClassKind::kExpandableConnector)) ++depth;
  if (depth > session_.limits.bus_depth)
    session_.fail("nested-too-deeply",
                  "connections put an expandable connector into itself without end", range);
}

bool ExpandableBuses::unite(Instance& a, Instance& b) {
  bool is_changed = false;
  const auto copy_missing = [&](Instance& from, Instance& to) {
    session_.classes->elaborate(from);
    session_.classes->elaborate(to);
    for (std::size_t i = 0; i < from.elements.size(); ++i) {
      const Element& element = *from.elements[i];
      if (element.component == nullptr || !is_used_[element.component]) continue;
      Element* other = session_.classes->find_member(to, element.name);
      if (other == nullptr) {
        session_.components->expand(*element.component);
        check_bus_depth(to, element.declaration->range());
        add_to_bus(to, element.name, *element.component, element.component->sizes());
        is_changed = true;
      } else if (other->component != nullptr && !is_used_[other->component]) {
        is_used_[other->component] = true;
        is_changed = true;
      }
    }
  };
  copy_missing(a, b);
  copy_missing(b, a);
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    Element* element = a.elements[i];
    if (element->component == nullptr || !is_used_[element->component]) continue;
    Component& x = *element->component;
    Element* twin = session_.classes->find_member(b, element->name);
    if (twin == nullptr || twin->component == nullptr) continue;
    Component& y = *twin->component;
    session_.components->expand(x);
    session_.components->expand(y);
    const bool is_bus = session_.classes->is_kind(*x.type, syntax::ClassKind::kExpandableConnector);
    if (is_bus && x.instances.size() == 1 && y.instances.size() == 1)
      is_changed |= unite(*x.instances[0], *y.instances[0]);
  }
  return is_changed;
}

bool ExpandableBuses::unite_buses(const ConnectClause& clause) {
  bool is_changed = false;
  for (std::size_t i = 0; i < std::min(clause.a.ends.size(), clause.b.ends.size()); ++i) {
    const ConnectorEnd &a = clause.a.ends[i], &b = clause.b.ends[i];
    const bool is_bus =
        session_.classes->is_kind(*a.component->type, syntax::ClassKind::kExpandableConnector) &&
        session_.classes->is_kind(*b.component->type, syntax::ClassKind::kExpandableConnector);
    if (!is_bus) continue;
    is_changed |= unite(*a.component->instances[static_cast<std::size_t>(a.linear)],
                        *b.component->instances[static_cast<std::size_t>(b.linear)]);
  }
  return is_changed;
}

// What is not there has no value, and nothing gives it one from outside.
void ExpandableBuses::check_unused(const Element& element) {
  for (const ModRef& mod : element.mods)
    if (mod.scope->whole != element.owner)
      return void(session_.error(
          "modified-bus-element",
          fmt::format("nothing is connected to `{}` of the expandable connector: it is not there "
                      "and cannot be modified",
                      session_.text(element.name)),
          mod.mod->range));
}

// Declared elements that nothing is connected to.
bool ExpandableBuses::remove_unused(Instance& bus) {
  bool is_changed = false;
  for (Element* element : bus.elements) {
    if (element->component == nullptr || is_used_[element->component]) continue;
    // What cannot be expanded has been reported and stays.
    const bool is_expanded = session_.attempt(
        element->declaration->range(), [&] { session_.components->expand(*element->component); });
    if (!is_expanded || element->component->variability <= Variability::kParameter) continue;
    check_unused(*element);
    is_changed |= element->component->is_present;
    element->component->is_present = false;
    element->component->marks.is_conditional = true;
  }
  return is_changed;
}

bool ExpandableBuses::expand(std::vector<ConnectClause>& clauses) {
  bool is_changed = false, is_progress = true;
  while (is_progress) {
    is_progress = false;
    for (ConnectClause& clause : clauses) {
      if (clause.is_wrong) continue;
      clause.is_wrong = !session_.attempt(clause.origin.source, [&] {
        is_progress |= complete(clause);
        is_progress |= unite_buses(clause);
      });
    }
    is_changed |= is_progress;
  }
  for (const ConnectClause& clause : clauses)
    for (const ConnectorSide* side : {&clause.a, &clause.b})
      if (side->bus != nullptr)
        session_.error(
            "undeclared-bus-element",
            fmt::format("nothing tells what `{}` is", session_.evaluator->text(side->range)),
            side->range);
  std::erase_if(clauses, [](const ConnectClause& clause) {
    return clause.a.bus || clause.b.bus || clause.is_wrong;
  });
  return is_changed;
}

bool ExpandableBuses::remove_unused(const std::vector<Instance*>& instances) {
  bool is_changed = false;
  for (Instance* instance : instances)
    if (session_.classes->is_kind(*instance, syntax::ClassKind::kExpandableConnector))
      is_changed |= remove_unused(*instance);
  return is_changed;
}

}  // namespace hydae::modelica

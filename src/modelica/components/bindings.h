// The values that components are given: in their declaration, by modifiers, as a part of a record,
// or by the user.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "modelica/session.h"

namespace hydae::modelica {

// The part of a modifier's value that is for one element of the arrays of components around it.
Value split_over_arrays(Session& session, Value value, const IndexChain* indices, SourceRange range,
                        const std::string& what);

class Bindings {
 public:
  explicit Bindings(Session& session) : session_(session) {}

  const std::optional<Binding>& binding(Component& component);
  // The value bound to it, of the right type and sizes; null if there is none. Also the part of a
  // value bound to the record it belongs to.
  std::shared_ptr<const Value> binding_value(Component& component);
  bool has_record_binding(Component& component);
  // `value` as a value of the type and sizes of `component`.
  Value coerce(Value value, const Component& component, SourceRange range);

  // As it is written, of whatever type and sizes.
  Value evaluate_binding(Component& component, const Binding& binding);
  // The part for the component of a value bound to its record; null if there is none.
  std::shared_ptr<const Value> bound_in_record(Component& component);

 private:
  std::optional<Value> override_value(Component& component);
  Value parse_override(Component& component, const std::string& name, const std::string& text);

  Session& session_;
  // Values of modifiers of component arrays, evaluated once and then split.
  std::map<std::pair<const syntax::Expr*, const Instance*>, std::shared_ptr<const Value>>
      whole_values_;
};

}  // namespace hydae::modelica

// Components: their types, prefixes, conditions, sizes, bindings, attributes, and the values that
// stand for them in expressions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modelica/session.h"

namespace hydae::modelica {

class Components {
 public:
  explicit Components(Session& session) : session_(session) {}

  // Type and prefixes are known afterwards.
  void resolve(Component& component);
  // Condition, sizes and sub-instances are known afterwards; of an outer component its target.
  void expand(Component& component);
  // The component that an outer one stands for, or itself.
  Component& real(Component& component);

  // The value that stands for the component in expressions: numbers for constants, parameter or
  // variable nodes otherwise. Only for predefined types.
  const Value& value(Component& component);

  const std::optional<Binding>& binding(Component& component);
  // The value bound to it, of the right type and sizes; null if there is none. Also the part of a
  // value bound to the record it belongs to.
  std::shared_ptr<const Value> binding_value(Component& component);

  // An attribute such as `start`, one cell per element; nothing if it is not given.
  struct Attribute {
    Value value;
    SourceRange range;
    Instance* scope = nullptr;
    // Of the element at a row-major position; one cell is for all of them.
    NodeId cell(std::int64_t position) const {
      return value.cells.size() == 1 ? value.cells.front()
                                     : value.cells.at(static_cast<std::size_t>(position));
    }
  };
  std::optional<Attribute> attribute(Component& component, Symbol name);
  bool boolean_attribute(Component& component, std::int64_t position, Symbol name, bool otherwise);

  // Dimensions as written: of the declaration, of its clause, of its type.
  std::vector<WrittenSizes> written_sizes(const Component& component) const;

  std::string path(const Component& component) const;  // "engine.shaft[2].phi"
  std::string path(const Instance& instance) const;    // "engine.shaft[2]", "" at the top
  // "[2,1]" of the element at row-major position `linear`.
  std::string subscript(const Component& component, std::int64_t linear) const;

  // `value` as a value of the type and sizes of `component`.
  Value coerce(Value value, const Component& component, SourceRange range);

 private:
  struct AttributeMod {
    const ModNode* mod;
    Instance* scope;
    const IndexChain* indices;
    bool is_of_type;  // given in the type: it is for each element
  };

  void resolve_prefixes(Component& component);
  void resolve_type(Component& component);
  void expand_outer(Component& component);
  Component& add_missing_inner(Component& component);
  void expand_condition(Component& component);
  void expand_sizes(Component& component);
  void expand_instances(Component& component);
  void check_recursion(const Component& component);
  Dimension dimension(const syntax::Expr& subscript, Instance& scope, const Component& component);
  void infer_sizes(Component& component, const std::vector<std::size_t>& unknown);
  std::optional<AttributeMod> find_attribute(Component& component, Symbol name);
  Value evaluate_binding(Component& component, const Binding& binding);
  Value split(Value value, const IndexChain* indices, SourceRange range, const std::string& what);
  std::shared_ptr<const Value> bound_in_record(Component& component);
  bool has_record_binding(Component& component);
  void make_value(Component& component);
  Value make_nodes(Component& component, bool is_parameter);
  bool is_shared_part(const Component& component) const;
  Value known_value(Component& component);
  void check_constant(const Component& component, const Value& bound);
  std::optional<Value> override_value(Component& component);
  Value parse_override(Component& component, const std::string& name, const std::string& text);

  Session& session_;
  // Values of modifiers of component arrays, evaluated once and then split.
  std::map<std::pair<const syntax::Expr*, const Instance*>, std::shared_ptr<const Value>>
      whole_values_;
};

}  // namespace hydae::modelica

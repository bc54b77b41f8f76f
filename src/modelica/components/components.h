// Components: their types, prefixes, conditions, sizes, bindings, attributes, and the values that
// stand for them in expressions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modelica/components/bindings.h"
#include "modelica/session.h"

namespace hydae::modelica {

class Components {
 public:
  explicit Components(Session& session) : session_(session), bindings_(session) {}

  // Type and prefixes are known afterwards.
  void resolve(Component& component);
  // Condition, sizes and sub-instances are known afterwards; of an outer component its target.
  void expand(Component& component);
  // The component that an outer one stands for, or itself.
  Component& real(Component& component);

  // The value that stands for the component in expressions: numbers for constants, parameter or
  // variable nodes otherwise. Only for predefined types.
  const Value& value(Component& component);

  Bindings& bindings() { return bindings_; }

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

  Session& session_;
  Bindings bindings_;
};

}  // namespace hydae::modelica

// What stands for a component of a predefined type in expressions: numbers for constants, parameter
// or variable nodes otherwise.
#pragma once

#include "modelica/session.h"

namespace hydae::modelica {

class ComponentValues {
 public:
  explicit ComponentValues(Session& session) : session_(session) {}

  void make_value(Component& component);

 private:
  Value make_nodes(Component& component, bool is_parameter);
  bool is_shared_part(const Component& component) const;
  Value known_value(Component& component);
  void check_constant(const Component& component, const Value& bound);

  Session& session_;
};

}  // namespace hydae::modelica

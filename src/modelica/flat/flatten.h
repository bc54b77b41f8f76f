// From a class to the flat model: instantiate every component, collect connections, stamp
// equations.
#pragma once

#include <vector>

#include "modelica/session.h"

namespace hydae::modelica {

// Components with values of their own, in the order of declaration, parents before their parts.
using ComponentOrder = std::vector<Component*>;

class Flattener {
 public:
  explicit Flattener(Session& session) : session_(session) {}

  // Fills session.flat; what is wrong is in the diagnostics.
  void run(Element& model_class);
  const ComponentOrder& order() const { return order_; }
  // Every instance of the model, parents before their parts.
  const std::vector<Instance*>& instances() const { return instances_; }

 private:
  void walk_model();
  void connect();
  void walk(Instance& instance);
  void walk_component(Component& component);
  void check_class(const Component& component);
  void check_place(const Component& component, const ClassDef& cls);
  void check_flows(const Instance& connector);
  void bind(Component& component);
  std::vector<Instance*> parts_of(Instance& instance);

  Session& session_;
  ComponentOrder order_;
  std::vector<Instance*> instances_;
};

}  // namespace hydae::modelica

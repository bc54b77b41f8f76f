// Where a scalar belongs: records and connectors are parts of the model or block that declares
// them, so a scalar inside them is counted there (Modelica 3.6, 4.8).
#pragma once

#include "modelica/flat/flat.h"
#include "modelica/flat/flatten.h"
#include "modelica/session.h"

namespace hydae::modelica {

struct Home {
  Instance* model = nullptr;             // the nearest instance that is no record or connector
  const Component* part = nullptr;       // component of `model` that the scalar is, or is in
  const Component* connector = nullptr;  // outermost connector around it, or itself; null: none
  bool is_public = true;                 // `part` is
};

Home home_of(Session& session, const Component& component);
// The nearest instance around (or itself) that is no record or connector.
Instance* model_of(Session& session, Instance* instance);
// The model or block that `model` is a component of; null for the model that is built.
Instance* parent_of(Session& session, const Instance& model);

// A flow variable, or an input, of a public connector: determined from outside of its model.
bool is_given_from_outside(const Home& home, const Component& component);

// A part of the model itself, or of a public connector of it.
bool is_of_interface(Session& session, const Component& component);

// The scalars of inputs or outputs of the model itself that vary.
std::vector<Cell> interface_cells(Session& session, const ComponentOrder& order,
                                  syntax::Causality causality);
std::vector<VarId> output_variables(Session& session, const ComponentOrder& order);

}  // namespace hydae::modelica

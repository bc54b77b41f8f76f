// The scalars of a value, whatever its structure.
#pragma once

#include "modelica/expressions/value.h"

namespace hydae::modelica {

// visit(cell, type) for all of them, those of fields included, in order.
template <class Visit>
void for_each_cell(const Value& value, const Visit& visit) {
  for (const NodeId cell : value.cells) visit(cell, value.type);
  for (const Field& field : value.fields)
    if (field.value != nullptr) for_each_cell(*field.value, visit);
}

// replace(cell, type) in the place of each.
template <class Replace>
void replace_cells(Value& value, const Replace& replace) {
  for (NodeId& cell : value.cells) cell = replace(cell, value.type);
  for (Field& field : value.fields) {
    if (field.value == nullptr) continue;
    auto copy = std::make_shared<Value>(*field.value);
    replace_cells(*copy, replace);
    field.value = std::move(copy);
  }
}

}  // namespace hydae::modelica

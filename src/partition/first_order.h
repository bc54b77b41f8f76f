// The equations of a model in first-order form, F(y', y, t) = 0: where der(x, 2) occurs, der(x) is
// a variable of its own with an equation that defines it. Every column is a variable of the graph
// ("symbol"): y_j is its leaf of order 0, y_j' its leaf of order 1, and no higher orders occur.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <hydae/partition.h>

#include "compile/system.h"

namespace hydae::partition {

struct SystemRow {
  NodeId residual;
  SystemEquation::Kind kind = SystemEquation::Kind::kGiven;
  std::string name;
  EqId given;  // kGiven: position among the continuous equations
  SourceRange source;
  std::vector<NodeId> lower;  // residuals before each differentiation
  // The column that this row determines, settled when the derivative of the column is asked for: if
  // it changed, the same row would be differentiated again for another column.
  VarId determines{};
};

struct SystemColumn {
  VarId symbol;
  std::string name;
  VarId variable;  // of the model, and order of its derivative; none for auxiliary columns
  int order = 0;
  VarId rate_of;          // auxiliary: the column whose derivative this is
  bool is_input = false;  // a given function of time, or a derivative that nothing determines yet
};

struct FirstOrderSystem {
  const Model* model = nullptr;
  IdVector<EqId, SystemRow> rows;
  IdVector<VarId, SystemColumn> columns;
  std::map<VarId, VarId> symbol_to_column;
  std::map<VarId, VarId> column_to_rate;  // auxiliary columns, by what they are the derivative of

  Graph& graph() const { return model->graph(); }
  std::optional<VarId> find_column(VarId symbol) const;
  VarId add_column(SystemColumn column);  // with a new symbol if it has none
  // The derivative of something that is not an input, used in a differentiated constraint before
  // anything determined it.
  bool is_pending(VarId column) const;
  NodeId value(VarId column) const { return graph().variable(columns[column].symbol, 0); }
  NodeId rate(VarId column) const { return graph().variable(columns[column].symbol, 1); }
  std::string to_string(NodeId root, std::size_t max_length) const;
};

// `is_input`: by variable of the model. Derivatives of an input are inputs too.
FirstOrderSystem make_first_order(const System& system, const std::vector<bool>& is_input);

}  // namespace hydae::partition

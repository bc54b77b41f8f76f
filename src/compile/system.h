// The continuous equations of a model in one mode: residuals over unknowns, all switches resolved.
// Columns of the structure number the unknowns; the graph numbers all variables of the model, those
// that events determine included. A repair may change residuals and append unknowns and equations.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <hydae/model.h>

#include "compile/observed.h"
#include "expr/switches.h"
#include "structure/signature.h"

namespace hydae {

struct System {
  const Model* model = nullptr;
  std::shared_ptr<Graph> nodes;      // that of the model or an extension of it
  IdVector<EqId, NodeId> residuals;  // all to be zero
  IdVector<EqId, std::string> equation_names;
  IdVector<EqId, SourceRange> equation_sources;
  IdVector<VarId, VarId> unknowns;  // column -> variable of the graph
  IdVector<VarId, std::string> unknown_names;

  Graph& graph() const { return *nodes; }
  std::optional<VarId> find_column(VarId variable) const;
  // A column with a new variable of the graph, whose guess is `definition`; the name may get a `_`.
  VarId add_unknown(std::string name, NodeId definition);
  EqId add_equation(NodeId residual, std::string name);
  std::string to_string(NodeId root) const;

  std::vector<std::optional<VarId>> columns;  // variable of the graph -> column
  std::map<VarId, NodeId> definitions;        // guesses of variables that a repair has added
  // Values of parameters at which the structure is checked, those behind the parameters of the
  // model included; empty: the parameters of the model.
  std::vector<double> table;
};

// True for an equation that determines a discrete variable: it belongs to events.
bool is_discrete_equation(const Model& model, const Equation& equation);

// Whether an expression changes between events. Relations, sample() and counters do not.
bool varies_between_events(const Model& model, NodeId root);

// The relations that the continuous equations switch on, in document order.
std::vector<NodeId> system_relations(const Model& model);

// Residuals of the continuous equations, abs, min, ... written with select and silent relations.
std::vector<NodeId> continuous_residuals(const Model& model);
// But for those of observed variables, without terms that are zero (zero_terms.h).
std::vector<NodeId> solved_residuals(const Model& model, const Observed& observed);

// Mode: truth of system_relations(), in their order.
System make_system(const Model& model, const std::vector<bool>& mode);
// With residuals that somebody else has resolved, one for each of solved_residuals(), in the graph
// of the model or an extension of it.
System make_system(const Model& model, std::shared_ptr<Graph> nodes, std::vector<NodeId> residuals,
                   const Observed& observed = {});

structure::SignatureMatrix signature_of(const System& system);

}  // namespace hydae

// The flat model while it is made: scalar variables and parameters in the order they are first
// used, equations and the rest as nodes of one graph. `lower` turns it into the Model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <hydae/model.h>

#include "modelica/classes/instance.h"

namespace hydae::modelica {

// One scalar of a component.
struct Cell {
  Component* component = nullptr;
  std::int64_t position = 0;
};

struct FlatEquation {
  NodeId lhs, rhs;
  const Instance* instance = nullptr;  // where it was written
  SourceRange source;
  bool is_flow_sum = false;  // of a connection set: 0 = sum of flows
  // A discrete side may equal one that changes at any time: the fields of a record are judged as a
  // whole (3.8.4), the statements of an algorithm one by one.
  bool allows_any_variability = false;
  bool is_of_input = false;  // the start value of an input of the model
};

struct FlatAction {
  WhenAction::Kind kind = WhenAction::Kind::kAssign;
  NodeId target, value;
  std::string message;
  bool is_warning = false;
  SourceRange source;
};

struct FlatWhenBranch {
  std::vector<NodeId> conditions;
  std::vector<FlatAction> actions;
};

struct FlatWhen {
  std::vector<FlatWhenBranch> branches;
  const Instance* instance = nullptr;
  SourceRange source;
};

struct FlatAssertion {
  NodeId condition;
  std::string message;
  bool is_warning = false;
  SourceRange source;
};

// lhs <= rhs or lhs = rhs along the path: for optimisation and partitioning.
struct FlatPathConstraint {
  NodeId lhs, rhs;
  bool is_equality = false;
  SourceRange source;
};

// pre(v) outside of when-clauses: good for what changes at events only.
struct VariableUse {
  VarId variable;
  SourceRange source;
};

// A variable that stands for no component: the condition of a when-clause in an algorithm.
struct HelperVariable {
  std::string name;
  VariableKind kind = VariableKind::kBoolean;
  SourceRange source;
};

class FlatModel {
 public:
  VarId add_variable(Cell cell) { return variables.push_back(cell); }
  ParamId add_parameter(Cell cell) { return parameters.push_back(cell); }

  IdVector<VarId, Cell> variables;  // without component: a helper
  std::map<VarId, HelperVariable> helpers;
  IdVector<ParamId, Cell> parameters;
  std::vector<FlatEquation> equations;
  std::vector<FlatEquation> initial_equations;
  std::vector<FlatWhen> whens;
  std::vector<FlatAssertion> assertions;
  std::vector<FlatPathConstraint> path_constraints;
  std::vector<VariableUse> pre_uses, der_uses;  // variables in pre() and der()
  IdVector<FunctionId, Function> functions;
  std::map<std::string, FunctionId> natives;  // those of `functions` that external.h provides
};

}  // namespace hydae::modelica

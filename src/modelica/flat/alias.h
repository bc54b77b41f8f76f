// Aliases: equations a = b and a = -b between two variables of one kind. The variables of a class
// of aliases become one; the others keep their names.
#pragma once

#include <optional>
#include <vector>

#include "modelica/flat/flat.h"
#include "modelica/session.h"

namespace hydae::modelica {

struct EqualVariables {
  VarId a, b;
  bool is_negative = false;  // a = -b
};

// The two variables of an equation a = b or a = -b.
std::optional<EqualVariables> find_equal_variables(Graph& graph, const FlatEquation& equation);

struct AliasOf {
  VarId variable;  // representative
  bool is_negative = false;
};

class Aliases {
 public:
  // `kinds` and `rank` by variable: the variable of lowest rank represents its class.
  Aliases(Session& session, const IdVector<VarId, VariableKind>& kinds,
          const IdVector<VarId, std::vector<int>>& rank);

  AliasOf operator[](VarId variable) const { return classes_[variable]; }
  // The equation was used up by making two variables one.
  bool is_used(std::size_t equation) const { return used_[equation]; }
  const std::vector<VarId>& members(VarId representative) const { return members_[representative]; }

 private:
  struct Root {
    VarId variable;
    bool is_negative;
  };
  Root find(VarId variable);
  bool join(const FlatEquation& equation, const IdVector<VarId, VariableKind>& kinds);

  Session& session_;
  IdVector<VarId, AliasOf> parent_;
  IdVector<VarId, AliasOf> classes_;
  IdVector<VarId, std::vector<VarId>> members_;
  std::vector<bool> used_;
};

}  // namespace hydae::modelica

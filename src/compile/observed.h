// Observed variables: seen in the results, acting on nothing. One equation gives such a variable
// explicitly, by values of the same instant, and no other equation, initial equation, relation,
// when-clause or assertion reads it, but for equations of other observed variables. The solvers do
// without them; their values are computed where somebody looks. A current i that starts at zero may
// so have the effective value sqrt(i^2), which has no derivative there.
//
// An equation with a relation that makes events stays with the solvers, which look for its events.
// docs/math/observed.md.
#pragma once

#include <span>
#include <vector>

#include <hydae/model.h>

namespace hydae {

struct ObservedVariable {
  VarId variable;
  EqId equation;
  NodeId value;  // of time, parameters, discrete variables and variables that are solved for
};

struct Observed {
  std::vector<ObservedVariable> variables;  // in the order of the model
  IdVector<VarId, bool> is_observed;        // by variable of the model; empty: none is
  IdVector<EqId, bool> is_left_out;         // by equation of the model; empty: none is

  bool contains(VarId variable) const { return is_true(is_observed, variable); }
  bool contains(EqId equation) const { return is_true(is_left_out, equation); }

 private:
  template <class Id>
  static bool is_true(const IdVector<Id, bool>& flags, Id id) {
    return id.index() < flags.size() && flags[id];
  }
};

// `needed`: variables that somebody else asks for.
Observed find_observed(const Model& model, std::span<const VarId> needed = {});

}  // namespace hydae

// Index reduction: a prepared system of any index as an equivalent one of index at most one, in the
// form F(t, y, y') = 0 that BDF methods solve. Every equation is kept with all its derivatives up
// to order c_i; of each set of constraints some derivatives become algebraic unknowns (dummy
// derivatives, structure/dummy_derivatives.h), so no constraint can drift. Of the unknowns those
// that an equation gives explicitly, alone or by tearing a loop, are assigned instead of iterated,
// and those of linear equations are solved for by themselves. Where that leaves the states only,
// the system is an ordinary differential equation.
// docs/math/index-reduction.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compile/analyzed_system.h"
#include "structure/dummy_derivatives.h"

namespace hydae {

// Where the value of x_j^(l) comes from.
struct LeafPlace {
  enum class Kind : std::uint8_t {
    kValue,       // y[index]
    kDerivative,  // y'[index]: the first derivative of the highest state of its variable
    kAssigned,    // assignments[index]
  };
  Kind kind = Kind::kValue;
  std::uint32_t index = 0;
};

struct Unknown {
  Leaf leaf;  // of the graph
  VarId column;
  bool is_state = false;
};

struct Assignment {
  Leaf leaf;
  NodeId value;  // of unknowns and their derivatives only
};

// y'[state] = y[next]: both are derivatives of one variable.
struct ChainRow {
  std::uint32_t state, next;
};

struct ReducedEquation {
  NodeId residual;  // assignments put in
  EqId equation;    // of the prepared system
  int order = 0;    // how often differentiated
};

struct Reduced {
  structure::StateSelection selection;
  std::vector<Unknown> unknowns;  // states, other iterated ones, solved ones
  std::vector<ChainRow> chains;
  std::vector<ReducedEquation> equations;  // iterated, then solved: with the chains one per unknown
  std::vector<Assignment> assignments;
  IdVector<VarId, std::uint32_t> first_place;  // by column: x_j, x_j', ..., x_j^(d_j)
  std::vector<LeafPlace> places;

  std::size_t num_states = 0;
  // Unknowns and equations from here on are solved apart: the equations are together linear in the
  // unknowns and, if it is an ODE, in y' of the highest states.
  std::size_t num_iterated = 0, num_iterated_equations = 0;
  bool is_ode = false;  // no equation is iterated, and no unknown but the states
  LeafPlace place(VarId column, int order) const {
    return places[first_place[column] + static_cast<std::size_t>(order)];
  }
};

struct ReduceOptions {
  bool assign = true;                    // false: every unknown is left to the solver
  bool solve_linear = true;              // apart
  bool allow_ode = true;                 // false: y' of the states is never solved for
  std::span<const double> parameters{};  // values, to see which coefficients vanish
};

Reduced reduce(const AnalyzedSystem& prepared, structure::StateSelection selection,
               const ReduceOptions& options);

}  // namespace hydae

// Dummy derivatives: which variables and derivatives to keep as states of the index-reduced system.
// All differentiated equations are kept; for each of them one derivative becomes an algebraic
// unknown (a dummy). In each fine block, from the highest level of differentiation down: of the
// equations that were differentiated more than s times, choose as many columns of their Jacobian,
// among those chosen one level above, that form a nonsingular matrix; x_j^(d_j - s) of these
// columns become dummies. Since choices are nested, the states of variable j are x_j, x_j', ... up
// to some order. (Mattsson & Soederlind 1993.)
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <hydae/ids.h>

#include "structure/analysis.h"
#include "structure/scheme.h"

namespace hydae::structure {

// One choice: `eqs` and the candidate columns, at least as many. The Jacobian entries are those of
// the system Jacobian, whatever the level.
struct DummyChoice {
  BlockId block;
  int level = 0;                      // s
  std::span<const EqId> eqs;          // differentiated more than s times
  std::span<const VarId> candidates;  // x_j^(d_j - s)
};

// Returns as many of the candidates as there are equations, such that the columns are independent.
using ChooseDummies = std::function<std::vector<VarId>(const DummyChoice&)>;

// How much x_j^(order) is wanted as a state; the higher, the more. Modelica's StateSelect counts
// from -2 (never) over 0 (default) to 2 (always).
using StatePreference = std::function<int(VarId, int order)>;

struct StateSelection {
  // States of variable j: the derivatives of order 0 .. num_states[j] - 1. Dummies: those of order
  // num_states[j] + 1 .. d_j.
  IdVector<VarId, int> num_states;

  std::vector<VarOrder> states() const;
  std::vector<VarOrder> dummies(const Offsets& offsets) const;
};

// The analysis must be well posed. Throws InternalError if `choose` returns what it must not.
StateSelection select_states(const Analysis& analysis, const ChooseDummies& choose);

// Chooses by structure alone: independent means matched by entries of the system Jacobian. Among
// all choices of one level the states with the least preference become dummies; of equal ones those
// with the highest variable number. `analysis` must outlive the result.
ChooseDummies choose_by_structure(const SignatureMatrix& sigma, const Analysis& analysis,
                                  StatePreference preference = {});

}  // namespace hydae::structure

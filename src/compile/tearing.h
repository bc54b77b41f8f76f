// Which unknowns do equations give explicitly? Equations are taken in an order in which all but one
// of their unknowns are known; where a loop leaves no such equation, one unknown of it is declared
// known (torn) and stays with the solver (Elmqvist & Otter 1994). An equation is solved for an
// unknown only if it is linear in it and the coefficient is a number other than zero for the whole
// run, so that an assignment is never undefined where its equation is not.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <hydae/expr.h>

namespace hydae {

struct TearingInput {
  Graph* graph = nullptr;
  std::vector<NodeId> rows;
  // Stage of a row (order of differentiation less c_i) and of a leaf (order less d_j). A row is
  // solved for leaves of its own stage only: a position comes from a constraint, never from the
  // equation of motion, where it would inherit the noise of a numerical derivative.
  std::vector<int> row_stage, leaf_stage;
  std::vector<bool> is_known;  // by leaf number
  // Number of a leaf; none if it is not one of the system.
  std::function<std::optional<std::uint32_t>(Leaf)> leaf_number;
  std::span<const double> parameters;  // values
  std::size_t num_parameters = 0;      // those that do not change at events
};

struct ExplicitRow {
  std::size_t row = 0;
  std::uint32_t leaf = 0;
  NodeId value;  // of known leaves and leaves of earlier explicit rows
};

// In the order of assignment. An unknown whose expression would spread too many dependences is left
// with the solver: assigned, it would fill the Jacobian.
std::vector<ExplicitRow> find_explicit(const TearingInput& input);

}  // namespace hydae

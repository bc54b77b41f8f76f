// Which unknowns come from linear equations? Of a system that gives as many unknowns as it has
// rows, those rows and unknowns are found that one factorisation solves: together linear, with
// coefficients that depend on what is given only. docs/math/index-reduction.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <hydae/expr.h>

namespace hydae {

struct LinearQuestion {
  const Graph* graph = nullptr;
  std::vector<NodeId> rows;
  // Number of a leaf among the unknowns, below rows.size(); none if it is given.
  std::function<std::optional<std::uint32_t>(Leaf)> unknown_number;
  // The leaf does not change but at events.
  std::function<bool(Leaf)> is_held;
  std::vector<bool> is_derivative;  // by unknown: the derivative of a state
  bool may_be_all = true;
};

struct LinearPart {
  bool is_all = false;                     // every row and every unknown
  std::vector<bool> has_row, has_unknown;  // if not: algebraic unknowns only
};

// Blocks of the block triangular form with coefficients that change all the time are taken up to a
// certain size, since they are factorised at every evaluation.
LinearPart find_linear_part(const LinearQuestion& question);

}  // namespace hydae

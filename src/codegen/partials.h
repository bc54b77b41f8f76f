// Which operands a series or residual depends on linearly at its own order, and by what factor.
#pragma once

#include "codegen/stage_tape.h"

namespace hydae::codegen {

// Calls add(Edge) for every operand of `form` and of series number `id`; the caller keeps the
// active.
template <class Add>
void visit_partials(const Form& form, Add&& add) {
  using Rule = Partial::Rule;
  for (const LinearTerm& t : form.linear) add(Edge{{Rule::kNumber, t.factor}, t.series});
  for (const ProductTerm& t : form.products) {
    add(Edge{{Rule::kTimes, t.factor, t.right}, t.left});
    add(Edge{{Rule::kTimes, t.factor, t.left}, t.right});
  }
}

std::vector<Edge> partials(FusedTape& tape, SeriesId id);

}  // namespace hydae::codegen

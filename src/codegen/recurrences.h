// What a recurrence of power series is beside its kernel (kernels.cc, which is compiled once per
// kind of processor): the value of order 0, on which operands a series depends linearly at its own
// order and by what factor, how errors of order 0 go on, its text. One struct per recurrence in
// recurrences.cc.
#pragma once

#include <vector>

#include "codegen/kernels.h"
#include "codegen/stage_tape.h"

namespace hydae::codegen {

// Of one series and of the second result, if it is a pair.
struct Gradient {
  double first = 0, second = 0;
};

struct Recurrence {
  // Order 0. False if the function is undefined there: not differentiable, or its value not finite.
  bool (*at_zero)(const Instr& instr, double* data) = nullptr;
  // The operands of a series; the caller keeps the active.
  std::vector<Edge> (*partials)(FusedTape& tape, SeriesId id) = nullptr;
  // |dv/da| error of a + ..., to first order; of the second result of a pair.
  double (*error)(const Instr& instr, const double* data, const double* errors) = nullptr;
  double (*second_error)(const Instr& instr, const double* data, const double* errors) = nullptr;
  // Adds the gradient of the result times the partial derivatives to those of the operands.
  void (*pull)(const Instr& instr, const double* data, Gradient by, double* gradients) = nullptr;
  const char* text = nullptr;  // {a}, {b}: operands; {next}: its second result
  // Its coefficients may not show how it will change; or not at all, for a while (sleeping.h).
  bool can_be_flat = false, can_sleep = false;
};

const Recurrence& recurrence(SeriesOp op);

// Calls add(Edge) for every operand of a form.
template <class Add>
void visit_partials(const Form& form, Add&& add) {
  using Rule = Partial::Rule;
  for (const LinearTerm& t : form.linear) add(Edge{{Rule::kNumber, t.factor}, t.series});
  for (const ProductTerm& t : form.products) {
    add(Edge{{Rule::kTimes, t.factor, t.right}, t.left});
    add(Edge{{Rule::kTimes, t.factor, t.left}, t.right});
  }
}

// Running error analysis of order 0: errors[place] of the result, at the places of its values, from
// those of the operands and its own rounding.
void add_error_at_zero(const Instr& instr, const double* data, double* errors);

// What the rounding of an operation, as far as it is its own, makes of the output that the gradient
// belongs to: before the gradient is pulled to its operands.
double rounding_at_zero(const Instr& instr, const double* data, const double* gradients);

// The gradient, backwards from a result to its operands: it knows that (t - 1e7) x, multiplied out,
// moves with x by t - 1e7 only, which bounds of the single terms do not. gradients[place] of the
// operands grow; those of the result are taken away. A series has two places, and its gradient is
// the sum of both.
void pull_gradient_at_zero(const Instr& instr, const double* data, double* gradients);

}  // namespace hydae::codegen

// Taylor coefficients of expressions in interval arithmetic: the output part of a tape as in
// output_expansion.h, on series whose coefficients are intervals. Over a neighbourhood of a centre,
// coefficient n contains g^(n)(t) h^n / n! for every t of it: Lagrange's remainder of a polynomial
// of degree n - 1, as a proof and not as an estimate. Numbers of the model count as they are
// stored.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "codegen/linked_tape.h"
#include "codegen/output_cone.h"
#include "poly/interval.h"

namespace hydae::codegen {

class IntervalExpansion {
 public:
  using Interval = poly::Interval;

  // Coefficients 0 .. num_coefficients - 1.
  IntervalExpansion(std::shared_ptr<const Program> program, int num_coefficients);

  int num_coefficients() const { return size_; }
  void set_parameters(std::span<const double> values);

  std::span<const int> inputs_of(int output) { return cones_.of(output).inputs; }
  // It goes through a function that exists as code: nothing is known of it.
  bool has_code(int output) { return cones_.of(output).has_code; }

  // time = centre + width tau.
  void set_time(Interval centre, Interval width);
  // num_coefficients() of them, to be filled in before expand().
  std::span<Interval> input(int variable);
  // Where nothing can be said of a coefficient it is the whole line. Valid until the next call.
  std::span<const Interval> expand(int output);

 private:
  std::shared_ptr<const Program> program_;
  LinkedTape tape_;
  OutputCones cones_;
  int size_;
  std::vector<double> scalars_;
  std::vector<Interval> data_;
};

}  // namespace hydae::codegen

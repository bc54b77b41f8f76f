// Series of expressions whose variables have given series: the output part of a tape alone, at any
// centre, with no equation to solve. What a solver of any kind knows over a step as polynomials
// goes in, guards and delayed signals come out, each for itself: an output costs what it reads.
//
//     OutputExpansion outputs(program, 20);       // a program of given variables (program.h)
//     outputs.set_time(t, h);
//     for (int j : outputs.inputs_of(k)) fill(outputs.input(j));
//     if (outputs.expand(k)) ... outputs.series(k) in tau = (time - t) / h ...
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "codegen/linked_tape.h"
#include "codegen/output_cone.h"

namespace hydae::codegen {

class OutputExpansion {
 public:
  OutputExpansion(std::shared_ptr<const Program> program, int num_coefficients);

  int num_coefficients() const { return size_; }
  int num_inputs() const { return program_->num_variables(); }
  void set_parameters(std::span<const double> values);

  // Variables that output k reads.
  std::span<const int> inputs_of(int output) { return cones_.of(output).inputs; }
  // It goes through a function that exists as code: its series is good for low orders only.
  bool has_code(int output) { return cones_.of(output).has_code; }

  // It goes through functions that are as good as constant for a while (sleeping.h).
  bool can_sleep(int output) { return !cones_.of(output).sleepers.empty(); }

  // tau = (time - centre) / width.
  void set_time(double centre, double width);
  // num_coefficients() of them, to be filled in before expand(); one before evaluate().
  std::span<double> input(int variable);

  // All coefficients. False where an operation has none: the root of zero, a quotient by zero.
  bool expand(int output);
  // The value alone, as the operations give it; NaN or infinite where it is undefined.
  double evaluate(int output);
  std::span<const double> series(int output) const;
  // Behind expand(): where the first function that sleeps at the centre begins to change, at
  // most 1.
  double first_change(int output);
  // Behind evaluate() or expand(): what errors of the inputs, of time and of rounding make of the
  // value, to first order: the gradient times the errors, the rounding of each operation included
  // (where a derivative is infinite, running error analysis).
  double error_of_value(int output, std::span<const double> input_errors, double time_error);

 private:
  double running_error(const OutputCone& cone, int output, std::span<const double> input_errors,
                       double time_error);
  void measure(const OutputCone& cone, int output);
  void copy_backwards(const OutputCone& cone, int count);

  std::shared_ptr<const Program> program_;
  LinkedTape tape_;
  OutputCones cones_;
  int size_;
  std::vector<double> data_, scalars_, errors_, gradients_;
  int measured_ = -1;  // the output whose gradient and rounding are at hand
  double rounding_ = 0;
};

}  // namespace hydae::codegen

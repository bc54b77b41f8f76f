// The outputs of a mode (guards, exits of sliding, delayed signals) over one accepted step, whoever
// made it: as series about any place of the step, and as values. The solution is a set of
// polynomials over the step; the output part of the tape runs on them, re-centred. No equation is
// solved again. Places are parts of the step: 0 is its start, 1 its end.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codegen/output_expansion.h"
#include "compile/taylor_lowering.h"
#include "poly/interpolate.h"
#include "sim/step_enclosure.h"

namespace hydae {

// A variable or derivative over the step.
struct LeafOverStep {
  // Ascending powers of the place. Empty: no polynomial is known, only values.
  std::vector<double> coefficients;
  // What is known of the error that this step makes in it: at most `error` at the end, and
  // growing with the place like its power `error_order`.
  double error = 0;
  int error_order = 0;
  // The next step begins with its value. Else it is computed anew from such leaves, and what the
  // step has made of it ends with the step.
  bool is_carried = true;
  // What rounding makes of it beyond its last digit: a small difference of large numbers.
  double rounding = 0;
};

class LeafSource {
 public:
  virtual ~LeafSource() = default;
  // Asked at most once per step: the coefficients.
  virtual void read(std::size_t leaf, LeafOverStep& over_step) = 0;
  // Behind it, for leaves that a guard near zero reads: the errors.
  virtual void measure(std::size_t leaf, LeafOverStep& over_step) = 0;
  virtual double value(std::size_t leaf, double place) = 0;
};

class StepOutputs {
 public:
  explicit StepOutputs(OutputProgram program);

  const std::vector<codegen::JetEntry>& leaves() const { return leaves_; }
  void set_parameters(std::span<const double> values);
  // A step from `from` to `to`. `source` must live as long as it is asked about.
  void begin(double from, double to, LeafSource& source);

  double from() const { return from_; }
  double to() const { return to_; }
  // The output goes through code: it has no series.
  bool has_code(std::size_t output) { return expansion_.has_code(static_cast<int>(output)); }
  // Coefficients of the output in tau, place = begin + width * tau; empty where it has no series:
  // the root of zero, code. Valid until the next call.
  std::span<const double> series(std::size_t output, double begin, double width);
  // Of the leaves of the last series(): they are no polynomials over it, and what interpolation
  // left of them is larger than their last digits.
  bool is_interpolation_poor() const { return is_poor_; }
  // Of the last series(): what interpolation has left of the leaves makes of the output.
  double interpolation_error(std::size_t output);
  // Whether functions in it may be as good as constant for a while; then how much of the part of
  // the last series() it takes to the first that wakes up: what its coefficients know nothing of.
  bool can_sleep(std::size_t output) { return expansion_.can_sleep(static_cast<int>(output)); }
  double awake_from(std::size_t output) {
    return expansion_.first_change(static_cast<int>(output));
  }
  double value(std::size_t output, double place);
  // What the errors that this step makes in the solution up to `place`, rounding and the
  // resolution of time make of the output: behind series() or value().
  double error(std::size_t output, double place);
  // Of error(), what the next step inherits: of leaves that it computes anew at most `rtol` of
  // them, as of what they are computed from.
  double inherited_error(std::size_t output, double place, double rtol);
  // Rounding alone.
  double rounding(std::size_t output);
  // The size of the terms that the output is computed from: of its leaves over the step, times what
  // it changes by with them.
  double size_of_terms(std::size_t output);
  std::span<const int> leaves_of(std::size_t output) {
    return expansion_.inputs_of(static_cast<int>(output));
  }
  // A set that contains the output over a part of the step. False where nothing can be proved:
  // code, or a leaf that has values only.
  bool enclose(std::size_t output, const EnclosedPart& part, OutputEnclosure& enclosure);

 private:
  const LeafOverStep& leaf(int input);
  const LeafOverStep& leaf_with_errors(int input);
  double error_of_leaf(int input, double place);
  double error_by_leaves(std::size_t output);
  void fill(int input, double begin, double width);
  void interpolate(int input, double begin, double width);

  std::shared_ptr<const codegen::Program> program_;
  codegen::OutputExpansion expansion_;
  std::vector<codegen::JetEntry> leaves_;
  std::vector<double> parameters_;
  std::optional<StepEnclosure> enclosure_;  // made when it is first asked for
  bool is_enclosure_current_ = false;       // its parameters and its step are those at hand
  LeafSource* source_ = nullptr;
  double from_ = 0, to_ = 0;
  bool is_poor_ = false;
  std::vector<LeafOverStep> over_step_;
  std::vector<char> is_read_, is_measured_;
  std::vector<double> local_, errors_;
  bool has_remainders_ = false;
  std::vector<double> remainders_;  // of the interpolated leaves of the last series()
};

}  // namespace hydae

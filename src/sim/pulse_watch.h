// Pulses inside of a step of BDF. Its error control compares values at the ends of steps: what is
// next to nothing at both of them and large in between it does not see. A function can be such a
// pulse where its argument has a hill: exp(u) if u has one, tanh(u) if |u| has a dip, 1/u likewise.
// The arguments are smooth where the functions are not, so their series over the step tell, as they
// do for the steps of the Taylor method (codegen/sleeping.h). docs/math/index-reduction.md.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "compile/system.h"
#include "sim/step_outputs.h"

namespace hydae {

class PulseWatch {
 public:
  enum class Shape { kExponential, kSigmoid, kReciprocal };

  // The equations of a mode.
  explicit PulseWatch(const System& system);

  // Arguments of functions that may be pulses: outputs that find() reads.
  std::span<const NodeId> arguments() const { return arguments_; }

  // Places in the step.
  struct Pulse {
    double begin = 0;    // the function is still small
    double top = 0;      // no longer
    double longest = 0;  // steps between the two, which see how it grows
  };
  // The first one whose top is inside of the step. `first_output`: place of the arguments.
  std::optional<Pulse> find(StepOutputs& outputs, std::size_t first_output);

 private:
  void read_values(StepOutputs& outputs, std::size_t first_output);
  bool may_have_hill(std::size_t k) const;
  std::optional<Pulse> find_in(StepOutputs& outputs, std::size_t output, std::size_t k) const;

  std::vector<NodeId> arguments_;
  std::vector<Shape> shapes_;                  // of the functions, by argument
  std::vector<std::array<double, 3>> values_;  // at the start, in the middle and at the end
};

// How BDF gets past a pulse: the step ends where it begins, and up to its top no step is longer
// than it takes to see how it grows.
class PulsePassage {
 public:
  explicit PulsePassage(const System& system) : watch_(system) {}

  // To be among the outputs of the steps, from `first` on.
  std::span<const NodeId> arguments() const { return watch_.arguments(); }
  void set_place(std::size_t first) { first_output_ = first; }

  // A new solution.
  void forget() { climb_.reset(); }
  // Where the step has to end at which BDF has got further; nothing if it is good as it is.
  std::optional<double> find_cut(StepOutputs& outputs);
  // Of a step from t.
  double end_of_step(double t, double limit) const;
  // Of the first step behind a cut.
  double first_step() const { return climb_ ? climb_->longest : 0; }

 private:
  struct Climb {
    double top = 0, longest = 0;  // as times
  };
  PulseWatch watch_;
  std::size_t first_output_ = 0;
  std::optional<Climb> climb_;
};

}  // namespace hydae

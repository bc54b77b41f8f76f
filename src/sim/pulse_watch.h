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

}  // namespace hydae

// The solution over a step of the Taylor method, as the outputs read it: its polynomials, and what
// their last terms say about their errors.
#pragma once

#include <vector>

#include "integrate/taylor_stepper.h"
#include "sim/step_outputs.h"

namespace hydae {

class TaylorLeaves : public LeafSource {
 public:
  // Over [stepper.time(), stepper.reach()], as they are when asked.
  TaylorLeaves(const integrate::TaylorStepper& stepper,
               const std::vector<codegen::JetEntry>& leaves)
      : stepper_(stepper), leaves_(leaves) {}

  void read(std::size_t leaf, LeafOverStep& over_step) override;
  void measure(std::size_t leaf, LeafOverStep& over_step) override;
  double value(std::size_t leaf, double place) override;

 private:
  const integrate::TaylorStepper& stepper_;
  const std::vector<codegen::JetEntry>& leaves_;
};

}  // namespace hydae

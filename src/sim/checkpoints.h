// The state of a run, taken out and put in. Whoever goes on from it comes to the same numbers, bit
// by bit, as the run that goes on itself: here, in another run, or from a file in another process.
#pragma once

#include "sim/active_solution.h"
#include "sim/method_choice.h"
#include "sim/saved_content.h"

namespace hydae {

class Checkpoints {
 public:
  Checkpoints(RunParts& parts, ActiveSolution& active, MethodChoice& choice)
      : parts_(parts), active_(active), choice_(choice) {}

  // The state where the run stands, complete.
  Outcome<HybridState> take();
  Outcome<Done> restore(HybridState state);
  // The same with what a file says about the model and the options.
  Outcome<SavedState> save();
  Outcome<Done> restore(const SavedContent& saved);

  // A state was put in, and no step was made since.
  bool is_fresh() const { return is_fresh_; }
  // A step is made: was it?
  bool leave() { return std::exchange(is_fresh_, false); }

 private:
  void read_point(HybridState& state) const;
  Outcome<Done> restore_series(const ModeSelector::Selected& selected);
  Outcome<Done> restore_bdf(const CompiledMode& mode);
  void write_numbers(SavedContent& saved) const;

  RunParts& parts_;
  ActiveSolution& active_;
  MethodChoice& choice_;
  bool is_fresh_ = false;
};

}  // namespace hydae

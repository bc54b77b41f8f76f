// Where a run starts: a state and a mode that agree, and their series; for BDF on a model without
// switches a consistent point.
#pragma once

#include <set>

#include "sim/active_solution.h"
#include "sim/hybrid_initializer.h"
#include "sim/method_choice.h"

namespace hydae {

class RunStart {
 public:
  RunStart(RunParts& parts, ActiveSolution& active) : parts_(parts), active_(active) {}

  // The solution begins there. Relations at their limits that have another value right behind the
  // start, or none that agrees. Throws ModelError if no mode that was tried is well posed.
  Outcome<std::set<std::size_t>> find(const MethodChoice& choice);

 private:
  Outcome<Done> find_point(HybridInitializer& initializer);
  void record_point(const HybridInitializer& initializer);

  RunParts& parts_;
  ActiveSolution& active_;
};

}  // namespace hydae

// Steps of BDF between events. Events belong to the Taylor method: where a guard, as a polynomial
// over a step of BDF, may vanish, the series take over shortly before, locate the event or find
// that there is none, and BDF starts again behind it.
#pragma once

#include "sim/method_choice.h"
#include "sim/step_guards.h"
#include "sim/step_method.h"

namespace hydae {

class BdfSteps final : public StepMethod {
 public:
  BdfSteps(RunParts& parts, ActiveSolution& active, MethodChoice& choice, StepGuards& guards)
      : parts_(parts), active_(active), choice_(choice), guards_(guards) {}

  Outcome<Step> advance(TimeEvent next) override;
  Outcome<Done> accept(const Step& step) override;

 private:
  Failure failure_after(double from);
  void meet_values();
  std::optional<Step> look_at_guards(double from);
  bool can_be_handed_over(double from, const Suspicion& part);
  bool is_held_up();
  bool can_be_rescued();

  RunParts& parts_;
  ActiveSolution& active_;
  MethodChoice& choice_;
  StepGuards& guards_;
  std::optional<double> rescued_at_;  // where the series took over since BDF had failed
  int num_rescues_ = 0;
  double last_step_ = 0;
};

}  // namespace hydae

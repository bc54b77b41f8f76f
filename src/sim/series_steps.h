// Steps of the Taylor method: expand, choose the step, look for events on its polynomials.
#pragma once

#include "sim/constraint_meter.h"
#include "sim/method_choice.h"
#include "sim/step_guards.h"
#include "sim/step_method.h"

namespace hydae {

class SeriesSteps final : public StepMethod {
 public:
  SeriesSteps(RunParts& parts, ActiveSolution& active, MethodChoice& choice, StepGuards& guards)
      : parts_(parts), active_(active), choice_(choice), guards_(guards) {}

  Outcome<Step> advance(TimeEvent next) override;
  Outcome<Done> accept(const Step& step) override;
  // Of equations that are differentiated, where steps began.
  double largest_constraint_residual() const { return constraints_.largest(); }

 private:
  Outcome<Step> give_up(Failure failure);
  Outcome<Step> end_at_singularity();
  std::optional<Crossing> crossing_at_once();
  Outcome<Step> pass_singularity(TimeEvent& next);
  void keep_before_singularity();
  Outcome<std::optional<Crossing>> find_crossing();

  RunParts& parts_;
  ActiveSolution& active_;
  MethodChoice& choice_;
  StepGuards& guards_;
  ConstraintMeter constraints_;
};

}  // namespace hydae

// delay(): the past of each delayed signal is kept as the polynomials of the steps taken; the
// equations read the one that is due. Where it ends, a step ends.
#pragma once

#include "sim/cause.h"
#include "sim/evaluation_context.h"
#include "sim/hybrid_state.h"
#include "sim/step_outputs.h"
#include "sim/taylor_solution.h"

namespace hydae {

class DelayMemory {
 public:
  explicit DelayMemory(const HybridModel& model);

  bool empty() const { return model_.delays().empty(); }
  // Before the start the signals have these values.
  void begin(double start, const std::vector<double>& values, HybridState& state) const;
  // A step becomes past up to the part `until`. A signal that is faster than the solution becomes
  // several pieces, each a series that is accurate to `rtol` of its size.
  struct Extent {
    double until = 1, rtol = 0;
  };
  void extend(StepOutputs& outputs, const CompiledMode& mode, const Extent& extent,
              HybridState& state) const;
  // After an event: signals that change at events only have their values until the next one. Then
  // pieces are to be chosen.
  bool hold(const TaylorSolution& solution, double t, HybridState& state) const;
  // The pieces that the equations read from now.t on, where the end of a piece may be the cause of
  // the event.
  void choose_pieces(const EvaluationContext& now, const Cause& cause, HybridState& state);
  // Whether a delay time that changes at events has left the piece that was chosen.
  bool have_jumped(const EvaluationContext& now, const HybridState& state);
  // Values of the signals at an instant, zero where they have none.
  std::vector<double> signals(const EvaluationContext& now);
  // time - lag of each delay.
  std::span<const double> past_times(const EvaluationContext& now) {
    return past_times_.evaluate(now);
  }

 private:
  PastPiece piece_due(std::size_t delay, double past, double slack, const Cause& cause,
                      const HybridState& state) const;
  bool is_held_signal(std::size_t delay) const;

  const HybridModel& model_;
  CompiledExpressions past_times_;  // time - lag of each delay
  CompiledExpressions signals_;
};

}  // namespace hydae

#include "sim/delay_memory.h"

#include <algorithm>
#include <cmath>

namespace hydae {
namespace {

std::vector<NodeId> past_time_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const Delay& delay : model.delays()) roots.push_back(delay.past);
  return roots;
}

}  // namespace

DelayMemory::DelayMemory(const HybridModel& model, double direction)
    : model_(model), direction_(direction), past_times_(model, past_time_roots(model)) {}

bool DelayMemory::is_held_signal(std::size_t delay) const {
  return model_.delays()[delay].is_held && direction_ > 0;
}

void DelayMemory::begin(double start, const std::vector<double>& values, HybridState& state) const {
  for (std::size_t k = 0; k < state.histories.size(); ++k) {
    state.histories[k].begin(start, values[k]);
    if (is_held_signal(k)) state.histories[k].hold(start, values[k]);
  }
}

void DelayMemory::extend(StepOutputs& outputs, const CompiledMode& mode, const Extent& extent,
                         HybridState& state) const {
  if (extent.until == 0) return;
  for (std::size_t k = 0; k < state.histories.size(); ++k) {
    if (is_held_signal(k)) continue;
    const PieceRequest request{extent.until, model_.delays()[k].num_coefficients, extent.rtol};
    for (const PastPiece& piece : pieces_of(outputs, mode.layout.delayed(k), request))
      state.histories[k].add(piece);
  }
}

bool DelayMemory::hold(const TaylorSolution& solution, double t, HybridState& state) const {
  bool has_held = false;
  for (std::size_t k = 0; k < state.histories.size(); ++k) {
    if (!is_held_signal(k)) continue;
    state.histories[k].hold(t, solution.delayed(k));
    has_held = true;
  }
  return has_held;
}

void DelayMemory::choose_pieces(const Instant& now, HybridState& state) {
  if (empty()) return;
  const auto past = past_times_.evaluate(now);
  state.pieces.resize(state.histories.size());
  for (std::size_t k = 0; k < state.histories.size(); ++k) {
    // A boundary that is reached but for rounding is passed.
    const double slack = 1e-14 * std::max(1.0, std::abs(now.t));
    state.pieces[k] = state.histories[k].at(past[k] + slack);
    if (model_.relations()[model_.delays()[k].upper].is_time_only)
      state.histories[k].forget_before(state.pieces[k].start);
  }
}

}  // namespace hydae

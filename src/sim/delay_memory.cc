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

std::vector<NodeId> signal_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const Delay& delay : model.delays()) roots.push_back(delay.argument);
  return roots;
}

// A piece is good a little beyond its ends: of its length, more than an event is located by.
constexpr double kBeyondEnds = 1e-9;

}  // namespace

DelayMemory::DelayMemory(const HybridModel& model)
    : model_(model),
      past_times_(model, past_time_roots(model)),
      signals_(model, signal_roots(model)) {}

bool DelayMemory::is_held_signal(std::size_t delay) const { return model_.delays()[delay].is_held; }

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
      state.histories[k].add(piece, extent.rtol);
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

// An event at the end of a piece has been located to an error: the cause says which piece is due.
PastPiece DelayMemory::piece_due(std::size_t delay, double past, double slack, const Cause& cause,
                                 const HybridState& state) const {
  const History& history = state.histories[delay];
  const Delay& bounds = model_.delays()[delay];
  // A delay time that jumps may be far behind the neighbour.
  const bool is_left = cause.relations.count(bounds.lower) != 0 && !state.pieces[delay].is_ahead &&
                       past >= history.before(state.pieces[delay].origin).start;
  PastPiece piece = is_left ? history.before(state.pieces[delay].origin) : history.at(past + slack);
  if (cause.relations.count(bounds.upper) != 0 && !state.pieces[delay].is_ahead)
    piece = history.at(std::max(past + slack, state.pieces[delay].end));
  const double length = std::min(piece.end - piece.start, std::abs(piece.scale));
  piece.start = std::min(piece.start, past) - kBeyondEnds * length;
  if (is_left) piece.end = std::max(piece.end, past) + kBeyondEnds * length;
  return piece;
}

void DelayMemory::choose_pieces(const EvaluationContext& now, const Cause& cause,
                                HybridState& state) {
  if (empty()) return;
  const auto past = past_times_.evaluate(now);
  if (state.pieces.size() < state.histories.size()) state.pieces.resize(state.histories.size());
  for (std::size_t k = 0; k < state.histories.size(); ++k) {
    // A boundary that is reached but for rounding is passed.
    const double slack = 1e-14 * std::max(1.0, std::abs(now.t));
    state.pieces[k] = piece_due(k, past[k], slack, cause, state);
    if (!model_.delays()[k].varies) state.histories[k].forget_before(state.pieces[k].origin);
  }
}

bool DelayMemory::have_jumped(const EvaluationContext& now, const HybridState& state) {
  const auto past = past_times_.evaluate(now);
  for (std::size_t k = 0; k < model_.delays().size(); ++k) {
    const PastPiece& piece = state.pieces[k];
    if (!model_.delays()[k].varies || piece.is_ahead) continue;
    const double slack = kBeyondEnds * std::min(piece.end - piece.start, std::abs(piece.scale));
    if (past[k] < piece.start - slack || past[k] > piece.end + slack) return true;
  }
  return false;
}

std::vector<double> DelayMemory::signals(const EvaluationContext& now) {
  const auto found = signals_.evaluate(now);
  std::vector<double> values(found.begin(), found.end());
  for (double& value : values)
    if (!std::isfinite(value)) value = 0;
  return values;
}

}  // namespace hydae

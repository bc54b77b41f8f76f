// Inputs of a model while it runs: each reads one polynomial at a time, a piece of its signal. The
// pieces are part of the state, behind those of delays; where one ends, a step ends and the next
// one is due.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include <hydae/simulate.h>

#include "sim/hybrid_state.h"
#include "sim/settings.h"
#include "sim/signal_curve.h"

namespace hydae {

// Throws UsageError for signals that are not of this model, or are none.
void check_signals(const Model& model, const std::vector<InputSignal>& signals);
// Coefficients of a piece that the signals of a run may read; zero if the inputs of the model keep
// their equations.
std::size_t num_input_coefficients(const Model& model, const SimulateOptions& options);
// With all that is said about inputs as signals, also what start values and a saved state say.
// Throws UsageError for an input with both a signal and a start value.
SimulateOptions with_signals(const Model& model, SimulateOptions options);
// Inputs without a signal get one that keeps what they have.
void add_missing_signals(const Model& model, SimulateOptions& options);

// "no signal for the inputs ...: they keep their start values"; empty if all have one.
std::string text_of_held_inputs(const Model& model, const SimulateOptions& options);

class InputDriver {
 public:
  InputDriver(const HybridModel& model, const RunSettings& settings,
              const SimulateOptions& options);

  // The pieces of the start.
  void begin(double t, HybridState& state) const;
  // Where the piece ends that an input reads.
  double end_of(std::size_t input, const HybridState& state) const;
  // Inputs whose values jump if the pieces that are due at t are chosen.
  std::set<std::size_t> jumps_at(double t, const HybridState& state) const;
  // The pieces that are due at t, in place of those that have ended.
  void choose(double t, HybridState& state);

  // From outside: the input has this value from the next choice, or the start, on. Of an input that
  // has it for good nothing is due.
  void set(std::size_t input, double value, const HybridState& state);
  bool has_due() const { return !due_.empty(); }
  void forget_due() { due_.clear(); }
  // Of a state that somebody else has saved: what differs from the signals of this run is due.
  void adopt(HybridState& state);

 private:
  std::optional<PastPiece> due_at(std::size_t input, double t, const HybridState& state) const;
  std::size_t place(std::size_t input) const;

  const HybridModel& model_;
  const RunSettings& settings_;
  std::map<std::size_t, SignalCurve> curves_;  // of the inputs that have one
  std::map<std::size_t, PastPiece> due_;
};

}  // namespace hydae

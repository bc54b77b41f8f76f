// The signal of an input as polynomials: what a run reads between two of its points.
#pragma once

#include <vector>

#include <hydae/input_signal.h>

#include "sim/history.h"

namespace hydae {

// A piece that says the same for all times.
PastPiece constant_piece(double value);
bool is_constant_for_good(const PastPiece& piece);

// Throws UsageError if the signal is none for a variable of this kind: times that do not ascend,
// numbers that are not finite, a Boolean other than 0 and 1.
void check_signal(const InputSignal& signal, VariableKind kind);

// Coefficients that the pieces of a signal have.
std::size_t num_coefficients_of(const InputSignal& signal, VariableKind kind);

class SignalCurve {
 public:
  // The signal must have points.
  SignalCurve(const InputSignal& signal, VariableKind kind);

  // What is read from t on, forwards or backwards in time.
  PastPiece piece_from(double t, double direction) const;

 private:
  void add_piece(double start, double scale, std::span<const double> coefficients);
  void add_section(std::span<const double> times, std::span<const double> values,
                   Interpolation interpolation);

  std::size_t num_coefficients_;
  // Each piece begins where the one before it ends, the first one long ago.
  std::vector<double> starts_, scales_;
  std::vector<double> coefficients_;  // num_coefficients_ of each
};

}  // namespace hydae

#include "sim/signal_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

#include "poly/cubic_spline.h"

namespace hydae {
namespace {

constexpr double kNever = 1e60;  // before the start of a signal, behind its end

Interpolation used_interpolation(const InputSignal& signal, VariableKind kind) {
  return kind == VariableKind::kReal ? signal.interpolation : Interpolation::kStep;
}

void check_value(const InputSignal& signal, VariableKind kind, std::size_t k) {
  const double value = signal.values[k];
  const auto refuse = [&](const char* what) {
    throw UsageError(fmt::format("input `{}`: its value {} at t = {} is {}", signal.name, value,
                                 signal.times[k], what));
  };
  if (!std::isfinite(value)) refuse("not a finite number");
  if (kind == VariableKind::kBoolean && value != 0 && value != 1) refuse("neither true nor false");
  if (kind == VariableKind::kInteger && value != std::round(value)) refuse("not an Integer");
}

}  // namespace

PastPiece constant_piece(double value) { return {-kNever, kNever, 0, 1, {value}}; }

bool is_constant_for_good(const PastPiece& piece) {
  return piece.start == -kNever && piece.end == kNever;
}

void check_signal(const InputSignal& signal, VariableKind kind) {
  if (signal.times.size() != signal.values.size())
    throw UsageError(fmt::format("input `{}` has {} times and {} values", signal.name,
                                 signal.times.size(), signal.values.size()));
  for (std::size_t k = 0; k < signal.times.size(); ++k) {
    if (!std::isfinite(signal.times[k]))
      throw UsageError(fmt::format("input `{}`: the time {} is not a finite number", signal.name,
                                   signal.times[k]));
    if (k > 0 && signal.times[k] < signal.times[k - 1])
      throw UsageError(fmt::format("input `{}`: the time {} stands behind {}: times must ascend",
                                   signal.name, signal.times[k], signal.times[k - 1]));
    check_value(signal, kind, k);
  }
}

std::size_t num_coefficients_of(const InputSignal& signal, VariableKind kind) {
  if (signal.times.size() < 2) return 1;
  switch (used_interpolation(signal, kind)) {
    case Interpolation::kStep: return 1;
    case Interpolation::kLinear: return 2;
    case Interpolation::kSpline: return 4;
  }
  return 4;
}

SignalCurve::SignalCurve(const InputSignal& signal, VariableKind kind)
    : num_coefficients_(num_coefficients_of(signal, kind)) {
  const std::span<const double> times = signal.times, values = signal.values;
  add_piece(-kNever, 1, values.first(1));
  std::size_t first = 0;
  while (first < times.size()) {
    // Up to the next jump; of several points of one time the last one is the right limit.
    std::size_t end = first + 1;
    while (end < times.size() && times[end] != times[end - 1]) ++end;
    add_section(times.subspan(first, end - first), values.subspan(first, end - first),
                used_interpolation(signal, kind));
    first = end;
  }
  add_piece(times.back(), 1, values.last(1));
}

void SignalCurve::add_section(std::span<const double> times, std::span<const double> values,
                              Interpolation interpolation) {
  if (times.size() < 2) return add_piece(times[0], 1, values);
  if (interpolation == Interpolation::kSpline) {
    const auto pieces = poly::cubic_spline(times, values);
    for (std::size_t i = 0; i < pieces.size(); ++i)
      add_piece(times[i], times[i + 1] - times[i], pieces[i]);
    return;
  }
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const double rise = interpolation == Interpolation::kLinear ? values[i + 1] - values[i] : 0;
    add_piece(times[i], times[i + 1] - times[i], std::array{values[i], rise});
  }
  if (interpolation == Interpolation::kStep) add_piece(times.back(), 1, values.last(1));
}

// A constant that goes on is one piece; a piece that takes no time is none.
void SignalCurve::add_piece(double start, double scale, std::span<const double> coefficients) {
  const auto coefficient = [&](std::size_t k) {
    return k < coefficients.size() ? coefficients[k] : 0.0;
  };
  const auto is_zero = [](double value) { return value == 0; };
  if (!starts_.empty() && starts_.back() == start) {
    starts_.pop_back();
    scales_.pop_back();
    coefficients_.resize(coefficients_.size() - num_coefficients_);
  }
  if (!starts_.empty()) {
    const auto last = coefficients_.end() - static_cast<std::ptrdiff_t>(num_coefficients_);
    if (*last == coefficient(0) && std::all_of(last + 1, coefficients_.end(), is_zero) &&
        std::all_of(coefficients.begin() + 1, coefficients.end(), is_zero))
      return;
  }
  starts_.push_back(start);
  scales_.push_back(scale);
  for (std::size_t k = 0; k < num_coefficients_; ++k) coefficients_.push_back(coefficient(k));
}

PastPiece SignalCurve::piece_from(double t, double direction) const {
  const auto behind = direction > 0 ? std::upper_bound(starts_.begin(), starts_.end(), t)
                                    : std::lower_bound(starts_.begin(), starts_.end(), t);
  const std::size_t k =
      behind == starts_.begin() ? 0 : static_cast<std::size_t>(behind - starts_.begin()) - 1;
  PastPiece piece;
  piece.start = starts_[k];
  piece.end = k + 1 < starts_.size() ? starts_[k + 1] : kNever;
  piece.origin = k == 0 ? 0 : starts_[k];
  piece.scale = scales_[k];
  const auto first = coefficients_.begin() + static_cast<std::ptrdiff_t>(k * num_coefficients_);
  piece.coefficients.assign(first, first + static_cast<std::ptrdiff_t>(num_coefficients_));
  return piece;
}

}  // namespace hydae

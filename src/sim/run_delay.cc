// delay(): the past of each delayed signal is kept as the polynomials of the steps taken; the
// equations read the one that is due from the table. Where it ends, a step ends.
#include <algorithm>
#include <cmath>

#include "sim/run.h"

namespace hydae {

void Run::begin_histories() {
  const std::size_t first = mode_->layout.delayed(0);
  for (std::size_t k = 0; k < state_.histories.size(); ++k)
    state_.histories[k].begin(settings_.start,
                              stepper_->output_series(static_cast<int>(first + k))[0]);
  hold_histories(settings_.start);
}

// After an event: signals that change at events only have their values until the next one.
void Run::hold_histories(double t) {
  const std::size_t first = mode_->layout.delayed(0);
  bool has_held = false;
  for (std::size_t k = 0; k < state_.histories.size(); ++k) {
    if (!is_held_signal(k)) continue;
    state_.histories[k].hold(t, stepper_->output_series(static_cast<int>(first + k))[0]);
    has_held = true;
  }
  if (has_held) choose_pieces(t);
}

bool Run::is_held_signal(std::size_t delay) const {
  return hybrid_.delays()[delay].is_held && settings_.direction() > 0;
}

// The step at hand, as far as it counts, becomes past.
void Run::extend_histories(double until) {
  if (until == stepper_->time()) return;
  const std::size_t first = mode_->layout.delayed(0);
  for (std::size_t k = 0; k < state_.histories.size(); ++k) {
    if (is_held_signal(k)) continue;
    const auto series = stepper_->output_series(static_cast<int>(first + k));
    const std::size_t size = std::min(series.size(), hybrid_.delays()[k].num_coefficients);
    const auto last = series.begin() + static_cast<std::ptrdiff_t>(size);
    state_.histories[k].add({stepper_->time(), until, stepper_->time(),
                             stepper_->expansion().scale(),
                             std::vector<double>(series.begin(), last)});
  }
}

void Run::choose_pieces(double t) {
  if (state_.histories.empty()) return;
  const auto past = past_times_.evaluate(instant(t));
  for (std::size_t k = 0; k < state_.histories.size(); ++k) {
    // A boundary that is reached but for rounding is passed.
    const double slack = 1e-14 * std::max(1.0, std::abs(t));
    const PastPiece& piece = state_.histories[k].at(past[k] + slack);
    const Delay& delay = hybrid_.delays()[k];
    table_[delay.slot] = piece.origin;
    table_[delay.slot + 1] = 1 / piece.scale;
    table_[delay.slot + 2] = piece.start;
    table_[delay.slot + 3] = piece.end;
    for (std::size_t i = 0; i < delay.num_coefficients; ++i)
      table_[delay.slot + 4 + i] = i < piece.coefficients.size() ? piece.coefficients[i] : 0;
    if (hybrid_.relations()[delay.upper].is_time_only)
      state_.histories[k].forget_before(piece.start);
  }
}

}  // namespace hydae

// Is a run of the Taylor method held up? Its steps are then much shorter than the solution asks
// for: over many of them a polynomial of degree five, what BDF works with, follows the solution
// within the tolerance. By stiffness, if the equations know a motion as fast as the steps
// (integrate/fastest_motion.h); else by what has been, or will be: the flank of a pulse, poles
// beside the path.
#pragma once

#include <span>
#include <vector>

namespace hydae {

class StiffnessWatch {
 public:
  // After each step whose length the method itself has chosen: state, and its tolerance per entry.
  void observe(double t, std::span<const double> state_now, std::span<const double> tolerance);
  // After an event: what was seen before is of another solution.
  void forget();

  bool is_held_up() const { return num_smooth_ >= kSmoothWindows; }
  // Mean length of the steps seen last.
  double mean_step() const;

 private:
  static constexpr std::size_t kWindow = 25;  // points: 24 steps
  static constexpr std::size_t kStride = 8;   // steps between two looks
  static constexpr int kSmoothWindows = 3;    // in a row
  static constexpr double kAllowed = 10;      // tolerances

  bool is_smooth(std::span<const double> tolerance);
  std::size_t slot(std::size_t k) const { return (first_ + k) % kWindow; }  // k-th oldest

  std::span<double> state(std::size_t slot) {
    return std::span(states_).subspan(slot * num_entries_, num_entries_);
  }

  std::size_t num_entries_ = 0;  // of a state
  std::vector<double> states_;   // by slot
  std::vector<double> times_ = std::vector<double>(kWindow, 0.0);
  std::size_t size_ = 0, first_ = 0, since_look_ = 0;
  int num_smooth_ = 0;
};

}  // namespace hydae

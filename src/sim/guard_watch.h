// The first event of a step: where a guard leaves the side that its bit stands for, with all guards
// that cannot be told apart from it in time. The same for every solver: it sees the outputs of a
// mode over the step (step_outputs.h) and knows nothing of how the step was made.
//
// A guard is under accuracy control: a part of the step in which its series does not converge is
// divided, for this guard alone, until it does. What cannot be decided is never "no event": by
// halving, then by values, then it is said. Method: docs/math/events.md.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <hydae/simulate.h>

#include "poly/root_finder.h"
#include "sim/sign_proof.h"
#include "sim/step_outputs.h"

namespace hydae {

struct WatchedGuard {
  std::size_t output = 0;
  int held_sign = 1;        // the side that its bit stands for
  int num_known_zeros = 0;  // leading coefficients at the start that are zero but for rounding
  double noise = 0;         // of the guard, from errors that were made before this step
  double size = 0;          // the largest it has been
  double allowed = 0;       // error that the step may make in it; 0: any
  double length = 0;        // of the parts that its series needed last, as a time; 0: not known
  // What counts is the function that its series continues, not its values: the root of a square.
  bool is_continued = false;
  // Set where the event is a pole of it: there its size says nothing.
  bool is_at_pole = false;
  // Its series about the start as part of the solution, in the place; may be empty.
  std::span<const double> series{};
};

struct GuardRoot {
  std::size_t guard = 0;  // position among the watched
  std::size_t output = 0;
  double lower = 0, at = 0, upper = 0;  // places in the step
  double remainder = 0;                 // |g| is at most this at `at`
  double slope = 0;                     // by the place
  bool is_located = true;               // false: `at` is where its noise ends
  bool is_pole = false;                 // it changes its sign by way of infinity
};

struct GuardEvent {
  double at = 1;                   // place of the event, if there is one
  std::vector<GuardRoot> roots;    // all that switch there; empty: no event in the step
  std::vector<GuardRoot> touches;  // no later than the event: whether they cross is not known
  // A guard of which nothing is known in a part of the step, not even values.
  std::optional<GuardRoot> undefined;
  // A shorter step is needed: up to this place the solution is accurate enough for all guards.
  double accurate_until = 1;

  bool has_event() const { return !roots.empty(); }
};

// Behind a singularity at a place of the step: the first place found where the output is a number
// whose sign is certain; else the end of the step.
struct SignBehind {
  double place = 1;
  int sign = 0;
};
struct SignQuestion {
  int wanted = 0;    // the other sign is not looked for; 0: either
  double noise = 0;  // of the output, beside its rounding
};
SignBehind find_sign_behind(StepOutputs& outputs, std::size_t output, double singularity,
                            const SignQuestion& question);

class GuardWatch {
 public:
  // Whether all that is found, and that nothing is found, is to be proved.
  void set_certified(bool is_certified) { is_certified_ = is_certified; }

  // The result is valid until the next call.
  const GuardEvent& find(StepOutputs& outputs, std::span<WatchedGuard> guards);

  // Of the last find().
  const GuardEvent& last() const { return event_; }
  // By guard of the last find(): what was needed to see it.
  EventGrade grade(std::size_t guard) const { return grades_[guard]; }
  // By guard, where it was to be proved: the first place at which that was not possible.
  std::optional<double> unproved(std::size_t guard) const {
    return unproved_.empty() ? std::nullopt : unproved_[guard];
  }

 private:
  // A series over [begin, begin + width], with what it leaves out.
  struct Part {
    double begin = 0, width = 1;
    std::span<const double> series{};
    double truncation = 0;  // beyond its last terms
    double noise = 0;
  };
  enum class Verdict { kClear, kEvent, kDivide };

  bool is_clear_at_once(const WatchedGuard& guard);
  bool is_true_at_end(const WatchedGuard& guard, const Part& part);
  void limit_accuracy(const WatchedGuard& guard);
  void search(std::size_t index, WatchedGuard& guard);
  void prove(std::size_t index, const WatchedGuard& guard);
  bool is_proved_to_leave(std::size_t index, const WatchedGuard& guard, SignProof::Result result);
  void search_by_series(std::size_t index, WatchedGuard& guard);
  bool is_decided_by_solution(std::size_t index, const WatchedGuard& guard);
  bool is_decided(std::size_t index, const WatchedGuard& guard, double begin, double width);
  void search_by_values(std::size_t index, const WatchedGuard& guard, double from);
  struct Cell {
    double begin = 0, width = 1;
  };
  bool inspect_cell(std::size_t index, const WatchedGuard& guard, Cell cell, int depth);
  Verdict inspect(std::size_t index, const WatchedGuard& guard, const Part& part);
  Verdict inspect_roots(std::size_t index, const WatchedGuard& guard, const Part& part,
                        const poly::RootSearch& found);
  bool inspect_values(std::size_t index, const WatchedGuard& guard, double begin, double width);
  void add_undefined(const GuardRoot& root);
  void find_pole(const WatchedGuard& guard, GuardRoot& root);
  void add_by_values(std::size_t index, const WatchedGuard& guard, double begin, double end);
  void add(std::size_t index, const WatchedGuard& guard, const Part& part, const poly::Root& root);
  bool has_left_unseen(const WatchedGuard& guard);
  void choose_simultaneous();

  StepOutputs* outputs_ = nullptr;
  poly::RootFinder finder_;
  GuardEvent event_;
  std::vector<GuardRoot> candidates_;  // the first root of each guard
  double until_ = 1;                   // smallest upper end among them
  std::vector<double> series_;         // of the part at hand
  std::optional<double> band_;         // of the guard at hand: since when its sign is not known
  std::vector<EventGrade> grades_;
  bool is_certified_ = false;
  SignProof proof_;
  std::vector<std::optional<double>> unproved_;
};

}  // namespace hydae

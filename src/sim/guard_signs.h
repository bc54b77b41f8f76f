// Which switches a solution asks for: the signs of its guards just after an instant, from their
// series. What is zero but for rounding is taken for zero; then the next derivative decides.
// docs/math/instant.md.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "poly/jet_sign.h"
#include "sim/cause.h"
#include "sim/hybrid_state.h"
#include "sim/output_rooms.h"
#include "sim/taylor_solution.h"

namespace hydae {

// Noise of the share of a sliding surface: a number between 0 and 1.
inline constexpr double kShareNoise = 1e-10;

// Whether an output is the share of one side of a sliding surface, constantly 0 or 1 where a side
// keeps the solution on the surface by itself.
bool is_share(const CompiledMode& mode, std::size_t output);

// What a solution says about its own switches.
struct GuardReading {
  ModeChoice wanted;
  // Relations that have their literal value at the start and another one right behind it.
  std::set<std::size_t> leaving;
  // For GuardMemory, if the solution is accepted.
  std::vector<int> known_zeros;
  std::vector<double> residues;
};

class GuardSigns {
 public:
  GuardSigns(const HybridModel& model, double rtol, double atol, OutputRooms& outputs);

  // A solution in the mode of `choice`, at the start of its series.
  struct Subject {
    const TaylorSolution& solution;
    const GuardMemory& memory;
    const Cause& cause;
    // Of guards and exits at the instant, highest order first; and the truths before it.
    const std::vector<std::vector<double>>* impulses = nullptr;
    const std::vector<bool>* before = nullptr;
    const TaylorSolution* left = nullptr;  // the solution before the instant, as it stands
    const std::vector<double>* guard_errors = nullptr;  // see EventPass
    // Relations of contacts that stand for another guard than the memory has it:
    // exchanged_guards().
    const std::map<std::size_t, bool>* exchanged = nullptr;
    bool is_exchanged(std::size_t relation) const {
      return exchanged != nullptr && exchanged->contains(relation);
    }
    // Largest |g^(n)|/n! so far.
    const std::vector<double>& sizes(std::size_t relation) const {
      return is_exchanged(relation) ? memory.others.at(relation).sizes : memory.sizes[relation];
    }
  };
  GuardReading read(const Subject& subject, const ModeChoice& choice) const;
  // Of the extended jet: impulses first.
  poly::JetSign sign(const Subject& subject, std::size_t relation) const;
  // Just after the instant, impulses aside.
  poly::JetSign regular_sign(const Subject& subject, std::size_t relation) const;
  // Whether the guard of a relation is zero just before the instant, but for errors of the solution
  // and of the time.
  bool is_zero_before(const TaylorSolution& before, double t, const GuardMemory& memory,
                      std::size_t relation) const;
  // Whether the guard of a relation is zero at the start of its series, but for the errors of what
  // it is computed from.
  bool vanishes(const TaylorSolution& solution, std::size_t relation) const;
  // Guards of all relations at t, in the step at hand of the series.
  std::vector<double> values(const TaylorSolution& solution, double t) const;
  // Of these relations, whose guards vanish and whose truth is not given by time.
  std::set<std::size_t> at_limit(const Subject& subject,
                                 const std::set<std::size_t>& relations) const;
  // A guard that nobody has given a size and that has never been large enough to count: a car of a
  // train that no pressure has reached yet. Its sign is that of errors.
  bool is_dormant(const GuardMemory& memory, std::size_t relation, double value) const;
  // Smaller guards do not count if nobody has given them a size, or if the equations are solved
  // only as well as can be.
  double smallest(std::size_t relation) const { return smallest_[relation]; }

 private:
  // A solution whose guards can be asked for their errors.
  struct Errors {
    const TaylorSolution& solution;
    StepOutputs& outputs;
    RoundingProbe& probe;
    // What rounding in the equations makes of the first coefficients of a guard.
    std::span<const double> roundings(std::size_t relation) const;
  };
  struct Look {
    const Subject& subject;
    Errors errors;
    const std::vector<bool>& was_held;  // by relation: zero for all time before the instant
  };
  // Which guards were zero all along the last step, and of which solution.
  struct Held {
    const TaylorSolution* solution = nullptr;
    double time = 0, reach = 0;
    std::vector<bool> is_held;
  };
  Errors errors_of(const TaylorSolution& solution) const;
  Look look(const Subject& subject) const;
  const std::vector<bool>& held_before(const Subject& subject) const;
  // Whether a coefficient of a guard is zero but for errors.
  bool is_zero(const Errors& errors, std::size_t relation, double coefficient) const;
  poly::JetSign sign(const Look& look, std::size_t relation) const;
  poly::JetSign regular_sign(const Look& look, std::size_t relation) const;
  std::vector<double> noise(const Look& look, std::size_t relation, std::span<const double> series,
                            std::span<const double> roundings) const;
  std::optional<std::size_t> located_with(const Subject& subject, std::size_t relation) const;
  double moved_so_far(const Subject& subject, std::span<const double> series) const;
  void add_noise_of_location(const Subject& subject, std::size_t relation,
                             std::vector<double>& noise) const;
  // At the instant, and just after it.
  struct Count {
    double here, behind;
  };
  Count count(const Look& look, const Counter& counter, double now) const;
  void read_guards(const Look& look, GuardReading& reading) const;
  bool truth(const Look& look, std::size_t relation, const poly::JetSign& found, bool now) const;
  double rounding_at_rest(const Look& look, std::size_t relation) const;
  void read_exits(const Subject& subject, GuardReading& reading) const;

  const HybridModel& model_;
  double rtol_;
  std::vector<double> smallest_;
  OutputRooms& outputs_;
  mutable Held held_;  // of the left limit that was looked at last
  mutable KnownRoundings known_;
};

}  // namespace hydae

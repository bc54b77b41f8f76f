// Which switches to try next, when the solution for the last ones asks for others. Relations whose
// guards depend on what they switch (ideal diodes, friction) form a complementarity problem: flip
// what is violated until nothing is. All violated ones at once is fast but may cycle; one at a
// time, the first in order, ends for every problem with a P-matrix (Murty 1974). Both are combined
// as by Judice and Pires (1994): all at once as long as the number of violations shrinks. Where no
// such theory holds, each single violation of the first candidates is flipped, and then the
// nearest combinations of the switches involved are tried, within bounds.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace hydae {

// Truth of all relations and values of all counters.
struct Switches {
  std::vector<bool> bits;
  std::vector<double> counts;
  auto operator<=>(const Switches&) const = default;
};

// Bits that one quantity decides, with their truths on its two sides: however many relations an
// ideal diode is written with, it blocks or it conducts.
struct SwitchGroup {
  std::vector<std::size_t> places;
  std::vector<bool> negative, positive;
};

class SwitchSearch {
 public:
  // Bits whose truth is known whatever the solution is, such as those of time, are `decided`.
  explicit SwitchSearch(Switches first, const std::vector<std::size_t>& decided = {},
                        std::vector<SwitchGroup> groups = {});

  const Switches& candidate() const { return candidate_; }
  // After the candidate was tried: `wanted` is what its solution asks for, nothing if it has no
  // solution. False if there is nothing left to try.
  bool advance(const std::optional<Switches>& wanted);
  int num_trials() const { return num_trials_; }
  // Whether all that was violated, flipped at once, led back to switches tried before.
  bool has_cycled() const { return has_cycled_; }

 private:
  // Place of a switch: bits first, then counters.
  static std::vector<std::size_t> violated(const Switches& candidate, const Switches& wanted);
  bool take_all(const Switches& wanted, std::size_t num_violated);
  bool take_one(const Switches& from, const Switches& wanted,
                const std::vector<std::size_t>& places);
  bool take_neighbour();
  bool take_combination();
  bool take_sides();
  bool is_positive(const SwitchGroup& group) const;
  bool try_next(Switches next);

  static constexpr int kPatience = 3;               // trials without fewer violations
  static constexpr std::size_t kMostInvolved = 10;  // whose combinations are tried
  static constexpr std::size_t kMostNeighbourhoods = 4;
  static constexpr int kMostTrials = 1500;

  Switches first_, candidate_;
  std::set<Switches> tried_;
  std::vector<std::size_t> involved_;  // bits that were ever violated; all, if they are few
  std::size_t fewest_;
  int patience_ = kPatience;
  bool has_cycled_ = false;
  int num_trials_ = 0;
  // Candidates that had a solution, each with what it asked for.
  std::vector<std::pair<Switches, Switches>> solved_;
  std::size_t next_solved_ = 0;  // the neighbours of those before it have been tried
  std::size_t next_combination_ = 1;
  std::vector<unsigned> combinations_;  // of involved places, fewest flips first
  std::size_t num_combined_ = 0;        // involved places when combinations_ was made
  std::vector<SwitchGroup> groups_;
  unsigned next_sides_ = 1;  // of all groups
};

}  // namespace hydae

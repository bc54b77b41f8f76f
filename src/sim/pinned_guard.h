// The third value of a mode bit: the guard of a relation is held at zero. Two things can hold it.
// Sliding (Filippov): where the relation selects between two expressions, a convex combination of
// the two acts, with a share between 0 and 1 as a new unknown. A reaction: a new unknown acts in
// one equation, with one sign only; this is what infinitely many impacts leave behind. The guard is
// a new equation in both cases; the index rises. docs/math/sliding.md.
#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "sim/hybrid_model.h"

namespace hydae {

// A discrete variable that events set anew whenever a surface is crossed, and its value on either
// side: a relay that is written with when-clauses or pre().
struct SideValues {
  VarId variable;
  double negative = 0, positive = 0;
  auto operator<=>(const SideValues&) const = default;
  double on(bool is_positive) const { return is_positive ? positive : negative; }
};

// The share of a surface that others hold at zero as well follows that of one of them: of the
// sliding surfaces of one rigid body the forces are not unique, the motion is.
struct SharedHold {
  std::size_t surface = 0;
  bool is_opposite = false;  // the positive side of one is the negative side of the other
  auto operator<=>(const SharedHold&) const = default;
};

struct PinnedGuard {
  std::size_t surface = 0;              // of HybridModel::surfaces()
  std::optional<EqId> row;              // the equation in which a reaction acts; none: sliding
  int sign = 0;                         // of the reaction
  int free_side = 0;                    // to which the guard moves when the reaction ends
  std::vector<SideValues> memories{};   // of sliding: what is blended besides relations
  std::optional<SharedHold> follows{};  // of sliding: it has no share of its own
  auto operator<=>(const PinnedGuard&) const = default;

  bool is_sliding() const { return !row; }
};

// Those that can carry an impulse: the share of sliding is between 0 and 1, a friction that holds a
// body is no wall for what hits it.
std::vector<PinnedGuard> impulsive(const std::vector<PinnedGuard>& pins);

// The surfaces of sliding holds that an expression reads: through bits of their relations, and
// through discrete variables that follow them.
std::vector<std::size_t> sliding_surfaces_below(const HybridModel& model,
                                                const std::vector<PinnedGuard>& pins, NodeId root);

// Sliding surfaces that some select reads together. Corner m: truth of HybridModel::conditions() on
// the positive sides of those surfaces whose bit is set in m and the negative sides of all others.
struct SlidingGroup {
  std::vector<std::size_t> surfaces;
  std::vector<std::vector<bool>> corners;
  auto operator<=>(const SlidingGroup&) const = default;
};

// Truth of HybridModel::conditions() in a mode, on the negative sides of its sliding surfaces.
struct ModeTruths {
  std::vector<bool> truths;
  std::vector<SlidingGroup> groups;
  auto operator<=>(const ModeTruths&) const = default;
};

struct HeldResiduals {
  std::vector<NodeId> residuals;    // of the model's equations
  std::vector<NodeId> constraints;  // one for each hold: the guard
  std::vector<NodeId> exits;        // two for each hold, positive as long as it lasts
  std::vector<NodeId> guards;       // of all relations
  // A combination of residuals is not a combination of vector fields where the leading derivatives
  // differ: then sliding has no meaning.
  bool is_meaningful = true;
};

// The unknown of the k-th hold is variable number num_variables() + k of the graph, which is that
// of the model or an extension of it.
HeldResiduals pin_guards(const HybridModel& model, Graph& graph, const ModeTruths& truths,
                         const std::vector<PinnedGuard>& pins);

}  // namespace hydae

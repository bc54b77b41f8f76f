// All zeros in (0, 1] of a function known as a polynomial up to a remainder: |g - p| <= rho. The
// polynomial cannot say more than where |p| <= rho, so that is what a root is here: a largest
// interval [lower, upper] with |p| <= rho, bounded by points where the sign of g is certain. If the
// signs on its two sides differ, g has a zero inside, whatever the remainder does; if they agree, g
// touches zero or comes within the remainder of it. Close roots that rho cannot tell apart share an
// interval. Method and proofs: docs/math/events.md.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "poly/bernstein.h"

namespace hydae::poly {

enum class RootKind {
  kCrossing,  // the sign changes: certainly an odd number of zeros
  kTouch,     // the same sign on both sides: grazing, an even number of zeros or none
  kOpen,      // the interval ends (at 0 or at 1) before the sign is known
};

struct Root {
  double tau =
      0;  // best estimate: the root, or the centre of a cluster, or the extremum of a touch
  double lower = 0;  // lower <= tau <= upper
  double upper = 0;
  int multiplicity = 1;  // m such that p behaves like (x - tau)^m on the scale of the interval
  int sign_before = 0;   // sign of g just before `lower`; 0 if lower is 0
  int sign_after = 0;    // sign of g just after `upper`; 0 if upper is 1

  RootKind kind() const;
  // Largest distance of `tau` from the ends, about (m! rho / |g^(m)|)^(1/m).
  double uncertainty() const;
};

enum class RootStatus {
  kComplete,  // `start` and `roots` are everything in [0, 1] (or up to where the search was told)
  kIdenticallyZero,  // p is the zero polynomial
  kBelowRemainder,   // |p| <= rho on all of [0, 1]: no sign is known anywhere
  kNotFinite,        // a coefficient or the remainder is infinite or NaN, or the remainder negative
};

struct RootOptions {
  double remainder = 0;     // rho; the rounding error of the search is added to it
  int num_known_zeros = 0;  // p has this many known zeros at 0 (its first coefficients are taken as
                            // zero): they are divided out, and the rest of p is searched
  double until = 1;         // roots with lower > until may be left out
  bool stops_at_first = false;  // end with the first root that is not a touch
};

struct RootSearch {
  RootStatus status = RootStatus::kComplete;
  int start_sign = 0;         // sign of g just after 0; 0 if not certain there
  std::optional<Root> start;  // the interval that contains 0, if |p(0)| <= rho: not one of `roots`
  std::vector<Root> roots;    // ascending, disjoint, in (0, 1]
};

// Reusable: after the first call of a degree, `find` does not allocate unless there are more roots.
class RootFinder {
 public:
  // Coefficients of p in ascending powers of tau. The result is valid until the next call.
  const RootSearch& find(std::span<const double> coefficients, const RootOptions& options);

 private:
  struct Cell {
    double begin;
    double width;
  };

  bool load(std::span<const double> coefficients, const RootOptions& options);
  bool is_cleared_by_sum();
  void search();
  bool resolve(const Cell& cell, std::span<const double> b);
  void add_monotone(const Cell& cell, std::span<const double> b, int direction);
  void split(const Cell& cell);
  void meet_sign(int sign);
  void meet_band(double lower, double upper);
  void close_band(int sign_after);
  bool is_done(double begin) const;
  Root refine(Root root);
  int estimate_multiplicity(const Root& root, std::span<const double> local) const;
  std::span<double> row(std::size_t index) { return {cells_b_.data() + index * size_, size_}; }

  RootOptions options_;
  RootSearch result_;
  BernsteinConverter converter_;
  std::vector<double> p_;        // coefficients, scaled by a power of two to at most 1
  double rho_ = 0;               // remainder and rounding error, in the same scale
  std::size_t size_ = 0;         // of p_
  std::vector<Cell> cells_;      // still to search, rightmost first
  std::vector<double> cells_b_;  // Bernstein coefficients of each, row by row
  std::vector<double> local_;    // p around the root being refined
  std::optional<Root> band_;     // the interval with |p| <= rho that is being collected
  int last_sign_ = 0;            // last certain sign met from the left
};

}  // namespace hydae::poly

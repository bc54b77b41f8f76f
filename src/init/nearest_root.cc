#include "init/nearest_root.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "init/gauss_newton.h"
#include "init/homotopy.h"

namespace hydae::init {
namespace {

// Each shell around the guess is so much wider than the last: 25 evaluations per side and factor of
// ten. Two roots in one shell are not seen.
constexpr double kShellGrowth = 1.1;
constexpr double kFirstShell = 1e-3;         // of the distance of the known solution
constexpr double kFirstUnknownShell = 1e-4;  // without one: in units of max(1, |guess|),
constexpr double kLastUnknownShell = 1e6;    // the same
constexpr int kMostRefinements = 100;        // each halves, at worst
// A path costs some factorizations per step.
constexpr int kLargestFollowed = 100;
constexpr double kSmallestGain = 1e-6;  // in distance; below it the known solution stays

double far_from_wish(const System& system, const Vector& y) {
  return system.space().away_from_wish(y).norm();
}

bool is_nearer(const System& system, const Vector& start, const Vector& y, const Vector& than) {
  const double here = far_from_wish(system, y), there = far_from_wish(system, than);
  if (here < (1 - kSmallestGain) * there) return true;
  if (there < (1 - kSmallestGain) * here) return false;
  return (y - start).norm() < (1 - kSmallestGain) * (than - start).norm();
}

// One equation in one unknown.
class OutwardSearch {
 public:
  OutwardSearch(System& system, const Vector& start, const Options& options)
      : system_(system), start_(start), options_(options) {}

  // The nearest root within `reach`, looked for from `first` on.
  std::optional<Outcome> run(double first, double reach) {
    double f = 0;
    if (!value_at(start_[0], f)) return std::nullopt;
    sides_[0] = {.direction = 1, .room = system_.space().upper()[0] - start_[0], .f = f};
    sides_[1] = {.direction = -1, .room = start_[0] - system_.space().lower()[0], .f = f};
    for (double r = first; is_open(); r = std::min(kShellGrowth * r, reach)) {
      std::optional<Outcome> best;
      for (Side& side : sides_) {
        std::optional<Outcome> found = advance(side, r);
        if (found && (!best || away(found->y) < away(best->y))) best = std::move(found);
      }
      if (best || r >= reach) return best;
    }
    return std::nullopt;
  }

 private:
  struct Side {
    double direction = 1;
    double room = 0;      // to the bound
    double r = 0, f = 0;  // where it was looked at last
    bool is_open = true;
  };

  bool is_open() const { return sides_[0].is_open || sides_[1].is_open; }
  double away(const Vector& y) const { return std::abs(y[0] - start_[0]); }
  bool value_at(double y, double& f) {
    Vector residual;
    const Vector at = system_.space().into_bounds(Vector::Constant(1, y));
    if (!system_.evaluate(at, residual)) return false;
    f = residual[0];
    return true;
  }

  // Beyond a bound, or where the equation is not defined, nothing is looked for.
  std::optional<Outcome> advance(Side& side, double r) {
    if (!side.is_open) return std::nullopt;
    if (r >= side.room) side.is_open = false;
    const double next = std::min(r, side.room);
    double f = 0;
    if (!(next > side.r) || !value_at(start_[0] + side.direction * next, f)) {
      side.is_open = false;
      return std::nullopt;
    }
    const Side last = side;
    side.r = next;
    side.f = f;
    if (f != 0 && std::signbit(f) == std::signbit(last.f)) return std::nullopt;
    return refined(last, next, f);
  }

  // Illinois. A pole or a jump does not pass the judgement of Newton's method, and a residual that
  // has underflowed has no derivative.
  std::optional<Outcome> refined(const Side& side, double r, double f) {
    double a = side.r, fa = side.f, b = r, fb = f;
    for (int k = 0; k < kMostRefinements && fb != 0; ++k) {
      double c = b - fb * (b - a) / (fb - fa);
      if (!(c > std::min(a, b) && c < std::max(a, b))) c = 0.5 * (a + b);
      double fc = 0;
      if (c == a || c == b || !value_at(start_[0] + side.direction * c, fc)) break;
      const bool has_changed = std::signbit(fc) != std::signbit(fb);
      if (has_changed) {
        a = b;
        fa = fb;
      } else {
        fa *= 0.5;
      }
      b = c;
      fb = fc;
      if (std::abs(b - a) <= options_.step_tolerance * std::max(1.0, std::abs(b))) break;
    }
    Outcome outcome =
        gauss_newton(system_, Vector::Constant(1, start_[0] + side.direction * b), options_);
    const double slack = kSmallestGain * std::max(1.0, r);
    if (outcome.status != Status::kSolved || !outcome.is_unique || away(outcome.y) > r + slack)
      return std::nullopt;
    return outcome;
  }

  System& system_;
  const Vector& start_;
  const Options& options_;
  std::array<Side, 2> sides_;
};

NearestRoot search_outwards(System& system, const Vector& start, const Outcome* known,
                            const Options& options) {
  const double size = std::max(1.0, std::abs(start[0]));
  const double reach = known ? std::abs(known->y[0] - start[0]) : kLastUnknownShell * size;
  const double first = known ? kFirstShell * reach : kFirstUnknownShell * size;
  NearestRoot result;
  if (!(first > 0)) return result;
  result.nearer = OutwardSearch(system, start, options).run(first, reach);
  result.is_established = known || result.nearer;
  if (known && result.nearer && !is_nearer(system, start, result.nearer->y, known->y))
    result.nearer.reset();
  return result;
}

}  // namespace

NearestRoot find_nearest_root(System& system, const Vector& start, const Outcome* known,
                              const Options& options) {
  NearestRoot result;
  if (system.num_free() != system.num_equations()) return result;
  if (system.num_free() == 1) return search_outwards(system, start, known, options);
  if (!known || system.num_free() > kLargestFollowed) return result;
  for (Outcome& found : connected_solutions(system, start, (known->y - start).norm(), options)) {
    const Vector& best = result.nearer ? result.nearer->y : known->y;
    if (is_nearer(system, start, found.y, best)) result.nearer = std::move(found);
  }
  return result;
}

}  // namespace hydae::init

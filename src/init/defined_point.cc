#include "init/defined_point.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace hydae::init {
namespace {

constexpr int kMaxEvaluations = 2000;  // any defined point will do, and soon

// In units of the nominal value, nearest first.
constexpr double kOffsets[] = {1e-3, -1e-3, 0.1, -0.1, 1, -1, 10, -10, 1e3, -1e3};
// Of the value itself, for guesses that are far too large.
constexpr double kShares[] = {0.5, 0.1, 1e-2, 1e-4, 0, -1};

class Search {
 public:
  Search(System& system, const Vector& start) : system_(system), y_(start) { count_ = count(y_); }

  DefinedPoint run() {
    while (count_ > 0 && can_go_on() && improve_one_unknown()) {
    }
    if (count_ > 0) try_random_points();
    DefinedPoint result;
    if (count_ == 0) {
      result.y = y_;
    } else {
      system_.count_undefined(y_, &result.undefined);
    }
    return result;
  }

 private:
  int count(const Vector& y) {
    ++evaluations_;
    return system_.count_undefined(y);
  }
  bool can_go_on() const { return evaluations_ < kMaxEvaluations; }

  bool keep_if_better(const Vector& trial) {
    const int undefined = count(trial);
    if (undefined >= count_) return false;
    count_ = undefined;
    y_ = trial;
    return true;
  }

  bool improve_one_unknown() {
    for (const double offset : kOffsets) {
      for (int k = 0; k < system_.num_free() && can_go_on(); ++k) {
        Vector trial = y_;
        trial[k] =
            std::clamp(y_[k] + offset, system_.space().lower()[k], system_.space().upper()[k]);
        if (trial[k] != y_[k] && keep_if_better(trial)) return true;
      }
    }
    return improve_by_shares() || improve_between_bounds();
  }

  bool improve_by_shares() {
    for (const double share : kShares) {
      for (int k = 0; k < system_.num_free() && can_go_on(); ++k) {
        Vector trial = y_;
        trial[k] =
            std::clamp(share * y_[k], system_.space().lower()[k], system_.space().upper()[k]);
        if (trial[k] != y_[k] && keep_if_better(trial)) return true;
      }
    }
    return false;
  }

  bool improve_between_bounds() {
    for (int k = 0; k < system_.num_free() && can_go_on(); ++k) {
      Vector trial = y_;
      trial[k] = 0.5 * (system_.space().lower()[k] + system_.space().upper()[k]);
      if (std::isfinite(trial[k]) && keep_if_better(trial)) return true;
    }
    return false;
  }

  void try_random_points() {
    std::mt19937 random(1);  // the same points in every run
    std::normal_distribution<double> normal;
    const Vector centre = y_;
    for (int i = 0; i < 100 && count_ > 0; ++i) {
      const double size = std::pow(10.0, i % 5 - 2);
      Vector trial = centre;
      for (double& value : trial) value += size * normal(random);
      keep_if_better(system_.space().into_bounds(trial));
    }
  }

  System& system_;
  Vector y_;
  int count_ = 0;
  int evaluations_ = 0;
};

}  // namespace

DefinedPoint find_defined_point(System& system, const Vector& start) {
  return Search(system, start).run();
}

}  // namespace hydae::init

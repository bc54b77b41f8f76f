#include "init/solve.h"

#include <cmath>
#include <limits>
#include <random>

#include "init/closest_point.h"
#include "init/defined_point.h"
#include "init/gauss_newton.h"
#include "init/homotopy.h"
#include "init/levenberg_marquardt.h"
#include "init/nearest_root.h"
#include "init/optimization.h"
#include "init/pseudo_inverse.h"
#include "init/report.h"
#include "init/system.h"

namespace hydae::init {
namespace {

// The methods in turn on one system. Keeps the point with the smallest residual as the answer to
// give if none of them succeeds.
class Chain {
 public:
  Chain(System& system, const Options& options) : system_(system), options_(options) {
    system.set_limits(options);
  }

  // Whether the problem can be attacked at all; finds the start.
  bool begin() {
    report_.message = system_.find_contradiction();
    if (!report_.message.empty()) {
      report_.status = Status::kBadInput;
      return false;
    }
    const DefinedPoint defined = find_defined_point(system_, system_.space().guess());
    if (!defined.y) {
      report_.status = Status::kUndefined;
      report_.message = describe_undefined(system_, defined.undefined);
      return false;
    }
    start_ = best_ = *defined.y;
    system_.begin_at(start_);
    return true;
  }

  // Who is at a solution stays there, whatever the derivatives are: sqrt(x) = 0 at x = 0.
  bool is_at_solution() {
    Outcome outcome;
    Vector f;
    if (!system_.evaluate(start_, f) || !f.isZero(0)) return false;
    outcome.y = start_;
    outcome.status = Status::kSolved;
    outcome.is_next = true;
    outcome.is_nearest = outcome.is_unique = start_ == system_.space().wish();
    return attempt_from_start(outcome);
  }

  bool try_newton_methods() {
    if (is_at_solution()) return true;
    if (system_.is_stopped()) return false;
    if (attempt_from_start(gauss_newton(system_, start_, options_))) return true;
    if (system_.num_free() == 0) return false;
    const Outcome damped = levenberg_marquardt(system_, start_, options_);
    if (attempt(Method::kLevenbergMarquardt, damped)) return true;
    // Near a solution but too slow: the fast method may finish it.
    return damped.status == Status::kNotConverged &&
           attempt(Method::kGaussNewton, gauss_newton(system_, damped.y, options_));
  }

  // Starts where a derivative vanishes or the way is barred by a hump are escaped by leaving them:
  // a few points around the guess, the same in every run.
  bool try_other_starts() {
    if (system_.num_free() == 0 || system_.is_stopped()) return false;
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (const double size : {0.01, 0.1, 1.0, 0.1, 1.0, 10.0}) {
      Vector y = start_;
      for (double& value : y) value += size * std::max(1.0, std::abs(value)) * normal(random);
      y = system_.space().into_bounds(y);
      if (attempt(Method::kLevenbergMarquardt, levenberg_marquardt(system_, y, options_)))
        return true;
    }
    return false;
  }

  bool try_homotopies() {
    if (!options_.allows_homotopy || system_.num_free() == 0 || system_.is_stopped()) return false;
    for (const Method method :
         {Method::kAffineHomotopy, Method::kNewtonHomotopy, Method::kFixedPointHomotopy}) {
      if (attempt(method, follow_homotopy(system_, method, start_, options_))) return true;
    }
    return false;
  }

  bool try_user_homotopy() {
    if (!options_.allows_homotopy || system_.num_free() == 0 || system_.is_stopped()) return false;
    system_.set_parameter(0);
    Chain simplified(system_, options_);
    const bool is_solved =
        simplified.begin() && (simplified.try_newton_methods() || simplified.try_homotopies() ||
                               simplified.try_optimization());
    report_.iterations += simplified.report_.iterations;
    system_.set_parameter(1);
    system_.begin_at(start_);  // the simplified equations may have begun elsewhere
    if (!is_solved) {
      Outcome outcome;
      outcome.residual_norm = std::numeric_limits<double>::infinity();
      outcome.detail = "the simplified equations could not be solved";
      return attempt(Method::kUserHomotopy, outcome);
    }
    return attempt(Method::kUserHomotopy,
                   follow_user_homotopy(system_, simplified.best_, options_));
  }

  bool try_optimization() {
    return options_.allows_optimization && system_.num_free() > 0 && !system_.is_stopped() &&
           attempt(Method::kOptimization, optimize(system_, start_, options_));
  }

  // Of one unknown, where Newton's methods come to rest without a solution.
  bool try_outwards() {
    if (!options_.wants_nearest_root || system_.num_free() == 0 || system_.is_stopped())
      return false;
    const NearestRoot found = find_nearest_root(system_, start_, nullptr, options_);
    if (!found.nearer) return false;
    is_nearest_ = attempt(Method::kGaussNewton, *found.nearer) && found.is_established;
    return report_.status == Status::kSolved;
  }

  // Of a solution that is not known to be the one next to the guess.
  void take_nearest() {
    const bool is_solved = report_.status == Status::kSolved;
    if (!is_solved || is_next_ || is_nearest_ || !options_.wants_nearest_root) return;
    Outcome known;
    known.y = best_;
    const NearestRoot found = find_nearest_root(system_, start_, &known, options_);
    if (found.nearer) attempt(report_.method, *found.nearer);
    is_nearest_ = found.is_established;
  }

  Solution finish() {
    system_.lift_limits();
    if (system_.is_stopped() && report_.status != Status::kSolved) {
      report_.status = Status::kNotConverged;
    }
    Solution solution;
    if (report_.status == Status::kBadInput || report_.status == Status::kUndefined) {
      solution.x = system_.unknowns().guess;
    } else {
      if (report_.status == Status::kSolved) move_closer();
      report_.is_closest = report_.status == Status::kSolved && is_nearest_;
      solution.x = system_.space().to_unknowns(best_);
      describe_point(system_, best_, options_, report_);
    }
    report_.residual_evaluations = system_.residual_evaluations;
    report_.jacobian_evaluations = system_.jacobian_evaluations;
    solution.report = std::move(report_);
    return solution;
  }

  bool attempt(Method method, const Outcome& outcome) {
    report_.attempts.push_back(
        {method, outcome.status, outcome.iterations, outcome.residual_norm, outcome.detail});
    report_.iterations += outcome.iterations;
    const bool is_solved = outcome.status == Status::kSolved;
    const bool is_at_rest =
        report_.status == Status::kInconsistent;  // the point near the guess to show
    if (is_solved || (!is_at_rest && outcome.residual_norm < best_residual_)) {
      best_ = outcome.y;
      best_residual_ = outcome.residual_norm;
      is_unique_ = outcome.is_unique;
      is_next_ = is_nearest_ = false;
      report_.method = method;
    }
    if (is_solved || outcome.status == Status::kInconsistent) report_.status = outcome.status;
    return is_solved;
  }

  // What other methods find begins elsewhere.
  bool attempt_from_start(const Outcome& outcome) {
    if (!attempt(Method::kGaussNewton, outcome)) return false;
    is_next_ = outcome.is_next;
    is_nearest_ = outcome.is_nearest;
    return true;
  }

  void move_closer() {
    if (is_unique_ || !options_.wants_closest_point) return;
    Options options = options_;
    options.insists_on_closest_point = options_.insists_on_closest_point && has_freedom();
    is_nearest_ = is_nearest_ || options.insists_on_closest_point;
    best_ = move_to_closest_point(system_, best_, options, report_.iterations);
  }

  bool has_freedom() {
    Matrix J;
    PseudoInverse inverse;
    if (!system_.differentiate(best_, J)) return false;
    scale_rows(system_.equation_size().cwiseInverse(), J);
    inverse.compute(J, options_.rank_tolerance);
    return inverse.rank() < system_.num_free();
  }

  System& system_;
  const Options& options_;
  Report report_;
  Vector start_, best_;
  double best_residual_ = std::numeric_limits<double>::infinity();
  bool is_unique_ = false, is_next_ = false, is_nearest_ = false;
};

}  // namespace

Solution solve(const Problem& problem, const Options& options) {
  System system(problem);
  Chain chain(system, options);
  if (chain.begin()) {
    chain.try_newton_methods() || chain.try_outwards() || chain.try_homotopies() ||
        chain.try_other_starts() || chain.try_optimization();
    chain.take_nearest();
  }
  return chain.finish();
}

Solution solve(const ParametricProblem& problem, const Options& options) {
  System system(problem);
  Chain chain(system, options);
  if (chain.begin()) {
    chain.try_newton_methods() || chain.try_user_homotopy() || chain.try_outwards() ||
        chain.try_homotopies() || chain.try_other_starts() || chain.try_optimization();
    chain.take_nearest();
  }
  return chain.finish();
}

}  // namespace hydae::init

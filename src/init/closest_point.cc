#include "init/closest_point.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "init/bounded_step.h"
#include "init/gauss_newton.h"
#include "init/optimization.h"
#include "init/penalty_path.h"
#include "linalg/dense_factors.h"

namespace hydae::init {
namespace {

constexpr int kMostFixedPointSteps = 50;  // contracts linearly: what is slower is left to Newton
constexpr int kMostNewtonSteps = 30;      // of each set of bounds that hold
constexpr int kMostActiveSets = 20;       // bounds that let go and take hold again
constexpr int kMostFavoured = 30;         // equations, each of which gets a penalty path of its own
constexpr Eigen::Index kLargestDense = 250;  // unknowns whose second derivatives are formed
// An interior-point method ends this far inside a bound that holds, in nominal units.
constexpr double kNearBound = 1e-6;
constexpr double kDifference = 1e-7;  // step of a difference quotient of first derivatives

double distance(const System& system, const Vector& y) {
  return system.space().away_from_wish(y).norm();
}

bool is_at_some_bound(const System& system, const Vector& y) {
  return (y.array() == system.space().lower().array()).any() ||
         (y.array() == system.space().upper().array()).any();
}

bool is_solution(System& system, const Vector& y, const Options& options) {
  Vector f;
  return system.space().contains(y) && system.evaluate(y, f) &&
         system.residual_norm(f) <= options.residual_tolerance;
}

// y+ = g + J^+ (J (y - g) - f): the point closest to the wish g on the linearized equations. Its
// fixed points are those where y - g is orthogonal to f = 0; a contraction ends in a minimum.
std::optional<Vector> iterate_to_closest(System& system, const Vector& y, const Options& options,
                                         int& iterations) {
  const Vector& wish = system.space().wish();
  if (!system.space().contains(wish)) return std::nullopt;
  Vector current = y, f;
  Matrix J;
  BoundedStep solver(options.rank_tolerance, system.space().weightless());
  double last_size = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostFixedPointSteps; ++i) {
    if (!system.evaluate(current, f) || !system.differentiate(current, J)) return std::nullopt;
    const Vector weight = system.equation_size().cwiseInverse();
    scale_rows(weight, J);
    const Vector from_wish = weight.cwiseProduct(f) - J * (current - wish);
    const Vector& s =
        solver.compute(J, from_wish, system.space().lower() - wish, system.space().upper() - wish);
    const Vector next = system.space().into_bounds(wish + s);
    ++iterations;
    const double size = relative_size(next - current, current);
    if (!(size < 0.9 * last_size)) return std::nullopt;  // curvature too strong: no contraction
    current = next;
    last_size = size;
    if (size > options.step_tolerance) continue;
    if (!is_solution(system, current, options)) return std::nullopt;
    return current;
  }
  return std::nullopt;
}

// Newton's method on W (y - g) + J^T m = 0, f = 0 in the unknowns that are not at a bound, with
// multipliers m; bounds are taken up and let go as the signs of what they would have to push say.
class ConditionsOfMinimum {
 public:
  ConditionsOfMinimum(System& system, const Options& options) : system_(system), options_(options) {
    wanted_ = Vector::Ones(system.num_free());
    for (std::size_t k = 0; k < system.space().weightless().size(); ++k)
      if (system.space().weightless()[k]) wanted_[static_cast<Eigen::Index>(k)] = 0;
  }

  std::optional<Vector> solve(const Vector& start, int& iterations) {
    y_ = start;
    is_bound_.assign(static_cast<std::size_t>(y_.size()), false);
    for (Eigen::Index j = 0; j < y_.size(); ++j) bind_if_near(j);
    for (int round = 0; round < kMostActiveSets; ++round) {
      collect_free();
      if (!converge(iterations)) return std::nullopt;
      if (bind_what_left() || let_go_one()) continue;
      if (is_solution(system_, y_, options_)) return y_;
      return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  void bind_if_near(Eigen::Index j) {
    const double near = kNearBound * std::max(1.0, std::abs(y_[j]));
    if (y_[j] <= system_.space().lower()[j] + near)
      bind(j, system_.space().lower()[j]);
    else if (y_[j] >= system_.space().upper()[j] - near)
      bind(j, system_.space().upper()[j]);
  }
  void bind(Eigen::Index j, double bound) {
    y_[j] = bound;
    is_bound_[static_cast<std::size_t>(j)] = true;
  }
  void collect_free() {
    free_.clear();
    for (Eigen::Index j = 0; j < y_.size(); ++j)
      if (!is_bound_[static_cast<std::size_t>(j)]) free_.push_back(j);
  }

  // Residuals and rows of J in units of the equations' sizes at the start.
  bool evaluate(const Vector& y, DenseMatrix& J) {
    Matrix sparse;
    if (!system_.differentiate(y, sparse)) return false;
    if (weight_.size() == 0) weight_ = system_.equation_size().cwiseInverse();
    J = weight_.asDiagonal() * DenseMatrix(sparse);
    return true;
  }

  bool converge(int& iterations) {
    DenseMatrix J;
    if (!evaluate(y_, J)) return false;
    m_ = linalg::OrthogonalFactors(DenseMatrix(J(Eigen::all, free_).transpose()))
             .solve(-gradient()(free_));
    for (int step = 0; step < kMostNewtonSteps; ++step) {
      Vector f;
      if (!system_.evaluate(y_, f) || !evaluate(y_, J)) return false;
      const Vector change = newton_step(J, weight_.cwiseProduct(f));
      if (!change.allFinite()) return false;
      ++iterations;
      const auto n = static_cast<Eigen::Index>(free_.size());
      const Vector moved = change.head(n);
      y_(free_) += moved;
      m_ += change.tail(m_.size());
      pushes_ = gradient() + J.transpose() * m_;
      if (relative_size(moved, Vector(y_(free_))) <= options_.step_tolerance) return true;
    }
    return false;
  }

  Vector gradient() const { return wanted_.cwiseProduct(y_ - system_.space().wish()); }

  Vector newton_step(const DenseMatrix& J, const Vector& f) {
    const auto n = static_cast<Eigen::Index>(free_.size()), m = f.size();
    DenseMatrix K = DenseMatrix::Zero(n + m, n + m);
    for (Eigen::Index a = 0; a < n; ++a) {
      const Eigen::Index j = free_[static_cast<std::size_t>(a)];
      Vector ahead = y_;
      const double h = kDifference * std::max(1.0, std::abs(y_[j]));
      ahead[j] += h;
      DenseMatrix J_ahead;
      if (!evaluate(ahead, J_ahead)) return Vector::Constant(1, std::nan(""));
      K.col(a).head(n) = Vector(((J_ahead - J).transpose() * m_)(free_)) / (ahead[j] - y_[j]);
      K(a, a) += wanted_[j];
    }
    const DenseMatrix J_free = J(Eigen::all, free_);
    K.topRightCorner(n, m) = J_free.transpose();
    K.bottomLeftCorner(m, n) = J_free;
    Vector rhs(n + m);
    rhs << Vector((gradient() + J.transpose() * m_)(free_)), f;
    return linalg::OrthogonalFactors(K, options_.rank_tolerance).solve(-rhs);
  }

  bool bind_what_left() {
    bool has_left = false;
    for (const Eigen::Index j : free_) {
      if (y_[j] >= system_.space().lower()[j] && y_[j] <= system_.space().upper()[j]) continue;
      bind(j, y_[j] < system_.space().lower()[j] ? system_.space().lower()[j]
                                                 : system_.space().upper()[j]);
      has_left = true;
    }
    return has_left;
  }

  // The bound that would have to pull hardest.
  bool let_go_one() {
    Eigen::Index worst = -1;
    double most = kNearBound;
    for (Eigen::Index j = 0; j < y_.size(); ++j) {
      if (!is_bound_[static_cast<std::size_t>(j)]) continue;
      if (system_.space().lower()[j] == system_.space().upper()[j]) continue;
      const double pull = y_[j] <= system_.space().lower()[j] ? -pushes_[j] : pushes_[j];
      if (pull <= most) continue;
      most = pull;
      worst = j;
    }
    if (worst < 0) return false;
    is_bound_[static_cast<std::size_t>(worst)] = false;
    return true;
  }

  System& system_;
  const Options& options_;
  Vector wanted_;  // 1 or 0
  Vector y_, m_, weight_, pushes_;
  std::vector<bool> is_bound_;
  std::vector<Eigen::Index> free_;
};

// The nearest of what is found from the guesses, from y, and at the end of the penalty path.
class Insistence {
 public:
  Insistence(System& system, const Vector& y, const Options& options, int& iterations)
      : system_(system), options_(options), iterations_(iterations), best_(y) {}

  Vector run() {
    refine(best_);
    for (const Vector& start : {Vector(system_.space().guess()), Vector(best_)}) {
      const Outcome found = optimize(system_, start, options_);
      iterations_ += found.iterations;
      if (found.status != Status::kSolved) continue;
      take(found.y);
    }
    const int count = system_.num_equations();
    for (int i = -1; i < (count <= kMostFavoured ? count : 0); ++i) take_end_of_path(i);
    return best_;
  }

 private:
  void refine(const Vector& y) {
    if (y.size() > kLargestDense) return;
    const auto exact = ConditionsOfMinimum(system_, options_).solve(y, iterations_);
    if (exact && distance(system_, *exact) <= (1 + 1e-9) * distance(system_, best_)) best_ = *exact;
  }
  void take(const Vector& y) {
    keep_if_closer(y);
    refine(y);
  }
  void take_end_of_path(int favoured) {
    if (system_.num_free() > kLargestDense) return;
    const auto end = follow_penalty_path(system_, favoured, options_, iterations_);
    if (!end) return;
    const Outcome found = gauss_newton(system_, *end, options_);
    if (found.status == Status::kSolved) take(found.y);
  }
  void keep_if_closer(const Vector& y) {
    if (distance(system_, y) < (1 - 1e-9) * distance(system_, best_)) best_ = y;
  }

  System& system_;
  const Options& options_;
  int& iterations_;
  Vector best_;
};

}  // namespace

Vector move_to_closest_point(System& system, const Vector& y, const Options& options,
                             int& iterations) {
  const auto near = iterate_to_closest(system, y, options, iterations);
  if (!options.insists_on_closest_point) return near.value_or(y);
  if (near && distance(system, *near) == 0) return *near;
  const bool is_plain = near && !is_at_some_bound(system, *near);
  if (is_plain && system.num_free() > kLargestDense) return *near;
  return Insistence(system, near.value_or(y), options, iterations).run();
}

}  // namespace hydae::init

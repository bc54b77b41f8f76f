#include "init/penalty_path.h"

#include <algorithm>
#include <cmath>

#include "init/bounded_step.h"

namespace hydae::init {
namespace {

// Weights from where the wish decides to where the equations do, by factors of ten: the last leaves
// a residual of about 1e-4 of the distance, from where Newton's method ends at the same place.
constexpr double kFirstWeight = 0.1;
constexpr double kLastWeight = 1e4;
constexpr double kWeightGrowth = 10;
constexpr int kMostSteps = 30;          // per weight
constexpr double kSmallestStep = 1e-4;  // only the last weight's end matters, and that not exactly
constexpr double kFavour = 100;  // weight of the favoured equation: two steps ahead of the others
constexpr double kPathDamping = 1e-3;      // the first one; weights bring the equations to size one
constexpr double kMostPathDamping = 1e10;  // where no step is shorter

class PenaltyPath {
 public:
  PenaltyPath(System& system, int favoured, const Options& options)
      : system_(system),
        favoured_(favoured),
        solver_(options.rank_tolerance),
        y_(system.space().into_bounds(system.space().wish())) {
    for (Eigen::Index j = 0; j < y_.size(); ++j)
      if (system.space().weightless().empty() ||
          !system.space().weightless()[static_cast<std::size_t>(j)])
        wanted_.push_back(j);
  }

  std::optional<Vector> follow(int& iterations) {
    for (double weight = kFirstWeight; weight <= kLastWeight; weight *= kWeightGrowth)
      if (!minimise(weight, iterations)) return std::nullopt;
    return y_;
  }

 private:
  bool minimise(double weight, int& iterations) {
    double damping = kPathDamping;
    if (!linearize(weight)) return false;
    for (int step = 0; step < kMostSteps; ++step, ++iterations) {
      const Vector last = y_;
      while (!advance(damping))
        if ((damping *= 10) > kMostPathDamping) return true;
      if (relative_size(y_ - last, y_) <= kSmallestStep) return true;
      damping = std::max(1e-12, 0.1 * damping);
      if (!linearize(weight)) return false;
    }
    return true;
  }

  // Equations and wishes in one list of residuals; sizes only where a weight begins, so that what
  // is made smaller stays the same.
  bool linearize(double weight) {
    Matrix J;
    if (!system_.differentiate(y_, J)) return false;
    if (weight != weight_) {
      scale_ = std::sqrt(weight) * system_.equation_size().cwiseInverse();
      if (favoured_ >= 0) scale_[favoured_] *= std::sqrt(kFavour);
      weight_ = weight;
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < J.outerSize(); ++j)
      for (Matrix::InnerIterator it(J, j); it; ++it)
        entries.emplace_back(it.row(), j, scale_[it.row()] * it.value());
    int row = static_cast<int>(J.rows());
    for (const Eigen::Index j : wanted_) entries.emplace_back(row++, j, 1.0);
    J_.resize(row, y_.size());
    J_.setFromTriplets(entries.begin(), entries.end());
    return residuals(y_, r_);
  }

  bool residuals(const Vector& y, Vector& r) {
    Vector f;
    if (!system_.evaluate(y, f)) return false;
    r.resize(f.size() + static_cast<Eigen::Index>(wanted_.size()));
    r << scale_.cwiseProduct(f), (y - system_.space().wish())(wanted_);
    return true;
  }

  bool advance(double damping) {
    const Vector& s = solver_.compute(J_, r_, system_.space().lower() - y_,
                                      system_.space().upper() - y_, damping);
    const Vector trial = system_.space().into_bounds(y_ + s);
    Vector r;
    if (!residuals(trial, r) || !(r.squaredNorm() <= r_.squaredNorm())) return false;
    y_ = trial;
    return true;
  }

  System& system_;
  int favoured_;
  BoundedStep solver_;
  std::vector<Eigen::Index> wanted_;
  Vector y_, r_, scale_;
  Matrix J_;
  double weight_ = 0;
};

}  // namespace

std::optional<Vector> follow_penalty_path(System& system, int favoured, const Options& options,
                                          int& iterations) {
  return PenaltyPath(system, favoured, options).follow(iterations);
}

}  // namespace hydae::init

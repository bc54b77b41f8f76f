#include "init/homotopy.h"

#include <fmt/format.h>
#include <limits>

#include "init/curve.h"
#include "init/pseudo_inverse.h"
#include "linalg/svd.h"

namespace hydae::init {
namespace {

constexpr int kMaxFixedPointSize = 200;      // dense singular value decomposition
constexpr int kMostPointsOfShortPath = 200;  // then another root is not near

// The unknowns z = (some of y, lambda) of a homotopy; the rest of y stays.
class HomotopyCurve {
 public:
  HomotopyCurve(System& system, Method method, const Vector& start)
      : system_(system), method_(method), parameter_(system.parameter()), start_(start) {}

  // Chooses the unknowns; says why if there is no homotopy of this kind from the start.
  std::string prepare(const Options& options) {
    Matrix J;
    if (!system_.evaluate(start_, f0_) || !system_.differentiate(start_, J))
      return "undefined start";
    weight_ = system_.equation_size().cwiseInverse();
    scale_rows(weight_, J);
    f0_ = weight_.cwiseProduct(f0_);
    if (J.rows() > J.cols()) return "more equations than unknowns";
    PseudoInverse inverse;
    inverse.compute(J, options.rank_tolerance);
    const bool has_full_rank = inverse.rank() == J.rows();
    if (J.rows() == J.cols()) {
      columns_.resize(static_cast<std::size_t>(J.cols()));
      for (std::size_t k = 0; k < columns_.size(); ++k) columns_[k] = static_cast<int>(k);
    } else if (has_full_rank) {
      columns_ = inverse.independent_columns();
    } else {
      return "singular start";
    }
    if (method_ == Method::kAffineHomotopy && !has_full_rank) return "singular start";
    return choose_linear_part(J);
  }

  Curve curve() {
    Curve result;
    result.num_equations = system_.num_equations();
    result.evaluate = [this](const Vector& z, Vector& f) { return evaluate(z, f); };
    result.differentiate = [this](const Vector& z, Matrix& J) { return differentiate(z, J); };
    return result;
  }

  Vector start() const {
    Vector z(num_columns() + 1);
    for (Eigen::Index k = 0; k < num_columns(); ++k) z[k] = start_[column(k)];
    z[num_columns()] = 0;
    return z;
  }

  Vector to_y(const Vector& z) const {
    Vector y = start_;
    for (Eigen::Index k = 0; k < num_columns(); ++k) y[column(k)] = z[k];
    return y;
  }

 private:
  Eigen::Index num_columns() const { return static_cast<Eigen::Index>(columns_.size()); }
  int column(Eigen::Index k) const { return columns_[static_cast<std::size_t>(k)]; }

  std::string choose_linear_part(const Matrix& J) {
    if (method_ == Method::kAffineHomotopy) linear_ = select(J);
    if (method_ != Method::kFixedPointHomotopy) return {};
    if (num_columns() > kMaxFixedPointSize) return "too many unknowns";
    const linalg::Svd svd = linalg::compute_svd(DenseMatrix(select(J)));
    linear_ = DenseMatrix(svd.U * svd.V.transpose()).sparseView();
    return {};
  }

  Matrix select(const Matrix& J) const {
    Matrix result(J.rows(), num_columns());
    for (Eigen::Index k = 0; k < num_columns(); ++k) result.col(k) = J.col(column(k));
    return result;
  }

  bool evaluate(const Vector& z, Vector& f) {
    const double lambda = z[num_columns()];
    system_.set_parameter(method_ == Method::kUserHomotopy ? lambda : parameter_);
    if (!system_.evaluate(to_y(z), f)) return false;
    f = weight_.cwiseProduct(f);
    if (method_ == Method::kNewtonHomotopy) f -= (1 - lambda) * f0_;
    if (has_linear_part()) f = lambda * f + (1 - lambda) * linear_term(z);
    return true;
  }

  bool differentiate(const Vector& z, Matrix& J) {
    const double lambda = z[num_columns()];
    const Vector y = to_y(z);
    Vector slope;
    Matrix full;
    system_.set_parameter(method_ == Method::kUserHomotopy ? lambda : parameter_);
    if (!system_.differentiate(y, full) || !parameter_slope(y, z, slope)) return false;
    Matrix by_y = weight_.asDiagonal() * select(full);
    if (has_linear_part()) by_y = lambda * by_y + (1 - lambda) * linear_;
    J.resize(by_y.rows(), by_y.cols() + 1);
    J.leftCols(by_y.cols()) = by_y;
    J.rightCols(1) = Matrix(slope.sparseView());
    J.makeCompressed();
    return true;
  }

  bool parameter_slope(const Vector& y, const Vector& z, Vector& slope) {
    if (method_ == Method::kNewtonHomotopy) {
      slope = f0_;
      return true;
    }
    const bool is_user = method_ == Method::kUserHomotopy;
    if (!(is_user ? system_.differentiate_parameter(y, slope) : system_.evaluate(y, slope))) {
      return false;
    }
    slope = weight_.cwiseProduct(slope);
    if (has_linear_part()) slope -= linear_term(z);
    return true;
  }

  bool has_linear_part() const {
    return method_ == Method::kAffineHomotopy || method_ == Method::kFixedPointHomotopy;
  }
  Vector linear_term(const Vector& z) const { return linear_ * (z - start()).head(num_columns()); }

  System& system_;
  Method method_;
  double parameter_;  // of the user, for the other homotopies
  Vector start_;
  std::vector<int> columns_;
  Vector weight_, f0_;
  Matrix linear_;
};

PathOptions options_to_target(const System& system, const HomotopyCurve& homotopy) {
  PathOptions result;
  result.target = 1;
  result.lambda_min = -10;
  result.lambda_max = 10;
  result.keeps_points = false;
  result.tolerance = 1e-8;  // the end is refined
  result.accepts_target = [&](const CurvePoint& point) {
    return system.space().contains(homotopy.to_y(point.z));
  };
  return result;
}

// The path in one direction, and in the other if the first does not arrive: what leads away from
// lambda = 1 at first may turn back and reach it. A user's homotopy means lambda to grow.
Path follow_path(System& system, HomotopyCurve& homotopy, bool both_directions,
                 const Options& options) {
  PathOptions path_options = options_to_target(system, homotopy);
  path_options.max_step = 1e3;
  path_options.max_points = 5 * options.max_iterations;
  path_options.lambda_min = both_directions ? -10 : -0.5;
  path_options.max_arclength = 1e4 * (1 + homotopy.start().norm());
  const Curve curve = homotopy.curve();
  Path path = follow_curve(curve, homotopy.start(), path_options);
  if (path.end == PathEnd::kTarget || path.end == PathEnd::kBadStart || !both_directions)
    return path;
  path_options.direction = -1;
  Path other = follow_curve(curve, homotopy.start(), path_options);
  (other.end == PathEnd::kTarget ? other : path).num_corrections =
      path.num_corrections + other.num_corrections;
  return other.end == PathEnd::kTarget ? other : path;
}

// `parameter`: of the user, where the path ends.
Outcome follow(System& system, HomotopyCurve& homotopy, double parameter, bool both_directions,
               const Options& options) {
  const Path path = follow_path(system, homotopy, both_directions, options);
  system.set_parameter(parameter);
  Outcome outcome;
  outcome.y = homotopy.to_y(path.points.empty() ? homotopy.start() : path.points.back().z);
  outcome.residual_norm = std::numeric_limits<double>::infinity();
  outcome.detail = fmt::format("{} at lambda = {:.6g}", name(path.end),
                               path.points.empty() ? 0 : path.points.back().lambda());
  if (path.end == PathEnd::kTarget) outcome = gauss_newton(system, outcome.y, options);
  outcome.iterations += path.num_corrections;
  return outcome;
}

Outcome run(System& system, Method method, const Vector& start, const Options& options) {
  HomotopyCurve homotopy(system, method, start);
  const bool is_user = method == Method::kUserHomotopy;
  const double parameter = is_user ? 1 : system.parameter();
  const std::string obstacle = homotopy.prepare(options);
  if (obstacle.empty()) return follow(system, homotopy, parameter, !is_user, options);
  system.set_parameter(parameter);
  Outcome outcome;
  outcome.y = start;
  outcome.residual_norm = std::numeric_limits<double>::infinity();
  outcome.detail = obstacle;
  return outcome;
}

}  // namespace

Outcome follow_homotopy(System& system, Method method, const Vector& start,
                        const Options& options) {
  return run(system, method, start, options);
}

Outcome follow_user_homotopy(System& system, const Vector& simplified, const Options& options) {
  system.set_parameter(0);
  return run(system, Method::kUserHomotopy, simplified, options);
}

std::vector<Outcome> connected_solutions(System& system, const Vector& start, double reach,
                                         const Options& options) {
  std::vector<Outcome> result;
  HomotopyCurve homotopy(system, Method::kNewtonHomotopy, start);
  if (!homotopy.prepare(options).empty()) return result;
  PathOptions path_options = options_to_target(system, homotopy);
  // lambda goes from 0 to 1 at least, whatever the distance.
  path_options.max_arclength = 2 * (1 + reach);
  path_options.max_step = 0.1 * (1 + reach);
  path_options.initial_step = std::min(path_options.initial_step, 0.05 * reach);
  path_options.max_points = kMostPointsOfShortPath;
  for (const int direction : {1, -1}) {
    path_options.direction = direction;
    const Path path = follow_curve(homotopy.curve(), homotopy.start(), path_options);
    if (path.end != PathEnd::kTarget) continue;
    Outcome outcome = gauss_newton(system, homotopy.to_y(path.points.back().z), options);
    outcome.iterations += path.num_corrections;
    if (outcome.status == Status::kSolved) result.push_back(std::move(outcome));
  }
  return result;
}

}  // namespace hydae::init

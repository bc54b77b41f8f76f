#include "init/curve.h"

#include <algorithm>
#include <cmath>

#include "init/curve_corrector.h"

namespace hydae::init {
namespace {

constexpr double kLargestAngle = 0.5;  // between neighbouring tangents, radians
constexpr double kWantedAngle = 0.15;  // smaller: more points; larger: more corrections that fail
constexpr double kLargestDeviation = 0.4;  // of a point from its prediction, in steps

Vector unit_vector(Eigen::Index size, Eigen::Index position) {
  Vector e = Vector::Zero(size);
  e[position] = 1;
  return e;
}

double angle_between(const Vector& a, const Vector& b) {
  return 2 * std::asin(std::min(1.0, 0.5 * (a - b).norm()));  // unit vectors; accurate when small
}

// One run along the curve. A segment is the piece from `last_` over the arc length `step_`.
class Follower {
 public:
  Follower(const Curve& curve, const PathOptions& options)
      : options_(options),
        corrector_(curve, options.tolerance),
        size_(curve.num_equations + 1),
        lambda_row_(unit_vector(size_, size_ - 1)),
        step_(options.initial_step) {}

  Path run(const Vector& start) {
    path_.end = PathEnd::kBadStart;
    if (begin(start)) {
      while (path_.end == PathEnd::kBadStart) advance();
      if (!options_.keeps_points && path_.points.back().kind != PointKind::kTarget) record(last_);
    }
    path_.num_corrections = corrector_.num_corrections();
    return std::move(path_);
  }

 private:
  // A point of the curve near the start and the tangent there. At a turning point the row for
  // lambda is useless; some other coordinate will do.
  bool begin(const Vector& start) {
    for (Eigen::Index k = 0; k < size_; ++k) {
      const Vector row = unit_vector(size_, size_ - 1 - k);
      CurvePoint point{start, {}, 0, PointKind::kRegular};
      if (!corrector_.correct(point.z, row)) continue;
      point.tangent = corrector_.tangent(point.z, row);
      if (point.tangent.size() == 0) continue;
      if (point.tangent[size_ - 1] * options_.direction < 0) point.tangent = -point.tangent;
      // The sign of the determinant belongs to this orientation.
      corrector_.tangent(point.z, point.tangent);
      last_ = first_ = point;
      last_sign_ = corrector_.determinant_sign();
      record(point);
      return true;
    }
    return false;
  }

  void advance() {
    CurvePoint next;
    if (!find_next(next)) {
      path_.end = PathEnd::kStepTooSmall;
      return;
    }
    ++path_.num_steps;
    const int sign = corrector_.determinant_sign();
    inspect_segment(next, sign);
    if (path_.end != PathEnd::kBadStart) return;
    adapt_step(angle_between(last_.tangent, next.tangent));
    last_ = next;
    last_sign_ = sign;
    if (options_.keeps_points) record(next);
    check_limits();
  }

  // Shortens the step until the corrector converges close to the prediction without turning much.
  // If that fails there may be a branch point ahead, near which it cannot converge: leap over it.
  bool find_next(CurvePoint& next) {
    const double wanted = step_;
    for (; step_ >= options_.min_step; step_ *= 0.5) {
      if (is_acceptable(step_, kLargestDeviation, next)) return true;
    }
    for (const double leap : {0.1, 0.3, 1.0, 3.0}) {
      step_ = leap * wanted;
      if (is_acceptable(step_, 0.1 * kLargestDeviation, next)) return true;
    }
    return false;
  }

  bool is_acceptable(double step, double largest_deviation, CurvePoint& next) {
    if (!point_at(step, next)) return false;
    const double deviation = (next.z - last_.z - step * last_.tangent).norm();
    return deviation <= largest_deviation * step &&
           angle_between(last_.tangent, next.tangent) <= kLargestAngle;
  }

  // The point of the curve in the plane at distance `step` along the last tangent.
  bool point_at(double step, CurvePoint& point) {
    point.z = last_.z + step * last_.tangent;
    if (!corrector_.correct(point.z, last_.tangent)) return false;
    iterations_ = corrector_.last_iterations();
    point.tangent = corrector_.tangent(point.z, last_.tangent);
    point.arclength = last_.arclength + step;
    point.kind = PointKind::kRegular;
    return point.tangent.size() > 0;
  }

  // What lies between `last_` and `next`, in the order it is met; a target or the closure ends the
  // path.
  void inspect_segment(const CurvePoint& next, int sign) {
    const double length = step_;
    if (sign != last_sign_) record_branch(length, sign);
    const auto slope = [this](const CurvePoint& p) { return p.tangent[size_ - 1]; };
    if (slope(last_) * slope(next) < 0 && sign == last_sign_) {
      CurvePoint fold;
      if (locate(slope, 0, length, fold)) {
        fold.kind = PointKind::kFold;
        look_for_target(last_, fold);
        if (path_.end == PathEnd::kTarget) return;
        record(fold);
        look_for_target(fold, next);
        if (path_.end != PathEnd::kTarget) look_for_closure(length);
        return;
      }
    }
    look_for_target(last_, next);
    if (path_.end != PathEnd::kTarget) look_for_closure(length);
  }

  // Root of g along the segment by the Illinois variant of regula falsi.
  template <class Function>
  bool locate(Function g, double from, double to, CurvePoint& point) {
    CurvePoint at;
    double a = from, b = to;
    if (!point_at(a, at)) return false;
    double ga = g(at);
    if (!point_at(b, at)) return false;
    double gb = g(at);
    if (ga * gb > 0) return false;
    int last_side = 0;
    for (int i = 0; i < 60 && b - a > 1e-13 * to; ++i) {
      const double middle =
          ga == gb ? 0.5 * (a + b) : std::clamp(b - gb * (b - a) / (gb - ga), a, b);
      if (!point_at(middle, at)) return false;
      const double gm = g(at);
      point = at;
      if (gm == 0 || middle == a || middle == b) break;
      const int side = gm * gb > 0 ? 1 : -1;
      if (side > 0) {
        b = middle;
        gb = gm;
        if (last_side > 0) ga *= 0.5;
      } else {
        a = middle;
        ga = gm;
        if (last_side < 0) gb *= 0.5;
      }
      last_side = side;
    }
    return point.z.size() > 0;
  }

  // Bisection on the sign of the determinant as far as points can be computed.
  void record_branch(double length, int sign) {
    double a = 0, b = length;
    CurvePoint branch, point;
    if (!point_at(length, branch)) return;
    for (int i = 0; i < 30; ++i) {
      if (!point_at(0.5 * (a + b), point)) break;
      (corrector_.determinant_sign() == sign ? b : a) = 0.5 * (a + b);
      branch = point;
    }
    branch.kind = PointKind::kBranch;
    record(branch);
  }

  // lambda = target between two points of the segment.
  void look_for_target(const CurvePoint& a, const CurvePoint& b) {
    if (!options_.target) return;
    const double target = *options_.target;
    if (a.lambda() == target || (a.lambda() - target) * (b.lambda() - target) > 0) return;
    CurvePoint point;
    const auto distance = [&](const CurvePoint& p) { return p.lambda() - target; };
    if (!locate(distance, a.arclength - last_.arclength, b.arclength - last_.arclength, point))
      return;
    Vector exact = point.z;
    if (corrector_.correct_to(exact, lambda_row_, target) && (exact - point.z).norm() < step_) {
      point.z = exact;
      point.z[size_ - 1] = target;
    }
    point.kind = PointKind::kTarget;
    record(point);
    if (!options_.accepts_target || options_.accepts_target(point)) path_.end = PathEnd::kTarget;
  }

  // The segment passes the start in the direction in which it was left.
  void look_for_closure(double length) {
    const Vector to_first = first_.z - last_.z;
    const double along = to_first.dot(last_.tangent);
    if (path_.num_steps < 3 || along <= 0 || along > length) return;
    if ((to_first - along * last_.tangent).norm() > kLargestDeviation * length) return;
    CurvePoint back;
    if (!point_at(along, back)) return;
    if ((back.z - first_.z).norm() > 1e-6 * (1 + first_.z.norm())) return;
    if (back.tangent.dot(first_.tangent) < 0.9) return;
    record(back);
    path_.end = PathEnd::kClosed;
  }

  void adapt_step(double angle) {
    double factor = std::clamp(kWantedAngle / std::max(angle, 1e-3), 0.5, 2.0);
    if (iterations_ > 5) factor = std::min(factor, 0.7);
    step_ = std::clamp(factor * step_, options_.min_step, options_.max_step);
  }

  void check_limits() {
    const double lambda = last_.lambda();
    if (lambda < options_.lambda_min || lambda > options_.lambda_max) {
      path_.end = PathEnd::kLeftRange;
    } else if (last_.arclength >= options_.max_arclength) {
      path_.end = PathEnd::kMaxArclength;
    } else if (path_.num_steps >= options_.max_points) {
      path_.end = PathEnd::kMaxPoints;
    }
  }

  void record(const CurvePoint& point) { path_.points.push_back(point); }

  const PathOptions& options_;
  CurveCorrector corrector_;
  Eigen::Index size_;
  Vector lambda_row_;
  double step_;
  int iterations_ = 0;
  CurvePoint first_, last_;
  int last_sign_ = 0;
  Path path_;
};

}  // namespace

const char* name(PathEnd end) {
  switch (end) {
    case PathEnd::kTarget: return "target reached";
    case PathEnd::kClosed: return "closed curve";
    case PathEnd::kLeftRange: return "parameter out of range";
    case PathEnd::kMaxArclength: return "longest arc length reached";
    case PathEnd::kMaxPoints: return "too many points";
    case PathEnd::kStepTooSmall: return "step too small";
    case PathEnd::kBadStart: return "no curve at the start";
  }
  return "";
}

int Path::count(PointKind kind) const {
  return static_cast<int>(std::count_if(points.begin(), points.end(),
                                        [&](const CurvePoint& p) { return p.kind == kind; }));
}

Path follow_curve(const Curve& curve, const Vector& start, const PathOptions& options) {
  return Follower(curve, options).run(start);
}

}  // namespace hydae::init

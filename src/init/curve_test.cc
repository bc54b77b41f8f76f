#include "init/curve.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numbers>

namespace hydae::init {
namespace {

// A curve in the plane: F(x, lambda) = 0 with its two derivatives.
struct PlaneCurve {
  std::function<double(double x, double l)> f, f_x, f_l;

  Curve curve() const {
    Curve result;
    result.num_equations = 1;
    result.evaluate = [*this](const Vector& z, Vector& out) {
      out = Vector::Constant(1, f(z[0], z[1]));
      return out.allFinite();
    };
    result.differentiate = [*this](const Vector& z, Matrix& J) {
      DenseMatrix dense(1, 2);
      dense << f_x(z[0], z[1]), f_l(z[0], z[1]);
      J = dense.sparseView();
      return dense.allFinite();
    };
    return result;
  }
};

const PlaneCurve kParabola{[](double x, double l) { return x * x + l; },
                           [](double x, double) { return 2 * x; },
                           [](double, double) { return 1.0; }};
const PlaneCurve kCircle{[](double x, double l) { return x * x + l * l - 1; },
                         [](double x, double) { return 2 * x; },
                         [](double, double l) { return 2 * l; }};
// Unfolded cusp: lambda = x^3 - x turns at x = -+1/sqrt(3).
const PlaneCurve kCubic{[](double x, double l) { return x * x * x - x - l; },
                        [](double x, double) { return 3 * x * x - 1; },
                        [](double, double) { return -1.0; }};
// Pitchfork: x (x^2 - lambda) = 0, branches cross at the origin.
const PlaneCurve kPitchfork{[](double x, double l) { return x * (x * x - l); },
                            [](double x, double l) { return 3 * x * x - l; },
                            [](double x, double) { return -x; }};

Vector point(double x, double lambda) { return Eigen::Vector2d(x, lambda); }

const CurvePoint& nth_of_kind(const Path& path, PointKind kind, int n) {
  for (const CurvePoint& p : path.points) {
    if (p.kind == kind && n-- == 0) return p;
  }
  throw std::out_of_range("no such point");
}

TEST(Curve, goes_around_the_fold_of_a_parabola) {
  // x^2 + lambda = 0 from (-1, -1) with lambda growing: turns at (0, 0) and comes back to lambda =
  // -4 at x = 2.
  PathOptions options;
  options.target = -4;
  const Path path = follow_curve(kParabola.curve(), point(-1, -1), options);
  ASSERT_EQ(path.end, PathEnd::kTarget);
  EXPECT_NEAR(path.points.back().z[0], 2, 1e-10);
  EXPECT_EQ(path.points.back().lambda(), -4);
  ASSERT_EQ(path.count(PointKind::kFold), 1);
  const CurvePoint& fold = nth_of_kind(path, PointKind::kFold, 0);
  EXPECT_NEAR(fold.z[0], 0, 1e-8);
  EXPECT_NEAR(fold.lambda(), 0, 1e-12);
  for (const CurvePoint& p : path.points) {
    EXPECT_NEAR(p.z[0] * p.z[0] + p.lambda(), 0, 1e-10 * (1 + p.z[0] * p.z[0]));
  }
}

TEST(Curve, starts_on_a_fold) {
  PathOptions options;
  options.target = -1;
  const Path path = follow_curve(kParabola.curve(), point(0, 0), options);
  ASSERT_EQ(path.end, PathEnd::kTarget);
  EXPECT_NEAR(std::abs(path.points.back().z[0]), 1, 1e-10);
}

TEST(Curve, goes_all_the_way_around_a_circle) {
  const Path path = follow_curve(kCircle.curve(), point(1, 0), {});
  EXPECT_EQ(path.end, PathEnd::kClosed);
  EXPECT_EQ(path.count(PointKind::kFold), 2);
  EXPECT_NEAR(nth_of_kind(path, PointKind::kFold, 0).lambda(), 1, 1e-12);
  EXPECT_NEAR(nth_of_kind(path, PointKind::kFold, 1).lambda(), -1, 1e-12);
  EXPECT_EQ(path.count(PointKind::kBranch), 0);
  // Steps along tangents are a little longer than the arc: angle 0.15 gives tan(0.15)/0.15 = 1.008.
  EXPECT_NEAR(path.points.back().arclength, 2 * std::numbers::pi, 0.2);
}

TEST(Curve, passes_both_folds_of_a_cubic_and_meets_every_target_on_the_way) {
  int met = 0;
  PathOptions options;
  options.target = 0;
  options.accepts_target = [&](const CurvePoint&) { return ++met == 3; };
  // x^3 - x = 0 has the roots -1, 0, 1; the curve from (-2, -6) passes all three.
  const Path path = follow_curve(kCubic.curve(), point(-2, -6), options);
  ASSERT_EQ(path.end, PathEnd::kTarget);
  EXPECT_NEAR(nth_of_kind(path, PointKind::kTarget, 0).z[0], -1, 1e-10);
  EXPECT_NEAR(nth_of_kind(path, PointKind::kTarget, 1).z[0], 0, 1e-10);
  EXPECT_NEAR(nth_of_kind(path, PointKind::kTarget, 2).z[0], 1, 1e-10);
  const double x = 1 / std::sqrt(3.0), lambda = 2 / (3 * std::sqrt(3.0));
  EXPECT_NEAR(nth_of_kind(path, PointKind::kFold, 0).z[0], -x, 1e-7);
  EXPECT_NEAR(nth_of_kind(path, PointKind::kFold, 0).lambda(), lambda, 1e-12);
  EXPECT_NEAR(nth_of_kind(path, PointKind::kFold, 1).lambda(), -lambda, 1e-12);
}

TEST(Curve, cusp_of_a_semicubical_parabola_is_passed_or_reported) {
  // x^3 = lambda^2 has no tangent at its cusp (0, 0): the curve must end there, not jump elsewhere.
  const PlaneCurve cusp{[](double x, double l) { return x * x * x - l * l; },
                        [](double x, double) { return 3 * x * x; },
                        [](double, double l) { return -2 * l; }};
  PathOptions options;
  options.direction = -1;
  options.target = -1;
  const Path path = follow_curve(cusp.curve(), point(1, 1), options);
  if (path.end == PathEnd::kTarget) {
    EXPECT_NEAR(path.points.back().z[0], 1, 1e-9);
  } else {
    EXPECT_EQ(path.end, PathEnd::kStepTooSmall);
    EXPECT_LT(path.points.back().z.norm(), 0.1);
  }
}

TEST(Curve, steps_over_a_branch_point_and_records_it) {
  PathOptions options;
  options.target = 1;
  const Path path = follow_curve(kPitchfork.curve(), point(0, -1), options);
  ASSERT_EQ(path.end, PathEnd::kTarget);
  EXPECT_NEAR(path.points.back().z[0], 0, 1e-12);
  ASSERT_EQ(path.count(PointKind::kBranch), 1);
  EXPECT_NEAR(nth_of_kind(path, PointKind::kBranch, 0).lambda(), 0, 1e-4);
}

TEST(Curve, steps_over_a_branch_point_that_a_step_hits_exactly) {
  PathOptions options;
  options.target = 1;
  options.initial_step = 0.5;
  options.max_step = 0.5;  // from -1 in halves: the second point is the branch point itself
  const Path path = follow_curve(kPitchfork.curve(), point(0, -1), options);
  ASSERT_EQ(path.end, PathEnd::kTarget);
  EXPECT_EQ(path.count(PointKind::kBranch), 1);
}

TEST(Curve, follows_the_curved_branch_through_the_pitchfork) {
  // From (1, 1) downwards along lambda = x^2: turns at the origin, which is fold and branch point
  // at once.
  PathOptions options;
  options.direction = -1;
  options.target = 1;
  const Path path = follow_curve(kPitchfork.curve(), point(1, 1), options);
  ASSERT_EQ(path.end, PathEnd::kTarget);
  EXPECT_NEAR(path.points.back().z[0], -1, 1e-10);
  EXPECT_EQ(path.count(PointKind::kBranch), 1);
}

TEST(Curve, leaves_the_range_of_the_parameter) {
  PathOptions options;
  options.lambda_min = -9;
  const Path path = follow_curve(kParabola.curve(), point(-1, -1), options);
  EXPECT_EQ(path.end, PathEnd::kLeftRange);
  EXPECT_LT(path.points.back().lambda(), -9);
}

TEST(Curve, reports_a_start_that_is_far_from_any_curve) {
  const PlaneCurve none{[](double x, double l) { return x * x + l * l + 1; },
                        [](double x, double) { return 2 * x; },
                        [](double, double l) { return 2 * l; }};
  EXPECT_EQ(follow_curve(none.curve(), point(1, 1), {}).end, PathEnd::kBadStart);
}

TEST(Curve, stops_where_the_equations_end) {
  // sqrt(lambda) = x: defined for lambda >= 0 only.
  const PlaneCurve half{[](double x, double l) { return std::sqrt(l) - x; },
                        [](double, double) { return -1.0; },
                        [](double, double l) { return 0.5 / std::sqrt(l); }};
  PathOptions options;
  options.direction = -1;
  options.target = -1;
  const Path path = follow_curve(half.curve(), point(1, 1), options);
  EXPECT_EQ(path.end, PathEnd::kStepTooSmall);
  EXPECT_LT(path.points.back().lambda(), 1e-3);
}

TEST(Curve, point_limit_is_kept) {
  PathOptions options;
  options.max_points = 7;
  const Path path = follow_curve(kParabola.curve(), point(-1, -1), options);
  EXPECT_EQ(path.end, PathEnd::kMaxPoints);
  EXPECT_EQ(path.num_steps, 7);
}

TEST(Curve, large_system_around_a_fold) {
  // Chain of n: x_1^2 + lambda = 0, x_{i+1} = x_i: sparse factors (n > 100), fold at 0.
  const int n = 150;
  Curve curve;
  curve.num_equations = n;
  curve.evaluate = [=](const Vector& z, Vector& f) {
    f.resize(n);
    f[0] = z[0] * z[0] + z[n];
    for (int i = 1; i < n; ++i) f[i] = z[i] - z[i - 1];
    return true;
  };
  curve.differentiate = [=](const Vector& z, Matrix& J) {
    std::vector<Eigen::Triplet<double>> entries{{0, 0, 2 * z[0]}, {0, n, 1.0}};
    for (int i = 1; i < n; ++i) {
      entries.emplace_back(i, i, 1.0);
      entries.emplace_back(i, i - 1, -1.0);
    }
    J.resize(n, n + 1);
    J.setFromTriplets(entries.begin(), entries.end());
    return true;
  };
  Vector start = Vector::Constant(n + 1, -1);
  PathOptions options;
  options.target = -4;
  const Path path = follow_curve(curve, start, options);
  ASSERT_EQ(path.end, PathEnd::kTarget);
  EXPECT_NEAR(path.points.back().z[n - 1], 2, 1e-9);
  EXPECT_EQ(path.count(PointKind::kFold), 1);
}

// ---- simple continuation -----------------------------------------------------------------------

TEST(ParameterContinuation, reaches_the_target_exactly_in_both_directions) {
  const Path up = follow_parameter(kCubic.curve(), point(2, 6), 24, {});  // 3^3 - 3 = 24
  ASSERT_EQ(up.end, PathEnd::kTarget);
  EXPECT_NEAR(up.points.back().z[0], 3, 1e-10);
  EXPECT_EQ(up.points.back().lambda(), 24);
  const Path down = follow_parameter(kCubic.curve(), point(2, 6), 0, {});
  ASSERT_EQ(down.end, PathEnd::kTarget);
  EXPECT_NEAR(down.points.back().z[0], 1, 1e-10);
}

TEST(ParameterContinuation, ends_at_a_turning_point) {
  const Path path = follow_parameter(kParabola.curve(), point(-1, -1), 1, {});
  EXPECT_EQ(path.end, PathEnd::kStepTooSmall);
  EXPECT_NEAR(path.points.back().lambda(), 0, 1e-6);
  EXPECT_LE(path.points.back().lambda(), 0);
}

TEST(ParameterContinuation, start_at_the_target_is_the_end) {
  const Path path = follow_parameter(kCubic.curve(), point(2, 6), 6, {});
  EXPECT_EQ(path.end, PathEnd::kTarget);
  EXPECT_EQ(path.num_steps, 0);
}

}  // namespace
}  // namespace hydae::init

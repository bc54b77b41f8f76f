// Follows the curve F(z) = 0, F: R^(n+1) -> R^n, by arc length: a step along the tangent, then
// Newton's method in the plane orthogonal to it (pseudo-arclength continuation, Keller 1977). The
// last component of z is called lambda. Turning points of lambda need no care: nothing is
// parametrised by it. Simple branch points show as a change of sign of det [J; t^T]; they are
// recorded and stepped over.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "init/bordered_matrix.h"
#include "init/problem.h"

namespace hydae::init {

struct Curve {
  int num_equations = 0;
  // False where not defined.
  std::function<bool(const Vector& z, Vector& f)> evaluate;
  std::function<bool(const Vector& z, Matrix& J)> differentiate;  // n x (n+1)
};

enum class PointKind {
  kRegular,
  kFold,    // lambda turns back here
  kBranch,  // another curve crosses here
  kTarget,  // lambda has the target value
};

struct CurvePoint {
  Vector z;
  Vector tangent;  // unit length
  double arclength = 0;
  PointKind kind = PointKind::kRegular;
  double lambda() const { return z[z.size() - 1]; }
};

enum class PathEnd {
  kTarget,
  kClosed,     // back at the start
  kLeftRange,  // lambda outside [lambda_min, lambda_max]
  kMaxArclength,
  kMaxPoints,
  kStepTooSmall,  // the corrector does not converge however short the step
  kBadStart,      // no point of the curve near the start, or no unique tangent there
};

const char* name(PathEnd end);

struct PathOptions {
  int direction = 1;  // lambda first grows (1) or falls (-1)
  double initial_step = 0.05;
  double min_step = 1e-9;
  double max_step = 1;
  double tolerance = 1e-11;  // last correction of a point
  int max_points = 2000;
  double max_arclength = std::numeric_limits<double>::infinity();
  double lambda_min = -std::numeric_limits<double>::infinity();
  double lambda_max = std::numeric_limits<double>::infinity();
  std::optional<double> target;                           // stop where lambda has this value
  std::function<bool(const CurvePoint&)> accepts_target;  // empty: the first one
  bool keeps_points = true;  // false: only the special points and the last one
};

struct Path {
  PathEnd end = PathEnd::kBadStart;
  std::vector<CurvePoint> points;  // in order; folds, branch points and targets between the steps
  int num_steps = 0;
  int num_corrections = 0;
  int count(PointKind kind) const;
};

Path follow_curve(const Curve& curve, const Vector& start, const PathOptions& options);

// Simple continuation: z(lambda) for growing or falling lambda up to the target, by Newton's method
// at fixed lambda. Ends with kStepTooSmall at a turning point.
Path follow_parameter(const Curve& curve, const Vector& start, double target,
                      const PathOptions& options);

}  // namespace hydae::init

#include "init/continuation.h"

#include <algorithm>
#include <fmt/format.h>

#include <hydae/error.h>

#include "init/solve.h"
#include "init/system.h"

namespace hydae::init {
namespace {

// The system as a curve in z = (y, lambda / nominal of lambda).
class ParametricCurve {
 public:
  explicit ParametricCurve(const ParametricProblem& problem)
      : system_(problem), nominal_(problem.parameter_nominal) {
    if (system_.num_free() == system_.num_equations()) return;
    throw UsageError(fmt::format("continuation needs as many equations as free unknowns: {} and {}",
                                 system_.num_equations(), system_.num_free()));
  }

  Curve curve() {
    Curve result;
    result.num_equations = size();
    result.evaluate = [this](const Vector& z, Vector& f) {
      system_.set_parameter(z[size()] * nominal_);
      return system_.evaluate(z.head(size()), f);
    };
    result.differentiate = [this](const Vector& z, Matrix& J) { return differentiate(z, J); };
    return result;
  }

  Vector to_curve(const Vector& x, double lambda) const {
    Vector z(size() + 1);
    for (int k = 0; k < size(); ++k) {
      const int j = system_.space().unknown(k);
      z[k] = x[j] / system_.unknowns().nominal[j];
    }
    z[size()] = lambda / nominal_;
    return z;
  }

  ContinuationPoint from_curve(const CurvePoint& point) const {
    return {system_.space().to_unknowns(point.z.head(size())), point.lambda() * nominal_,
            point.arclength, point.kind};
  }

  PathOptions scaled(PathOptions options) const {
    options.lambda_min /= nominal_;
    options.lambda_max /= nominal_;
    if (options.target) *options.target /= nominal_;
    return options;
  }

 private:
  int size() const { return system_.num_free(); }

  bool differentiate(const Vector& z, Matrix& J) {
    system_.set_parameter(z[size()] * nominal_);
    Matrix by_y;
    Vector slope;
    if (!system_.differentiate(z.head(size()), by_y)) return false;
    if (!system_.differentiate_parameter(z.head(size()), slope)) return false;
    J.resize(size(), size() + 1);
    J.leftCols(size()) = by_y;
    J.rightCols(1) = Matrix((slope * nominal_).sparseView());
    J.makeCompressed();
    return true;
  }

  System system_;
  double nominal_;
};

std::string explain(PathEnd end, bool by_arc, double lambda) {
  switch (end) {
    case PathEnd::kTarget:
    case PathEnd::kClosed: return {};
    case PathEnd::kStepTooSmall:
      return by_arc ? fmt::format(
                          "the curve cannot be followed beyond lambda = {:.10g}: it ends, has a "
                          "cusp or several curves meet",
                          lambda)
                    : fmt::format(
                          "the solution ends at lambda = {:.10g}: probably a turning point, which "
                          "continuation by arc length passes",
                          lambda);
    default: return fmt::format("{} at lambda = {:.10g}", name(end), lambda);
  }
}

template <class Follow>
Continuation run(const ParametricProblem& problem, double start, bool by_arc, Follow follow) {
  ParametricCurve parametric(problem);
  Continuation result;
  const Solution first = solve(with_parameter(problem, start));
  if (!first.is_solved()) {
    result.message =
        fmt::format("no solution at lambda = {:.10g}: {}", start, first.report.message);
    return result;
  }
  const Path path = follow(parametric, parametric.to_curve(first.x, start));
  result.end = path.end;
  for (const CurvePoint& point : path.points) result.points.push_back(parametric.from_curve(point));
  result.message =
      explain(path.end, by_arc, path.points.empty() ? start : result.points.back().lambda);
  return result;
}

}  // namespace

int Continuation::count(PointKind kind) const {
  return static_cast<int>(
      std::count_if(points.begin(), points.end(), [&](const auto& p) { return p.kind == kind; }));
}

Continuation follow_arc(const ParametricProblem& problem, double start,
                        const PathOptions& options) {
  return run(problem, start, true, [&](ParametricCurve& parametric, const Vector& z) {
    auto scaled = parametric.scaled(options);
    return follow_curve(parametric.curve(), z, scaled);
  });
}

Continuation follow_parameter(const ParametricProblem& problem, double start, double target,
                              const PathOptions& options) {
  return run(problem, start, false, [&](ParametricCurve& parametric, const Vector& z) {
    const auto scaled = parametric.scaled(options);
    return follow_parameter(parametric.curve(), z, target / problem.parameter_nominal, scaled);
  });
}

}  // namespace hydae::init

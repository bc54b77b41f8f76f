#include "compile/restart_loops.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "compile/start_values.h"
#include "expr/derivative.h"
#include "expr/jacobian.h"
#include "init/curve.h"
#include "init/solve.h"
#include "linalg/sparse_factors.h"

namespace hydae {
namespace {

using init::Matrix;
using init::Vector;

// A second correction of at most this part of the first one: Newton's method stays with the root
// of the path (Deuflhard 2004, section 2.1: below 1/2 it converges, 1/4 leaves room).
constexpr double kLoopContraction = 0.25;
constexpr double kLoopConverged = 1e-13;  // last correction, relative to the sizes of the unknowns
constexpr double kStagnates = 1e-9;       // a correction that rounding keeps alive
constexpr int kMostLoopIterations = 20;   // slower ones take the path
// The path: steps of lambda, and how much its slope may change from step to step.
constexpr double kFirstPathStep = 0.125, kSmallestPathStep = 1e-10, kMostTurn = 0.5;
constexpr int kMostPathSteps = 2000;      // a path that needs more turns without end
constexpr double kPathDifference = 1e-7;  // of lambda, for a slope that is a prediction only
constexpr double kOutside = 1e-9;         // of bounds, relative to the size of the unknown

// Blocks that are solved at this stage with an equation that is nonlinear in what it is solved
// for, and the blocks of the stage that they need.
std::vector<bool> blocks_of_loops(const AnalyzedSystem& p, int stage) {
  const structure::Blocks& blocks = p.structure.fine;
  std::vector<bool> is_needed(blocks.size(), false);
  const auto lead = [&](EqId eq) { return p.structure.offsets.c[eq] - p.structure.local.c[eq]; };
  for (std::size_t b = blocks.size(); b-- > 0;) {
    const auto eqs = blocks.eqs(BlockId(b));
    if (lead(eqs.front()) != -stage) {
      is_needed[b] = false;
      continue;
    }
    const auto is_nonlinear = [&](EqId eq) { return p.nonlinear[eq]; };
    if (std::any_of(eqs.begin(), eqs.end(), is_nonlinear)) is_needed[b] = true;
    if (!is_needed[b]) continue;
    for (EqId eq : eqs)
      for (const auto& [var, order] : p.sigma.row(eq))
        if (order == p.structure.offsets.d[var] - p.structure.offsets.c[eq])
          is_needed[blocks.block_of(var).index()] = true;
  }
  return is_needed;
}

}  // namespace

struct RestartLoops::Impl {
  Impl(const AnalyzedSystem& p, int stage, const Evaluator::Slots& slots) : system(p.system) {
    const std::vector<bool> is_needed = blocks_of_loops(p, stage);
    std::vector<NodeId> residuals;
    for (std::size_t b = 0; b < is_needed.size(); ++b) {
      if (!is_needed[b]) continue;
      for (EqId eq : p.structure.fine.eqs(BlockId(b)))
        residuals.push_back(total_derivative(system.graph(), system.residuals[eq],
                                             p.structure.offsets.c[eq] + stage));
      for (VarId column : p.structure.fine.vars(BlockId(b))) {
        columns.push_back(column);
        leaves.push_back({system.unknowns[column], p.structure.offsets.d[column] + stage});
        places.push_back(slots(leaves.back()));
      }
    }
    if (columns.empty()) return;
    evaluator.emplace(system.graph(), residuals, &system.model->functions(), slots);
    jacobian.emplace(*evaluator, leaves);
  }

  int size() const { return static_cast<int>(columns.size()); }

  // --- the problem at hand, in units of the sizes of the unknowns

  void begin(const Point& at, const std::vector<double>& old, const std::vector<double>& from) {
    point = at;
    new_parameters.assign(at.parameters.begin(), at.parameters.end());
    old_parameters = old.empty() ? new_parameters : old;
    blended = new_parameters;
    lambda = 1;
    values = from;
    if (attributes.empty())
      for (const Leaf& leaf : leaves) attributes.push_back(attributes_of(leaf));
    for (Vector* numbers : {&sizes, &lower, &upper, &start}) numbers->resize(size());
    for (int k = 0; k < size(); ++k) {
      const Attributes& given = attributes[static_cast<std::size_t>(k)];
      const double value = values[places[static_cast<std::size_t>(k)]];
      sizes[k] = std::max(given.nominal, std::abs(value));
      lower[k] = given.lower / sizes[k];
      upper[k] = given.upper / sizes[k];
      start[k] = value / sizes[k];
    }
  }

  struct Attributes {
    double nominal = 1;
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
  };
  Attributes attributes_of(Leaf leaf) const {
    Attributes result;
    if (leaf.variable.index() >= system.model->num_variables() || leaf.order > 0) return result;
    const Variable& variable = system.model->all_variables()[leaf.variable];
    const double nominal = std::abs(attribute(variable.nominal).value_or(1.0));
    if (nominal > 0) result.nominal = nominal;
    result.lower = attribute(variable.min).value_or(result.lower);
    result.upper = attribute(variable.max).value_or(result.upper);
    return result;
  }
  std::optional<double> attribute(const std::optional<Expr>& expr) const {
    if (!expr) return std::nullopt;
    const auto end =
        point.parameters.begin() + static_cast<std::ptrdiff_t>(system.model->parameters().size());
    return number_of(*system.model, *expr, {point.parameters.begin(), end});
  }

  void put(const Vector& z) {
    for (int k = 0; k < size(); ++k) values[places[static_cast<std::size_t>(k)]] = z[k] * sizes[k];
    point.values = values;
    point.pre_values = values;
    if (old_parameters == new_parameters) return;
    for (std::size_t k = 0; k < blended.size(); ++k)
      blended[k] = old_parameters[k] + lambda * (new_parameters[k] - old_parameters[k]);
    point.parameters = lambda == 1 ? new_parameters : blended;
  }
  bool residual(const Vector& z, Vector& f) {
    put(z);
    const auto found = evaluator->evaluate(point);
    f = Eigen::Map<const Vector>(found.data(), size());
    return f.allFinite();
  }
  bool differentiate(const Vector& z, Matrix& matrix, const Vector* last_column = nullptr) {
    put(z);
    jacobian->evaluate(point);
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < size(); ++i)
      for (const JacobianEntry& entry : jacobian->row(static_cast<std::size_t>(i))) {
        if (!std::isfinite(entry.value)) return false;
        const int column = static_cast<int>(entry.column);
        entries.emplace_back(i, column, entry.value * sizes[column]);
      }
    if (last_column != nullptr)
      for (int i = 0; i < size(); ++i) entries.emplace_back(i, size(), (*last_column)[i]);
    matrix.resize(size(), size() + (last_column != nullptr ? 1 : 0));
    matrix.setFromTriplets(entries.begin(), entries.end());
    return true;
  }

  // --- Newton's method

  // False if the matrix at z is singular or not defined.
  bool factorize(const Vector& z) {
    if (!differentiate(z, J)) return false;
    factors.emplace(J);
    return factors->is_regular();
  }
  std::optional<Vector> solve_with_factors(const Vector& f) {
    Vector x = factors->solve(f);
    if (!x.allFinite()) return std::nullopt;
    return x;
  }

  // From z to a root of f(z) = offset, if it contracts from the first step on and the determinant
  // keeps its sign: on the other side of a fold it has the other one.
  bool iterate(Vector& z, const Vector& offset) {
    Vector f;
    double last = std::numeric_limits<double>::infinity();
    int sign = 0;
    for (int iteration = 0; iteration < kMostLoopIterations; ++iteration) {
      if (!residual(z, f) || !factorize(z)) return false;
      if (sign == 0) sign = factors->determinant_sign();
      if (factors->determinant_sign() != sign) return false;
      const auto step = solve_with_factors(offset - f);
      if (!step) return false;
      const double length = step->cwiseAbs().maxCoeff();
      const bool is_small = length <= kStagnates;
      if (!is_small && length > 2 * kLoopContraction * last) return false;
      z += *step;
      if (length <= kLoopConverged || (is_small && length > kLoopContraction * last)) return true;
      if (iteration == 0 && !is_small && !contracts(z, offset, length)) return false;
      last = length;
    }
    return last <= kStagnates;
  }
  bool contracts(const Vector& z, const Vector& offset, double first) {
    Vector f;
    if (!residual(z, f)) return false;
    const auto second = solve_with_factors(offset - f);
    return second && second->cwiseAbs().maxCoeff() <= kLoopContraction * first;
  }

  // --- the path

  struct PathPoint {
    Vector z, slope;  // by lambda
    double lambda = 0;
    int sign = 0;  // of the determinant
  };

  // H(z, lambda) = f(z, p(lambda)) - (1 - lambda) f(start, p(0)), where p goes from the old numbers
  // of the table to the new ones.
  bool path_residual(const Vector& z, double at, const Vector& at_start, Vector& h) {
    lambda = at;
    const bool is_defined = residual(z, h);
    h -= (1 - at) * at_start;
    lambda = 1;
    return is_defined;
  }
  // Its derivative by lambda, by a difference as far as it is not known.
  bool path_drift(const Vector& z, double at, const Vector& at_start, Vector& drift) {
    drift = at_start;
    if (old_parameters == new_parameters) return true;
    const double step = at < 0.5 ? kPathDifference : -kPathDifference;
    Vector here;
    if (!path_residual(z, at, at_start, here) || !path_residual(z, at + step, at_start, drift))
      return false;
    drift = (drift - here) / step;
    return true;
  }

  // The next point of the path. It belongs to the same branch if the determinant has the same sign
  // and the slope is about the same.
  std::optional<PathPoint> next_point(const PathPoint& from, double step, const Vector& at_start) {
    PathPoint next;
    next.lambda = std::min(1.0, from.lambda + step);
    next.z = from.z + (next.lambda - from.lambda) * from.slope;
    lambda = next.lambda;
    const bool is_found = iterate(next.z, (1 - next.lambda) * at_start);
    lambda = 1;
    if (!is_found || !complete(next, at_start)) return std::nullopt;
    const double turn = (next.slope - from.slope).cwiseAbs().maxCoeff();
    const double size =
        std::max(next.slope.cwiseAbs().maxCoeff(), from.slope.cwiseAbs().maxCoeff());
    if (next.sign != from.sign || turn > kMostTurn * size) return std::nullopt;
    return next;
  }
  bool complete(PathPoint& at, const Vector& at_start) {
    Vector drift;
    if (!path_drift(at.z, at.lambda, at_start, drift)) return false;
    lambda = at.lambda;
    const bool is_regular = factorize(at.z);
    lambda = 1;
    if (!is_regular) return false;
    const auto slope = solve_with_factors(-drift);
    if (!slope) return false;
    at.slope = *slope;
    at.sign = factors->determinant_sign();
    return true;
  }

  // Lambda from 0 to 1; nothing where it would have to turn back.
  std::optional<Vector> follow_forward(const Vector& at_start) {
    PathPoint at;
    at.z = start;
    if (!complete(at, at_start)) return std::nullopt;
    double step = kFirstPathStep;
    for (int count = 0; at.lambda < 1 && count < kMostPathSteps; ++count) {
      const auto next = next_point(at, step, at_start);
      step *= next ? 2.0 : 0.5;
      if (next) at = *next;
      if (step < kSmallestPathStep) return std::nullopt;
    }
    if (at.lambda < 1) return std::nullopt;
    return at.z;
  }

  std::optional<Vector> follow() {
    Vector at_start;
    if (!path_residual(start, 0, Vector::Zero(size()), at_start)) return std::nullopt;
    if (const auto found = follow_forward(at_start)) return found;
    init::Curve curve;
    curve.num_equations = size();
    curve.evaluate = [&](const Vector& z, Vector& f) {
      return path_residual(z.head(size()), z[size()], at_start, f);
    };
    curve.differentiate = [&](const Vector& z, Matrix& matrix) {
      Vector drift;
      if (!path_drift(z.head(size()), z[size()], at_start, drift)) return false;
      lambda = z[size()];
      const bool is_defined = differentiate(z.head(size()), matrix, &drift);
      lambda = 1;
      return is_defined;
    };
    Vector from(size() + 1);
    from << start, 0.0;
    const init::Path path = follow_around_folds(curve, from);
    if (path.end != init::PathEnd::kTarget) return std::nullopt;
    Vector z = path.points.back().z.head(size());
    iterate(z, Vector::Zero(size()));
    return z;
  }
  init::Path follow_around_folds(const init::Curve& curve, const Vector& from) {
    init::PathOptions options;
    options.keeps_points = false;
    options.target = 1.0;
    options.accepts_target = [this](const init::CurvePoint& at) {
      return is_inside(at.z.head(size()));
    };
    return init::follow_curve(curve, from, options);
  }

  // Where the new equations do not exist at the left limits.
  std::optional<Vector> search() {
    init::Problem problem;
    problem.unknowns.guess = start;
    problem.unknowns.lower = lower;
    problem.unknowns.upper = upper;
    problem.equations.count = size();
    problem.residual = [this](const Vector& z, Vector& f) { residual(z, f); };
    problem.sparse_jacobian = [this](const Vector& z, Matrix& matrix) {
      if (!differentiate(z, matrix)) matrix = Matrix(size(), size());
    };
    init::Options options;
    options.allows_optimization = false;
    const init::Solution solution = init::solve(problem, options);
    if (!solution.is_solved()) return std::nullopt;
    return solution.x;
  }

  bool is_inside(const Vector& z) const {
    return ((z - lower).array() >= -kOutside).all() && ((upper - z).array() >= -kOutside).all();
  }

  bool solve(const Point& at, const std::vector<double>& old, std::vector<double>& result) {
    begin(at, old, result);
    Vector z = start;
    if (!iterate(z, Vector::Zero(size())) || !is_inside(z)) {
      auto found = follow();
      if (!found) found = search();
      if (!found) return false;
      z = *found;
    }
    put(z);
    for (std::size_t place : places) result[place] = values[place];
    return true;
  }

  const System& system;
  std::vector<VarId> columns;
  std::vector<Leaf> leaves;         // unknowns
  std::vector<std::size_t> places;  // of the unknowns among the values
  std::optional<Evaluator> evaluator;
  std::optional<Jacobian> jacobian;

  Matrix J;
  std::optional<linalg::SparseLuFactors> factors;
  std::vector<Attributes> attributes;  // of the unknowns
  Point point;
  std::vector<double> old_parameters, new_parameters, blended;
  double lambda = 1;  // share of the new parameters
  std::vector<double> values;
  Vector sizes, lower, upper, start;  // all but `sizes` in units of them
};

RestartLoops::RestartLoops(const AnalyzedSystem& prepared, int stage, const Evaluator::Slots& slots)
    : impl_(std::make_unique<Impl>(prepared, stage, slots)) {}
RestartLoops::~RestartLoops() = default;
RestartLoops::RestartLoops(RestartLoops&&) noexcept = default;

bool RestartLoops::empty() const { return impl_->columns.empty(); }
const std::vector<VarId>& RestartLoops::columns() const { return impl_->columns; }

bool RestartLoops::solve(const Point& point, const std::vector<double>& old_parameters,
                         std::vector<double>& values) {
  return impl_->solve(point, old_parameters, values);
}

}  // namespace hydae

#include "partition/constraint_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "partition/log_norm.h"

namespace hydae::partition {

namespace {

constexpr double kParallel = 1e-12;  // 1 - |cos| of parallel vectors, relative size of a zero
constexpr double kRounding = 1e-12;  // two log norms this close, relatively, are equal

Matrix find_leading_vectors(const StateMatrix& H) {
  if (H.size() == 0 || H.is_zero()) return Matrix(H.size(), 0);
  if (H.size() <= kDenseLimit) return leading_eigenspace(H.to_dense());
  const SymmetricOperator op{
      H.size(), [&](const Vector& x) -> Vector { return (H.times(x) + H.transpose_times(x)) / 2; },
      [](const Vector& x) { return x; }};
  return find_leading_eigenvalue(op).vector;
}

}  // namespace

Stability Judge::decide(Stability stability, bool must_include,
                        const std::function<double(States)>& exact_with) const {
  const double limit = limit_ / std::abs(stability.k);
  stability.before = bound_;
  stability.limit = limit;
  if (!options_.check_stability) {
    stability.rule = StabilityRule::kNotChecked;
    return stability;
  }
  stability.rule = StabilityRule::kEstimate;
  if (stability.estimate <= limit) return stability;
  if (must_include) {
    stability.rule = StabilityRule::kMustInclude;
    return stability;
  }
  stability.accepted = false;
  if (!options_.confirm_by_exact_norm) return stability;
  stability.exact = exact_with(States::kAll);
  stability.limit = limit_;
  stability.rule = StabilityRule::kExact;
  stability.accepted = *stability.exact <= limit_;
  if (stability.accepted) return stability;
  stability.rule = StabilityRule::kActingStates;
  stability.accepted = exact_with(States::kActing) <= limit_;
  if (stability.accepted) return stability;
  stability.rule = StabilityRule::kExact;
  const double now = compute_exact();
  stability.accepted = *stability.exact <= now + kRounding * std::abs(now);
  if (stability.accepted) stability.rule = StabilityRule::kNoIncrease;
  return stability;
}

Index1Judge::Index1Judge(const SemiExplicit& s, const PivotSet& index1,
                         const SystemOptions& options, double limit)
    : Judge(options, limit, 0), s_(s), index1_(index1) {
  bound_ = Index1Judge::compute_exact(States::kAll);
}

// (14) and (17); the column of the new variable is taken with its coupling to the constraints
// already chosen, so the estimate is a bound.
Stability Index1Judge::judge(int row, int column, double pivot, bool must_include) {
  const Vector u = -eliminated_column(s_, index1_, column) / pivot;
  const Vector v = eliminated_row(s_, index1_, row);
  Stability stability;
  stability.estimate = bound_ + rank_one_log_norm(u, v);
  return decide(stability, must_include, [&](States states) {
    return UnderlyingOde(s_, index1_).compute_log_norm_with(u, v, states);
  });
}

double Index1Judge::row_size(int row) const { return s_.G.row(row).norm(); }

double Index1Judge::compute_exact(States states) const {
  return UnderlyingOde(s_, index1_).compute_log_norm(states);
}

Index2Judge::Index2Judge(const Parts& parts, const SystemOptions& options, double limit,
                         double bound)
    : Judge(options, limit, bound), parts_(parts), leading_(find_leading_vectors(parts.s.H)) {}

double index2_increase(const Vector& c, const Vector& c_rate, const Vector& t) {
  const Vector unit = c / c.norm();
  const Vector unit_rate = (c_rate - unit * unit.dot(c_rate)) / c.norm();
  return unit_rate.norm() / 2 + rank_one_log_norm(-t / c.dot(t), c_rate);
}

// With a = L^T T/(C T) and b = L^T C^T, L the leading eigenspace, L^T R L = I - a b^T has the
// symmetric part's eigenvalues 1 - (a.b +- |a||b|)/2, and 1 in more than two dimensions.
Index2Judge::Range Index2Judge::compute_k(const Vector& c, const Vector& t) const {
  if (leading_.cols() == 0) return {};
  const Vector a = leading_.transpose() * t / c.dot(t), b = leading_.transpose() * c;
  const double mean = a.dot(b) / 2;
  const double spread = leading_.cols() == 1 ? 0 : a.norm() * b.norm() / 2;
  double low = 1 - mean - spread, high = 1 - mean + spread;
  if (leading_.cols() == 1) low = high = 1 - 2 * mean;
  if (leading_.cols() > 2) low = std::min(low, 1.0), high = std::max(high, 1.0);
  const double least = low <= 0 && high >= 0 ? 0 : std::min(std::abs(low), std::abs(high));
  return {least, std::max(std::abs(low), std::abs(high))};
}

// The cases in which an index-2 constraint needs no estimate; kEstimate if it is none of them.
StabilityRule Index2Judge::find_harmless_rule(int row, const Vector& c, const Vector& t) const {
  if (std::abs(c.dot(t)) >= (1 - kParallel) * c.norm() * t.norm()) return StabilityRule::kParallel;
  const Vector c_rate = parts_.eliminated.C_rate.row(row).transpose();
  if (c_rate.isZero(0)) return StabilityRule::kConstant;
  const Vector h = UnderlyingOde(parts_.s, parts_.index1).transpose_times(c);
  const Vector a = h + c_rate;
  const Vector a_R = a - c * (a.dot(t) / c.dot(t));
  if (a_R.norm() <= kParallel * (h.norm() + c_rate.norm())) return StabilityRule::kInvariant;
  return StabilityRule::kEstimate;
}

Stability Index2Judge::judge(int row, int column, double, bool must_include) {
  const Vector c = parts_.eliminated.C.row(row).transpose();
  const Vector t = parts_.eliminated.T.col(column);
  const Vector c_rate = parts_.eliminated.C_rate.row(row).transpose();
  Stability stability;
  stability.estimate = bound_;
  if (std::abs(c.dot(t)) <= options_.rank_tolerance * c.norm() * t.norm()) {
    // index 2 only together with the constraints before: (19) is for one constraint alone
    stability.estimate = std::numeric_limits<double>::infinity();
  } else {
    const StabilityRule rule = find_harmless_rule(row, c, t);
    if (rule == StabilityRule::kEstimate) {
      stability.estimate = bound_ + index2_increase(c, c_rate, t);
      const Range k = compute_k(c, t);
      stability.k = k.most;
      stability.k_least = k.least;
    } else if (options_.check_stability) {
      stability.before = bound_;
      stability.limit = limit_;
      stability.rule = rule;
      return stability;
    }
  }
  return decide(stability, must_include, [&](States states) {
    PivotSet with = parts_.index2;
    with.choose(row, column);
    return norm_of(with, states);
  });
}

double Index2Judge::norm_of(const PivotSet& index2, States states) const {
  UnderlyingOde ode(parts_.s, parts_.index1, &parts_.eliminated, &index2);
  if (options_.sums == Sums::kPaper) ode.take_all_directions();
  return ode.compute_log_norm(states);
}

double Index2Judge::row_size(int row) const { return parts_.eliminated.C.row(row).norm(); }

double Index2Judge::compute_exact(States states) const { return norm_of(parts_.index2, states); }

}  // namespace hydae::partition

#include "integrate/newton_matrix.h"

#include <algorithm>

namespace hydae::integrate {
namespace {

constexpr double kPivotThreshold = 0.1;  // of the largest entry in a column
constexpr int kSmallSystem = 300;        // always pivoted anew
constexpr double kPivotsLast = 8;        // factor of cj for which pivots are kept in larger ones

}  // namespace

NewtonMatrix::NewtonMatrix(const BdfProblem& problem)
    : problem_(problem),
      lu_(problem.column_start, problem.row, kPivotThreshold),
      values_(problem.row.size()),
      unknowns_(static_cast<std::size_t>(problem.matrix_size)) {}

// KLU keeps the pivots it has chosen first. They are good for one size of cj = O(1 / step) only:
// with those of a tiny first step, Newton's iteration creeps.
bool NewtonMatrix::factorize(double cj) {
  problem_.matrix(cj, values_.data());
  const bool is_similar =
      pivoted_cj_ != 0 && cj / pivoted_cj_ < kPivotsLast && pivoted_cj_ / cj < kPivotsLast;
  if (problem_.matrix_size <= kSmallSystem || !is_similar) {
    pivoted_cj_ = cj;
    lu_.forget_pivots();
  }
  cj_ = cj;
  return lu_.factorize(values_);
}

// F(t, y, f(t, y)) = 0 gives (dF/dy + dF/dy' J) x = 0 for every x. With J x = cj (x - b) it is
// (dF/dy + cj dF/dy') x = cj dF/dy' b.
void NewtonMatrix::solve(const double* b, double* x) {
  const auto n = static_cast<std::size_t>(problem_.size);
  if (problem_.mass) {
    problem_.mass(b, unknowns_.data());
  } else {
    std::copy(b, b + n, unknowns_.begin());
    std::fill(unknowns_.begin() + static_cast<std::ptrdiff_t>(n), unknowns_.end(), 0.0);
  }
  if (problem_.is_ode())
    for (double& value : unknowns_) value *= cj_;
  lu_.solve(unknowns_);
  std::copy(unknowns_.begin(), unknowns_.begin() + static_cast<std::ptrdiff_t>(n), x);
}

}  // namespace hydae::integrate

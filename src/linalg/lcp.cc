#include "linalg/lcp.h"

#include <cmath>
#include <vector>

namespace hydae::linalg {
namespace {

// Columns of the tableau: w (0 .. n-1), z (n .. 2n-1), the artificial variable z0, the right side.
class Lemke {
 public:
  Lemke(const Eigen::MatrixXd& M, const Eigen::VectorXd& q)
      : n_(q.size()), tableau_(n_, 2 * n_ + 2), basis_(static_cast<std::size_t>(n_)) {
    tableau_ << Eigen::MatrixXd::Identity(n_, n_), -M, -Eigen::VectorXd::Ones(n_), q;
    for (Eigen::Index i = 0; i < n_; ++i) basis_[static_cast<std::size_t>(i)] = i;
    small_ = 1e-10 * (1 + M.cwiseAbs().maxCoeff());
  }

  std::optional<Eigen::VectorXd> solve() {
    Eigen::Index row = 0;
    if (tableau_.col(right()).minCoeff(&row) >= 0) return Eigen::VectorXd::Zero(n_);
    Eigen::Index entering = artificial();
    const Eigen::Index most_pivots = 50 * (n_ + 1);
    for (Eigen::Index pivots = 0; pivots < most_pivots; ++pivots) {
      const Eigen::Index leaving = pivot(row, entering);
      if (leaving == artificial()) return solution();
      entering = leaving < n_ ? leaving + n_ : leaving - n_;
      row = leaving_row(entering);
      if (row < 0) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  Eigen::Index artificial() const { return 2 * n_; }
  Eigen::Index right() const { return 2 * n_ + 1; }

  Eigen::Index pivot(Eigen::Index row, Eigen::Index column) {
    tableau_.row(row) /= tableau_(row, column);
    for (Eigen::Index i = 0; i < n_; ++i)
      if (i != row && tableau_(i, column) != 0)
        tableau_.row(i) -= tableau_(i, column) * tableau_.row(row);
    std::swap(basis_[static_cast<std::size_t>(row)], column);
    return column;
  }

  // The smallest ratio; among equals the lexicographically smallest row, the artificial variable
  // first. Negative: none, the path is a ray.
  Eigen::Index leaving_row(Eigen::Index column) const {
    Eigen::Index best = -1;
    for (Eigen::Index i = 0; i < n_; ++i) {
      if (tableau_(i, column) <= small_) continue;
      if (best < 0 || is_less(i, best, column)) best = i;
    }
    return best;
  }

  bool is_less(Eigen::Index a, Eigen::Index b, Eigen::Index column) const {
    const double pa = tableau_(a, column), pb = tableau_(b, column);
    const double difference = tableau_(a, right()) / pa - tableau_(b, right()) / pb;
    if (std::abs(difference) > small_) return difference < 0;
    if (basis_[static_cast<std::size_t>(a)] == artificial()) return true;
    if (basis_[static_cast<std::size_t>(b)] == artificial()) return false;
    for (Eigen::Index k = 0; k < n_; ++k) {
      const double d = tableau_(a, k) / pa - tableau_(b, k) / pb;
      if (std::abs(d) > small_) return d < 0;
    }
    return false;
  }

  Eigen::VectorXd solution() const {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n_);
    for (Eigen::Index i = 0; i < n_; ++i) {
      const Eigen::Index variable = basis_[static_cast<std::size_t>(i)];
      if (variable >= n_ && variable < artificial())
        z(variable - n_) = std::max(0.0, tableau_(i, right()));
    }
    return z;
  }

  Eigen::Index n_;
  Eigen::MatrixXd tableau_;
  std::vector<Eigen::Index> basis_;
  double small_ = 0;
};

}  // namespace

std::optional<Eigen::VectorXd> solve_lcp(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) {
  return Lemke(M, q).solve();
}

}  // namespace hydae::linalg

#include "init/pseudo_inverse.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "linalg/dense_factors.h"
#include "linalg/sparse_factors.h"

namespace hydae::init {
namespace {

using Factors = PseudoInverse::Factors;
using linalg::SparseQrFactors;

constexpr Eigen::Index kMaxDense = 250;  // rows or columns

std::vector<int> first_sorted(std::vector<int> columns, int count) {
  columns.resize(static_cast<std::size_t>(count));
  std::sort(columns.begin(), columns.end());
  return columns;
}

double largest_column_norm(const Matrix& A) {
  double largest = 0;
  for (int j = 0; j < A.cols(); ++j) largest = std::max(largest, A.col(j).norm());
  return largest;
}

struct EmptyFactors : Factors {
  explicit EmptyFactors(Eigen::Index num_columns) : size(num_columns) {}
  int rank() const override { return 0; }
  Vector apply(const Vector&) const override { return Vector::Zero(size); }
  std::vector<int> independent_columns() const override { return {}; }
  Eigen::Index size;
};

struct DenseFactors : Factors {
  DenseFactors(const Matrix& A, double rank_tolerance)
      : decomposition(DenseMatrix(A), rank_tolerance) {}
  int rank() const override { return decomposition.rank(); }
  Vector apply(const Vector& b) const override { return decomposition.solve(b); }
  std::vector<int> independent_columns() const override {
    return first_sorted(decomposition.column_order(), rank());
  }
  linalg::OrthogonalFactors decomposition;
};

struct LuFactors : Factors {
  explicit LuFactors(const Matrix& A) : lu(A) {}
  int rank() const override { return lu.size(); }
  Vector apply(const Vector& b) const override { return lu.solve(b); }
  std::vector<int> independent_columns() const override {
    std::vector<int> all(static_cast<std::size_t>(lu.size()));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  // Lower bound of the 2-norm of the inverse, by power iteration on its normal matrix.
  double estimate_inverse_norm() {
    Vector v = Vector::Ones(lu.size()).normalized();
    double estimate = 0;
    for (int i = 0; i < 4; ++i) {
      const Vector w = lu.solve(v);
      v = lu.solve_transposed(w);
      estimate = w.norm();
      const double length = v.norm();
      if (!std::isfinite(length) || length == 0) return std::numeric_limits<double>::infinity();
      v /= length;
    }
    return estimate;
  }
  linalg::SparseLuFactors lu;
};

// P^T b: entries in the order of the columns.
Vector permuted(const Vector& b, const SparseQrFactors& qr) { return b(qr.column_order()); }

// B x = b of least norm for a wide B of full rank r, from B^T P = Q [R; 0].
class WideSolver {
 public:
  explicit WideSolver(const Matrix& B) : qr_(B.transpose()), R_(qr_.R().leftCols(qr_.rank())) {}
  Vector solve(const Vector& b) const {
    Vector y = Vector::Zero(qr_.rows());
    y.head(R_.rows()) =
        R_.transpose().triangularView<Eigen::Lower>().solve(permuted(b, qr_).head(R_.rows()));
    return qr_.q_times(y);
  }

 private:
  SparseQrFactors qr_;
  Matrix R_;
};

// A P = Q [R1; 0] with the r rows R1 of full rank: |A x - b| is least for R1 P^T x = (Q^T
// b)_{1..r}.
struct TallFactors : Factors {
  TallFactors(const Matrix& A, double rank_tolerance)
      : qr(A, rank_tolerance * largest_column_norm(A)), reduced(qr.R()) {}
  int rank() const override { return qr.rank(); }
  Vector apply(const Vector& b) const override {
    Vector x(static_cast<Eigen::Index>(qr.column_order().size()));
    x(qr.column_order()) = reduced.solve(qr.q_transpose_times(b).head(qr.rank()));
    return x;
  }
  std::vector<int> independent_columns() const override {
    return first_sorted(qr.column_order(), rank());
  }
  SparseQrFactors qr;
  WideSolver reduced;
};

// A^T P = Q [R1; 0]: A = P R1^T Q1^T, so x = Q1 y with |R1^T y - P^T b| least.
struct WideFactors : Factors {
  WideFactors(const Matrix& matrix, double tolerance)
      : A(matrix),
        rank_tolerance(tolerance),
        qr(A.transpose(), rank_tolerance * largest_column_norm(A.transpose())),
        reduced(qr.R().transpose()) {}
  int rank() const override { return qr.rank(); }
  Vector apply(const Vector& b) const override {
    Vector y = Vector::Zero(qr.rows());
    y.head(qr.rank()) = reduced.solve(permuted(b, qr));
    return qr.q_times(y);
  }
  std::vector<int> independent_columns() const override {
    const SparseQrFactors columns(A, rank_tolerance * largest_column_norm(A));
    return first_sorted(columns.column_order(), columns.rank());
  }
  Matrix A;
  double rank_tolerance;
  SparseQrFactors qr, reduced;
};

// A = (U V) with weightless U. With Q2 orthogonal to the range of U, Q2^T V x_V = Q2^T b is what
// the others have to do, and they do it with the shortest x_V; x_U follows.
struct SplitFactors : Factors {
  SplitFactors(const DenseMatrix& A, double rank_tolerance, const std::vector<bool>& weightless)
      : places(split_places(weightless)),
        V(A(Eigen::all, places.second)),
        of_U(DenseMatrix(A(Eigen::all, places.first)), rank_tolerance),
        Q2(of_U.Q().rightCols(A.rows() - of_U.rank())),
        of_V(without_noise(Q2.transpose() * V, rank_tolerance * V.norm()), rank_tolerance) {}
  int rank() const override { return of_U.rank() + of_V.rank(); }
  Vector apply(const Vector& b) const override {
    Vector x(static_cast<Eigen::Index>(places.first.size() + places.second.size()));
    const Vector x_V = of_V.solve(Q2.transpose() * b);
    x(places.second) = x_V;
    x(places.first) = of_U.solve(b - V * x_V);
    return x;
  }
  std::vector<int> independent_columns() const override {
    std::vector<int> result;
    for (int k : first_sorted(of_U.column_order(), of_U.rank()))
      result.push_back(places.first[static_cast<std::size_t>(k)]);
    for (int k : first_sorted(of_V.column_order(), of_V.rank()))
      result.push_back(places.second[static_cast<std::size_t>(k)]);
    std::sort(result.begin(), result.end());
    return result;
  }
  static std::pair<std::vector<int>, std::vector<int>> split_places(
      const std::vector<bool>& weightless) {
    std::pair<std::vector<int>, std::vector<int>> result;
    for (std::size_t j = 0; j < weightless.size(); ++j)
      (weightless[j] ? result.first : result.second).push_back(static_cast<int>(j));
    return result;
  }
  static DenseMatrix without_noise(DenseMatrix B, double noise) {
    return (B.array().abs() > noise).select(B, 0.0);
  }
  std::pair<std::vector<int>, std::vector<int>> places;  // of U, of V
  DenseMatrix V;
  linalg::OrthogonalFactors of_U;
  DenseMatrix Q2;
  linalg::OrthogonalFactors of_V;
};

// For large matrices: weightless unknowns in so large a unit that their length hardly counts.
struct ScaledFactors : Factors {
  ScaledFactors(const Matrix& A, double rank_tolerance, const std::vector<bool>& weightless)
      : unit(Vector::Ones(A.cols())) {
    for (int j = 0; j < A.cols(); ++j)
      if (weightless[static_cast<std::size_t>(j)]) unit[j] = kWeightlessUnit;
    inverse.compute(A * unit.asDiagonal(), rank_tolerance);
  }
  int rank() const override { return inverse.rank(); }
  Vector apply(const Vector& b) const override { return unit.cwiseProduct(inverse.apply(b)); }
  std::vector<int> independent_columns() const override { return inverse.independent_columns(); }
  static constexpr double kWeightlessUnit = 1e4;  // its square counts, rank_tolerance is far below
  Vector unit;
  PseudoInverse inverse;
};

std::unique_ptr<Factors> factorize_square(const Matrix& A, double rank_tolerance) {
  auto factors = std::make_unique<LuFactors>(A);
  const bool is_regular =
      factors->lu.is_regular() &&
      factors->estimate_inverse_norm() * largest_column_norm(A) < 1 / rank_tolerance;
  if (!is_regular) factors.reset();
  return factors;
}

}  // namespace

PseudoInverse::PseudoInverse() = default;
PseudoInverse::~PseudoInverse() = default;
PseudoInverse::PseudoInverse(PseudoInverse&&) noexcept = default;
PseudoInverse& PseudoInverse::operator=(PseudoInverse&&) noexcept = default;

void PseudoInverse::compute(const Matrix& A, double rank_tolerance,
                            const std::vector<bool>& weightless) {
  factors_.reset();
  const auto num_weightless = std::count(weightless.begin(), weightless.end(), true);
  const bool is_split = num_weightless > 0 && num_weightless < A.cols();
  if (A.rows() == 0 || A.cols() == 0 || A.nonZeros() == 0) {
    factors_ = std::make_unique<EmptyFactors>(A.cols());
  } else if (is_split && std::max(A.rows(), A.cols()) <= kMaxDense) {
    factors_ = std::make_unique<SplitFactors>(DenseMatrix(A), rank_tolerance, weightless);
  } else if (is_split && A.rows() < A.cols()) {
    factors_ = std::make_unique<ScaledFactors>(A, rank_tolerance, weightless);
  } else if (std::max(A.rows(), A.cols()) <= kMaxDense) {
    factors_ = std::make_unique<DenseFactors>(A, rank_tolerance);
  } else {
    if (A.rows() == A.cols()) factors_ = factorize_square(A, rank_tolerance);
    if (!factors_ && A.rows() >= A.cols())
      factors_ = std::make_unique<TallFactors>(A, rank_tolerance);
    if (!factors_) factors_ = std::make_unique<WideFactors>(A, rank_tolerance);
  }
}

int PseudoInverse::rank() const { return factors_->rank(); }
Vector PseudoInverse::apply(const Vector& b) const { return factors_->apply(b); }
std::vector<int> PseudoInverse::independent_columns() const {
  return factors_->independent_columns();
}

}  // namespace hydae::init

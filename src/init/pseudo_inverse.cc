#include "init/pseudo_inverse.h"

#include <Eigen/QR>
#include <Eigen/SparseLU>
#include <Eigen/SparseQR>
#include <algorithm>
#include <numeric>
#include <optional>

namespace hydae::init {
namespace {

using Factors = PseudoInverse::Factors;
using SparseQr = Eigen::SparseQR<Matrix, Eigen::COLAMDOrdering<int>>;

constexpr Eigen::Index kMaxDense = 250;  // rows or columns

std::vector<int> first_sorted(const Eigen::VectorXi& order, int count) {
  std::vector<int> columns(order.data(), order.data() + count);
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
  DenseFactors(const Matrix& A, double rank_tolerance) {
    decomposition.setThreshold(rank_tolerance);
    decomposition.compute(DenseMatrix(A));
  }
  int rank() const override { return static_cast<int>(decomposition.rank()); }
  Vector apply(const Vector& b) const override { return decomposition.solve(b); }
  std::vector<int> independent_columns() const override {
    return first_sorted(decomposition.colsPermutation().indices(), rank());
  }
  Eigen::CompleteOrthogonalDecomposition<DenseMatrix> decomposition;
};

struct LuFactors : Factors {
  explicit LuFactors(const Matrix& A) { lu.compute(A); }
  int rank() const override { return static_cast<int>(lu.rows()); }
  Vector apply(const Vector& b) const override { return lu.solve(b); }
  std::vector<int> independent_columns() const override {
    std::vector<int> all(static_cast<std::size_t>(lu.rows()));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  // Lower bound of the 2-norm of the inverse, by power iteration on its normal matrix.
  double estimate_inverse_norm() {
    Vector v = Vector::Ones(lu.cols()).normalized();
    double estimate = 0;
    for (int i = 0; i < 4; ++i) {
      const Vector w = lu.solve(v);
      v = lu.transpose().solve(w);
      estimate = w.norm();
      const double length = v.norm();
      if (!std::isfinite(length) || length == 0) return std::numeric_limits<double>::infinity();
      v /= length;
    }
    return estimate;
  }
  Eigen::SparseLU<Matrix, Eigen::COLAMDOrdering<int>> lu;
};

// The triangular factor with its rows in order, which Eigen does not keep; first r rows, r its
// rank.
Matrix triangular_factor(const SparseQr& qr) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> R = qr.matrixR();
  return R.topRows(qr.rank());
}

// B x = b of least norm for a wide B of full rank r, from B^T P = Q [R; 0].
class WideSolver {
 public:
  explicit WideSolver(const Matrix& B) {
    qr_.compute(Matrix(B.transpose()));
    R_ = triangular_factor(qr_).leftCols(qr_.rank());
  }
  Vector solve(const Vector& b) const {
    Vector y = Vector::Zero(qr_.rows());
    const Vector permuted = qr_.colsPermutation().transpose() * b;
    y.head(R_.rows()) =
        R_.transpose().triangularView<Eigen::Lower>().solve(permuted.head(R_.rows()));
    return qr_.matrixQ() * y;
  }

 private:
  SparseQr qr_;
  Matrix R_;
};

// A P = Q [R1; 0] with the r rows R1 of full rank: |A x - b| is least for R1 P^T x = (Q^T
// b)_{1..r}.
struct TallFactors : Factors {
  TallFactors(const Matrix& A, double rank_tolerance) {
    qr.setPivotThreshold(rank_tolerance * largest_column_norm(A));
    qr.compute(A);
    reduced.emplace(triangular_factor(qr));
  }
  int rank() const override { return static_cast<int>(qr.rank()); }
  Vector apply(const Vector& b) const override {
    const Vector rotated = qr.matrixQ().transpose() * b;
    return qr.colsPermutation() * reduced->solve(rotated.head(qr.rank()));
  }
  std::vector<int> independent_columns() const override {
    return first_sorted(qr.colsPermutation().indices(), rank());
  }
  SparseQr qr;
  std::optional<WideSolver> reduced;
};

// A^T P = Q [R1; 0]: A = P R1^T Q1^T, so x = Q1 y with |R1^T y - P^T b| least.
struct WideFactors : Factors {
  WideFactors(const Matrix& matrix, double tolerance) : A(matrix), rank_tolerance(tolerance) {
    const Matrix At = A.transpose();
    qr.setPivotThreshold(rank_tolerance * largest_column_norm(At));
    qr.compute(At);
    reduced.compute(Matrix(triangular_factor(qr).transpose()));
  }
  int rank() const override { return static_cast<int>(qr.rank()); }
  Vector apply(const Vector& b) const override {
    const Vector permuted = qr.colsPermutation().transpose() * b;
    Vector y = Vector::Zero(qr.rows());
    y.head(qr.rank()) = reduced.solve(permuted);
    return qr.matrixQ() * y;
  }
  std::vector<int> independent_columns() const override {
    SparseQr columns;
    columns.setPivotThreshold(rank_tolerance * largest_column_norm(A));
    columns.compute(A);
    return first_sorted(columns.colsPermutation().indices(), static_cast<int>(columns.rank()));
  }
  Matrix A;
  double rank_tolerance;
  SparseQr qr, reduced;
};

std::unique_ptr<Factors> factorize_square(const Matrix& A, double rank_tolerance) {
  auto factors = std::make_unique<LuFactors>(A);
  const bool is_regular =
      factors->lu.info() == Eigen::Success &&
      factors->estimate_inverse_norm() * largest_column_norm(A) < 1 / rank_tolerance;
  if (!is_regular) factors.reset();
  return factors;
}

}  // namespace

PseudoInverse::PseudoInverse() = default;
PseudoInverse::~PseudoInverse() = default;
PseudoInverse::PseudoInverse(PseudoInverse&&) noexcept = default;
PseudoInverse& PseudoInverse::operator=(PseudoInverse&&) noexcept = default;

void PseudoInverse::compute(const Matrix& A, double rank_tolerance) {
  factors_.reset();
  if (A.rows() == 0 || A.cols() == 0 || A.nonZeros() == 0) {
    factors_ = std::make_unique<EmptyFactors>(A.cols());
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

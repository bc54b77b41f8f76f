#include "init/bordered_matrix.h"

#include <cmath>
#include <optional>
#include <vector>

#include "linalg/dense_factors.h"
#include "linalg/sparse_factors.h"

namespace hydae::init {
namespace {

constexpr Eigen::Index kMaxDenseBorder = 100;  // rows: a sparse factor is slower up to here
constexpr double kSingular = 1e-14;            // reciprocal condition number

Matrix append_row(const Matrix& J, const Vector& row) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(J.nonZeros() + row.size()));
  for (int j = 0; j < J.cols(); ++j) {
    for (Matrix::InnerIterator it(J, j); it; ++it) {
      entries.emplace_back(static_cast<int>(it.row()), j, it.value());
    }
    if (row[j] != 0) entries.emplace_back(static_cast<int>(J.rows()), j, row[j]);
  }
  Matrix result(J.rows() + 1, J.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace

struct BorderedMatrix::Factors {
  Vector row_scale;
  std::optional<linalg::DenseLu> dense;  // one of the two
  std::optional<linalg::SparseLuFactors> sparse;

  bool factorize(Matrix A) {
    row_scale = Vector::Zero(A.rows());
    for (int j = 0; j < A.cols(); ++j) {
      for (Matrix::InnerIterator it(A, j); it; ++it) {
        row_scale[it.row()] = std::max(row_scale[it.row()], std::abs(it.value()));
      }
    }
    if (!row_scale.allFinite() || (row_scale.array() == 0).any()) return false;
    row_scale = row_scale.cwiseInverse();
    scale_rows(row_scale, A);
    dense.reset();
    sparse.reset();
    if (A.rows() <= kMaxDenseBorder) {
      dense.emplace(DenseMatrix(A));
      return dense->reciprocal_condition() > kSingular;
    }
    sparse.emplace(std::move(A));
    return sparse->is_regular();
  }
};

BorderedMatrix::BorderedMatrix() : factors_(std::make_unique<Factors>()) {}
BorderedMatrix::~BorderedMatrix() = default;

bool BorderedMatrix::factorize(const Matrix& J, const Vector& row) {
  if (!factors_->factorize(append_row(J, row))) return false;
  determinant_sign_ =
      factors_->dense ? factors_->dense->determinant_sign() : factors_->sparse->determinant_sign();
  return true;
}

Vector BorderedMatrix::solve(const Vector& top, double bottom) const {
  Vector rhs(top.size() + 1);
  rhs << top, bottom;
  rhs = rhs.cwiseProduct(factors_->row_scale);
  return factors_->dense ? Vector(factors_->dense->solve(rhs)) : factors_->sparse->solve(rhs);
}

}  // namespace hydae::init

#include "init/bordered_matrix.h"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <cmath>
#include <vector>

namespace hydae::init {
namespace {

constexpr Eigen::Index kMaxDense = 100;
constexpr double kSingular = 1e-14;  // reciprocal condition number

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

int determinant_sign_of(const Eigen::PartialPivLU<DenseMatrix>& lu) {
  int sign = static_cast<int>(lu.permutationP().determinant());
  for (const double pivot : lu.matrixLU().diagonal()) sign = pivot < 0 ? -sign : sign;
  return sign;
}

}  // namespace

struct BorderedMatrix::Factors {
  Vector row_scale;
  bool is_dense = true;
  Eigen::PartialPivLU<DenseMatrix> dense;
  Eigen::SparseLU<Matrix, Eigen::COLAMDOrdering<int>> sparse;

  bool factorize(Matrix A) {
    row_scale = Vector::Zero(A.rows());
    for (int j = 0; j < A.cols(); ++j) {
      for (Matrix::InnerIterator it(A, j); it; ++it) {
        row_scale[it.row()] = std::max(row_scale[it.row()], std::abs(it.value()));
      }
    }
    if (!row_scale.allFinite() || (row_scale.array() == 0).any()) return false;
    row_scale = row_scale.cwiseInverse();
    A = row_scale.asDiagonal() * A;
    is_dense = A.rows() <= kMaxDense;
    if (is_dense) {
      dense.compute(DenseMatrix(A));
      return dense.rcond() > kSingular;
    }
    sparse.compute(A);
    return sparse.info() == Eigen::Success;
  }
};

BorderedMatrix::BorderedMatrix() : factors_(std::make_unique<Factors>()) {}
BorderedMatrix::~BorderedMatrix() = default;

bool BorderedMatrix::factorize(const Matrix& J, const Vector& row) {
  if (!factors_->factorize(append_row(J, row))) return false;
  determinant_sign_ = factors_->is_dense ? determinant_sign_of(factors_->dense)
                                         : static_cast<int>(factors_->sparse.signDeterminant());
  return true;
}

Vector BorderedMatrix::solve(const Vector& top, double bottom) const {
  Vector rhs(top.size() + 1);
  rhs << top, bottom;
  rhs = rhs.cwiseProduct(factors_->row_scale);
  if (factors_->is_dense) return factors_->dense.solve(rhs);
  return factors_->sparse.solve(rhs);
}

}  // namespace hydae::init

#include "partition/pencil.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <Eigen/SparseLU>
#include <Eigen/SparseQR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "partition/rank.h"
#include "partition/sparse_algebra.h"

namespace hydae::partition {

namespace {

// Three shifts without simple relations: a regular pencil is singular at all of them only if all
// are eigenvalues.
constexpr std::array<double, 3> kShifts{0.8290349, -1.3741021, 2.1167283};
constexpr double kSmallestWeight = 1e-8;  // of an equation in a dependence, relative

double largest_entry(const RowMatrix& matrix) {
  double largest = 0;
  for (int i = 0; i < matrix.outerSize(); ++i) {
    for (RowMatrix::InnerIterator entry(matrix, i); entry; ++entry) {
      largest = std::max(largest, std::abs(entry.value()));
    }
  }
  return largest;
}

// s M + J with the shift in the unit of time in which the two are of the same size.
RowMatrix shifted(const LinearSystem& system, double shift) {
  const double mass = largest_entry(system.mass), jacobian = largest_entry(system.jacobian);
  const double unit = mass > 0 && jacobian > 0 ? jacobian / mass : 1.0;
  return RowMatrix(shift * unit * system.mass + system.jacobian);
}

double smallest_full_rank_value(const Matrix& matrix) {
  if (matrix.rows() > matrix.cols()) return 0;
  const Scaling scaling = compute_scaling(matrix.sparseView(0, 1));
  const Vector values = Eigen::BDCSVD<Matrix>(apply(scaling, matrix)).singularValues();
  return values[0] > 0 ? values[values.size() - 1] / values[0] : 0.0;
}

// Sparse estimate of the same: 1 / (|A|_1 |A^-1|_1) with |A^-1|_1 from below (Hager 1984).
double reciprocal_condition(const SparseMatrix& matrix) {
  Eigen::SparseLU<SparseMatrix> lu(matrix);
  if (lu.info() != Eigen::Success) return 0;
  double norm = 0;
  for (int j = 0; j < matrix.cols(); ++j) norm = std::max(norm, matrix.col(j).cwiseAbs().sum());
  Vector x = Vector::Constant(matrix.cols(), 1.0 / matrix.cols());
  double inverse_norm = 0;
  for (int sweep = 0; sweep < 5; ++sweep) {
    const Vector y = lu.solve(x);
    if (!y.allFinite()) return 0;
    if (y.lpNorm<1>() <= inverse_norm) break;
    inverse_norm = y.lpNorm<1>();
    const Vector signs = y.unaryExpr([](double a) { return a < 0 ? -1.0 : 1.0; });
    const Vector z = lu.transpose().solve(signs);
    Eigen::Index j = 0;
    z.cwiseAbs().maxCoeff(&j);
    x.setZero();
    x[j] = 1;
  }
  return 1 / (norm * inverse_norm);
}

double sparse_full_rank_value(const RowMatrix& matrix) {
  if (matrix.rows() > matrix.cols()) return 0;
  const RowMatrix scaled = apply(compute_scaling(matrix), matrix);
  if (matrix.rows() == matrix.cols()) return reciprocal_condition(SparseMatrix(scaled));
  SparseMatrix transpose = scaled.transpose();
  transpose.makeCompressed();
  const Eigen::SparseQR<SparseMatrix, Eigen::COLAMDOrdering<int>> qr(transpose);
  if (qr.rank() < matrix.rows()) return 0;
  const Vector diagonal = Matrix(qr.matrixR().topLeftCorner(qr.rank(), qr.rank())).diagonal();
  return diagonal.cwiseAbs().minCoeff() / diagonal.cwiseAbs().maxCoeff();
}

bool is_small(const LinearSystem& system) {
  return std::max(system.num_equations(), system.num_variables()) <= kDenseLimit;
}

// Equations with weight in a left null vector of s M + J. A large system is made dense here: it is
// singular, and which equations are to blame is what the user needs.
std::vector<EqId> find_dependent_equations(const RowMatrix& pencil, double tolerance) {
  Matrix null_space = compute_left_null_space(Matrix(pencil), tolerance);
  for (int i = 0; i < pencil.rows(); ++i) null_space.row(i) *= Vector(pencil.row(i)).norm();
  std::vector<EqId> equations;
  const double largest = null_space.size() > 0 ? null_space.cwiseAbs().maxCoeff() : 0.0;
  for (int i = 0; i < null_space.rows(); ++i) {
    const bool is_empty = is_zero_row(pencil, i);
    const bool has_weight =
        largest > 0 && null_space.row(i).cwiseAbs().maxCoeff() > kSmallestWeight * largest;
    if (is_empty || has_weight) equations.emplace_back(i);
  }
  return equations;
}

bool changes_with_time(const LinearSystem& system, EqId equation) {
  const int row = static_cast<int>(equation.index());
  if (!is_zero_row(system.jacobian_rate, row)) return true;
  return system.mass_rate.size() > 0 && !is_zero_row(system.mass_rate, row);
}

// The number of times A = (s M + J)^-1 M, restricted to its own range, loses rank.
int compute_index(const RowMatrix& pencil, const RowMatrix& mass, double tolerance) {
  const Scaling scaling = compute_scaling(pencil);
  const Matrix scaled = apply(scaling, Matrix(pencil));
  Matrix a = scaled.partialPivLu().solve(apply(scaling, Matrix(mass)));
  const double size = a.norm();
  int index = 0;
  for (; a.rows() > 0; ++index) {
    const Eigen::BDCSVD<Matrix> svd(a, Eigen::ComputeThinU);
    const auto rank = (svd.singularValues().array() > tolerance * size).count();
    if (rank == a.rows()) break;
    const Matrix range = svd.matrixU().leftCols(rank);
    a = Matrix(range.transpose() * a * range);
  }
  return index;
}

}  // namespace

Pencil examine_pencil(const LinearSystem& system, double rank_tolerance) {
  Pencil result;
  if (system.num_equations() == 0) return result;
  RowMatrix best;
  for (double shift : kShifts) {
    const RowMatrix pencil = shifted(system, shift);
    const double margin = is_small(system) ? smallest_full_rank_value(Matrix(pencil))
                                           : sparse_full_rank_value(pencil);
    if (margin < result.margin || (margin == 0 && best.size() > 0)) continue;
    result.margin = margin;
    best = pencil;
  }
  const double tolerance = 100.0 * system.num_equations() * std::numeric_limits<double>::epsilon();
  result.is_regular = result.margin > tolerance;
  if (result.is_regular) {
    const bool is_square = system.num_equations() == system.num_variables();
    if (is_square && is_small(system)) {
      result.index = compute_index(best, system.mass, rank_tolerance);
    }
    return result;
  }
  result.dependent = find_dependent_equations(best, tolerance);
  result.is_permanent = std::none_of(result.dependent.begin(), result.dependent.end(),
                                     [&](EqId i) { return changes_with_time(system, i); });
  return result;
}

}  // namespace hydae::partition

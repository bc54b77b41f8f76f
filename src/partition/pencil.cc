#include "partition/pencil.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "linalg/dense_factors.h"
#include "linalg/sparse_factors.h"
#include "linalg/svd.h"
#include "partition/rank.h"
#include "partition/sparse_algebra.h"

namespace hydae::partition {

namespace {

// Three shifts without simple relations: a regular pencil is singular at all of them only if all
// are eigenvalues.
constexpr std::array<double, 3> kShifts{0.8290349, -1.3741021, 2.1167283};
constexpr double kComfortable = 1e-8;     // a margin that no other shift needs to improve
constexpr double kSmallestWeight = 1e-8;  // of an equation in a dependence, relative
constexpr int kMostDependences = 20;      // looked into in a large system

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
  const Vector values = linalg::singular_values(apply(scaling, matrix));
  return values[0] > 0 ? values[values.size() - 1] / values[0] : 0.0;
}

// Sparse estimate of the same: 1 / (|A|_1 |A^-1|_1) with |A^-1|_1 from below (Hager 1984).
double reciprocal_condition(const SparseMatrix& matrix) {
  const linalg::SparseLuFactors lu(matrix);
  if (!lu.is_regular()) return 0;
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
    const Vector z = lu.solve_transposed(signs);
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
  const linalg::SparseQrFactors qr(scaled.transpose());
  if (qr.rank() < matrix.rows()) return 0;
  const Vector diagonal = qr.R().diagonal();
  return diagonal.cwiseAbs().minCoeff() / diagonal.cwiseAbs().maxCoeff();
}

bool is_small(const LinearSystem& system) {
  return std::max(system.num_equations(), system.num_variables()) <= kDenseLimit;
}

// Equations with weight in a left null vector of the pencil.
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

// The same for a large pencil A, which stays sparse: A^T P = Q (R11 R12; 0 0), and each column of
// (R11^-1 R12; -1) holds the coefficients of one dependence.
std::vector<EqId> find_dependent_equations_sparse(const RowMatrix& pencil) {
  const linalg::SparseQrFactors qr(apply(compute_scaling(pencil), pencil).transpose());
  const Eigen::Index rank = qr.rank(), size = pencil.rows();
  const SparseMatrix triangle = qr.R().leftCols(rank);
  std::vector<bool> is_dependent(static_cast<std::size_t>(size), false);
  const std::vector<int>& order = qr.column_order();
  for (Eigen::Index k = rank; k < std::min(size, rank + kMostDependences); ++k) {
    const Vector rhs = qr.R().col(k);
    const Vector weights = triangle.triangularView<Eigen::Upper>().solve(rhs);
    is_dependent[static_cast<std::size_t>(order[k])] = true;
    const double least = kSmallestWeight * std::max(1.0, weights.cwiseAbs().maxCoeff());
    for (Eigen::Index i = 0; i < rank; ++i) {
      if (std::abs(weights[i]) > least) is_dependent[static_cast<std::size_t>(order[i])] = true;
    }
  }
  std::vector<EqId> equations;
  for (std::size_t i = 0; i < is_dependent.size(); ++i) {
    if (is_dependent[i]) equations.emplace_back(i);
  }
  return equations;
}

bool changes_with_time(const LinearSystem& system, EqId equation) {
  const int row = static_cast<int>(equation.index());
  if (!is_zero_row(system.jacobian_rate, row)) return true;
  return system.mass_rate.size() > 0 && !is_zero_row(system.mass_rate, row);
}

// The Kronecker index: how often equations without derivatives have to be solved for variables, and
// these variables taken out, until the mass matrix is invertible. With orthogonal Q = (Q1 Q2) so
// that Q2^T M = 0, and Z a basis of Q2^T J x = 0, each turn leaves (Q1^T M Z, Q1^T J Z): all Jordan
// blocks to the infinite eigenvalue become shorter by one. Nothing is inverted.
int compute_index(const LinearSystem& system, const RowMatrix& pencil, double tolerance) {
  const Scaling scaling = compute_scaling(pencil);
  Matrix mass = apply(scaling, Matrix(system.mass));
  Matrix jacobian = apply(scaling, Matrix(system.jacobian));
  const double size = mass.norm();
  int index = 0;
  for (; mass.rows() > 0; ++index) {
    const auto rank = (linalg::singular_values(mass).array() > tolerance * size).count();
    if (rank == mass.rows()) break;
    const Matrix Q = linalg::OrthogonalFactors(mass).Q();
    const Matrix algebraic = Q.rightCols(mass.rows() - rank).transpose() * jacobian;
    const Matrix Z = linalg::orthogonal_complement(algebraic.transpose());
    mass = Q.leftCols(rank).transpose() * mass * Z;
    jacobian = Q.leftCols(rank).transpose() * jacobian * Z;
  }
  return index;
}

double full_rank_tolerance(const LinearSystem& system) {
  return 100.0 * system.num_equations() * std::numeric_limits<double>::epsilon();
}

struct BestShift {
  double margin = 0;
  RowMatrix pencil;
};

BestShift find_best_shift(const LinearSystem& system) {
  BestShift best;
  for (double shift : kShifts) {
    RowMatrix pencil = shifted(system, shift);
    const double margin = is_small(system) ? smallest_full_rank_value(Matrix(pencil))
                                           : sparse_full_rank_value(pencil);
    if (margin < best.margin || (margin == 0 && best.pencil.size() > 0)) continue;
    best = {margin, std::move(pencil)};
    if (margin > kComfortable) break;
  }
  return best;
}

LinearSystem take_part(const LinearSystem& system, const std::vector<EqId>& rows,
                       const std::vector<VarId>& columns) {
  LinearSystem part{select(system.mass, rows, columns), select(system.jacobian, rows, columns),
                    select(system.jacobian_rate, rows, columns), RowMatrix(0, 0)};
  if (system.mass_rate.size() > 0) part.mass_rate = select(system.mass_rate, rows, columns);
  return part;
}

}  // namespace

Pencil examine_pencil(const LinearSystem& system, const PencilPart& part, double rank_tolerance) {
  Pencil result;
  if (part.equations.empty()) return result;
  const LinearSystem all = take_part(system, part.equations, part.all_variables);
  const BestShift best = find_best_shift(all);
  result.margin = best.margin;
  result.is_regular = result.margin > full_rank_tolerance(all);
  if (result.is_regular) {
    const LinearSystem unknown = take_part(system, part.equations, part.unknowns);
    const bool is_square = unknown.num_equations() == unknown.num_variables();
    if (!is_square || !is_small(unknown)) return result;
    const bool is_whole = part.unknowns.size() == part.all_variables.size();
    const BestShift square = is_whole ? best : find_best_shift(unknown);
    if (square.margin > full_rank_tolerance(unknown)) {
      result.index = compute_index(unknown, square.pencil, rank_tolerance);
    }
    return result;
  }
  std::vector<EqId> dependent =
      is_small(all) ? find_dependent_equations(best.pencil, full_rank_tolerance(all))
                    : find_dependent_equations_sparse(best.pencil);
  for (EqId& i : dependent) i = part.equations[i.index()];
  result.is_permanent = std::none_of(dependent.begin(), dependent.end(),
                                     [&](EqId i) { return changes_with_time(system, i); });
  result.dependent = std::move(dependent);
  return result;
}

}  // namespace hydae::partition

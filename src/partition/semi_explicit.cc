#include "partition/semi_explicit.h"

#include <cmath>
#include <utility>

#include "base/check.h"
#include "linalg/sparse_factors.h"
#include "partition/rank.h"
#include "partition/sparse_algebra.h"

namespace hydae::partition {

struct StateMatrix::Factor {
  Scaling scaling;             // R, C
  linalg::SparseLuFactors lu;  // of R M C
};

namespace {

constexpr double kNoise = 1e-15;  // smaller parts of a scaled solution are rounding

// sign * M^-1 A, column by column, without rounding noise.
SparseMatrix solve_columns(const StateMatrix& states, const RowMatrix& matrix, double sign) {
  const SparseMatrix by_columns(matrix);
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < by_columns.cols(); ++j) {
    if (by_columns.col(j).nonZeros() == 0) continue;
    const Vector x = states.solve_mass(Vector(by_columns.col(j)));
    for (int i = 0; i < x.size(); ++i) {
      if (x[i] != 0) entries.emplace_back(i, j, sign * x[i]);
    }
  }
  SparseMatrix result(matrix.rows(), matrix.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

std::vector<VarId> algebraic_variables(const DifferentialPart& part) {
  std::vector<bool> is_state(part.system.num_variables(), false);
  for (VarId j : part.variables) is_state[j.index()] = true;
  std::vector<VarId> result;
  for (VarId j : ids<VarId>(is_state.size())) {
    if (!is_state[j.index()]) result.push_back(j);
  }
  return result;
}

std::vector<EqId> constraint_equations(const DifferentialPart& part) {
  std::vector<bool> is_differential(part.system.num_equations(), false);
  for (EqId i : part.equations) is_differential[i.index()] = true;
  std::vector<EqId> result;
  for (EqId i : ids<EqId>(is_differential.size())) {
    if (!is_differential[i.index()]) result.push_back(i);
  }
  return result;
}

}  // namespace

StateMatrix::StateMatrix(const SparseMatrix& mass, SparseMatrix jacobian)
    : jacobian_(std::move(jacobian)) {
  if (mass.rows() == 0) return;
  const RowMatrix by_rows(mass);
  const Scaling scaling = compute_scaling(by_rows);
  factor_ =
      std::make_shared<Factor>(Factor{scaling, linalg::SparseLuFactors(apply(scaling, by_rows))});
  HYDAE_CHECK(factor_->lu.is_regular());
}

Vector StateMatrix::solve_mass(const Vector& x) const {
  if (size() == 0) return x;
  Vector scaled = factor_->lu.solve(Vector(factor_->scaling.rows.asDiagonal() * x));
  const double noise = kNoise * scaled.lpNorm<Eigen::Infinity>();
  scaled = scaled.unaryExpr([&](double a) { return std::abs(a) > noise ? a : 0.0; });
  return factor_->scaling.columns.asDiagonal() * scaled;
}

Vector StateMatrix::times(const Vector& x) const { return -solve_mass(jacobian_ * x); }

Vector StateMatrix::transpose_times(const Vector& x) const {
  if (size() == 0) return x;
  const Vector scaled = factor_->scaling.columns.asDiagonal() * x;
  const Vector y = factor_->lu.solve_transposed(scaled);
  return -(jacobian_.transpose() * (factor_->scaling.rows.asDiagonal() * y));
}

Vector StateMatrix::column_sizes() const {
  Vector result(size());
  for (int j = 0; j < size(); ++j) result[j] = jacobian_.col(j).cwiseAbs().sum();
  return result;
}

Matrix StateMatrix::to_dense() const {
  Matrix result(size(), size());
  for (int j = 0; j < size(); ++j) result.col(j) = times(Vector::Unit(size(), j));
  return result;
}

SemiExplicit make_semi_explicit(const DifferentialPart& part) {
  const LinearSystem& system = part.system;
  SemiExplicit s;
  s.state_equations = part.equations;
  s.states = part.variables;
  s.algebraic = algebraic_variables(part);
  s.constraints = constraint_equations(part);

  const RowMatrix mass_x = select(system.mass, s.state_equations, s.states);
  const RowMatrix jacobian_x = select(system.jacobian, s.state_equations, s.states);
  s.H = StateMatrix(SparseMatrix(mass_x), SparseMatrix(jacobian_x));
  // x = xi - K z, in every term where x appears.
  const RowMatrix K = solve_columns(s.H, select(system.mass, s.state_equations, s.algebraic), 1);
  const RowMatrix jacobian_z = select(system.jacobian, s.state_equations, s.algebraic);
  s.B = solve_columns(s.H, subtract_product(jacobian_z, jacobian_x, K), -1);
  s.G = select(system.jacobian, s.constraints, s.states);
  s.E = subtract_product(select(system.jacobian, s.constraints, s.algebraic), s.G, K);
  s.G_rate = select(system.jacobian_rate, s.constraints, s.states);
  s.E_rate =
      subtract_product(select(system.jacobian_rate, s.constraints, s.algebraic), s.G_rate, K);
  return s;
}

}  // namespace hydae::partition

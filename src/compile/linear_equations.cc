#include "compile/linear_equations.h"

#include <algorithm>
#include <cmath>

#include "compile/finite.h"
#include "linalg/svd.h"
#include "structure/blt.h"

namespace hydae {
namespace {

constexpr std::size_t kMostDense = 200;  // unknowns of a block whose condition is computed

}  // namespace

LinearEquations::LinearEquations(Parts parts)
    : parts_(std::move(parts)),
      pattern_(compress(parts_.inputs.size(), parts_.positions)),
      lu_(pattern_.start, pattern_.row),
      coefficients_(parts_.positions.size()),
      matrix_(pattern_.row.size()),
      solution_(parts_.inputs.size()),
      largest_(parts_.positions.size(), 0.0) {
  for (std::size_t k = 0; k < coefficients_.size(); ++k)
    is_fixed_ = is_fixed_ && parts_.coefficients.is_fixed(k);
}

void LinearEquations::set_fixed(std::span<const double> parameters, std::span<const double> held) {
  parts_.rows.set_fixed(parameters, held);
  parts_.coefficients.set_fixed(parameters, held);
  has_factors_ = false;
}

LinearEquations::Outcome LinearEquations::factorize(double t) {
  std::ranges::copy(parts_.rows.inputs(), parts_.coefficients.inputs().begin());
  parts_.coefficients.evaluate(t, coefficients_);
  if (!are_finite(coefficients_)) return Outcome::kUndefinedCoefficients;
  for (std::size_t k = 0; k < coefficients_.size(); ++k)
    largest_[k] = std::max(largest_[k], std::abs(coefficients_[k]));
  std::ranges::fill(matrix_, 0.0);
  for (std::size_t k = 0; k < coefficients_.size(); ++k)
    matrix_[pattern_.slot[k]] += coefficients_[k];
  has_factors_ = lu_.factorize(matrix_);
  return has_factors_ ? Outcome::kSolved : Outcome::kSingular;
}

LinearEquations::Outcome LinearEquations::solve(double t) {
  for (std::uint32_t place : parts_.inputs) inputs()[place] = 0;
  if (!is_fixed_ || !has_factors_)
    if (const Outcome outcome = factorize(t); outcome != Outcome::kSolved) return outcome;
  parts_.rows.evaluate(t, solution_);
  if (!are_finite(solution_)) return Outcome::kUndefinedRows;
  for (double& value : solution_) value = -value;
  lu_.solve(solution_);
  return are_finite(solution_) ? Outcome::kSolved : Outcome::kSingular;
}

std::optional<LinearEquations::WorstBlock> LinearEquations::find_worst_block() const {
  std::vector<structure::SignatureEntry> entries;
  std::vector<double> row_size(size(), 0.0), column_size(size(), 0.0);
  for (std::size_t k = 0; k < largest_.size(); ++k) {
    const auto [column, row] = parts_.positions[k];
    entries.push_back({EqId(row), VarId(column), 0});
    row_size[row] = std::max(row_size[row], largest_[k]);
  }
  for (std::size_t k = 0; k < largest_.size(); ++k) {
    const auto [column, row] = parts_.positions[k];
    column_size[column] = std::max(column_size[column], largest_[k] / row_size[row]);
  }
  const auto blocks =
      structure::find_block_triangular_form(structure::SignatureMatrix(size(), size(), entries));
  if (!blocks || !are_finite(coefficients_)) return std::nullopt;
  std::vector<std::vector<std::size_t>> entries_of(blocks->size());
  for (std::size_t k = 0; k < largest_.size(); ++k) {
    const auto [column, row] = parts_.positions[k];
    const BlockId block = blocks->block_of(VarId(column));
    if (block == blocks->block_of(EqId(row))) entries_of[block.index()].push_back(k);
  }
  std::vector<int> place(size()), row_place(size());
  WorstBlock worst;
  for (BlockId block : ids<BlockId>(blocks->size())) {
    const auto eqs = blocks->eqs(block);
    const auto vars = blocks->vars(block);
    const auto n = static_cast<int>(eqs.size());
    if (eqs.size() > kMostDense) continue;
    for (int k = 0; k < n; ++k) {
      row_place[eqs[static_cast<std::size_t>(k)].index()] = k;
      place[vars[static_cast<std::size_t>(k)].index()] = k;
    }
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    for (std::size_t k : entries_of[block.index()]) {
      const auto [column, row] = parts_.positions[k];
      matrix(row_place[row], place[column]) +=
          coefficients_[k] / (row_size[row] * column_size[column]);
    }
    if (!matrix.allFinite()) matrix.setZero();  // a row or column that has always been zero
    const double condition = 1 / linalg::singular_values(matrix)[n - 1];
    if (!(condition > worst.condition)) continue;
    worst = {{}, condition};
    for (VarId var : vars) worst.unknowns.push_back(static_cast<std::uint32_t>(var.index()));
  }
  return worst;
}

}  // namespace hydae

#include "compile/rest_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compile/reduced_program.h"

namespace hydae {
namespace {

constexpr int kMostIterations = 40;      // damped ones included
constexpr double kConverged = 1e-13;     // of a correction, relative
constexpr double kGoodEnough = 1e-8;     // where corrections stop shrinking
constexpr double kShortestShare = 1e-4;  // of a correction: below, it leads nowhere
constexpr std::uint32_t kNone = 0xffffffff;

}  // namespace

RestSolver::RestSolver(const Reduced& reduced, const ReducedMatrix& matrix)
    : reduced_(reduced), n_(reduced.unknowns.size()) {
  std::vector<Position> positions;
  const auto belongs = [&](const ReducedMatrix::Entry& entry) {
    return entry.is_derivative == reduced_.unknowns[entry.column].is_state;
  };
  for (const ReducedMatrix::Entry& entry : matrix.entries())
    if (belongs(entry)) positions.push_back({entry.column, entry.row});
  CompressedColumns pattern = compress(n_, positions);
  std::size_t next = 0;
  for (const ReducedMatrix::Entry& entry : matrix.entries())
    slot_.push_back(belongs(entry) ? pattern.slot[next++] : kNone);
  values_.resize(pattern.row.size());
  if (n_ > 0) lu_.emplace(std::move(pattern.start), std::move(pattern.row));
  correction_.resize(n_);
}

// Newton's iteration, damped: a step is halved until the correction that the same matrix gives
// behind it is smaller (Deuflhard 2004, 2.1). The states do not move; a correction is small if it
// is so for every unknown.
bool RestSolver::solve(ReducedProgram& program, double t, std::span<double> y,
                       std::span<double> yp) {
  if (n_ == 0) return true;
  double previous = std::numeric_limits<double>::infinity();
  if (!program.residual(t, y.data(), yp.data(), correction_.data())) return false;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    if (!factorize(program, t, y, yp)) return false;
    lu_->solve(correction_);
    const double size = size_of(correction_);
    if (!std::isfinite(size)) return false;
    if (size <= kConverged || (size <= kGoodEnough && size > 0.5 * previous)) {
      move(y, yp, correction_, 1);
      return true;
    }
    previous = size;
    if (!take_step(program, t, y, yp, size)) return false;
  }
  return false;
}

bool RestSolver::factorize(ReducedProgram& program, double t, std::span<const double> y,
                           std::span<const double> yp) {
  if (!program.differentiate(t, y.data(), yp.data())) return false;
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::size_t k = 0; k < slot_.size(); ++k)
    if (slot_[k] != kNone) values_[slot_[k]] += program.matrix().values()[k];
  measure(program.matrix(), y, yp);
  return lu_->factorize(values_);
}

// How large an unknown would be with the largest term of its equation to itself: that is what its
// rounding errors are relative to, also where the terms cancel, in any unit of time.
void RestSolver::measure(const ReducedMatrix& matrix, std::span<const double> y,
                         std::span<const double> yp) {
  row_size_.assign(n_, 0.0);
  for (std::size_t k = 0; k < slot_.size(); ++k) {
    const ReducedMatrix::Entry& entry = matrix.entries()[k];
    const double value =
        entry.is_derivative ? std::abs(yp[entry.column]) : std::max(1.0, std::abs(y[entry.column]));
    row_size_[entry.row] = std::max(row_size_[entry.row], std::abs(matrix.values()[k]) * value);
  }
  size_.assign(n_, std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < slot_.size(); ++k) {
    const ReducedMatrix::Entry& entry = matrix.entries()[k];
    if (slot_[k] == kNone || matrix.values()[k] == 0) continue;
    double& size = size_[entry.column];
    size = std::min(size, row_size_[entry.row] / std::abs(matrix.values()[k]));
  }
  for (double& size : size_)
    if (!(size > 0)) size = 1;
}

double RestSolver::size_of(std::span<const double> correction) const {
  double largest = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    const double part = std::abs(correction[i]) / size_[i];
    if (!(part <= largest)) largest = part;  // a NaN stays
  }
  return largest;
}

void RestSolver::move(std::span<double> y, std::span<double> yp, std::span<const double> correction,
                      double share) const {
  for (std::size_t i = 0; i < n_; ++i)
    (reduced_.unknowns[i].is_state ? yp[i] : y[i]) -= share * correction[i];
}

// Behind the step, the residual is in correction_.
bool RestSolver::take_step(ReducedProgram& program, double t, std::span<double> y,
                           std::span<double> yp, double size) {
  step_ = correction_;
  for (double share = 1; share >= kShortestShare; share /= 2) {
    move(y, yp, step_, share);
    if (program.residual(t, y.data(), yp.data(), correction_.data())) {
      next_ = correction_;
      lu_->solve(next_);
      if (size_of(next_) < size || size <= kGoodEnough) return true;
    }
    move(y, yp, step_, -share);
  }
  return false;
}

}  // namespace hydae

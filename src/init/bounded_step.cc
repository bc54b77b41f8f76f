#include "init/bounded_step.h"

#include <algorithm>
#include <cmath>

namespace hydae::init {
namespace {

Matrix with_damping_rows(const Matrix& J, double damping) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(J.nonZeros() + J.cols()));
  for (int j = 0; j < J.cols(); ++j) {
    for (Matrix::InnerIterator it(J, j); it; ++it) {
      entries.emplace_back(static_cast<int>(it.row()), j, it.value());
    }
    entries.emplace_back(static_cast<int>(J.rows()) + j, j, std::sqrt(damping));
  }
  Matrix result(J.rows() + J.cols(), J.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

Matrix select_columns(const Matrix& A, const std::vector<int>& columns) {
  Matrix result(A.rows(), static_cast<Eigen::Index>(columns.size()));
  result.reserve(A.nonZeros());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    result.startVec(static_cast<Eigen::Index>(k));
    for (Matrix::InnerIterator it(A, columns[k]); it; ++it) {
      result.insertBack(it.row(), static_cast<Eigen::Index>(k)) = it.value();
    }
  }
  result.finalize();
  return result;
}

}  // namespace

const Vector& BoundedStep::compute(const Matrix& J, const Vector& f, const Vector& lower,
                                   const Vector& upper, double damping) {
  num_equations_ = J.rows();
  J_ = damping > 0 ? with_damping_rows(J, damping) : J;
  f_ = Vector::Zero(J_.rows());
  f_.head(num_equations_) = f;
  const auto n = static_cast<std::size_t>(J.cols());
  is_free_.assign(n, true);
  was_released_.assign(n, false);
  step_ = Vector::Zero(J.cols());

  // Each round frees an unknown for the first time or binds one: at most about three per unknown.
  const std::size_t max_rounds = 3 * n + 3;
  for (std::size_t round = 0; round < max_rounds; ++round) {
    factorize();
    const bool is_inside = move_towards(free_target(), lower, upper);
    if (is_inside && !release_one(lower)) break;
  }
  return step_;
}

void BoundedStep::factorize() {
  free_.clear();
  for (std::size_t j = 0; j < is_free_.size(); ++j) {
    if (is_free_[j]) free_.push_back(static_cast<int>(j));
  }
  const bool all_free = free_.size() == is_free_.size();
  std::vector<bool> weightless;
  if (!weightless_.empty())
    for (const int j : free_) weightless.push_back(weightless_[static_cast<std::size_t>(j)]);
  inverse_.compute(all_free ? J_ : select_columns(J_, free_), rank_tolerance_, weightless);
}

// The best step in the free unknowns with the bound ones as they are.
Vector BoundedStep::free_target() const {
  Vector target = step_;
  for (const int j : free_) target[j] = 0;
  const Vector in_free = inverse_.apply(-(f_ + J_ * target));
  for (std::size_t k = 0; k < free_.size(); ++k) {
    target[free_[k]] = in_free[static_cast<Eigen::Index>(k)];
  }
  return target;
}

// As far as the bounds allow; what they stop is bound from now on. True if nothing was stopped.
bool BoundedStep::move_towards(const Vector& target, const Vector& lower, const Vector& upper) {
  const auto limit = [&](int j) { return target[j] < step_[j] ? lower[j] : upper[j]; };
  const auto share_to_limit = [&](int j) {
    const bool stays_inside = target[j] >= lower[j] && target[j] <= upper[j];
    return stays_inside ? 1.0 : (limit(j) - step_[j]) / (target[j] - step_[j]);
  };
  double share = 1;
  for (const int j : free_) share = std::min(share, share_to_limit(j));
  const Vector start = step_;
  step_ += share * (target - start);
  if (share >= 1) return true;
  for (const int j : free_) {
    const bool is_stopped = target[j] < lower[j] || target[j] > upper[j];
    const double bound = target[j] < start[j] ? lower[j] : upper[j];
    if (!is_stopped || std::abs(step_[j] - bound) > 1e-12 * std::abs(target[j] - start[j]))
      continue;
    step_[j] = bound;
    is_free_[static_cast<std::size_t>(j)] = false;
  }
  return false;
}

// At the best step of the free unknowns: frees the bound unknown with which |J s + f| falls most
// if it moves inwards. False if there is none.
bool BoundedStep::release_one(const Vector& lower) {
  const Vector residual = J_ * step_ + f_;
  const double noise = 1e-10 * std::max(residual.norm(), 1e-10 * f_.norm());
  int best = -1;
  double best_slope = 0;
  for (int j = 0; j < J_.cols(); ++j) {
    const auto index = static_cast<std::size_t>(j);
    if (is_free_[index] || was_released_[index]) continue;
    const double slope = J_.col(j).dot(residual);
    const bool falls_inwards = step_[j] <= lower[j] ? slope < 0 : slope > 0;
    if (!falls_inwards || std::abs(slope) <= noise * J_.col(j).norm()) continue;
    if (std::abs(slope) > best_slope) {
      best = j;
      best_slope = std::abs(slope);
    }
  }
  if (best < 0) return false;
  is_free_[static_cast<std::size_t>(best)] = true;
  was_released_[static_cast<std::size_t>(best)] = true;
  return true;
}

Vector BoundedStep::correct(const Vector& f) const {
  Vector rhs = Vector::Zero(J_.rows());
  rhs.head(num_equations_) = -f;
  const Vector in_free = inverse_.apply(rhs);
  Vector correction = Vector::Zero(J_.cols());
  for (std::size_t k = 0; k < free_.size(); ++k) {
    correction[free_[k]] = in_free[static_cast<Eigen::Index>(k)];
  }
  return correction;
}

std::vector<int> BoundedStep::independent_columns() const {
  std::vector<int> columns = inverse_.independent_columns();
  for (int& column : columns) column = free_[static_cast<std::size_t>(column)];
  return columns;
}

}  // namespace hydae::init

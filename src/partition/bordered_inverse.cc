#include "partition/bordered_inverse.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "linalg/dense_factors.h"

namespace hydae::partition {

namespace {

// The update loses digits when pivots are small: beyond this backward error the block is inverted
// anew.
constexpr double kLargestBackwardError = 1e-12;

Vector gather(const Vector& x, const std::vector<int>& positions) {
  Vector part(static_cast<Eigen::Index>(positions.size()));
  for (std::size_t i = 0; i < positions.size(); ++i) part[i] = x[positions[i]];
  return part;
}

void scatter(const Vector& part, const std::vector<int>& positions, Vector& x) {
  for (std::size_t i = 0; i < positions.size(); ++i) x[positions[i]] = part[i];
}

}  // namespace

void BorderedInverse::append(std::span<const Entry> row, std::span<const Entry> column,
                             double corner) {
  const int target = merge_touched(row, column);
  Block& block = blocks_[target];
  const int n = static_cast<int>(block.positions.size());
  Vector r = Vector::Zero(n), c = Vector::Zero(n);
  for (const Entry& entry : row) r[places_[entry.position].local] = entry.value;
  for (const Entry& entry : column) c[places_[entry.position].local] = entry.value;

  const Vector inverse_c = block.inverse * c;
  const Eigen::RowVectorXd r_inverse = r.transpose() * block.inverse;
  const double pivot = corner - r.dot(inverse_c);
  HYDAE_CHECK(pivot != 0 && std::isfinite(pivot));

  block.matrix.conservativeResize(n + 1, n + 1);
  block.matrix.col(n).head(n) = c;
  block.matrix.row(n).head(n) = r.transpose();
  block.matrix(n, n) = corner;
  block.inverse.conservativeResize(n + 1, n + 1);
  if (!inverse_c.isZero(0)) {
    block.inverse.topLeftCorner(n, n).noalias() += inverse_c * (r_inverse / pivot);
  }
  block.inverse.col(n).head(n) = -inverse_c / pivot;
  block.inverse.row(n).head(n) = -r_inverse / pivot;
  block.inverse(n, n) = 1 / pivot;
  block.positions.push_back(size());
  places_.push_back({target, n});
  refine(block);
  drop_empty_blocks();
}

int BorderedInverse::merge_touched(std::span<const Entry> row, std::span<const Entry> column) {
  std::vector<int> touched;
  for (const Entry& entry : row) touched.push_back(places_[entry.position].block);
  for (const Entry& entry : column) touched.push_back(places_[entry.position].block);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  if (touched.empty()) {
    blocks_.push_back({{}, Matrix(0, 0), Matrix(0, 0)});
    return num_blocks() - 1;
  }
  const auto larger = [this](int a, int b) {
    return blocks_[a].positions.size() < blocks_[b].positions.size();
  };
  const int target = *std::max_element(touched.begin(), touched.end(), larger);
  for (int other : touched) {
    if (other == target) continue;
    absorb(blocks_[target], blocks_[other]);
    for (std::size_t k = 0; k < blocks_[target].positions.size(); ++k) {
      places_[blocks_[target].positions[k]] = {target, static_cast<int>(k)};
    }
  }
  return target;
}

// `into` becomes the block diagonal of both; `from` is left without positions.
void BorderedInverse::absorb(Block& into, Block& from) {
  const auto n = into.matrix.rows(), m = from.matrix.rows();
  for (auto [a, b] : {std::pair{&into.matrix, &from.matrix}, {&into.inverse, &from.inverse}}) {
    a->conservativeResize(n + m, n + m);
    a->topRightCorner(n, m).setZero();
    a->bottomLeftCorner(m, n).setZero();
    a->bottomRightCorner(m, m) = *b;
  }
  into.positions.insert(into.positions.end(), from.positions.begin(), from.positions.end());
  from = {{}, Matrix(0, 0), Matrix(0, 0)};
}

void BorderedInverse::drop_empty_blocks() {
  for (int b = num_blocks() - 1; b >= 0; --b) {
    if (!blocks_[b].positions.empty()) continue;
    if (b != num_blocks() - 1) {
      blocks_[b] = std::move(blocks_.back());
      for (int position : blocks_[b].positions) places_[position].block = b;
    }
    blocks_.pop_back();
  }
}

// Checks A (A^-1 e) = e on one vector; a bad residual is repaired by a fresh factorisation.
void BorderedInverse::refine(Block& block) {
  const Vector ones = Vector::Ones(block.matrix.rows());
  const Vector x = block.inverse * ones;
  const double residual = (block.matrix * x - ones).lpNorm<Eigen::Infinity>();
  const double size = (block.matrix.cwiseAbs() * x.cwiseAbs()).lpNorm<Eigen::Infinity>();
  if (residual <= kLargestBackwardError * size) return;
  block.inverse = linalg::DenseLu(block.matrix).inverse();
}

// sum of value * slice(inverse of its block, its place there) over the entries, block by block.
template <class Slice>
BorderedInverse::Entries BorderedInverse::accumulate(std::span<const Entry> entries,
                                                     Slice slice) const {
  Entries sorted(entries.begin(), entries.end()), result;
  const auto block_of = [this](const Entry& entry) { return places_[entry.position].block; };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Entry& a, const Entry& b) { return block_of(a) < block_of(b); });
  for (std::size_t i = 0; i < sorted.size();) {
    const int b = block_of(sorted[i]);
    const Block& block = blocks_[b];
    Vector sum = Vector::Zero(block.inverse.rows());
    for (; i < sorted.size() && block_of(sorted[i]) == b; ++i) {
      sum += sorted[i].value * slice(block.inverse, places_[sorted[i].position].local);
    }
    for (Eigen::Index k = 0; k < sum.size(); ++k) {
      if (sum[k] != 0) result.push_back({block.positions[k], sum[k]});
    }
  }
  return result;
}

BorderedInverse::Entries BorderedInverse::times_inverse(std::span<const Entry> row) const {
  return accumulate(row, [](const Matrix& inverse, int k) { return inverse.row(k).transpose(); });
}

BorderedInverse::Entries BorderedInverse::inverse_times(std::span<const Entry> column) const {
  return accumulate(column, [](const Matrix& inverse, int k) { return inverse.col(k); });
}

Vector BorderedInverse::inverse_times(const Vector& x) const {
  Vector result(x.size());
  for (const Block& block : blocks_) {
    scatter(block.inverse * gather(x, block.positions), block.positions, result);
  }
  return result;
}

Vector BorderedInverse::inverse_transpose_times(const Vector& x) const {
  Vector result(x.size());
  for (const Block& block : blocks_) {
    scatter(block.inverse.transpose() * gather(x, block.positions), block.positions, result);
  }
  return result;
}

}  // namespace hydae::partition

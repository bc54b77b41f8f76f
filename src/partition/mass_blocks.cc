#include "partition/mass_blocks.h"

#include <numeric>
#include <utility>

#include "linalg/sparse_factors.h"
#include "linalg/svd.h"
#include "partition/rank.h"

namespace hydae::partition {

namespace {

// Union-find over rows and columns.
class Groups {
 public:
  explicit Groups(int size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    for (; parent_[i] != i; i = parent_[i]) parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(int i, int j) { parent_[find(i)] = find(j); }

 private:
  std::vector<int> parent_;
};

}  // namespace

std::vector<MassBlock> split_mass(const RowMatrix& mass) {
  const int rows = static_cast<int>(mass.rows()), columns = static_cast<int>(mass.cols());
  Groups groups(rows + columns);
  std::vector<bool> has_entry(rows + columns, false);
  for (int i = 0; i < rows; ++i) {
    for (RowMatrix::InnerIterator entry(mass, i); entry; ++entry) {
      const int j = rows + static_cast<int>(entry.col());
      groups.unite(i, j);
      has_entry[i] = has_entry[j] = true;
    }
  }
  std::vector<MassBlock> blocks;
  std::vector<int> block_of(rows + columns, -1);
  for (int i = 0; i < rows + columns; ++i) {
    if (!has_entry[i]) continue;
    int& block = block_of[groups.find(i)];
    if (block < 0) {
      block = static_cast<int>(blocks.size());
      blocks.emplace_back();
    }
    if (i < rows)
      blocks[block].equations.emplace_back(i);
    else
      blocks[block].variables.emplace_back(i - rows);
  }
  return blocks;
}

namespace {

SparseMatrix extract(const RowMatrix& mass, const MassBlock& block) {
  std::vector<int> place(mass.cols(), -1);
  for (std::size_t j = 0; j < block.variables.size(); ++j) {
    place[block.variables[j].index()] = static_cast<int>(j);
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < block.equations.size(); ++i) {
    for (RowMatrix::InnerIterator e(mass, block.equations[i].index()); e; ++e) {
      entries.emplace_back(static_cast<int>(i), place[e.col()], e.value());
    }
  }
  SparseMatrix result(block.equations.size(), block.variables.size());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

// Sparse rank-revealing QR for blocks too large for singular values; its diagonal stands for them.
ScaledRank sparse_rank(const SparseMatrix& matrix, double tolerance) {
  const RowMatrix by_rows(matrix);
  SparseMatrix scaled = apply(compute_scaling(by_rows), by_rows);
  if (scaled.rows() < scaled.cols()) scaled = SparseMatrix(scaled.transpose());
  const linalg::SparseQrFactors qr(std::move(scaled), tolerance);
  ScaledRank result;
  result.rank = qr.rank();
  double smallest = 1, largest = 0;
  for (int i = 0; i < result.rank; ++i) {
    const double size = std::abs(qr.R().coeff(i, i));
    largest = std::max(largest, size);
    smallest = i == 0 ? size : std::min(smallest, size);
  }
  result.smallest_kept = largest > 0 ? smallest / largest : 1.0;
  return result;
}

void decide_kind(const RowMatrix& mass, double tolerance, MassBlock& block) {
  const SparseMatrix part = extract(mass, block);
  const int rows = static_cast<int>(part.rows()), columns = static_cast<int>(part.cols());
  const bool is_small = std::max(rows, columns) <= kDenseLimit;
  const ScaledRank rank =
      is_small ? compute_scaled_rank(Matrix(part), tolerance) : sparse_rank(part, tolerance);
  block.rank = {"mass matrix", rows, columns, rank.rank, rank.smallest_kept, rank.largest_dropped};
  if (rank.rank < rows)
    block.kind = MassKind::kDeficient;
  else
    block.kind = rows == columns ? MassKind::kSquare : MassKind::kWide;
}

}  // namespace

std::vector<MassBlock> find_mass_blocks(const RowMatrix& mass, double rank_tolerance) {
  std::vector<MassBlock> blocks = split_mass(mass);
  for (MassBlock& block : blocks) decide_kind(mass, rank_tolerance, block);
  return blocks;
}

BlockTransformation decompose(const RowMatrix& mass, const MassBlock& block) {
  const Matrix part(extract(mass, block));
  const linalg::Svd svd = linalg::compute_svd(part);
  const Vector& values = svd.values;
  const int rank = block.rank.rank;
  // Singular values of the unscaled block can tell its rank unless its rows differ wildly in size.
  const double noise = 1e-13 * values[0];
  if (values[rank - 1] > noise && (rank == values.size() || values[rank] <= noise)) {
    return {block.equations, block.variables, svd.U.transpose(), svd.V, values};
  }
  const Scaling scaling = compute_scaling(part.sparseView(0, 1));
  const linalg::Svd scaled = linalg::compute_svd(apply(scaling, part));
  return {block.equations, block.variables, scaled.U.transpose() * scaling.rows.asDiagonal(),
          scaling.columns.asDiagonal() * scaled.V, scaled.values};
}

}  // namespace hydae::partition

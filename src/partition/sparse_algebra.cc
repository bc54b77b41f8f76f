#include "partition/sparse_algebra.h"

#include <cmath>

namespace hydae::partition {

namespace {

constexpr double kCancellation = 1e-14;  // a sum this much smaller than its terms is zero

// `sizes` holds the same sums with absolute values.
void drop_cancelled(RowMatrix& matrix, const RowMatrix& sizes) {
  matrix.prune([&](Eigen::Index i, Eigen::Index j, double value) {
    return std::abs(value) > kCancellation * sizes.coeff(i, j);
  });
}

}  // namespace

RowMatrix select(const RowMatrix& matrix, const std::vector<EqId>& rows,
                 const std::vector<VarId>& columns) {
  std::vector<int> place(matrix.cols(), -1);
  for (std::size_t j = 0; j < columns.size(); ++j) place[columns[j].index()] = static_cast<int>(j);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (RowMatrix::InnerIterator e(matrix, rows[i].index()); e; ++e) {
      if (place[e.col()] >= 0) entries.emplace_back(static_cast<int>(i), place[e.col()], e.value());
    }
  }
  RowMatrix result(rows.size(), columns.size());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

RowMatrix product(const RowMatrix& a, const RowMatrix& b) {
  RowMatrix result = a * b;
  drop_cancelled(result, RowMatrix(a.cwiseAbs() * b.cwiseAbs()));
  return result;
}

RowMatrix subtract_product(const RowMatrix& a, const RowMatrix& b, const RowMatrix& c) {
  if (b.nonZeros() == 0 || c.nonZeros() == 0) return a;
  RowMatrix result = a - RowMatrix(b * c);
  drop_cancelled(result, a.cwiseAbs() + RowMatrix(b.cwiseAbs() * c.cwiseAbs()));
  return result;
}

bool is_zero_row(const RowMatrix& matrix, int row) {
  for (RowMatrix::InnerIterator entry(matrix, row); entry; ++entry) {
    if (entry.value() != 0) return false;
  }
  return true;
}

}  // namespace hydae::partition

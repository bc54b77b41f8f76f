#include "partition/eliminated.h"

#include <cmath>
#include <utility>

#include "partition/sparse_algebra.h"

namespace hydae::partition {

namespace {

// sum += factor * row, and the absolute value of the same onto size.
void add_row(const RowMatrix& matrix, int row, double factor, Vector& sum, Vector& size) {
  for (RowMatrix::InnerIterator e(matrix, row); e; ++e) {
    sum[e.col()] += factor * e.value();
    size[e.col()] += std::abs(factor * e.value());
  }
}

Vector without_cancelled(Vector sum, const Vector& size) {
  constexpr double kCancellation = 1e-13;
  for (int j = 0; j < sum.size(); ++j) {
    if (std::abs(sum[j]) <= kCancellation * size[j]) sum[j] = 0;
  }
  return sum;
}

void append_row(const Vector& row, int i, std::vector<Eigen::Triplet<double>>& entries) {
  for (int j = 0; j < row.size(); ++j) {
    if (row[j] != 0) entries.emplace_back(i, j, row[j]);
  }
}

template <class MatrixType>
MatrixType make_sparse(int rows, int columns, const std::vector<Eigen::Triplet<double>>& entries) {
  MatrixType matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace

// C_i - E(i,V) C_v^-1 C_1.
Vector eliminated_row(const SemiExplicit& s, const PivotSet& index1, int constraint) {
  Vector sum = Vector::Zero(s.num_states()), size = sum;
  add_row(s.G, constraint, 1, sum, size);
  for (const auto& [position, factor] : index1.reduce_row(constraint).multipliers) {
    add_row(s.G, index1.rows()[position], -factor, sum, size);
  }
  return without_cancelled(std::move(sum), size);
}

// With y = E(i,V) C_v^-1: C_i' - y C_1' - (E(i,V)' - y C_v') C_v^-1 C_1.
Vector eliminated_row_rate(const SemiExplicit& s, const PivotSet& index1, int constraint) {
  Vector sum = Vector::Zero(s.num_states()), size = sum;
  Vector coupling = Vector::Zero(s.num_algebraic()), coupling_size = coupling;
  const auto add = [&](int row, double factor) {
    add_row(s.G_rate, row, factor, sum, size);
    add_row(s.E_rate, row, factor, coupling, coupling_size);
  };
  add(constraint, 1);
  for (const auto& [position, y] : index1.reduce_row(constraint).multipliers) {
    add(index1.rows()[position], -y);
  }
  BorderedInverse::Entries entries;
  for (int position = 0; position < index1.size(); ++position) {
    const double value = coupling[index1.columns()[position]];
    if (value != 0) entries.push_back({position, value});
  }
  for (const auto& [position, y] : index1.inverse().times_inverse(entries)) {
    add_row(s.G, index1.rows()[position], -y, sum, size);
  }
  return without_cancelled(std::move(sum), size);
}

// B_j - Q C_v^-1 E(E,j).
Vector eliminated_column(const SemiExplicit& s, const PivotSet& index1, int variable) {
  Vector sum = Vector::Zero(s.num_states()), size = sum;
  const auto add = [&](int column, double factor) {
    for (SparseMatrix::InnerIterator e(s.B, column); e; ++e) {
      sum[e.row()] += factor * e.value();
      size[e.row()] += std::abs(factor * e.value());
    }
  };
  add(variable, 1);
  for (const auto& [position, factor] : index1.column_multipliers(variable)) {
    add(index1.columns()[position], -factor);
  }
  return without_cancelled(std::move(sum), size);
}

Eliminated eliminate_index1(const SemiExplicit& s, const PivotSet& index1,
                            std::vector<int> constraints, std::vector<int> variables) {
  std::vector<Eigen::Triplet<double>> c, c_rate, t_transposed;
  const int m = static_cast<int>(constraints.size()), k = static_cast<int>(variables.size());
  for (int i = 0; i < m; ++i) {
    append_row(eliminated_row(s, index1, constraints[i]), i, c);
    append_row(eliminated_row_rate(s, index1, constraints[i]), i, c_rate);
  }
  for (int j = 0; j < k; ++j) {
    append_row(eliminated_column(s, index1, variables[j]), j, t_transposed);
  }
  const int n = s.num_states();
  Eliminated result{std::move(constraints),
                    std::move(variables),
                    make_sparse<RowMatrix>(m, n, c),
                    make_sparse<RowMatrix>(m, n, c_rate),
                    make_sparse<RowMatrix>(k, n, t_transposed).transpose(),
                    RowMatrix()};
  result.CT = product(result.C, RowMatrix(result.T));
  return result;
}

}  // namespace hydae::partition

#include "linalg/maximal_volume.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <queue>

#include "linalg/sparse_lu.h"

namespace hydae::linalg {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRankFactor = 1e3;     // a rank higher is worth this factor of the determinant
constexpr double kDependent = 1e-11;    // of the largest entry of a row, after elimination
constexpr double kThreshold = 0.3;      // of the largest pivot in a row that sparsity may take
constexpr double kGoodEnough = 1.5;     // exchange gain that is not worth an exchange
constexpr int kMostDenseColumns = 150;  // of matrices that are searched entry by entry
constexpr int kMostExchanges = 1000;

int rank_of(const WideMatrix& matrix, int column) {
  return matrix.rank.empty() ? 0 : matrix.rank[static_cast<std::size_t>(column)];
}

double weight(const WideMatrix& matrix, int column) {
  return std::pow(kRankFactor, -rank_of(matrix, column));
}

// Gaussian elimination on sparse rows: always the shortest row next, in it the entry that counts
// most.
class Elimination {
 public:
  explicit Elimination(const WideMatrix& matrix) : rows_(matrix.rows) {
    const std::size_t m = rows_.size();
    users_.resize(static_cast<std::size_t>(matrix.num_columns));
    for (std::size_t i = 0; i < m; ++i) {
      for (SparseEntry& entry : rows_[i]) {
        entry.value *= weight(matrix, entry.column);
        users_[static_cast<std::size_t>(entry.column)].push_back(static_cast<int>(i));
      }
      scale_.push_back(largest(rows_[i]));
      queue_.push({rows_[i].size(), i});
    }
    place_.assign(users_.size(), -1);
    is_done_.assign(m, false);
  }

  std::optional<std::vector<int>> run() {
    std::vector<int> chosen;
    while (!queue_.empty()) {
      const auto [length, i] = queue_.top();
      queue_.pop();
      if (is_done_[i] || length != rows_[i].size()) continue;
      const SparseEntry pivot = choose_pivot(rows_[i]);
      if (!(std::abs(pivot.value) > kDependent * scale_[i])) return std::nullopt;
      is_done_[i] = true;
      chosen.push_back(pivot.column);
      eliminate(i, pivot);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

 private:
  using Waiting = std::pair<std::size_t, std::size_t>;  // length, row

  static double largest(const std::vector<SparseEntry>& row) {
    double size = 0;
    for (const SparseEntry& entry : row) size = std::max(size, std::abs(entry.value));
    return size;
  }

  SparseEntry choose_pivot(const std::vector<SparseEntry>& row) const {
    const double enough = kThreshold * largest(row);
    SparseEntry best;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const SparseEntry& entry : row) {
      const std::size_t count = users_[static_cast<std::size_t>(entry.column)].size();
      if (std::abs(entry.value) < enough || count >= fewest) continue;
      fewest = count;
      best = entry;
    }
    return best;
  }

  void eliminate(std::size_t pivot_row, const SparseEntry& pivot) {
    const std::vector<int> users = std::move(users_[static_cast<std::size_t>(pivot.column)]);
    for (int user : users) {
      const auto i = static_cast<std::size_t>(user);
      if (is_done_[i]) continue;
      subtract(i, rows_[pivot_row], pivot);
      queue_.push({rows_[i].size(), i});
    }
  }

  // Row i less a multiple of the pivot row, without the pivot column.
  void subtract(std::size_t i, const std::vector<SparseEntry>& other, const SparseEntry& pivot) {
    std::vector<SparseEntry>& row = rows_[i];
    double factor = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k].column == pivot.column) factor = row[k].value / pivot.value;
      place_[static_cast<std::size_t>(row[k].column)] = static_cast<int>(k);
    }
    for (const SparseEntry& entry : other) {
      const auto column = static_cast<std::size_t>(entry.column);
      if (place_[column] >= 0) {
        row[static_cast<std::size_t>(place_[column])].value -= factor * entry.value;
      } else {
        row.push_back({entry.column, -factor * entry.value});
        place_[column] = static_cast<int>(row.size() - 1);
        users_[column].push_back(static_cast<int>(i));
      }
    }
    for (const SparseEntry& entry : row) place_[static_cast<std::size_t>(entry.column)] = -1;
    std::erase_if(row, [&](const SparseEntry& e) { return e.column == pivot.column; });
  }

  std::vector<std::vector<SparseEntry>> rows_;
  std::vector<double> scale_;            // largest entry of each row at first
  std::vector<std::vector<int>> users_;  // rows in which a column occurs, finished ones included
  std::vector<int> place_;               // of a column in the row at hand, -1 if it is not there
  std::vector<bool> is_done_;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue_;
};

struct Exchange {
  double gain = 0;
  int out = -1, in = -1;  // columns
};

std::vector<int> places_of(const WideMatrix& matrix, std::span<const int> chosen) {
  std::vector<int> place(static_cast<std::size_t>(matrix.num_columns), -1);
  for (std::size_t k = 0; k < chosen.size(); ++k)
    place[static_cast<std::size_t>(chosen[k])] = static_cast<int>(k);
  return place;
}

// Every entry of B^-1 N.
Exchange best_exchange_dense(const WideMatrix& matrix, std::span<const int> chosen) {
  const auto m = static_cast<Eigen::Index>(matrix.rows.size());
  const std::vector<int> place = places_of(matrix, chosen);
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(m, m);
  Eigen::MatrixXd n = Eigen::MatrixXd::Zero(m, matrix.num_columns);
  for (Eigen::Index i = 0; i < m; ++i)
    for (const SparseEntry& entry : matrix.rows[static_cast<std::size_t>(i)]) {
      const int at = place[static_cast<std::size_t>(entry.column)];
      const double value = entry.value * weight(matrix, entry.column);
      if (at >= 0)
        b(i, at) = value;
      else
        n(i, entry.column) = value;
    }
  const Eigen::MatrixXd ratios = b.partialPivLu().solve(n);
  if (!ratios.allFinite()) return {kInfinity, -1, -1};
  Exchange best;
  for (int j = 0; j < matrix.num_columns; ++j)
    for (Eigen::Index i = 0; i < m; ++i)
      if (std::abs(ratios(i, j)) > best.gain)
        best = {std::abs(ratios(i, j)), chosen[static_cast<std::size_t>(i)], j};
  return best;
}

// B^-1 N applied to a vector of signs shows which row is large; that row is then looked at.
Exchange best_exchange_sparse(const WideMatrix& matrix, std::span<const int> chosen) {
  const std::size_t m = matrix.rows.size();
  const std::vector<int> place = places_of(matrix, chosen);
  std::vector<std::vector<std::pair<int, double>>> columns(m);
  std::vector<double> rhs(m, 0.0);
  std::uint64_t random = 88172645463325252u;
  std::vector<double> sign(static_cast<std::size_t>(matrix.num_columns));
  for (double& s : sign) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    s = (random >> 40) % 2 == 0 ? 1.0 : -1.0;
  }
  for (std::size_t i = 0; i < m; ++i)
    for (const SparseEntry& entry : matrix.rows[i]) {
      const double value = entry.value * weight(matrix, entry.column);
      const int at = place[static_cast<std::size_t>(entry.column)];
      if (at >= 0)
        columns[static_cast<std::size_t>(at)].emplace_back(static_cast<int>(i), value);
      else
        rhs[i] += value * sign[static_cast<std::size_t>(entry.column)];
    }
  std::vector<int> start{0}, row;
  std::vector<double> values;
  for (const auto& column : columns) {
    for (const auto& [i, value] : column) {
      row.push_back(i);
      values.push_back(value);
    }
    start.push_back(static_cast<int>(row.size()));
  }
  SparseLU lu(std::move(start), std::move(row));
  if (!lu.factorize(values)) return {kInfinity, -1, -1};
  lu.solve(rhs);
  const auto worst = static_cast<std::size_t>(
      std::max_element(rhs.begin(), rhs.end(),
                       [](double a, double b) { return std::abs(a) < std::abs(b); }) -
      rhs.begin());
  std::vector<double> unit(m, 0.0);
  unit[worst] = 1;
  lu.solve_transposed(unit);
  std::vector<double> ratio(static_cast<std::size_t>(matrix.num_columns), 0.0);
  for (std::size_t i = 0; i < m; ++i)
    for (const SparseEntry& entry : matrix.rows[i])
      if (place[static_cast<std::size_t>(entry.column)] < 0)
        ratio[static_cast<std::size_t>(entry.column)] +=
            unit[i] * entry.value * weight(matrix, entry.column);
  Exchange best;
  for (std::size_t j = 0; j < ratio.size(); ++j)
    if (std::abs(ratio[j]) > best.gain)
      best = {std::abs(ratio[j]), chosen[worst], static_cast<int>(j)};
  return best;
}

Exchange best_exchange(const WideMatrix& matrix, std::span<const int> chosen) {
  if (chosen.empty()) return {};
  return matrix.num_columns <= kMostDenseColumns ? best_exchange_dense(matrix, chosen)
                                                 : best_exchange_sparse(matrix, chosen);
}

}  // namespace

std::optional<std::vector<int>> choose_columns(const WideMatrix& matrix) {
  auto chosen = Elimination(matrix).run();
  if (!chosen || matrix.num_columns > kMostDenseColumns) return chosen;
  for (int count = 0; count < kMostExchanges; ++count) {
    const Exchange exchange = best_exchange_dense(matrix, *chosen);
    if (!(exchange.gain > kGoodEnough) || exchange.in < 0) break;
    std::replace(chosen->begin(), chosen->end(), exchange.out, exchange.in);
  }
  std::sort(chosen->begin(), chosen->end());
  return chosen;
}

double exchange_gain(const WideMatrix& matrix, std::span<const int> chosen) {
  return best_exchange(matrix, chosen).gain;
}

}  // namespace hydae::linalg

#include "linalg/equilibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hydae::linalg {
namespace {

constexpr int kMostSweeps = 30;
constexpr double kSmallChange = 0.1;  // of the logarithm to base two

struct LogEntry {
  std::size_t row, column;
  double log;
};

std::vector<double> powers_of_two(const std::vector<double>& logs) {
  std::vector<double> factors;
  for (double log : logs) factors.push_back(std::exp2(std::round(log)));
  return factors;
}

// Sets each of `own` to minus the mean of log + other over its entries; the largest change.
template <class Own, class Other>
double balance(const std::vector<LogEntry>& entries, Own own_index, Other other_index,
               std::vector<double>& own, const std::vector<double>& other) {
  std::vector<double> sums(own.size(), 0.0);
  std::vector<int> counts(own.size(), 0);
  for (const LogEntry& entry : entries) {
    sums[own_index(entry)] += entry.log + other[other_index(entry)];
    ++counts[own_index(entry)];
  }
  double change = 0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (counts[k] == 0) continue;
    const double next = -sums[k] / counts[k];
    change = std::max(change, std::abs(next - own[k]));
    own[k] = next;
  }
  return change;
}

// Lowers each of `own` so that its largest entry becomes one.
template <class Own, class Other>
void limit(const std::vector<LogEntry>& entries, Own own_index, Other other_index,
           std::vector<double>& own, const std::vector<double>& other) {
  std::vector<double> largest(own.size(), -std::numeric_limits<double>::infinity());
  for (const LogEntry& entry : entries) {
    double& most = largest[own_index(entry)];
    most = std::max(most, entry.log + own[own_index(entry)] + other[other_index(entry)]);
  }
  for (std::size_t k = 0; k < own.size(); ++k)
    if (std::isfinite(largest[k])) own[k] -= largest[k];
}

}  // namespace

Equilibration equilibrate(int num_rows, int num_columns, const std::vector<MatrixEntry>& entries) {
  std::vector<LogEntry> logs;
  for (const MatrixEntry& entry : entries)
    if (entry.value != 0 && std::isfinite(entry.value))
      logs.push_back({static_cast<std::size_t>(entry.row), static_cast<std::size_t>(entry.column),
                      std::log2(std::abs(entry.value))});
  std::vector<double> rows(static_cast<std::size_t>(num_rows), 0.0);
  std::vector<double> columns(static_cast<std::size_t>(num_columns), 0.0);
  const auto row = [](const LogEntry& entry) { return entry.row; };
  const auto column = [](const LogEntry& entry) { return entry.column; };
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    const double change = std::max(balance(logs, row, column, rows, columns),
                                   balance(logs, column, row, columns, rows));
    if (change <= kSmallChange) break;
  }
  limit(logs, row, column, rows, columns);
  limit(logs, column, row, columns, rows);
  return {powers_of_two(rows), powers_of_two(columns)};
}

}  // namespace hydae::linalg

// Where one way of solving overtakes another: one factorisation and twenty solves, as in a step of
// order twenty, of random sparse matrices that cannot be split into blocks. Microseconds of
// processor time, minima over repetitions.
#include <cmath>
#include <fmt/format.h>
#include <random>
#include <vector>

#include "linalg/small_inverse.h"
#include "linalg/system_matrix.h"
#include "measure.h"

namespace {

using hydae::linalg::SystemMatrix;
using Method = SystemMatrix::Method;

// The diagonal, one cycle through all unknowns, and random positions.
std::vector<SystemMatrix::Position> random_pattern(int n, double per_row, std::mt19937& random) {
  std::uniform_int_distribution<int> any(0, n - 1);
  std::vector<SystemMatrix::Position> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i);
    entries.emplace_back(i, (i + 1) % n);
  }
  for (int k = 0; k < static_cast<int>((per_row - 2) * n); ++k)
    entries.emplace_back(any(random), any(random));
  return entries;
}

double measure(int n, const std::vector<SystemMatrix::Position>& entries, Method method) {
  SystemMatrix matrix(n, entries, method);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(-1, 1);
  for (std::size_t e = 0; e < entries.size(); ++e)
    matrix.values()[static_cast<std::size_t>(matrix.slot(static_cast<int>(e)))] =
        value(random) + (entries[e].first == entries[e].second ? 3 : 0);
  std::vector<double> b(static_cast<std::size_t>(hydae::linalg::padded(n)), 1), x(b.size());
  return hydae::bench::fastest(0.05,
                               [&] {
                                 matrix.factorize();
                                 for (int k = 0; k < 20; ++k) matrix.solve(b.data(), x.data());
                               }) *
         1e-3;
}

}  // namespace

int main() {
  std::mt19937 random(1);
  fmt::print("{:>5} {:>8} {:>12} {:>9} {:>9} {:>9}\n", "n", "per row", "factor fill", "inverse",
             "dense LU", "sparse LU");
  for (int n : {8, 16, 24, 32, 40, 48, 64, 96, 128, 192}) {
    for (double per_row : {2.5, 3.0, 4.0, 5.0, 8.0}) {
      const auto entries = random_pattern(n, per_row, random);
      const bool is_small = n <= hydae::linalg::kMaxSmall;
      fmt::print("{:5} {:8.1f} {:12.2f} {:9.2f} {:9.2f} {:9.2f}\n", n, per_row,
                 SystemMatrix(n, entries, Method::kSparse).factor_fill(),
                 is_small ? measure(n, entries, Method::kInverse) : std::nan(""),
                 measure(n, entries, Method::kDense), measure(n, entries, Method::kSparse));
    }
  }
}

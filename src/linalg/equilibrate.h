// Factors of rows and columns that bring the entries of a matrix near one, as far as factors can:
// those that make the logarithms of the entries smallest in the mean (Curtis and Reid 1972), found
// by turns. Largest entries of one per row and column are not enough: i = C v', v' = p' - n' with
// C = 1e-12 has them, and looks singular.
#pragma once

#include <utility>
#include <vector>

namespace hydae::linalg {

struct Equilibration {
  std::vector<double> rows, columns;  // powers of two
};

struct MatrixEntry {
  int row = 0, column = 0;
  double value = 0;
};

// Zeros and entries that are not finite do not count.
Equilibration equilibrate(int num_rows, int num_columns, const std::vector<MatrixEntry>& entries);

}  // namespace hydae::linalg

// Which columns of a sparse matrix with more columns than rows form a well-conditioned square
// matrix? A choice is good if no exchange of a chosen column for another one multiplies the
// determinant by much: all entries of B^-1 N are small, B the chosen columns and N the others
// (a maximal volume: Goreinov, Tyrtyshnikov & Zamarashkin 1997). Columns can be preferred: a column
// of lower rank is taken unless one of higher rank is better by far.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace hydae::linalg {

struct SparseEntry {
  int column = 0;
  double value = 0;
};

struct WideMatrix {
  int num_columns = 0;
  std::vector<std::vector<SparseEntry>> rows;  // each column at most once in a row
  std::vector<int> rank;                       // per column; empty: all equal
};

// As many columns as rows, ascending; none if the rows are dependent to working precision.
std::optional<std::vector<int>> choose_columns(const WideMatrix& matrix);

// The largest factor by which an exchange of one chosen column would multiply the determinant,
// less what ranks ask for; infinite if the chosen columns are dependent. For large matrices it is
// estimated from below.
double exchange_gain(const WideMatrix& matrix, std::span<const int> chosen);

}  // namespace hydae::linalg

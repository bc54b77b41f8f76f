// Rows and columns of a matrix A chosen pair by pair so that the chosen square submatrix stays
// invertible: Lemma 2 (index 1, A = the constraints' coefficients of algebraic variables) and Lemma
// 4 (index 2, A = C2 T) of Raha & Petzold 2000 are this one test,
//
//     | A(i,j) - A(i,V) A(E,V)^-1 A(E,j) | > 0        E, V: rows and columns chosen so far.
//
// Zero is decided relative to the size of the terms of that difference, which no scaling of rows or
// columns changes.
#pragma once

#include <vector>

#include "partition/bordered_inverse.h"
#include "partition/matrices.h"

namespace hydae::partition {

class PivotSet {
 public:
  using Entries = BorderedInverse::Entries;

  explicit PivotSet(RowMatrix matrix);

  struct ReducedRow {
    Vector values;        // A(i,j) - A(i,V) A(E,V)^-1 A(E,j), by column; 0 in chosen columns
    Vector scale;         // the same sum with absolute values
    Entries multipliers;  // A(i,V) A(E,V)^-1, by position in E
    // |values[j]| / scale[j], between 0 and 1; 0 where both vanish.
    double relative(int j) const;
  };
  ReducedRow reduce_row(int row) const;
  // A(E,V)^-1 A(E,j), by position in V.
  Entries column_multipliers(int column) const;

  void choose(int row, int column);
  // Takes one pair out. A later pair that has no pivot left without it goes too: its row is
  // returned.
  std::vector<int> unchoose(int position, double tolerance);

  int size() const { return static_cast<int>(rows_.size()); }
  const RowMatrix& matrix() const { return by_rows_; }
  const std::vector<int>& rows() const { return rows_; }        // by position
  const std::vector<int>& columns() const { return columns_; }  // by position
  bool has_row(int row) const { return row_to_position_[row] >= 0; }
  bool has_column(int column) const { return column_to_position_[column] >= 0; }
  int position_of_column(int column) const { return column_to_position_[column]; }
  const BorderedInverse& inverse() const { return inverse_; }

 private:
  Entries chosen_entries_of_row(int row) const;
  Entries chosen_entries_of_column(int column) const;

  RowMatrix by_rows_;
  SparseMatrix by_columns_;
  BorderedInverse inverse_;
  std::vector<int> rows_, columns_;
  std::vector<int> row_to_position_, column_to_position_;  // -1: not chosen
};

}  // namespace hydae::partition

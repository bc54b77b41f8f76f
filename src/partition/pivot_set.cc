#include "partition/pivot_set.h"

#include <cmath>
#include <utility>

namespace hydae::partition {

PivotSet::PivotSet(RowMatrix matrix)
    : by_rows_(std::move(matrix)),
      by_columns_(by_rows_),
      row_to_position_(by_rows_.rows(), -1),
      column_to_position_(by_rows_.cols(), -1) {}

double PivotSet::ReducedRow::relative(int j) const {
  return scale[j] > 0 ? std::abs(values[j]) / scale[j] : 0.0;
}

PivotSet::ReducedRow PivotSet::reduce_row(int row) const {
  ReducedRow reduced{Vector::Zero(by_rows_.cols()), Vector::Zero(by_rows_.cols()),
                     inverse_.times_inverse(chosen_entries_of_row(row))};
  const auto subtract = [&](int other, double factor) {
    for (RowMatrix::InnerIterator entry(by_rows_, other); entry; ++entry) {
      reduced.values[entry.col()] -= factor * entry.value();
      reduced.scale[entry.col()] += std::abs(factor * entry.value());
    }
  };
  subtract(row, -1.0);
  for (const auto& [position, factor] : reduced.multipliers) subtract(rows_[position], factor);
  for (int column : columns_) reduced.values[column] = reduced.scale[column] = 0;
  return reduced;
}

PivotSet::Entries PivotSet::column_multipliers(int column) const {
  return inverse_.inverse_times(chosen_entries_of_column(column));
}

void PivotSet::choose(int row, int column) {
  inverse_.append(chosen_entries_of_row(row), chosen_entries_of_column(column),
                  by_columns_.coeff(row, column));
  row_to_position_[row] = column_to_position_[column] = size();
  rows_.push_back(row);
  columns_.push_back(column);
}

std::vector<int> PivotSet::unchoose(int position, double tolerance) {
  std::vector<int> rows, columns, dropped;
  rows.swap(rows_);
  columns.swap(columns_);
  for (int row : rows) row_to_position_[row] = -1;
  for (int column : columns) column_to_position_[column] = -1;
  inverse_ = {};
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    if (k == position) continue;
    if (reduce_row(rows[k]).relative(columns[k]) > tolerance)
      choose(rows[k], columns[k]);
    else
      dropped.push_back(rows[k]);
  }
  return dropped;
}

PivotSet::Entries PivotSet::chosen_entries_of_row(int row) const {
  Entries entries;
  for (RowMatrix::InnerIterator entry(by_rows_, row); entry; ++entry) {
    const int position = column_to_position_[entry.col()];
    if (position >= 0) entries.push_back({position, entry.value()});
  }
  return entries;
}

PivotSet::Entries PivotSet::chosen_entries_of_column(int column) const {
  Entries entries;
  for (SparseMatrix::InnerIterator entry(by_columns_, column); entry; ++entry) {
    const int position = row_to_position_[entry.row()];
    if (position >= 0) entries.push_back({position, entry.value()});
  }
  return entries;
}

}  // namespace hydae::partition

// The inverse of a matrix that grows by one row and one column at a time, updated with the formula
// for the inverse of a partitioned matrix (Raha & Petzold 2000, section 4.1.6).
//
// Rows and columns are numbered by the order in which they were appended ("positions"). Rows and
// columns that do not touch each other stay in separate diagonal blocks, so a large sparse matrix
// costs what its coupled parts cost.
#pragma once

#include <span>
#include <vector>

#include "partition/matrices.h"

namespace hydae::partition {

class BorderedInverse {
 public:
  struct Entry {
    int position;
    double value;
  };
  using Entries = std::vector<Entry>;

  int size() const { return static_cast<int>(places_.size()); }

  // A becomes [A column; row corner]. Requires corner - row A^-1 column != 0.
  void append(std::span<const Entry> row, std::span<const Entry> column, double corner);

  Entries times_inverse(std::span<const Entry> row) const;     // row A^-1
  Entries inverse_times(std::span<const Entry> column) const;  // A^-1 column
  Vector inverse_times(const Vector& x) const;                 // A^-1 x
  Vector inverse_transpose_times(const Vector& x) const;       // A^-T x

  // The diagonal blocks of A.
  int num_blocks() const { return static_cast<int>(blocks_.size()); }
  const Matrix& block(int block) const { return blocks_[block].matrix; }

 private:
  struct Block {
    std::vector<int> positions;
    Matrix matrix;
    Matrix inverse;
  };
  struct Place {
    int block;
    int local;
  };

  template <class Slice>
  Entries accumulate(std::span<const Entry> entries, Slice slice) const;
  int merge_touched(std::span<const Entry> row, std::span<const Entry> column);
  void absorb(Block& into, Block& from);
  void drop_empty_blocks();
  static void refine(Block& block);

  std::vector<Block> blocks_;
  std::vector<Place> places_;  // by position
};

}  // namespace hydae::partition

// Where the coefficients of each series are in memory: forwards, and backwards too where a kernel
// reads them against those of another series.
#pragma once

#include <algorithm>
#include <vector>

#include "codegen/linked_tape.h"

namespace hydae::codegen {

// Leading terms count in the stages of the projection where their order is not negative, and in
// Newton's method.
bool needs_leading(const BlockPlan& plan, const Row& row, RowTerms terms);

class TapeLayout {
 public:
  // Both must outlive the layout.
  TapeLayout(const Program& program, int max_order, RowTerms terms);

  int size() const { return size_; }
  const Place& place(SeriesId v) const { return place_[v]; }
  const std::vector<Place>& base() const { return base_; }  // by variable
  Range leaves() const { return leaves_; }
  const Place& time() const { return time_; }
  bool is_read_leaf(SeriesId v) const { return is_read_leaf_[v]; }
  int capacity(SeriesId v) const { return std::max(1, order_ + stages_.offset[v]); }

  // Further numbers; where they begin.
  int allocate(int count);
  Place place_record(int capacity, bool is_reversed);

 private:
  void find_reversed();
  void find_read_leaves();
  void place_leaves();
  void place_series();
  bool is_derivative_leaf(SeriesId v) const { return is_read_leaf_[v] && series(v).order > 0; }
  const Series& series(SeriesId v) const { return stages_.fused.series[v]; }

  const Program& program_;
  const StageTape& stages_;
  int order_;
  RowTerms terms_;
  int size_ = 0;
  std::vector<char> is_reversed_, is_read_leaf_;
  std::vector<Place> place_;  // by series
  std::vector<Place> base_;
  Place unread_;  // where the backward copies go that nobody reads
  Range leaves_;
  Place time_;
};

}  // namespace hydae::codegen

// Steps three and four: one constraint at a time is tried with the variables that make it index 1
// (or index 2), in the order of the policy, and judged for stability; every few constraints the
// whole is checked back and what spoils it is taken out again. Both steps are this one search: they
// differ in the matrix of the PivotSet and in the Judge.
#pragma once

#include <vector>

#include "partition/constraint_judge.h"
#include "partition/partition_system.h"
#include "partition/pivot_set.h"

namespace hydae::partition {

enum class RowState { kOpen, kTaken, kUnstable, kExcluded };

struct SearchRow {
  RowState state = RowState::kOpen;
  bool must_include = false;
  bool removed_at_check_back = false;
  int preferred = -1;  // column tried first; none: -1
  double largest_refused_pivot = 0;
  std::vector<Attempt> attempts;  // variable ids: column numbers of the PivotSet
};

class ConstraintSearch {
 public:
  struct Setup {
    PivotSet& set;
    Judge& judge;
    const SystemOptions& options;
    int index = 1;  // for the attempts
    int check_block = 8;
    std::vector<bool> is_column_allowed;  // by column of the set
    std::vector<bool> must_determine;     // the same
  };
  ConstraintSearch(Setup setup, std::vector<SearchRow> rows, LogNorms& norms);

  // Takes a pair that is judged at the next check back only. False if its pivot is zero.
  bool take_unjudged(int row, int column);
  void run();
  const std::vector<SearchRow>& rows() const { return rows_; }

 private:
  void include_variables();
  int find_row_for(int column) const;
  void examine_all(bool must_include);
  void examine(int row);
  void examine_by_pivots(bool must_include);
  std::vector<int> find_columns(int row, const PivotSet::ReducedRow& reduced);
  void order_columns(const PivotSet::ReducedRow& reduced, std::vector<int>& columns) const;
  Attempt attempt(int row, int column, const PivotSet::ReducedRow& reduced);
  bool try_pair(int row, int column, const PivotSet::ReducedRow& reduced);
  void try_all_and_take_best(int row, const std::vector<int>& columns,
                             const PivotSet::ReducedRow& reduced);
  void take(int row, int column, const Attempt& attempt);
  void check_back();
  int find_worst_in_block() const;
  void remove(int position);

  Setup setup_;
  std::vector<SearchRow> rows_;
  LogNorms& norms_;
  int block_start_ = 0;  // positions from here on belong to the block not yet checked
  double norm_at_block_start_;
  bool is_changed_ = false;  // something was taken out since the last pass
};

}  // namespace hydae::partition

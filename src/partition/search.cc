#include "partition/search.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace hydae::partition {

ConstraintSearch::ConstraintSearch(Setup setup, std::vector<SearchRow> rows, LogNorms& norms)
    : setup_(std::move(setup)),
      rows_(std::move(rows)),
      norms_(norms),
      norm_at_block_start_(setup_.judge.bound()) {}

bool ConstraintSearch::take_unjudged(int row, int column) {
  const PivotSet::ReducedRow reduced = setup_.set.reduce_row(row);
  if (reduced.relative(column) <= setup_.options.rank_tolerance) return false;
  Attempt taken = attempt(row, column, reduced);
  taken.stability.rule = StabilityRule::kNotChecked;
  taken.stability.accepted = true;
  take(row, column, taken);
  return true;
}

void ConstraintSearch::run() {
  check_back();
  do {
    is_changed_ = false;
    include_variables();
    examine_all(true);
    check_back();
    examine_all(false);
    check_back();
  } while (is_changed_);
}

// Column by column, so that no choice is in the way of a later one: a column that is independent of
// those taken has a pivot in some row.
void ConstraintSearch::include_variables() {
  for (int column = 0; column < static_cast<int>(setup_.must_determine.size()); ++column) {
    if (!setup_.must_determine[column] || setup_.set.has_column(column)) continue;
    const int row = find_row_for(column);
    if (row < 0) continue;
    rows_[row].must_include = true;
    rows_[row].attempts.clear();
    try_pair(row, column, setup_.set.reduce_row(row));
  }
}

// The open row with the largest relative pivot: of those that are meant for the column, of those
// that must be included, or of all; -1 if there is none.
int ConstraintSearch::find_row_for(int column) const {
  int best = -1;
  std::tuple<bool, bool, double> highest{false, false, setup_.options.rank_tolerance};
  if (!setup_.is_column_allowed[column]) return best;
  for (int row = 0; row < static_cast<int>(rows_.size()); ++row) {
    const SearchRow& r = rows_[row];
    const bool is_meant = r.preferred == column;
    if (r.state != RowState::kOpen || (r.preferred >= 0 && !is_meant)) continue;
    const double relative = setup_.set.reduce_row(row).relative(column);
    if (relative <= setup_.options.rank_tolerance) continue;
    const std::tuple key{is_meant, r.must_include, relative};
    if (best >= 0 && key <= highest) continue;
    best = row;
    highest = key;
  }
  return best;
}

void ConstraintSearch::examine_all(bool must_include) {
  const auto examine_open = [&](bool with_preference) {
    for (int row = 0; row < static_cast<int>(rows_.size()); ++row) {
      const SearchRow& r = rows_[row];
      const bool is_meant = r.must_include == must_include && (r.preferred >= 0) == with_preference;
      if (r.state == RowState::kOpen && is_meant) examine(row);
    }
  };
  examine_open(true);
  if (setup_.options.policy == Policy::kPivoting) examine_by_pivots(must_include);
  examine_open(false);
}

// One constraint: Lemma 2 or 4 for all free variables, then stability in the order of the policy.
void ConstraintSearch::examine(int row) {
  const PivotSet::ReducedRow reduced = setup_.set.reduce_row(row);
  std::vector<int> columns = find_columns(row, reduced);
  if (columns.empty()) return;
  order_columns(reduced, columns);
  const auto preferred = std::find(columns.begin(), columns.end(), rows_[row].preferred);
  if (preferred != columns.end()) std::rotate(columns.begin(), preferred, preferred + 1);
  rows_[row].attempts.clear();
  if (setup_.options.policy == Policy::kExhaustive && preferred == columns.end()) {
    try_all_and_take_best(row, columns, reduced);
  } else {
    const auto fits = [&](int column) { return try_pair(row, column, reduced); };
    if (std::none_of(columns.begin(), columns.end(), fits)) rows_[row].state = RowState::kUnstable;
  }
}

// Policy 3: entries of the matrix from the largest down. A row whose entries all failed is examined
// again afterwards, because taking other rows may have filled it.
void ConstraintSearch::examine_by_pivots(bool must_include) {
  const RowMatrix& matrix = setup_.set.matrix();
  std::vector<std::tuple<double, int, int>> entries;
  for (int row = 0; row < matrix.rows(); ++row) {
    if (rows_[row].state != RowState::kOpen || rows_[row].must_include != must_include) continue;
    rows_[row].attempts.clear();
    for (RowMatrix::InnerIterator e(matrix, row); e; ++e) {
      const int column = static_cast<int>(e.col());
      if (setup_.is_column_allowed[column]) entries.emplace_back(-std::abs(e.value()), row, column);
    }
  }
  std::sort(entries.begin(), entries.end());
  for (const auto& [size, row, column] : entries) {
    if (rows_[row].state != RowState::kOpen || setup_.set.has_column(column)) continue;
    const PivotSet::ReducedRow reduced = setup_.set.reduce_row(row);
    if (reduced.relative(column) > setup_.options.rank_tolerance) try_pair(row, column, reduced);
  }
}

std::vector<int> ConstraintSearch::find_columns(int row, const PivotSet::ReducedRow& reduced) {
  std::vector<int> columns;
  double largest_refused = 0;
  for (int column = 0; column < reduced.values.size(); ++column) {
    if (!setup_.is_column_allowed[column] || setup_.set.has_column(column)) continue;
    const double relative = reduced.relative(column);
    if (relative > setup_.options.rank_tolerance)
      columns.push_back(column);
    else
      largest_refused = std::max(largest_refused, relative);
  }
  rows_[row].largest_refused_pivot = largest_refused;
  return columns;
}

// Policy 2 starts with the connection |C|/|pivot| next below the middle of its range and goes on to
// larger pivots; the more strongly connected variables come last. Others: the largest pivots first.
void ConstraintSearch::order_columns(const PivotSet::ReducedRow& reduced,
                                     std::vector<int>& columns) const {
  const auto connection = [&](int j) { return 1 / std::abs(reduced.values[j]); };
  double middle = 0;  // below all: then the order is by falling pivots
  if (setup_.options.policy == Policy::kModerate) {
    const auto [least, most] =
        std::minmax_element(columns.begin(), columns.end(),
                            [&](int a, int b) { return connection(a) < connection(b); });
    middle = (connection(*least) + connection(*most)) / 2;
  }
  const auto key = [&](int j) {
    const double c = connection(j);
    return c <= middle ? std::pair(0, -c) : std::pair(1, c);
  };
  std::stable_sort(columns.begin(), columns.end(), [&](int a, int b) { return key(a) < key(b); });
}

Attempt ConstraintSearch::attempt(int row, int column, const PivotSet::ReducedRow& reduced) {
  return {VarId(column), setup_.index, reduced.values[column], reduced.relative(column),
          setup_.judge.judge(row, column, reduced.values[column], rows_[row].must_include)};
}

bool ConstraintSearch::try_pair(int row, int column, const PivotSet::ReducedRow& reduced) {
  const Attempt tried = attempt(row, column, reduced);
  if (tried.stability.accepted) {
    take(row, column, tried);
    if (setup_.set.size() - block_start_ >= setup_.check_block) check_back();
    return true;
  }
  rows_[row].attempts.push_back(tried);
  return false;
}

// Policy 1, one constraint at a time: the variable with the lowest exact log norm.
void ConstraintSearch::try_all_and_take_best(int row, const std::vector<int>& columns,
                                             const PivotSet::ReducedRow& reduced) {
  int best = -1;
  double lowest = 0;
  Attempt best_attempt;
  for (int column : columns) {
    Attempt tried = attempt(row, column, reduced);
    if (!tried.stability.exact) {
      PivotSet saved = setup_.set;
      setup_.set.choose(row, column);
      tried.stability.exact = setup_.judge.compute_exact();
      setup_.set = std::move(saved);
    }
    rows_[row].attempts.push_back(tried);
    if (!tried.stability.accepted || (best >= 0 && *tried.stability.exact >= lowest)) continue;
    best = column;
    lowest = *tried.stability.exact;
    best_attempt = tried;
  }
  if (best < 0) {
    rows_[row].state = RowState::kUnstable;
    return;
  }
  std::erase_if(rows_[row].attempts, [&](const Attempt& a) { return a.variable == VarId(best); });
  take(row, best, best_attempt);
}

void ConstraintSearch::take(int row, int column, const Attempt& taken) {
  setup_.set.choose(row, column);
  setup_.judge.take(taken.stability);
  norms_.steps.push_back(taken.stability.exact.value_or(taken.stability.estimate));
  rows_[row].state = RowState::kTaken;
  rows_[row].attempts.push_back(taken);
}

// The log norm of everything chosen must not exceed the limit, or what it was before the block; if
// it does, the states that act on others decide.
void ConstraintSearch::check_back() {
  if (setup_.set.size() == block_start_) return;
  double norm = setup_.judge.check_back();
  norms_.checks.push_back(norm);
  const double allowed = std::max(setup_.judge.limit(), norm_at_block_start_);
  const auto is_unstable = [&] {
    return norm > allowed && setup_.judge.compute_exact(States::kActing) > setup_.judge.limit();
  };
  while (setup_.options.check_stability && is_unstable()) {
    const int worst = find_worst_in_block();
    if (worst < 0) break;  // the constraints that must be included make it so
    remove(worst);
    norm = setup_.judge.check_back();
    norms_.checks.push_back(norm);
  }
  block_start_ = setup_.set.size();
  norm_at_block_start_ = norm;
}

// The constraint of the block with the strongest connection |C| / |pivot|, the last of equals.
int ConstraintSearch::find_worst_in_block() const {
  int worst = -1;
  double strongest = 0;
  for (int position = block_start_; position < setup_.set.size(); ++position) {
    const SearchRow& row = rows_[setup_.set.rows()[position]];
    if (row.must_include) continue;
    const double connection =
        setup_.judge.row_size(setup_.set.rows()[position]) / std::abs(row.attempts.back().pivot);
    if (connection < strongest) continue;
    worst = position;
    strongest = connection;
  }
  return worst;
}

void ConstraintSearch::remove(int position) {
  SearchRow& removed = rows_[setup_.set.rows()[position]];
  removed.state = RowState::kUnstable;
  removed.removed_at_check_back = true;
  for (int row : setup_.set.unchoose(position, setup_.options.rank_tolerance)) {
    rows_[row].state = RowState::kOpen;
  }
  is_changed_ = true;
}

}  // namespace hydae::partition

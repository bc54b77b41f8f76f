#include "partition/exhaustive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "partition/eliminated.h"
#include "partition/pivot_set.h"
#include "partition/underlying_ode.h"

namespace hydae::partition {

namespace {

constexpr double kMostCombinations = 20000;

double binomial(int n, int k) {
  double result = 1;
  for (int i = 1; i <= k; ++i) result *= static_cast<double>(n - k + i) / i;
  return result;
}

// Calls visit with every subset of `count` elements of `items`, in lexicographic order.
template <class Visit>
void for_each_subset(const std::vector<int>& items, int count, Visit visit) {
  std::vector<bool> mask(items.size(), false);
  std::fill(mask.begin(), mask.begin() + count, true);
  do {
    std::vector<int> subset;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (mask[i]) subset.push_back(items[i]);
    }
    visit(subset);
  } while (std::prev_permutation(mask.begin(), mask.end()));
}

std::vector<int> without(const std::vector<int>& items, const std::vector<int>& taken) {
  std::vector<int> rest;
  std::copy_if(items.begin(), items.end(), std::back_inserter(rest),
               [&](int i) { return std::find(taken.begin(), taken.end(), i) == taken.end(); });
  return rest;
}

// Takes rows and columns into `set` in an order in which every pivot is nonzero; false if the
// square submatrix is singular.
bool choose_square(PivotSet& set, const std::vector<int>& rows, const std::vector<int>& columns,
                   double tolerance) {
  for (int row : rows) {
    const PivotSet::ReducedRow reduced = set.reduce_row(row);
    int best = -1;
    for (int j : columns) {
      if (set.has_column(j) || reduced.relative(j) <= tolerance) continue;
      if (best < 0 || std::abs(reduced.values[j]) > std::abs(reduced.values[best])) best = j;
    }
    if (best < 0) return false;
    set.choose(row, best);
  }
  return true;
}

class Exhaustive {
 public:
  explicit Exhaustive(const ExhaustiveInput& input) : in_(input) {
    for (int i = 0; i < in_.s.num_constraints(); ++i) {
      if (in_.is_row_allowed[i]) rows_.push_back(i);
    }
    for (int j = 0; j < in_.s.num_algebraic(); ++j) {
      if (in_.is_column_allowed[j]) columns_.push_back(j);
    }
  }

  bool is_feasible() const {
    const int rows = static_cast<int>(rows_.size()), columns = static_cast<int>(columns_.size());
    return rows <= in_.options.exhaustive_limit &&
           binomial(rows + columns, rows) <= kMostCombinations;
  }

  ExhaustiveChoice run() {
    const PivotSet nothing(in_.s.E);
    allowed_norm_ = std::max(in_.limit, UnderlyingOde(in_.s, nothing).compute_log_norm());
    const int most = static_cast<int>(std::min(rows_.size(), columns_.size()));
    for (int count = most; count >= 0; --count) {
      for_each_subset(rows_, count, [&](const std::vector<int>& rows) {
        for_each_subset(columns_, count,
                        [&](const std::vector<int>& columns) { visit_index1(rows, columns); });
      });
    }
    return std::move(best_);
  }

 private:
  void visit_index1(const std::vector<int>& rows, const std::vector<int>& columns) {
    PivotSet index1(in_.s.E);
    if (!choose_square(index1, rows, columns, in_.options.rank_tolerance)) return;
    std::vector<int> open_rows, open_columns = without(columns_, columns);
    for (int i : without(rows_, rows)) {
      const PivotSet::ReducedRow reduced = index1.reduce_row(i);
      const bool has_pivot = std::any_of(open_columns.begin(), open_columns.end(), [&](int j) {
        return reduced.relative(j) > in_.options.rank_tolerance;
      });
      if (!has_pivot) open_rows.push_back(i);
    }
    const Eliminated eliminated = eliminate_index1(in_.s, index1, open_rows, open_columns);
    const int most = static_cast<int>(std::min(open_rows.size(), open_columns.size()));
    for (int count = most; count >= 0; --count) {
      for_each_subset(iota(open_rows.size()), count, [&](const std::vector<int>& rows2) {
        for_each_subset(iota(open_columns.size()), count, [&](const std::vector<int>& columns2) {
          visit_index2(index1, eliminated, rows2, columns2);
        });
      });
    }
  }

  void visit_index2(const PivotSet& index1, const Eliminated& eliminated,
                    const std::vector<int>& rows, const std::vector<int>& columns) {
    PivotSet index2(eliminated.CT);
    if (!choose_square(index2, rows, columns, in_.options.rank_tolerance)) return;
    const UnderlyingOde ode(in_.s, index1, &eliminated, &index2);
    const double norm = ode.compute_log_norm();
    int num_must = 0, num_exempt = 0;  // equations and variables; pairs with one of them
    const auto count = [&](int row, int column) {
      num_must += in_.must_include[row] + in_.must_determine[column];
      num_exempt += in_.must_include[row] || in_.must_determine[column];
    };
    for (int k = 0; k < index1.size(); ++k) count(index1.rows()[k], index1.columns()[k]);
    for (int k = 0; k < index2.size(); ++k)
      count(eliminated.constraints[index2.rows()[k]], eliminated.variables[index2.columns()[k]]);
    const int size = index1.size() + index2.size();
    const bool is_stable = norm <= allowed_norm_ || !in_.options.check_stability ||
                           ode.compute_log_norm(States::kActing) <= in_.limit;
    if (!is_stable && num_exempt < size) return;
    const auto key = std::tuple(-num_must, -size, norm);
    if (!(key < best_key_)) return;
    best_key_ = key;
    best_ = {index1.rows(), index1.columns(), {}, {}};
    for (int i : index2.rows()) best_.rows2.push_back(eliminated.constraints[i]);
    for (int j : index2.columns()) best_.columns2.push_back(eliminated.variables[j]);
  }

  static std::vector<int> iota(std::size_t size) {
    std::vector<int> result(size);
    for (std::size_t i = 0; i < size; ++i) result[i] = static_cast<int>(i);
    return result;
  }

  const ExhaustiveInput& in_;
  std::vector<int> rows_, columns_;
  double allowed_norm_ = 0;
  ExhaustiveChoice best_;
  std::tuple<int, int, double> best_key_{1, 0, std::numeric_limits<double>::infinity()};
};

}  // namespace

std::optional<ExhaustiveChoice> search_all_combinations(const ExhaustiveInput& input) {
  Exhaustive search(input);
  if (!search.is_feasible()) return std::nullopt;
  return search.run();
}

}  // namespace hydae::partition

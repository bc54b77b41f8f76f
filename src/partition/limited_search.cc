#include "partition/limited_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "linalg/dense_factors.h"
#include "linalg/sparse_factors.h"
#include "partition/pivot_set.h"
#include "partition/rank.h"
#include "partition/sparse_algebra.h"

namespace hydae::partition {

namespace {

// A variable whose coefficient is this much smaller than the largest of its row is a bad name for
// what the constraint determines, as long as there is another.
constexpr double kUsablePivot = 1e-3;
constexpr double kUninvolved = 1e-15;

// Columns of all wide blocks, and the rows of N for them.
struct OpenDirections {
  std::vector<VarId> variables;
  RowMatrix null_space;  // by place in `variables`
};

// A set of columns whose square submatrix is invertible, in the order of a rank-revealing QR.
std::vector<int> choose_basis(const RowMatrix& matrix) {
  const RowMatrix scaled = apply(compute_scaling(matrix), matrix);
  std::vector<int> basis = matrix.cols() <= kDenseLimit
                               ? linalg::OrthogonalFactors(Matrix(scaled)).column_order()
                               : linalg::SparseQrFactors(scaled).column_order();
  basis.resize(static_cast<std::size_t>(matrix.rows()));
  return basis;
}

SparseMatrix columns_of(const RowMatrix& matrix, const std::vector<int>& columns) {
  const SparseMatrix by_columns(matrix);
  SparseMatrix result(matrix.rows(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) result.col(j) = by_columns.col(columns[j]);
  result.makeCompressed();
  return result;
}

// Appends the null space of one block, [-M_basis^-1 M_rest; I], to `entries`.
void append_null_space(const RowMatrix& mass, int first_row, int first_column,
                       std::vector<Eigen::Triplet<double>>& entries) {
  const std::vector<int> basis = choose_basis(mass);
  std::vector<bool> is_basic(mass.cols(), false);
  for (int j : basis) is_basic[j] = true;
  std::vector<int> rest;
  for (int j = 0; j < mass.cols(); ++j) {
    if (!is_basic[j]) rest.push_back(j);
  }
  const linalg::SparseLuFactors lu(columns_of(mass, basis));
  const SparseMatrix right_hand_sides = columns_of(mass, rest);
  for (std::size_t k = 0; k < rest.size(); ++k) {
    const int column = first_column + static_cast<int>(k);
    const Vector x = lu.solve(Vector(right_hand_sides.col(k)));
    for (int i = 0; i < x.size(); ++i) {
      if (std::abs(x[i]) > kUninvolved * x.cwiseAbs().maxCoeff()) {
        entries.emplace_back(first_row + basis[i], column, -x[i]);
      }
    }
    entries.emplace_back(first_row + rest[k], column, 1.0);
  }
}

OpenDirections find_open_directions(const LimitedSearchInput& input) {
  OpenDirections open;
  std::vector<Eigen::Triplet<double>> entries;
  int num_directions = 0;
  for (const MassBlock& block : input.blocks) {
    if (block.kind != MassKind::kWide) continue;
    append_null_space(select(input.system.mass, block.equations, block.variables),
                      static_cast<int>(open.variables.size()), num_directions, entries);
    open.variables.insert(open.variables.end(), block.variables.begin(), block.variables.end());
    num_directions += static_cast<int>(block.variables.size() - block.equations.size());
  }
  open.null_space.resize(open.variables.size(), num_directions);
  open.null_space.setFromTriplets(entries.begin(), entries.end());
  return open;
}

// Constraints in the order they are tried: first those on derivative variables alone, among them
// those that leave out variables whose derivative is settled (zero rows of N).
std::vector<EqId> order_constraints(const LimitedSearchInput& input, const OpenDirections& open) {
  const LinearSystem& system = input.system;
  std::vector<bool> has_derivative(system.num_variables(), false), is_open(has_derivative);
  for (const MassBlock& block : input.blocks) {
    for (VarId j : block.variables) has_derivative[j.index()] = true;
  }
  for (std::size_t j = 0; j < open.variables.size(); ++j) {
    is_open[open.variables[j].index()] = !is_zero_row(open.null_space, static_cast<int>(j));
  }
  std::vector<std::tuple<bool, bool, int>> keys;
  for (int i = 0; i < system.num_equations(); ++i) {
    if (!input.is_constraint[i]) continue;
    bool has_algebraic = false, has_settled = false;
    for (RowMatrix::InnerIterator e(system.jacobian, i); e; ++e) {
      if (!has_derivative[e.col()])
        has_algebraic = true;
      else if (!is_open[e.col()])
        has_settled = true;
    }
    if (has_algebraic && !input.is_regular) continue;
    keys.emplace_back(has_algebraic, has_settled, i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<EqId> order;
  for (const auto& key : keys) order.emplace_back(std::get<2>(key));
  return order;
}

// The largest significant entry of a reduced row, or -1.
int find_pivot(const PivotSet::ReducedRow& row, double tolerance) {
  int best = -1;
  for (int j = 0; j < row.values.size(); ++j) {
    if (row.relative(j) <= tolerance) continue;
    if (best < 0 || std::abs(row.values[j]) > std::abs(row.values[best])) best = j;
  }
  return best;
}

class Search {
 public:
  Search(const LimitedSearchInput& input, const OpenDirections& open)
      : input_(input),
        open_(open),
        order_(order_constraints(input, open)),
        coefficients_(select(input.system.jacobian, order_, open.variables)),
        directions_(product(coefficients_.matrix(), open.null_space)),
        surplus_(open.null_space) {}

  LimitedSearch run() {
    for (int i = 0; i < static_cast<int>(order_.size()); ++i) {
      if (directions_.size() == open_.null_space.cols()) break;
      examine(i);
    }
    complete_surplus();
    return std::move(result_);
  }

 private:
  void examine(int i) {
    const int direction = find_pivot(directions_.reduce_row(i), input_.rank_tolerance);
    if (direction < 0) return;  // follows from the mass matrix and the constraints before
    const PivotSet::ReducedRow row = coefficients_.reduce_row(i);
    const int j = choose_variable(row);
    if (j < 0) return;
    directions_.choose(i, direction);
    if (row.relative(j) > input_.rank_tolerance) coefficients_.choose(i, j);
    take_as_surplus(j);
    result_.pairs.push_back({order_[i], open_.variables[j]});
  }

  bool may_be_surplus(int j) const {
    if (surplus_.has_row(j)) return false;
    return find_pivot(surplus_.reduce_row(j), input_.rank_tolerance) >= 0;
  }

  // The first variable of the constraint that will do; under kPivoting the largest. If the
  // constraint names none of the variables that may be surplus, any of these.
  int choose_variable(const PivotSet::ReducedRow& row) const {
    std::vector<int> named;
    for (int j = 0; j < row.values.size(); ++j) {
      if (row.relative(j) > input_.rank_tolerance && may_be_surplus(j)) named.push_back(j);
    }
    if (named.empty()) return find_any_surplus();
    const auto smaller = [&](int a, int b) {
      return std::abs(row.values[a]) < std::abs(row.values[b]);
    };
    const int largest = *std::max_element(named.begin(), named.end(), smaller);
    if (input_.policy == Policy::kPivoting) return largest;
    const double least = kUsablePivot * std::abs(row.values[largest]);
    return *std::find_if(named.begin(), named.end(),
                         [&](int j) { return std::abs(row.values[j]) >= least; });
  }

  int find_any_surplus() const {
    for (int j = 0; j < static_cast<int>(open_.variables.size()); ++j) {
      if (may_be_surplus(j)) return j;
    }
    return -1;
  }

  void take_as_surplus(int j) {
    surplus_.choose(j, find_pivot(surplus_.reduce_row(j), input_.rank_tolerance));
    result_.surplus.push_back(open_.variables[j]);
  }

  // No constraint decides the rest: the variables with the largest entries of N, because then the
  // mass matrix of the others is best conditioned.
  void complete_surplus() {
    std::vector<int> rest(open_.variables.size());
    std::iota(rest.begin(), rest.end(), 0);
    const auto size = [&](int j) {
      double largest = 0;
      for (RowMatrix::InnerIterator e(open_.null_space, j); e; ++e) {
        largest = std::max(largest, std::abs(e.value()));
      }
      return largest;
    };
    std::stable_sort(rest.begin(), rest.end(), [&](int a, int b) { return size(a) > size(b); });
    for (int j : rest) {
      if (surplus_.size() == open_.null_space.cols()) return;
      if (may_be_surplus(j)) take_as_surplus(j);
    }
  }

  const LimitedSearchInput& input_;
  const OpenDirections& open_;
  std::vector<EqId> order_;
  PivotSet coefficients_;  // of the constraints in the variables: names the surplus variable
  PivotSet directions_;    // C N: decides whether the constraint is index 1
  PivotSet surplus_;       // N: decides whether the variable may be surplus
  LimitedSearch result_;
};

}  // namespace

LimitedSearch search_wide_blocks(const LimitedSearchInput& input) {
  const OpenDirections open = find_open_directions(input);
  if (open.null_space.cols() == 0) return {};
  return Search(input, open).run();
}

}  // namespace hydae::partition

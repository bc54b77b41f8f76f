#include "compile/kept_guesses.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "structure/ordered_matching.h"

namespace hydae {
namespace {

// Between equals the equation moves the guess that it depends on most; within this factor, the one
// that is declared last. A state is held before an algebraic variable whatever the equation is like
// at the guesses: the level of a tank does not follow from a flow that was guessed to be zero.
constexpr double kEqualShare = 0.1;
// Of unknowns that nobody gave: what an equation depends on less than this, compared with the
// others, cannot follow from it.
constexpr double kLeastShare = 1e-6;

class GuessChoice {
 public:
  GuessChoice(const InitialSystem& system, const PointSettings& settings)
      : system_(system), settings_(settings) {
    for (std::size_t k = 0; k < system.rows.size(); ++k) rows_.push_back(static_cast<int>(k));
    for (std::size_t k = 0; k < system.columns.size(); ++k)
      if (!system.columns[k].is_fixed) columns_.push_back(static_cast<int>(k));
    sort_columns();
  }

  KeptGuesses run() {
    const structure::SignatureMatrix pattern = pattern_of(system_, rows_, columns_);
    structure::OrderedMatching matching(pattern);
    std::vector<VarId> open, given;
    for (std::size_t k = 0; k < columns_.size(); ++k)
      (k < num_open_ ? open : given).emplace_back(k);
    matching.enter(open);
    if (matching.is_full() || given.empty()) return result_of(matching.matching());
    measure();
    const auto admits = [this](EqId eq, VarId var) { return this->admits(eq, var); };
    structure::OrderedMatching numerical(pattern);
    numerical.enter(open, admits);
    numerical.enter(given, admits);
    numerical.enter(open);
    numerical.enter(given);
    return result_of(numerical.matching());
  }

 private:
  using Rank = std::tuple<int, int, bool, int, bool>;  // later ones are held first

  Rank rank(const InitialColumn& column) const {
    return {-column.stage, -column.level, column.is_of_options,
            static_cast<int>(column.state_select), column.has_fixed_sibling};
  }

  // Those that nobody gave first, then by rank, the last one declared first.
  void sort_columns() {
    const auto key = [this](int column) {
      const InitialColumn& entry = system_.columns[slot(column)];
      return std::pair(entry.has_start, rank(entry));
    };
    std::sort(columns_.begin(), columns_.end(), [&](int a, int b) {
      const Leaf first = system_.columns[slot(a)].leaf, second = system_.columns[slot(b)].leaf;
      return key(a) != key(b) ? key(a) < key(b) : first > second;
    });
    num_open_ = static_cast<std::size_t>(
        std::count_if(columns_.begin(), columns_.end(),
                      [this](int column) { return !system_.columns[slot(column)].has_start; }));
  }

  // How strongly the equations depend on the unknowns, in units of each: at the guesses, and with
  // other values for what nobody gave, whose zeros say nothing.
  void measure() {
    std::vector<double> values;
    for (const InitialColumn& column : system_.columns) values.push_back(column.guess);
    add_sizes(values);
    for (std::size_t k = 0; k < num_open_; ++k) {
      const int column = columns_[k];
      const double share = 0.5 + std::fmod(0.618 * static_cast<double>(column), 1.0);
      values[slot(column)] += share * system_.columns[slot(column)].nominal;
    }
    add_sizes(values);
  }

  void add_sizes(const std::vector<double>& values) {
    GroupEquations equations(system_, settings_, values);
    const InitialGroup all{rows_, columns_};
    equations.select(all);
    init::Vector x(static_cast<Eigen::Index>(columns_.size()));
    for (std::size_t k = 0; k < columns_.size(); ++k)
      x[static_cast<Eigen::Index>(k)] = values[slot(columns_[k])];
    for (const auto& entry : equations.jacobian_entries(x)) {
      const int row = rows_[slot(entry.row())], column = columns_[slot(entry.col())];
      const InitialColumn& unknown = system_.columns[slot(column)];
      const double size =
          std::abs(entry.value()) * std::max(unknown.nominal, std::abs(unknown.guess));
      const auto grow = [size](double& largest) { largest = std::max(largest, size); };
      if (!std::isfinite(size)) {
        sizes_[{row, column}] = std::numeric_limits<double>::infinity();
        continue;
      }
      grow(sizes_[{row, column}]);
      grow(unknown.has_start ? largest_of_rank_[{row, rank(unknown)}] : largest_open_[row]);
    }
  }

  bool admits(EqId eq, VarId var) const {
    const int row = rows_[eq.index()], column = columns_[var.index()];
    const auto size = sizes_.find({row, column});
    if (size == sizes_.end()) return false;  // its derivative cancels: x - x
    const InitialColumn& unknown = system_.columns[slot(column)];
    if (std::isinf(size->second)) return true;
    if (unknown.has_start)
      return size->second >= kEqualShare * largest_of_rank_.at({row, rank(unknown)});
    return size->second > kLeastShare * largest_open_.at(row);
  }

  KeptGuesses result_of(const structure::Matching& matching) const {
    KeptGuesses result{std::vector<bool>(system_.columns.size(), false),
                       std::vector<int>(system_.columns.size(), -1), given_columns()};
    for (VarId var : ids<VarId>(columns_.size())) {
      const int column = columns_[var.index()];
      const EqId eq = matching.var_to_eq[var];
      if (eq.is_valid())
        result.asked_by[slot(column)] = rows_[eq.index()];
      else
        result.is_kept[slot(column)] = system_.columns[slot(column)].has_start;
    }
    return result;
  }

  std::vector<int> given_columns() const {
    return {columns_.rbegin(), columns_.rend() - static_cast<std::ptrdiff_t>(num_open_)};
  }

  const InitialSystem& system_;
  const PointSettings& settings_;
  std::vector<int> rows_, columns_;
  std::size_t num_open_ = 0;  // columns that nobody gave: they come first
  std::map<std::pair<int, int>, double> sizes_;
  std::map<std::pair<int, Rank>, double> largest_of_rank_;
  std::map<int, double> largest_open_;
};

}  // namespace

KeptGuesses choose_kept_guesses(const InitialSystem& system, const PointSettings& settings) {
  return GuessChoice(system, settings).run();
}

}  // namespace hydae

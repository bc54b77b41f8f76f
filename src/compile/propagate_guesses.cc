#include "compile/propagate_guesses.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "expr/derivative.h"
#include "expr/evaluate.h"
#include "expr/incidence.h"
#include "expr/linearity.h"

namespace hydae {
namespace {

class Propagation {
 public:
  Propagation(const InitialSystem& system, const InitialGroup& group, const PointSettings& settings,
              std::vector<double> values)
      : system_(system), settings_(settings), values_(std::move(values)) {
    for (int column : group.columns)
      if (!system.columns[slot(column)].has_start) readers_[column];
    for (int row : group.rows) read(row);
    for (const auto& [column, rows] : readers_) by_readers_.push_back(column);
    std::stable_sort(by_readers_.begin(), by_readers_.end(),
                     [this](int a, int b) { return readers_[a].size() > readers_[b].size(); });
  }

  std::vector<double> run() {
    solve_what_is_ready();
    for (int column : by_readers_) {
      if (readers_.count(column) == 0) continue;
      know(column);
      solve_what_is_ready();
    }
    return std::move(values_);
  }

 private:
  Graph& graph() const { return system_.prepared->system.graph(); }

  void read(int row) {
    const NodeId residual = system_.rows[slot(row)].residual;
    std::vector<int> unknowns;
    for (Leaf leaf : incidence_.leaves(graph(), residual)) {
      const auto column = system_.leaf_to_column.find(leaf);
      if (column == system_.leaf_to_column.end() || readers_.count(column->second) == 0) continue;
      unknowns.push_back(column->second);
      readers_[column->second].push_back(residuals_.size());
    }
    unknowns_.push_back(std::move(unknowns));
    residuals_.push_back(residual);
    note_if_ready(residuals_.size() - 1);
  }

  // An equation v = expression comes before one such as v*w = 1.
  void note_if_ready(std::size_t row) {
    if (unknowns_[row].size() != 1) return;
    const Leaf leaf = system_.columns[slot(unknowns_[row][0])].leaf;
    const bool is_linear =
        linearity(graph(), residuals_[row], std::span(&leaf, 1)) == Linearity::kLinear;
    if (!is_linear) return;
    const bool is_definition = graph().is_constant(partial(graph(), residuals_[row], leaf));
    (is_definition ? definitions_ : others_).push_back(row);
  }

  // From here on the column has its value.
  void know(int column) {
    for (std::size_t row : readers_[column]) {
      std::erase(unknowns_[row], column);
      note_if_ready(row);
    }
    readers_.erase(column);
  }

  void solve_what_is_ready() {
    while (!definitions_.empty() || !others_.empty()) {
      std::deque<std::size_t>& rows = definitions_.empty() ? others_ : definitions_;
      const std::size_t row = rows.front();
      rows.pop_front();
      if (unknowns_[row].size() == 1) solve(row);
    }
  }

  // The residual is a straight line over its only unknown: where it is zero.
  void solve(std::size_t row) {
    const int column = unknowns_[row][0];
    const InitialColumn& unknown = system_.columns[slot(column)];
    Evaluator evaluator(graph(), std::span(&residuals_[row], 1),
                        &system_.prepared->system.model->functions());
    const double guess = values_[slot(column)];
    const double at_zero = residual_with(evaluator, column, 0);
    const double slope = residual_with(evaluator, column, unknown.nominal) - at_zero;
    const double value = -at_zero / slope * unknown.nominal;
    values_[slot(column)] = guess;
    if (slope == 0 || !std::isfinite(value)) return;
    values_[slot(column)] =
        unknown.min <= unknown.max ? std::clamp(value, unknown.min, unknown.max) : value;
    know(column);
  }

  double residual_with(Evaluator& evaluator, int column, double value) {
    values_[slot(column)] = value;
    std::vector<double> values, pre_values;
    for (Leaf leaf : evaluator.leaves()) values.push_back(value_of(leaf));
    for (Leaf leaf : evaluator.pre_leaves()) pre_values.push_back(value_of(leaf));
    const std::vector<double> given(evaluator.given().size(), 0.0);
    return evaluator
        .evaluate({.time = settings_.time,
                   .parameters = settings_.parameters,
                   .values = values,
                   .pre_values = pre_values,
                   .given = given,
                   .is_initial = true})
        .front();
  }

  double value_of(Leaf leaf) const {
    const auto column = system_.leaf_to_column.find(leaf);
    return column != system_.leaf_to_column.end() ? values_[slot(column->second)]
                                                  : system_.held.at(leaf);
  }

  const InitialSystem& system_;
  const PointSettings& settings_;
  std::vector<double> values_;
  Incidence incidence_;
  std::vector<NodeId> residuals_;                    // of the rows
  std::vector<std::vector<int>> unknowns_;           // of each row
  std::map<int, std::vector<std::size_t>> readers_;  // of each column without a value: rows
  std::vector<int> by_readers_;                      // the same columns, those with most first
  std::deque<std::size_t> definitions_, others_;     // rows with one unknown, which is linear
};

}  // namespace

std::vector<double> propagated_guesses(const InitialSystem& system, const InitialGroup& group,
                                       const PointSettings& settings, std::vector<double> values) {
  values = Propagation(system, group, settings, std::move(values)).run();
  std::vector<double> guesses;
  for (int column : group.columns) guesses.push_back(values[slot(column)]);
  return guesses;
}

}  // namespace hydae

#include "compile/observers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "compile/agreeing_defaults.h"
#include "expr/evaluate.h"
#include "expr/node_map.h"
#include "expr/switches.h"
#include "expr/walk.h"
#include "structure/dulmage_mendelsohn.h"

namespace hydae {
namespace {

// Bounds that are tried one by one where all together have no solution.
constexpr std::size_t kMostSingleBounds = 8;

// By column of the system: whether it could have another value if the known ones stay.
std::vector<bool> open_columns(const InitialSystem& system, const std::vector<bool>& is_known) {
  std::vector<int> rows, columns;
  for (std::size_t k = 0; k < system.rows.size(); ++k) rows.push_back(static_cast<int>(k));
  for (std::size_t k = 0; k < is_known.size(); ++k)
    if (!is_known[k]) columns.push_back(static_cast<int>(k));
  std::vector<bool> is_open(system.columns.size(), false);
  const auto parts = structure::compute_dulmage_mendelsohn(pattern_of(system, rows, columns));
  for (VarId column : parts.under.vars) is_open[slot(columns[column.index()])] = true;
  return is_open;
}

// Whether a start value speaks of another value of its unknown.
bool differs(const GivenStart& start, const InitialColumn& column, double value) {
  const double size = std::max(column.nominal, std::abs(start.value));
  return std::abs(start.leaf_value() - value) > kSmallestMove * size;
}

class ObserverSearch {
 public:
  ObserverSearch(InitialSystem& system, const PointSettings& settings)
      : system_(system), settings_(settings) {}

  // With every start value as a column.
  void include_given() {
    Places given;
    for (std::size_t k = 0; k < system_.observers.size(); ++k)
      if (system_.observers[k].column.has_start) given.push_back(k);
    include(given);
  }

  ConsistentPoint run() {
    if (const auto conflict = find_unequal_starts(system_)) return unsolved(*conflict);
    ConsistentPoint point = solve_with(find_wanted());
    if (!point.is_solved()) return point;
    respect_bounds(point);
    if (point.is_solved()) describe(point);
    return point;
  }

 private:
  using Places = std::vector<std::size_t>;  // among the observers of the system, ascending

  // If that has no solution, without them, unless guesses must be held.
  ConsistentPoint solve_with(const Places& wanted) {
    if (wanted.empty()) return solve_initial_system(system_, settings_);
    InitialSystem without = system_;
    include(wanted);
    ConsistentPoint point = solve_initial_system(system_, settings_);
    if (point.is_solved() || !system_.release.is_anywhere) return point;
    system_ = std::move(without);
    return solve_initial_system(system_, settings_);
  }

  ConsistentPoint unsolved(const Diagnostic& why) const {
    ConsistentPoint point;
    for (const InitialColumn& column : system_.columns) point.values.push_back(column.guess);
    point.report.status = init::Status::kInconsistent;
    point.report.message = why.message;
    return point;
  }

  // Start values that can be held, or count in the distance.
  Places find_wanted() const {
    Places wanted;
    const auto has_start = [](const InitialObserver& observer) {
      return observer.column.has_start;
    };
    if (std::ranges::none_of(system_.observers, has_start)) return wanted;
    std::vector<bool> is_known = fixed_columns(system_);
    for (std::size_t k = 0; k < is_known.size() && system_.guesses == Guesses::kKept; ++k)
      if (system_.columns[k].has_start && system_.columns[k].stage < 0) is_known[k] = true;
    for (std::size_t k = 0; k < system_.observers.size(); ++k)
      if (has_start(system_.observers[k])) wanted.push_back(k);
    keep_open(wanted, is_known);
    return wanted;
  }

  // Those that depend on a column that could have another value while the known ones stay.
  void keep_open(Places& places, const std::vector<bool>& is_known) const {
    const std::vector<bool> is_open = open_columns(system_, is_known);
    if (std::ranges::none_of(is_open, [](bool open) { return open; })) return places.clear();
    std::vector<NodeId> roots;
    for (std::size_t k : places) roots.push_back(system_.observers[k].value);
    NodeMap<bool> varies;
    Walk walk;
    for (NodeId id : walk.order(graph(), roots)) {
      bool value = graph().op(id) == Op::kVariable && is_open_leaf(graph().leaf_of(id), is_open);
      for (NodeId operand : graph().operands(id)) value = value || *varies.find(operand);
      varies.insert(id, value);
    }
    std::erase_if(places, [&](std::size_t k) { return !*varies.find(system_.observers[k].value); });
  }

  bool is_open_leaf(Leaf leaf, const std::vector<bool>& is_open) const {
    const auto column = system_.leaf_to_column.find(leaf);
    return column != system_.leaf_to_column.end() && is_open[slot(column->second)];
  }

  void include(const Places& chosen) {
    for (std::size_t k : chosen) {
      InitialObserver& observer = system_.observers[k];
      const NodeId variable = graph().variable(observer.column.leaf);
      observer.row.residual =
          lower_switches(graph(), graph().binary(Op::kSub, variable, observer.value));
      system_.leaf_to_column[observer.column.leaf] = static_cast<int>(system_.columns.size());
      system_.columns.push_back(observer.column);
      system_.rows.push_back(observer.row);
    }
    for (std::size_t k = chosen.size(); k-- > 0;)
      system_.observers.erase(system_.observers.begin() + static_cast<std::ptrdiff_t>(chosen[k]));
  }

  // As long as a point leaves bounds that it could keep, or has no values for what it could.
  void respect_bounds(ConsistentPoint& point) {
    while (true) {
      Places left = find_left(point);
      if (left.empty()) return;
      if (try_with(left, point)) continue;
      if (!system_.release.is_anywhere) {
        point.report.status = init::Status::kInconsistent;
        point.report.message = "a bound is left";
        return;
      }
      left.resize(std::min(left.size(), kMostSingleBounds));
      if (std::ranges::none_of(left, [&](std::size_t k) { return try_with({k}, point); })) return;
    }
  }

  Places find_left(const ConsistentPoint& point) const {
    Places left;
    const std::vector<double> values = values_at(point);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const InitialColumn& column = system_.observers[k].column;
      const double error = kSmallestMove * std::max(column.nominal, std::abs(values[k]));
      const bool is_within = values[k] >= column.min - error && values[k] <= column.max + error;
      if (!is_within) left.push_back(k);
    }
    if (!left.empty()) keep_open(left, fixed_columns(system_));
    return left;
  }

  bool try_with(const Places& chosen, ConsistentPoint& point) {
    InitialSystem before = system_;
    include(chosen);
    ConsistentPoint found = solve_initial_system(system_, settings_);
    if (found.is_solved()) {
      found.iterations += point.iterations;
      point = std::move(found);
      return true;
    }
    system_ = std::move(before);
    return false;
  }

  // Start values of what is no column.
  void describe(ConsistentPoint& point) const {
    const std::vector<double> values = values_at(point);
    for (const GivenStart& start : system_.other_starts)
      if (const auto unknown = unknown_of(start, point, values)) describe(start, *unknown, point);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto& [column, value, row] = system_.observers[k];
      if (column.has_start && is_moved(column, values[k]))
        point.moved.push_back({column.start_name, column.start_factor * column.guess,
                               column.start_factor * values[k], row.name, column.is_of_options});
    }
  }

  struct Unknown {
    const InitialColumn& column;
    double value;
  };
  std::optional<Unknown> unknown_of(const GivenStart& start, const ConsistentPoint& point,
                                    const std::vector<double>& observed) const {
    if (const auto at = system_.leaf_to_column.find(start.leaf); at != system_.leaf_to_column.end())
      return Unknown{system_.columns[slot(at->second)], point.values[slot(at->second)]};
    for (std::size_t k = 0; k < observed.size(); ++k)
      if (system_.observers[k].column.leaf == start.leaf)
        return Unknown{system_.observers[k].column, observed[k]};
    return std::nullopt;
  }

  static void describe(const GivenStart& start, const Unknown& unknown, ConsistentPoint& point) {
    if (start.is_fixed || !differs(start, unknown.column, unknown.value)) return;
    point.moved.push_back({start.name, start.value, start.factor * unknown.value,
                           reason(start, unknown.column),
                           unknown.column.stage < 0 || start.is_of_options});
  }

  // The name whose start value counts.
  static std::string reason(const GivenStart& start, const InitialColumn& column) {
    if (column.start_name.empty())
      return fmt::format("it is {}{}", start.factor < 0 ? "-" : "", column.name);
    const bool is_opposite = (start.factor < 0) != (column.start_factor < 0);
    return fmt::format("it is {}{}", is_opposite ? "-" : "", column.start_name);
  }

  std::vector<double> values_at(const ConsistentPoint& point) const {
    std::vector<NodeId> roots;
    for (const InitialObserver& observer : system_.observers) roots.push_back(observer.value);
    if (roots.empty()) return {};
    Evaluator evaluator(graph(), roots, &system_.prepared->system.model->functions());
    std::vector<double> values, before;
    for (Leaf leaf : evaluator.leaves()) {
      const auto column = system_.leaf_to_column.find(leaf);
      values.push_back(column == system_.leaf_to_column.end() ? system_.held.at(leaf)
                                                              : point.values[slot(column->second)]);
    }
    for (Leaf leaf : evaluator.pre_leaves()) {
      const auto at = system_.held_before.find(leaf);
      before.push_back(at == system_.held_before.end() ? system_.held.at(leaf) : at->second);
    }
    const auto found = evaluator.evaluate({.time = settings_.time,
                                           .parameters = settings_.parameters,
                                           .values = values,
                                           .pre_values = before});
    return {found.begin(), found.end()};
  }

  Graph& graph() const { return system_.prepared->system.graph(); }

  InitialSystem& system_;
  const PointSettings& settings_;
};

}  // namespace

std::optional<Diagnostic> find_unequal_starts(const InitialSystem& system) {
  for (const GivenStart& start : system.other_starts) {
    const auto at = system.leaf_to_column.find(start.leaf);
    if (!start.is_fixed || at == system.leaf_to_column.end()) continue;
    const InitialColumn& column = system.columns[slot(at->second)];
    if (column.is_fixed && differs(start, column, column.guess))
      return conflict_of({fmt::format("{} = {}", column.name, column.guess),
                          fmt::format("{} = {}", start.name, start.value)});
  }
  return std::nullopt;
}

ConsistentPoint solve_with_observers(InitialSystem& system, const PointSettings& settings) {
  const InitialSystem given = system;
  ConsistentPoint point = ObserverSearch(system, settings).run();
  const bool keeps_all = point.is_solved() && point.moved.empty();
  if (keeps_all || system.guesses != Guesses::kKept) return point;
  InitialSystem all = given;
  ObserverSearch(all, settings).include_given();
  std::optional<InitialSystem> agreeing = with_agreeing_defaults(given, all, settings);
  if (!agreeing) return point;
  ConsistentPoint other = ObserverSearch(*agreeing, settings).run();
  if (!other.is_solved() || (point.is_solved() && other.moved.size() >= point.moved.size()))
    return point;
  system = *std::move(agreeing);
  return other;
}

}  // namespace hydae

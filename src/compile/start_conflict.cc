// Why an initial system has no solution.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "compile/consistent_point.h"
#include "compile/observers.h"
#include "init/conflict.h"

namespace hydae {
namespace {

constexpr std::size_t kMostInSearch = 64;           // demands among which a conflict is looked for
constexpr std::size_t kLargestSearchSystem = 3000;  // rows of a system in which one is looked for

// What a user demands of the start besides the equations of the model.
struct StartDemands {
  std::vector<int> columns;  // fixed values
  std::vector<int> rows;     // initial equations

  std::size_t size() const { return columns.size() + rows.size(); }
};

StartDemands demands_of(const InitialSystem& system) {
  StartDemands demands;
  for (std::size_t k = 0; k < system.columns.size(); ++k)
    if (system.columns[k].is_fixed) demands.columns.push_back(static_cast<int>(k));
  for (std::size_t k = 0; k < system.rows.size(); ++k)
    if (system.rows[k].is_initial) demands.rows.push_back(static_cast<int>(k));
  return demands;
}

// With these of the demands, counted over columns and rows.
InitialSystem with_demands(const InitialSystem& system, const StartDemands& demands,
                           std::span<const int> chosen) {
  InitialSystem part = system;
  for (int column : demands.columns) part.columns[slot(column)].is_fixed = false;
  std::erase_if(part.rows, [](const InitialRow& row) { return row.is_initial; });
  for (int k : chosen) {
    if (slot(k) < demands.columns.size())
      part.columns[slot(demands.columns[slot(k)])].is_fixed = true;
    else
      part.rows.push_back(system.rows[slot(demands.rows[slot(k) - demands.columns.size()])]);
  }
  return part;
}

// As few demands as possible that cannot hold together; empty if that is not the reason, or if
// looking for them would take too long.
StartDemands find_conflicting_demands(const InitialSystem& system, const PointSettings& settings) {
  const StartDemands all = demands_of(system);
  StartDemands found;
  if (all.size() > kMostInSearch || system.rows.size() > kLargestSearchSystem) return found;
  const auto conflict =
      init::find_minimal_conflict(static_cast<int>(all.size()), [&](std::span<const int> chosen) {
        return solve_initial_system(with_demands(system, all, chosen), settings).is_solved();
      });
  for (int k : conflict.value_or(std::vector<int>{})) {
    if (slot(k) < all.columns.size())
      found.columns.push_back(all.columns[slot(k)]);
    else
      found.rows.push_back(all.rows[slot(k) - all.columns.size()]);
  }
  return found;
}

// "3 equations for 2 unknowns": empty if there is no structural surplus.
std::string describe_surplus(const InitialSystem& system) {
  const InitialGroup over = diagnose(system).over;
  if (over.rows.empty()) return {};
  std::vector<std::string> rows, columns;
  for (int row : over.rows) rows.push_back(system.rows[slot(row)].name);
  for (int column : over.columns) columns.push_back(system.columns[slot(column)].name);
  if (columns.empty()) return fmt::format("nothing is free in {}", quoted_list(rows));
  return fmt::format("{} equations for {} unknowns: {} for {}", rows.size(), columns.size(),
                     quoted_list(rows), quoted_list(columns));
}

Diagnostic conflict_between(const char* what, const std::vector<std::string>& texts) {
  Diagnostic d;
  d.code = "conflicting-start-values";
  d.message = fmt::format("initialization: {} cannot hold together: {}", what, quoted_list(texts));
  d.label = "each of them is needed for the contradiction";
  return d;
}

Diagnostic describe_conflict(const InitialSystem& system, const StartDemands& conflict) {
  std::vector<std::string> texts;
  for (int k : conflict.columns)
    texts.push_back(
        fmt::format("{} = {}", system.columns[slot(k)].name, system.columns[slot(k)].guess));
  if (conflict.rows.empty()) return conflict_of(texts);
  for (int k : conflict.rows) texts.push_back(system.rows[slot(k)].text);
  Diagnostic d = conflict_between(
      conflict.columns.empty() ? "initial equations" : "fixed start values and initial equations",
      texts);
  for (int k : conflict.rows)
    d.notes.push_back(
        {fmt::format("`{}` is here", system.rows[slot(k)].text), system.rows[slot(k)].source});
  d.range = system.rows[slot(conflict.rows.front())].source;
  return d;
}

// Bounds that the point leaves which is found without any: "x >= 3".
std::vector<std::string> bounds_in_the_way(const InitialSystem& system,
                                           const PointSettings& settings) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  InitialSystem free = system;
  bool has_bounds = false;
  for (InitialColumn& column : free.columns) {
    has_bounds = has_bounds || column.min > -kInfinity || column.max < kInfinity;
    column.min = -kInfinity;
    column.max = kInfinity;
  }
  if (!has_bounds || system.rows.size() > kLargestSearchSystem) return {};
  const ConsistentPoint point = solve_initial_system(free, settings);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < system.columns.size() && point.is_solved(); ++k) {
    const InitialColumn& column = system.columns[k];
    const double error = kSmallestMove * std::max(column.nominal, std::abs(point.values[k]));
    if (point.values[k] < column.min - error)
      texts.push_back(fmt::format("{} >= {}", column.name, column.min));
    if (point.values[k] > column.max + error)
      texts.push_back(fmt::format("{} <= {}", column.name, column.max));
  }
  return texts;
}

Diagnostic explain_demands(const InitialSystem& system, const PointSettings& settings,
                           const ConsistentPoint& point) {
  // Where an equation is not even defined, that says more.
  if (point.report.status != init::Status::kUndefined) {
    const StartDemands conflict = find_conflicting_demands(system, settings);
    if (conflict.size() > 0) return describe_conflict(system, conflict);
  }
  Diagnostic d;
  d.code = "initialization-failed";
  d.message = "initialization: " + point.report.message;
  d.label = describe_surplus(system);
  d.help = point.report.help;
  return d;
}

}  // namespace

Diagnostic conflict_of(const std::vector<std::string>& values) {
  Diagnostic d = conflict_between("fixed start values", values);
  d.help = "let one of them be a guess";
  return d;
}

Diagnostic explain_failure(const InitialSystem& system, const PointSettings& settings,
                           const ConsistentPoint& point) {
  if (auto unequal = find_unequal_starts(system)) return *std::move(unequal);
  Diagnostic d = explain_demands(system, settings, point);
  const std::vector<std::string> bounds = bounds_in_the_way(system, settings);
  if (!bounds.empty())
    d.notes.push_back({fmt::format("bounds are in the way: {}", quoted_list(bounds)), {}});
  return d;
}

}  // namespace hydae

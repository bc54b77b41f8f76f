#include "compile/consistent_point.h"

#include <algorithm>
#include <fmt/format.h>

#include "compile/propagate_guesses.h"
#include "init/conflict.h"
#include "init/solve.h"

namespace hydae {
namespace {

constexpr std::size_t kMostFixedInSearch = 64;  // fixed values among which a conflict is looked for
constexpr std::size_t kLargestSearchSystem = 3000;  // rows of a system in which one is looked for

// From the guesses as they are; without success from those that follow from the start values.
init::Solution solve_group(const InitialSystem& system, const InitialGroup& group,
                           const PointSettings& settings, GroupEquations& equations,
                           const std::vector<double>& values) {
  init::Solution solution = equations.has_homotopy() ? init::solve(equations.homotopy_problem())
                                                     : init::solve(equations.problem());
  if (solution.is_solved() || group.columns.size() < 2) return solution;
  init::Problem problem = equations.problem();
  const std::vector<double> guesses = propagated_guesses(system, group, settings, values);
  problem.unknowns.guess =
      Eigen::Map<const init::Vector>(guesses.data(), static_cast<Eigen::Index>(guesses.size()));
  init::Options quick;  // from good guesses Newton's method is enough
  quick.allows_homotopy = quick.allows_optimization = false;
  quick.max_iterations = 50;
  quick.max_evaluations = 500;
  init::Solution second = init::solve(problem, quick);
  second.report.iterations += solution.report.iterations;
  return second.is_solved() ? second : solution;
}

}  // namespace

ConsistentPoint solve_initial_system(const InitialSystem& system, const PointSettings& settings) {
  ConsistentPoint result;
  for (const InitialColumn& column : system.columns) result.values.push_back(column.guess);
  result.report.status = init::Status::kSolved;
  GroupEquations equations(system, settings, result.values);
  for (const InitialGroup& group : system.groups) {
    equations.select(group);
    const init::Solution solution = solve_group(system, group, settings, equations, result.values);
    result.iterations += solution.report.iterations;
    result.residual_norm = std::max(result.residual_norm, solution.report.residual_norm);
    if (!solution.is_solved() || solution.report.method > result.report.method)
      result.report = solution.report;
    for (std::size_t k = 0; k < group.columns.size(); ++k)
      result.values[static_cast<std::size_t>(group.columns[k])] =
          solution.x[static_cast<Eigen::Index>(k)];
    if (solution.report.status == init::Status::kUndefined && !equations.code_failure().empty())
      result.report.message += "\n   " + equations.code_failure();
    if (!solution.is_solved()) break;
  }
  return result;
}

namespace {

// The fixed columns, as few as possible, that cannot hold together; empty if that is not the
// reason, or if looking for them would take too long.
std::vector<int> find_conflicting_columns(InitialSystem system, const PointSettings& settings) {
  std::vector<int> fixed;
  for (std::size_t k = 0; k < system.columns.size(); ++k)
    if (system.columns[k].is_fixed) fixed.push_back(static_cast<int>(k));
  if (fixed.size() > kMostFixedInSearch || system.rows.size() > kLargestSearchSystem) return {};
  const auto can_hold = [&](std::span<const int> chosen) {
    for (int column : fixed) system.columns[static_cast<std::size_t>(column)].is_fixed = false;
    for (int k : chosen)
      system.columns[static_cast<std::size_t>(fixed[static_cast<std::size_t>(k)])].is_fixed = true;
    arrange_groups(system);
    return solve_initial_system(system, settings).is_solved();
  };
  const auto conflict = init::find_minimal_conflict(static_cast<int>(fixed.size()), can_hold);
  std::vector<int> columns;
  for (int k : conflict.value_or(std::vector<int>{}))
    columns.push_back(fixed[static_cast<std::size_t>(k)]);
  return columns;
}

// "3 equations for 2 unknowns": empty if there is no structural surplus.
std::string describe_surplus(const InitialSystem& system) {
  const InitialGroup over = diagnose(system).over;
  if (over.rows.empty()) return {};
  std::vector<std::string> rows, columns;
  for (int row : over.rows) rows.push_back(system.rows[static_cast<std::size_t>(row)].name);
  for (int column : over.columns)
    columns.push_back(system.columns[static_cast<std::size_t>(column)].name);
  if (columns.empty()) return fmt::format("nothing is free in {}", quoted_list(rows));
  return fmt::format("{} equations for {} unknowns: {} for {}", rows.size(), columns.size(),
                     quoted_list(rows), quoted_list(columns));
}

}  // namespace

Diagnostic explain_failure(const InitialSystem& system, const PointSettings& settings,
                           const ConsistentPoint& point) {
  Diagnostic d;
  std::vector<std::string> texts;
  for (int k : find_conflicting_columns(system, settings)) {
    const InitialColumn& column = system.columns[static_cast<std::size_t>(k)];
    texts.push_back(fmt::format("{} = {}", column.name, column.guess));
  }
  if (texts.empty()) {
    d.code = "initialization-failed";
    d.message = "initialization: " + point.report.message;
    d.label = describe_surplus(system);
    d.help = point.report.help;
    return d;
  }
  d.code = "conflicting-start-values";
  d.message = fmt::format("initialization: fixed start values cannot hold together: {}",
                          quoted_list(texts));
  d.label = "each of them is needed for the contradiction";
  d.help = "let one of them be a guess";
  return d;
}

}  // namespace hydae

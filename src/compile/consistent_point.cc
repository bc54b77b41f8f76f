#include "compile/consistent_point.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>

#include "compile/group_rank.h"
#include "compile/guess_release.h"
#include "compile/kept_guesses.h"
#include "compile/other_defaults.h"
#include "compile/propagate_guesses.h"
#include "init/solve.h"

namespace hydae {
namespace {

// What nobody gave is taken to go to infinity from here on, or where the point is singular, if with
// its default counted it comes back to a tenth of that: a distance that only its limit makes
// smallest (tanh, atan, exp) ends anywhere.
constexpr double kFarAway = 1e3;
constexpr double kNearer = 0.1;

// When a group that was solved with values held is looked at for singularity: what was nearer to a
// double root, in units of the guess and its nominal value, was meant as one; and what took fewer
// iterations did not end at one.
constexpr double kSingularMove = 1e-6;
constexpr int kSlowIterations = 10;

// Other values, at which nothing is special, for structural questions: in units of each unknown.
constexpr double kOffGuesses = 0.3;

enum class Found { kAny, kRegular };

bool has_moved(const InitialSystem& system, const InitialGroup& group,
               const init::Solution& solution) {
  for (std::size_t k = 0; k < group.columns.size(); ++k) {
    const InitialColumn& column = system.columns[slot(group.columns[k])];
    if (column.has_start && is_moved(column, solution.x[static_cast<Eigen::Index>(k)])) return true;
  }
  return false;
}

// Values of columns.
init::Vector picked(const std::vector<double>& values, const std::vector<int>& columns) {
  init::Vector x(static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    x[static_cast<Eigen::Index>(k)] = values[slot(columns[k])];
  return x;
}

class PointSearch {
 public:
  PointSearch(const InitialSystem& system, const PointSettings& settings)
      : system_(system),
        settings_(settings),
        equations_(system, settings, result_.values),
        rank_(system, equations_) {
    for (const InitialColumn& column : system.columns) result_.values.push_back(column.guess);
    result_.report.status = init::Status::kSolved;
    is_closest_.assign(system.columns.size(), false);
  }

  ConsistentPoint run() {
    if (system_.guesses == Guesses::kClosest) {
      asked_by_.assign(system_.columns.size(), -1);
      is_kept_.assign(system_.columns.size(), false);
      groups_ = arrange_together(system_, fixed_columns(system_));
      for (InitialGroup& group : groups_) group.is_released = true;
    } else {
      hold_guesses();
    }
    solve_groups();
    describe();
    return std::move(result_);
  }

 private:
  void hold_guesses() {
    KeptGuesses choice = choose_kept_guesses(system_, settings_);
    is_kept_ = std::move(choice.is_kept);
    asked_by_ = std::move(choice.asked_by);
    given_ = std::move(choice.given);
    arrange();
  }

  // From the guesses, with those known that are kept.
  void arrange() {
    std::vector<bool> is_known = fixed_columns(system_);
    for (std::size_t k = 0; k < is_known.size(); ++k) {
      is_known[k] = is_known[k] || is_kept_[k];
      result_.values[k] = system_.columns[k].guess;
    }
    groups_ = arrange_groups(system_, is_known);
    next_ = 0;
    for (std::size_t k = 0; k < is_known.size(); ++k)
      if (is_kept_[k]) respect_bounds(static_cast<int>(k));
  }

  // A guess outside its bounds cannot be held: what it has to do with is solved with it.
  void respect_bounds(int k) {
    const InitialColumn& column = system_.columns[slot(k)];
    if (!is_kept_[slot(k)] || is_within_bounds(column)) return;
    result_.values[slot(k)] = std::clamp(column.guess, column.min, column.max);
    const std::vector<std::size_t> readers = GroupGraph(system_, groups_).readers(k);
    if (readers.empty()) return;
    adopt(GroupGraph(system_, groups_).release_for(readers));
    asked_by_[slot(k)] = -1;
  }

  void solve_groups() {
    while (next_ < groups_.size()) {
      init::Solution solution = solve(groups_[next_]);
      if (solution.is_solved()) {
        solution = hold_more(groups_[next_], std::move(solution));
        if (is_singular(groups_[next_], solution)) {
          if (let_go(next_, Found::kRegular)) continue;
          if (!may_let_go(groups_[next_])) {
            fail_at_singular(solution);
            ++next_;
            continue;
          }
        }
        accept(groups_[next_], solution);
        ++next_;
        continue;
      }
      failing_row_ = solution.report.worst_equation < 0
                         ? groups_[next_].rows.front()
                         : groups_[next_].rows[slot(solution.report.worst_equation)];
      const bool is_defined = solution.report.status != init::Status::kUndefined;
      if (is_defined && let_dependent_follow(next_)) continue;
      if (let_go(next_, Found::kAny) || take_together()) continue;
      fail(solution);
      if (system_.release.is_anywhere) return;
      ++next_;
    }
  }

  bool may_let_go(const InitialGroup& group) const {
    const Release& release = system_.release;
    return release.is_anywhere || std::ranges::any_of(group.rows, [&](int row) {
             return release.rows.contains(system_.rows[slot(row)].name);
           });
  }

  // Where equations are singular they determine less than their structure says (y v = 0 at y = 0):
  // of the given values that could follow from them as many are held as can be.
  init::Solution hold_more(InitialGroup& group, init::Solution solution) {
    if (group.is_released || !has_moved(system_, group, solution)) return solution;
    for (const int column : given_) {
      const auto at = std::find(group.columns.begin(), group.columns.end(), column);
      if (at == group.columns.end() || !is_within_bounds(system_.columns[slot(column)])) continue;
      if (rank_.rank(group, {}, solution.x) == solution.x.size()) break;
      InitialGroup rest = group;
      rest.columns.erase(rest.columns.begin() + (at - group.columns.begin()));
      equations_.select(rest);
      init::Solution found = init::solve(equations_.problem(), newton_only());
      if (!found.is_solved()) continue;
      group = std::move(rest);
      solution = std::move(found);
      is_kept_[slot(column)] = true;
    }
    return solution;
  }

  // Guesses may depend on each other although their structure does not say so (a = x + y and b = 2
  // x
  // + 2 y): as many of them as equations are without an unknown of their own follow.
  bool let_dependent_follow(std::size_t failing) {
    if (system_.guesses == Guesses::kClosest || groups_[failing].is_released) return false;
    const GroupGraph::Release release =
        GroupGraph(system_, groups_).release_for(std::span(&failing, 1));
    const auto num_rows = static_cast<Eigen::Index>(release.together.rows.size());
    std::vector<int> held = release.columns;
    const init::Vector x = picked(elsewhere(), release.together.columns);
    Eigen::Index rank = rank_.rank(release.together, held, x);
    const Eigen::Index first_rank = rank;
    for (std::size_t k = given_.size(); k-- > 0 && rank < num_rows;) {
      const auto at = std::find(held.begin(), held.end(), given_[k]);
      if (at == held.end()) continue;
      std::vector<int> fewer = held;
      fewer.erase(fewer.begin() + (at - held.begin()));
      const Eigen::Index more = rank_.rank(release.together, fewer, x);
      if (more == rank) continue;
      rank = more;
      held = std::move(fewer);
      is_kept_[slot(given_[k])] = false;
      asked_by_[slot(given_[k])] = failing_row_;
    }
    if (rank == first_rank) return false;
    arrange();
    return true;
  }

  std::vector<double> elsewhere() const {
    std::vector<double> values = result_.values;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double share = std::fmod(0.618 * static_cast<double>(k + 1), 1.0) - 0.5;
      if (!system_.columns[k].is_fixed)
        values[k] +=
            2 * kOffGuesses * share * std::max(system_.columns[k].nominal, std::abs(values[k]));
    }
    return values;
  }

  // What is held leaves just one root, a double one (x^2 + y^2 = 1 with x = 1): no motion starts
  // there, so it is no solution with these values held.
  bool is_singular(const InitialGroup& group, const init::Solution& solution) {
    if (group.is_released || !is_suspect(group, solution, system_)) return false;
    const GroupGraph::Release release =
        GroupGraph(system_, groups_).release_for(std::span(&next_, 1));
    if (release.columns.empty()) return false;
    failing_row_ = group.rows.front();
    std::vector<double> values = result_.values;
    for (std::size_t k = 0; k < group.columns.size(); ++k)
      values[slot(group.columns[k])] = solution.x[static_cast<Eigen::Index>(k)];
    return !rank_.is_regular(release, picked(values, release.together.columns));
  }

  // Newton's method only halves the distance to a double root. Who was at such a point already, or
  // close by, is left there.
  static bool is_suspect(const InitialGroup& group, const init::Solution& solution,
                         const InitialSystem& system) {
    double farthest = 0;
    for (std::size_t k = 0; k < group.columns.size(); ++k) {
      const InitialColumn& column = system.columns[slot(group.columns[k])];
      const double move = solution.x[static_cast<Eigen::Index>(k)] - column.guess;
      farthest =
          std::max(farthest, std::abs(move) / std::max(column.nominal, std::abs(column.guess)));
    }
    return farthest > kSingularMove && solution.report.iterations >= kSlowIterations;
  }

  // What the structure takes for determined may be singular, and what it leaves open may be asked
  // for by groups that come later: all groups at once, from the guesses.
  bool take_together() {
    if (system_.guesses != Guesses::kClosest || groups_.size() < 2) return false;
    InitialGroup all;
    for (const InitialGroup& group : groups_) {
      all.rows.insert(all.rows.end(), group.rows.begin(), group.rows.end());
      all.columns.insert(all.columns.end(), group.columns.begin(), group.columns.end());
    }
    all.is_released = true;
    groups_.assign(1, std::move(all));
    for (std::size_t k = 0; k < system_.columns.size(); ++k)
      result_.values[k] = system_.columns[k].guess;
    next_ = 0;
    return true;
  }

  // From the guesses as they are; without success from those that follow from the start values.
  init::Solution solve(const InitialGroup& group) {
    equations_.select(group);
    init::Options options;
    options.wants_closest_point = settings_.wants_closest_point;
    options.insists_on_closest_point = group.is_released;
    init::Solution solution = equations_.has_homotopy()
                                  ? init::solve(equations_.homotopy_problem(), options)
                                  : init::solve(equations_.problem(), options);
    if (group.is_released && !equations_.has_homotopy())
      solution = try_other_defaults(group, equations_, std::move(solution));
    if (solution.is_solved() || group.columns.size() < 2) return solution;
    init::Problem problem = equations_.problem();
    const std::vector<double> guesses =
        propagated_guesses(system_, group, settings_, result_.values);
    problem.unknowns.guess =
        Eigen::Map<const init::Vector>(guesses.data(), static_cast<Eigen::Index>(guesses.size()));
    init::Solution second = init::solve(problem, newton_only());
    second.report.iterations += solution.report.iterations;
    return second.is_solved() ? second : solution;
  }

  void accept(const InitialGroup& group, const init::Solution& solution) {
    result_.iterations += solution.report.iterations;
    result_.residual_norm = std::max(result_.residual_norm, solution.report.residual_norm);
    const bool is_hardest = solution.report.method > result_.report.method;
    if (is_hardest && result_.without_solution.empty()) result_.report = solution.report;
    take_values(group, solution);
  }

  void take_values(const InitialGroup& group, const init::Solution& solution) {
    for (std::size_t k = 0; k < group.columns.size(); ++k) {
      result_.values[slot(group.columns[k])] = solution.x[static_cast<Eigen::Index>(k)];
      is_closest_[slot(group.columns[k])] = solution.report.is_closest;
    }
  }

  // Guesses that can reach the group are let go, and the groups between them are solved together.
  bool let_go(std::size_t failing, Found wanted) {
    if (!may_let_go(groups_[failing])) return false;
    GroupGraph::Release release = GroupGraph(system_, groups_).release_for(std::span(&failing, 1));
    if (release.columns.empty()) return false;
    const init::Solution solution = solve_released(release);
    if (!solution.is_solved()) return false;
    if (wanted == Found::kRegular && !rank_.is_regular(release, solution.x)) return false;
    for (int column : release.together.columns) asked_by_[slot(column)] = failing_row_;
    accept(release.together, solution);
    next_ = release.place + 1;
    adopt(std::move(release));
    return true;
  }

  // The closest point may be one where the equations just cease to have a solution, and no motion
  // starts from there; or there is none, since what nobody gave goes to infinity. Then that counts
  // as well, with its default.
  init::Solution solve_released(const GroupGraph::Release& release) {
    init::Solution solution = solve(release.together);
    if (!solution.is_solved()) return solution;
    const double away = farthest_open(release, solution.x);
    if (rank_.is_regular(release, solution.x) && away < kFarAway) return solution;
    equations_.select(release.together);
    init::Problem problem = equations_.problem();
    problem.unknowns.is_wanted.clear();
    init::Options options;
    options.insists_on_closest_point = true;
    init::Solution second = init::solve(problem, options);
    if (!second.is_solved()) return solution;
    const bool is_nearer = farthest_open(release, second.x) < kNearer * away;
    const bool is_better =
        rank_.regularity(release, second.x) > rank_.regularity(release, solution.x);
    return is_nearer || is_better ? second : solution;
  }

  // Of what nobody gave, in units of nominal values and of the largest guess.
  double farthest_open(const GroupGraph::Release& release, const init::Vector& x) const {
    double farthest = 0, largest = 1;
    for (std::size_t k = 0; k < release.together.columns.size(); ++k) {
      const InitialColumn& column = system_.columns[slot(release.together.columns[k])];
      const double size = std::abs(x[static_cast<Eigen::Index>(k)]) / column.nominal;
      if (column.has_start || column.is_fixed)
        largest = std::max(largest, std::abs(column.guess) / column.nominal);
      else if (column.stage < 0 || column.leaf.order == 0)
        farthest = std::max(farthest, size);
    }
    return farthest / largest;
  }

  void adopt(GroupGraph::Release release) {
    for (int column : release.columns) is_kept_[slot(column)] = false;
    groups_ = std::move(release.order);
  }

  void fail(const init::Solution& solution) {
    result_.iterations += solution.report.iterations;
    result_.residual_norm = std::max(result_.residual_norm, solution.report.residual_norm);
    take_values(groups_[next_], solution);
    const bool is_first = result_.without_solution.empty();
    for (int row : groups_[next_].rows)
      result_.without_solution.insert(system_.rows[slot(row)].name);
    if (!is_first) return;
    result_.report = solution.report;
    if (solution.report.status == init::Status::kUndefined && !equations_.code_failure().empty())
      result_.report.message += "\n   " + equations_.code_failure();
  }

  void fail_at_singular(init::Solution solution) {
    solution.report.status = init::Status::kInconsistent;
    solution.report.message = "the equations determine nothing at the only point that was found";
    fail(solution);
  }

  void describe() {
    for (std::size_t k = 0; k < system_.columns.size(); ++k) {
      const InitialColumn& column = system_.columns[k];
      if (!column.has_start || column.is_fixed) continue;
      const double to = result_.values[k], factor = column.start_factor;
      if (is_moved(column, to))
        result_.moved.push_back({column.start_name, factor * column.guess, factor * to, reason(k),
                                 column.stage < 0 || column.is_of_options});
      else if (is_kept_[k])
        result_.kept.push_back(static_cast<int>(k));
    }
  }

  std::string reason(std::size_t column) const {
    const int row = asked_by_[column];
    if (row >= 0) return system_.rows[slot(row)].name;
    if (system_.guesses != Guesses::kClosest) return "its bounds";
    return is_closest_[column] ? "the closest point"
                               : "a solution; others may be closer to the guesses";
  }

  const InitialSystem& system_;
  const PointSettings& settings_;
  ConsistentPoint result_;
  GroupEquations equations_;
  GroupRank rank_;
  std::vector<bool> is_kept_, is_closest_;
  std::vector<int> asked_by_;  // by column: a row; -1: none
  std::vector<int> given_;     // columns, best held first
  std::vector<InitialGroup> groups_;
  std::size_t next_ = 0;  // group to be solved
  int failing_row_ = -1;
};

}  // namespace

init::Options newton_only() {
  init::Options quick;
  quick.allows_homotopy = quick.allows_optimization = quick.wants_nearest_root = false;
  quick.max_iterations = 50;
  quick.max_evaluations = 500;
  return quick;
}

bool is_moved(const InitialColumn& column, double to) {
  const double size = std::max(column.nominal, std::abs(column.guess));
  return std::abs(to - column.guess) > kSmallestMove * size;
}

ConsistentPoint solve_initial_system(const InitialSystem& system, const PointSettings& settings) {
  return PointSearch(system, settings).run();
}

}  // namespace hydae

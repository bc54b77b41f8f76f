#include "compile/restart.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>

#include "compile/restart_free.h"
#include "compile/restart_stages.h"
#include "linalg/dense_factors.h"

namespace hydae {
namespace {

constexpr double kKept = 1e-10;      // of a value that reinit() gives, relative
constexpr int kMostResetRounds = 8;  // of Newton's method: one where constraints are linear
// Restarts with disturbed left limits: how many, and how much more than their largest effect counts
// as error. Four of them miss half of what is possible in one case of a thousand.
constexpr int kDisturbed = 4;
constexpr double kMoreError = 2;

}  // namespace

struct Restart::Impl : RestartStages {
  Impl(const AnalyzedSystem& p, const std::vector<NodeId>& guard_roots) : RestartStages(p) {
    make_guards(guard_roots);
  }

  void make_guards(const std::vector<NodeId>& roots) {
    if (roots.empty()) return;
    guards.emplace(system.graph(), roots, &system.model->functions(),
                   [this](Leaf leaf) { return slots.find_or_add(leaf); });
    guard_leaves = guards->leaves();
    std::erase_if(guard_leaves, [&](Leaf leaf) { return !slots.contains(leaf); });
    guard_jacobian.emplace(*guards, guard_leaves);
  }

  RestartResult solve(const RestartInput& in) {
    begin(in);
    if (!solve_stages(in.sources) || !keep_resets() ||
        !FreeVariables(*this, reset_sources).give_way())
      return std::move(result);
    measure_errors();
    collect();
    check_admissible();
    if (result.succeeded()) solve_loops(0);
    return std::move(result);
  }

  // --- errors: what disturbed left limits lead to
  // -------------------------------------------------

  // All that is singular, in one list: contents of columns, then of guards, by order.
  std::vector<double> contents() {
    std::vector<double> list;
    for (Leaf leaf : columns)
      for (int s = 0; s <= max_c; ++s) list.push_back(limits.content(leaf, s));
    for (const std::vector<double>& guard : guard_contents())
      list.insert(list.end(), guard.begin(), guard.end());
    return list;
  }

  std::size_t num_orders() const { return static_cast<std::size_t>(max_c) + 1; }

  // By guard and order.
  std::vector<std::vector<double>> guard_contents() {
    if (!guards) return {};
    guard_jacobian->evaluate(point(limits.right));
    std::vector<std::vector<double>> list(guards->num_roots(),
                                          std::vector<double>(num_orders(), 0.0));
    for (std::size_t g = 0; g < list.size(); ++g)
      for (const JacobianEntry& entry : guard_jacobian->row(g))
        for (std::size_t s = 0; s < num_orders(); ++s) {
          const double part = limits.content(guard_leaves[entry.column], static_cast<int>(s));
          if (part != 0) list[g][s] += entry.value * part;
        }
    return list;
  }

  void measure_jumps() {
    for (VarId column : ids<VarId>(n))
      for (int order = 0; order < d[column]; ++order) {
        const std::size_t k = slots.at(column, order);
        const double error = error_of({system.unknowns[column], order});
        const double jump = std::abs(limits.right[k] - limits.left[k]);
        if (jump > 0) result.largest_jump = std::max(result.largest_jump, jump / error);
      }
  }

  // Without a jump beyond its error there are no impulses but those of errors. Otherwise they are
  // compared with what left limits that are a little different lead to.
  void measure_errors() {
    measure_jumps();
    content_errors.assign(
        columns.size() * num_orders() + (guards ? guards->num_roots() * num_orders() : 0), 0.0);
    has_impulses = result.largest_jump > 1 || !input->sources.empty();
    if (!has_impulses || !input->sources.empty()) return;
    const std::vector<double> exact = contents(), left_values = limits.left,
                              right_values = limits.right;
    const auto exact_impulses = limits.impulses;
    const RestartResult so_far = result;
    std::uint64_t state = 1;
    for (int round = 0; round < kDisturbed; ++round) {
      limits.left = left_values;
      disturb(state);
      if (!solve_stages(reset_sources)) continue;
      const std::vector<double> disturbed = contents();
      for (std::size_t k = 0; k < exact.size(); ++k)
        content_errors[k] =
            std::max(content_errors[k], kMoreError * std::abs(disturbed[k] - exact[k]));
    }
    limits.left = left_values;
    limits.right = right_values;
    limits.impulses = exact_impulses;
    result = so_far;
  }

  // By half to one and a half errors, up or down; the same at every restart.
  void disturb(std::uint64_t& state) {
    for (VarId column : ids<VarId>(n))
      for (int order = 0; order <= d[column]; ++order) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const double random = static_cast<double>(state >> 11) * 0x1p-53;  // 0 .. 1
        const double factor = random < 0.5 ? -1.5 + 2 * random : 2 * random - 0.5;
        limits.left[slots.at(column, order)] += factor * error_of({system.unknowns[column], order});
      }
  }

  double error_of_content(std::size_t column_place, int s) const {
    return content_errors[column_place * num_orders() + static_cast<std::size_t>(s)];
  }

  // --- values that reinit() gives
  // -----------------------------------------------------------------

  double missing(const std::pair<Leaf, double>& reset) const {
    const VarId column = *system.find_column(reset.first.variable);
    const double missed = reset.second - limits.right[slots.at(column, reset.first.order)];
    return std::abs(missed) <= kKept * std::abs(reset.second) ? 0.0 : missed;
  }

  // The weights of deltas in the equations of the resets with which these hold: Newton's method
  // with differences, exact in one step where the constraints are linear.
  bool keep_resets() {
    reset_sources.clear();
    std::vector<std::pair<Leaf, double>> bound;
    for (const auto& reset : input->resets)
      if (slots.contains(reset.first) &&
          reset.first.order < d[*system.find_column(reset.first.variable)] && missing(reset) != 0)
        if (const auto eq = find_equation_of(*this, reset.first)) {
          bound.push_back(reset);
          reset_sources.emplace_back(*eq, 0.0);
        }
    if (bound.empty()) return true;
    for (int round = 0; round < kMostResetRounds; ++round)
      if (const auto is_done = improve_resets(bound)) return *is_done;
    for (const auto& reset : bound)
      if (missing(reset) != 0)
        result.warnings.push_back(
            fmt::format("`reinit` gives `{}` the value {:.6g}, but the equations make it {:.6g}",
                        system.unknown_names[*system.find_column(reset.first.variable)],
                        reset.second, reset.second - missing(reset)));
    return true;
  }

  // One step; true if all values hold, false if the restart fails, nothing if more is to be done.
  std::optional<bool> improve_resets(const std::vector<std::pair<Leaf, double>>& bound) {
    const auto size = static_cast<Eigen::Index>(bound.size());
    const auto misses = [&] {
      Eigen::VectorXd list(size);
      for (Eigen::Index k = 0; k < size; ++k) list[k] = missing(bound[static_cast<std::size_t>(k)]);
      return list;
    };
    const Eigen::VectorXd missed = misses();
    if (missed.cwiseAbs().maxCoeff() == 0) return true;
    Eigen::MatrixXd response(size, size);
    const double weight = missed.cwiseAbs().maxCoeff();
    for (Eigen::Index k = 0; k < size; ++k) {
      auto& of_source = reset_sources[static_cast<std::size_t>(k)].second;
      of_source += weight;
      if (!solve_stages(reset_sources)) return false;
      response.col(k) = (missed - misses()) / weight;
      of_source -= weight;
    }
    const Eigen::VectorXd change = linalg::solve_least_squares(response, missed);
    for (Eigen::Index k = 0; k < size; ++k)
      reset_sources[static_cast<std::size_t>(k)].second += change[k];
    if (!solve_stages(reset_sources)) return false;
    return std::nullopt;
  }

  // --- what an impulse may meet
  // --------------------------------------------------------------------

  // Highest s with delta^(s) in the leaf, -1 if it is regular.
  int singular_order(std::size_t place) const {
    for (int s = max_c; s >= 0; --s)
      if (std::abs(limits.content(columns[place], s)) > error_of_content(place, s)) return s;
    return -1;
  }

  std::size_t slot_of_column(Leaf leaf) const {
    return slots.at(*system.find_column(leaf.variable), leaf.order);
  }

  void check_admissible() {
    if (!has_impulses) return;
    std::vector<int> orders;
    for (std::size_t k = 0; k < columns.size(); ++k) orders.push_back(singular_order(k));
    if (std::all_of(orders.begin(), orders.end(), [](int order) { return order < 0; })) return;
    check_growth(orders);
    if (result.succeeded()) check_coefficients(orders);
  }

  // Impulsive quantities must enter at most linearly: f at s times the impulses grows like s.
  void check_growth(const std::vector<int>& orders) {
    constexpr double kFar = 1e4, kFarther = 1e8;
    const auto growth = [&](double s) {
      std::vector<double> values = limits.right;
      for (std::size_t k = 0; k < columns.size(); ++k)
        if (orders[k] >= 0)
          values[slot_of_column(columns[k])] += s * limits.content(columns[k], orders[k]);
      const auto f = equations->evaluate(point(values));
      std::vector<double> result_values(f.begin(), f.end());
      for (double& value : result_values) value /= s;
      return result_values;
    };
    const std::vector<double> far = growth(kFar), farther = growth(kFarther);
    for (EqId eq : ids<EqId>(n))
      if (std::abs(farther[eq.index()]) > 10 * (std::abs(far[eq.index()]) + 1)) {
        fail("superlinear-impulse",
             fmt::format("equation `{}` contains an impulse more than linearly",
                         system.equation_names[eq]));
        return;
      }
  }

  // A coefficient that jumps where its factor is impulsive.
  void check_coefficients(const std::vector<int>& orders) {
    std::vector<std::vector<double>> at_left(n), at_right(n);
    const auto load = [&](const std::vector<double>& values, auto& to) {
      jacobian->evaluate(point(values));
      for (std::size_t i = 0; i < n; ++i)
        for (const JacobianEntry& entry : jacobian->row(i)) to[i].push_back(entry.value);
    };
    load(limits.left, at_left);
    load(limits.right, at_right);
    average_jacobian();
    for (EqId eq : ids<EqId>(n))
      for (std::size_t k = 0; k < averaged[eq.index()].size(); ++k) {
        const auto [place, mean] = averaged[eq.index()][k];
        const double before = at_left[eq.index()][k], after = at_right[eq.index()][k];
        const double size = std::max({1.0, std::abs(before), std::abs(after)});
        if (orders[place] < 0 || std::abs(after - before) <= 1e3 * input->noise * size) continue;
        const std::string name = system.unknown_names[*system.find_column(columns[place].variable)];
        if (orders[place] > 0) {
          fail("impulse-times-jump",
               fmt::format("equation `{}` multiplies a derivative of an impulse, of `{}`, by a "
                           "coefficient that jumps from {:.6g} to {:.6g}",
                           system.equation_names[eq], name, before, after));
          return;
        }
        result.warnings.push_back(
            fmt::format("the coefficient of impulsive `{}` in equation `{}` jumps: right {:.6g}, "
                        "used {:.6g}, left {:.6g}",
                        name, system.equation_names[eq], after, mean, before));
      }
  }

  void collect() {
    result.right.resize(n);
    for (VarId column : ids<VarId>(n))
      for (int order = 0; order < d[column]; ++order)
        result.right[column.index()].push_back(limits.right[slots.at(column, order)]);
    result.guard_impulses.resize(guards ? guards->num_roots() : 0);
    if (!has_impulses) return;
    for (VarId column : ids<VarId>(n)) collect_impulses(column);
    const auto of_guards = guard_contents();
    for (std::size_t g = 0; g < of_guards.size(); ++g) collect_guard(g, of_guards[g]);
  }

  // The impulse of order k is content of order k of the variable itself, or of a derivative
  // that occurs instead of it.
  void collect_impulses(VarId column) {
    for (std::size_t k = 0; k < limits.impulses[column.index()].size(); ++k) {
      const double weight = limits.impulses[column.index()][k];
      double error = 0;
      for (std::size_t place = 0; place < columns.size(); ++place) {
        const int s = static_cast<int>(k) + columns[place].order;
        if (columns[place].variable == system.unknowns[column] && s <= max_c)
          error = std::max(error, error_of_content(place, s));
      }
      if (std::abs(weight) > error)
        result.impulses.push_back({column, static_cast<int>(k), weight});
    }
  }

  void collect_guard(std::size_t g, const std::vector<double>& contents_of_guard) {
    const std::size_t first = (columns.size() + g) * num_orders();
    std::vector<double>& list = result.guard_impulses[g];
    for (std::size_t s = num_orders(); s-- > 0;) {
      const double value = contents_of_guard[s];
      const bool is_error = std::abs(value) <= content_errors[first + s];
      if (!list.empty() || !is_error) list.push_back(is_error ? 0.0 : value);
    }
  }

  std::optional<Evaluator> guards;
  std::vector<Leaf> guard_leaves;
  std::optional<Jacobian> guard_jacobian;
  std::vector<std::pair<EqId, double>> reset_sources;  // that keep the resets
  std::vector<double> content_errors;                  // of contents()
  bool has_impulses = false;
};

Restart::Restart(const AnalyzedSystem& prepared, const std::vector<NodeId>& guards)
    : impl_(std::make_unique<Impl>(prepared, guards)) {}
Restart::~Restart() = default;
Restart::Restart(Restart&&) noexcept = default;

RestartResult Restart::solve(const RestartInput& input) { return impl_->solve(input); }

}  // namespace hydae

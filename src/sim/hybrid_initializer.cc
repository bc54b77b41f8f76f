#include "sim/hybrid_initializer.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hydae/error.h>

#include "base/derivative_name.h"
#include "compile/observers.h"
#include "compile/start_values.h"
#include "expr/incidence.h"
#include "expr/linearity.h"
#include "expr/switches.h"
#include "linalg/dense_factors.h"
#include "sim/contact_switches.h"
#include "sim/expansion_failure.h"
#include "sim/fixed_point.h"
#include "sim/mode_search.h"
#include "sim/quoted_text.h"
#include "sim/trial_solver.h"

namespace hydae {
namespace {

constexpr int kMostRounds = 20;
constexpr int kMostPlainInitialRounds =
    3;  // discrete part, past and solution in turn, before they are a loop
constexpr int kMostSteadyStateSteps = 20;
constexpr std::size_t kMostContactsInCycle = 8;
constexpr std::size_t kMostLimits = 4;  // that are looked at from both sides

std::vector<NodeId> guard_roots(const HybridModel& model) {
  std::vector<NodeId> guards;
  for (const Relation& relation : model.relations()) guards.push_back(relation.guard);
  return guards;
}

// x of a guard that is a straight line over x alone.
std::optional<Leaf> compared_variable(Graph& graph, NodeId guard) {
  const auto read = leaves(graph, std::span(&guard, 1));
  if (read.size() != 1 || contents(graph, guard).has_pre) return std::nullopt;
  const Leaf leaf = read[0];
  if (linearity(graph, guard, std::span(&leaf, 1)) != Linearity::kLinear) return std::nullopt;
  return leaf;
}

// Values before the start that are the same but for rounding.
bool is_same_past(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kRoundingOfPast = 1e-13;
  return std::equal(a.begin(), a.end(), b.begin(), [](double u, double v) {
    return std::abs(u - v) <= kRoundingOfPast * std::max(std::abs(u), std::abs(v));
  });
}

void guess_counts(const HybridModel& hybrid, std::span<const double> guards, Switches& switches) {
  for (std::size_t k = 0; k < switches.counts.size(); ++k) {
    const Counter& counter = hybrid.counters()[k];
    double& count = switches.counts[k];
    const double u = guards[counter.lower] + counter_bounds(counter.op, count).first;
    count = counter.op == Op::kFloor  ? std::floor(u)
            : counter.op == Op::kCeil ? std::ceil(u)
                                      : std::trunc(u);
    if (!std::isfinite(count)) count = 0;
  }
}

int sign_of(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

double value_at(const std::map<Leaf, double>& point, Leaf leaf, double otherwise) {
  const auto at = point.find(leaf);
  return at == point.end() ? otherwise : at->second;
}

// Values of the entries of a program at a point; NaN where it has none.
std::vector<double> state_at(const CompiledMode& mode, const std::map<Leaf, double>& point) {
  std::vector<double> state;
  for (const codegen::JetEntry& entry : mode.compiled.program->entries()) {
    const VarId column(static_cast<std::size_t>(entry.variable));
    state.push_back(value_at(point, {mode.prepared.system.unknowns[column], entry.order},
                             std::numeric_limits<double>::quiet_NaN()));
  }
  return state;
}

bool agree(const std::vector<Reinit>& a, const std::vector<Reinit>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Reinit& x, const Reinit& y) {
    return x.target == y.target && std::abs(x.value - y.value) <= 1e-12 * std::abs(x.value);
  });
}

bool agree_but_for_rounding(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!(std::abs(a[k] - b[k]) <= 1e-14 * std::abs(a[k]))) return false;
  return true;
}

// A start value that is given, and is no number.
std::optional<Failure> find_undefined_start(const Model& model) {
  const std::vector<double> parameters = model.parameter_values();
  for (const Variable& variable : model.all_variables())
    for (const StartValue& start : variable.starts) {
      if (number_of(model, start.value, parameters)) continue;
      const NodeId value = start.value.in(model.graph());
      const Contents parts = contents(model.graph(), value);
      if (parts.has_variables || parts.has_pre) continue;
      const std::string place = model.sources ? model.sources->place(variable.source) : "";
      return Failure{
          Status::kInitializationFailed,
          fmt::format("initialization: the start value {} of {} is not a number{}",
                      quoted(to_string(model.graph(), value, model.names(), kTextInMessage)),
                      quoted(derivative_name(variable.name, start.order)),
                      place.empty() ? "" : fmt::format(" ({})", place))};
    }
  return std::nullopt;
}

}  // namespace

HybridInitializer::HybridInitializer(const HybridModel& model, const RunSettings& settings,
                                     const SimulateOptions& options, const Tools& tools)
    : hybrid_(model),
      model_(model.model()),
      settings_(settings),
      options_(options),
      tools_(tools),
      table_(model),
      guards_(model, guard_roots(model)) {
  for (const Relation& relation : model.relations())
    compared_.push_back(relation.is_bound ? std::nullopt
                                          : compared_variable(model.graph(), relation.guard));
}

std::optional<double> HybridInitializer::find_override(Leaf leaf) const {
  for (const StartOverride& start : options_.start_values)
    if (const auto named = find_named_leaf(model_, start.variable); named && named->leaf == leaf)
      return named->factor * start.value;
  return std::nullopt;
}

double HybridInitializer::start_of(Leaf leaf) const {
  if (const auto value = find_override(leaf)) return *value;
  return start_value(model_, leaf, table_.numbers()).value_or(0.0);
}

// With start values of continuous variables.
EvaluationContext HybridInitializer::instant(const HybridState& state, const Values& pre,
                                             const std::vector<double>& table) const {
  EvaluationContext start;
  start.t = settings_.start;
  start.continuous = start.before = [this](Leaf leaf) { return start_of(leaf); };
  start.discrete = &state.discrete;
  start.pre = &pre;
  start.table = &table;
  start.is_initial = true;
  return start;
}

// Initial equations such as y = pre(y) leave the values under pre() open.
Outcome<HybridStart> HybridInitializer::find_start() {
  if (auto undefined = find_undefined_start(model_)) return *std::move(undefined);
  const std::vector<double> parameters = model_.parameter_values();
  Values given(model_.num_variables(), 0.0);
  for (VarId variable : hybrid_.discrete_variables())
    given[variable.index()] =
        find_override({variable, 0})
            .value_or(start_value(model_, {variable, 0}, parameters).value_or(0.0));
  roles_ = sort_initial_equations(model_, options_.start_values);
  Values pre = initial_pre(given, [this](Leaf leaf) { return start_of(leaf); });
  return roles_.open.empty() ? find_with_discrete(std::move(pre))
                             : find_steady(std::move(pre), roles_.open);
}

// Values under pre() at the start: the start values, or what initial equations say at a point.
HybridInitializer::Values HybridInitializer::initial_pre(
    const Values& from, const std::function<double(Leaf)>& continuous) {
  std::vector<NodeId> roots;
  const std::vector<InitialAssignment>& given = roles_.assignments;
  for (const InitialAssignment& equation : given) roots.push_back(equation.value);
  Values pre = from;
  if (given.empty()) return pre;
  CompiledExpressions values(hybrid_, roots);
  for (std::size_t sweep = 0; sweep <= given.size(); ++sweep) {
    HybridState state;
    EvaluationContext now = instant(state, pre, table_.numbers());
    now.continuous = now.before = continuous;
    now.discrete = &pre;
    const auto numbers = values.evaluate(now);
    for (std::size_t k = 0; k < given.size(); ++k)
      if (std::isfinite(numbers[k])) pre[given[k].target.index()] = numbers[k];
  }
  return pre;
}

// Initial equations may give discrete variables values of continuous ones: as often as these
// change, the initialization is repeated.
Outcome<HybridStart> HybridInitializer::find_with_discrete(Values pre) {
  const Values given = pre;
  for (int round = 0; round < kMostRounds; ++round) {
    Outcome<HybridStart> start = find_with(pre);
    if (!start) return start;
    Values next = initial_pre(given, [&](Leaf leaf) {
      return start->solution->value_or(start->state.discrete[leaf.variable.index()], leaf,
                                       settings_.start);
    });
    if (agree_but_for_rounding(next, pre)) return start;
    pre = std::move(next);
  }
  return Failure{Status::kInitializationFailed,
                 "initialization: discrete values that initial equations give and the solution "
                 "never agree"};
}

// Newton's method on the values under pre(), around the initialization.
Outcome<HybridStart> HybridInitializer::find_steady(Values pre, const std::vector<NodeId>& open) {
  std::vector<VarId> unknowns;
  for (NodeId residual : open)
    unknowns.push_back(leaves(model_.graph(), std::span(&residual, 1))[0].variable);
  const auto n = static_cast<Eigen::Index>(open.size());
  CompiledExpressions residuals(hybrid_, open);
  const auto evaluate = [&](Eigen::VectorXd& r) {
    Outcome<HybridStart> start = find_with(pre);
    if (!start) return start;
    EvaluationContext now = instant(start->state, pre,
                                    table_.fill({start->state.switches, start->state.discrete, pre,
                                                 start->state.pieces, nullptr, true}));
    now.continuous = now.before = [&](Leaf leaf) {
      return start->solution->value_or(0.0, leaf, settings_.start);
    };
    now.is_initial = false;
    const auto values = residuals.evaluate(now);
    r = Eigen::Map<const Eigen::VectorXd>(values.data(), n);
    return start;
  };
  for (int step = 0; step < kMostSteadyStateSteps; ++step) {
    Eigen::VectorXd r(n), shifted(n);
    Outcome<HybridStart> start = evaluate(r);
    if (!start || r.lpNorm<Eigen::Infinity>() <= 1e-13) return start;
    Eigen::MatrixXd J(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      double& value = pre[unknowns[static_cast<std::size_t>(k)].index()];
      const double here = value;
      value += 1e-3 * std::max(1.0, std::abs(here));
      const double h = value - here;
      if (const auto moved = evaluate(shifted); !moved) return moved.failure();
      J.col(k) = (shifted - r) / h;
      value = here;
    }
    const Eigen::VectorXd change = linalg::FullPivotLu(J).solve(r);
    for (Eigen::Index k = 0; k < n; ++k)
      pre[unknowns[static_cast<std::size_t>(k)].index()] -= change[k];
  }
  return Failure{Status::kInitializationFailed,
                 "initialization: no steady state of the discrete variables found"};
}

// Relations at the start values, as they stand.
HybridState HybridInitializer::guess(const Values& pre) {
  HybridState state;
  Switches& switches = state.switches;
  switches.bits.assign(hybrid_.relations().size(), true);
  switches.counts.assign(hybrid_.counters().size(), 0.0);
  state.discrete = pre;
  state.conditions.assign(tools_.discrete_part.num_conditions(), false);
  state.histories.resize(hybrid_.delays().size());
  state.guards.sizes.resize(hybrid_.relations().size());
  tools_.inputs.begin(settings_.start, state);
  tools_.delays.begin(settings_.start, Values(state.histories.size(), 0.0), state);
  const auto fill = [&]() -> const std::vector<double>& {
    return table_.fill({switches, state.discrete, pre, state.pieces, nullptr, true});
  };
  for (int sweep = 0; sweep < 3; ++sweep) {
    tools_.delays.choose_pieces(instant(state, pre, fill()), {}, state);
    tools_.delays.begin(settings_.start, tools_.delays.signals(instant(state, pre, fill())), state);
    tools_.delays.choose_pieces(instant(state, pre, fill()), {}, state);
    const auto values = guards_.evaluate(instant(state, pre, fill()));
    guess_counts(hybrid_, values, switches);
    for (std::size_t k = 0; k < switches.bits.size(); ++k)
      if (!hybrid_.relations()[k].is_bound)
        switches.bits[k] = hybrid_.relations()[k].truth(sign_of(values[k]));
    state.discrete =
        tools_.discrete_part.evaluate(instant(state, pre, fill()), state.conditions).values;
  }
  return state;
}

// A mode in which the guesses can be held comes before any in which they must be let go: a wrong
// guess of a flow's direction does not move the levels. Where equations have no solution in any
// mode, for their sake alone.
Outcome<HybridStart> HybridInitializer::find_with(const Values& pre) {
  if (!hybrid_.relations().empty() && options_.rules.guesses == Guesses::kKept) {
    Release release{false};
    for (std::size_t last = 1; last != release.rows.size();) {
      last = release.rows.size();
      Outcome<HybridStart> held = search_contacts(pre, release);
      if (held || held.failure().status == Status::kAssertionFailed) return held;
      release.rows.merge(std::move(without_solution_));
    }
  }
  Outcome<HybridStart> found = search_contacts(pre, {});
  if (found.has_failed_with(Status::kIllPosedMode) && first_defects_ != nullptr)
    throw ModelError(*first_defects_);
  return found;
}

// Contacts begin as they are given, as a rule open. Where that has no solution (a current that must
// flow through one of two diodes), others are closed: one of them, then two, and so on.
Outcome<HybridStart> HybridInitializer::search_contacts(const Values& pre, const Release& release) {
  Outcome<HybridStart> as_given = search_mode(pre, release);
  if (as_given || as_given.failure().status == Status::kAssertionFailed) return as_given;
  // Each of them would go round in the same circle.
  if (as_given.failure().status == Status::kModeCycle &&
      hybrid_.contacts().size() > kMostContactsInCycle)
    return as_given;
  std::set<std::string> rows = std::move(without_solution_);
  for (const Values& other : other_contact_states(hybrid_, pre)) {
    if (Outcome<HybridStart> found = search_mode(other, release)) return found;
    std::erase_if(rows, [&](const std::string& row) { return !without_solution_.contains(row); });
  }
  without_solution_ = std::move(rows);
  return as_given;
}

Outcome<HybridStart> HybridInitializer::search_mode(const Values& pre, const Release& release) {
  const HybridState start = guess(pre);
  SwitchSearch search(start.switches, time_relations(hybrid_), switch_groups(hybrid_));
  Findings findings;
  const bool has_sides = std::any_of(compared_.begin(), compared_.end(),
                                     [](const auto& leaf) { return leaf.has_value(); });
  bool goes_on = true;
  while (goes_on) {
    Outcome<Attempt> tried =
        attempt(pre, start, search.candidate(), {{}, Roots::kAnywhere, release});
    if (tried && tried->is_solved() && !tried->agrees() && has_sides) {
      Outcome<Attempt> other =
          attempt(pre, start, search.candidate(), {{}, Roots::kOnTheirSide, release});
      if (other && other->agrees()) tried = std::move(other);
    }
    if (tried && tried->agrees()) {
      if (const WhenAction* failed = tried->discrete.failed_assertion)
        return Failure{Status::kAssertionFailed,
                       fmt::format("assertion at t = {:.10g}: {}", settings_.start,
                                   tried->discrete.texts.at(failed))};
      warn_of_repelling_limits(pre, start, *tried);
      return accepted(*std::move(tried));
    }
    note(tried, findings);
    // Both sides of a limit lead back to it: the first event finds how the solution stays there.
    goes_on = search.advance(tried ? tried->wanted : std::nullopt) &&
              !(findings.contested && search.has_cycled());
  }
  // What a silent relation leads to may be undefined just at its limit: see step_over().
  if (findings.tolerable) return accepted(*std::move(findings.tolerable));
  if (findings.contested) {
    HybridStart result = accepted(*std::move(findings.contested));
    result.conflict.insert(findings.contest.begin(), findings.contest.end());
    return result;
  }
  without_solution_ = findings.without_solution.value_or(std::set<std::string>());
  if (!findings.has_solved) {
    if (first_defects_ != nullptr) findings.failure.status = Status::kIllPosedMode;
    return findings.failure;
  }
  return Failure{
      Status::kModeCycle,
      fmt::format("initialization: no mode is consistent with its own solution ({} tried); "
                  "switching: {}",
                  search.num_trials(), quoted_list(texts_of(hybrid_, findings.switching)))};
}

void HybridInitializer::note(const Outcome<Attempt>& tried, Findings& findings) const {
  if (!tried || !tried->is_solved()) {
    findings.failure = tried ? tried->failure : tried.failure();
    const auto here = last_ ? last_->point.without_solution : std::set<std::string>();
    if (!findings.without_solution) findings.without_solution = here;
    std::erase_if(*findings.without_solution,
                  [&](const std::string& row) { return !here.contains(row); });
    return;
  }
  findings.has_solved = true;
  const Switches &switches = tried->state.switches, &wanted = *tried->wanted;
  const auto conflict = differences(switches.bits, wanted.bits);
  findings.switching.insert(conflict.begin(), conflict.end());
  if (wanted.counts != switches.counts) return;
  const Cause none;
  const GuardSigns::Subject subject{*tried->solution, tried->state.guards, none};
  if (tools_.signs.at_limit(subject, conflict) != conflict) return;
  if (are_silent(hybrid_, conflict)) findings.tolerable = *tried;
  findings.contested = *tried;
  findings.contest = conflict;
}

// A start on a limit from which two solutions go on, as its relation is taken.
void HybridInitializer::warn_of_repelling_limits(const Values& pre, const HybridState& start,
                                                 const Attempt& accepted) {
  std::set<std::size_t> switching;
  const Switches& switches = accepted.state.switches;
  for (std::size_t k = 0; k < switches.bits.size(); ++k)
    if (!hybrid_.relations()[k].is_silent && !hybrid_.relations()[k].is_bound) switching.insert(k);
  const Cause none;
  const auto at_limit = tools_.signs.at_limit({*accepted.solution, start.guards, none}, switching);
  if (at_limit.size() > kMostLimits) return;
  for (std::size_t k : at_limit) {
    if (accepted.leaving.count(k) != 0) continue;
    Switches other = switches;
    other.bits[k].flip();
    const Outcome<Attempt> tried = attempt(pre, start, other, {});
    if (tried && tried->agrees() && tried->leaving.count(k) == 0 &&
        tools_.signs.sign({*tried->solution, start.guards, none}, k).sign != 0)
      tools_.report.warn_once(
          fmt::format("initialization: `{}` starts at its limit, and either truth value has a "
                      "solution of its own that agrees with it; {} was taken",
                      hybrid_.relations()[k].text, switches.bits[k] ? "true" : "false"));
  }
}

HybridStart HybridInitializer::accepted(Attempt attempt) const {
  HybridStart start;
  start.conflict = std::move(attempt.leaving);
  start.state = std::move(attempt.state);
  start.state.discrete = std::move(attempt.discrete.values);
  start.state.conditions = std::move(attempt.discrete.conditions);
  start.solution = std::move(attempt.solution);
  start.point = std::move(attempt.point);
  return start;
}

// Before the start delayed signals have had these values.
void HybridInitializer::set_past(const std::vector<double>& past, const Values& pre,
                                 HybridState& state) {
  tools_.delays.begin(settings_.start, past, state);
  const auto& table =
      table_.fill({state.switches, state.discrete, pre, state.pieces, nullptr, true});
  tools_.delays.choose_pieces(instant(state, pre, table), {}, state);
}

// A delayed signal that depends on its own delayed value at once (neutral equations): before the
// start it has had the value that it has there.
std::optional<std::vector<double>> HybridInitializer::past_of_loop(const Values& pre,
                                                                   const Attempt& tried,
                                                                   const Asked& asked,
                                                                   std::vector<double> first) {
  HybridState state = tried.state;
  const ValueMap map = [&](const std::vector<double>& past) -> Outcome<std::vector<double>> {
    set_past(past, pre, state);
    Outcome<SolutionPtr> solution = solve_in_mode(state, pre, asked);
    if (!solution) return std::move(solution).failure();
    std::vector<double> delayed;
    for (std::size_t k = 0; k < past.size(); ++k) delayed.push_back((*solution)->delayed(k));
    return delayed;
  };
  Outcome<std::vector<double>> found = find_fixed_point(map, std::move(first));
  if (!found) return std::nullopt;
  return *std::move(found);
}

// What the solution with these switches asks for, or, without one, the point that was found. A
// failure if that says nothing either.
Outcome<HybridInitializer::Attempt> HybridInitializer::attempt(const Values& pre,
                                                               const HybridState& start,
                                                               const Switches& switches,
                                                               const Asked& asked) {
  Attempt tried;
  HybridState& state = tried.state = start;
  state.switches = switches;
  std::vector<double> past(state.histories.size(), 0.0);
  for (int round = 0; round < kMostRounds; ++round) {
    EvaluationContext now = instant(
        state, pre, table_.fill({switches, state.discrete, pre, state.pieces, nullptr, true}));
    if (tried.solution)
      now.continuous = [&](Leaf leaf) {
        return tried.solution->value_or(0.0, leaf, settings_.start);
      };
    DiscreteOutcome outcome = tools_.discrete_part.evaluate(now, state.conditions);
    const bool agrees = round > 0 &&
                        agree_for_continuous(hybrid_, outcome.values, tried.discrete.values) &&
                        agree(outcome.reinits, tried.discrete.reinits);
    tried.discrete = std::move(outcome);
    state.discrete = tried.discrete.values;
    std::vector<double> delayed;
    for (std::size_t k = 0; k < past.size() && round > 0; ++k)
      delayed.push_back(tried.solution->delayed(k));
    const bool has_past = delayed.empty() || is_same_past(delayed, past);
    if (agrees && has_past) {
      Cause initial;
      initial.is_initial = true;
      GuardReading reading =
          tools_.signs.read({*tried.solution, state.guards, initial}, {switches, {}});
      state.guards.known_zeros = std::move(reading.known_zeros);
      state.guards.residues = std::move(reading.residues);
      tried.wanted = std::move(reading.wanted.switches);
      tried.leaving = std::move(reading.leaving);
      return tried;
    }
    const Asked in_mode{tried.discrete.reinits, asked.roots, asked.release};
    if (!delayed.empty()) {
      past = delayed;
      if (!has_past && round > kMostPlainInitialRounds)
        if (auto found = past_of_loop(pre, tried, in_mode, past)) past = *std::move(found);
      set_past(past, pre, state);
    }
    Outcome<SolutionPtr> solution = solve_in_mode(state, pre, in_mode);
    tried.solution.reset();
    if (!solution) {
      tried.wanted = switches_at_point(pre, state);
      if (!tried.wanted) return solution.failure();
      tried.failure = solution.failure();
      return tried;
    }
    tried.solution = *std::move(solution);
    tried.point = last_;
  }
  return Failure{Status::kInitializationFailed,
                 "initialization: discrete values and the solution never agree"};
}

// Where the equations of a mode have no regular solution, a point that satisfies them as well as
// can be may still say which mode is meant: a flow that was guessed to be zero has its direction.
// Nothing if it asks for what was tried.
std::optional<Switches> HybridInitializer::switches_at_point(const Values& pre,
                                                             const HybridState& state) {
  if (point_.empty()) return std::nullopt;
  EvaluationContext now = instant(
      state, pre, table_.fill({state.switches, state.discrete, pre, state.pieces, nullptr, true}));
  now.continuous = [this](Leaf leaf) { return value_at(point_, leaf, 0.0); };
  const auto values = guards_.evaluate(now);
  Switches result = state.switches;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (std::abs(values[k]) > tools_.signs.smallest(k) && !hybrid_.relations()[k].is_bound)
      result.bits[k] = hybrid_.relations()[k].truth(sign_of(values[k]));
  if (result == state.switches) return std::nullopt;
  return result;
}

// An equation such as -2 = sign(x)*x^2 has a root on either side once its sign is taken for -1;
// only the negative one is meant.
void HybridInitializer::look_on_sides(const HybridState& state, const Values& pre,
                                      InitialSystem& system) {
  EvaluationContext now = instant(
      state, pre, table_.fill({state.switches, state.discrete, pre, state.pieces, nullptr, true}));
  now.continuous = [](Leaf) { return 0.0; };
  const auto zero = guards_.evaluate(now);
  const std::vector<double> at_zero(zero.begin(), zero.end());
  now.continuous = [](Leaf) { return 1.0; };
  const auto at_one = guards_.evaluate(now);
  for (std::size_t k = 0; k < at_zero.size(); ++k) {
    const auto column =
        compared_[k] ? system.leaf_to_column.find(*compared_[k]) : system.leaf_to_column.end();
    const double slope = at_one[k] - at_zero[k], limit = -at_zero[k] / slope;
    if (column == system.leaf_to_column.end() || !std::isfinite(limit)) continue;
    const int sign = hybrid_.relations()[k].truth(1) == state.switches.bits[k] ? 1 : -1;
    InitialColumn& unknown = system.columns[slot(column->second)];
    if (sign * slope > 0)
      unknown.root_min = std::max(unknown.root_min, limit);
    else
      unknown.root_max = std::min(unknown.root_max, limit);
  }
}

// reinit() that acts at the start is an initial equation (Modelica 8.6).
Outcome<HybridInitializer::PointInMode> HybridInitializer::find_point_in_mode(
    const HybridState& state, const Values& pre, const Asked& asked) {
  point_.clear();
  const ModeSelector::Selected selected = tools_.selector.select(
      settings_.start, {state.switches, state.discrete, pre, state.pieces, nullptr, true}, {});
  const CompiledMode& mode = selected.mode;
  if (mode.defects.has_errors()) {
    if (first_defects_ == nullptr) first_defects_ = &mode.defects;
    return Failure{Status::kIllPosedMode,
                   fmt::format("initialization: {}", mode.defects.items()[0].message)};
  }
  if (mode.number == 1)
    for (const Repair& repair : mode.prepared.repairs) tools_.report.warn_once(repair.description);

  InitializeOptions options;
  options.time = settings_.start;
  options.start_values = options_.start_values;
  options.guesses = options_.rules.guesses;
  for (const Reinit& reinit : asked.reinits) {
    const std::string& name = model_.all_variables()[reinit.target.variable].name;
    options.start_values.push_back(
        {derivative_name(name, reinit.target.order), reinit.value, true});
  }
  last_ = std::make_shared<InitialSolution>();
  InitialSystem& system = last_->system =
      make_initial_system(mode.prepared, options, hybrid_.observed().variables);
  for (auto& [leaf, value] : system.held) {
    value = state.discrete[leaf.variable.index()];
    system.held_before[leaf] = pre[leaf.variable.index()];
  }
  system.release = asked.release;
  if (asked.roots == Roots::kOnTheirSide) look_on_sides(state, pre, system);
  const PointSettings settings{settings_.start, selected.numbers};
  ConsistentPoint& point = last_->point = solve_with_observers(system, settings);
  tools_.report.summary().newton_iterations += point.iterations;
  for (const auto& [leaf, column] : system.leaf_to_column)
    point_[leaf] = point.values[static_cast<std::size_t>(column)];
  if (!point.is_solved()) {
    if (!asked.release.is_anywhere)
      return Failure{Status::kInitializationFailed, point.report.message};
    const Diagnostic why = last_->why = explain_failure(system, settings, point);
    return failure_named(why.code, Status::kInitializationFailed, why.message);
  }
  return PointInMode{mode, selected.numbers};
}

Outcome<HybridInitializer::Point> HybridInitializer::find_point() {
  if (auto undefined = find_undefined_start(model_)) return *std::move(undefined);
  const Values none(model_.num_variables(), 0.0);
  const Outcome<PointInMode> found = find_point_in_mode(guess(none), none, {});
  if (found) return Point{&found->mode, point_, found->numbers};
  if (first_defects_ != nullptr) throw ModelError(*first_defects_);
  return found.failure();
}

Outcome<SolutionPtr> HybridInitializer::solve_in_mode(const HybridState& state, const Values& pre,
                                                      const Asked& asked) {
  const Outcome<PointInMode> found = find_point_in_mode(state, pre, asked);
  if (!found) return found.failure();
  SolutionPtr solution = tools_.workspaces.take_series(found->mode);
  solution->load(found->numbers);
  solution->stepper().start(settings_.start, state_at(found->mode, point_), settings_.direction());
  integrate::TaylorStepper& stepper = solution->stepper();
  if (stepper.expand(settings_.stop) || stepper.depart(settings_.stop)) return solution;
  if (hybrid_.relations().empty()) point_without_series_ = point_;
  return expansion_failure(model_, *solution);
}

}  // namespace hydae

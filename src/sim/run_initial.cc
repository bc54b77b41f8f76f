// Initialization with modes: solve with frozen switches, look which ones the solution asks for,
// until they agree. There is no event iteration in this phase: discrete values, switches and the
// continuous solution are one mixed system (Modelica 8.6).
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include <hydae/error.h>

#include "base/derivative_name.h"
#include "compile/consistent_point.h"
#include "compile/start_values.h"
#include "expr/incidence.h"
#include "sim/run.h"

namespace hydae {

namespace {

constexpr int kMostRounds = 20;
constexpr int kMostSteadyStateSteps = 20;
constexpr std::size_t kMostLimits = 4;  // that are looked at from both sides

bool is_discrete(const Model& model, VarId variable) {
  return variable.index() < model.num_variables() &&
         model.all_variables()[variable].kind != VariableKind::kReal;
}

bool has_fixed_start(const Model& model, VarId variable) {
  const auto& starts = model.all_variables()[variable].starts;
  return std::any_of(starts.begin(), starts.end(), [](const auto& start) { return start.fixed; });
}

// v or pre(v) of a discrete variable, alone on one side of an initial equation. With a fixed start
// value v is known, and the equation says something about the other side.
std::optional<VarId> bare_discrete(const Model& model, const Expr& side) {
  if (side.is_number()) return std::nullopt;
  const Op op = model.graph().op(side.id());
  if (op != Op::kVariable && op != Op::kPre) return std::nullopt;
  const VarId variable = model.graph().leaf_of(side.id()).variable;
  if (!is_discrete(model, variable)) return std::nullopt;
  if (op == Op::kVariable && has_fixed_start(model, variable)) return std::nullopt;
  return variable;
}

struct InitialDiscrete {
  VarId target;
  NodeId value;
};

// Initial equations that say what a discrete variable is at the start; others that are about
// discrete values alone are left over: a steady state.
std::vector<InitialDiscrete> initial_discrete(const Model& model, std::vector<NodeId>& left_over) {
  std::vector<InitialDiscrete> result;
  Graph& graph = model.graph();
  for (const Equation& equation : model.initial_equations()) {
    const NodeId lhs = equation.lhs.in(graph), rhs = equation.rhs.in(graph);
    const auto left = bare_discrete(model, equation.lhs),
               right = bare_discrete(model, equation.rhs);
    if (!left && !right) continue;
    if (left && right && *left == *right) {
      left_over.push_back(graph.binary(Op::kSub, lhs, rhs));
      continue;
    }
    result.push_back(left ? InitialDiscrete{*left, rhs} : InitialDiscrete{*right, lhs});
  }
  return result;
}

}  // namespace

double Run::start_of(Leaf leaf) const {
  for (const StartOverride& start : options_.start_values)
    if (parse_derivative_name(start.variable) ==
        std::pair(model_.all_variables()[leaf.variable].name, leaf.order))
      return start.value;
  return start_value(model_, leaf, table_).value_or(0.0);
}

Instant Run::initial_instant(const std::vector<double>& pre) {
  Instant start;
  start.t = settings_.start;
  start.continuous = start.before = [this](Leaf leaf) { return start_of(leaf); };
  start.discrete = &state_.discrete;
  start.pre = &pre;
  start.table = &table_;
  start.is_initial = true;
  return start;
}

// Values under pre() at the start: the start values, or what initial equations say at a point.
std::vector<double> Run::initial_pre(const std::vector<double>& from,
                                     const std::function<double(Leaf)>& continuous) {
  std::vector<NodeId> left_over, roots;
  const std::vector<InitialDiscrete> given = initial_discrete(model_, left_over);
  for (const InitialDiscrete& equation : given) roots.push_back(equation.value);
  std::vector<double> pre = from;
  if (given.empty()) return pre;
  ExpressionList values(hybrid_, roots);
  for (std::size_t sweep = 0; sweep <= given.size(); ++sweep) {
    Instant now = initial_instant(pre);
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
bool Run::initialize_discrete(std::vector<double>& pre) {
  const std::vector<double> given = pre;
  for (int round = 0; round < kMostRounds; ++round) {
    if (!initialize_with(pre)) return false;
    const auto solution = [this](Leaf leaf) { return current_value(leaf, settings_.start); };
    std::vector<double> next = initial_pre(given, solution);
    bool agrees = true;
    for (std::size_t k = 0; k < pre.size(); ++k)
      agrees = agrees && std::abs(next[k] - pre[k]) <= 1e-14 * std::abs(next[k]);
    if (agrees) return true;
    pre = std::move(next);
  }
  fail(Status::kInitializationFailed,
       "initialization: discrete values that initial equations give and the solution never agree");
  return false;
}

// Initial equations such as y = pre(y) leave the values under pre() open: Newton's method on them,
// around the initialization.
bool Run::initialize() {
  std::vector<NodeId> open;
  initial_discrete(model_, open);
  std::vector<double> pre =
      initial_pre(state_.discrete, [this](Leaf leaf) { return start_of(leaf); });
  if (open.empty()) return initialize_discrete(pre);
  std::vector<VarId> unknowns;
  for (NodeId residual : open)
    unknowns.push_back(leaves(model_.graph(), std::span(&residual, 1))[0].variable);
  const auto n = static_cast<Eigen::Index>(open.size());
  ExpressionList residuals(hybrid_, open);
  const auto evaluate = [&](Eigen::VectorXd& r) {
    if (!initialize_with(pre)) return false;
    Instant now = instant(settings_.start);
    now.pre = &pre;
    const auto values = residuals.evaluate(now);
    r = Eigen::Map<const Eigen::VectorXd>(values.data(), n);
    return true;
  };
  for (int step = 0; step < kMostSteadyStateSteps; ++step) {
    Eigen::VectorXd r(n), shifted(n);
    if (!evaluate(r)) return false;
    if (r.lpNorm<Eigen::Infinity>() <= 1e-13) return true;
    Eigen::MatrixXd J(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      double& value = pre[unknowns[static_cast<std::size_t>(k)].index()];
      const double here = value;
      value += 1e-3 * std::max(1.0, std::abs(here));
      const double h = value - here;
      if (!evaluate(shifted)) return false;
      J.col(k) = (shifted - r) / h;
      value = here;
    }
    const Eigen::VectorXd change = J.fullPivLu().solve(r);
    for (Eigen::Index k = 0; k < n; ++k)
      pre[unknowns[static_cast<std::size_t>(k)].index()] -= change[k];
  }
  fail(Status::kInitializationFailed,
       "initialization: no steady state of the discrete variables found");
  return false;
}

// Relations at the start values, as they stand.
Switches Run::guess_switches(const std::vector<double>& pre) {
  std::vector<NodeId> guards;
  for (const Relation& relation : hybrid_.relations()) guards.push_back(relation.guard);
  ExpressionList guard_list(hybrid_, guards);
  Switches guess{std::vector<bool>(guards.size(), true), state_.switches.counts};
  for (int sweep = 0; sweep < 3; ++sweep) {
    load_table(guess.bits, guess.counts, state_.discrete, pre, true);
    const auto values = guard_list.evaluate(initial_instant(pre));
    for (std::size_t k = 0; k < guess.counts.size(); ++k) {
      const Counter& counter = hybrid_.counters()[k];
      const double u = values[counter.lower] + table_[counter.slot + 1];
      guess.counts[k] = counter.op == Op::kFloor  ? std::floor(u)
                        : counter.op == Op::kCeil ? std::ceil(u)
                                                  : std::trunc(u);
      if (!std::isfinite(guess.counts[k])) guess.counts[k] = 0;
    }
    for (std::size_t k = 0; k < guess.bits.size(); ++k)
      if (!hybrid_.relations()[k].is_bound)
        guess.bits[k] = hybrid_.relations()[k].truth(values[k] > 0 ? 1 : values[k] < 0 ? -1 : 0);
    load_table(guess.bits, guess.counts, state_.discrete, pre, true);
    state_.discrete = discrete_part_.evaluate(initial_instant(pre), state_.conditions).values;
  }
  return guess;
}

bool Run::initialize_with(const std::vector<double>& pre) {
  state_.discrete = pre;
  state_.conditions.assign(discrete_part_.num_conditions(), false);
  for (History& history : state_.histories) history.begin(settings_.start, 0);
  choose_pieces(settings_.start);
  SwitchSearch search(guess_switches(pre), time_relations_);
  std::set<std::size_t> switching;
  bool has_solved = false;
  std::optional<Switches> wanted;
  std::optional<Trial> tolerable;
  std::optional<std::pair<Trial, std::set<std::size_t>>> contested;
  do {
    Trial trial;
    trial.bits = search.candidate().bits;
    trial.counts = search.candidate().counts;
    wanted = try_initial_mode(pre, trial);
    if (!wanted || !trial.is_solved) continue;
    has_solved = true;
    if (*wanted == search.candidate())
      return warn_of_repelling_limits(pre, trial) && accept_initial(pre, trial);
    const auto conflict = switches_between(trial.bits, wanted->bits);
    if (wanted->counts == trial.counts && relations_at_limit({}, conflict) == conflict)
      contested.emplace(trial, conflict);
    switching.insert(conflict.begin(), conflict.end());
    if (is_silent(conflict) && wanted->counts == trial.counts) tolerable = trial;
    // Both sides of a limit lead back to it: the first event finds how the solution stays there.
  } while (search.advance(wanted) && !(contested && search.has_cycled()));
  // What a silent relation leads to may be undefined just at the start: see step_over().
  if (tolerable && try_initial_mode(pre, *tolerable) && tolerable->is_solved)
    return accept_initial(pre, *tolerable);
  if (contested && try_initial_mode(pre, contested->first) && contested->first.is_solved) {
    initial_conflict_ = contested->second;
    return accept_initial(pre, contested->first);
  }
  if (!has_solved) {
    if (first_defects_ != nullptr) throw ModelError(*first_defects_);
    return false;
  }
  std::vector<std::string> texts;
  for (std::size_t k : switching) texts.push_back(hybrid_.relations()[k].text);
  fail(Status::kModeCycle,
       fmt::format("initialization: no mode is consistent with its own solution ({} tried); "
                   "switching: {}",
                   search.num_trials(), quoted_list(texts)));
  return false;
}

std::set<std::size_t> Run::relations_at_limit(const Cause& cause,
                                              const std::set<std::size_t>& relations) const {
  std::set<std::size_t> list;
  for (std::size_t k : relations) {
    if (!hybrid_.relations()[k].is_time_only && guard_sign(cause, k).order > 0) list.insert(k);
  }
  return list;
}

// A start on a limit that the solution leaves to either side, as its relation is taken.
bool Run::warn_of_repelling_limits(const std::vector<double>& pre, Trial& trial) {
  std::set<std::size_t> switching;
  for (std::size_t k = 0; k < trial.bits.size(); ++k)
    if (!hybrid_.relations()[k].is_silent && !hybrid_.relations()[k].is_bound) switching.insert(k);
  const std::set<std::size_t> at_limit = relations_at_limit({}, switching);
  if (at_limit.empty() || at_limit.size() > kMostLimits) return true;
  for (std::size_t k : at_limit) {
    Trial other = trial;
    other.bits[k] = !other.bits[k];
    const auto wanted = try_initial_mode(pre, other);
    if (wanted && *wanted == Switches{other.bits, other.counts} && guard_sign({}, k).sign != 0)
      warn_once(
          fmt::format("initialization: `{}` starts at its limit, and with either truth value "
                      "the solution leaves it; {} was taken",
                      hybrid_.relations()[k].text, trial.bits[k] ? "true" : "false"));
  }
  return try_initial_mode(pre, trial) && trial.is_solved;
}

bool Run::accept_initial(const std::vector<double>& pre, const Trial& trial) {
  state_.switches.bits = trial.bits;
  state_.switches.counts = trial.counts;
  state_.discrete = trial.discrete.values;
  state_.conditions = trial.discrete.conditions;
  load_table(state_.switches.bits, state_.switches.counts, state_.discrete, pre, true);
  result_.summary.status = Status::kSuccess;
  result_.summary.message.clear();
  return true;
}

// What the solution with the switches of the trial asks for, or, without one, the point that was
// found.
std::optional<Switches> Run::try_initial_mode(const std::vector<double>& pre, Trial& trial) {
  trial.is_solved = false;
  std::function<double(Leaf)> values = [this](Leaf leaf) { return start_of(leaf); };
  std::vector<double> past(state_.histories.size(), 0.0);
  Cause initial;
  initial.is_initial = true;
  for (int round = 0; round < kMostRounds; ++round) {
    load_table(trial.bits, trial.counts, state_.discrete, pre, true);
    Instant now = initial_instant(pre);
    now.continuous = values;
    DiscreteOutcome outcome = discrete_part_.evaluate(now, state_.conditions);
    const bool agrees = round > 0 && agree_for_continuous(outcome.values, trial.discrete.values);
    trial.discrete = std::move(outcome);
    state_.discrete = trial.discrete.values;
    load_table(trial.bits, trial.counts, state_.discrete, pre, true);
    std::vector<double> delayed;
    for (std::size_t k = 0; k < state_.histories.size() && round > 0; ++k)
      delayed.push_back(stepper_->output_series(static_cast<int>(mode_->layout.delayed(k)))[0]);
    if (agrees && (delayed.empty() || delayed == past)) {
      trial.is_solved = true;
      return switches_from_jets(initial, {trial.bits, trial.counts});
    }
    if (!delayed.empty()) {
      past = delayed;
      begin_histories();
      choose_pieces(settings_.start);
    }
    if (!initialize_in_mode()) return switches_at_point(pre, trial);
    values = [this](Leaf leaf) { return current_value(leaf, settings_.start); };
  }
  fail(Status::kInitializationFailed,
       "initialization: discrete values and the solution never agree");
  return std::nullopt;
}

// Where the equations of a mode have no regular solution, a point that satisfies them as well as
// can be may still say which mode is meant: a flow that was guessed to be zero has its direction.
// Nothing if it asks for what was tried.
std::optional<Switches> Run::switches_at_point(const std::vector<double>& pre, const Trial& trial) {
  if (initial_point_.empty()) return std::nullopt;
  std::vector<NodeId> guards;
  for (const Relation& relation : hybrid_.relations()) guards.push_back(relation.guard);
  Instant now = initial_instant(pre);
  now.continuous = [this](Leaf leaf) {
    const auto at = initial_point_.find(leaf);
    return at == initial_point_.end() ? 0.0 : at->second;
  };
  ExpressionList list(hybrid_, guards);
  const auto values = list.evaluate(now);
  Switches result{trial.bits, trial.counts};
  for (std::size_t k = 0; k < guards.size(); ++k)
    if (std::abs(values[k]) > smallest_guards_[k] && !hybrid_.relations()[k].is_bound)
      result.bits[k] = hybrid_.relations()[k].truth(values[k] > 0 ? 1 : -1);
  if (result == Switches{trial.bits, trial.counts}) return std::nullopt;
  return result;
}

// Solves in the mode that the table stands for.
bool Run::initialize_in_mode() {
  initial_point_.clear();
  Mode& mode = modes_.find_or_make({truths_of(settings_.start, true), {}}, {}, table_);
  if (mode.defects.has_errors()) {
    if (first_defects_ == nullptr) first_defects_ = &mode.defects;
    fail(Status::kIllPosedMode, fmt::format("initialization: {}", mode.defects.items()[0].message));
    return false;
  }
  if (mode.number == 1)
    for (const Repair& repair : mode.prepared.repairs)
      if (std::find(result_.summary.warnings.begin(), result_.summary.warnings.end(),
                    repair.description) == result_.summary.warnings.end())
        result_.summary.warnings.push_back(repair.description);

  InitializeOptions options;
  options.time = settings_.start;
  options.start_values = options_.start_values;
  InitialSystem system = make_initial_system(mode.prepared, options);
  for (auto& [leaf, value] : system.held) value = state_.discrete[leaf.variable.index()];
  const PointSettings settings{settings_.start, table_};
  const ConsistentPoint point = solve_initial_system(system, settings);
  result_.summary.newton_iterations += point.iterations;
  for (const auto& [leaf, column] : system.leaf_to_column)
    initial_point_[leaf] = point.values[static_cast<std::size_t>(column)];
  if (!point.is_solved()) {
    const Diagnostic why = explain_failure(system, settings, point);
    fail(failure_named(why.code, Status::kInitializationFailed, why.message));
    return false;
  }

  std::vector<double> state;
  for (const codegen::JetEntry& entry : mode.compiled.program->entries()) {
    const VarId variable =
        mode.prepared.system.unknowns[VarId(static_cast<std::size_t>(entry.variable))];
    const auto column = system.leaf_to_column.find({variable, entry.order});
    state.push_back(column == system.leaf_to_column.end()
                        ? std::numeric_limits<double>::quiet_NaN()
                        : point.values[static_cast<std::size_t>(column->second)]);
  }
  mode_ = &mode;
  stepper_ = &stepper_of(mode);
  load_inputs();
  stepper_->start(settings_.start, state, settings_.direction());
  if (!stepper_->expand(settings_.stop)) {
    report_expand_failure();
    // With no other mode to try this is where the run ends: the point is its result.
    if (hybrid_.relations().empty())
      recorder_->record(settings_.start, [&](Leaf leaf) {
        const auto at = initial_point_.find(leaf);
        return at == initial_point_.end() ? state_.discrete[leaf.variable.index()] : at->second;
      });
    return false;
  }
  return true;
}

}  // namespace hydae

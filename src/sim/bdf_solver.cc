#include "sim/bdf_solver.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "compile/higher_derivatives.h"

namespace hydae {
namespace {

constexpr double kSelectAgain = 4;              // gain of the determinant by other states
constexpr std::size_t kManyColumns = 150;       // past which the check costs a sparse factorisation
constexpr long kStepsBetweenMeasurements = 16;  // of constraints, for the summary
constexpr long kStepsBetweenChecks = 25;        // then

}  // namespace

void add_counters(const BdfCounters& counters, Summary& summary) {
  const bool has_cvode = counters.has_cvode || summary.bdf.starts_with("CVODE");
  const bool has_ida = counters.has_ida || summary.bdf.ends_with("IDA");
  summary.bdf = has_cvode && has_ida ? "CVODE and IDA" : has_cvode ? "CVODE" : has_ida ? "IDA" : "";
  const integrate::BdfCounters& c = counters.steps;
  summary.steps += c.steps;
  summary.rejected_steps += c.error_test_failures + c.newton_failures;
  summary.jacobians += c.jacobians;
  summary.factorizations += c.factorizations;
  summary.newton_iterations += c.newton_iterations;
  summary.state_selections += counters.selections;
  summary.max_constraint_residual =
      std::max(summary.max_constraint_residual, counters.constraint_residual);
}

BdfSolver::BdfSolver(const AnalyzedSystem& prepared, std::vector<NodeId> outputs,
                     BdfSettings settings)
    : raised_(with_higher_derivatives(prepared, outputs)),
      prepared_(raised_ ? *raised_ : prepared),
      pulses_(prepared_.system),
      outputs_(std::move(outputs)),
      settings_(std::move(settings)),
      selector_(prepared_) {
  pulses_.set_place(outputs_.size());
  outputs_.insert(outputs_.end(), pulses_.arguments().begin(), pulses_.arguments().end());
}

ReducedSolution& BdfSolver::solution_for(structure::StateSelection selection) {
  auto& solution = solutions_[selection.num_states.raw()];
  if (!solution) {
    // Differences of all equations know nothing of some that are solved apart.
    const bool knows_equations = settings_.jacobian != JacobianBy::kDifferences;
    const ReduceOptions options{.solve_linear = knows_equations,
                                .allow_ode = settings_.code == BdfCode::kBest,
                                .parameters = fixed_.parameters};
    solution = std::make_unique<ReducedSolution>(
        prepared_, reduce(prepared_, std::move(selection), options), outputs_, settings_);
  }
  return *solution;
}

void BdfSolver::set_tolerances(std::vector<double> atol) {
  settings_.atol = std::move(atol);
  for (const auto& [states, solution] : solutions_) solution->change_tolerances(settings_);
}

bool BdfSolver::start(double t, const LeafValue& value, Fixed fixed, double first_step) {
  fixed_ = std::move(fixed);
  rescued_at_.reset();
  start_time_ = t;
  pulses_.forget();
  return start_with_best_states(t, value, first_step);
}

bool BdfSolver::start_with_best_states(double t, const LeafValue& value, double first_step) {
  const auto known = [&](Leaf leaf) {
    const double given =
        prepared_.system.find_column(leaf.variable) ? value(leaf) : fixed_.discrete(leaf);
    return std::isnan(given) ? 0.0 : given;
  };
  current_ = &solution_for(selector_.select({t, fixed_.parameters, known, fixed_.pre}));
  ReducedProgram& program = current_->program();
  std::vector<double> held;
  for (const HeldLeaf& leaf : program.held())
    held.push_back(leaf.is_pre ? fixed_.pre(leaf.leaf) : fixed_.discrete(leaf.leaf));
  program.set_fixed(fixed_.parameters, held);
  if (!current_->start(t, known, first_step)) {
    const std::string& what = program.undefined();
    return fail_at(t, what.empty() ? "singular-jacobian" : "undefined-function",
                   what.empty() ? "the derivatives of the states cannot be solved for" : what);
  }
  t_ = t;
  is_cut_ = false;
  steps_since_check_ = 0;
  determinants_.begin(*current_);
  return true;
}

double BdfSolver::leaf_value(Leaf leaf) {
  const auto column = prepared_.system.find_column(leaf.variable);
  return column ? value(*column, leaf.order, t_) : fixed_.discrete(leaf);
}

bool BdfSolver::should_select_again() {
  if (!selector_.has_choice() || steps_since_check_ == 0) return false;
  if (selector_.num_columns() > kManyColumns && steps_since_check_ < kStepsBetweenChecks)
    return false;
  steps_since_check_ = 0;
  const auto value = [this](Leaf leaf) { return leaf_value(leaf); };
  return selector_.gain({t_, fixed_.parameters, value, fixed_.pre}) > kSelectAgain;
}

bool BdfSolver::select_again() {
  ++selections_;
  return start_again(0);
}

// All values of the present choice are carried over; what is no state any more is solved for.
bool BdfSolver::start_again(double first_step) {
  std::map<Leaf, double> values;
  for (VarId column : ids<VarId>(prepared_.system.unknowns.size()))
    for (int order = 0; order <= prepared_.structure.offsets.d[column]; ++order)
      values[{prepared_.system.unknowns[column], order}] = value(column, order, t_);
  return start_with_best_states(
      t_, [&](Leaf leaf) { return values.at(leaf); }, first_step);
}

// What no error test has seen: the step is used up to where the pulse begins, and BDF starts anew.
bool BdfSolver::cut_before_pulse(double from) {
  if (current_->stepper() == nullptr || pulses_.arguments().empty()) return false;
  const auto cut = pulses_.find_cut(outputs_over_step(from));
  if (!cut) return false;
  t_ = *cut;
  is_cut_ = true;
  current_->interpolate(t_);
  return true;
}

BdfSolver::Status BdfSolver::step(double limit) {
  const double from = t_;
  if (is_cut_ && !start_again(pulses_.first_step())) return Status::kFailed;
  if (current_->stepper() != nullptr && should_select_again() && !select_again())
    return Status::kFailed;
  integrate::BdfStatus status = current_->advance(pulses_.end_of_step(t_, limit));
  if (is_failure(status) && status != integrate::BdfStatus::kCrawling && rescued_at_ != t_) {
    // Once at each place: a new start, perhaps with other states.
    rescued_at_ = t_;
    if (!select_again()) return Status::kFailed;
    status = current_->advance(pulses_.end_of_step(t_, limit));
  }
  t_ = current_->time();
  ++steps_since_check_;
  if (is_failure(status)) {
    explain(status);
    return Status::kFailed;
  }
  if (cut_before_pulse(from)) return Status::kStepped;
  if (!has_defined_values()) {
    t_ = from;
    return Status::kFailed;
  }
  if (const auto pole = determinants_.find_pole(from, *current_)) {
    t_ = pole->before;
    fail_at(pole->at, "singular-jacobian", pole->block);
    return Status::kFailed;
  }
  if (num_steps_++ % kStepsBetweenMeasurements == 0)
    constraint_residual_ = std::max(constraint_residual_, current_->constraint_residual());
  return t_ == limit ? Status::kReached : Status::kStepped;
}

bool BdfSolver::has_defined_values() {
  if (!current_->take_over())
    return fail_at(t_, "undefined-function", current_->program().undefined());
  double value = 0;
  const std::optional<VarId> undefined = current_->find_undefined(value);
  if (!undefined) return true;
  return fail_at(t_, "undefined-function",
                 fmt::format("`{}` is {}", prepared_.system.unknown_names[*undefined],
                             std::isnan(value) ? "not a number" : "infinite"));
}

BdfCounters BdfSolver::counters() const {
  BdfCounters sum;
  sum.selections = selections_;
  sum.constraint_residual = constraint_residual_;
  for (const auto& [states, solution] : solutions_) {
    if (solution->stepper() == nullptr) continue;
    sum.steps += solution->stepper()->counters();
    const bool is_ode = solution->program().reduced().is_ode;
    sum.has_cvode = sum.has_cvode || is_ode;
    sum.has_ida = sum.has_ida || !is_ode;
  }
  return sum;
}

bool BdfSolver::fail_at(double t, std::string status, std::string message) {
  failure_status_ = std::move(status);
  failure_message_ = fmt::format("simulation stopped at t = {:.10g}: {}", t, message);
  return false;
}

void BdfSolver::explain(integrate::BdfStatus status) {
  const ReducedProgram& program = current_->program();
  const int worst = current_->stepper()->limiting_component();
  const std::string limiting =
      worst < 0 ? std::string()
                : fmt::format("\n   largest error: `{}`",
                              program.unknown_name(static_cast<std::size_t>(worst)));
  switch (status) {
    case integrate::BdfStatus::kUndefined:
      fail_at(t_, "undefined-function",
              program.undefined().empty() ? "a function is undefined" : program.undefined());
      break;
    case integrate::BdfStatus::kErrorTest:
      fail_at(t_, "step-too-small", "the error test fails however short the step" + limiting);
      break;
    case integrate::BdfStatus::kConvergence:
      fail_at(t_, "not-converged",
              "Newton's iteration does not converge however short the step" + limiting);
      break;
    default: fail_at(t_, "step-too-small", current_->stepper()->message() + limiting);
  }
  const std::string block = program.linear().singular_block();
  if (!block.empty() && status != integrate::BdfStatus::kUndefined)
    failure_message_ += "\n   " + block;
}

}  // namespace hydae

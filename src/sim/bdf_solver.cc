#include "sim/bdf_solver.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "integrate/difference_jacobian.h"

namespace hydae {
namespace {

constexpr double kSelectAgain = 4;              // gain of the determinant by other states
constexpr double kRescueGain = 1.5;             // when the solver has failed
constexpr std::size_t kManyColumns = 150;       // past which the check costs a sparse factorisation
constexpr long kStepsBetweenMeasurements = 16;  // of constraints, for the summary
constexpr long kStepsBetweenChecks = 25;        // then

// Blocks in which an equation is differentiated: their algebraic unknowns stand next to
// derivatives, whose errors are those of the states divided by the step.
IdVector<BlockId, bool> blocks_with_constraints(const structure::Analysis& structure) {
  IdVector<BlockId, bool> result(structure.fine.size(), false);
  for (EqId eq : ids<EqId>(structure.offsets.c.size()))
    if (structure.offsets.c[eq] > 0) result[structure.fine.block_of(eq)] = true;
  return result;
}

integrate::IdaProblem problem_for(const Prepared& prepared, ReducedProgram& program) {
  integrate::IdaProblem problem;
  problem.size = program.size();
  problem.column_start = program.column_start();
  problem.row = program.row();
  problem.residual = [&program](double t, const double* y, const double* yp, double* r) {
    return program.residual(t, y, yp, r);
  };
  problem.jacobian = [&program](double t, double cj, const double* y, const double* yp,
                                double* values) { return program.jacobian(t, cj, y, yp, values); };
  // Errors are controlled where they arise; what stands next to constraints follows.
  const auto has_constraints = blocks_with_constraints(prepared.structure);
  for (const Unknown& unknown : program.reduced().unknowns) {
    const bool is_constrained = has_constraints[prepared.structure.fine.block_of(unknown.column)];
    problem.is_controlled.push_back(unknown.is_state ||
                                    (unknown.leaf.order == 0 && !is_constrained));
    problem.is_follower.push_back(
        is_constrained && unknown.leaf.order == prepared.structure.offsets.d[unknown.column]);
  }
  return problem;
}

integrate::IdaOptions options_for(const ReducedProgram& program, const BdfSettings& settings) {
  integrate::IdaOptions options;
  options.rtol = settings.rtol;
  options.margin = share_of_step(settings.rtol);
  options.max_step = settings.max_step;
  for (const Unknown& unknown : program.reduced().unknowns)
    options.atol.push_back(settings.atol[unknown.column.index()]);
  return options;
}

}  // namespace

double share_of_step(double rtol) {
  constexpr double kShare = 0.005, kLargestShare = 0.1, kTightest = 1e-12;
  return std::max(kShare, std::min(kLargestShare, kTightest / rtol));
}

void add_counters(const BdfCounters& counters, Summary& summary) {
  summary.steps += counters.ida.steps;
  summary.rejected_steps += counters.ida.error_test_failures + counters.ida.newton_failures;
  summary.jacobians += counters.ida.jacobians;
  summary.factorizations += counters.ida.factorizations;
  summary.newton_iterations += counters.ida.newton_iterations;
  summary.state_selections += counters.selections;
  summary.max_constraint_residual =
      std::max(summary.max_constraint_residual, counters.constraint_residual);
}

BdfSolver::Selected::Selected(const Prepared& prepared, Reduced reduced,
                              std::span<const NodeId> outputs, const BdfSettings& settings)
    : program(prepared, std::move(reduced), outputs) {
  if (program.size() == 0) return;
  integrate::IdaProblem problem = problem_for(prepared, program);
  const integrate::IdaOptions options = options_for(program, settings);
  if (settings.jacobian == JacobianBy::kDifferences)
    problem.jacobian = integrate::difference_jacobian(problem, options);
  stepper = std::make_unique<integrate::IdaStepper>(std::move(problem), options);
}

BdfSolver::BdfSolver(const Prepared& prepared, std::vector<NodeId> outputs, BdfSettings settings)
    : prepared_(prepared),
      outputs_(std::move(outputs)),
      settings_(std::move(settings)),
      selector_(prepared) {}

BdfSolver::Selected& BdfSolver::selected_for(structure::StateSelection selection) {
  auto& selected = selected_[selection.num_states.raw()];
  if (!selected) {
    const ReduceOptions options{.assign = true, .parameters = fixed_.parameters};
    selected = std::make_unique<Selected>(
        prepared_, reduce(prepared_, std::move(selection), options), outputs_, settings_);
  }
  return *selected;
}

bool BdfSolver::start(double t, const LeafValue& value, Fixed fixed, double first_step) {
  fixed_ = std::move(fixed);
  has_rescued_ = false;
  start_time_ = t;
  return start_with_best_states(t, value, first_step);
}

bool BdfSolver::start_with_best_states(double t, const LeafValue& value, double first_step) {
  const auto known = [&](Leaf leaf) {
    const double given =
        prepared_.system.find_column(leaf.variable) ? value(leaf) : fixed_.discrete(leaf);
    return std::isnan(given) ? 0.0 : given;
  };
  current_ = &selected_for(selector_.select({t, fixed_.parameters, known, fixed_.pre}));
  ReducedProgram& program = current_->program;
  std::vector<double> held;
  for (const HeldLeaf& leaf : program.held())
    held.push_back(leaf.is_pre ? fixed_.pre(leaf.leaf) : fixed_.discrete(leaf.leaf));
  program.set_fixed(fixed_.parameters, held);
  const auto n = static_cast<std::size_t>(program.size());
  y_.assign(n, 0.0);
  yp_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const Unknown& unknown = program.reduced().unknowns[i];
    y_[i] = known(unknown.leaf);
    if (unknown.leaf.order < prepared_.structure.offsets.d[unknown.column])
      yp_[i] = known({unknown.leaf.variable, unknown.leaf.order + 1});
  }
  if (!program.solve_rest(t, y_, yp_)) {
    const std::string& what = program.undefined();
    return fail_at(t, what.empty() ? "singular-jacobian" : "undefined-function",
                   what.empty() ? "the derivatives of the states cannot be solved for" : what);
  }
  program.estimate_rates(t, y_, yp_);
  if (current_->stepper) current_->stepper->start(t, y_, yp_, first_step);
  t_ = t;
  loaded_.reset();
  steps_since_check_ = 0;
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

// All values of the present choice are carried over; what is no state any more is solved for.
bool BdfSolver::select_again() {
  load(t_);
  std::map<Leaf, double> values;
  for (VarId column : ids<VarId>(prepared_.system.unknowns.size()))
    for (int order = 0; order <= prepared_.structure.offsets.d[column]; ++order)
      values[{prepared_.system.unknowns[column], order}] = value(column, order, t_);
  ++selections_;
  return start_with_best_states(
      t_, [&](Leaf leaf) { return values.at(leaf); }, 0);
}

BdfSolver::Status BdfSolver::step(double limit) {
  if (!current_->stepper) {  // everything is given explicitly
    t_ = limit;
    loaded_.reset();
    return has_finite_values() ? Status::kReached : Status::kFailed;
  }
  if (should_select_again() && !select_again()) return Status::kFailed;
  integrate::IdaStatus status = current_->stepper->step(limit);
  if (is_failure(status) && !(has_rescued_ && t_ == last_rescue_)) {
    // Once at each place: a new start, perhaps with other states.
    has_rescued_ = true;
    last_rescue_ = t_;
    if (!select_again()) return Status::kFailed;
    status = current_->stepper->step(limit);
  }
  t_ = current_->stepper->time();
  loaded_.reset();
  ++steps_since_check_;
  if (num_steps_++ % kStepsBetweenMeasurements == 0) measure_constraints();
  switch (status) {
    case integrate::IdaStatus::kStepped:
      return has_finite_values() ? Status::kStepped : Status::kFailed;
    case integrate::IdaStatus::kReached:
      return has_finite_values() ? Status::kReached : Status::kFailed;
    default: explain(status); return Status::kFailed;
  }
}

// What is given explicitly takes no part in Newton's iteration: it may overflow unseen.
bool BdfSolver::has_finite_values() {
  if (current_->stepper)
    current_->program.load(t_, current_->stepper->y(), current_->stepper->yp());
  else
    current_->program.load(t_, y_, yp_);
  if (current_->program.has_finite_assignments()) return true;
  for (VarId column : ids<VarId>(prepared_.system.unknowns.size()))
    if (const double value = current_->program.value(column, 0); !std::isfinite(value))
      return fail_at(t_, "undefined-function",
                     fmt::format("`{}` is {}", prepared_.system.unknown_names[column],
                                 std::isnan(value) ? "not a number" : "infinite"));
  return true;
}

void BdfSolver::measure_constraints() {
  ReducedProgram& program = current_->program;
  residual_.resize(static_cast<std::size_t>(program.size()));
  const integrate::IdaStepper& stepper = *current_->stepper;
  if (!program.residual(t_, stepper.y().data(), stepper.yp().data(), residual_.data())) return;
  const std::vector<ReducedEquation>& equations = program.reduced().equations;
  for (std::size_t i = 0; i < equations.size(); ++i)
    if (equations[i].order < prepared_.structure.offsets.c[equations[i].equation])
      constraint_residual_ = std::max(constraint_residual_, std::abs(residual_[i]));
}

void BdfSolver::interpolate(double t) {
  loaded_.reset();
  if (!current_->stepper) return;
  current_->stepper->interpolate(t, 0, y_);
  current_->stepper->interpolate(t, 1, yp_);
}

// States are as good as the polynomial of BDF; the rest is solved for, so that all equations hold.
void BdfSolver::load(double t) {
  if (loaded_ == t) return;
  interpolate(t);
  ReducedProgram& program = current_->program;
  const bool has_rest = program.reduced().num_states < y_.size();
  if (has_rest && !program.solve_rest(t, y_, yp_)) interpolate(t);
  program.load(t, y_, yp_);
  loaded_ = t;
}

double BdfSolver::value(VarId column, int order, double t) {
  const int highest = prepared_.structure.offsets.d[column];
  if (order > highest) return beyond_equations(column, highest, order - highest, t);
  load(t);
  return current_->program.value(column, order);
}

// A derivative that no equation of this mode contains: of the polynomial that BDF works with, or by
// a difference along it.
double BdfSolver::beyond_equations(VarId column, int highest, int more, double t) {
  const LeafPlace place = current_->program.reduced().place(column, highest);
  if (!current_->stepper) return std::nan("");
  if (place.kind != LeafPlace::Kind::kAssigned) {
    const int order = more + (place.kind == LeafPlace::Kind::kDerivative ? 1 : 0);
    std::vector<double> derivative(y_.size());
    current_->stepper->interpolate(t, order, derivative);
    return derivative[place.index];
  }
  const double step = current_->stepper->time() - current_->stepper->previous_time();
  if (more > 1 || step == 0) return std::nan("");
  const double delta = (t - 1e-3 * step - current_->stepper->previous_time()) * step > 0
                           ? -1e-3 * step
                           : 1e-3 * step;
  const double here = value(column, highest, t), there = value(column, highest, t + delta);
  return (there - here) / delta;
}

void BdfSolver::evaluate_outputs(double t, std::span<double> values) {
  interpolate(t);
  current_->program.guards(t, y_.data(), yp_.data(), values.data());
}

BdfCounters BdfSolver::counters() const {
  BdfCounters sum;
  sum.selections = selections_;
  sum.constraint_residual = constraint_residual_;
  for (const auto& [states, selected] : selected_) {
    if (!selected->stepper) continue;
    const integrate::IdaCounters& c = selected->stepper->counters();
    sum.ida.steps += c.steps;
    sum.ida.error_test_failures += c.error_test_failures;
    sum.ida.residuals += c.residuals;
    sum.ida.jacobians += c.jacobians;
    sum.ida.factorizations += c.factorizations;
    sum.ida.newton_iterations += c.newton_iterations;
    sum.ida.newton_failures += c.newton_failures;
  }
  return sum;
}

bool BdfSolver::fail_at(double t, std::string status, std::string message) {
  failure_status_ = std::move(status);
  failure_message_ = fmt::format("simulation stopped at t = {:.10g}: {}", t, message);
  return false;
}

void BdfSolver::explain(integrate::IdaStatus status) {
  const ReducedProgram& program = current_->program;
  const int worst = current_->stepper->limiting_component();
  const std::string limiting =
      worst < 0 ? std::string()
                : fmt::format("\n   largest error: `{}`",
                              program.unknown_name(static_cast<std::size_t>(worst)));
  switch (status) {
    case integrate::IdaStatus::kUndefined:
      fail_at(t_, "undefined-function",
              program.undefined().empty() ? "a function is undefined" : program.undefined());
      break;
    case integrate::IdaStatus::kErrorTest:
      fail_at(t_, "step-too-small", "the error test fails however short the step" + limiting);
      break;
    case integrate::IdaStatus::kConvergence:
      fail_at(t_, "not-converged",
              "Newton's iteration does not converge however short the step" + limiting);
      break;
    default: fail_at(t_, "step-too-small", current_->stepper->message() + limiting);
  }
}

}  // namespace hydae

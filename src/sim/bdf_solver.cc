#include "sim/bdf_solver.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "compile/higher_derivatives.h"
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

std::span<const Unknown> iterated_unknowns(const ReducedProgram& program) {
  return std::span(program.reduced().unknowns).first(program.reduced().num_iterated);
}

// Errors are controlled where they arise; what stands next to constraints follows.
bool is_controlled(const Prepared& prepared, const IdVector<BlockId, bool>& has_constraints,
                   const Unknown& unknown) {
  return unknown.is_state || (unknown.leaf.order == 0 &&
                              !has_constraints[prepared.structure.fine.block_of(unknown.column)]);
}

void control_errors(const Prepared& prepared, const ReducedProgram& program,
                    integrate::BdfProblem& problem) {
  const auto has_constraints = blocks_with_constraints(prepared.structure);
  for (const Unknown& unknown : iterated_unknowns(program)) {
    const bool is_constrained = has_constraints[prepared.structure.fine.block_of(unknown.column)];
    problem.is_controlled.push_back(is_controlled(prepared, has_constraints, unknown));
    problem.is_follower.push_back(
        is_constrained && unknown.leaf.order == prepared.structure.offsets.d[unknown.column]);
  }
}

integrate::BdfProblem problem_for(const Prepared& prepared, ReducedProgram& program) {
  integrate::BdfProblem problem;
  problem.size = program.num_iterated();
  problem.matrix_size = program.size();
  problem.column_start = program.column_start();
  problem.row = program.row();
  problem.linearize = [&program](double t, double, const double* y, const double* yp) {
    return program.linearize(t, y, yp);
  };
  problem.matrix = [&program](double cj, double* values) { program.matrix(cj, values); };
  if (program.reduced().is_ode) {
    problem.derivative = [&program](double t, const double* y, double* yp) {
      return program.derivatives(t, y, yp);
    };
    problem.mass = [&program](const double* b, double* product) { program.mass_times(b, product); };
  } else {
    problem.residual = [&program](double t, const double* y, const double* yp, double* r) {
      return program.iterated_residual(t, y, yp, r);
    };
    control_errors(prepared, program, problem);
  }
  return problem;
}

// Of the unknowns that are iterated, from numbers by column.
std::vector<double> by_unknown(const ReducedProgram& program, const std::vector<double>& columns) {
  std::vector<double> list;
  if (columns.empty()) return list;
  for (const Unknown& unknown : iterated_unknowns(program))
    list.push_back(columns[unknown.column.index()]);
  return list;
}

// Scales that were met are for unknowns whose errors are controlled. What follows from constraints
// may be a small difference of large terms, which no iteration gets below their rounding: its scale
// stays one.
std::vector<double> tolerances_for(const Prepared& prepared, const ReducedProgram& program,
                                   const BdfSettings& settings) {
  std::vector<double> list = by_unknown(program, settings.atol);
  const std::vector<double> highest = by_unknown(program, settings.highest_atol);
  const auto has_constraints = blocks_with_constraints(prepared.structure);
  const auto unknowns = iterated_unknowns(program);
  for (std::size_t i = 0; i < highest.size(); ++i)
    if (!is_controlled(prepared, has_constraints, unknowns[i])) list[i] = highest[i];
  return list;
}

integrate::BdfOptions options_for(const Prepared& prepared, const ReducedProgram& program,
                                  const BdfSettings& settings) {
  integrate::BdfOptions options;
  options.rtol = settings.rtol;
  options.margin = share_of_step(settings.rtol);
  options.max_step = settings.max_step;
  options.atol = tolerances_for(prepared, program, settings);
  options.highest_atol = by_unknown(program, settings.highest_atol);
  options.part_of_size = settings.part_of_size;
  return options;
}

}  // namespace

double share_of_step(double rtol) {
  constexpr double kShare = 0.005, kUsual = 1e-6, kFine = 5e-12;
  constexpr double kLargestShare = 0.1, kFinest = 1e-12;
  const double share = std::max(kShare * std::pow(std::min(1.0, rtol / kUsual), 0.2),
                                std::min(kShare, kFine / rtol));
  return std::max(share, std::min(kLargestShare, kFinest / rtol));
}

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

BdfSolver::Selected::Selected(const Prepared& prepared, Reduced reduced,
                              std::span<const NodeId> outputs, const BdfSettings& settings)
    : program(prepared, std::move(reduced), outputs) {
  if (program.num_iterated() == 0) return;
  integrate::BdfProblem problem = problem_for(prepared, program);
  const integrate::BdfOptions options = options_for(prepared, program, settings);
  if (settings.jacobian == JacobianBy::kDifferences) integrate::use_differences(problem, options);
  stepper = integrate::make_stepper(std::move(problem), options);
}

BdfSolver::BdfSolver(const Prepared& prepared, std::vector<NodeId> outputs, BdfSettings settings)
    : raised_(with_higher_derivatives(prepared, outputs)),
      prepared_(raised_ ? *raised_ : prepared),
      outputs_(std::move(outputs)),
      settings_(std::move(settings)),
      selector_(prepared_) {}

BdfSolver::Selected& BdfSolver::selected_for(structure::StateSelection selection) {
  auto& selected = selected_[selection.num_states.raw()];
  if (!selected) {
    // Differences of all equations know nothing of some that are solved apart.
    const bool knows_equations = settings_.jacobian != JacobianBy::kDifferences;
    const ReduceOptions options{.solve_linear = knows_equations,
                                .allow_ode = settings_.code == BdfCode::kBest,
                                .parameters = fixed_.parameters};
    selected = std::make_unique<Selected>(
        prepared_, reduce(prepared_, std::move(selection), options), outputs_, settings_);
  }
  return *selected;
}

void BdfSolver::set_tolerances(std::vector<double> atol) {
  settings_.atol = std::move(atol);
  for (const auto& [states, selected] : selected_)
    if (selected->stepper)
      selected->stepper->change_tolerances(tolerances_for(prepared_, selected->program, settings_),
                                           by_unknown(selected->program, settings_.highest_atol));
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
  const auto num_iterated = static_cast<std::size_t>(program.num_iterated());
  if (current_->stepper)
    current_->stepper->start(t, std::span(y_).first(num_iterated),
                             std::span(yp_).first(num_iterated), first_step);
  t_ = t;
  loaded_.reset();
  steps_since_check_ = 0;
  if (program.complete(t, y_, yp_)) program.read_linear_state(linear_);
  size_at_start_ = 1 + linear_.size;
  return true;
}

void BdfSolver::visit_values(const std::function<void(VarId column, double value)>& visit) const {
  const auto& unknowns = current_->program.reduced().unknowns;
  for (std::size_t i = 0; i < y_.size(); ++i)
    if (unknowns[i].leaf.order == 0) visit(unknowns[i].column, y_[i]);
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
  const double from = t_;
  integrate::BdfStatus status = integrate::BdfStatus::kReached;
  if (current_->stepper) {
    if (should_select_again() && !select_again()) return Status::kFailed;
    status = current_->stepper->step(limit);
    if (is_failure(status) && !(has_rescued_ && t_ == last_rescue_)) {
      // Once at each place: a new start, perhaps with other states.
      has_rescued_ = true;
      last_rescue_ = t_;
      if (!select_again()) return Status::kFailed;
      status = current_->stepper->step(limit);
    }
    t_ = current_->stepper->time();
    ++steps_since_check_;
  } else {  // everything is given explicitly
    t_ = limit;
  }
  loaded_.reset();
  if (is_failure(status)) {
    explain(status);
    return Status::kFailed;
  }
  if (!take_over_step() || !has_finite_values()) {
    t_ = from;
    return Status::kFailed;
  }
  if (has_passed_singularity(from)) return Status::kFailed;
  if (num_steps_++ % kStepsBetweenMeasurements == 0) measure_constraints();
  return status == integrate::BdfStatus::kReached ? Status::kReached : Status::kStepped;
}

bool BdfSolver::take_over_step() {
  if (current_->stepper) {
    std::ranges::copy(current_->stepper->y(), y_.begin());
    std::ranges::copy(current_->stepper->yp(), yp_.begin());
  }
  if (current_->program.complete(t_, y_, yp_)) return true;
  return fail_at(t_, "undefined-function", current_->program.undefined());
}

// Unknowns of linear equations take no part in the error test: where the equations become singular
// and the states do not feel it, a step may pass. Then a determinant has changed its sign. The
// place is looked for; if the unknowns have a pole there, it is the end. Coefficients that have
// jumped, or a right-hand side that vanishes at the same place, are none.
bool BdfSolver::has_passed_singularity(double from) {
  constexpr double kPole = 1e3;         // size of an unknown, relative to the ends of the step
  constexpr double kNearlyHalf = 0.48;  // so that places such as 1 are not met by chance
  constexpr int kMostHalvings = 60;
  current_->program.read_linear_state(linear_now_);
  const bool is_same =
      linear_.signs.size() != linear_now_.signs.size() || linear_.signs == linear_now_.signs;
  std::swap(linear_, linear_now_);
  if (is_same) return false;
  const double size = 1 + std::max(linear_.size, linear_now_.size);
  double lower = from, upper = t_, largest = 0;
  ReducedProgram::LinearState middle;
  for (int k = 0; k < kMostHalvings; ++k) {
    const double t = lower + kNearlyHalf * (upper - lower);
    if (t == lower || t == upper || !interpolate(t)) break;
    current_->program.read_linear_state(middle);
    largest = std::max(largest, middle.size);
    (middle.signs == linear_now_.signs ? lower : upper) = t;
  }
  // Where the unknown has grown on the way already, time does not resolve how it grows further.
  constexpr double kNearlySingular = 1e6;
  const std::string block = current_->program.singular_block(kNearlySingular);
  if (largest > kPole * size || (largest > kPole * size_at_start_ && !block.empty())) {
    t_ = lower;
    return !fail_at(upper, "singular-jacobian", block);
  }
  take_over_step();
  return false;
}

// What is given explicitly takes no part in Newton's iteration: it may overflow unseen.
bool BdfSolver::has_finite_values() {
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
  const std::vector<ReducedEquation>& equations = program.reduced().equations;
  residual_.resize(static_cast<std::size_t>(program.size()));
  if (!program.residual(t_, y_.data(), yp_.data(), residual_.data())) return;
  for (std::size_t i = 0; i < equations.size(); ++i)
    if (equations[i].order < prepared_.structure.offsets.c[equations[i].equation])
      constraint_residual_ =
          std::max(constraint_residual_, std::abs(residual_[program.row_of_equation(i)]));
}

// As the polynomial of BDF gives it, and what linear equations give.
bool BdfSolver::interpolate(double t) {
  loaded_.reset();
  if (current_->stepper) {
    const auto num_iterated = static_cast<std::size_t>(current_->program.num_iterated());
    current_->stepper->interpolate(t, 0, std::span(y_).first(num_iterated));
    current_->stepper->interpolate(t, 1, std::span(yp_).first(num_iterated));
  }
  return current_->program.complete(t, y_, yp_);
}

// States are as good as the polynomial of BDF; the rest is solved for, so that all equations hold.
void BdfSolver::load(double t) {
  if (loaded_ == t) return;
  interpolate(t);
  ReducedProgram& program = current_->program;
  const bool has_rest = program.reduced().num_states < y_.size() && !program.reduced().is_ode;
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

double BdfSolver::last_step() const {
  if (current_ == nullptr || !current_->stepper) return 0;
  return current_->stepper->time() - current_->stepper->previous_time();
}

// A derivative that no equation of this mode contains: of the polynomial that BDF works with, or by
// a difference along it.
double BdfSolver::beyond_equations(VarId column, int highest, int more, double t) {
  const LeafPlace place = current_->program.reduced().place(column, highest);
  if (!current_->stepper) return slope_of_explicit(column, highest, more, t);
  const auto num_iterated = static_cast<std::size_t>(current_->program.num_iterated());
  if (place.kind != LeafPlace::Kind::kAssigned && place.index < num_iterated) {
    const int order = more + (place.kind == LeafPlace::Kind::kDerivative ? 1 : 0);
    std::vector<double> derivative(num_iterated);
    current_->stepper->interpolate(t, order, derivative);
    return derivative[place.index];
  }
  const double step = last_step();
  if (more > 1 || step == 0) return std::nan("");
  const double delta = (t - 1e-3 * step - current_->stepper->previous_time()) * step > 0
                           ? -1e-3 * step
                           : 1e-3 * step;
  const double here = value(column, highest, t), there = value(column, highest, t + delta);
  return (there - here) / delta;
}

// Of a formula in time, by central differences over a small part of what was passed: their error is
// its square, and the digits that they lose are few.
double BdfSolver::slope_of_explicit(VarId column, int highest, int more, double t) {
  constexpr double kPart = 1e-4;
  const double delta = kPart * (t_ - start_time());
  if (more > 1 || delta == 0) return std::nan("");
  const double before = value(column, highest, t - delta),
               after = value(column, highest, t + delta);
  return (after - before) / (2 * delta);
}

StepOutputs& BdfSolver::outputs_over_step(double from) {
  Selected& now = *current_;
  if (!now.over_step) {
    now.over_step.emplace(
        compile_outputs(prepared_.system, now.program.guard_nodes(), fixed_.parameters.size()));
    now.leaves.emplace(now.program, now.stepper.get(), now.over_step->leaves());
  }
  now.over_step->set_parameters(fixed_.parameters);
  now.leaves->begin(from, t_);
  now.over_step->begin(from, t_, *now.leaves);
  loaded_.reset();
  return *now.over_step;
}

BdfCounters BdfSolver::counters() const {
  BdfCounters sum;
  sum.selections = selections_;
  sum.constraint_residual = constraint_residual_;
  for (const auto& [states, selected] : selected_) {
    if (!selected->stepper) continue;
    sum.steps += selected->stepper->counters();
    const bool is_ode = selected->program.reduced().is_ode;
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
  const ReducedProgram& program = current_->program;
  const int worst = current_->stepper->limiting_component();
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
    default: fail_at(t_, "step-too-small", current_->stepper->message() + limiting);
  }
  const std::string block = program.singular_block();
  if (!block.empty() && status != integrate::BdfStatus::kUndefined)
    failure_message_ += "\n   " + block;
}

}  // namespace hydae

#include "sim/reduced_solution.h"

#include <algorithm>
#include <cmath>

#include "integrate/difference_jacobian.h"

namespace hydae {
namespace {

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
bool is_controlled(const AnalyzedSystem& prepared, const IdVector<BlockId, bool>& has_constraints,
                   const Unknown& unknown) {
  return unknown.is_state || (unknown.leaf.order == 0 &&
                              !has_constraints[prepared.structure.fine.block_of(unknown.column)]);
}

void control_errors(const AnalyzedSystem& prepared, const ReducedProgram& program,
                    integrate::BdfProblem& problem) {
  const auto has_constraints = blocks_with_constraints(prepared.structure);
  for (const Unknown& unknown : iterated_unknowns(program)) {
    const bool is_constrained = has_constraints[prepared.structure.fine.block_of(unknown.column)];
    problem.is_controlled.push_back(is_controlled(prepared, has_constraints, unknown));
    problem.is_follower.push_back(
        is_constrained && unknown.leaf.order == prepared.structure.offsets.d[unknown.column]);
  }
}

integrate::BdfProblem problem_for(const AnalyzedSystem& prepared, ReducedProgram& program) {
  integrate::BdfProblem problem;
  problem.size = program.num_iterated();
  problem.matrix_size = program.size();
  problem.column_start = program.matrix().column_start();
  problem.row = program.matrix().row();
  problem.linearize = [&program](double t, double, const double* y, const double* yp) {
    return program.linearize(t, y, yp);
  };
  problem.matrix = [&program](double cj, double* values) { program.matrix().write(cj, values); };
  if (program.reduced().is_ode) {
    problem.derivative = [&program](double t, const double* y, double* yp) {
      return program.derivatives(t, y, yp);
    };
    problem.mass = [&program](const double* b, double* product) {
      program.matrix().mass_times(b, product);
    };
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
std::vector<double> tolerances_for(const AnalyzedSystem& prepared, const ReducedProgram& program,
                                   const BdfSettings& settings) {
  std::vector<double> list = by_unknown(program, settings.atol);
  const std::vector<double> highest = by_unknown(program, settings.highest_atol);
  const auto has_constraints = blocks_with_constraints(prepared.structure);
  const auto unknowns = iterated_unknowns(program);
  for (std::size_t i = 0; i < highest.size(); ++i)
    if (!is_controlled(prepared, has_constraints, unknowns[i])) list[i] = highest[i];
  return list;
}

integrate::BdfOptions options_for(const AnalyzedSystem& prepared, const ReducedProgram& program,
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

ReducedSolution::ReducedSolution(const AnalyzedSystem& prepared, Reduced reduced,
                                 std::span<const NodeId> outputs, const BdfSettings& settings)
    : prepared_(prepared), program_(prepared, std::move(reduced), outputs) {
  if (program_.num_iterated() == 0) return;
  integrate::BdfProblem problem = problem_for(prepared, program_);
  const integrate::BdfOptions options = options_for(prepared, program_, settings);
  if (settings.jacobian == JacobianBy::kDifferences) integrate::use_differences(problem, options);
  stepper_ = integrate::make_stepper(std::move(problem), options);
}

void ReducedSolution::change_tolerances(const BdfSettings& settings) {
  if (stepper_)
    stepper_->change_tolerances(tolerances_for(prepared_, program_, settings),
                                by_unknown(program_, settings.highest_atol));
}

bool ReducedSolution::start(double t, const std::function<double(Leaf)>& known, double first_step) {
  const auto n = static_cast<std::size_t>(program_.size());
  y_.assign(n, 0.0);
  yp_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const Unknown& unknown = program_.reduced().unknowns[i];
    y_[i] = known(unknown.leaf);
    if (unknown.leaf.order < prepared_.structure.offsets.d[unknown.column])
      yp_[i] = known({unknown.leaf.variable, unknown.leaf.order + 1});
  }
  if (!program_.solve_rest(t, y_, yp_)) return false;
  program_.estimate_rates(t, y_, yp_);
  if (stepper_)
    stepper_->start(t, std::span(y_).first(num_iterated()), std::span(yp_).first(num_iterated()),
                    first_step);
  begin_ = end_ = t;
  loaded_.reset();
  return true;
}

integrate::BdfStatus ReducedSolution::advance(double limit) {
  loaded_.reset();
  if (!stepper_) {
    end_ = limit;
    return integrate::BdfStatus::kReached;
  }
  const integrate::BdfStatus status = stepper_->step(limit);
  end_ = stepper_->time();
  return status;
}

double ReducedSolution::last_step() const {
  return stepper_ ? stepper_->time() - stepper_->previous_time() : 0;
}

bool ReducedSolution::take_over() {
  if (stepper_) {
    std::ranges::copy(stepper_->y(), y_.begin());
    std::ranges::copy(stepper_->yp(), yp_.begin());
  }
  return complete();
}

bool ReducedSolution::interpolate(double t) {
  loaded_.reset();
  if (stepper_) {
    stepper_->interpolate(t, 0, std::span(y_).first(num_iterated()));
    stepper_->interpolate(t, 1, std::span(yp_).first(num_iterated()));
  }
  return program_.complete(t, y_, yp_);
}

// States are as good as the polynomial of BDF; the rest is solved for, so that all equations hold.
void ReducedSolution::load(double t) {
  if (loaded_ == t) return;
  interpolate(t);
  const bool has_rest = program_.reduced().num_states < y_.size() && !program_.reduced().is_ode;
  if (has_rest && !program_.solve_rest(t, y_, yp_)) interpolate(t);
  program_.load(t, y_, yp_);
  loaded_ = t;
}

double ReducedSolution::value(VarId column, int order, double t) {
  const int highest = prepared_.structure.offsets.d[column];
  if (order > highest) return beyond_equations(column, highest, order - highest, t);
  load(t);
  return program_.value(column, order);
}

double ReducedSolution::beyond_equations(VarId column, int highest, int more, double t) {
  if (!stepper_) return slope_of_explicit(column, highest, more, t);
  const LeafPlace place = program_.reduced().place(column, highest);
  if (place.kind != LeafPlace::Kind::kAssigned && place.index < num_iterated()) {
    const int order = more + (place.kind == LeafPlace::Kind::kDerivative ? 1 : 0);
    std::vector<double> derivative(num_iterated());
    stepper_->interpolate(t, order, derivative);
    return derivative[place.index];
  }
  const double step = last_step();
  if (more > 1 || step == 0) return std::nan("");
  const double delta =
      (t - 1e-3 * step - stepper_->previous_time()) * step > 0 ? -1e-3 * step : 1e-3 * step;
  const double here = value(column, highest, t), there = value(column, highest, t + delta);
  return (there - here) / delta;
}

// Of a formula in time, by central differences over a small part of what was passed: their error is
// its square, and the digits that they lose are few.
double ReducedSolution::slope_of_explicit(VarId column, int highest, int more, double t) {
  constexpr double kPart = 1e-4;
  const double delta = kPart * (end_ - begin_);
  if (more > 1 || delta == 0) return std::nan("");
  const double before = value(column, highest, t - delta),
               after = value(column, highest, t + delta);
  return (after - before) / (2 * delta);
}

StepOutputs& ReducedSolution::outputs_over(double from, double to,
                                           const std::vector<double>& parameters) {
  if (!over_step_) {
    over_step_.emplace(
        compile_outputs(prepared_.system, program_.guard_nodes(), parameters.size()));
    leaves_.emplace(program_, stepper_.get(), over_step_->leaves());
  }
  over_step_->set_parameters(parameters);
  leaves_->begin(from, to);
  over_step_->begin(from, to, *leaves_);
  loaded_.reset();
  return *over_step_;
}

void ReducedSolution::visit_values(
    const std::function<void(VarId column, double value)>& visit) const {
  const auto& unknowns = program_.reduced().unknowns;
  for (std::size_t i = 0; i < y_.size(); ++i)
    if (unknowns[i].leaf.order == 0) visit(unknowns[i].column, y_[i]);
}

std::optional<VarId> ReducedSolution::find_undefined(double& value) {
  program_.load(end_, y_, yp_);
  if (program_.has_finite_assignments()) return std::nullopt;
  for (VarId column : ids<VarId>(prepared_.system.unknowns.size()))
    if (value = program_.value(column, 0); !std::isfinite(value)) return column;
  return std::nullopt;
}

double ReducedSolution::constraint_residual() {
  const std::vector<ReducedEquation>& equations = program_.reduced().equations;
  residual_.resize(static_cast<std::size_t>(program_.size()));
  if (!program_.residual(end_, y_.data(), yp_.data(), residual_.data())) return 0;
  double largest = 0;
  for (std::size_t i = 0; i < equations.size(); ++i)
    if (equations[i].order < prepared_.structure.offsets.c[equations[i].equation])
      largest = std::max(largest, std::abs(residual_[row_of_equation(program_.reduced(), i)]));
  return largest;
}

}  // namespace hydae

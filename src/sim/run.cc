#include "sim/run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include <hydae/error.h>

#include "base/derivative_name.h"
#include "base/timer.h"
#include "compile/start_values.h"
#include "expr/incidence.h"
#include "integrate/step_size.h"
#include "sim/bdf_solver.h"
#include "sim/smooth_run.h"

namespace hydae {
namespace {

// Of series through code: their last coefficients have three digits.
constexpr int kOrderOfCode = 6;

// Smallest guard whose sign counts, relative to the nominal values in it: well above rounding, and
// far below what the absolute tolerance resolves.
constexpr double kSmallestGuard = 1e-15, kSmallestPartOfTolerance = 1e-3;

std::vector<std::size_t> time_relations(const HybridModel& model) {
  std::vector<std::size_t> list;
  for (std::size_t k = 0; k < model.relations().size(); ++k)
    if (model.relations()[k].is_time_only) list.push_back(k);
  return list;
}

std::vector<NodeId> time_guard_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (std::size_t k : time_relations(model)) {
    roots.push_back(model.relations()[k].guard);
    roots.push_back(model.relations()[k].slope);
  }
  return roots;
}

std::vector<NodeId> tick_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const Tick& tick : model.ticks()) {
    roots.push_back(tick.start);
    roots.push_back(tick.interval);
  }
  return roots;
}

std::vector<NodeId> coefficient_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const SwitchedCoefficient& coefficient : model.coefficients())
    roots.push_back(coefficient.value);
  return roots;
}

std::vector<NodeId> past_time_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const Delay& delay : model.delays()) roots.push_back(delay.past);
  return roots;
}

// Of the past of a signal, whichever method has made it.
std::size_t num_series_coefficients(const RunSettings& settings, const SimulateOptions& options) {
  const int order =
      options.order > 0 ? options.order : integrate::order_for_tolerance(settings.rtol);
  return static_cast<std::size_t>(std::max(order, poly::Interpolation::kDegree)) + 1;
}

std::vector<NodeId> motion_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const HybridContact& contact : model.contacts()) {
    roots.push_back(contact.gap);
    roots.push_back(contact.speed);
    roots.push_back(contact.friction ? contact.friction->slip : model.graph().constant(0));
  }
  return roots;
}

std::vector<NodeId> assertion_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const auto& [condition, assertion] : model.assertions()) roots.push_back(condition);
  return roots;
}

std::vector<std::size_t> all_observed(const HybridModel& model) {
  std::vector<std::size_t> places(model.observed().variables.size());
  std::iota(places.begin(), places.end(), 0);
  return places;
}

// Variables that the options give a value at the start.
std::vector<VarId> fixed_variables(const Model& model, const SimulateOptions& options) {
  std::vector<VarId> variables;
  for (const StartOverride& start : options.start_values)
    if (start.fixed)
      if (const auto variable = model.find_variable(parse_derivative_name(start.variable).first))
        variables.push_back(*variable);
  return variables;
}

// Below these sizes the sign of a guard is not looked at: cars of a train that no pressure has
// reached, a chain of diodes before the front of a pulse.
std::vector<double> smallest_guards(const HybridModel& hybrid, double atol) {
  const double smallest = std::max(kSmallestGuard, kSmallestPartOfTolerance * atol);
  const Model& model = hybrid.model();
  const std::vector<double> parameters = model.parameter_values();
  std::vector<double> sizes;
  Incidence incidence;
  for (const Relation& relation : hybrid.relations()) {
    double nominal = std::numeric_limits<double>::infinity();
    for (const Leaf& leaf : incidence.of(hybrid.graph(), relation.guard))
      nominal =
          std::min(nominal, nominal_of(model, model.all_variables()[leaf.variable], parameters));
    sizes.push_back(smallest * (std::isfinite(nominal) ? nominal : 1.0));
  }
  return sizes;
}

}  // namespace

Run::Run(HybridModel model, const SimulateOptions& options, bool uses_bdf)
    : hybrid_(std::move(model)),
      model_(hybrid_.model()),
      options_(options),
      settings_(settings_of(model_, options)),
      atol_(absolute_tolerances(hybrid_, settings_.atol)),
      modes_(hybrid_),
      discrete_part_(hybrid_),
      impact_solver_(hybrid_),
      motions_(hybrid_, motion_roots(hybrid_)),
      conditions_(hybrid_, hybrid_.conditions()),
      assertions_(hybrid_, assertion_roots(hybrid_)),
      time_guards_(hybrid_, time_guard_roots(hybrid_)),
      time_relations_(time_relations(hybrid_)),
      tick_data_(hybrid_, tick_roots(hybrid_)),
      coefficients_(hybrid_, coefficient_roots(hybrid_)),
      past_times_(hybrid_, past_time_roots(hybrid_)),
      observed_(hybrid_, all_observed(hybrid_)),
      uses_bdf_(uses_bdf),
      smallest_guards_(smallest_guards(hybrid_, settings_.atol)) {
  state_.switches.counts.assign(hybrid_.counters().size(), 0.0);
  state_.histories.resize(hybrid_.delays().size());
  state_.guards.sizes.resize(hybrid_.relations().size());
  table_ = model_.parameter_values();
  table_.resize(hybrid_.table_size(), 0.0);
  state_.discrete.assign(model_.num_variables(), 0.0);
  for (VarId variable : hybrid_.discrete_variables())
    state_.discrete[variable.index()] =
        start_value(model_, {variable, 0}, model_.parameter_values()).value_or(0.0);
  state_.conditions.assign(discrete_part_.num_conditions(), false);
}

Run::~Run() = default;

Simulation Run::run() {
  Summary& summary = result_.summary;
  summary.solver = uses_bdf_ ? "ida" : "taylor";
  summary.tolerance = settings_.rtol;
  summary.atol = settings_.atol;
  summary.t_end = settings_.start;
  grid_.emplace(settings_.start, settings_.stop, options_);
  recorder_.emplace(hybrid_, options_);
  recorder_->reserve(grid_->size());
  bool is_ready = false;
  {
    const Timer timer;
    is_ready = initialize();
    summary.seconds["initialize"] = timer.seconds();
  }
  if (is_ready) {
    const Timer timer;
    integrate();
    summary.seconds["integrate"] = timer.seconds();
  }
  for (const auto& [mode, stepper] : steppers_) {
    const integrate::TaylorCounters& counters = stepper->counters();
    summary.steps += counters.steps;
    summary.rejected_steps += counters.rejected_steps;
    summary.jacobians += counters.expansions;
    summary.factorizations += counters.expansions;
    summary.max_constraint_residual =
        std::max(summary.max_constraint_residual, counters.max_displacement);
  }
  for (const auto& [mode, solver] : bdf_solvers_) add_counters(solver->counters(), summary);
  summary.modes_visited = modes_.num_modes();
  summary.mode_cache_hits = modes_.num_hits();
  report_singularity();
  for (const std::string& warning : recorder_->warnings()) warn_once(warning);
  result_.trajectory = recorder_->take();
  return std::move(result_);
}

integrate::TaylorStepper& Run::stepper_of(Mode& mode) {
  auto& stepper = steppers_[&mode];
  if (!stepper) {
    integrate::TaylorOptions options;
    options.rtol = settings_.rtol;
    options.order = options_.order;
    if (mode.compiled.program->has_code())
      options.order = options_.order > 0 ? std::min(options_.order, kOrderOfCode) : kOrderOfCode;
    options.max_step = options_.max_step.value_or(0);
    stepper = std::make_unique<integrate::TaylorStepper>(mode.compiled.program, options,
                                                         column_tolerances(mode));
    result_.summary.order = stepper->order();
  }
  return *stepper;
}

std::vector<double> Run::column_tolerances(const Mode& mode) const {
  std::vector<double> atol = atol_;
  atol.resize(mode.prepared.system.unknowns.size(), settings_.atol);
  return atol;
}

double Run::current_value(Leaf leaf, double t) const {
  const auto column = mode_->prepared.system.find_column(leaf.variable);
  if (!column) return state_.discrete[leaf.variable.index()];
  if (bdf_ != nullptr) return bdf_->value(*column, leaf.order, t);
  return stepper_->value(static_cast<int>(column->index()), leaf.order, t);
}

Instant Run::instant(double t) const {
  Instant result;
  result.t = t;
  result.continuous = [this, t](Leaf leaf) { return current_value(leaf, t); };
  result.before = result.continuous;
  result.discrete = &state_.discrete;
  result.pre = &state_.discrete;
  result.table = &table_;
  return result;
}

std::string Run::mode_name(const std::vector<bool>& bits, const std::vector<Hold>& holds) const {
  std::string name;
  for (bool bit : bits) name += bit ? '1' : '0';
  for (const Hold& hold : holds)
    for (const Surface::Side& side : hybrid_.surfaces()[hold.surface].relations)
      name[side.relation] = 'S';
  return name.size() <= 64 ? name : fmt::format("{}...", name.substr(0, 61));
}

Simulation simulate(const Model& model, const SimulateOptions& options) {
  HybridModel hybrid(model, num_series_coefficients(settings_of(model, options), options),
                     fixed_variables(model, options));
  if (options.solver == Solver::kTaylor) refuse_code(hybrid);
  const std::string reason =
      options.solver == Solver::kAuto ? reason_for_bdf(hybrid) : std::string();
  const bool uses_bdf = options.solver == Solver::kIda || !reason.empty();
  Simulation simulation = uses_bdf && is_smooth(hybrid)
                              ? run_smooth(hybrid, options)
                              : Run(std::move(hybrid), options, uses_bdf).run();
  if (!reason.empty()) simulation.summary.solver_choice = reason;
  return simulation;
}

}  // namespace hydae

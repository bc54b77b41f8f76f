// The start of a run as a service of its own: the point and the mode that simulate() begins with.
#include <fmt/format.h>

#include <hydae/initialize.h>

#include "base/derivative_name.h"
#include "compile/initial_point.h"
#include "compile/least_norm.h"
#include "sim/hybrid_initializer.h"
#include "sim/run.h"
#include "sim/run_parts.h"
#include "sim/solver_choice.h"

namespace hydae {
namespace {

SimulateOptions run_options(const InitializeOptions& options) {
  SimulateOptions run;
  run.start = options.time;
  if (options.time) run.stop = *options.time + 1;  // no step is made
  run.start_values = options.start_values;
  run.rules.guesses = options.guesses;
  return run;
}

// A start value of an input is not one of an unknown: it says what the input is.
Model with_given_inputs(const Model& given, InitializeOptions& options) {
  Model model = given.extended();
  for (const ModelInput& input : given.inputs())
    std::erase_if(options.start_values, [&](const StartOverride& start) {
      if (start.variable != input.name) return false;
      model.drive(input, start.value);
      return true;
    });
  return model;
}

// Observed and discrete variables, which the equations of the point do without, as a result has
// them; all in the order of the model.
void add_other_variables(const Model& model, Recorder& recorder,
                         const std::function<double(Leaf)>& values, InitialPoint& point) {
  std::map<std::string, std::vector<double>> found;
  for (std::size_t j = 0; j < point.variables.size(); ++j)
    found[point.variables[j]] = std::move(point.values[j]);
  recorder.record(point.t, values);
  if (!recorder.undefined().empty()) {
    Diagnostic why;
    why.code = name_of(Status::kUndefinedValues);
    why.message =
        fmt::format("initialization: not all values are numbers: {}", recorder.undefined());
    describe_failure(why, point);
  }
  const Trajectory rows = recorder.take();
  std::set<std::string> others;
  for (const Column& column : rows.columns()) {
    const auto [name, order] = parse_derivative_name(column.name);
    if (!model.find_variable(name)) continue;
    if (order == 0 && found.count(name) == 0) others.insert(name);
    if (others.count(name) > 0 && static_cast<std::size_t>(order) == found[name].size())
      found[name].push_back(rows.series(column.name).front());
  }
  point.variables.clear();
  point.values.clear();
  const auto take = [&](const std::string& name) {
    const auto at = found.find(name);
    if (at == found.end()) return;
    point.variables.push_back(name);
    point.values.push_back(std::move(at->second));
    found.erase(at);
  };
  for (const Variable& variable : model.all_variables()) take(variable.name);
  while (!found.empty()) take(std::string(found.begin()->first));
}

// Why there is no start: as the initial system explains it, if that is the reason.
void describe_no_start(const Failure& failure, const HybridInitializer& initializer,
                       InitialPoint& point) {
  Diagnostic why;
  why.code = name_of(failure.status);
  why.message = failure.message;
  if (const auto& last = initializer.last_solution()) {
    describe_point(last->system, last->point, point);
    if (last->why.message == why.message) why = last->why;
  }
  describe_failure(why, point);
}

// What a run would say of its first row.
void check_bounds(RunParts& parts, const std::function<double(Leaf)>& values, double t) {
  parts.workspaces.scales().begin(values, parts.settings.stop - parts.settings.start);
  parts.checks.check_bounds_at_start(values, t);
}

// A point may satisfy all equations where these do not determine how it goes on: x' = y at the end
// of the ellipse x^2/4 + y^2 = 1.
void warn_of_singular(const HybridInitializer::Point& found, const JacobianPoint& at,
                      RunReport& report) {
  const AnalyzedSystem& prepared = found.mode->prepared;
  for (const BlockId block :
       singular_blocks_at(at, prepared.system, prepared.sigma, prepared.structure))
    report.warn_once(fmt::format(
        "initialization: a run cannot start here: the system Jacobian is singular at this point, "
        "in the block of `{}`",
        prepared.system.equation_names[prepared.structure.fine.eqs(block).front()]));
}

// A model without switches: any series are left to the run.
void find_smooth(RunParts& parts, HybridInitializer& initializer, InitialPoint& point) {
  const auto found = initializer.find_point();
  if (!found) return describe_no_start(found.failure(), initializer, point);
  describe_point(initializer.last_solution()->system, initializer.last_solution()->point, point);
  const auto values = [&](Leaf leaf) {
    const auto at = found->values.find(leaf);
    return at == found->values.end() ? 0.0 : at->second;
  };
  add_other_variables(parts.model.model(), parts.rows.recorder(), values, point);
  check_bounds(parts, values, point.t);
  warn_of_singular(*found, {point.t, found->numbers, values}, parts.report);
}

void find_with_mode(RunParts& parts, HybridInitializer& initializer, InitialPoint& point) {
  const Outcome<HybridStart> start = initializer.find_start();
  if (!start) return describe_no_start(start.failure(), initializer, point);
  describe_point(start->point->system, start->point->point, point);
  for (std::size_t k = 0; k < parts.model.relations().size(); ++k)
    if (!parts.model.relations()[k].is_bound)
      point.mode.emplace_back(parts.model.relations()[k].text, start->state.switches.bits[k]);
  const auto values = [&](Leaf leaf) {
    return start->solution->value_or(start->state.discrete[leaf.variable.index()], leaf, point.t);
  };
  add_other_variables(parts.model.model(), parts.rows.recorder(), values, point);
  check_bounds(parts, values, point.t);
}

}  // namespace

InitialPoint initialize(const Model& given, const InitializeOptions& all_options) {
  InitializeOptions options = all_options;
  const Model model = with_given_inputs(given, options);
  if (options.is_least_norm) return find_least_norm_point(model, options);
  if (!options.mode.empty()) return initialize_in_mode(model, options);
  const SimulateOptions run = run_options(options);
  RunParts parts(model_for_run(model, run), run);
  HybridInitializer initializer(parts.model, parts.settings, run,
                                {parts.discrete_part, parts.selector, parts.workspaces, parts.signs,
                                 parts.delays, parts.report, parts.inputs});
  InitialPoint point;
  point.t = parts.settings.start;
  if (is_smooth(parts.model))
    find_smooth(parts, initializer, point);
  else
    find_with_mode(parts, initializer, point);
  add_aliases(parts.model.model(), point);
  for (const std::string& warning : parts.report.summary().warnings) {
    Diagnostic told;
    told.severity = Severity::kWarning;
    told.message = warning;
    point.diagnostics.add(told);
  }
  return point;
}

}  // namespace hydae

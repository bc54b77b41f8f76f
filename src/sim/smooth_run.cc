#include "sim/smooth_run.h"

#include <fmt/format.h>
#include <limits>
#include <optional>

#include <hydae/error.h>

#include "base/timer.h"
#include "compile/consistent_point.h"
#include "compile/defects.h"
#include "expr/incidence.h"
#include "expr/walk.h"
#include "sim/bdf_solver.h"
#include "sim/outcome.h"
#include "sim/output_grid.h"
#include "sim/recorder.h"
#include "sim/settings.h"

namespace hydae {
namespace {

class SmoothRun {
 public:
  SmoothRun(const HybridModel& model, const SimulateOptions& options)
      : hybrid_(model),
        options_(options),
        settings_(settings_of(model.model(), options)),
        grid_(settings_.start, settings_.stop, options),
        recorder_(model, options) {}

  Simulation run() {
    Summary& summary = result_.summary;
    summary.solver = "ida";
    summary.tolerance = settings_.rtol;
    summary.atol = settings_.atol;
    summary.t_end = settings_.start;
    timed("analyze", [this] { prepare_equations(); });
    bool is_ready = false;
    timed("initialize", [&] { is_ready = initialize(); });
    if (is_ready) timed("compile", [&] { is_ready = start(); });
    if (is_ready) timed("integrate", [this] { integrate(); });
    if (solver_) add_counters(solver_->counters(), summary);
    for (const std::string& warning : recorder_.warnings()) summary.warnings.push_back(warning);
    result_.trajectory = recorder_.take();
    return std::move(result_);
  }

 private:
  template <class F>
  void timed(const char* what, F f) {
    const Timer timer;
    f();
    result_.summary.seconds[what] = timer.seconds();
  }

  void prepare_equations() {
    prepared_ = prepare(hybrid_.system(hybrid_.residuals()));
    require_well_posed(prepared_);
    for (const Repair& repair : prepared_.repairs)
      result_.summary.warnings.push_back(repair.description);
  }

  bool initialize() {
    InitializeOptions options;
    options.time = settings_.start;
    options.start_values = options_.start_values;
    system_ = make_initial_system(prepared_, options);
    const PointSettings settings{settings_.start, hybrid_.model().parameter_values()};
    point_ = solve_initial_system(system_, settings);
    result_.summary.newton_iterations += point_.iterations;
    if (point_.is_solved()) return true;
    const Diagnostic why = explain_failure(system_, settings, point_);
    return fail(failure_named(why.code, Status::kInitializationFailed, why.message));
  }

  bool start() {
    solver_.emplace(prepared_, std::vector<NodeId>(), bdf_settings(prepared_.system));
    const auto value = [this](Leaf leaf) {
      const auto at = system_.leaf_to_column.find(leaf);
      return at == system_.leaf_to_column.end()
                 ? std::numeric_limits<double>::quiet_NaN()
                 : point_.values[static_cast<std::size_t>(at->second)];
    };
    const auto none = [](Leaf) { return 0.0; };
    if (solver_->start(settings_.start, value, {hybrid_.model().parameter_values(), none, none}))
      return true;
    return fail(failure_named(solver_->failure_status(), Status::kNotConverged,
                              solver_->failure_message()));
  }

  BdfSettings bdf_settings(const System& system) const {
    BdfSettings settings;
    settings.rtol = settings_.rtol;
    settings.max_step = options_.max_step.value_or(0);
    settings.jacobian = options_.jacobian;
    settings.code = options_.bdf;
    settings.atol = absolute_tolerances(hybrid_, settings_.atol);
    settings.atol.resize(system.unknowns.size(), settings_.atol);
    return settings;
  }

  void integrate() {
    record_until(settings_.start);
    while (solver_->time() != settings_.stop) {
      const BdfSolver::Status status = solver_->step(settings_.stop);
      record_until(solver_->time());
      if (status == BdfSolver::Status::kFailed) {
        fail(failure_named(solver_->failure_status(), Status::kNotConverged,
                           solver_->failure_message()));
        break;
      }
      if (options_.progress && !options_.progress(solver_->time())) {
        fail({Status::kCancelled, fmt::format("cancelled at t = {}", solver_->time())});
        break;
      }
    }
    result_.summary.t_end = solver_->time();
    result_.summary.order = solver_->last_order();
  }

  void record_until(double t) {
    while (const auto time = grid_.next_until(t))
      recorder_.record(*time, [&](Leaf leaf) {
        return solver_->value(*prepared_.system.find_column(leaf.variable), leaf.order, *time);
      });
  }

  bool fail(Failure failure) {
    result_.summary.status = failure.status;
    result_.summary.message = std::move(failure.message);
    return false;
  }

  const HybridModel& hybrid_;
  const SimulateOptions& options_;
  RunSettings settings_;
  OutputGrid grid_;
  Recorder recorder_;
  Prepared prepared_;
  InitialSystem system_;
  ConsistentPoint point_;
  std::optional<BdfSolver> solver_;
  Simulation result_;
};

// Everything that the Taylor method makes series of: equations, guards, signals that are delayed.
std::vector<NodeId> continuous_roots(const HybridModel& model) {
  std::vector<NodeId> roots = model.residuals();
  for (const Relation& relation : model.relations()) roots.push_back(relation.guard);
  for (const Delay& delay : model.delays()) roots.push_back(delay.argument);
  return roots;
}

}  // namespace

bool is_smooth(const HybridModel& model) {
  return !model.residuals().empty() && model.relations().empty() && model.ticks().empty() &&
         model.conditions().empty() && model.discrete_variables().empty() &&
         model.whens().empty() && model.assertions().empty();
}

std::string reason_for_bdf(const HybridModel& model) {
  constexpr std::size_t kManyUnknowns = 5000;  // series of all of them would not fit the cache
  if (contents(model.graph(), continuous_roots(model)).has_calls)
    return "ida, since functions that exist as code only have no Taylor series";
  if (is_smooth(model) && model.residuals().size() > kManyUnknowns)
    return fmt::format("ida, since the model has {} equations", model.residuals().size());
  return "";
}

void refuse_code(const HybridModel& model) {
  const std::vector<NodeId> roots = continuous_roots(model);
  const System system = model.system(model.residuals());
  Walk walk;
  for (std::size_t k = 0; k < roots.size(); ++k)
    for (NodeId id : walk.order(model.graph(), roots[k])) {
      if (!is_call(model.graph().op(id))) continue;
      const Function& function = model.model().functions()[model.graph().node(id).function];
      Diagnostics diagnostics;
      diagnostics
          .error(
              "not-for-taylor",
              fmt::format("function `{}` exists as code only: no Taylor series can be made of it",
                          function.name),
              k < system.residuals.size() ? system.equation_sources[EqId(k)] : function.source)
          .help = "use --solver ida or auto";
      throw ModelError(std::move(diagnostics));
    }
}

Simulation run_smooth(const HybridModel& model, const SimulateOptions& options) {
  return SmoothRun(model, options).run();
}

}  // namespace hydae

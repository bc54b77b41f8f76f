// The time loop: initialise, expand, choose step, advance, record.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/analyze.h>
#include <hydae/error.h>
#include <hydae/simulate.h>

#include "base/timer.h"
#include "compile/consistent_point.h"
#include "compile/defects.h"
#include "compile/lower.h"
#include "compile/prepare.h"
#include "compile/start_values.h"
#include "integrate/taylor_stepper.h"
#include "sim/output_grid.h"
#include "sim/recorder.h"
#include "sim/singularity.h"

namespace hydae {
namespace {

constexpr double kDefaultTolerance = 1e-6;

// Options of a run with everything filled in.
struct Settings {
  double start, stop, rtol, atol;
};

Settings settings_of(const Model& model, const SimulateOptions& options) {
  Settings s{};
  s.start = options.start.value_or(model.experiment.start_time.value_or(0.0));
  s.stop = options.stop.value_or(model.experiment.stop_time.value_or(s.start + 1.0));
  s.rtol = options.tolerance.value_or(model.experiment.tolerance.value_or(kDefaultTolerance));
  s.atol = options.atol.value_or(s.rtol);
  if (!std::isfinite(s.start) || !std::isfinite(s.stop))
    throw UsageError("start and stop time must be finite");
  if (!(s.rtol > 0 && s.rtol < 1))
    throw UsageError(fmt::format("tolerance {} is not in (0, 1)", s.rtol));
  if (!(s.atol > 0)) throw UsageError(fmt::format("absolute tolerance {} is not positive", s.atol));
  return s;
}

class SmoothRun {
 public:
  SmoothRun(const Model& model, const SimulateOptions& options)
      : model_(model), options_(options), settings_(settings_of(model, options)) {}

  Simulation run() {
    summary().solver = "taylor";
    summary().tolerance = settings_.rtol;
    summary().atol = settings_.atol;
    summary().t_end = settings_.start;
    analyze_model();
    compile_program();
    if (initialize_state()) integrate();
    count();
    return std::move(result_);
  }

 private:
  Summary& summary() { return result_.summary; }

  template <class F>
  void timed(const char* what, F&& f) {
    const Timer timer;
    f();
    summary().seconds[what] += timer.seconds();
  }

  void analyze_model() {
    timed("analyze", [&] {
      prepared_ = prepare(model_, start_mode(model_));
      Diagnostics diagnostics;
      report_ill_posed(prepared_, diagnostics);
      report_singular_jacobian(prepared_, diagnostics);
      if (diagnostics.has_errors()) throw ModelError(std::move(diagnostics));
    });
    for (const Repair& repair : prepared_.repairs) summary().warnings.push_back(repair.description);
  }

  void compile_program() {
    timed("compile", [&] { compiled_ = compile_taylor(prepared_.system, prepared_.structure); });
  }

  bool initialize_state() {
    const Timer timer;
    InitializeOptions options;
    options.time = settings_.start;
    options.start_values = options_.start_values;
    initial_ = make_initial_system(prepared_, options);
    point_ = solve_initial_system(initial_, {settings_.start, model_.parameter_values()});
    summary().newton_iterations = point_.iterations;
    summary().seconds["initialize"] = timer.seconds();
    if (point_.is_solved()) return true;
    fail("initialization-failed", "initialization: " + point_.report.message);
    return false;
  }

  void fail(std::string status, std::string message) {
    summary().status = std::move(status);
    summary().message = std::move(message);
  }

  std::vector<double> start_state() const {
    std::vector<double> state;
    for (const codegen::JetEntry& entry : compiled_.program->entries()) {
      const VarId variable =
          prepared_.system.unknowns[VarId(static_cast<std::size_t>(entry.variable))];
      const auto column = initial_.leaf_to_column.find({variable, entry.order});
      state.push_back(column == initial_.leaf_to_column.end()
                          ? std::numeric_limits<double>::quiet_NaN()
                          : point_.values[static_cast<std::size_t>(column->second)]);
    }
    return state;
  }

  std::vector<double> absolute_tolerances() const {
    const std::vector<double> parameters = model_.parameter_values();
    std::vector<double> atol;
    for (VarId variable : prepared_.system.unknowns) {
      double nominal = 1;
      if (variable.index() < model_.num_variables())
        if (const auto& given = model_.all_variables()[variable].nominal)
          nominal = std::abs(number_of(model_, *given, parameters).value_or(1.0));
      atol.push_back(settings_.atol * (nominal > 0 ? nominal : 1.0));
    }
    return atol;
  }

  std::vector<double> tape_parameters() const {
    std::vector<double> values = model_.parameter_values();
    for (NodeId held : compiled_.held)
      values.push_back(start_value(model_, model_.graph().leaf_of(held), values).value_or(0.0));
    return values;
  }

  void integrate() {
    const Timer timer;
    integrate::TaylorStepper stepper(compiled_.program,
                                     {.rtol = settings_.rtol,
                                      .order = options_.order,
                                      .max_step = options_.max_step.value_or(0)},
                                     absolute_tolerances());
    stepper.set_parameters(tape_parameters());
    summary().order = stepper.order();
    const double direction = settings_.stop >= settings_.start ? 1 : -1;
    stepper.start(settings_.start, start_state(), direction);
    OutputGrid grid(settings_.start, settings_.stop, options_);
    Recorder recorder(prepared_, options_);
    SingularityWatch watch;
    run_steps(stepper, grid, recorder, watch);
    result_.trajectory = recorder.take();
    if (auto warning = watch.warning()) summary().warnings.push_back(*warning);
    summary().t_end = stepper.time();
    summary().steps = stepper.counters().steps;
    summary().rejected_steps = stepper.counters().rejected_steps;
    summary().jacobians = summary().factorizations = stepper.counters().expansions;
    summary().max_constraint_residual = stepper.counters().max_displacement;
    summary().seconds["integrate"] = timer.seconds();
  }

  void run_steps(integrate::TaylorStepper& stepper, OutputGrid& grid, Recorder& recorder,
                 SingularityWatch& watch) {
    while (true) {
      if (!stepper.expand(settings_.stop)) return report_failure(stepper, watch);
      watch.observe(stepper.time(), stepper.reach(), stepper.radius());
      while (const auto t = grid.next_until(stepper.reach())) recorder.record(stepper, *t);
      if (stepper.time() == settings_.stop) return;
      stepper.advance(stepper.reach());
      if (options_.progress && !options_.progress(stepper.time()))
        return fail("cancelled", fmt::format("cancelled at t = {}", stepper.time()));
      if (stepper.time() == settings_.stop) return;
    }
  }

  std::string entry_name(int entry) const {
    if (entry < 0) return "?";
    const codegen::JetEntry jet = compiled_.program->entries()[static_cast<std::size_t>(entry)];
    const std::string& name =
        prepared_.system.unknown_names[VarId(static_cast<std::size_t>(jet.variable))];
    if (jet.order == 0) return name;
    return jet.order == 1 ? fmt::format("der({})", name)
                          : fmt::format("der({}, {})", name, jet.order);
  }

  std::string block_equations(int block) const {
    if (block < 0) return "";
    std::vector<std::string> names;
    for (int i : compiled_.program->structure().blocks[static_cast<std::size_t>(block)].equations)
      names.push_back(prepared_.system.equation_names[EqId(static_cast<std::size_t>(i))]);
    return quoted_list(names);
  }

  void report_failure(const integrate::TaylorStepper& stepper, const SingularityWatch& watch) {
    using codegen::ExpandStatus;
    const codegen::ExpandResult& why = stepper.failure();
    const std::string when = fmt::format("simulation stopped at t = {:.10g}: ", stepper.time());
    if (why.status == ExpandStatus::kSingularBlock) {
      fail(
          "singular-jacobian",
          when + fmt::format(
                     "the system Jacobian is singular in the block of {} (condition number {:.2g})",
                     block_equations(why.block), why.condition));
    } else if (why.status == ExpandStatus::kUndefinedFunction) {
      const std::string text =
          why.tag >= 0 ? prepared_.system.to_string(NodeId(static_cast<std::size_t>(why.tag)))
                       : std::string(codegen::term_op_name(why.op));
      fail("undefined-function", when + fmt::format("`{}` is undefined: {} of {:.6g}", text,
                                                    codegen::term_op_name(why.op), why.argument));
    } else if (why.status == ExpandStatus::kNotConverged) {
      fail("not-converged", when + fmt::format("no consistent point near the solution for {}",
                                               block_equations(why.block)));
    } else if (why.status == ExpandStatus::kNotFinite) {
      fail("overflow",
           when + fmt::format("numbers overflow in the block of {}", block_equations(why.block)));
    } else {
      fail("step-too-small", when + fmt::format("the step is below the limit; largest error: `{}`",
                                                entry_name(stepper.limiting_entry())));
    }
    if (auto warning = watch.warning()) summary().message += "\n   " + *warning;
  }

  void count() { summary().modes_visited = 1; }

  const Model& model_;
  const SimulateOptions& options_;
  Settings settings_;
  Prepared prepared_;
  TaylorProgram compiled_;
  InitialSystem initial_;
  ConsistentPoint point_;
  Simulation result_;
};

}  // namespace

Simulation simulate(const Model& model, const SimulateOptions& options) {
  return SmoothRun(model, options).run();
}

}  // namespace hydae

// A problem of the library as the time loop sees it: compiled through the public model, with its
// start values and its known values at the end.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <hydae/problems.h>

#include "compile/analyzed_system.h"
#include "compile/start_values.h"
#include "compile/taylor_lowering.h"
#include "integrate/taylor_stepper.h"

namespace hydae::bench {

struct KnownValue {
  int variable = 0, order = 0;
  double value = 0;
};

struct CompiledProblem {
  std::unique_ptr<Model> model;
  std::shared_ptr<const codegen::Program> program;
  std::vector<double> parameters, state;
  std::vector<KnownValue> known;
  double stop = 0;

  integrate::TaylorStepper make_stepper(double tolerance, int order = 0) const {
    integrate::TaylorOptions options;
    options.rtol = tolerance;
    options.order = order;
    const auto n = static_cast<std::size_t>(program->num_variables());
    integrate::TaylorStepper stepper(program, options, std::vector<double>(n, tolerance));
    stepper.set_parameters(parameters);
    return stepper;
  }

  // Runs to the end; the largest error there of a known value, relative to the larger of it and
  // one.
  double run(integrate::TaylorStepper& stepper) const {
    stepper.start(0, state, 1);
    double error = std::nan("");
    while (stepper.time() < stop && stepper.expand(stop) && stepper.settle()) {
      if (stepper.reach() == stop) error = error_at(stepper, stop);
      stepper.advance(stepper.reach());
    }
    return error;
  }

  double error_at(const integrate::TaylorStepper& stepper, double t) const {
    double error = 0;
    for (const KnownValue& k : known) {
      const double difference = std::abs(stepper.value(k.variable, k.order, t) - k.value);
      error = std::max(error, difference / std::max(1.0, std::abs(k.value)));
    }
    return error;
  }
};

// `stop` = 0: the end of the problem. Start values must be consistent. Known values are those of
// state variables: multipliers are results of no step.
inline CompiledProblem compile_problem(const std::string& name, double stop = 0) {
  const Problem problem = *find_problem(name);
  CompiledProblem result;
  result.model = std::make_unique<Model>(problem.make_model());
  result.stop = stop > 0 ? stop : *result.model->experiment.stop_time;
  const AnalyzedSystem prepared = analyze_system(*result.model, {});
  result.parameters = result.model->parameter_values();
  result.program =
      compile_taylor(prepared.system, prepared.structure, {}, result.parameters.size()).program;
  for (const codegen::JetEntry& entry : result.program->entries()) {
    const VarId variable =
        prepared.system.unknowns[VarId(static_cast<std::size_t>(entry.variable))];
    result.state.push_back(
        start_value(*result.model, {variable, entry.order}, result.parameters).value_or(0.0));
    for (const Reference& reference : problem.references())
      for (const ReferenceValue& value : reference.values)
        if (reference.t == result.stop && value.order == entry.order &&
            value.variable == result.model->variable_name(variable, 0))
          result.known.push_back({entry.variable, entry.order, value.value});
  }
  return result;
}

}  // namespace hydae::bench

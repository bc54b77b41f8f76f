// Module: sim
// A simulation that is led from outside, step by step: for co-simulation, a real-time loop, a
// debugger. Events are dealt with on the way.
//
//     Simulator simulator(model);
//     if (simulator.initialize() == Status::kSuccess) simulator.advance_to(0.1);
//     Simulator::State here = simulator.state();      // a value
//     ... simulator.advance_to(0.2); simulator.set_state(here); ...
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <hydae/compiled_model.h>
#include <hydae/export.h>
#include <hydae/simulate.h>

namespace HYDAE_EXPORT hydae {

class Simulator {
 public:
  // The model must outlive it. `options`: start, tolerances, order, max_step, start values; what
  // is about a result has no meaning here.
  explicit Simulator(const Model& model, SimulateOptions options = {});
  // Shares what is compiled with all runs of it.
  explicit Simulator(const CompiledModel& compiled, SimulateOptions options = {});
  ~Simulator();

  // Throws ModelError for a model that is wrong.
  Status initialize();
  // Forward only, after initialize(). On failure the time is that which was reached.
  Status advance_to(double t);
  const std::string& message() const;  // why the last call failed

  double time() const;
  // Of a variable, `der(x)`, a discrete variable or an alias, after all events at time(). Throws
  // UsageError for a name that the model does not have.
  double value(std::string_view name) const;

  // From now on an input has this value, whatever its signal was; before initialize(): from the
  // start on. A jump is an event: it has happened when the call returns. Inputs that jump at the
  // same instant are given together. Throws UsageError for what is no input of the model.
  Status set_input(const std::string& name, double value) { return set_inputs({{name, value}}); }
  Status set_inputs(const std::map<std::string, double>& values);

  // All that changes, as a value. A simulation that goes on from it, in this Simulator or in
  // another one of the same model and options, has the same results bit by bit.
  class State {
   public:
    double time() const;

   private:
    friend class Simulator;
    std::shared_ptr<const struct HybridState> content_;
  };
  State state() const;
  Status set_state(const State& state);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hydae

// Module: sim
// A model that has been made ready to run, for many runs: on as many threads as one likes, with
// other values of parameters, other start values and other options. Its modes are analyzed and
// compiled when a run first meets them and are there for all others. A run with a parameter that
// changes the form of the equations (a factor that becomes zero, a Jacobian that becomes singular)
// makes what it needs anew; the results never depend on which runs there were before.
//
//     const CompiledModel compiled(model);
//     SimulateOptions options;
//     for (double k : {1.0, 2.0, 5.0}) {
//       options.parameters = {{"spring.c", k}};
//       simulate(compiled, options);
//     }
#pragma once

#include <memory>

#include <hydae/export.h>
#include <hydae/simulate.h>

namespace HYDAE_EXPORT hydae {

class CompiledModel {
 public:
  // Takes a copy: what becomes of the model afterwards does not matter. A copy of a CompiledModel
  // is the same one.
  explicit CompiledModel(const Model& model);
  ~CompiledModel();
  CompiledModel(const CompiledModel&);
  CompiledModel& operator=(const CompiledModel&);

  const Model& model() const;

  // What all runs together have had made.
  struct Counters {
    long forms = 0;  // of the model as a whole: switches made explicit, observed variables found
    long modes = 0;  // analyzed and compiled
  };
  Counters counters() const;

 private:
  friend class ModelForms;
  std::shared_ptr<class ModelForms> forms_;
};

// Throws as simulate(model, options) does. May be called on several threads at once.
Simulation simulate(const CompiledModel& compiled, const SimulateOptions& options = {});

}  // namespace hydae

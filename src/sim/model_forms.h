// The forms that a model takes: as a rule one. Options and values of parameters that change what is
// decided before any mode is (which variables are only observed, which terms are zero, how long the
// polynomials of delays are) lead to another one. Made when first needed, shared by all runs.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <hydae/compiled_model.h>

#include "sim/mode_library.h"
#include "sim/parameter_facts.h"

namespace hydae {

// What a run works with: the model with its values, and the modes of its form.
struct RunModel {
  HybridModel model;
  std::shared_ptr<SharedModes> modes;
};

class ModelForms {
 public:
  // `model` must outlive them and must not be added to.
  explicit ModelForms(const Model& model) : model_(model) {}
  explicit ModelForms(Model&& owned) : owned_(std::move(owned)), model_(*owned_) {}
  static ModelForms& of(const CompiledModel& compiled) { return *compiled.forms_; }

  const Model& model() const { return model_; }
  // Throws UsageError for parameters that cannot be set, ModelError for a wrong model.
  RunModel for_run(const SimulateOptions& options, bool guards_roots = false);
  CompiledModel::Counters counters() const;

 private:
  struct Form {
    Form(const Model& model, FormOptions chosen);
    bool fits(const FormOptions& wanted, const std::vector<double>& parameters) const;

    FormOptions shape;
    HybridModel hybrid;
    ParameterFacts facts;
    SharedModes with_series, without_series;
  };
  std::shared_ptr<Form> form_for(const Model& model, const SimulateOptions& options,
                                 bool guards_roots);
  std::shared_ptr<Form> find_or_make(const Model& model, const FormOptions& shape);

  std::optional<Model> owned_;
  const Model& model_;
  mutable std::mutex mutex_;  // guards what follows
  std::list<std::shared_ptr<Form>> forms_;
};

// Of a model that is run once.
RunModel model_for_run(const Model& model, const SimulateOptions& options);

}  // namespace hydae

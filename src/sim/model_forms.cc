#include "sim/model_forms.h"

#include <algorithm>

#include "compile/given_starts.h"
#include "compile/start_values.h"
#include "integrate/step_size.h"
#include "poly/interpolate.h"
#include "sim/input_driver.h"
#include "sim/settings.h"
#include "sim/solver_choice.h"

namespace hydae {
namespace {

// Of the past of a signal, whichever method has made it.
std::size_t num_series_coefficients(const RunSettings& settings, const SimulateOptions& options) {
  const int order =
      options.order > 0 ? options.order : integrate::order_for_tolerance(settings.rtol);
  return static_cast<std::size_t>(std::max(order, poly::Interpolation::kDegree)) + 1;
}

// Variables that the options fix at the start, or whose derivatives they give.
std::vector<VarId> asked_variables(const Model& model, const SimulateOptions& options) {
  std::vector<VarId> variables;
  for (const StartOverride& start : options.start_values) {
    const auto named = find_named_leaf(model, start.variable);
    if (named && (start.fixed || named->leaf.order > 0)) variables.push_back(named->leaf.variable);
  }
  std::sort(variables.begin(), variables.end());
  return variables;
}

}  // namespace

ModelForms::Form::Form(const Model& model, FormOptions chosen)
    : shape(std::move(chosen)),
      hybrid(model, shape),
      facts(hybrid.model(), hybrid.graph(), hybrid.graph().size(), model.parameter_values()),
      with_series(hybrid, /*with_series=*/true),
      without_series(hybrid, /*with_series=*/false) {
  hybrid.freeze();
}

bool ModelForms::Form::fits(const FormOptions& wanted,
                            const std::vector<double>& parameters) const {
  FormOptions same = wanted;
  if (hybrid.delays().empty()) same.num_coefficients = shape.num_coefficients;
  return same == shape && facts.hold_for(parameters);
}

// What is solved for anyway need not be asked for.
std::shared_ptr<ModelForms::Form> ModelForms::form_for(const Model& model,
                                                       const SimulateOptions& options,
                                                       bool guards_roots) {
  require_ranges(model);
  FormOptions shape{
      .num_coefficients = num_series_coefficients(settings_of(model, options), options),
      .num_input_coefficients = num_input_coefficients(model, options),
      .guards_roots = guards_roots};
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Form> form = find_or_make(model, shape);
  shape.needed = asked_variables(model, options);
  std::erase_if(shape.needed,
                [&](VarId variable) { return !form->hybrid.observed().contains(variable); });
  return shape.needed.empty() ? form : find_or_make(model, shape);
}

std::shared_ptr<ModelForms::Form> ModelForms::find_or_make(const Model& model,
                                                           const FormOptions& shape) {
  const std::vector<double> parameters = model.parameter_values();
  for (const auto& form : forms_)
    if (form->fits(shape, parameters)) return form;
  return forms_.emplace_back(std::make_shared<Form>(model, shape));
}

RunModel ModelForms::for_run(const SimulateOptions& options, bool guards_roots) {
  std::shared_ptr<Form> form;
  if (options.parameters.empty()) {
    form = form_for(model_, options, guards_roots);
  } else {
    Model changed = model_;
    set_parameters(changed, options.parameters);
    form = form_for(changed, options, guards_roots);
  }
  HybridModel model = form->hybrid.for_run(options.parameters);
  const bool has_series = choose_solver(model, options).has_series;
  SharedModes& modes = has_series ? form->with_series : form->without_series;
  return {std::move(model), {std::move(form), &modes}};
}

CompiledModel::Counters ModelForms::counters() const {
  const std::lock_guard lock(mutex_);
  CompiledModel::Counters counters;
  for (const auto& form : forms_) {
    ++counters.forms;
    counters.modes += form->with_series.num_made() + form->without_series.num_made();
  }
  return counters;
}

RunModel model_for_run(const Model& model, const SimulateOptions& options) {
  return std::make_shared<ModelForms>(model)->for_run(options);
}

CompiledModel::CompiledModel(const Model& model)
    : forms_(std::make_shared<ModelForms>(model.detached())) {}
CompiledModel::~CompiledModel() = default;
CompiledModel::CompiledModel(const CompiledModel&) = default;
CompiledModel& CompiledModel::operator=(const CompiledModel&) = default;

const Model& CompiledModel::model() const { return forms_->model(); }

CompiledModel::Counters CompiledModel::counters() const { return forms_->counters(); }

}  // namespace hydae

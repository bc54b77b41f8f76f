#include <fmt/format.h>

#include <hydae/error.h>
#include <hydae/simulator.h>

#include "base/derivative_name.h"
#include "sim/run.h"

namespace hydae {

struct Simulator::Impl {
  Impl(const Model& given, SimulateOptions chosen, ModelForms& forms)
      : model(given), options(std::move(chosen)), run(forms.for_run(options), options) {
    run.keep_no_rows();
  }

  Status note(const Outcome<Done>& outcome) {
    message = outcome ? std::string() : outcome.failure().message;
    return outcome ? Status::kSuccess : outcome.failure().status;
  }

  const Model& model;
  SimulateOptions options;
  Run run;
  std::string message;
};

namespace {

// Every input has a signal: they may be set at any time.
SimulateOptions for_simulator(const Model& model, SimulateOptions options) {
  options.progress = nullptr;
  options.sinks = {};
  options.activity = nullptr;
  options.state = {};
  options = with_signals(model, std::move(options));
  check_signals(model, options.inputs);
  add_missing_signals(model, options);
  return options;
}

}  // namespace

Simulator::Simulator(const Model& model, SimulateOptions options)
    : impl_(std::make_unique<Impl>(model, for_simulator(model, std::move(options)),
                                   *std::make_unique<ModelForms>(model))) {}

Simulator::Simulator(const CompiledModel& compiled, SimulateOptions options)
    : impl_(std::make_unique<Impl>(compiled.model(),
                                   for_simulator(compiled.model(), std::move(options)),
                                   ModelForms::of(compiled))) {}

Simulator::~Simulator() = default;

Status Simulator::initialize() { return impl_->note(impl_->run.start()); }

Status Simulator::advance_to(double t) {
  if (t < time()) throw UsageError(fmt::format("from t = {} back to {}", time(), t));
  return impl_->note(impl_->run.advance_to(t));
}

Status Simulator::set_inputs(const std::map<std::string, double>& values) {
  std::vector<InputSignal> signals;
  std::map<std::size_t, double> by_position;
  for (const auto& [name, value] : values) signals.push_back({name, {time()}, {value}});
  check_signals(impl_->model, signals);
  const std::vector<ModelInput>& inputs = impl_->model.inputs();
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (const auto at = values.find(inputs[k].name); at != values.end())
      by_position[k] = at->second;
  return impl_->note(impl_->run.set_inputs(by_position));
}

const std::string& Simulator::message() const { return impl_->message; }

double Simulator::time() const { return impl_->run.time(); }

double Simulator::value(std::string_view name) const {
  const Model& model = impl_->model;
  for (const Alias& alias : model.aliases())
    if (alias.name == name) return alias.factor * impl_->run.value({alias.target, 0});
  const auto [variable_name, order] = parse_derivative_name(std::string(name));
  const auto variable = model.find_variable(variable_name);
  if (!variable) throw UsageError(fmt::format("the model has no variable `{}`", name));
  return impl_->run.value({*variable, order});
}

double Simulator::State::time() const { return content_->t; }

Simulator::State Simulator::state() const {
  Outcome<HybridState> here = impl_->run.snapshot();
  if (!here) throw UsageError("no state after a failure: " + here.failure().message);
  State state;
  state.content_ = std::make_shared<const HybridState>(*std::move(here));
  return state;
}

Status Simulator::set_state(const State& state) {
  return impl_->note(impl_->run.resume(*state.content_));
}

}  // namespace hydae

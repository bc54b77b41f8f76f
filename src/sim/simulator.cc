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

SimulateOptions for_simulator(SimulateOptions options) {
  options.progress = nullptr;
  options.sink = nullptr;
  options.activity = nullptr;
  options.state = {};
  return options;
}

}  // namespace

Simulator::Simulator(const Model& model, SimulateOptions options)
    : impl_(std::make_unique<Impl>(model, for_simulator(std::move(options)),
                                   *std::make_unique<ModelForms>(model))) {}

Simulator::Simulator(const CompiledModel& compiled, SimulateOptions options)
    : impl_(std::make_unique<Impl>(compiled.model(), for_simulator(std::move(options)),
                                   ModelForms::of(compiled))) {}

Simulator::~Simulator() = default;

Status Simulator::initialize() { return impl_->note(impl_->run.start()); }

Status Simulator::advance_to(double t) {
  if (t < time()) throw UsageError(fmt::format("from t = {} back to {}", time(), t));
  return impl_->note(impl_->run.advance_to(t));
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

// Values of bound parameters, each after those it depends on.
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>
#include <hydae/model.h>

#include "expr/evaluate.h"
#include "expr/walk.h"

namespace hydae {
namespace {

class ParameterOrder {
 public:
  explicit ParameterOrder(const Model& model) : model_(model), state_(model.parameters().size()) {}

  // Depth first without recursion: `path_` runs from a parameter to one it depends on.
  std::vector<ParamId> find() {
    for (ParamId root : ids<ParamId>(state_.size())) {
      if (state_[root] == State::kNew) enter(root);
      while (!path_.empty()) advance();
    }
    return std::move(order_);
  }

 private:
  enum class State : std::uint8_t { kNew, kOnPath, kDone };
  struct Step {
    ParamId parameter;
    std::vector<ParamId> needs;
    std::size_t next;
  };

  void enter(ParamId parameter) {
    state_[parameter] = State::kOnPath;
    path_.push_back({parameter, needs(parameter), 0});
  }

  void advance() {
    Step& step = path_.back();
    if (step.next == step.needs.size()) {
      state_[step.parameter] = State::kDone;
      order_.push_back(step.parameter);
      path_.pop_back();
      return;
    }
    const ParamId need = step.needs[step.next++];
    if (state_[need] == State::kOnPath) report_cycle(need);
    if (state_[need] == State::kNew) enter(need);
  }

  std::vector<ParamId> needs(ParamId parameter) {
    const std::optional<Expr>& binding = model_.parameters()[parameter].binding;
    std::vector<ParamId> found;
    if (!binding) return found;
    for (NodeId id : walk_.order(model_.graph(), binding->id()))
      if (model_.graph().op(id) == Op::kParameter)
        found.push_back(model_.graph().node(id).parameter);
    return found;
  }

  [[noreturn]] void report_cycle(ParamId first) const {
    std::size_t begin = 0;
    while (path_[begin].parameter != first) ++begin;
    const Parameter& parameter = model_.parameters()[first];
    Diagnostics diagnostics;
    Diagnostic& error = diagnostics.error(
        "parameter-cycle", fmt::format("parameter {} depends on itself", quoted(parameter.name)),
        parameter.source);
    for (std::size_t i = begin; i < path_.size(); ++i) {
      const Parameter& link = model_.parameters()[path_[i].parameter];
      error.notes.push_back(
          {fmt::format("{} = {}", link.name, model_.to_string(*link.binding)), link.source});
    }
    throw ModelError(std::move(diagnostics));
  }

  const Model& model_;
  IdVector<ParamId, State> state_;
  std::vector<Step> path_;
  std::vector<ParamId> order_;
  Walk walk_;
};

[[noreturn]] void report_undefined(const Model& model, const Parameter& parameter,
                                   const Evaluator& evaluator) {
  Diagnostics diagnostics;
  Diagnostic& error =
      diagnostics.error("undefined-parameter",
                        fmt::format("parameter {} = {} has no finite value", quoted(parameter.name),
                                    quoted(model.to_string(*parameter.binding))),
                        parameter.source);
  const NodeId culprit = *evaluator.find_undefined();
  error.label = fmt::format("{} is undefined", quoted(model.to_string({model.graph(), culprit})));
  if (!evaluator.call_failure().empty()) error.notes.push_back({evaluator.call_failure(), {}});
  throw ModelError(std::move(diagnostics));
}

}  // namespace

std::vector<double> Model::parameter_values() const {
  std::vector<double> values;
  for (const Parameter& parameter : parameters_) values.push_back(parameter.value);
  for (ParamId id : ParameterOrder(*this).find()) {
    const Parameter& parameter = parameters_[id];
    if (!parameter.binding) continue;
    const NodeId root = parameter.binding->id();
    Evaluator evaluator(*graph_, std::span(&root, 1), &functions_);
    Point point;
    point.parameters = values;
    const double value = evaluator.evaluate(point)[0];
    if (!std::isfinite(value)) report_undefined(*this, parameter, evaluator);
    values[id.index()] = value;
  }
  return values;
}

}  // namespace hydae

#include "sim/input_driver.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hydae/error.h>

#include "base/derivative_name.h"
#include "compile/start_values.h"
#include "sim/saved_content.h"
#include "sim/tick_times.h"

namespace hydae {
namespace {

VariableKind kind_of(const Model& model, const ModelInput& input) {
  return model.all_variables()[model.variable_of(input)].kind;
}

const InputSignal* find_signal(const std::vector<InputSignal>& signals, const std::string& name) {
  const auto at = std::find_if(signals.begin(), signals.end(),
                               [&](const InputSignal& signal) { return signal.name == name; });
  return at == signals.end() ? nullptr : &*at;
}

const ModelInput* find_input(const Model& model, const std::string& name) {
  const auto at = std::find_if(model.inputs().begin(), model.inputs().end(),
                               [&](const ModelInput& input) { return input.name == name; });
  return at == model.inputs().end() ? nullptr : &*at;
}

std::vector<std::string> input_names(const Model& model) {
  std::vector<std::string> names;
  for (const ModelInput& input : model.inputs()) names.push_back(input.name);
  return names;
}

std::span<const PastPiece> input_pieces(const SavedState& saved) {
  const HybridState& state = saved.content().state;
  return std::span(state.pieces).subspan(std::min(state.histories.size(), state.pieces.size()));
}

bool are_same(const PastPiece& a, const PastPiece& b) {
  return a.start == b.start && a.end == b.end && a.origin == b.origin && a.scale == b.scale &&
         a.coefficients == b.coefficients;
}

// What the terms of a polynomial may be wrong by at t.
double rounding_in(const PastPiece& piece, double t) {
  constexpr double kOperations = 8;
  const double x = std::abs((t - piece.origin) / piece.scale);
  double size = 0, power = 1;
  for (double coefficient : piece.coefficients) {
    size += std::abs(coefficient) * power;
    power *= x;
  }
  return kOperations * std::numeric_limits<double>::epsilon() * size;
}

}  // namespace

void check_signals(const Model& model, const std::vector<InputSignal>& signals) {
  std::set<std::string> seen;
  for (const InputSignal& signal : signals) {
    const ModelInput* input = find_input(model, signal.name);
    if (input == nullptr)
      throw UsageError(
          model.inputs().empty()
              ? fmt::format("model `{}` has no input `{}`: it has none", model.name(), signal.name)
              : fmt::format("model `{}` has no input `{}`: its inputs are {}", model.name(),
                            signal.name, quoted_list(input_names(model))));
    if (!seen.insert(signal.name).second)
      throw UsageError(fmt::format("input `{}` is given twice", signal.name));
    check_signal(signal, kind_of(model, *input));
  }
}

std::size_t num_input_coefficients(const Model& model, const SimulateOptions& options) {
  if (options.inputs.empty()) return 0;
  std::size_t most = 1;
  for (const InputSignal& signal : options.inputs)
    if (const ModelInput* input = find_input(model, signal.name))
      most = std::max(most, num_coefficients_of(signal, kind_of(model, *input)));
  if (options.state.resume)
    for (const PastPiece& piece : input_pieces(*options.state.resume))
      most = std::max(most, piece.coefficients.size());
  return most;
}

SimulateOptions with_signals(const Model& model, SimulateOptions options) {
  if (model.inputs().empty()) return options;
  std::erase_if(options.start_values, [&](const StartOverride& start) {
    if (find_input(model, start.variable) == nullptr) return false;
    if (find_signal(options.inputs, start.variable) != nullptr)
      throw UsageError(fmt::format("input `{}` has a signal: it cannot have a start value, too",
                                   start.variable));
    options.inputs.push_back({start.variable, {0.0}, {start.value}});
    return true;
  });
  if (options.state.resume && !input_pieces(*options.state.resume).empty())
    add_missing_signals(model, options);
  return options;
}

void add_missing_signals(const Model& model, SimulateOptions& options) {
  for (const ModelInput& input : model.inputs())
    if (find_signal(options.inputs, input.name) == nullptr)
      options.inputs.push_back({input.name, {}, {}});
}

void require_signals(const Model& model, const SimulateOptions& options) {
  std::vector<std::string> missing;
  for (const ModelInput& input : model.inputs()) {
    const bool has_start =
        std::any_of(options.start_values.begin(), options.start_values.end(),
                    [&](const StartOverride& start) { return start.variable == input.name; });
    if (!has_start && find_signal(options.inputs, input.name) == nullptr)
      missing.push_back(input.name);
  }
  if (missing.empty()) return;
  throw UsageError(
      fmt::format("no signal for {} {}: give a column, or a value by --start-value "
                  "NAME=VALUE",
                  missing.size() == 1 ? "input" : "inputs", quoted_list(missing)));
}

std::string text_of_held_inputs(const Model& model, const SimulateOptions& options) {
  std::vector<std::string> names;
  for (const ModelInput& input : model.inputs())
    if (find_signal(options.inputs, input.name) == nullptr) names.push_back(input.name);
  if (names.empty()) return "";
  return names.size() == 1
             ? fmt::format("input {} has no signal and keeps its start value", quoted_list(names))
             : fmt::format("inputs {} have no signals and keep their start values",
                           quoted_list(names));
}

InputDriver::InputDriver(const HybridModel& model, const RunSettings& settings,
                         const SimulateOptions& options)
    : model_(model), settings_(settings) {
  for (std::size_t k = 0; k < model.inputs().size(); ++k)
    if (const InputSignal* signal = find_signal(options.inputs, model.inputs()[k].name);
        signal != nullptr && !signal->times.empty())
      curves_.emplace(k, SignalCurve(*signal, model.inputs()[k].kind));
}

std::size_t InputDriver::place(std::size_t input) const { return model_.delays().size() + input; }

void InputDriver::begin(double t, HybridState& state) const {
  state.pieces.resize(place(model_.inputs().size()));
  const std::vector<double> parameters = model_.model().parameter_values();
  for (std::size_t k = 0; k < model_.inputs().size(); ++k) {
    const auto due = due_.find(k);
    const auto curve = curves_.find(k);
    state.pieces[place(k)] =
        due != due_.end() ? due->second
        : curve != curves_.end()
            ? curve->second.piece_from(t, settings_.direction())
            : constant_piece(
                  number_of(model_.model(), model_.inputs()[k].start, parameters).value_or(0.0));
  }
}

double InputDriver::end_of(std::size_t input, const HybridState& state) const {
  const PastPiece& piece = state.pieces[place(input)];
  return settings_.direction() > 0 ? piece.end : piece.start;
}

// Pieces that are too short to be seen are passed over.
std::optional<PastPiece> InputDriver::due_at(std::size_t input, double t,
                                             const HybridState& state) const {
  if (const auto due = due_.find(input); due != due_.end()) return due->second;
  const auto curve = curves_.find(input);
  if (curve == curves_.end()) return std::nullopt;
  const double direction = settings_.direction();
  const auto has_ended = [&](double end) {
    return (end - t) * direction <= 0 || is_same_time(end, t);
  };
  double end = end_of(input, state);
  if (!has_ended(end)) return std::nullopt;
  PastPiece piece;
  do {
    piece = curve->second.piece_from(end, direction);
    end = direction > 0 ? piece.end : piece.start;
  } while (has_ended(end));
  return piece;
}

std::set<std::size_t> InputDriver::jumps_at(double t, const HybridState& state) const {
  std::set<std::size_t> jumps;
  for (std::size_t k = 0; k < model_.inputs().size(); ++k)
    if (const auto next = due_at(k, t, state)) {
      const PastPiece& last = state.pieces[place(k)];
      const double difference = std::abs(value_in(*next, t) - value_in(last, t));
      if (difference > rounding_in(*next, t) + rounding_in(last, t)) jumps.insert(k);
    }
  return jumps;
}

void InputDriver::choose(double t, HybridState& state) {
  for (std::size_t k = 0; k < model_.inputs().size(); ++k)
    if (auto next = due_at(k, t, state)) state.pieces[place(k)] = *std::move(next);
  due_.clear();
}

void InputDriver::set(std::size_t input, double value, const HybridState& state) {
  const PastPiece piece = constant_piece(value);
  const bool is_there =
      place(input) < state.pieces.size() && are_same(state.pieces[place(input)], piece);
  if (!is_there) due_[input] = piece;
}

// The equations of the state hold with the pieces that it has: others come by an event.
void InputDriver::adopt(HybridState& state) {
  if (model_.inputs().empty()) return;
  if (state.pieces.size() != place(model_.inputs().size())) {  // they kept their start values
    const auto curves = std::exchange(curves_, {});
    begin(state.t, state);
    curves_ = curves;
  }
  for (std::size_t k = 0; k < model_.inputs().size(); ++k) {
    PastPiece& piece = state.pieces[place(k)];
    const auto curve = curves_.find(k);
    const PastPiece wanted = curve == curves_.end()
                                 ? constant_piece(value_in(piece, state.t))
                                 : curve->second.piece_from(state.t, settings_.direction());
    if (!are_same(piece, wanted)) due_[k] = wanted;
  }
}

}  // namespace hydae

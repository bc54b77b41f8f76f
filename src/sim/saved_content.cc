#include "sim/saved_content.h"

#include <bit>
#include <fmt/format.h>

#include <hydae/error.h>

#include "expr/walk.h"

namespace hydae {
namespace {

// FNV-1a, 64 bits.
class Fingerprint {
 public:
  void add(std::uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8) add_byte(static_cast<std::uint8_t>(word >> shift));
  }
  void add(const std::string& text) {
    for (char c : text) add_byte(static_cast<std::uint8_t>(c));
    add(text.size());
  }
  std::uint64_t value() const { return value_; }

 private:
  void add_byte(std::uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3; }

  std::uint64_t value_ = 0xcbf29ce484222325;
};

class ModelFingerprint {
 public:
  explicit ModelFingerprint(const Model& model) : model_(model), graph_(model.graph()) {}

  std::uint64_t run() {
    hash_.add(model_.name());
    for (const Variable& variable : model_.all_variables()) {
      hash_.add(variable.name);
      hash_.add(static_cast<std::uint64_t>(variable.kind));
    }
    for (const Parameter& parameter : model_.parameters()) hash_.add(parameter.name);
    collect_roots();
    for (NodeId id : walk_.order(graph_, roots_)) add_node(id);
    for (NodeId root : roots_) hash_.add(walk_.position(root));
    return hash_.value();
  }

 private:
  void collect(const Expr& expr) {
    if (!expr.is_number()) return roots_.push_back(expr.id());
    hash_.add(std::bit_cast<std::uint64_t>(expr.value()));
  }

  void collect_roots() {
    for (const Equation& equation : model_.equations()) {
      collect(equation.lhs);
      if (equation.input.empty()) collect(equation.rhs);  // else it depends on who gives it
    }
    for (const WhenClause& clause : model_.when_clauses())
      for (const WhenBranch& branch : clause.branches) {
        for (const Expr& condition : branch.conditions) collect(condition);
        for (const WhenAction& action : branch.actions) {
          hash_.add(static_cast<std::uint64_t>(action.kind));
          collect(action.target), collect(action.value);
        }
      }
    for (const Assertion& assertion : model_.assertions()) collect(assertion.condition);
  }

  void add_node(NodeId id) {
    const Node node = graph_.node(id);
    hash_.add(static_cast<std::uint64_t>(node.op) * 4 + (node.silent ? 2u : 0u) +
              (node.is_boolean ? 1u : 0u));
    hash_.add(std::bit_cast<std::uint64_t>(node.value));
    hash_.add(node.variable.index() + (static_cast<std::uint64_t>(node.order) << 32));
    hash_.add(node.parameter.index());
    if (is_call(node.op)) hash_.add(model_.functions()[node.function].name);
    for (NodeId operand : graph_.operands(id)) hash_.add(walk_.position(operand));
  }

  const Model& model_;
  const Graph& graph_;
  Fingerprint hash_;
  std::vector<NodeId> roots_;
  Walk walk_;
};

// The values of the state, as far as they are not those of the model.
std::vector<ParameterOverride> saved_parameters(const Model& model, const SavedContent& saved) {
  const std::vector<double> values = model.parameter_values();
  std::vector<ParameterOverride> changed;
  for (const auto& [name, value] : saved.parameters) {
    const auto parameter = model.find_parameter(name);
    if (!parameter || values[parameter->index()] == value) continue;
    const Parameter& target = model.parameters()[*parameter];
    if (target.binding && !model.graph().is_constant(target.binding->id())) continue;  // follows
    if (target.is_structural)
      throw UsageError(fmt::format("{}: parameter `{}` was {} and is {}, and cannot be set",
                                   saved.origin, name, value, values[parameter->index()]));
    changed.push_back({name, value});
  }
  return changed;
}

}  // namespace

const char* solver_name(Solver solver) {
  switch (solver) {
    case Solver::kTaylor: return "taylor";
    case Solver::kIda: return "ida";
    case Solver::kAuto: break;
  }
  return "auto";
}

std::string text_of_saved_parameters(const Model& model, const SimulateOptions& options) {
  std::vector<std::string> texts;
  for (const ParameterOverride& saved : options.parameters) {
    const double own = model.parameter_values()[model.find_parameter(saved.parameter)->index()];
    texts.push_back(
        fmt::format("{} = {:.6g} instead of {:.6g}", saved.parameter, saved.value, own));
  }
  return texts.empty()
             ? ""
             : fmt::format("parameters have the values of the state: {}", quoted_list(texts));
}

std::uint64_t fingerprint_of(const Model& model) { return ModelFingerprint(model).run(); }

HybridState restored_state(const Model& model, const SavedContent& saved) {
  HybridState state = saved.state;
  state.discrete.assign(model.num_variables(), 0.0);
  for (const auto& [name, value] : saved.discrete)
    if (const auto variable = model.find_variable(name)) state.discrete[variable->index()] = value;
  return state;
}

SimulateOptions options_to_resume(const Model& model, SimulateOptions options) {
  const SavedContent& saved = options.state.resume->content();
  if (saved.model != model.name())
    throw UsageError(fmt::format("{} is a state of model `{}`, not of `{}`", saved.origin,
                                 saved.model, model.name()));
  if (saved.fingerprint != fingerprint_of(model))
    throw UsageError(
        fmt::format("{} is a state of another version of model `{}`: its equations "
                    "have changed",
                    saved.origin, saved.model));
  if (!options.parameters.empty() || !options.start_values.empty() || options.start)
    throw UsageError(
        "a run that goes on from a state has its start, start values and parameters from there");
  options.parameters = saved_parameters(model, saved);
  for (const auto& [name, value] : saved.fixed_starts)
    options.start_values.push_back({name, value, /*fixed=*/true});
  options.start = saved.start;
  if (!options.stop) options.stop = model.experiment.stop_time.value_or(saved.start + 1.0);
  if (!options.tolerance) options.tolerance = saved.tolerance;
  if (!options.atol) options.atol = saved.atol;
  if (options.order == 0) options.order = saved.order;
  if (options.solver == Solver::kAuto) options.solver = saved.solver;
  const double direction = *options.stop >= saved.start ? 1 : -1;
  if ((*options.stop - saved.state.t) * direction < 0)
    throw UsageError(fmt::format("{} is of t = {}, behind the stop time {}", saved.origin,
                                 saved.state.t, *options.stop));
  return options;
}

}  // namespace hydae

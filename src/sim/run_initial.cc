// Initialization with modes: solve with frozen bits, look which bits the solution asks for, repeat.
#include <fmt/format.h>
#include <set>

#include <hydae/error.h>

#include "compile/consistent_point.h"
#include "compile/start_values.h"
#include "sim/run.h"

namespace hydae {

namespace {
constexpr std::size_t kMostModes = 50;
}

// Values under pre() at the start: the start values, or what an initial equation pre(v) = e says.
std::vector<double> Run::pre_at_start() {
  std::vector<double> pre = discrete_;
  const Graph& graph = model_.graph();
  for (const Equation& equation : model_.initial_equations()) {
    for (const auto& [side, other] :
         {std::pair(&equation.lhs, &equation.rhs), std::pair(&equation.rhs, &equation.lhs)}) {
      if (side->is_number() || graph.op(side->id()) != Op::kPre) continue;
      const VarId variable = graph.leaf_of(side->id()).variable;
      if (model_.all_variables()[variable].kind == VariableKind::kReal) continue;
      if (const auto value = number_of(model_, *other, model_.parameter_values()))
        pre[variable.index()] = *value;
      break;
    }
  }
  return pre;
}

bool Run::initialize() {
  const std::vector<double> pre = pre_at_start();
  // Guess of the bits: relations at the start values.
  const std::vector<double> parameters = model_.parameter_values();
  const auto at_start = [&](Leaf leaf) {
    for (const StartOverride& start : options_.start_values)
      if (start.variable == model_.variable_name(leaf.variable, leaf.order)) return start.value;
    return start_value(model_, leaf, parameters).value_or(0.0);
  };
  std::vector<NodeId> guards;
  for (const Relation& relation : hybrid_.relations()) guards.push_back(relation.guard);
  ExpressionList guard_list(hybrid_, guards);
  Instant start;
  start.t = settings_.start;
  start.continuous = start.before = at_start;
  start.discrete = &discrete_;
  start.pre = &pre;
  start.table = &table_;
  start.is_initial = true;
  bits_.assign(guards.size(), false);
  for (int sweep = 0; sweep < 3; ++sweep) {
    const auto values = guard_list.evaluate(start);
    for (std::size_t k = 0; k < bits_.size(); ++k)
      bits_[k] = hybrid_.relations()[k].truth(values[k] > 0 ? 1 : values[k] < 0 ? -1 : 0);
    set_bits(bits_);
    discrete_ = discrete_part_.evaluate(start, conditions_true_).values;
  }

  // Bits and discrete values that agree with the solution they lead to.
  std::set<std::pair<std::vector<bool>, std::vector<double>>> seen;
  while (seen.emplace(bits_, discrete_).second && seen.size() < kMostModes) {
    std::vector<bool> wanted;
    if (!initialize_in_mode(bits_, wanted)) return false;
    set_bits(wanted);
    Instant now = instant(settings_.start);
    now.is_initial = true;
    now.pre = &pre;
    const DiscreteOutcome outcome = discrete_part_.evaluate(now, conditions_true_);
    const bool is_consistent = wanted == bits_ && outcome.values == discrete_;
    bits_ = wanted;
    discrete_ = outcome.values;
    if (is_consistent) {
      conditions_true_ = outcome.conditions;
      return true;
    }
  }
  fail("mode-cycle", "initialization: no mode is consistent with its own solution");
  return false;
}

bool Run::initialize_in_mode(const std::vector<bool>& bits, std::vector<bool>& new_bits) {
  set_bits(bits);
  Instant start;
  start.t = settings_.start;
  start.continuous = start.before = [](Leaf) { return 0.0; };
  start.discrete = start.pre = &discrete_;
  start.table = &table_;
  start.is_initial = true;
  std::vector<bool> truths;
  for (double value : conditions_.evaluate(start)) truths.push_back(value == 1.0);
  Mode& mode = modes_.find_or_make(truths);
  if (mode.defects.has_errors()) throw ModelError(mode.defects);
  if (mode.number == 1)
    for (const Repair& repair : mode.prepared.repairs)
      result_.summary.warnings.push_back(repair.description);

  InitializeOptions options;
  options.time = settings_.start;
  options.start_values = options_.start_values;
  InitialSystem system = make_initial_system(mode.prepared, options);
  for (auto& [leaf, value] : system.held) value = discrete_[leaf.variable.index()];
  const PointSettings settings{settings_.start, table_};
  const ConsistentPoint point = solve_initial_system(system, settings);
  result_.summary.newton_iterations += point.iterations;
  if (!point.is_solved()) {
    const Diagnostic why = explain_failure(system, settings, point);
    fail(why.code, why.message);
    return false;
  }

  std::vector<double> state;
  for (const codegen::JetEntry& entry : mode.compiled.program->entries()) {
    const VarId variable =
        mode.prepared.system.unknowns[VarId(static_cast<std::size_t>(entry.variable))];
    const auto column = system.leaf_to_column.find({variable, entry.order});
    state.push_back(column == system.leaf_to_column.end()
                        ? std::numeric_limits<double>::quiet_NaN()
                        : point.values[static_cast<std::size_t>(column->second)]);
  }
  mode_ = &mode;
  stepper_ = &stepper_of(mode);
  stepper_->set_parameters(tape_table(mode, discrete_));
  stepper_->start(settings_.start, state, settings_.direction());
  if (!stepper_->expand(settings_.stop)) {
    report_expand_failure();
    return false;
  }
  new_bits = bits_from_jets({}, bits);
  return true;
}

}  // namespace hydae

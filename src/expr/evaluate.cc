#include "expr/evaluate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

#include "expr/scalar.h"
#include "expr/walk.h"

namespace hydae {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

bool is_given(Op op) { return op == Op::kDelay || op == Op::kSample; }

void check_length(const char* what, std::size_t have, std::size_t need) {
  if (have < need)
    throw UsageError(fmt::format("evaluation needs {} {}, not {}", need, what, have));
}

}  // namespace

// --- preparing
// ------------------------------------------------------------------------------------

Evaluator::Evaluator(const Graph& graph, std::span<const NodeId> roots, const Functions* functions,
                     const Slots& slots)
    : functions_(functions) {
  Walk walk;
  const auto order = walk.order(graph, roots, Walk::Scope::kGiven);
  nodes_.assign(order.begin(), order.end());
  number_leaves(graph, Op::kVariable, leaves_);
  number_leaves(graph, Op::kPre, pre_leaves_);
  find_slots(slots);
  std::vector<std::uint32_t> operands;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    operands.clear();
    if (!is_given(graph.op(nodes_[i])))
      for (NodeId operand : graph.operands(nodes_[i])) operands.push_back(walk.position(operand));
    compile(graph, i, operands);
  }
  instructions_.push_back({Op::kConstant, 0, static_cast<std::uint32_t>(operands_.size())});
  for (NodeId root : roots) roots_.push_back(walk.position(root));
  values_.resize(num_instructions());
  root_values_.resize(roots_.size());
}

// Sorted leaves of one kind; their instructions get their numbers.
void Evaluator::number_leaves(const Graph& graph, Op op, std::vector<Leaf>& leaves) {
  std::vector<std::pair<Leaf, std::uint32_t>> found;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (graph.op(nodes_[i]) == op)
      found.push_back({graph.leaf_of(nodes_[i]), static_cast<std::uint32_t>(i)});
  std::sort(found.begin(), found.end());
  instructions_.resize(nodes_.size());
  for (const auto& [leaf, i] : found) {
    instructions_[i].index = static_cast<std::uint32_t>(leaves.size());
    leaves.push_back(leaf);
  }
}

void Evaluator::find_slots(const Slots& slots) {
  const auto find = [&](const std::vector<Leaf>& leaves, std::vector<std::size_t>& found) {
    for (std::size_t i = 0; i < leaves.size(); ++i) found.push_back(slots ? slots(leaves[i]) : i);
    return found.empty() ? 0 : *std::max_element(found.begin(), found.end()) + 1;
  };
  num_values_ = find(leaves_, slots_);
  num_pre_values_ = find(pre_leaves_, pre_slots_);
}

void Evaluator::compile(const Graph& graph, std::size_t i,
                        std::span<const std::uint32_t> operands) {
  Instruction& instruction = instructions_[i];
  instruction.op = graph.op(nodes_[i]);
  instruction.first_operand = static_cast<std::uint32_t>(operands_.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  const auto append = [](auto& list, auto item) {
    list.push_back(item);
    return static_cast<std::uint32_t>(list.size() - 1);
  };
  if (instruction.op == Op::kConstant)
    instruction.index = append(constants_, graph.constant_value(nodes_[i]));
  else if (is_given(instruction.op))
    instruction.index = append(given_, nodes_[i]);
  else if (is_call(instruction.op))
    instruction.index = append(uses_, use_of_call(graph.node(nodes_[i]), operands));
  else if (instruction.op == Op::kParameter)
    instruction.index = graph.node(nodes_[i]).parameter.index();
  if (instruction.op == Op::kParameter)
    num_parameters_ = std::max<std::size_t>(num_parameters_, instruction.index + 1);
}

Evaluator::CallUse Evaluator::use_of_call(const Node& node,
                                          std::span<const std::uint32_t> arguments) {
  if (!functions_ || node.function.index() >= functions_->size())
    throw UsageError("evaluation needs the functions that the expressions call");
  const int order = (node.input >= 0) + (node.second_input >= 0);
  const auto [known, is_new] =
      site_ids_.insert({{node.function, {arguments.begin(), arguments.end()}},
                        static_cast<std::uint32_t>(sites_.size())});
  if (is_new) sites_.push_back({FunctionPoint((*functions_)[node.function], order)});
  FunctionPoint& point = sites_[known->second].point;
  if (point.order() < order) point = FunctionPoint(point.function(), order);
  return {known->second, node.output, node.input, node.second_input};
}

// --- running
// --------------------------------------------------------------------------------------

void Evaluator::check(const Point& point) const {
  check_length("parameter values", point.parameters.size(), num_parameters_);
  check_length("variable values", point.values.size(), num_values_);
  check_length("values before the event", point.pre_values.size(), num_pre_values_);
  check_length("values of delays and samples", point.given.size(), given_.size());
}

std::span<const double> Evaluator::evaluate(const Point& point) {
  check(point);
  ++run_;
  call_failure_.clear();
  for (std::size_t i = 0; i < num_instructions(); ++i) values_[i] = value_of(i, point);
  for (std::size_t i = 0; i < roots_.size(); ++i) root_values_[i] = values_[roots_[i]];
  return root_values_;
}

double Evaluator::value_of(std::size_t i, const Point& point) {
  const Instruction& instruction = instructions_[i];
  const std::uint32_t index = instruction.index;
  switch (instruction.op) {
    case Op::kConstant: return constants_[index];
    case Op::kParameter: return point.parameters[index];
    case Op::kTime: return point.time;
    case Op::kVariable: return point.values[slots_[index]];
    case Op::kPre: return point.pre_values[pre_slots_[index]];
    case Op::kInitial: return point.is_initial;
    case Op::kTerminal: return point.is_terminal;
    case Op::kDelay:
    case Op::kSample: return point.given[index];
    case Op::kSelect:
      if (std::isnan(operand(i, 0))) return kUndefined;
      return operand(i, operand(i, 0) != 0 ? 1 : 2);
    case Op::kSmooth: return operand(i, 1);
    case Op::kHomotopy:
      if (point.homotopy == 1) return operand(i, 0);
      if (point.homotopy == 0) return operand(i, 1);
      return point.homotopy * operand(i, 0) + (1 - point.homotopy) * operand(i, 1);
    case Op::kCall:
    case Op::kCallDerivative: return call_value(i);
    default: {
      const std::uint32_t* at = &operands_[instruction.first_operand];
      const bool is_binary = num_operands(instruction.op) == 2;
      return apply(instruction.op, values_[at[0]], is_binary ? values_[at[1]] : 0);
    }
  }
}

double Evaluator::call_value(std::size_t i) {
  const CallUse& use = uses_[instructions_[i].index];
  CallSite& site = sites_[use.site];
  if (site.run != run_) evaluate_site(site, operands(i));
  if (site.has_failed) return kUndefined;
  if (use.input < 0) return site.point.output(use.output);
  if (use.second_input < 0) return site.point.derivative(use.output, use.input);
  return site.point.derivative(use.output, use.input, use.second_input);
}

void Evaluator::evaluate_site(CallSite& site, std::span<const std::uint32_t> arguments) {
  site.run = run_;
  site.has_failed = false;
  arguments_.clear();
  for (std::uint32_t argument : arguments) arguments_.push_back(values_[argument]);
  const std::string failure = site.point.try_evaluate(arguments_);
  site.has_failed = !failure.empty();
  if (call_failure_.empty()) call_failure_ = failure;
}

// --- finding what is undefined
// --------------------------------------------------------------------

std::optional<std::uint32_t> Evaluator::undefined_operand(std::size_t i) const {
  const auto operands = this->operands(i);
  const auto is_undefined = [&](std::uint32_t k) { return !std::isfinite(values_[k]); };
  if (instructions_[i].op == Op::kSelect && !is_undefined(operands[0])) {
    const std::uint32_t taken = operands[values_[operands[0]] != 0 ? 1 : 2];
    return is_undefined(taken) ? std::optional(taken) : std::nullopt;
  }
  const auto found = std::find_if(operands.begin(), operands.end(), is_undefined);
  return found == operands.end() ? std::nullopt : std::optional(*found);
}

std::optional<NodeId> Evaluator::find_undefined() const {
  for (std::uint32_t root : roots_) {
    if (std::isfinite(values_[root])) continue;
    std::uint32_t at = root;
    while (const auto next = undefined_operand(at)) at = *next;
    return nodes_[at];
  }
  return {};
}

}  // namespace hydae

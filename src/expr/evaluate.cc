#include "expr/evaluate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include <hydae/error.h>

#include "expr/tape_lowering.h"

namespace hydae {
namespace {

void check_length(const char* what, std::size_t have, std::size_t need) {
  if (have < need)
    throw UsageError(fmt::format("evaluation needs {} {}, not {}", need, what, have));
}

std::size_t least_length(const std::vector<std::size_t>& places) {
  return places.empty() ? 0 : *std::max_element(places.begin(), places.end()) + 1;
}

template <class Key>
using KeyedNodes = std::vector<std::pair<Key, NodeId>>;

// The leaves of a list of nodes.
struct FoundInputs {
  FoundInputs(const Graph& graph, std::span<const NodeId> nodes) {
    for (const NodeId id : nodes) add(graph, id);
    std::sort(leaves.begin(), leaves.end());
    std::sort(pre_leaves.begin(), pre_leaves.end());
  }

  void add(const Graph& graph, NodeId id) {
    switch (graph.op(id)) {
      case Op::kVariable: return leaves.emplace_back(graph.leaf_of(id), id), void();
      case Op::kPre: return pre_leaves.emplace_back(graph.leaf_of(id), id), void();
      case Op::kParameter:
        return parameters.emplace_back(graph.node(id).parameter.index(), id), void();
      case Op::kDelay:
      case Op::kSample: return given.push_back(id);
      case Op::kTime:
      case Op::kInitial:
      case Op::kTerminal: return flags.emplace_back(graph.op(id), id), void();
      default: return;
    }
  }

  KeyedNodes<Leaf> leaves, pre_leaves;
  KeyedNodes<std::size_t> parameters;
  KeyedNodes<Op> flags;
  std::vector<NodeId> given;
};

}  // namespace

// --- preparing
// ------------------------------------------------------------------------------------

Evaluator::Evaluator(const Graph& graph, std::span<const NodeId> roots, const Functions* functions,
                     const Slots& slots) {
  TapeLowering lowering(graph, roots);
  place_inputs(graph, lowering);
  find_slots(slots);
  lowering.emit(functions);
  for (NodeId root : roots) roots_.push_back(lowering.register_of(root));
  root_values_.resize(roots_.size());
  machine_.emplace(std::make_shared<const ops::Tape>(lowering.tape().take()));
}

void Evaluator::place_inputs(const Graph& graph, TapeLowering& lowering) {
  const FoundInputs found(graph, lowering.nodes());
  const auto place = [&](NodeId id) { lowering.place(id, lowering.tape().add_register()); };
  for (const auto& [leaf, id] : found.leaves) {
    leaves_.push_back(leaf);
    place(id);
  }
  for (const auto& [leaf, id] : found.pre_leaves) {
    pre_leaves_.push_back(leaf);
    place(id);
  }
  given_ = found.given;
  for (const NodeId id : found.given) place(id);
  for (const auto& [parameter, id] : found.parameters) {
    parameters_.push_back(parameter);
    place(id);
  }
  num_parameters_ = least_length(parameters_);
  const ops::Register first_flag = lowering.tape().add_register();
  for (int k = 1; k < kNumFlags; ++k) lowering.tape().add_register();
  for (const auto& [op, id] : found.flags)
    lowering.place(id, first_flag + (op == Op::kTime      ? kTimeInput
                                     : op == Op::kInitial ? kInitialInput
                                                          : kTerminalInput));
  lowering.place_homotopy(first_flag + kHomotopyInput);
}

void Evaluator::find_slots(const Slots& slots) {
  const auto find = [&](const std::vector<Leaf>& leaves, std::vector<std::size_t>& found) {
    for (std::size_t i = 0; i < leaves.size(); ++i) found.push_back(slots ? slots(leaves[i]) : i);
    return least_length(found);
  };
  num_values_ = find(leaves_, slots_);
  num_pre_values_ = find(pre_leaves_, pre_slots_);
}

std::vector<ops::Register> Evaluator::registers_of(std::span<const Leaf> leaves) const {
  std::vector<ops::Register> found;
  for (const Leaf leaf : leaves) {
    const auto at = std::lower_bound(leaves_.begin(), leaves_.end(), leaf);
    const bool occurs = at != leaves_.end() && *at == leaf;
    found.push_back(occurs ? static_cast<ops::Register>(at - leaves_.begin()) : ops::kNoRegister);
  }
  return found;
}

// --- running
// --------------------------------------------------------------------------------------

void Evaluator::check(const Point& point) const {
  check_length("parameter values", point.parameters.size(), num_parameters_);
  check_length("variable values", point.values.size(), num_values_);
  check_length("values before the event", point.pre_values.size(), num_pre_values_);
  check_length("values of delays and samples", point.given.size(), given_.size());
}

void Evaluator::set_inputs(const Point& point) {
  check(point);
  double* next = machine_->registers().data();
  for (const std::size_t slot : slots_) *next++ = point.values[slot];
  for (const std::size_t slot : pre_slots_) *next++ = point.pre_values[slot];
  next = std::copy_n(point.given.begin(), given_.size(), next);
  for (const std::size_t parameter : parameters_) *next++ = point.parameters[parameter];
  next[kTimeInput] = point.time;
  next[kInitialInput] = point.is_initial;
  next[kTerminalInput] = point.is_terminal;
  next[kHomotopyInput] = point.homotopy;
}

std::span<const double> Evaluator::read_roots() {
  for (std::size_t i = 0; i < roots_.size(); ++i) root_values_[i] = machine_->value(roots_[i]);
  return root_values_;
}

std::span<const double> Evaluator::evaluate(const Point& point) {
  set_inputs(point);
  machine_->run();
  return read_roots();
}

std::optional<NodeId> Evaluator::find_undefined() const {
  for (const ops::Register root : roots_)
    if (!std::isfinite(machine_->value(root)))
      return NodeId(machine_->tape().tag(machine_->find_undefined(root)));
  return {};
}

}  // namespace hydae

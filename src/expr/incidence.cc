#include "expr/incidence.h"

#include <algorithm>

namespace hydae {

std::span<const Leaf> Incidence::leaves(const Graph& graph, std::span<const NodeId> roots) {
  leaves_.clear();
  for (NodeId id : walk_.order(graph, roots, Walk::Scope::kInstant))
    if (graph.op(id) == Op::kVariable) leaves_.push_back(graph.leaf_of(id));
  std::sort(leaves_.begin(), leaves_.end());
  return leaves_;
}

std::span<const Leaf> Incidence::of(const Graph& graph, std::span<const NodeId> roots) {
  leaves(graph, roots);
  // The orders of a variable stand together, ascending: the last one stays.
  std::size_t count = 0;
  for (std::size_t i = 0; i < leaves_.size(); ++i)
    if (i + 1 == leaves_.size() || leaves_[i + 1].variable != leaves_[i].variable)
      leaves_[count++] = leaves_[i];
  leaves_.resize(count);
  return leaves_;
}

std::vector<Leaf> incidence(const Graph& graph, NodeId root) {
  Incidence scratch;
  const auto row = scratch.of(graph, root);
  return {row.begin(), row.end()};
}

std::vector<Leaf> leaves(const Graph& graph, std::span<const NodeId> roots) {
  Incidence scratch;
  const auto all = scratch.leaves(graph, roots);
  return {all.begin(), all.end()};
}

Contents contents(const Graph& graph, std::span<const NodeId> roots) {
  Contents contents;
  Walk walk;
  for (NodeId id : walk.order(graph, roots)) {
    const Op op = graph.op(id);
    if (op == Op::kTime) contents.has_time = true;
    if (op == Op::kVariable) contents.has_variables = true;
    if (op == Op::kPre) contents.has_pre = true;
    if (op == Op::kParameter) contents.has_parameters = true;
    if (is_relation(op)) contents.has_relations = true;
    if (is_relation(op) && !graph.node(id).silent) contents.has_event_relations = true;
    if (Op::kAbs <= op && op <= Op::kMax) contents.has_switching = true;
    if (Op::kFloor <= op && op <= Op::kTrunc) contents.has_counters = true;
    if (is_call(op)) contents.has_calls = true;
    if (op == Op::kDelay) contents.has_delays = true;
    if (op == Op::kSample) contents.has_samples = true;
  }
  return contents;
}

}  // namespace hydae

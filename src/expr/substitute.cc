#include "expr/substitute.h"

#include "expr/rewrite.h"

namespace hydae {
namespace {

template <class Map, class Key>
NodeId lookup(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? NodeId() : found->second;
}

}  // namespace

std::vector<NodeId> substitute(Graph& graph, std::span<const NodeId> roots,
                               const Substitution& substitution) {
  Rewriter rewriter(graph, [&](NodeId id, const std::vector<NodeId>&) {
    const Node node = graph.node(id);
    if (node.op == Op::kVariable) return lookup(substitution.leaves, node.leaf());
    if (node.op == Op::kParameter) return lookup(substitution.parameters, node.parameter);
    return NodeId();
  });
  std::vector<NodeId> results;
  for (NodeId root : roots) results.push_back(rewriter.rewrite(root));
  return results;
}

NodeId substitute(Graph& graph, NodeId root, const Substitution& substitution) {
  return substitute(graph, std::span(&root, 1), substitution)[0];
}

}  // namespace hydae

// Replaces variables, derivatives and parameters by expressions, all at once: what is put in is not
// searched again. der(x) is a leaf of its own: replacing x leaves it alone.
#pragma once

#include <map>

#include <hydae/expr.h>

namespace hydae {

struct Substitution {
  std::map<Leaf, NodeId> leaves;
  std::map<ParamId, NodeId> parameters;
};

// In each root; shared parts are rewritten once.
std::vector<NodeId> substitute(Graph& graph, std::span<const NodeId> roots,
                               const Substitution& substitution);
NodeId substitute(Graph& graph, NodeId root, const Substitution& substitution);

}  // namespace hydae

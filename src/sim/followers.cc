#include "sim/followers.h"

#include "expr/rewrite.h"
#include "expr/walk.h"

namespace hydae {

Followers::Followers(Graph& graph, std::map<NodeId, NodeId> definitions, std::set<NodeId> memories)
    : graph_(graph), definitions_(std::move(definitions)), memories_(std::move(memories)) {
  for (const auto& [place, definition] : definitions_)
    if (reads_table_only(definition)) followers_.insert(place);
}

bool Followers::reads_table_only(NodeId definition) const {
  Walk walk;
  for (NodeId id : walk.order(graph_, definition)) {
    const Op op = graph_.op(id);
    if (memories_.count(id) != 0) return false;
    if (op == Op::kVariable || op == Op::kTime || is_call(op)) return false;
  }
  return true;
}

NodeId Followers::inlined(NodeId root) {
  const auto change = [this](NodeId id, const std::vector<NodeId>&) {
    if (!is_follower(id) || !open_.insert(id).second) return NodeId();
    const NodeId definition = inlined(definitions_.at(id));
    open_.erase(id);
    return definition;
  };
  return Rewriter<decltype(change)>(graph_, change).rewrite(root);
}

}  // namespace hydae

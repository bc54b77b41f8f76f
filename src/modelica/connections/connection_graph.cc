#include "modelica/connections/connection_graph.h"

#include <numeric>

namespace hydae::modelica {

int ConnectionGraph::add_node() {
  nodes_.emplace_back();
  return static_cast<int>(nodes_.size()) - 1;
}

void ConnectionGraph::add_potential_root(int node, int priority) {
  std::optional<int>& known = nodes_[at(node)].potential;
  if (!known || priority < *known) known = priority;
}

int ConnectionGraph::find(std::vector<int>& parent, int node) const {
  while (parent[at(node)] != node) {
    parent[at(node)] = parent[at(parent[at(node)])];
    node = parent[at(node)];
  }
  return node;
}

// A connected part without a root takes its best potential root: the first of lowest priority.
void ConnectionGraph::choose_roots() {
  std::vector<int> part(nodes_.size());
  std::iota(part.begin(), part.end(), 0);
  for (const std::vector<Edge>* edges : {&branches_, &connections_})
    for (const Edge& edge : *edges) part[at(find(part, edge.a))] = find(part, edge.b);
  std::vector<bool> has_root(nodes_.size(), false);
  std::vector<int> best(nodes_.size(), -1);
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    const std::size_t leader = at(find(part, i));
    if (nodes_[at(i)].is_root) has_root[leader] = true;
    const bool is_better =
        nodes_[at(i)].potential &&
        (best[leader] < 0 || *nodes_[at(i)].potential < *nodes_[at(best[leader])].potential);
    if (is_better) best[leader] = i;
  }
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    if (find(part, i) != i || has_root[at(i)]) continue;
    if (best[at(i)] >= 0)
      nodes_[at(best[at(i)])].is_root = true;
    else if (!no_root_)
      no_root_ = Fault{Fault::Kind::kNoRoot, i, {}};
  }
}

std::optional<ConnectionGraph::Fault> ConnectionGraph::keep_branches() {
  tree_.resize(nodes_.size());
  std::iota(tree_.begin(), tree_.end(), 0);
  has_root_.assign(nodes_.size(), false);
  for (std::size_t i = 0; i < nodes_.size(); ++i) has_root_[i] = nodes_[i].is_root;
  for (const Edge& branch : branches_) {
    const int a = find(tree_, branch.a), b = find(tree_, branch.b);
    if (a == b) return Fault{Fault::Kind::kBranchLoop, branch.a, branch.source};
    if (has_root_[at(a)] && has_root_[at(b)])
      return Fault{Fault::Kind::kTwoRoots, branch.a, branch.source};
    tree_[at(b)] = a;
    has_root_[at(a)] = has_root_[at(a)] || has_root_[at(b)];
  }
  return std::nullopt;
}

void ConnectionGraph::keep_connections() {
  for (const Edge& connection : connections_) {
    const int a = find(tree_, connection.a), b = find(tree_, connection.b);
    const bool is_broken = a == b || (has_root_[at(a)] && has_root_[at(b)]);
    is_broken_.push_back(is_broken);
    if (is_broken) continue;
    tree_[at(b)] = a;
    has_root_[at(a)] = has_root_[at(a)] || has_root_[at(b)];
  }
}

// Breadth first from the roots, over what is kept.
void ConnectionGraph::find_depths() {
  std::vector<std::vector<int>> neighbours(nodes_.size());
  const auto link = [&](const Edge& edge) {
    neighbours[at(edge.a)].push_back(edge.b);
    neighbours[at(edge.b)].push_back(edge.a);
  };
  for (const Edge& branch : branches_) link(branch);
  for (std::size_t i = 0; i < connections_.size(); ++i)
    if (!is_broken_[i]) link(connections_[i]);
  std::vector<int> front;
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i)
    if (nodes_[at(i)].is_root) {
      nodes_[at(i)].depth = 0;
      front.push_back(i);
    }
  for (std::size_t next = 0; next < front.size(); ++next)
    for (const int neighbour : neighbours[at(front[next])]) {
      if (nodes_[at(neighbour)].depth >= 0) continue;
      nodes_[at(neighbour)].depth = nodes_[at(front[next])].depth + 1;
      front.push_back(neighbour);
    }
}

void ConnectionGraph::index_branches() {
  branch_from_.assign(nodes_.size(), kNone);
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    int& known = branch_from_[at(branches_[i].a)];
    known = known == kNone ? static_cast<int>(i) : kSeveral;
  }
}

std::optional<ConnectionGraph::Fault> ConnectionGraph::solve() {
  index_branches();
  choose_roots();
  if (std::optional<Fault> fault = keep_branches()) {
    is_broken_.assign(connections_.size(), false);
    return fault;
  }
  keep_connections();
  find_depths();
  return no_root_;
}

std::optional<bool> ConnectionGraph::is_rooted(int node) const {
  const int branch = branch_from_[at(node)];
  if (branch < 0) return std::nullopt;
  return nodes_[at(node)].depth < nodes_[at(branches_[at(branch)].b)].depth;
}

}  // namespace hydae::modelica

// The graph of overdetermined connectors (Modelica 3.6, 9.4): connections that would close a loop
// are broken. Nodes are numbers; branches are always kept, connections are kept in the order given
// as long as they join two trees of which at most one has a root.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <hydae/source.h>

namespace hydae::modelica {

class ConnectionGraph {
 public:
  int add_node();
  void add_root(int node) { nodes_[at(node)].is_root = true; }
  // The lower the priority number, the rather it is chosen.
  void add_potential_root(int node, int priority);
  void add_branch(int from, int to, SourceRange source) { branches_.push_back({from, to, source}); }
  void add_connection(int a, int b) { connections_.push_back({a, b, {}}); }

  // What is wrong with the graph, if anything: which nodes, and where.
  struct Fault {
    enum class Kind { kBranchLoop, kTwoRoots, kNoRoot } kind;
    int node;
    SourceRange source;
  };
  std::optional<Fault> solve();

  // After solve:
  bool is_broken(std::size_t connection) const { return is_broken_[connection]; }
  bool is_root(int node) const { return nodes_[at(node)].is_root; }
  // The node is nearer to the root than the other end of the branch that begins there; nothing if
  // not exactly one branch does.
  std::optional<bool> is_rooted(int node) const;

 private:
  struct Node {
    bool is_root = false;
    std::optional<int> potential;  // priority
    int depth = -1;
  };
  struct Edge {
    int a, b;
    SourceRange source;
  };
  static std::size_t at(int node) { return static_cast<std::size_t>(node); }
  static constexpr int kNone = -1, kSeveral = -2;
  void index_branches();
  void choose_roots();
  std::optional<Fault> keep_branches();
  void keep_connections();
  void find_depths();
  int find(std::vector<int>& parent, int node) const;

  std::vector<Node> nodes_;
  std::vector<Edge> branches_, connections_;
  std::vector<int> branch_from_;  // by node: its branch, kNone or kSeveral
  std::vector<bool> is_broken_;
  std::vector<int> tree_;       // union-find of kept edges
  std::vector<bool> has_root_;  // by leading node of a tree
  std::optional<Fault> no_root_;
};

}  // namespace hydae::modelica

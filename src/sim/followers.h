// Discrete variables that follow relations: `Boolean on = T < 21`, also through other ones, but not
// through when-clauses, continuous values or pre(): what has a memory (a hysteresis) is not undone
// by its own effect. What reads followers may as well read the relations; where one of these is
// held at its surface that makes the difference between a jump and a blend (docs/math/sliding.md).
#pragma once

#include <map>
#include <set>

#include <hydae/expr.h>

namespace hydae {

class Followers {
 public:
  // By the place in the table of a discrete variable: its definition, reading the table.
  // `memories`: places of values under pre().
  Followers(Graph& graph, std::map<NodeId, NodeId> definitions, std::set<NodeId> memories);

  bool is_follower(NodeId place) const { return followers_.count(place) != 0; }
  // With definitions in the places of followers.
  NodeId inlined(NodeId root);

 private:
  bool reads_table_only(NodeId definition) const;

  Graph& graph_;
  std::map<NodeId, NodeId> definitions_;
  std::set<NodeId> memories_, followers_;
  std::set<NodeId> open_;  // being inlined: a loop is left as it is
};

}  // namespace hydae

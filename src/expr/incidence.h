// What occurs in an expression: its variables with the highest derivative of each (a row of the
// signature matrix), all its variable leaves, and whether it holds time, relations, calls.
//
// Only values of this instant count: a variable under delay() belongs to the past, one under pre()
// to the other side of the event; neither is an unknown of the equation.
#pragma once

#include <span>
#include <vector>

#include <hydae/expr.h>

#include "expr/walk.h"

namespace hydae {

// Scratch for many rows: linear in the nodes of each root.
class Incidence {
 public:
  // Each variable once, with its highest order; sorted by VarId. Valid until the next call.
  std::span<const Leaf> of(const Graph& graph, std::span<const NodeId> roots);
  std::span<const Leaf> of(const Graph& graph, NodeId root) {
    return of(graph, std::span(&root, 1));
  }
  // Every (variable, order) that occurs, sorted. Valid until the next call.
  std::span<const Leaf> leaves(const Graph& graph, std::span<const NodeId> roots);
  std::span<const Leaf> leaves(const Graph& graph, NodeId root) {
    return leaves(graph, std::span(&root, 1));
  }

 private:
  Walk walk_;
  std::vector<Leaf> leaves_;
};

std::vector<Leaf> incidence(const Graph& graph, NodeId root);
std::vector<Leaf> leaves(const Graph& graph, std::span<const NodeId> roots);

// What kinds of node an expression holds, past values included.
struct Contents {
  bool has_time = false;
  bool has_variables = false;  // kVariable
  bool has_pre = false;
  bool has_parameters = false;
  bool has_relations = false;        // of any kind
  bool has_event_relations = false;  // that are not silent
  bool has_switching = false;        // abs, sign, min, max
  bool has_counters = false;         // floor, ceil, trunc
  bool has_calls = false;
  bool has_delays = false;
  bool has_samples = false;
};
Contents contents(const Graph& graph, std::span<const NodeId> roots);
inline Contents contents(const Graph& graph, NodeId root) {
  return contents(graph, std::span(&root, 1));
}

}  // namespace hydae

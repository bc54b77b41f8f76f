// Surfaces by their guards: guards that are the same up to sign have one surface, also where they
// differ by an expression of parameters that is zero. Both thresholds of a hysteresis without width
// are one surface.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <hydae/expr.h>

namespace hydae {

class SurfaceIndex {
 public:
  // Differences of guards that are expressions of the first parameters of the graph become nodes of
  // it, so that whoever asks whether other values lead to the same form sees them
  // (parameter_facts.h).
  SurfaceIndex(Graph& graph, const std::vector<double>& parameters)
      : graph_(graph), parameters_(parameters) {}

  struct Place {
    std::size_t surface = 0;
    int sign = 1;  // of the guard, relative to that of the surface
  };
  std::optional<Place> find(NodeId guard);
  void add(NodeId guard, std::size_t surface);

 private:
  // guard = sign * (terms + offset): terms that vary, and the sum of those that do not.
  using Terms = std::vector<std::pair<NodeId, int>>;
  struct Split {
    Terms terms;
    NodeId offset;
    int sign = 1;
  };
  Split split(NodeId guard);
  void collect(NodeId id, int sign, std::map<NodeId, int>& terms, NodeId& offset);
  bool is_fixed(NodeId id) const;
  bool is_zero(NodeId fixed) const;

  struct Known {
    NodeId offset;
    Place place;
  };
  Graph& graph_;
  const std::vector<double>& parameters_;
  std::map<NodeId, std::size_t> exact_;
  std::map<Terms, std::vector<Known>> families_;
};

}  // namespace hydae

// Which expressions are made of constants and of the user's parameters alone. What was found is
// remembered, so that choices inside of choices are looked through once.
#pragma once

#include <map>
#include <optional>

#include <hydae/expr.h>

namespace hydae {

class KnownAtStart {
 public:
  // Parameters from `num_parameters` on are places of a run's table, which change.
  KnownAtStart(const Graph& graph, std::size_t num_parameters)
      : graph_(graph), num_parameters_(num_parameters) {}

  bool holds(NodeId root);

 private:
  std::optional<bool> decide_alone(NodeId id) const;
  bool decide(NodeId id) const;

  const Graph& graph_;
  std::size_t num_parameters_;
  std::map<NodeId, bool> known_;
};

}  // namespace hydae

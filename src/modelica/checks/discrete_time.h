// Which expressions change at events only (Modelica 3.6, 3.8.3): relations outside of noEvent, what
// rounds, discrete variables, and what is made of these.
#pragma once

#include <cstdint>
#include <vector>

#include "modelica/session.h"

namespace hydae::modelica {

// What is known of a node is kept while the graph grows.
class DiscreteTime {
 public:
  explicit DiscreteTime(Session& session) : session_(session) {}

  bool holds(NodeId root);

 private:
  enum State : std::uint8_t { kUnknown, kYes, kNo };

  bool is_decided_alone(NodeId id) const;
  bool decide(NodeId id) const;

  Session& session_;
  std::vector<State> known_;
};

}  // namespace hydae::modelica

// Stream connectors (Modelica 3.6, chapter 15). In a set of connectors i (inside) and k (outside)
// what flows into connector q is the mixture of what the others send, weighted by their flow:
//
//   inStream(h_q) = (sum_i P(-m_i)*h_i + sum_k P(m_k)*inStream(h_k)) / (sum_i P(-m_i) + sum_k
//   P(m_k))
//
// without q itself. P(x) = max(x, 0) + eps*(1 - s)^2 with the sum eps*s of what flows in, for s <
// 1; beyond, P(x) is max(x, 0) exactly, so that a branch without inflow is not mixed in (15.2). For
// an outside connector q the same mixture is what it sends to the next level: h_q equals it.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "modelica/connections/connection_sets.h"
#include "modelica/session.h"

namespace hydae::modelica {

class Streams {
 public:
  Streams(Session& session, ConnectionSets& sets) : session_(session), sets_(sets) {}

  // All connections are known.
  void collect() { stream_sets_ = sets_.sets_of(ConnectionSets::Kind::kStream); }
  // What flows into the connector of a stream variable.
  NodeId in_stream(NodeId stream, SourceRange range);
  NodeId actual_stream(NodeId stream, bool is_silent, SourceRange range);
  void add_equations(std::vector<FlatEquation>& out);

 private:
  Component& flow_of(const Component& stream, SourceRange range);
  NodeId flow_of(NodeId stream, SourceRange range);
  bool never_flows_in(NodeId stream, bool is_outside, SourceRange range);
  NodeId mixed(const std::vector<std::size_t>& members, std::size_t leave_out, SourceRange range);

  Session& session_;
  ConnectionSets& sets_;
  std::map<std::size_t, ConnectionSets::Places> stream_sets_;  // by leading place
  std::unordered_map<std::uint32_t, NodeId> in_streams_;       // by cell
};

}  // namespace hydae::modelica

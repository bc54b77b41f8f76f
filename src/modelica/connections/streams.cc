// Stream connectors (Modelica 3.6, chapter 15). In a set of connectors i (inside) and k (outside)
// what flows into connector q is the mixture of what the others send, weighted by their flow:
//
//   inStream(h_q) = (sum_i P(-m_i)*h_i + sum_k P(m_k)*inStream(h_k)) / (sum_i P(-m_i) + sum_k
//   P(m_k))
//
// without q itself. P(x) = max(x, 0) + eps*(1 - s)^2 with the sum eps*s of what flows in, for s <
// 1; beyond, P(x) is max(x, 0) exactly, so that a branch without inflow is not mixed in (15.2). For
// an outside connector q the same mixture is what it sends to the next level: h_q equals it.
#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/connections/connections.h"
#include "modelica/expressions/constant_folding.h"

namespace hydae::modelica {

namespace {

constexpr double kSmallestFlow = 1e-7;

NodeId positive_part(Graph& graph, NodeId x) {
  const NodeId zero = graph.constant(0);
  return graph.select(graph.relation(Op::kGreater, x, zero, true), x, zero);
}

// What every weight gets while hardly anything flows: eps*(1 - s)^2 for s < 1.
NodeId weight_at_rest(Graph& graph, NodeId total) {
  const NodeId one = graph.constant(1), least = graph.constant(kSmallestFlow);
  const NodeId s = graph.binary(Op::kDiv, total, least);
  const NodeId square = graph.binary(Op::kPow, graph.binary(Op::kSub, one, s), graph.constant(2));
  return graph.select(graph.relation(Op::kLess, s, one, true),
                      graph.binary(Op::kMul, least, square), graph.constant(0));
}

}  // namespace

Component& Connections::flow_of(const Component& stream, SourceRange range) {
  for (Element* element : stream.element->owner->elements) {
    if (element->component == nullptr) continue;
    session_.components->resolve(*element->component);
    if (element->component->connection == syntax::Connection::kFlow) return *element->component;
  }
  session_.fail(
      "stream-without-flow",
      fmt::format("the connector of `{}` has no flow variable", session_.components->path(stream)),
      range);
}

NodeId Connections::flow_of(NodeId stream, SourceRange range) {
  const VarId variable = session_.graph->leaf_of(stream).variable;
  Component& flow = flow_of(*session_.flat->variables[variable].component, range);
  return session_.components->value(flow).cells.front();
}

// The bounds of the flow say that nothing comes from this connector.
bool Connections::never_flows_in(NodeId stream, bool is_outside, SourceRange range) {
  const VarId variable = session_.graph->leaf_of(stream).variable;
  Component& flow = flow_of(*session_.flat->variables[variable].component, range);
  const auto bound =
      session_.components->attribute(flow, is_outside ? session_.names.max : session_.names.min);
  if (!bound || bound->value.cells.empty()) return false;
  const auto known = session_.folding->find_constant(bound->value.cells.front());
  if (!known) return false;
  const double number = session_.folding->number(*known);
  return is_outside ? number <= 0 : number >= 0;
}

void Connections::collect_streams() {
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i].kind == Kind::kStream) stream_sets_[find(i)].push_back(i);
}

NodeId Connections::mixed(const std::vector<std::size_t>& members, std::size_t leave_out,
                          SourceRange range) {
  Graph& graph = *session_.graph;
  struct Source {
    NodeId content, flow;
  };
  std::vector<Source> sources;
  NodeId last;
  for (const std::size_t member : members) {
    if (member == leave_out) continue;
    const bool is_outside = places_[member].is_outside;
    const NodeId cell = places_[member].cell;
    last = is_outside ? in_stream(cell, range) : cell;
    if (never_flows_in(cell, is_outside, range)) continue;
    const NodeId flow = flow_of(cell, range);
    sources.push_back({last, is_outside ? flow : graph.unary(Op::kNeg, flow)});
  }
  if (sources.empty()) return last;
  if (sources.size() == 1) return sources.front().content;
  NodeId total = graph.constant(0);
  for (const Source& source : sources)
    total = graph.binary(Op::kAdd, total, positive_part(graph, source.flow));
  const NodeId at_rest = weight_at_rest(graph, total);
  NodeId sum = graph.constant(0), weights = graph.constant(0);
  for (const Source& source : sources) {
    const NodeId weight = graph.binary(Op::kAdd, positive_part(graph, source.flow), at_rest);
    sum = graph.binary(Op::kAdd, sum, graph.binary(Op::kMul, weight, source.content));
    weights = graph.binary(Op::kAdd, weights, weight);
  }
  return graph.binary(Op::kDiv, sum, weights);
}

NodeId Connections::in_stream(NodeId stream, SourceRange range) {
  const Component* component =
      session_.graph->op(stream) == Op::kVariable
          ? session_.flat->variables[session_.graph->leaf_of(stream).variable].component
          : nullptr;
  if (component == nullptr || component->connection != syntax::Connection::kStream)
    session_.fail("not-a-stream", "`inStream` needs a stream variable of a connector", range);
  const auto known = in_streams_.find(stream.index());
  if (known != in_streams_.end()) return known->second;
  session_.check_stack(range);
  const auto found = place_of_.find(std::uint64_t{stream.index()} * 2);
  NodeId out = stream;  // not connected
  if (found != place_of_.end() && places_[found->second].kind == Kind::kStream) {
    const std::vector<std::size_t>& members = stream_sets_[find(found->second)];
    if (members.size() > 1) out = mixed(members, found->second, range);
  }
  in_streams_[stream.index()] = out;
  return out;
}

NodeId Connections::actual_stream(NodeId stream, bool is_silent, SourceRange range) {
  Graph& graph = *session_.graph;
  const NodeId inside = in_stream(stream, range);
  const NodeId flows_in =
      graph.relation(Op::kGreater, flow_of(stream, range), graph.constant(0), is_silent);
  return graph.select(flows_in, inside, stream);
}

void Connections::add_stream_equations(std::vector<FlatEquation>& out) {
  for (const auto& set : stream_sets_) {
    const auto& members = set.second;
    if (members.size() < 2) continue;  // connected to itself
    for (const std::size_t member : members) {
      if (!places_[member].is_outside) continue;
      const Origin& origin = places_[set.first].origin;
      session_.attempt(origin.source, [&] {
        out.push_back({places_[member].cell, mixed(members, member, origin.source), origin.instance,
                       origin.source});
      });
    }
  }
}

}  // namespace hydae::modelica

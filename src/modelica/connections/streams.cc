#include "modelica/connections/streams.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
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

Component& Streams::flow_of(const Component& stream, SourceRange range) {
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

NodeId Streams::flow_of(NodeId stream, SourceRange range) {
  const VarId variable = session_.graph->leaf_of(stream).variable;
  Component& flow = flow_of(*session_.flat->variables[variable].component, range);
  return session_.components->value(flow).cells.front();
}

// The bounds of the flow say that nothing comes from this connector.
bool Streams::never_flows_in(NodeId stream, bool is_outside, SourceRange range) {
  const VarId variable = session_.graph->leaf_of(stream).variable;
  Component& flow = flow_of(*session_.flat->variables[variable].component, range);
  const auto bound = session_.components->attribute(
      flow, is_outside ? session_.names.attributes.max : session_.names.attributes.min);
  if (!bound || bound->value.cells.empty()) return false;
  const auto known = session_.folding->find_constant(bound->value.cells.front());
  if (!known) return false;
  const double number = session_.folding->number(*known);
  return is_outside ? number <= 0 : number >= 0;
}

NodeId Streams::mixed(const std::vector<std::size_t>& members, std::size_t leave_out,
                      SourceRange range) {
  Graph& graph = *session_.graph;
  struct Source {
    NodeId content, flow;
  };
  std::vector<Source> sources;
  NodeId last;
  for (const std::size_t member : members) {
    if (member == leave_out) continue;
    const bool is_outside = sets_[member].is_outside;
    const NodeId cell = sets_[member].cell;
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

NodeId Streams::in_stream(NodeId stream, SourceRange range) {
  const Component* component =
      session_.graph->op(stream) == Op::kVariable
          ? session_.flat->variables[session_.graph->leaf_of(stream).variable].component
          : nullptr;
  if (component == nullptr || component->connection != syntax::Connection::kStream)
    session_.fail("not-a-stream", "`inStream` needs a stream variable of a connector", range);
  const auto known = in_streams_.find(stream.index());
  if (known != in_streams_.end()) return known->second;
  session_.check_stack(range);
  const auto place = sets_.find_place({stream, false});
  NodeId out = stream;  // not connected
  if (place && sets_[*place].kind == ConnectionSets::Kind::kStream) {
    const ConnectionSets::Places& members = stream_sets_[sets_.leader_of(*place)];
    if (members.size() > 1) out = mixed(members, *place, range);
  }
  in_streams_[stream.index()] = out;
  return out;
}

NodeId Streams::actual_stream(NodeId stream, bool is_silent, SourceRange range) {
  Graph& graph = *session_.graph;
  const NodeId inside = in_stream(stream, range);
  const NodeId flows_in =
      graph.relation(Op::kGreater, flow_of(stream, range), graph.constant(0), is_silent);
  return graph.select(flows_in, inside, stream);
}

void Streams::add_equations(std::vector<FlatEquation>& out) {
  for (const auto& set : stream_sets_) {
    const auto& members = set.second;
    if (members.size() < 2) continue;  // connected to itself
    for (const std::size_t member : members) {
      if (!sets_[member].is_outside) continue;
      const ConnectionOrigin& origin = sets_[set.first].origin;
      session_.attempt(origin.source, [&] {
        out.push_back({sets_[member].cell, mixed(members, member, origin.source), origin.instance,
                       origin.source});
      });
    }
  }
}

}  // namespace hydae::modelica

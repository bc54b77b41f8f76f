#include "modelica/connections/connections.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"

namespace hydae::modelica {
namespace {

ConnectionSets::Kind kind_of(syntax::Connection connection) {
  switch (connection) {
    case syntax::Connection::kNone: break;
    case syntax::Connection::kFlow: return ConnectionSets::Kind::kFlow;
    case syntax::Connection::kStream: return ConnectionSets::Kind::kStream;
  }
  return ConnectionSets::Kind::kPotential;
}

}  // namespace

void Connections::connect(const syntax::ConnectEquation& equation, const Env& env) {
  ConnectorSide a = finder_.resolve(*equation.left, env);
  ConnectorSide b = finder_.resolve(*equation.right, env);
  if (!a.is_present || !b.is_present) return;
  if (a.is_outer && b.is_outer)
    session_.error(
        "connect-outer",
        fmt::format("`{}` and `{}` both belong to outer components",
                    session_.evaluator->text(a.range), session_.evaluator->text(b.range)),
        equation.range);
  for (const ConnectorSide* side : {&a, &b})
    for (const ConnectorEnd& end : side->ends) ++cardinality_[end];
  clauses_.push_back({std::move(a), std::move(b), {env.scope->whole, equation.range}});
}

int Connections::cardinality(const syntax::ReferenceExpr& reference, const Env& env) {
  const ConnectorSide side = finder_.resolve(reference, env);
  if (!side.is_present || side.ends.size() != 1) return 0;
  const auto found = cardinality_.find(side.ends[0]);
  return found == cardinality_.end() ? 0 : found->second;
}

// ---- from connectors to scalars ----

void Connections::check_sizes(const ConnectClause& clause) {
  if (clause.a.sizes == clause.b.sizes) return;
  const auto text = [](const Sizes& sizes) { return sizes.empty() ? "one" : sizes_text(sizes); };
  fail_mismatch(session_,
                fmt::format("{} connectors and {}", text(clause.a.sizes), text(clause.b.sizes)),
                clause.origin.source);
}

void Connections::finish() {
  for (const ConnectClause& clause : clauses_)
    session_.attempt(clause.origin.source, [&] {
      check_sizes(clause);
      for (std::size_t i = 0; i < clause.a.ends.size(); ++i)
        connect_ends({clause.a.ends[i], clause.a.is_outside},
                     {clause.b.ends[i], clause.b.is_outside}, clause.origin);
    });
  signals_.check(session_);
  overdetermined_.solve([this](const Plug& a, const Plug& b, const ConnectionOrigin& origin) {
    connect_ends(a, b, origin);
  });
  streams_.collect();
}

void Connections::connect_ends(const Plug& a, const Plug& b, const ConnectionOrigin& origin) {
  if (a.component->type->is_builtin() != b.component->type->is_builtin())
    fail_mismatch(session_, "a connector with parts is connected to one without", origin.source);
  if (a.component->type->is_builtin()) return connect_leaves(a, b, origin);
  Instance& left = *a.component->instances[static_cast<std::size_t>(a.linear)];
  Instance& right = *b.component->instances[static_cast<std::size_t>(b.linear)];
  session_.classes->elaborate(left);
  session_.classes->elaborate(right);
  const auto is_part = [&](Element* element) {
    if (element->component == nullptr) return false;
    session_.components->expand(*element->component);
    return element->component->is_present;
  };
  for (Element* element : right.elements)
    if (is_part(element) && session_.classes->find_member(left, element->name) == nullptr)
      fail_mismatch(session_,
                    fmt::format("`{}` is in one connector only", session_.text(element->name)),
                    origin.source);
  for (Element* element : left.elements) {
    if (!is_part(element)) continue;
    Element* other = session_.classes->find_member(right, element->name);
    if (other == nullptr || !is_part(other))
      fail_mismatch(session_,
                    fmt::format("`{}` is in one connector only", session_.text(element->name)),
                    origin.source);
    Component& x = session_.components->real(*element->component);
    Component& y = session_.components->real(*other->component);
    if (x.sizes() != y.sizes())
      fail_mismatch(session_,
                    fmt::format("`{}` has the sizes {} and {}", session_.text(element->name),
                                sizes_text(x.sizes()), sizes_text(y.sizes())),
                    origin.source);
    if (overdetermined_.is_overdetermined(x)) {
      overdetermined_.add({{&x, 0}, a.is_outside}, {{&y, 0}, b.is_outside}, origin);
      continue;
    }
    const std::int64_t count = num_elements(x.sizes());
    for (std::int64_t i = 0; i < count; ++i)
      connect_ends({{&x, i}, a.is_outside}, {{&y, i}, b.is_outside}, origin);
  }
}

void Connections::connect_leaves(const Plug& first, const Plug& second,
                                 const ConnectionOrigin& origin) {
  Component &a = *first.component, &b = *second.component;
  if (a.base() != b.base())
    fail_mismatch(session_,
                  fmt::format("`{}` is {}, `{}` is {}", session_.components->path(a),
                              base_type_name(a.base()), session_.components->path(b),
                              base_type_name(b.base())),
                  origin.source);
  if (a.connection != b.connection)
    fail_mismatch(session_,
                  fmt::format("only one of `{}` and `{}` is a {}", session_.components->path(a),
                              session_.components->path(b),
                              a.connection == syntax::Connection::kStream ||
                                      b.connection == syntax::Connection::kStream
                                  ? "stream"
                                  : "flow"),
                  origin.source);
  const Value& left = session_.components->value(a);
  const Value& right = session_.components->value(b);
  if (left.type == BaseType::kString) return;
  check_connected(session_, a, b, origin.source);
  const NodeId x = left.cells[static_cast<std::size_t>(first.linear)];
  const NodeId y = right.cells[static_cast<std::size_t>(second.linear)];
  const Graph& graph = *session_.graph;
  if (graph.op(x) != Op::kVariable || graph.op(y) != Op::kVariable)
    return connect_parameters(x, y, origin);
  if (a.connection == syntax::Connection::kNone)
    signals_.join({&a, x, first.is_outside}, {&b, y, second.is_outside}, origin.source);
  sets_.join({x, first.is_outside}, {y, second.is_outside}, kind_of(a.connection), origin);
}

// Parameters and constants of connectors must be equal.
void Connections::connect_parameters(NodeId a, NodeId b, const ConnectionOrigin& origin) {
  const NodeId is_equal = session_.graph->relation(Op::kEqual, a, b, true);
  if (!session_.graph->is_constant(is_equal, 1))
    session_.flat->assertions.push_back(
        {is_equal, "parameters of connected connectors differ", false, origin.source});
}

void Connections::add_flow(Component& component) {
  for (const NodeId cell : session_.components->value(component).cells)
    if (session_.graph->op(cell) == Op::kVariable)
      sets_.add_flow(cell, {component.element->owner, component.element->declaration->range()});
}

// ---- from sets to equations ----

std::vector<FlatEquation> Connections::equations() {
  Graph& graph = *session_.graph;
  std::vector<FlatEquation> out = sets_.take_potentials();
  for (const auto& [leader, members] : sets_.sets_of(ConnectionSets::Kind::kFlow)) {
    NodeId sum = graph.constant(0);
    for (const std::size_t member : members)
      sum = graph.binary(sets_[member].is_outside ? Op::kSub : Op::kAdd, sum, sets_[member].cell);
    const ConnectionOrigin& origin = sets_[leader].origin;
    out.push_back({graph.constant(0), sum, origin.instance, origin.source, true});
  }
  streams_.add_equations(out);
  return out;
}

}  // namespace hydae::modelica

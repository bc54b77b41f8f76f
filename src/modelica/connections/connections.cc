#include "modelica/connections/connections.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/reference.h"

namespace hydae::modelica {

void Connections::fail_mismatch(const std::string& reason, SourceRange range) {
  session_.fail("connector-mismatch", reason, range);
}

// ---- from names to connectors ----

void Connections::fail_no_member(Instance& instance, const syntax::Ident& name) {
  std::vector<std::string> candidates;
  for (const Element* element : instance.elements)
    candidates.push_back(session_.text(element->name));
  Diagnostic diagnostic;
  diagnostic.code = "name-not-found";
  diagnostic.message = fmt::format("`{}` has no component `{}`",
                                   session_.components->path(instance), session_.text(name.symbol));
  diagnostic.range = name.range;
  const auto near = nearest_names(session_.text(name.symbol), candidates);
  if (!near.empty()) diagnostic.help = fmt::format("did you mean {}?", hydae::quoted(near.front()));
  session_.fail(std::move(diagnostic));
}

// Row-major positions of the elements that the subscripts name; their sizes are added to `sizes`.
std::vector<std::int64_t> Connections::chosen_elements(const Component& component,
                                                       const syntax::ReferencePart& part,
                                                       const Env& env, Sizes& sizes) {
  const Sizes own = component.sizes();
  std::vector<Choice> choices;
  for (auto& subscript : References(session_).subscripts(part.subscripts, own, env,
                                                         &component.dimensions, part.name.range)) {
    if (subscript.index.is_valid())
      fail_mismatch("the subscripts of a connector must not change", part.name.range);
    choices.push_back(std::move(subscript.choice));
  }
  while (choices.size() < own.size()) {
    Choice& all = choices.emplace_back();
    for (int k = 0; k < own[choices.size() - 1]; ++k) all.indices.push_back(k);
  }
  std::vector<std::int64_t> chosen = {0};
  for (std::size_t d = 0; d < choices.size(); ++d) {
    if (!choices[d].is_scalar) sizes.push_back(static_cast<int>(choices[d].indices.size()));
    std::vector<std::int64_t> next;
    for (const std::int64_t linear : chosen)
      for (const int index : choices[d].indices) next.push_back(linear * own[d] + index);
    chosen = std::move(next);
  }
  return chosen;
}

void Connections::descend(Side& side, Component& named, const syntax::ReferenceExpr& reference,
                          std::size_t part, const Env& env, Sizes sizes, bool needs_connector) {
  Component& component = session_.components->real(named);
  session_.components->expand(component);
  if (!component.is_present) {
    side.is_present = false;
    return;
  }
  const std::vector<std::int64_t> chosen =
      chosen_elements(component, reference.parts[part], env, sizes);
  const auto fail_no_connector = [&] {
    fail_mismatch(fmt::format("`{}` is not a connector", session_.evaluator->text(reference.range)),
                  reference.range);
  };
  if (chosen.empty()) {  // of an array of no components: its parts are none as well
    side.sizes = sizes;
    return;
  }
  if (part + 1 == reference.parts.size()) {
    const bool is_changing = component.variability > Variability::kParameter;
    if (needs_connector && (!is_changing || part == 0) &&
        !session_.classes->is_connector(*component.type))
      fail_no_connector();
    side.sizes = sizes;
    for (const std::int64_t linear : chosen) side.ends.push_back({&component, linear});
    return;
  }
  if (component.type->is_builtin) fail_no_connector();
  const syntax::ReferencePart& next = reference.parts[part + 1];
  const bool is_bus =
      session_.classes->is_kind(*component.type, syntax::ClassKind::kExpandableConnector);
  for (const std::int64_t linear : chosen) {
    Instance& instance = *component.instances[static_cast<std::size_t>(linear)];
    Element* member = session_.classes->find_member(instance, next.name.symbol);
    if (is_bus && member == nullptr && part + 2 == reference.parts.size()) {
      if (!next.subscripts.empty() || chosen.size() != 1)
        session_.unsupported("subscripts of new elements of an expandable connector are",
                             reference.range);
      side.bus = &instance;
      side.missing = next.name.symbol;
      return;
    }
    if (member == nullptr || member->component == nullptr) fail_no_member(instance, next.name);
    if (member->is_protected)
      session_.fail("protected-access",
                    fmt::format("`{}` is protected: it cannot be used from outside",
                                session_.text(next.name.symbol)),
                    next.name.range);
    if (is_bus) is_used_[member->component] = true;
    descend(side, *member->component, reference, part + 1, env, sizes, needs_connector);
  }
}

Connections::Side Connections::resolve(const syntax::ReferenceExpr& reference, const Env& env,
                                       bool needs_connector) {
  Side side;
  side.range = reference.range;
  const syntax::Ident& first = reference.parts.front().name;
  const Found found = session_.classes->find(first.symbol, *env.scope);
  if (found.element == nullptr || found.element->component == nullptr)
    session_.classes->fail_not_found(first.symbol, *env.scope, first.range, "connector");
  Component& component = *found.element->component;
  session_.components->resolve(component);
  // A connector of the class itself is seen from outside; decided before outer is resolved (9.2).
  side.is_outside = session_.classes->is_connector(*component.type);
  descend(side, component, reference, 0, env, {}, needs_connector);
  return side;
}

void Connections::connect(const syntax::ConnectEquation& equation, const Env& env) {
  Side a = resolve(*equation.left, env), b = resolve(*equation.right, env);
  if (!a.is_present || !b.is_present) return;
  for (const Side* side : {&a, &b})
    for (const End& end : side->ends) ++cardinality_[end];
  clauses_.push_back({std::move(a), std::move(b), {env.scope->whole, equation.range}});
}

int Connections::cardinality(const syntax::ReferenceExpr& reference, const Env& env) {
  const Side side = resolve(reference, env);
  if (!side.is_present || side.ends.size() != 1) return 0;
  const auto found = cardinality_.find(side.ends[0]);
  return found == cardinality_.end() ? 0 : found->second;
}

// ---- from connectors to scalars ----

void Connections::check_sizes(const Clause& clause) {
  if (clause.a.sizes == clause.b.sizes) return;
  const auto text = [](const Sizes& sizes) { return sizes.empty() ? "one" : sizes_text(sizes); };
  fail_mismatch(fmt::format("{} connectors and {}", text(clause.a.sizes), text(clause.b.sizes)),
                clause.origin.source);
}

void Connections::finish() {
  for (const Clause& clause : clauses_)
    session_.attempt(clause.origin.source, [&] {
      check_sizes(clause);
      for (std::size_t i = 0; i < clause.a.ends.size(); ++i)
        connect_ends(clause.a.ends[i], clause.a.is_outside, clause.b.ends[i], clause.b.is_outside,
                     clause.origin);
    });
  solve_graph();
  collect_streams();
}

void Connections::connect_ends(const End& a, bool a_outside, const End& b, bool b_outside,
                               const Origin& origin) {
  if (a.component->type->is_builtin != b.component->type->is_builtin)
    fail_mismatch("a connector with parts is connected to one without", origin.source);
  if (a.component->type->is_builtin)
    return connect_leaves(*a.component, a.linear, a_outside, *b.component, b.linear, b_outside,
                          origin);
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
      fail_mismatch(fmt::format("`{}` is in one connector only", session_.text(element->name)),
                    origin.source);
  for (Element* element : left.elements) {
    if (!is_part(element)) continue;
    Element* other = session_.classes->find_member(right, element->name);
    if (other == nullptr || !is_part(other))
      fail_mismatch(fmt::format("`{}` is in one connector only", session_.text(element->name)),
                    origin.source);
    Component& x = session_.components->real(*element->component);
    Component& y = session_.components->real(*other->component);
    if (x.sizes() != y.sizes())
      fail_mismatch(fmt::format("`{}` has the sizes {} and {}", session_.text(element->name),
                                sizes_text(x.sizes()), sizes_text(y.sizes())),
                    origin.source);
    if (is_overdetermined(x)) {
      edges_.push_back({{&x, 0}, {&y, 0}, a_outside, b_outside, origin});
      continue;
    }
    const std::int64_t count = num_elements(x.sizes());
    for (std::int64_t i = 0; i < count; ++i)
      connect_ends({&x, i}, a_outside, {&y, i}, b_outside, origin);
  }
}

void Connections::connect_leaves(Component& a, std::int64_t a_linear, bool a_outside, Component& b,
                                 std::int64_t b_linear, bool b_outside, const Origin& origin) {
  if (a.base() != b.base())
    fail_mismatch(fmt::format("`{}` is {}, `{}` is {}", session_.components->path(a),
                              base_type_name(a.base()), session_.components->path(b),
                              base_type_name(b.base())),
                  origin.source);
  if (a.connection != b.connection)
    fail_mismatch(fmt::format("only one of `{}` and `{}` is a {}", session_.components->path(a),
                              session_.components->path(b),
                              a.connection == syntax::Connection::kStream ||
                                      b.connection == syntax::Connection::kStream
                                  ? "stream"
                                  : "flow"),
                  origin.source);
  const Value& left = session_.components->value(a);
  const Value& right = session_.components->value(b);
  if (left.type == BaseType::kString) return;
  const NodeId x = left.cells[static_cast<std::size_t>(a_linear)];
  const NodeId y = right.cells[static_cast<std::size_t>(b_linear)];
  const Graph& graph = *session_.graph;
  if (graph.op(x) != Op::kVariable || graph.op(y) != Op::kVariable)
    return connect_parameters(x, y, origin);
  switch (a.connection) {
    case syntax::Connection::kNone:
      return join(x, a_outside, y, b_outside, Kind::kPotential, origin);
    case syntax::Connection::kFlow: return join(x, a_outside, y, b_outside, Kind::kFlow, origin);
    case syntax::Connection::kStream:
      return join(x, a_outside, y, b_outside, Kind::kStream, origin);
  }
}

// Parameters and constants of connectors must be equal.
void Connections::connect_parameters(NodeId a, NodeId b, const Origin& origin) {
  const NodeId is_equal = session_.graph->relation(Op::kEqual, a, b, true);
  if (!session_.graph->is_constant(is_equal, 1))
    session_.flat->assertions.push_back(
        {is_equal, "parameters of connected connectors differ", false, origin.source});
}

std::size_t Connections::place(NodeId cell, bool is_outside) {
  const std::uint64_t key = std::uint64_t{cell.index()} * 2 + (is_outside ? 1 : 0);
  const auto [found, is_new] = place_of_.emplace(key, places_.size());
  if (is_new) places_.push_back({cell, is_outside, places_.size()});
  return found->second;
}

std::size_t Connections::find(std::size_t place) {
  while (places_[place].parent != place) {
    places_[place].parent = places_[places_[place].parent].parent;
    place = places_[place].parent;
  }
  return place;
}

void Connections::join(NodeId a, bool a_outside, NodeId b, bool b_outside, Kind kind,
                       const Origin& origin) {
  // Potentials need no sides: an equation for each connection that joins two sets.
  const bool has_sides = kind != Kind::kPotential;
  const std::size_t left = find(place(a, has_sides && a_outside));
  const std::size_t right = find(place(b, has_sides && b_outside));
  for (const std::size_t each :
       {place(a, has_sides && a_outside), place(b, has_sides && b_outside)})
    places_[each].kind = kind;
  if (left == right) return;
  // The older place leads, so that the result does not depend on how sets were joined.
  const auto [first, second] = std::minmax(left, right);
  places_[second].parent = first;
  if (!places_[first].origin.source.is_valid()) places_[first].origin = origin;
  if (kind == Kind::kPotential) potentials_.push_back({a, b, origin.instance, origin.source});
}

void Connections::add_flow(Component& component) {
  for (const NodeId cell : session_.components->value(component).cells) {
    if (session_.graph->op(cell) != Op::kVariable) continue;
    Place& added = places_[place(cell, false)];
    added.kind = Kind::kFlow;
    if (!added.origin.source.is_valid())
      added.origin = {component.element->owner, component.element->declaration->range()};
  }
}

// ---- from sets to equations ----

std::vector<FlatEquation> Connections::equations() {
  Graph& graph = *session_.graph;
  std::vector<FlatEquation> out = std::move(potentials_);
  std::map<std::size_t, std::vector<std::size_t>> flows;  // by leading place: oldest first
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i].kind == Kind::kFlow) flows[find(i)].push_back(i);
  for (const auto& [leader, members] : flows) {
    NodeId sum = graph.constant(0);
    for (const std::size_t member : members)
      sum =
          graph.binary(places_[member].is_outside ? Op::kSub : Op::kAdd, sum, places_[member].cell);
    const Origin& origin = places_[leader].origin;
    out.push_back({graph.constant(0), sum, origin.instance, origin.source, true});
  }
  add_stream_equations(out);
  return out;
}

}  // namespace hydae::modelica

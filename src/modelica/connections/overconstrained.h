// Overdetermined connectors (9.4): which connections of records with an equalityConstraint are
// broken, and the equations that take their place.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "modelica/connections/connection_graph.h"
#include "modelica/connections/connection_sets.h"
#include "modelica/connections/connector_finder.h"

namespace hydae::modelica {

// An end as a connection sees it.
struct Plug : ConnectorEnd {
  bool is_outside;
};

class OverdeterminedConnectors {
 public:
  OverdeterminedConnectors(Session& session, ConnectorFinder& finder, ConnectionSets& sets)
      : session_(session), finder_(finder), sets_(sets) {}

  bool is_overdetermined(const Component& component);
  // A connection of two of them.
  void add(const Plug& a, const Plug& b, const ConnectionOrigin& origin) {
    edges_.push_back({a, b, origin});
  }
  // Connections.root, potentialRoot, branch (9.4).
  void declare(const syntax::CallExpr& call, const Env& env);
  // All are known: chooses the connections that break loops; the elements of the others go to
  // `connect`.
  using Connect = std::function<void(const Plug&, const Plug&, const ConnectionOrigin&)>;
  void solve(const Connect& connect);

  bool is_root(const syntax::ReferenceExpr& reference, const Env& env);
  bool is_rooted(const syntax::ReferenceExpr& reference, const Env& env);

 private:
  struct Edge {
    Plug a, b;
    ConnectionOrigin origin;
  };
  int graph_node(const ConnectorEnd& end);
  ConnectorEnd overdetermined(const syntax::Expr& expr, const Env& env);
  void add_constraint(const Edge& edge);

  Session& session_;
  ConnectorFinder& finder_;
  ConnectionSets& sets_;
  ConnectionGraph graph_;
  std::map<ConnectorEnd, int> node_of_;
  std::vector<Edge> edges_;
  std::unordered_map<const Instance*, bool> is_overdetermined_;
};

}  // namespace hydae::modelica

// Connections (Modelica 3.6, chapter 9): connect clauses are collected over the whole model, joined
// into sets, and each set becomes equations: potentials are equal, flows sum to zero, a connector
// seen from inside its component with +, from outside with -. Streams (chapter 15) get no equation
// between insides: what flows in is asked for by inStream.
//
// In order: connect and declare for every clause, expand_buses, finish; then the questions.
#pragma once

#include <map>
#include <vector>

#include "modelica/connections/connect_rules.h"
#include "modelica/connections/expandable.h"
#include "modelica/connections/overconstrained.h"
#include "modelica/connections/streams.h"

namespace hydae::modelica {

class Connections {
 public:
  explicit Connections(Session& session) : session_(session) {}

  // A connect clause in the class that `env.scope` is.
  void connect(const syntax::ConnectEquation& equation, const Env& env);
  // Expandable connectors get the elements that connect clauses ask for. True if components were
  // added.
  bool expand_buses() { return buses_.expand(clauses_); }
  ExpandableBuses& buses() { return buses_; }
  // All clauses are known: chooses the connections that break loops of overdetermined connectors
  // and joins the sets.
  void finish();
  // A flow variable of a connector: it counts even if nothing is connected.
  void add_flow(Component& component);

  // How many connect clauses name the connector (3.7.4.3).
  int cardinality(const syntax::ReferenceExpr& reference, const Env& env);
  OverdeterminedConnectors& overdetermined() { return overdetermined_; }
  Streams& streams() { return streams_; }

  // The equations of all sets.
  std::vector<FlatEquation> equations();

 private:
  void check_sizes(const ConnectClause& clause);
  void connect_ends(const Plug& a, const Plug& b, const ConnectionOrigin& origin);
  void connect_leaves(const Plug& first, const Plug& second, const ConnectionOrigin& origin);
  void connect_parameters(NodeId a, NodeId b, const ConnectionOrigin& origin);

  Session& session_;
  UsedElements is_used_;
  std::vector<ConnectClause> clauses_;
  std::map<ConnectorEnd, int> cardinality_;
  ConnectionSets sets_;
  SignalSets signals_;
  ConnectorFinder finder_{session_, is_used_};
  ExpandableBuses buses_{session_, is_used_};
  OverdeterminedConnectors overdetermined_{session_, finder_, sets_};
  Streams streams_{session_, sets_};
};

}  // namespace hydae::modelica

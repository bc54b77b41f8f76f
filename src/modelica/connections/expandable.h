// Expandable connectors (9.1.3): a bus has the elements that connect clauses put there. Clauses
// with one known side add the element to the bus; connected buses get each other's elements, also
// those of buses inside them; until nothing changes. Declared elements that no clause names are not
// there.
#pragma once

#include <vector>

#include "modelica/connections/connection_sets.h"
#include "modelica/connections/connector_finder.h"

namespace hydae::modelica {

struct ConnectClause {
  ConnectorSide a, b;
  ConnectionOrigin origin;
  bool is_wrong = false;  // reported
};

class ExpandableBuses {
 public:
  ExpandableBuses(Session& session, UsedElements& used) : session_(session), is_used_(used) {}

  // Gives the buses the elements that the clauses ask for; clauses that cannot be understood are
  // reported and go. True if components were added.
  bool expand(std::vector<ConnectClause>& clauses);
  // Elements of buses among `instances` that no clause names are absent. True if there are some.
  bool remove_unused(const std::vector<Instance*>& instances);

 private:
  bool complete(ConnectClause& clause);
  void find_side(ConnectorSide& side);
  Element& add_to_bus(Instance& bus, Symbol name, const Component& model, const Sizes& sizes);
  bool unite_buses(const ConnectClause& clause);
  bool unite(Instance& a, Instance& b);
  void check_bus_depth(const Instance& bus, SourceRange range);
  bool remove_unused(Instance& bus);
  void check_unused(const Element& element);

  Session& session_;
  UsedElements& is_used_;
};

}  // namespace hydae::modelica

// Connections (Modelica 3.6, chapter 9): connect clauses are collected over the whole model, joined
// into sets, and each set becomes equations: potentials are equal, flows sum to zero, a connector
// seen from inside its component with +, from outside with -. Streams (chapter 15) get no equation
// between insides: what flows in is asked for by inStream.
//
// In order: connect and declare for every clause, expand_buses, finish; then the questions.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "modelica/connections/connect_rules.h"
#include "modelica/connections/connection_graph.h"
#include "modelica/expressions/evaluate.h"
#include "modelica/flat/flat.h"

namespace hydae::modelica {

class Connections {
 public:
  explicit Connections(Session& session) : session_(session) {}

  // A connect clause in the class that `env.scope` is.
  void connect(const syntax::ConnectEquation& equation, const Env& env);
  // Connections.root, potentialRoot, branch (9.4).
  void declare(const syntax::CallExpr& call, const Env& env);
  // Expandable connectors get the elements that connect clauses ask for (expandable.cc). True if
  // components were added.
  bool expand_buses();
  // Elements of expandable connectors among `instances` that no clause names are absent. True if
  // there are such elements.
  bool remove_unused(const std::vector<Instance*>& instances);
  // All clauses are known: chooses the connections that break loops of overdetermined connectors
  // and joins the sets.
  void finish();
  // A flow variable of a connector: it counts even if nothing is connected.
  void add_flow(Component& component);

  // How many connect clauses name the connector (3.7.4.3).
  int cardinality(const syntax::ReferenceExpr& reference, const Env& env);
  bool is_root(const syntax::ReferenceExpr& reference, const Env& env);
  bool is_rooted(const syntax::ReferenceExpr& reference, const Env& env);
  // What flows into the connector of a stream variable; streams.cc.
  NodeId in_stream(NodeId stream, SourceRange range);
  NodeId actual_stream(NodeId stream, bool is_silent, SourceRange range);

  // The equations of all sets.
  std::vector<FlatEquation> equations();

 private:
  struct End {
    Component* component;
    std::int64_t linear;  // element of an array of components
    auto operator<=>(const End&) const = default;
  };
  // One side of a connect clause: scalar connectors, row by row.
  struct Side {
    std::vector<End> ends;
    Sizes sizes;
    bool is_outside = false;
    bool is_outer = false;  // it belongs to an outer component
    bool is_present = true;
    SourceRange range;
    // An element that an expandable connector does not have yet:
    Instance* bus = nullptr;
    Symbol missing;
  };
  struct Origin {
    const Instance* instance;
    SourceRange source;
  };
  struct Clause {
    Side a, b;
    Origin origin;
    bool is_wrong = false;  // reported
  };

  Side resolve(const syntax::ReferenceExpr& reference, const Env& env, bool needs_connector = true);
  void descend(Side& side, Component& component, const syntax::ReferenceExpr& reference,
               std::size_t part, const Env& env, Sizes sizes, bool needs_connector);
  std::vector<std::int64_t> chosen_elements(const Component& component,
                                            const syntax::ReferencePart& part, const Env& env,
                                            Sizes& sizes);
  [[noreturn]] void fail_no_member(Instance& instance, const syntax::Ident& name);

  // buses
  bool complete(Clause& clause);
  void find_side(Side& side);
  Element& add_to_bus(Instance& bus, Symbol name, const Component& model, const Sizes& sizes);
  bool unite_buses(const Clause& clause);
  bool unite(Instance& a, Instance& b);
  void check_bus_depth(const Instance& bus, SourceRange range);
  bool remove_unused(Instance& bus);
  void check_unused(const Element& element);

  void check_sizes(const Clause& clause);
  void connect_ends(const End& a, bool a_outside, const End& b, bool b_outside,
                    const Origin& origin);
  void connect_leaves(Component& a, std::int64_t a_linear, bool a_outside, Component& b,
                      std::int64_t b_linear, bool b_outside, const Origin& origin);
  void connect_parameters(NodeId a, NodeId b, const Origin& origin);
  [[noreturn]] void fail_mismatch(const std::string& reason, SourceRange range);

  // overdetermined connectors
  struct OverdeterminedEdge {
    End a, b;
    bool a_outside, b_outside;
    Origin origin;
  };
  bool is_overdetermined(const Component& component);
  int graph_node(const End& end);
  End overdetermined(const syntax::Expr& expr, const Env& env);
  void solve_graph();
  void add_constraint(const OverdeterminedEdge& edge);

  enum class Kind : std::uint8_t { kPotential, kFlow, kStream };
  struct Place {
    NodeId cell;
    bool is_outside;
    std::size_t parent;
    Kind kind = Kind::kPotential;
    Origin origin{};
  };
  std::size_t place(NodeId cell, bool is_outside);
  std::size_t find(std::size_t place);
  void join(NodeId a, bool a_outside, NodeId b, bool b_outside, Kind kind, const Origin& origin);

  // streams
  Component& flow_of(const Component& stream, SourceRange range);
  NodeId flow_of(NodeId stream, SourceRange range);
  bool never_flows_in(NodeId stream, bool is_outside, SourceRange range);
  NodeId mixed(const std::vector<std::size_t>& members, std::size_t leave_out, SourceRange range);
  void collect_streams();
  void add_stream_equations(std::vector<FlatEquation>& out);

  Session& session_;
  std::vector<Clause> clauses_;
  std::vector<Place> places_;
  std::unordered_map<std::uint64_t, std::size_t> place_of_;
  std::vector<FlatEquation> potentials_;
  SignalSets signals_;
  std::map<End, int> cardinality_;

  std::unordered_map<const Component*, bool> is_used_;  // elements of buses

  ConnectionGraph graph_;
  std::map<End, int> node_of_;
  std::vector<OverdeterminedEdge> edges_;
  std::unordered_map<const Instance*, bool> is_overdetermined_;

  std::map<std::size_t, std::vector<std::size_t>> stream_sets_;  // by leading place
  std::unordered_map<std::uint32_t, NodeId> in_streams_;         // by cell
};

}  // namespace hydae::modelica

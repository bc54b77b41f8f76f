// Connections (Modelica 3.6, chapter 9): connect clauses are collected over the whole model, joined
// into sets, and each set becomes equations: potentials are equal, flows sum to zero, a connector
// seen from inside its component with +, from outside with -.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "modelica/evaluate.h"
#include "modelica/flat.h"

namespace hydae::modelica {

class Connections {
 public:
  explicit Connections(Session& session) : session_(session) {}

  // A connect clause in the class that `env.scope` is.
  void connect(const syntax::ConnectEquation& equation, const Env& env);
  // A flow variable of a connector: it counts even if nothing is connected.
  void add_flow(Component& component);
  // How many connect clauses name the connector (3.7.4.3).
  int cardinality(const syntax::ReferenceExpr& reference, const Env& env);

  // The equations of all sets.
  std::vector<FlatEquation> equations();

 private:
  // One side of a connect clause: scalar connectors, row by row.
  struct Side {
    struct End {
      Component* component;
      std::int64_t linear;  // element of an array of components
    };
    std::vector<End> ends;
    Sizes sizes;
    bool is_outside = false;
    bool is_present = true;
    SourceRange range;
  };
  struct Origin {
    const Instance* instance;
    SourceRange source;
  };

  Side resolve(const syntax::ReferenceExpr& reference, const Env& env);
  void descend(Side& side, Component& component, const syntax::ReferenceExpr& reference,
               std::size_t part, const Env& env, Sizes sizes, bool is_outside);
  void connect_ends(const Side::End& a, bool a_outside, const Side::End& b, bool b_outside,
                    const Origin& origin);
  void connect_leaves(Component& a, std::int64_t a_linear, bool a_outside, Component& b,
                      std::int64_t b_linear, bool b_outside, const Origin& origin);
  void connect_cells(NodeId a, bool a_outside, NodeId b, bool b_outside, bool is_flow,
                     const Origin& origin);
  [[noreturn]] void fail_mismatch(const std::string& reason, SourceRange range);

  std::size_t place(NodeId cell, bool is_outside);
  std::size_t find(std::size_t place);

  struct Place {
    NodeId cell;
    bool is_outside;
    std::size_t parent;
    bool is_flow;
    Origin origin;
  };

  Session& session_;
  std::vector<Place> places_;
  std::unordered_map<std::uint64_t, std::size_t> place_of_;
  std::vector<FlatEquation> potentials_;
  std::map<std::pair<const Component*, std::int64_t>, int> cardinality_;
};

}  // namespace hydae::modelica

// From the names in connect clauses to connectors.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

struct ConnectorEnd {
  Component* component;
  std::int64_t linear;  // element of an array of components
  auto operator<=>(const ConnectorEnd&) const = default;
};

// One side of a connect clause: scalar connectors, row by row.
struct ConnectorSide {
  std::vector<ConnectorEnd> ends;
  Sizes sizes;
  bool is_outside = false;
  bool is_outer = false;  // it belongs to an outer component
  bool is_present = true;
  SourceRange range;
  // An element that an expandable connector does not have yet:
  Instance* bus = nullptr;
  Symbol missing;
};

// Elements of expandable connectors that some clause names.
using UsedElements = std::unordered_map<const Component*, bool>;

[[noreturn]] void fail_mismatch(Session& session, const std::string& reason, SourceRange range);

class ConnectorFinder {
 public:
  ConnectorFinder(Session& session, UsedElements& used) : session_(session), is_used_(used) {}

  ConnectorSide resolve(const syntax::ReferenceExpr& reference, const Env& env,
                        bool needs_connector = true);

 private:
  struct Query {
    const syntax::ReferenceExpr& reference;
    const Env& env;
    bool needs_connector;
  };
  void descend(ConnectorSide& side, const Query& query, Component& named, std::size_t part,
               Sizes sizes);
  std::vector<std::int64_t> chosen_elements(const Component& component,
                                            const syntax::ReferencePart& part, const Env& env,
                                            Sizes& sizes);
  [[noreturn]] void fail_no_member(Instance& instance, const syntax::Ident& name);

  Session& session_;
  UsedElements& is_used_;
};

}  // namespace hydae::modelica

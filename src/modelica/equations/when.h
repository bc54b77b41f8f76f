// When-equations (8.3.5): conditions, assignments to discrete variables, reinit, assert, terminate;
// and, beyond the standard, impact laws with impulse().
#pragma once

#include <optional>
#include <vector>

#include "modelica/equations/equation_parts.h"

namespace hydae::modelica {

// A variable that changes at events only, as its declaration says.
bool is_discrete(const Session& session, NodeId side);

class WhenClauses {
 public:
  explicit WhenClauses(Session& session) : session_(session) {}

  void stamp(const syntax::WhenEquation& equation, const Env& env);

  std::vector<NodeId> conditions(const syntax::Expr& expr, const Env& env);
  std::vector<FlatAction> call_actions(const syntax::CallExpr& call, const Env& env);
  // `target` is determined by a when-clause.
  void mark_discrete(NodeId target, SourceRange range);

 private:
  struct WhenBody {
    std::vector<FlatAction> actions;
    bool has_impulse = false;
  };
  bool has_impulse(const EquationList& equations) const;
  void stamp_body(const EquationList& equations, const Env& env, WhenBody& body);
  void stamp_one(const syntax::Equation& equation, const Env& env, WhenBody& body);
  void stamp_if(const syntax::IfEquation& equation, std::size_t branch, const Env& env,
                WhenBody& body);
  void add_assignments(const Value& lhs, const Value& rhs, SourceRange range, WhenBody& body);
  void check_branches(const syntax::WhenEquation& equation, const FlatWhen& when);
  std::vector<FlatAction> reinit_actions(const syntax::CallExpr& call, const Env& env);
  std::optional<FlatAction> call_action(const syntax::CallExpr& call, const Env& env);

  Session& session_;
};

}  // namespace hydae::modelica

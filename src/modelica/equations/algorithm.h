// Algorithm sections of models: executed once with symbolic values; each variable that is assigned
// becomes one equation (11.1.2).
#pragma once

#include <memory>
#include <set>
#include <span>
#include <vector>

#include "modelica/equations/when.h"
#include "modelica/functions/statements.h"

namespace hydae::modelica {

class Algorithms {
 public:
  explicit Algorithms(Session& session) : session_(session), whens_(session) {}

  void stamp(const syntax::Section& section, Instance& part);

 private:
  bool stamp_when_statements(const syntax::Section& section, const Env& env);
  void stamp_when_statement(const syntax::WhenStatement& statement, const Env& env);
  Value entry_value(Component& component);
  void enter(const syntax::List<const syntax::Statement*>& statements, const Env& env,
             bool is_in_when);
  using StatementList = syntax::List<const syntax::Statement*>;
  void run_body(const StatementList& body, const Env& env, const Statements::Hooks& hooks,
                SourceRange range);
  void finish(const Frame& frame, Instance& part, const syntax::Section& section, bool is_initial);
  void run_call(const syntax::CallExpr& call, const Env& env, NodeId condition);
  void run_when(const syntax::WhenStatement& statement, const Env& env);
  void take_assigned_once(FlatWhen& when, std::vector<std::pair<NodeId, Frame>>& outcomes,
                          Frame& frame);
  std::vector<Component*> find_assigned(std::span<const syntax::Statement* const> statements,
                                        const Env& env, bool is_in_when);
  void find_assigned_once(const syntax::Section& section, const Env& env);

  Session& session_;
  WhenClauses whens_;
  std::unique_ptr<Statements> statements_;    // of the algorithm section at hand
  std::set<const Component*> assigned_once_;  // by a when-statement of that section
  int num_helpers_ = 0;
};

}  // namespace hydae::modelica

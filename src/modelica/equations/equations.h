// Equations and algorithms of an instance -> flat equations, when-clauses and assertions.
#pragma once

#include <set>
#include <span>
#include <vector>

#include <hydae/contact.h>

#include "modelica/expressions/evaluate.h"
#include "modelica/flat/flat.h"
#include "modelica/functions/statements.h"

namespace hydae::modelica {

// The arguments of a call of `assert`.
FlatAssertion read_assertion(Session& session, const syntax::CallExpr& call, const Env& env);

class Equations {
 public:
  explicit Equations(Session& session) : session_(session) {}

  // All sections of a class written as the instance `part`.
  void stamp(Instance& part);
  // The connect clauses only.
  void stamp_connections(Instance& part);
  // lhs = rhs, array by array and field by field.
  void add_equality(const Value& lhs, const Value& rhs, const Instance* instance, SourceRange range,
                    std::vector<FlatEquation>& out);

 private:
  // Where equations go: those of one branch of an if-equation are collected, then joined.
  struct Sink {
    std::vector<FlatEquation> equations;
    std::vector<FlatAssertion> assertions;
    bool is_initial = false;
    bool allows_when = true;
  };
  using EquationList = syntax::List<const syntax::Equation*>;

  void stamp_list(const EquationList& equations, const Env& env, Sink& sink);
  void stamp_one(const syntax::Equation& equation, const Env& env, Sink& sink);
  void stamp_equal(const syntax::EqualEquation& equation, const Env& env, Sink& sink);
  void stamp_if(const syntax::IfEquation& equation, const Env& env, Sink& sink);
  void stamp_branches(const syntax::IfEquation& equation, std::size_t branch, const Env& env,
                      Sink& sink);
  void join(NodeId condition, Sink& then_sink, Sink& else_sink, const syntax::IfEquation& equation,
            const Env& env, Sink& sink);
  void stamp_for(const syntax::ForEquation& equation, std::size_t iterator, const Env& env,
                 const std::function<void(const Env&)>& body);
  void stamp_call(const syntax::CallEquation& equation, const Env& env, Sink& sink);
  void find_connects(const EquationList& equations, const Env& env);
  void find_connects(const syntax::Equation& equation, const Env& env);
  bool has_connects(const EquationList& equations) const;
  bool is_graph_call(const syntax::CallExpr& call) const;

  // when.cc
  struct WhenBody {
    std::vector<FlatAction> actions;
    bool has_impulse = false;
  };
  bool is_discrete(NodeId side) const;
  bool has_impulse(const EquationList& equations) const;
  void stamp_when(const syntax::WhenEquation& equation, const Env& env);
  void stamp_when_body(const EquationList& equations, const Env& env, WhenBody& body);
  void stamp_when_equation(const syntax::Equation& equation, const Env& env, WhenBody& body);
  void stamp_when_if(const syntax::IfEquation& equation, std::size_t branch, const Env& env,
                     WhenBody& body);
  void add_assignments(const Value& lhs, const Value& rhs, SourceRange range, WhenBody& body);
  std::vector<NodeId> when_conditions(const syntax::Expr& expr, const Env& env);
  void check_when_branches(const syntax::WhenEquation& equation, const FlatWhen& when);
  NodeId at_start_only(NodeId condition);
  void terminate_where(NodeId condition, const syntax::CallExpr& call, const Env& env);
  std::vector<FlatAction> call_actions(const syntax::CallExpr& call, const Env& env);
  std::vector<FlatAction> reinit_actions(const syntax::CallExpr& call, const Env& env);
  std::optional<FlatAction> call_action(const syntax::CallExpr& call, const Env& env);
  void mark_discrete(NodeId target, SourceRange range);

  // contact.cc
  std::string impulse_law(const syntax::Expr& expr, const Env& env);
  void stamp_contact(const syntax::CallExpr& call, const Env& env, Sink& sink);
  void stamp_friction(const ContactFriction& friction, const Expr& normal_force, VarId closed,
                      SourceRange range, const Env& env, Sink& sink);
  VarId add_contact_state(const char* name, SourceRange range);
  FlatAction contact_impulse(const Expr& carrier, const Expr& value, const char* law,
                             SourceRange range) const;

  // algorithm.cc
  void stamp_algorithm(const syntax::Section& section, Instance& part);
  bool stamp_when_statements(const syntax::Section& section, const Env& env);
  void stamp_when_statement(const syntax::WhenStatement& statement, const Env& env);
  Value entry_value(Component& component);
  void enter(const syntax::List<const syntax::Statement*>& statements, const Env& env,
             bool is_in_when);
  using StatementList = syntax::List<const syntax::Statement*>;
  void run_body(const StatementList& body, const Env& env, const Statements::Hooks& hooks,
                SourceRange range);
  void finish_algorithm(const Frame& frame, Instance& part, const syntax::Section& section,
                        bool is_initial);
  void algorithm_call(const syntax::CallExpr& call, const Env& env, NodeId condition);
  void run_when(const syntax::WhenStatement& statement, const Env& env);
  void take_assigned_once(FlatWhen& when, std::vector<std::pair<NodeId, Frame>>& outcomes,
                          Frame& frame);
  std::vector<Component*> find_assigned(std::span<const syntax::Statement* const> statements,
                                        const Env& env, bool is_in_when);
  void find_assigned_once(const syntax::Section& section, const Env& env);

  Value side(const syntax::Expr& expr, const Env& env);
  bool is_integer_variable(NodeId id) const;

  Session& session_;
  std::unique_ptr<Statements> statements_;    // of the algorithm section at hand
  std::set<const Component*> assigned_once_;  // by a when-statement of that section
  int num_helpers_ = 0;
  int num_contacts_ = 0;
};

}  // namespace hydae::modelica

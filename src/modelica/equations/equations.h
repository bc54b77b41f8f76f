// Equations and algorithms of an instance -> flat equations, when-clauses and assertions.
#pragma once

#include "modelica/equations/algorithm.h"
#include "modelica/equations/contact.h"
#include "modelica/equations/when.h"

namespace hydae::modelica {

class Equations {
 public:
  explicit Equations(Session& session)
      : session_(session), whens_(session), contacts_(session), algorithms_(session) {}

  // All sections of a class written as the instance `part`, but for connect clauses.
  void stamp(Instance& part);

 private:
  using Sink = EquationSink;
  // The equations of an if-equation under one condition and under its contrary.
  struct Choice {
    NodeId condition;
    Sink then_sink, else_sink;
  };

  void stamp_list(const EquationList& equations, const Env& env, Sink& sink);
  void stamp_one(const syntax::Equation& equation, const Env& env, Sink& sink);
  void stamp_equal(const syntax::EqualEquation& equation, const Env& env, Sink& sink);
  void stamp_if(const syntax::IfEquation& equation, const Env& env, Sink& sink);
  void stamp_branches(const syntax::IfEquation& equation, std::size_t branch, const Env& env,
                      Sink& sink);
  void join(Choice& choice, const syntax::IfEquation& equation, const Env& env, Sink& sink);
  void stamp_call(const syntax::CallEquation& equation, const Env& env, Sink& sink);
  NodeId at_start_only(NodeId condition);
  void terminate_where(NodeId condition, const syntax::CallExpr& call, const Env& env);

  Session& session_;
  WhenClauses whens_;
  Contacts contacts_;
  Algorithms algorithms_;
};

}  // namespace hydae::modelica

// Contacts, beyond the standard: contact(gap, force, restitution, law, slip, friction, mu,
// mu_static, slip_restitution) among equations, positional or by name. It becomes the equations and
// when-clauses of hydae/contact.h.
#pragma once

#include <string>

#include <hydae/contact.h>

#include "modelica/equations/equation_parts.h"

namespace hydae::modelica {

// What an impulse of a contact stands for: an impact law, or a number of its friction.
std::string impulse_law(Session& session, const syntax::Expr& expr, const Env& env);

class Contacts {
 public:
  explicit Contacts(Session& session) : session_(session) {}

  void stamp(const syntax::CallExpr& call, const Env& env, EquationSink& sink);

 private:
  struct Contact {
    Expr normal_force;
    VarId closed;
    SourceRange range;
    const Instance* instance;
  };
  void stamp_friction(const Contact& contact, const ContactFriction& friction, EquationSink& sink);
  VarId add_state(const char* name, SourceRange range);
  FlatAction impulse(const Expr& carrier, const Expr& value, const char* law,
                     SourceRange range) const;

  Session& session_;
  int num_contacts_ = 0;
};

}  // namespace hydae::modelica

// Module: model
// Unilateral contacts of a model: gap >= 0, force >= 0, and one of the two is zero. With friction:
// a second force, tangential, at most mu times the first and against the slip velocity.
//
//     add_contact(m, {.gap = h, .force = F, .restitution = 0.7});
//     add_contact(m, {.gap = h, .force = F, .friction = {{.slip = v, .force = T, .mu = 0.3}}});
//
// A contact stands for one equation, which determines the force, and makes the Boolean
// `NAME.closed`. In the model it is this equation and a when-clause with an impulse:
//
//     (if NAME.closed then gap else F) = 0;
//     when (if NAME.closed then F else gap) < 0 then
//       NAME.closed = not pre(NAME.closed);
//       impulse(F, restitution, "newton");
//     end when;
//
// Friction stands for a second equation, which determines its force T, and makes the Booleans
// `NAME.forward` and `NAME.backward`; a closed contact with neither of them sticks:
//
//     (if forward then T + mu*F elseif backward then T - mu*F elseif closed then slip else T) = 0;
//
// docs/math/contact.md says when these change and what happens at an impact.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <hydae/export.h>
#include <hydae/model.h>

namespace HYDAE_EXPORT hydae {

// How bodies part after an impact, for all contacts that touch at the instant.
enum class ImpactLaw : std::uint8_t {
  kNewton,      // each opening speed is -restitution times the closing one, all at once
  kPoisson,     // each impulse of expansion is restitution times the one of compression
  kSequential,  // one impact after the other, each by Newton's law for itself
};
const char* impact_law_name(ImpactLaw law);  // "newton", "poisson", "sequential"
std::optional<ImpactLaw> find_impact_law(const std::string& name);
ImpactLaw default_impact_law(bool has_friction);  // Newton's; with friction Poisson's

// Coulomb friction in one tangential direction.
struct ContactFriction {
  Expr slip{};                      // tangential velocity
  Expr force{};                     // a continuous variable; acts towards positive slip
  Expr mu = 0;                      // of sliding and of impulses: constant or parameter
  std::optional<Expr> mu_static{};  // of sticking, at least mu; mu without it
  Expr restitution = 0;             // of the slip velocity, in [0, 1]: constant or parameter
};

struct Contact {
  std::string name{};  // "contact1", ... without one
  Expr gap{};
  Expr force{};                    // a continuous variable
  Expr restitution = 0;            // in [0, 1]: constant or parameter expression
  std::optional<ImpactLaw> law{};  // default_impact_law() without one
  std::optional<ContactFriction> friction{};
  std::string component{};
  SourceRange source{};
};

// Throws UsageError for a force that is not a variable.
void add_contact(Model& model, Contact contact);

// How friction enters a model: its equation `residual = 0`, and conditions that are false as long
// as the contact goes on as it does: the slip reverses, sticking breaks forward, backward.
struct FrictionForms {
  Expr residual;
  std::vector<Expr> conditions;
};
struct FrictionStates {
  Expr closed, forward, backward;
};
FrictionForms make_friction_forms(const FrictionStates& states, const Expr& normal_force,
                                  const ContactFriction& friction);

// The contact that a branch of a when-clause stands for: an impulse with a law.
struct ContactClause {
  Expr gap, force, restitution;
  ImpactLaw law;
  VarId closed;
  SourceRange source;
};
std::optional<ContactClause> find_contact(const Model& model, const WhenBranch& branch);

// The friction that a branch stands for: three impulses of its force, whose values are mu,
// mu_static and the restitution.
inline constexpr const char* kFrictionImpulse = "friction";
inline constexpr const char* kStickingImpulse = "sticking";
inline constexpr const char* kReboundImpulse = "rebound";
struct FrictionClause {
  Expr slip, force, mu, mu_static, restitution;
  VarId closed, forward, backward;
  SourceRange source;
};
std::optional<FrictionClause> find_friction(const Model& model, const WhenBranch& branch);

}  // namespace hydae

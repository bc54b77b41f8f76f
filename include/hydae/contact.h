// Module: model
// Unilateral contacts of a model: gap >= 0, force >= 0, and one of the two is zero.
//
//     add_contact(m, {.gap = h, .force = F, .restitution = 0.7});
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
// docs/math/contact.md says what happens at an impact.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <hydae/model.h>

namespace hydae {

// How bodies part after an impact, for all contacts that touch at the instant.
enum class ImpactLaw : std::uint8_t {
  kNewton,      // each opening speed is -restitution times the closing one, all at once
  kPoisson,     // each impulse of expansion is restitution times the one of compression
  kSequential,  // one impact after the other, each by Newton's law for itself
};
const char* impact_law_name(ImpactLaw law);  // "newton", "poisson", "sequential"
std::optional<ImpactLaw> find_impact_law(const std::string& name);

struct Contact {
  std::string name{};  // "contact1", ... without one
  Expr gap{};
  Expr force{};          // a continuous variable
  Expr restitution = 0;  // in [0, 1]: constant or parameter expression
  ImpactLaw law = ImpactLaw::kNewton;
  std::string component{};
  SourceRange source{};
};

// Throws UsageError for a force that is not a variable.
void add_contact(Model& model, Contact contact);

// The contact that a branch of a when-clause stands for: an impulse with a law.
struct ContactClause {
  Expr gap, force, restitution;
  ImpactLaw law;
  VarId closed;
  SourceRange source;
};
std::optional<ContactClause> find_contact(const Model& model, const WhenBranch& branch);

}  // namespace hydae

// Impulses of contacts that meet at one instant. Speeds v are those of the gaps, followed by the
// slip velocities of contacts with friction; W is the response of these speeds to unit impulses.
// docs/math/contact.md.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include <hydae/contact.h>

namespace hydae {

// A tangential direction: |impulse| <= mu * impulse of the contact.
struct ImpactFriction {
  Eigen::Index contact = 0;
  double mu = 0;
  double restitution = 0;
};

struct ContactImpact {
  ImpactLaw law = ImpactLaw::kNewton;
  Eigen::MatrixXd W;
  Eigen::VectorXd before;       // speeds of the gaps and slip velocities before
  Eigen::VectorXd restitution;  // by contact
  std::vector<ImpactFriction> friction{};

  Eigen::Index num_contacts() const { return restitution.size(); }
};

struct ContactImpulses {
  Eigen::VectorXd impulses;  // normal ones are not negative
  Eigen::VectorXd after;     // speeds of the gaps and slip velocities
  double energy_gain = 0;    // of all contacts together; not positive for a law that makes sense
};

// No value: the law has no solution.
std::optional<ContactImpulses> solve_impact(const ContactImpact& impact);

// Contacts that neither close nor can stay as they are (Painleve's paradox): friction alone makes
// impulses, those of an infinitely slow collision. No value: there are none.
std::optional<ContactImpulses> solve_impact_without_collision(const ContactImpact& impact);

}  // namespace hydae

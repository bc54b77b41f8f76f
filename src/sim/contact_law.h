// Impulses of contacts that meet at one instant. Speeds v are those of the gaps, W is the response
// of these speeds to unit impulses. docs/math/contact.md.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include <hydae/contact.h>

namespace hydae {

struct ContactImpact {
  ImpactLaw law = ImpactLaw::kNewton;
  Eigen::MatrixXd W;
  Eigen::VectorXd before;       // speeds of the gaps before
  Eigen::VectorXd restitution;  // by contact
};

struct ContactImpulses {
  Eigen::VectorXd impulses;  // not negative
  Eigen::VectorXd after;     // speeds of the gaps
  double energy_gain = 0;    // of all contacts together; not positive for a law that makes sense
};

// No value: the law has no solution.
std::optional<ContactImpulses> solve_impact(const ContactImpact& impact);

}  // namespace hydae

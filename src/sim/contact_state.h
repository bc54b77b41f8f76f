// What a contact does between events, and how it moves.
#pragma once

#include <cmath>
#include <vector>

#include "sim/hybrid_model.h"

namespace hydae {

enum class ContactState : std::uint8_t {
  kOpen,
  kStuck,  // without friction: closed
  kForward,
  kBackward,
};

struct ContactMotion {
  double gap = 0, speed = 0;  // of the gap
  double slip = 0;
  // A gap of this size touches: a part of the sizes of what the gap is computed from.
  double touch = 0;
  double typical_speed = 0;  // by the scales and values of what the speed of the gap is made of
};

// Speeds of a contact below this are zero. Contacts elsewhere have no say in it.
inline double smallest_speed(const ContactMotion& motion) {
  return 2e-9 * std::max({std::abs(motion.speed), std::abs(motion.slip), motion.typical_speed});
}

inline constexpr double kMostPenetration = 1e6;  // of a start, in units of what touches

// Whether bodies start a little inside each other and do not approach: what moves them apart is a
// correction of the start, not an impact.
inline bool is_correction(const std::vector<ContactMotion>& motions) {
  bool has_penetration = false;
  for (const ContactMotion& motion : motions) {
    if (motion.gap > motion.touch) continue;
    if (motion.speed < -smallest_speed(motion) || motion.gap < -kMostPenetration * motion.touch)
      return false;
    has_penetration = has_penetration || motion.gap < -motion.touch;
  }
  return has_penetration;
}

// Of a contact at rest.
inline ContactState opposite(ContactState state) {
  return state == ContactState::kOpen ? ContactState::kStuck : ContactState::kOpen;
}

// Of a closed contact with this slip velocity.
inline ContactState closed_state(double slip, double smallest) {
  return slip > smallest    ? ContactState::kForward
         : slip < -smallest ? ContactState::kBackward
                            : ContactState::kStuck;
}

// States are kept in the Booleans of the contact, among discrete values by VarId.
inline void set_state(const HybridContact& contact, ContactState state,
                      std::vector<double>& discrete) {
  discrete[contact.closed.index()] = state == ContactState::kOpen ? 0 : 1;
  if (!contact.friction) return;
  discrete[contact.friction->forward.index()] = state == ContactState::kForward ? 1 : 0;
  discrete[contact.friction->backward.index()] = state == ContactState::kBackward ? 1 : 0;
}

inline ContactState state_of(const HybridContact& contact, const std::vector<double>& discrete) {
  if (discrete[contact.closed.index()] != 1) return ContactState::kOpen;
  if (!contact.friction) return ContactState::kStuck;
  if (discrete[contact.friction->forward.index()] == 1) return ContactState::kForward;
  if (discrete[contact.friction->backward.index()] == 1) return ContactState::kBackward;
  return ContactState::kStuck;
}

}  // namespace hydae

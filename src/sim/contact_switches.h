// Contacts that are switches: a force and a gap of which the one sets the other at once, or through
// one derivative (diodes, freewheels, check valves, overflows). Nothing collides there, and opening
// and closing is a matter of the mode like the truth of a relation. So they take part in the search
// of a mode: within a trial the bit of the relation of such a contact says that the trial has it in
// the other state than the pass has begun with. docs/math/contact.md.
#pragma once

#include <map>
#include <vector>

#include "sim/hybrid_state.h"

namespace hydae {

inline ContactKind kind_of(std::size_t contact, const HybridState& state) {
  return contact < state.contact_kinds.size() ? state.contact_kinds[contact]
                                              : ContactKind::kUnknown;
}

inline bool is_switch(std::size_t contact, const HybridState& state) {
  return kind_of(contact, state) >= ContactKind::kRate;
}

// Relations of all contacts that are switches.
std::vector<std::size_t> switch_relations(const HybridModel& model, const HybridState& state);
bool is_of_switch(const HybridModel& model, const HybridState& state, std::size_t relation);

// Whether a discrete variable is what relations say, the state of a switch included.
bool follows_relations(const HybridModel& model, const HybridState& state, VarId discrete);

// Discrete values in which the contacts of these bits are in their other states.
void switch_contacts(const HybridModel& model, const HybridState& state,
                     const std::vector<bool>& bits, std::vector<double>& discrete);
// The states are among the discrete values now.
void forget_switched(const HybridModel& model, const HybridState& state, Switches& switches);

// Contacts whose relations stand for other guards with these discrete values than in the memory of
// the state: by relation, whether the new guard vanishes, too, where the other one was located. A
// force that acts through derivatives is not zero where the gap is.
std::map<std::size_t, bool> exchanged_guards(const HybridModel& model, const HybridState& state,
                                             const std::vector<double>& discrete);

// For a start: discrete values in which other contacts are closed, first those with the fewest
// changes; not all where there are many.
std::vector<std::vector<double>> other_contact_states(const HybridModel& model,
                                                      const std::vector<double>& discrete);

}  // namespace hydae

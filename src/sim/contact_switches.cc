#include "sim/contact_switches.h"

#include "sim/contact_state.h"

namespace hydae {

std::vector<std::size_t> switch_relations(const HybridModel& model, const HybridState& state) {
  std::vector<std::size_t> relations;
  for (std::size_t k = 0; k < model.contacts().size(); ++k)
    if (is_switch(k, state)) relations.push_back(model.contacts()[k].relation);
  return relations;
}

bool is_of_switch(const HybridModel& model, const HybridState& state, std::size_t relation) {
  for (std::size_t k : switch_relations(model, state))
    if (k == relation) return true;
  return false;
}

bool follows_relations(const HybridModel& model, const HybridState& state, VarId discrete) {
  if (model.follows_relations(discrete)) return true;
  for (std::size_t k = 0; k < model.contacts().size(); ++k)
    if (is_switch(k, state) && model.contacts()[k].closed == discrete) return true;
  return false;
}

void switch_contacts(const HybridModel& model, const HybridState& state,
                     const std::vector<bool>& bits, std::vector<double>& discrete) {
  for (std::size_t k = 0; k < model.contacts().size(); ++k) {
    const HybridContact& contact = model.contacts()[k];
    if (is_switch(k, state) && bits[contact.relation])
      set_state(contact, opposite(state_of(contact, discrete)), discrete);
  }
}

void forget_switched(const HybridModel& model, const HybridState& state, Switches& switches) {
  for (std::size_t k : switch_relations(model, state)) switches.bits[k] = false;
}

std::map<std::size_t, bool> exchanged_guards(const HybridModel& model, const HybridState& state,
                                             const std::vector<double>& discrete) {
  std::map<std::size_t, bool> exchanged;
  for (std::size_t k = 0; k < model.contacts().size(); ++k) {
    const HybridContact& contact = model.contacts()[k];
    const auto other = state.guards.others.find(contact.relation);
    const bool is_closed = discrete[contact.closed.index()] == 1;
    if (other == state.guards.others.end() || other->second.is_gap == is_closed) continue;
    const ContactKind kind = kind_of(k, state);
    exchanged[contact.relation] =
        is_closed ? kind >= ContactKind::kValue : kind < ContactKind::kInverse;
  }
  return exchanged;
}

std::vector<std::vector<double>> other_contact_states(const HybridModel& model,
                                                      const std::vector<double>& discrete) {
  constexpr std::size_t kMostStates = 1024;
  struct Changed {
    std::vector<double> discrete;
    std::size_t next;  // the first contact that may be changed further
  };
  std::vector<Changed> found{{discrete, 0}};
  std::vector<std::vector<double>> others;
  for (std::size_t at = 0; at < found.size(); ++at)
    for (std::size_t k = found[at].next; k < model.contacts().size(); ++k) {
      if (others.size() == kMostStates) return others;
      std::vector<double> values = found[at].discrete;
      const HybridContact& contact = model.contacts()[k];
      set_state(contact, opposite(state_of(contact, values)), values);
      others.push_back(values);
      found.push_back({std::move(values), k + 1});
    }
  return others;
}

}  // namespace hydae

// Contacts at an instant: impacts of gaps that close, then which contacts stay closed, stick or
// slide. docs/math/contact.md.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/contact_law.h"
#include "sim/contact_state.h"
#include "sim/contact_switches.h"
#include "sim/contact_system.h"
#include "sim/event.h"
#include "sim/guard_signs.h"
#include "sim/mode_selector.h"
#include "sim/outcome.h"
#include "sim/run_report.h"
#include "sim/settings.h"
#include "sim/state_view.h"
#include "sim/trial.h"
#include "sim/variable_scales.h"

namespace hydae {

// What a variable contributes to the size of a gap or of its speed.
struct SizePart {
  std::size_t contact;
  bool is_of_speed;
  Leaf leaf;
  NodeId slope;  // derivative by the leaf
};

bool has_violated_contact(const HybridModel& model, const std::vector<bool>& bits);

class ContactResponse {
 public:
  struct Parts {
    const HybridModel& model;
    const RunSettings& settings;
    ModeSelector& selector;
    const GuardSigns& signs;
    const VariableScales& scales;
    RunReport& report;
  };
  explicit ContactResponse(const Parts& parts);

  using Values = std::function<double(Leaf)>;
  std::vector<ContactMotion> motions(const EvaluationContext& now, const Values& values);

  // After a pass whose contact relations are violated: an impact, or contacts that open, close,
  // stick and slide, in `event.left` and the discrete values of the state. Whether something
  // changed.
  Outcome<bool> respond(const EvaluationContext& now, HybridState& state, Event& event);
  // A mode in which an impulse violates contacts, or that has no solution, is none: contacts that
  // turn out to be switches, and so are searched for, or the next states of contacts to try from
  // the same left limits, in the discrete values of the state. False: there are no others.
  bool close_struck(const Trial& trial, HybridState& state, Event& event);
  bool find_other_states(HybridState& state, Event& event);
  // A contact that touches and opens from rest, though a force would pull it shut (Painleve's
  // paradox): it might as well have stayed closed.
  void warn_of_other_continuations(const StateView& view, const SolutionPtr& solution, double t);

  // The relations of contacts that have opened or closed stand for other guards from now on.
  void exchange_guards(const EvaluationContext& now, const Values& values, HybridState& state);

 private:
  using Contacts = std::vector<std::size_t>;
  Contacts touching(const std::vector<ContactMotion>& motions, const HybridState& state) const;
  // The equations in which contacts are open, at the impact of one of them.
  struct Opened {
    ContactSystem* system = nullptr;
    RestartInput input;
  };
  Outcome<Opened> open(double t, const Contacts& contacts, const HybridState& state,
                       const std::vector<double>& discrete, const LeftLimit& left);
  Outcome<Opened> open_all(const Contacts& contacts, const HybridState& state, const Event& event);
  ContactSystem& system_of(const ModeSelector::Selected& selected, const Contacts& contacts);
  ContactImpact make_impact(const Contacts& contacts) const;
  Outcome<Done> collide(const Contacts& contacts, bool is_collision, HybridState& state,
                        Event& event);
  bool find_switches(const Contacts& contacts, HybridState& state, const Event& event);
  ContactKind find_kind(std::size_t contact, double t, const HybridState& state);
  std::optional<int> degree_of(std::size_t contact, const Contacts& opened, double t,
                               const HybridState& state);
  void accept_impact(const ContactSystem& contact, Event& event) const;
  void set_states_after(const ContactImpact& impact, const ContactImpulses& solved,
                        const Contacts& contacts, HybridState& state) const;
  Outcome<ContactImpulses> impulses_by_law(double t, ContactImpact& impact,
                                           const Contacts& contacts);
  Outcome<ContactImpulses> impulses_without_collision(double t, const ContactImpact& impact,
                                                      const Contacts& contacts) const;
  ContactState wanted_state(const HybridContact& contact, const ContactMotion& motion,
                            const HybridState& state) const;
  bool try_states(const Contacts& touching, const std::vector<ContactMotion>& motions,
                  HybridState& state, Event& event) const;
  std::vector<double> first_sizes(std::size_t contact, bool is_gap,
                                  const ContactMotion& motion) const;
  void warn_of_penetration(const std::vector<ContactMotion>& motions, HybridState& state,
                           const Event& event);
  std::string names_of(const Contacts& contacts) const;

  const HybridModel& model_;
  const RunSettings& settings_;
  ModeSelector& selector_;
  const GuardSigns& signs_;
  const VariableScales& scales_;
  RunReport& report_;
  CompiledExpressions motions_;  // gap, its speed and slip velocity of each contact
  std::vector<SizePart> size_parts_;
  CompiledExpressions slopes_;  // of the size parts
  double closeness_;            // of gaps that close together, relative
  std::map<std::pair<int, Contacts>, std::unique_ptr<ContactSystem>> systems_;  // by mode
};

}  // namespace hydae

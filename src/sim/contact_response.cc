#include "sim/contact_response.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "expr/derivative.h"
#include "linalg/dense_factors.h"
#include "sim/trial_solver.h"

namespace hydae {
namespace {

constexpr std::size_t kMostTried = 1024;  // combinations of states
// Gaps that close at the same instant by symmetry differ by rounding, amplified on the way; others
// by much more. Relative to the sizes of what a gap is computed from, and to the tolerance.
constexpr double kLeastCloseness = 1e-9, kCloseness = 1e-3;

std::vector<NodeId> motion_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const HybridContact& contact : model.contacts()) {
    roots.push_back(contact.gap);
    roots.push_back(contact.speed);
    roots.push_back(contact.friction ? contact.friction->slip : model.graph().constant(0));
  }
  return roots;
}

// By which the sizes of variables become those of gaps and of their speeds.
std::vector<SizePart> size_parts(const HybridModel& model) {
  std::vector<SizePart> parts;
  for (std::size_t k = 0; k < model.contacts().size(); ++k)
    for (const bool is_of_speed : {false, true}) {
      const HybridContact& contact = model.contacts()[k];
      for (const Partial& partial :
           gradient(model.graph(), is_of_speed ? contact.speed : contact.gap)) {
        const Variable& variable = model.model().all_variables()[partial.leaf.variable];
        if (variable.kind == VariableKind::kReal)
          parts.push_back({k, is_of_speed, partial.leaf, partial.derivative});
      }
    }
  return parts;
}
std::vector<NodeId> slope_roots(const std::vector<SizePart>& parts) {
  std::vector<NodeId> roots;
  for (const SizePart& part : parts) roots.push_back(part.slope);
  return roots;
}

// Speeds before and responses to unit impulses. False if the restart fails.
bool measure_impact(ContactSystem& system, RestartInput& input, ContactImpact& impact) {
  const Eigen::Index n = impact.num_contacts() + static_cast<Eigen::Index>(impact.friction.size());
  impact.before = system.speeds_after(input, Eigen::VectorXd::Zero(n));
  impact.W.resize(n, n);
  for (Eigen::Index i = 0; i < n && system.restarted().succeeded(); ++i) {
    const Eigen::VectorXd speeds = system.speeds_after(input, Eigen::VectorXd::Unit(n, i));
    if (system.restarted().succeeded()) impact.W.col(i) = speeds - impact.before;
  }
  return system.restarted().succeeded();
}

std::vector<std::size_t> all_contacts(const HybridModel& model) {
  std::vector<std::size_t> contacts(model.contacts().size());
  std::iota(contacts.begin(), contacts.end(), std::size_t{0});
  return contacts;
}

Failure restart_failure(double t, const RestartResult& restarted) {
  return failure_named(restarted.status, Status::kRestartFailed,
                       fmt::format("impact at t = {:.10g}: {}", t, restarted.message));
}

}  // namespace

bool has_violated_contact(const HybridModel& model, const std::vector<bool>& bits) {
  return std::any_of(
      model.contacts().begin(), model.contacts().end(), [&](const HybridContact& contact) {
        const auto& friction = contact.friction;
        return bits[contact.relation] ||
               (friction && (bits[friction->turns] || bits[friction->breaks_forward] ||
                             bits[friction->breaks_backward]));
      });
}

ContactResponse::ContactResponse(const Parts& parts)
    : model_(parts.model),
      settings_(parts.settings),
      selector_(parts.selector),
      signs_(parts.signs),
      scales_(parts.scales),
      report_(parts.report),
      motions_(model_, motion_roots(model_)),
      size_parts_(size_parts(model_)),
      slopes_(model_, slope_roots(size_parts_)),
      closeness_(std::max(kLeastCloseness, kCloseness * settings_.rtol)) {}

std::vector<ContactMotion> ContactResponse::motions(const EvaluationContext& now,
                                                    const Values& values) {
  EvaluationContext here = now;
  here.continuous = here.before = values;
  const auto found = motions_.evaluate(here);
  std::vector<ContactMotion> motions;
  for (std::size_t k = 0; k + 2 < found.size(); k += 3)
    motions.push_back({found[k], found[k + 1], found[k + 2]});
  const auto slopes = slopes_.evaluate(here);
  const double length =
      std::max(std::abs(settings_.stop - settings_.start), std::abs(now.t - settings_.start));
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    const SizePart& part = size_parts_[k];
    ContactMotion& motion = motions[part.contact];
    const double slope = std::isfinite(slopes[k]) ? std::abs(slopes[k]) : 0.0;
    // A speed that has not moved its variable by its scale in all this time is small.
    const double scale = scales_.scale_of(part.leaf.variable) / std::pow(length, part.leaf.order);
    const double value = values(part.leaf), size = std::isfinite(value) ? std::abs(value) : 0.0;
    if (part.is_of_speed)
      motion.typical_speed += slope * (scale + size);
    else
      motion.touch += closeness_ * slope * (scale + size);
  }
  return motions;
}

ContactResponse::Contacts ContactResponse::touching(const std::vector<ContactMotion>& motions,
                                                    const HybridState& state) const {
  Contacts touching;
  for (std::size_t k = 0; k < motions.size(); ++k)
    if (!is_switch(k, state) && (state.discrete[model_.contacts()[k].closed.index()] == 1 ||
                                 state.switches.bits[model_.contacts()[k].relation] ||
                                 std::abs(motions[k].gap) <= motions[k].touch))
      touching.push_back(k);
  return touching;
}

Outcome<ContactResponse::Opened> ContactResponse::open(double t, const Contacts& contacts,
                                                       const HybridState& state,
                                                       const std::vector<double>& discrete,
                                                       const LeftLimit& left) {
  const ModeSelector::Selected selected = selector_.select(
      t, {state.switches, discrete, state.discrete, state.pieces}, impulsive(state.pins));
  const auto ill_posed = [t](const std::string& why) {
    return Failure{Status::kIllPosedMode, fmt::format("impact at t = {:.10g}: {}", t, why)};
  };
  if (selected.mode.defects.has_errors())
    return ill_posed(selected.mode.defects.items().front().message);
  Opened opened;
  opened.system = &system_of(selected, contacts);
  if (!opened.system->defect().empty()) return ill_posed(opened.system->defect());
  opened.input = restart_input(model_, settings_, t, left, discrete);
  opened.input.parameters = selected.numbers;
  return opened;
}

Outcome<ContactResponse::Opened> ContactResponse::open_all(const Contacts& contacts,
                                                           const HybridState& state,
                                                           const Event& event) {
  std::vector<double> discrete = state.discrete;
  for (std::size_t k : contacts) set_state(model_.contacts()[k], ContactState::kOpen, discrete);
  return open(event.t, contacts, state, discrete, event.left);
}

// Its speeds are those of ContactImpact.
ContactSystem& ContactResponse::system_of(const ModeSelector::Selected& selected,
                                          const Contacts& contacts) {
  std::unique_ptr<ContactSystem>& made = systems_[{selected.mode.number, contacts}];
  if (made) return *made;
  std::vector<NodeId> speeds;
  std::vector<EqId> rows;
  for (std::size_t k : contacts) {
    speeds.push_back(model_.contacts()[k].speed);
    rows.push_back(model_.contacts()[k].row);
  }
  for (std::size_t k : contacts)
    if (const auto& friction = model_.contacts()[k].friction) {
      speeds.push_back(friction->slip);
      rows.push_back(friction->row);
    }
  made = std::make_unique<ContactSystem>(
      selected.mode,
      model_.decided(selected.mode.prepared.system.graph(), speeds, selected.truths.truths),
      std::move(rows));
  return *made;
}

// The data of the contacts; among different laws the later of ImpactLaw counts.
ContactImpact ContactResponse::make_impact(const Contacts& contacts) const {
  ContactImpact impact;
  impact.restitution.resize(static_cast<Eigen::Index>(contacts.size()));
  for (Eigen::Index i = 0; i < impact.restitution.size(); ++i) {
    const HybridContact& contact = model_.contacts()[contacts[static_cast<std::size_t>(i)]];
    impact.law = std::max(impact.law, contact.law);
    impact.restitution(i) = contact.restitution;
    if (contact.friction)
      impact.friction.push_back({i, contact.friction->mu, contact.friction->restitution});
  }
  return impact;
}

// All touching contacts take part in the impact of one; then the left limits are those after it.
// Without a collision: Painleve's paradox, see solve_impact_without_collision().
Outcome<Done> ContactResponse::collide(const Contacts& contacts, bool is_collision,
                                       HybridState& state, Event& event) {
  const double t = event.t;
  Outcome<Opened> opened = open_all(contacts, state, event);
  if (!opened) return opened.failure();
  ContactSystem& system = *opened->system;
  ContactImpact impact = make_impact(contacts);
  if (!measure_impact(system, opened->input, impact)) return restart_failure(t, system.restarted());
  const Outcome<ContactImpulses> solved = is_collision
                                              ? impulses_by_law(t, impact, contacts)
                                              : impulses_without_collision(t, impact, contacts);
  if (!solved) return solved.failure();
  system.speeds_after(opened->input, solved->impulses);
  if (!system.restarted().succeeded()) return restart_failure(t, system.restarted());
  accept_impact(system, event);
  set_states_after(impact, *solved, contacts, state);
  event.tried_contacts.clear();
  return Done{};
}

// Whether some of these contacts turn out to be switches; nothing has violated them so far, then.
bool ContactResponse::find_switches(const Contacts& contacts, HybridState& state,
                                    const Event& event) {
  bool is_new = false;
  state.contact_kinds.resize(model_.contacts().size(), ContactKind::kUnknown);
  for (std::size_t k : contacts) {
    if (state.contact_kinds[k] != ContactKind::kUnknown) continue;
    state.contact_kinds[k] = find_kind(k, event.t, state);
    is_new = is_new || is_switch(k, state);
  }
  forget_switched(model_, state, state.switches);
  return is_new;
}

// Bodies collide whatever is closed elsewhere, and none of them keeps the rest from moving. So
// where nothing can be said with the others as they are, all are opened. A force without any effect
// in this mode may have one in another.
ContactKind ContactResponse::find_kind(std::size_t contact, double t, const HybridState& state) {
  if (model_.contacts()[contact].friction) return ContactKind::kImpact;
  std::optional<int> degree = degree_of(contact, {contact}, t, state);
  if (!degree || *degree == kNoDegree) degree = degree_of(contact, all_contacts(model_), t, state);
  if (!degree) return ContactKind::kValue;
  if (*degree == kNoDegree) return ContactKind::kUnknown;
  return *degree > 1    ? ContactKind::kImpact
         : *degree == 1 ? ContactKind::kRate
         : *degree == 0 ? ContactKind::kValue
                        : ContactKind::kInverse;
}

// While these contacts are open; nothing where that is ill-posed.
std::optional<int> ContactResponse::degree_of(std::size_t contact, const Contacts& opened, double t,
                                              const HybridState& state) {
  std::vector<double> discrete = state.discrete;
  for (std::size_t k : opened) set_state(model_.contacts()[k], ContactState::kOpen, discrete);
  const ModeSelector::Selected selected = selector_.select(
      t, {state.switches, discrete, state.discrete, state.pieces}, impulsive(state.pins));
  if (selected.mode.defects.has_errors()) return std::nullopt;
  const HybridContact& made = model_.contacts()[contact];
  const std::vector<NodeId> gap =
      model_.decided(selected.mode.prepared.system.graph(), {made.gap}, selected.truths.truths);
  return relative_degree(model_, selected.mode, made.row, gap.front());
}

void ContactResponse::set_states_after(const ContactImpact& impact, const ContactImpulses& solved,
                                       const Contacts& contacts, HybridState& state) const {
  // Beside what each speed was and what the impulses have added to it.
  const Eigen::VectorXd smallest =
      1e-9 * (impact.before.cwiseAbs() + impact.W.cwiseAbs() * solved.impulses.cwiseAbs());
  std::vector<std::pair<double, double>> slips(contacts.size());
  for (std::size_t f = 0; f < impact.friction.size(); ++f) {
    const Eigen::Index row = impact.num_contacts() + static_cast<Eigen::Index>(f);
    slips[static_cast<std::size_t>(impact.friction[f].contact)] = {solved.after(row),
                                                                   smallest(row)};
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const bool stays = std::abs(solved.after(row)) <= smallest(row);
    set_state(model_.contacts()[contacts[i]],
              stays ? closed_state(slips[i].first, slips[i].second) : ContactState::kOpen,
              state.discrete);
  }
}

void ContactResponse::accept_impact(const ContactSystem& contact, Event& event) const {
  const Model& model = model_.model();
  const System& system = contact.system();
  event.left.solution.reset();
  for (VarId column : ids<VarId>(system.unknowns.size())) {
    const VarId variable = system.unknowns[column];
    if (variable.index() >= model.num_variables()) continue;
    const auto& jet = contact.restarted().right[column.index()];
    auto& to = event.left.jets[variable.index()];
    for (std::size_t order = 0; order < std::min(jet.size(), to.size()); ++order)
      to[order] = jet[order];
  }
  for (const ImpulseWeight& weight : contact.restarted().impulses)
    add_impulse(model, system.unknowns[weight.column], weight, event.impulses);
}

std::string ContactResponse::names_of(const Contacts& contacts) const {
  std::vector<std::string> names;
  for (std::size_t k : contacts) names.push_back(model_.contacts()[k].name);
  return quoted_list(names);
}

Outcome<ContactImpulses> ContactResponse::impulses_by_law(double t, ContactImpact& impact,
                                                          const Contacts& contacts) {
  const std::string names = names_of(contacts);
  auto solved = solve_impact(impact);
  const auto gains = [&] {
    // Before: the energy of the speeds before, as far as impulses can change it.
    const double size = solved->impulses.cwiseAbs().dot(impact.before.cwiseAbs());
    return solved->energy_gain > 1e-10 * size;
  };
  if (solved && impact.law != ImpactLaw::kPoisson && gains()) {
    report_.warn_once(
        fmt::format("impact at t = {:.10g} of {}: {} law would gain the energy {:.6g}; "
                    "Poisson's law is used",
                    t, names, impact.law == ImpactLaw::kNewton ? "Newton's" : "the sequential",
                    solved->energy_gain));
    impact.law = ImpactLaw::kPoisson;
    solved = solve_impact(impact);
  }
  if (solved && gains())
    report_.warn_once(
        fmt::format("impact at t = {:.10g} of {}: Poisson's law gains the energy {:.6g}", t, names,
                    solved->energy_gain));
  const Eigen::Index n = impact.num_contacts();
  if (solved && linalg::FullPivotLu(impact.W.topLeftCorner(n, n)).rank() < n)
    report_.warn_once(
        fmt::format("the contacts {} are redundant: their impulses are not unique", names));
  if (solved) return *std::move(solved);
  const bool has_no_effect = (impact.W.diagonal().head(n).array() == 0).any();
  return Failure{
      Status::kNoImpactSolution,
      fmt::format("impact at t = {:.10g} of {}: the impact law has no solution{}", t, names,
                  has_no_effect ? "; the force has no effect on the gap. contact() is for a gap "
                                  "that its force changes through a derivative: positions and "
                                  "forces, speeds and torques, currents and voltages of coils"
                                : "")};
}

Outcome<ContactImpulses> ContactResponse::impulses_without_collision(
    double t, const ContactImpact& impact, const Contacts& contacts) const {
  if (auto solved = solve_impact_without_collision(impact)) return *std::move(solved);
  return Failure{Status::kContactCycle,
                 fmt::format("event at t = {:.10g}: {} can neither stay closed nor open", t,
                             names_of(contacts))};
}

// What the solution after the pass asks for.
ContactState ContactResponse::wanted_state(const HybridContact& contact,
                                           const ContactMotion& motion,
                                           const HybridState& state) const {
  const std::vector<bool>& bits = state.switches.bits;
  const ContactState now = state_of(contact, state.discrete);
  if (bits[contact.relation])
    return now == ContactState::kOpen ? closed_state(motion.slip, smallest_speed(motion))
                                      : ContactState::kOpen;
  if (!contact.friction) return now;
  if (bits[contact.friction->turns]) return ContactState::kStuck;
  if (bits[contact.friction->breaks_forward]) return ContactState::kForward;
  if (bits[contact.friction->breaks_backward]) return ContactState::kBackward;
  return now;
}

// Switches have no wall.
void ContactResponse::warn_of_penetration(const std::vector<ContactMotion>& motions,
                                          HybridState& state, const Event& event) {
  Contacts inside;
  for (std::size_t k = 0; k < motions.size(); ++k)
    if (motions[k].gap < -kMostPenetration * motions[k].touch) inside.push_back(k);
  find_switches(inside, state, event);
  for (std::size_t k : inside)
    if (!is_switch(k, state))
      report_.warn_once(
          fmt::format("`{}` starts with a gap of {:.6g}: what is inside the wall is "
                      "moved out of it",
                      model_.contacts()[k].name, motions[k].gap));
}

Outcome<bool> ContactResponse::respond(const EvaluationContext& now, HybridState& state,
                                       Event& event) {
  if (!has_violated_contact(model_, state.switches.bits)) return false;
  auto moving = motions(now, [&](Leaf leaf) { return event.left.value(leaf); });
  if (event.t == settings_.start) warn_of_penetration(moving, state, event);
  if (find_switches(touching(moving, state), state, event)) return true;
  for (std::size_t k = 0; k < moving.size(); ++k)
    if (is_switch(k, state)) moving[k] = {};
  const Contacts contacts = touching(moving, state);
  const bool is_impact = std::any_of(contacts.begin(), contacts.end(), [&](std::size_t k) {
    return moving[k].speed < -smallest_speed(moving[k]);
  });
  if (!is_impact) {
    for (std::size_t k = 0; k < moving.size(); ++k) {
      const HybridContact& contact = model_.contacts()[k];
      set_state(contact, wanted_state(contact, moving[k], state), state.discrete);
    }
    if (event.tried_contacts.insert(state.discrete).second ||
        try_states(contacts, moving, state, event))
      return true;
  }
  const auto collided = collide(contacts, /*is_collision=*/is_impact, state, event);
  if (!collided) return collided.failure();
  return true;
}

// The force of a gap that jumps (a voltage on a coil whose switch opens) must act at once.
bool ContactResponse::close_struck(const Trial& trial, HybridState& state, Event& event) {
  Contacts struck;
  std::vector<double> values = state.discrete;
  for (std::size_t k = 0; k < model_.contacts().size(); ++k) {
    const HybridContact& contact = model_.contacts()[k];
    if (contact.relation >= trial.guard_impulses.size() ||
        trial.guard_impulses[contact.relation].empty() ||
        !trial.choice.switches.bits[contact.relation])
      continue;
    struck.push_back(k);
    set_state(contact, opposite(state_of(contact, values)), values);
  }
  if (struck.empty()) return false;
  HybridState tried = state;
  tried.switches = trial.choice.switches;
  tried.pins = trial.choice.pins;
  tried.discrete = trial.discrete.values;
  const bool has_switches = find_switches(struck, tried, event);
  state.contact_kinds = std::move(tried.contact_kinds);
  if (has_switches) return true;
  if (!event.tried_contacts.insert(values).second) return false;
  state.discrete = std::move(values);
  return true;
}

bool ContactResponse::find_other_states(HybridState& state, Event& event) {
  const Contacts contacts = all_contacts(model_);
  if (find_switches(contacts, state, event)) return true;
  for (std::size_t k : contacts) {
    std::vector<double> values = state.discrete;
    const HybridContact& contact = model_.contacts()[k];
    set_state(contact, opposite(state_of(contact, values)), values);
    if (!event.tried_contacts.insert(values).second) continue;
    state.discrete = std::move(values);
    return true;
  }
  return false;
}

// The next combination of states that was not tried at this instant.
bool ContactResponse::try_states(const Contacts& touching,
                                 const std::vector<ContactMotion>& motions, HybridState& state,
                                 Event& event) const {
  using enum ContactState;
  std::size_t num_combinations = 1;
  std::vector<std::vector<ContactState>> choices;
  for (std::size_t k : touching) {
    const double smallest = smallest_speed(motions[k]);
    std::vector<ContactState> states{kOpen, closed_state(motions[k].slip, smallest)};
    if (motions[k].speed > smallest) states.pop_back();
    if (states.back() == kStuck && model_.contacts()[k].friction)
      states.insert(states.end(), {kForward, kBackward});
    if (num_combinations * states.size() > kMostTried) break;
    num_combinations *= states.size();
    choices.push_back(std::move(states));
  }
  for (std::size_t choice = 0; choice < num_combinations; ++choice) {
    std::vector<double> values = state.discrete;
    std::size_t rest = choice;
    for (std::size_t i = 0; i < choices.size(); rest /= choices[i++].size())
      set_state(model_.contacts()[touching[i]], choices[i][rest % choices[i].size()], values);
    if (!event.tried_contacts.insert(values).second) continue;
    state.discrete = values;
    return true;
  }
  return false;
}

// Of a guard that has not been seen yet: what it is computed from.
std::vector<double> ContactResponse::first_sizes(std::size_t contact, bool is_gap,
                                                 const ContactMotion& motion) const {
  if (is_gap) return {motion.touch / closeness_, motion.typical_speed};
  return {scales_.scale_of(model_.contacts()[contact].force)};
}

void ContactResponse::exchange_guards(const EvaluationContext& now, const Values& values,
                                      HybridState& state) {
  GuardMemory& guards = state.guards;
  if (guards.others.size() == model_.contacts().size() &&
      exchanged_guards(model_, state, state.discrete).empty())
    return;
  const auto moving = motions(now, values);
  for (std::size_t k = 0; k < moving.size(); ++k) {
    const HybridContact& contact = model_.contacts()[k];
    const std::size_t relation = contact.relation;
    OtherGuard& other = guards.others[relation];
    const bool is_closed = state.discrete[contact.closed.index()] == 1;
    if (other.is_gap != is_closed) {
      std::swap(guards.sizes[relation], other.sizes);
      if (!other.is_seen) guards.sizes[relation].clear();  // the next step says
      other.is_seen = !other.sizes.empty();
      other.is_gap = is_closed;
      if (relation < guards.noise.size()) guards.noise[relation] = guards.lengths[relation] = 0;
      if (relation < guards.scales.size()) std::swap(guards.scales[relation], other.scale);
      if (relation < guards.is_given.size()) guards.is_given[relation] = true;
    }
    if (other.sizes.empty()) other.sizes = first_sizes(k, other.is_gap, moving[k]);
  }
}

void ContactResponse::warn_of_other_continuations(const StateView& view,
                                                  const SolutionPtr& solution, double t) {
  const auto moving = motions(view.at(t), view.values(t));
  const Cause none;
  for (std::size_t k = 0; k < moving.size(); ++k) {
    const HybridContact& contact = model_.contacts()[k];
    const ContactMotion& motion = moving[k];
    const double smallest = smallest_speed(motion);
    const ContactState direction = closed_state(motion.slip, smallest);
    if (state_of(contact, view.state.discrete) != ContactState::kOpen ||
        std::abs(motion.gap) > motion.touch || std::abs(motion.speed) > smallest ||
        signs_.sign({*solution, view.state.guards, none}, contact.relation).sign <= 0 ||
        (contact.friction && direction == ContactState::kStuck))
      continue;
    const ContactKind known = kind_of(k, view.state);
    if ((known == ContactKind::kUnknown ? find_kind(k, t, view.state) : known) >=
        ContactKind::kRate)
      continue;
    const LeftLimit left = left_limit(solution, t, model_.model().num_variables());
    Outcome<Opened> opened = open(t, {k}, view.state, view.state.discrete, left);
    ContactImpact impact = make_impact({k});
    if (!opened || !measure_impact(*opened->system, opened->input, impact)) continue;
    double response = impact.W(0, 0);
    if (contact.friction)
      response -=
          (direction == ContactState::kForward ? 1 : -1) * contact.friction->mu * impact.W(0, 1);
    if (response < -1e-9 * std::abs(impact.W(0, 0)))
      report_.warn_once(
          fmt::format("event at t = {:.10g}: `{}` may open or stay closed, its force would "
                      "pull it shut (it accelerates the gap by {:.6g} per unit); it opens",
                      t, contact.name, response));
  }
}

}  // namespace hydae

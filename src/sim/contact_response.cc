#include "sim/contact_response.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

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
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    const SizePart& part = size_parts_[k];
    ContactMotion& motion = motions[part.contact];
    const double slope = std::isfinite(slopes[k]) ? std::abs(slopes[k]) : 0.0;
    const double scale = scales_.scale_of(part.leaf.variable);
    if (part.is_of_speed)
      motion.typical_speed += slope * scale;
    else
      motion.touch += closeness_ * slope * (scale + std::abs(values(part.leaf)));
  }
  return motions;
}

ContactResponse::Contacts ContactResponse::touching(const std::vector<ContactMotion>& motions,
                                                    const HybridState& state) const {
  Contacts touching;
  for (std::size_t k = 0; k < motions.size(); ++k)
    if (state.discrete[model_.contacts()[k].closed.index()] == 1 ||
        state.switches.bits[model_.contacts()[k].relation] ||
        std::abs(motions[k].gap) <= motions[k].touch)
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
  if (is_collision && find_first_order(contacts, *opened)) return Done{};
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

// Whether there are some that were not known.
bool ContactResponse::find_first_order(const Contacts& contacts, Opened& opened) {
  bool is_new = false;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (opened.system->moves_gap(opened.input, static_cast<Eigen::Index>(i)))
      is_new = first_order_.insert(contacts[i]).second || is_new;
  return is_new;
}

void ContactResponse::set_states_after(const ContactImpact& impact, const ContactImpulses& solved,
                                       const Contacts& contacts, HybridState& state) const {
  const double smallest =
      1e-9 * std::max(impact.before.cwiseAbs().maxCoeff(), solved.after.cwiseAbs().maxCoeff());
  std::vector<double> slips(contacts.size(), 0.0);
  for (std::size_t f = 0; f < impact.friction.size(); ++f)
    slips[static_cast<std::size_t>(impact.friction[f].contact)] =
        solved.after(impact.num_contacts() + static_cast<Eigen::Index>(f));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const bool stays = std::abs(solved.after(static_cast<Eigen::Index>(i))) <= smallest;
    set_state(model_.contacts()[contacts[i]],
              stays ? closed_state(slips[i], smallest) : ContactState::kOpen, state.discrete);
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
                                           const ContactMotion& motion, double smallest,
                                           const HybridState& state) const {
  const std::vector<bool>& bits = state.switches.bits;
  const ContactState now = state_of(contact, state.discrete);
  if (bits[contact.relation])
    return now == ContactState::kOpen ? closed_state(motion.slip, smallest) : ContactState::kOpen;
  if (!contact.friction) return now;
  if (bits[contact.friction->turns]) return ContactState::kStuck;
  if (bits[contact.friction->breaks_forward]) return ContactState::kForward;
  if (bits[contact.friction->breaks_backward]) return ContactState::kBackward;
  return now;
}

// Where the force sets the gap itself, there is no wall.
void ContactResponse::warn_of_penetration(const std::vector<ContactMotion>& motions,
                                          const HybridState& state, const Event& event) {
  Contacts inside;
  for (std::size_t k = 0; k < motions.size(); ++k)
    if (motions[k].gap < -kMostPenetration * motions[k].touch) inside.push_back(k);
  if (inside.empty()) return;
  if (Outcome<Opened> opened = open_all(inside, state, event)) find_first_order(inside, *opened);
  for (std::size_t k : inside)
    if (first_order_.count(k) == 0)
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
  for (std::size_t k : first_order_) moving[k].speed = 0;
  const Contacts contacts = touching(moving, state);
  const double smallest = smallest_speed(moving);
  const bool is_impact = std::any_of(contacts.begin(), contacts.end(),
                                     [&](std::size_t k) { return moving[k].speed < -smallest; });
  if (!is_impact) {
    for (std::size_t k = 0; k < moving.size(); ++k) {
      const HybridContact& contact = model_.contacts()[k];
      set_state(contact, wanted_state(contact, moving[k], smallest, state), state.discrete);
    }
    if (event.tried_contacts.insert(state.discrete).second ||
        try_states(contacts, moving, state, event))
      return true;
  }
  const std::size_t num_known = first_order_.size();
  Contacts struck = contacts;  // the others stay as they are, and pass impulses on
  if (is_impact)
    std::erase_if(struck, [this](std::size_t k) { return first_order_.count(k) != 0; });
  const auto collided = collide(struck, /*is_collision=*/is_impact, state, event);
  if (!collided) return collided.failure();
  return first_order_.size() == num_known ? Outcome<bool>(true) : respond(now, state, event);
}

// The force of a gap that jumps (a voltage on a coil whose switch opens) must act at once.
bool ContactResponse::close_struck(const Trial& trial, HybridState& state, Event& event) const {
  std::vector<double> values = state.discrete;
  for (const HybridContact& contact : model_.contacts()) {
    const bool is_struck = contact.relation < trial.guard_impulses.size() &&
                           !trial.guard_impulses[contact.relation].empty() &&
                           trial.choice.switches.bits[contact.relation];
    if (!is_struck) continue;
    const bool is_open = state_of(contact, values) == ContactState::kOpen;
    set_state(contact, is_open ? ContactState::kStuck : ContactState::kOpen, values);
  }
  if (values == state.discrete || !event.tried_contacts.insert(values).second) return false;
  state.discrete = std::move(values);
  return true;
}

bool ContactResponse::toggle_next(HybridState& state, Event& event) const {
  for (const HybridContact& contact : model_.contacts()) {
    std::vector<double> values = state.discrete;
    const bool is_open = state_of(contact, values) == ContactState::kOpen;
    set_state(contact, is_open ? ContactState::kStuck : ContactState::kOpen, values);
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
  const double smallest = smallest_speed(motions);
  std::size_t num_combinations = 1;
  std::vector<std::vector<ContactState>> choices;
  for (std::size_t k : touching) {
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

void ContactResponse::warn_of_other_continuations(const StateView& view,
                                                  const SolutionPtr& solution, double t) {
  const auto moving = motions(view.at(t), view.values(t));
  const double smallest = smallest_speed(moving);
  const Cause none;
  for (std::size_t k = 0; k < moving.size(); ++k) {
    const HybridContact& contact = model_.contacts()[k];
    const ContactMotion& motion = moving[k];
    const ContactState direction = closed_state(motion.slip, smallest);
    if (state_of(contact, view.state.discrete) != ContactState::kOpen ||
        std::abs(motion.gap) > motion.touch || std::abs(motion.speed) > smallest ||
        signs_.sign({*solution, view.state.guards, none}, contact.relation).sign <= 0 ||
        (contact.friction && direction == ContactState::kStuck))
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

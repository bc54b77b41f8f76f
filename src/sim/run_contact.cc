// Contacts at an instant: impacts of gaps that close, then which contacts stay closed, stick or
// slide.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

#include "sim/run.h"

namespace hydae {
namespace {

constexpr std::size_t kMostTried = 1024;  // combinations of states

}  // namespace

bool Run::has_violated_contact() const {
  return std::any_of(hybrid_.contacts().begin(), hybrid_.contacts().end(),
                     [&](const HybridContact& contact) {
                       const auto& friction = contact.friction;
                       return state_.switches.bits[contact.relation] ||
                              (friction && (state_.switches.bits[friction->turns] ||
                                            state_.switches.bits[friction->breaks_forward] ||
                                            state_.switches.bits[friction->breaks_backward]));
                     });
}

std::vector<ContactMotion> Run::contact_motions(double t,
                                                const std::function<double(Leaf)>& values) {
  Instant now = instant(t);
  now.continuous = now.before = values;
  const auto found = motions_.evaluate(now);
  std::vector<ContactMotion> motions;
  for (std::size_t k = 0; k + 2 < found.size(); k += 3)
    motions.push_back({found[k], found[k + 1], found[k + 2]});
  return motions;
}

std::vector<std::size_t> Run::touching_contacts(const std::vector<ContactMotion>& motions) const {
  std::vector<std::size_t> touching;
  for (std::size_t k = 0; k < motions.size(); ++k)
    if (state_.discrete[hybrid_.contacts()[k].closed.index()] == 1 ||
        std::abs(motions[k].gap) <= kTouching)
      touching.push_back(k);
  return touching;
}

// The system in which these contacts are open, at the impact of one of them. Its speeds are those
// of ContactImpact.
ContactSystem& Run::contact_system(double t, const std::vector<std::size_t>& contacts,
                                   const std::vector<double>& discrete) {
  Trial trial;
  trial.bits = state_.switches.bits;
  trial.counts = state_.switches.counts;
  trial.holds = state_.holds;
  trial.discrete.values = discrete;
  const ModeTruths truths = mode_truths(t, trial);
  Mode& mode = modes_.find_or_make(truths, trial.holds, table_);
  if (mode.defects.has_errors()) throw ModelError(mode.defects);
  std::unique_ptr<ContactSystem>& made = contact_systems_[{mode.number, contacts}];
  if (made) return *made;
  std::vector<NodeId> speeds;
  std::vector<EqId> rows;
  for (std::size_t k : contacts) {
    speeds.push_back(hybrid_.contacts()[k].speed);
    rows.push_back(hybrid_.contacts()[k].row);
  }
  for (std::size_t k : contacts)
    if (const auto& friction = hybrid_.contacts()[k].friction) {
      speeds.push_back(friction->slip);
      rows.push_back(friction->row);
    }
  made = std::make_unique<ContactSystem>(mode, hybrid_.decided(speeds, truths.truths),
                                         std::move(rows));
  return *made;
}

// The data of the contacts; among different laws the later of ImpactLaw counts.
ContactImpact Run::make_impact(const std::vector<std::size_t>& contacts) const {
  ContactImpact impact;
  impact.restitution.resize(static_cast<Eigen::Index>(contacts.size()));
  for (Eigen::Index i = 0; i < impact.restitution.size(); ++i) {
    const HybridContact& contact = hybrid_.contacts()[contacts[static_cast<std::size_t>(i)]];
    impact.law = std::max(impact.law, contact.law);
    impact.restitution(i) = contact.restitution;
    if (contact.friction)
      impact.friction.push_back({i, contact.friction->mu, contact.friction->restitution});
  }
  return impact;
}

// Speeds before and responses to unit impulses. False if the restart fails.
bool Run::measure_impact(ContactSystem& system, RestartInput& input, ContactImpact& impact) {
  const Eigen::Index n = impact.num_contacts() + static_cast<Eigen::Index>(impact.friction.size());
  impact.before = system.speeds_after(input, Eigen::VectorXd::Zero(n));
  impact.W.resize(n, n);
  for (Eigen::Index i = 0; i < n && system.restarted().succeeded(); ++i) {
    const Eigen::VectorXd speeds = system.speeds_after(input, Eigen::VectorXd::Unit(n, i));
    if (system.restarted().succeeded()) impact.W.col(i) = speeds - impact.before;
  }
  return system.restarted().succeeded();
}

// All touching contacts take part in the impact of one. True if it could be computed; then the left
// limits are those after it. Without a collision: Painleve's paradox, see solve_impact_...().
bool Run::collide(double t, const std::vector<std::size_t>& contacts, bool is_collision,
                  LeftLimit& left, std::vector<Impulse>& impulses) {
  std::vector<double> discrete = state_.discrete;
  for (std::size_t k : contacts) set_state(hybrid_.contacts()[k], ContactState::kOpen, discrete);
  ContactSystem& system = contact_system(t, contacts, discrete);
  const auto give_up = [&](const std::string& status, const std::string& message) {
    fail(failure_named(status, Status::kRestartFailed,
                       fmt::format("impact at t = {:.10g}: {}", t, message)));
    return false;
  };
  if (!system.defect().empty()) return give_up("ill-posed-mode", system.defect());
  RestartInput input = restart_input(t, left, discrete);
  ContactImpact impact = make_impact(contacts);
  if (!measure_impact(system, input, impact))
    return give_up(system.restarted().status, system.restarted().message);
  const auto solved =
      is_collision ? impulses_by_law(t, impact, contacts) : solve_impact_without_collision(impact);
  if (!solved) return false;
  system.speeds_after(input, solved->impulses);
  if (!system.restarted().succeeded())
    return give_up(system.restarted().status, system.restarted().message);
  accept_impact(system, left, impulses);
  const double smallest = 1e-9 * (1 + impact.before.cwiseAbs().maxCoeff());
  std::vector<double> slips(contacts.size(), 0.0);
  for (std::size_t f = 0; f < impact.friction.size(); ++f)
    slips[static_cast<std::size_t>(impact.friction[f].contact)] =
        solved->after(impact.num_contacts() + static_cast<Eigen::Index>(f));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const bool stays = std::abs(solved->after(static_cast<Eigen::Index>(i))) <= smallest;
    set_state(hybrid_.contacts()[contacts[i]],
              stays ? closed_state(slips[i], smallest) : ContactState::kOpen, state_.discrete);
  }
  tried_states_.clear();
  return true;
}

void Run::accept_impact(const ContactSystem& contact, LeftLimit& left,
                        std::vector<Impulse>& impulses) {
  const System& system = contact.system();
  left.mode = nullptr;
  for (VarId column : ids<VarId>(system.unknowns.size())) {
    const VarId variable = system.unknowns[column];
    if (variable.index() >= model_.num_variables()) continue;
    const auto& jet = contact.restarted().right[column.index()];
    auto& to = left.jets[variable.index()];
    for (std::size_t order = 0; order < std::min(jet.size(), to.size()); ++order)
      to[order] = jet[order];
  }
  for (const ImpulseWeight& weight : contact.restarted().impulses)
    add_impulse(system.unknowns[weight.column], weight, impulses);
}

std::string Run::names_of(const std::vector<std::size_t>& contacts) const {
  std::vector<std::string> names;
  for (std::size_t k : contacts) names.push_back(hybrid_.contacts()[k].name);
  return quoted_list(names);
}

std::optional<ContactImpulses> Run::impulses_by_law(double t, ContactImpact& impact,
                                                    const std::vector<std::size_t>& contacts) {
  const std::string names = names_of(contacts);
  auto solved = solve_impact(impact);
  const auto gains = [&] {
    // Before: the energy of the speeds before, as far as impulses can change it.
    const double size = solved->impulses.cwiseAbs().dot(impact.before.cwiseAbs());
    return solved->energy_gain > 1e-10 * size;
  };
  if (solved && impact.law != ImpactLaw::kPoisson && gains()) {
    warn_once(
        fmt::format("impact at t = {:.10g} of {}: {} law would gain the energy {:.6g}; "
                    "Poisson's law is used",
                    t, names, impact.law == ImpactLaw::kNewton ? "Newton's" : "the sequential",
                    solved->energy_gain));
    impact.law = ImpactLaw::kPoisson;
    solved = solve_impact(impact);
  }
  if (solved && gains())
    warn_once(fmt::format("impact at t = {:.10g} of {}: Poisson's law gains the energy {:.6g}", t,
                          names, solved->energy_gain));
  const Eigen::Index n = impact.num_contacts();
  if (solved && Eigen::FullPivLU<Eigen::MatrixXd>(impact.W.topLeftCorner(n, n)).rank() < n)
    warn_once(fmt::format("the contacts {} are redundant: their impulses are not unique", names));
  if (!solved)
    fail(Status::kNoImpactSolution,
         fmt::format("impact at t = {:.10g} of {}: the impact law has no solution", t, names));
  return solved;
}

// What the solution of the trial asks for.
ContactState Run::violated_state(const HybridContact& contact, const ContactMotion& motion,
                                 double smallest) const {
  const ContactState state = state_of(contact, state_.discrete);
  if (state_.switches.bits[contact.relation])
    return state == ContactState::kOpen ? closed_state(motion.slip, smallest) : ContactState::kOpen;
  if (!contact.friction) return state;
  if (state_.switches.bits[contact.friction->turns]) return ContactState::kStuck;
  if (state_.switches.bits[contact.friction->breaks_forward]) return ContactState::kForward;
  if (state_.switches.bits[contact.friction->breaks_backward]) return ContactState::kBackward;
  return state;
}

// After a trial whose contact relations are violated: an impact, or contacts that open, close,
// stick and slide. True if something changed; on failure the summary says why.
bool Run::respond_to_contacts(double t, LeftLimit& left, std::vector<Impulse>& impulses) {
  if (!has_violated_contact()) return false;
  const auto motions = contact_motions(t, [&](Leaf leaf) { return left.value(leaf); });
  const std::vector<std::size_t> touching = touching_contacts(motions);
  const double smallest = smallest_speed(motions);
  const bool is_impact = std::any_of(touching.begin(), touching.end(),
                                     [&](std::size_t k) { return motions[k].speed < -smallest; });
  if (is_impact) return collide(t, touching, /*is_collision=*/true, left, impulses);
  for (std::size_t k = 0; k < motions.size(); ++k) {
    const HybridContact& contact = hybrid_.contacts()[k];
    set_state(contact, violated_state(contact, motions[k], smallest), state_.discrete);
  }
  if (tried_states_.insert(state_.discrete).second || try_contact_states(touching, motions))
    return true;
  if (collide(t, touching, /*is_collision=*/false, left, impulses)) return true;
  fail(Status::kContactCycle,
       fmt::format("event at t = {:.10g}: {} can neither stay closed nor open", t,
                   names_of(touching)));
  return false;
}

// The next combination of states that was not tried at this instant.
bool Run::try_contact_states(const std::vector<std::size_t>& touching,
                             const std::vector<ContactMotion>& motions) {
  using enum ContactState;
  const double smallest = smallest_speed(motions);
  std::size_t num_combinations = 1;
  std::vector<std::vector<ContactState>> choices;
  for (std::size_t k : touching) {
    std::vector<ContactState> states{kOpen, closed_state(motions[k].slip, smallest)};
    if (motions[k].speed > smallest) states.pop_back();
    if (states.back() == kStuck && hybrid_.contacts()[k].friction)
      states.insert(states.end(), {kForward, kBackward});
    if (num_combinations * states.size() > kMostTried) break;
    num_combinations *= states.size();
    choices.push_back(std::move(states));
  }
  for (std::size_t choice = 0; choice < num_combinations; ++choice) {
    std::vector<double> values = state_.discrete;
    std::size_t rest = choice;
    for (std::size_t i = 0; i < choices.size(); rest /= choices[i++].size())
      set_state(hybrid_.contacts()[touching[i]], choices[i][rest % choices[i].size()], values);
    if (!tried_states_.insert(values).second) continue;
    state_.discrete = values;
    return true;
  }
  return false;
}

// A contact that touches and opens from rest, though a force would pull it shut (Painleve's
// paradox): it might as well have stayed closed.
void Run::warn_of_other_continuations(double t) {
  const auto motions = contact_motions(t, [&](Leaf leaf) { return current_value(leaf, t); });
  const double smallest = smallest_speed(motions);
  for (std::size_t k = 0; k < motions.size(); ++k) {
    const HybridContact& contact = hybrid_.contacts()[k];
    const ContactMotion& motion = motions[k];
    const ContactState direction = closed_state(motion.slip, smallest);
    if (state_of(contact, state_.discrete) != ContactState::kOpen ||
        std::abs(motion.gap) > kTouching || std::abs(motion.speed) > smallest ||
        guard_sign({}, contact.relation).sign <= 0 ||
        (contact.friction && direction == ContactState::kStuck))
      continue;
    ContactSystem& system = contact_system(t, {k}, state_.discrete);
    if (!system.defect().empty()) continue;
    const LeftLimit left = left_limit(t);
    RestartInput input = restart_input(t, left, state_.discrete);
    ContactImpact impact = make_impact({k});
    if (!measure_impact(system, input, impact)) continue;
    double response = impact.W(0, 0);
    if (contact.friction)
      response -=
          (direction == ContactState::kForward ? 1 : -1) * contact.friction->mu * impact.W(0, 1);
    if (response < -1e-9 * std::abs(impact.W(0, 0)))
      warn_once(
          fmt::format("event at t = {:.10g}: `{}` may open or stay closed, its force would "
                      "pull it shut (it accelerates the gap by {:.6g} per unit); it opens",
                      t, contact.name, response));
  }
}

}  // namespace hydae

// Contacts at an instant: impacts of gaps that close, then which contacts stay closed.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

#include "sim/contact_law.h"
#include "sim/run.h"

namespace hydae {
namespace {

constexpr double kTouching = 1e-9;      // a gap this small is closed
constexpr double kClosing = 1e-9;       // a speed this small is zero, relative to that before
constexpr std::size_t kMostTried = 10;  // contacts whose 2^n combinations are tried

}  // namespace

bool Run::has_violated_contact() const {
  return std::any_of(hybrid_.contacts().begin(), hybrid_.contacts().end(),
                     [&](const HybridContact& contact) { return bits_[contact.relation]; });
}

// Gaps (even places) and their speeds (odd places) of all contacts.
std::vector<double> Run::gaps_at(double t, const std::function<double(Leaf)>& values) {
  Instant now = instant(t);
  now.continuous = now.before = values;
  const auto found = gaps_.evaluate(now);
  return {found.begin(), found.end()};
}

std::vector<std::size_t> Run::touching_contacts(const std::vector<double>& gaps) const {
  std::vector<std::size_t> touching;
  for (std::size_t k = 0; k < hybrid_.contacts().size(); ++k)
    if (discrete_[hybrid_.contacts()[k].closed.index()] == 1 || std::abs(gaps[2 * k]) <= kTouching)
      touching.push_back(k);
  return touching;
}

// The system in which these contacts are open, at the impact of one of them.
ContactSystem& Run::contact_system(double t, const std::vector<std::size_t>& contacts,
                                   const std::vector<double>& discrete, const LeftLimit&) {
  Trial trial;
  trial.bits = bits_;
  trial.counts = counts_;
  trial.holds = holds_;
  trial.discrete.values = discrete;
  const ModeTruths truths = mode_truths(t, trial);
  Mode& mode = modes_.find_or_make(truths, trial.holds, table_);
  if (mode.defects.has_errors()) throw ModelError(mode.defects);
  std::unique_ptr<ContactSystem>& made = contact_systems_[{mode.number, contacts}];
  if (!made) {
    std::vector<NodeId> gaps;
    std::vector<EqId> rows;
    for (std::size_t k : contacts) {
      gaps.push_back(hybrid_.decided({hybrid_.contacts()[k].gap}, truths.truths).front());
      rows.push_back(hybrid_.contacts()[k].row);
    }
    made = std::make_unique<ContactSystem>(mode, gaps, std::move(rows));
  }
  return *made;
}

// Speeds before and responses to unit impulses. False if the restart fails.
bool Run::measure_impact(ContactSystem& system, RestartInput& input, ContactImpact& impact) {
  const Eigen::Index n = impact.restitution.size();
  impact.before = system.speeds_after(input, Eigen::VectorXd::Zero(n));
  impact.W.resize(n, n);
  for (Eigen::Index i = 0; i < n && system.restarted().succeeded(); ++i) {
    const Eigen::VectorXd speeds = system.speeds_after(input, Eigen::VectorXd::Unit(n, i));
    if (system.restarted().succeeded()) impact.W.col(i) = speeds - impact.before;
  }
  return system.restarted().succeeded();
}

// All touching contacts take part in the impact of one. True if it could be computed; then the left
// limits are those after it.
bool Run::collide(double t, const std::vector<std::size_t>& contacts, LeftLimit& left,
                  std::vector<Impulse>& impulses) {
  std::vector<double> discrete = discrete_;
  for (std::size_t k : contacts) discrete[hybrid_.contacts()[k].closed.index()] = 0;
  ContactSystem& system = contact_system(t, contacts, discrete, left);
  const auto give_up = [&](const std::string& status, const std::string& message) {
    fail(status, fmt::format("impact at t = {:.10g}: {}", t, message));
    return false;
  };
  if (!system.defect().empty()) return give_up("ill-posed-mode", system.defect());
  RestartInput input = restart_input(t, left, discrete);
  ContactImpact impact;
  impact.law = hybrid_.contacts()[contacts.front()].law;
  impact.restitution.resize(static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i)
    impact.restitution(static_cast<Eigen::Index>(i)) = hybrid_.contacts()[contacts[i]].restitution;
  if (!measure_impact(system, input, impact))
    return give_up(system.restarted().status, system.restarted().message);
  const auto solved = impulses_by_law(t, impact, contacts);
  if (!solved) return false;
  system.speeds_after(input, solved->impulses);
  if (!system.restarted().succeeded())
    return give_up(system.restarted().status, system.restarted().message);
  accept_impact(system, left, impulses);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double after = solved->after(static_cast<Eigen::Index>(i));
    const bool stays = std::abs(after) <= kClosing * (1 + impact.before.cwiseAbs().maxCoeff());
    discrete_[hybrid_.contacts()[contacts[i]].closed.index()] = stays ? 1 : 0;
  }
  tried_closures_.clear();
  return true;
}

void Run::accept_impact(const ContactSystem& contact, LeftLimit& left,
                        std::vector<Impulse>& impulses) {
  const System& system = contact.system();
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
  const double scale = 1 + impact.before.squaredNorm();
  if (solved && impact.law == ImpactLaw::kNewton && solved->energy_gain > 1e-10 * scale) {
    warn_once(
        fmt::format("impact at t = {:.10g} of {}: Newton's law would gain the energy {:.6g}; "
                    "Poisson's law is used",
                    t, names, solved->energy_gain));
    impact.law = ImpactLaw::kPoisson;
    solved = solve_impact(impact);
  }
  if (solved && Eigen::FullPivLU<Eigen::MatrixXd>(impact.W).rank() < impact.W.rows())
    warn_once(fmt::format("the contacts {} are redundant: their impulses are not unique", names));
  if (!solved)
    fail("no-impact-solution",
         fmt::format("impact at t = {:.10g} of {}: the impact law has no solution", t, names));
  return solved;
}

// After a trial whose contact relations are violated: an impact, or contacts that open and close.
// True if something changed; on failure the summary says why.
bool Run::respond_to_contacts(double t, LeftLimit& left, std::vector<Impulse>& impulses) {
  std::vector<std::size_t> violated;
  for (std::size_t k = 0; k < hybrid_.contacts().size(); ++k)
    if (bits_[hybrid_.contacts()[k].relation]) violated.push_back(k);
  if (violated.empty()) return false;
  const auto gaps = gaps_at(t, [&](Leaf leaf) { return left.value(leaf); });
  const std::vector<std::size_t> touching = touching_contacts(gaps);
  double fastest = 0;
  for (std::size_t k : touching) fastest = std::max(fastest, std::abs(gaps[2 * k + 1]));
  const bool is_impact = std::any_of(touching.begin(), touching.end(), [&](std::size_t k) {
    return gaps[2 * k + 1] < -kClosing * (1 + fastest);
  });
  if (is_impact) return collide(t, touching, left, impulses);
  for (std::size_t k : violated) {
    double& closed = discrete_[hybrid_.contacts()[k].closed.index()];
    closed = 1 - closed;
  }
  if (tried_closures_.insert(discrete_).second) return true;
  return try_closures(t, touching);
}

// The next combination of closed contacts that was not tried at this instant.
bool Run::try_closures(double t, const std::vector<std::size_t>& touching) {
  const std::size_t n = std::min(touching.size(), kMostTried);
  for (std::size_t choice = 0; choice < (std::size_t{1} << n); ++choice) {
    std::vector<double> values = discrete_;
    for (std::size_t i = 0; i < n; ++i)
      values[hybrid_.contacts()[touching[i]].closed.index()] = (choice >> i & 1) != 0 ? 1 : 0;
    if (!tried_closures_.insert(values).second) continue;
    discrete_ = values;
    return true;
  }
  fail("contact-cycle", fmt::format("event at t = {:.10g}: {} can neither stay closed nor open", t,
                                    names_of(touching)));
  return false;
}

}  // namespace hydae

// Infinitely many events before a finite time: the run goes on from their limit. What holds the
// guards there is in the model (a mode of rest, a contact), or a reaction in the place of the
// resets.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sim/run.h"

namespace hydae {

// Values that persist: derivatives below d_j of the variables of the mode.
std::vector<double> Run::differential_state() const {
  std::vector<double> state;
  const auto& d = mode_->prepared.structure.offsets.d;
  for (VarId column : ids<VarId>(mode_->prepared.system.unknowns.size()))
    for (int order = 0; order < d[column]; ++order)
      state.push_back(stepper_->value(static_cast<int>(column.index()), order, stepper_->time()));
  return state;
}

void Run::set_differential_state(const std::vector<double>& state, LeftLimit& left) const {
  const auto& d = mode_->prepared.structure.offsets.d;
  left.mode = nullptr;
  std::size_t k = 0;
  for (VarId column : ids<VarId>(mode_->prepared.system.unknowns.size())) {
    const VarId variable = mode_->prepared.system.unknowns[column];
    for (int order = 0; order < d[column]; ++order, ++k)
      if (variable.index() < model_.num_variables())
        left.jets[variable.index()][static_cast<std::size_t>(order)] = state[k];
  }
}

void Run::watch_accumulation(double t, const Cause& cause) {
  if (cause.relations.empty()) return;
  zeno_.observe(t, {cause.relations.begin(), cause.relations.end()}, differential_state());
}

// The rows in which the resets of the last event would act continuously.
std::vector<EqId> Run::reaction_rows() const {
  std::vector<EqId> rows;
  const auto& matching = mode_->prepared.structure.transversal.matching;
  for (VarId variable : reset_variables_)
    if (const auto column = mode_->prepared.system.find_column(variable)) {
      const EqId row = matching.var_to_eq[*column];
      if (row.is_valid() && row.index() < hybrid_.residuals().size()) rows.push_back(row);
    }
  return rows;
}

// A guard that leaves the limit for the side where the resets would act is held by a reaction.
bool Run::hold_by_reactions(const Cause& cause, const LeftLimit& left,
                            const std::vector<bool>& flight, double t, Trial& trial) {
  std::vector<std::size_t> pushed;
  for (std::size_t k : cause.relations) {
    const int sign = guard_sign(cause, k).sign;
    if (sign != 0 && sign != hybrid_.relations()[k].held_sign(flight[k])) pushed.push_back(k);
  }
  if (pushed.empty()) return true;
  const std::vector<EqId> rows = reaction_rows();
  if (rows.size() != pushed.size()) return false;
  const auto make = [&](int sign) {
    Trial held = trial;
    for (std::size_t i = 0; i < pushed.size(); ++i) {
      const std::size_t surface = hybrid_.surface_of(pushed[i]);
      int side = hybrid_.relations()[pushed[i]].held_sign(flight[pushed[i]]);
      for (const Surface::Side& relation : hybrid_.surfaces()[surface].relations)
        if (relation.relation == pushed[i]) side *= relation.sign;
      held.holds.push_back({surface, rows[i], sign, side});
      hybrid_.set_side(surface, 0, held.bits);
    }
    std::sort(held.holds.begin(), held.holds.end());
    return held;
  };
  for (const int sign : {1, -1}) {
    Trial held = make(sign);
    if (!is_consistent(t, cause, left, held)) continue;
    trial = held;
    result_.summary.status = Status::kSuccess;
    result_.summary.message.clear();
    return true;
  }
  return false;
}

// The contacts whose impacts have accumulated.
void Run::close_contacts(double t, const Cause& cause, const LeftLimit& left) {
  if (hybrid_.contacts().empty()) return;
  const auto motions = contact_motions(t, [&](Leaf leaf) { return left.value(leaf); });
  for (std::size_t k = 0; k < motions.size(); ++k)
    if (const HybridContact& contact = hybrid_.contacts()[k];
        cause.relations.count(contact.relation) != 0)
      set_state(contact, closed_state(motions[k].slip, smallest_speed(motions)), state_.discrete);
}

// After an event: if events of its kind accumulate at once, goes on from their limit.
bool Run::close_accumulation() {
  const auto limit = zeno_.find_accumulation();
  if (!limit) return true;
  zeno_.clear();
  const double from = stepper_->time();
  if ((limit->t - settings_.stop) * settings_.direction() >= 0) return true;
  Cause cause;
  cause.relations = limit->relations;
  cause.is_zeno = true;
  const std::vector<bool> flight = state_.switches.bits;
  const std::vector<Hold> old_holds = state_.holds;
  LeftLimit left = left_limit(from);
  set_differential_state(limit->state, left);
  Trial candidate;
  candidate.bits = state_.switches.bits;
  candidate.counts = state_.switches.counts;
  candidate.holds = state_.holds;
  for (std::size_t k : cause.relations) hybrid_.set_side(hybrid_.surface_of(k), 0, candidate.bits);
  close_contacts(limit->t, cause, left);
  state_.conditions.assign(state_.conditions.size(), true);  // nothing fires
  left.discrete = state_.discrete;
  left.observed = observed_at(limit->t, left_values(left));
  recorder_->record(limit->t, left_values(left));
  auto trial = search_mode(limit->t, cause, left, candidate, {});
  if (!trial || !hold_by_reactions(cause, left, flight, limit->t, *trial)) {
    std::vector<std::string> texts;
    for (std::size_t k : cause.relations) texts.push_back(hybrid_.relations()[k].text);
    fail(Status::kZeno,
         fmt::format("events accumulate at t = {:.10g} ({} of {}, ratio {:.6g}) and the "
                     "model does not say what follows",
                     limit->t, limit->num_events, quoted_list(texts), limit->ratio));
    return false;
  }
  state_.switches.bits = trial->bits;
  state_.holds = trial->holds;
  state_.discrete = trial->discrete.values;
  load_table(state_.switches.bits, state_.switches.counts, state_.discrete, state_.discrete);
  state_.conditions = trial->discrete.conditions;
  recorder_->record(limit->t, current_values(limit->t));
  Event event;
  event.t = limit->t;
  event.cause = cause;
  event.first_left = left;
  event.old_bits = flight;
  event.old_holds = old_holds;
  record_event(event);
  result_.summary.warnings.push_back(
      fmt::format("events accumulate at t = {:.10g}: closed after {}, ratio {:.6g}, {:.2g} before "
                  "the limit",
                  limit->t, limit->num_events, limit->ratio, std::abs(limit->t - from)));
  hold_histories(limit->t);
  return !has_violated_contact() || process_event(limit->t, {});
}

}  // namespace hydae

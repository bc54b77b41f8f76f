#include "sim/zeno_closure.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "expr/incidence.h"
#include "linalg/dense_factors.h"

namespace hydae {
namespace {

constexpr double kRounding = 1e-15;
constexpr int kGuardSteps = 3;  // to the guards; quadratic from an extrapolated point

// Values that persist: derivatives below d_j of the variables of the mode.
std::vector<double> differential_state(const TaylorSolution& solution) {
  std::vector<double> state;
  const AnalyzedSystem& prepared = solution.mode().prepared;
  for (VarId column : ids<VarId>(prepared.system.unknowns.size()))
    for (int order = 0; order < prepared.structure.offsets.d[column]; ++order)
      state.push_back(solution.value(column, order, solution.time()));
  return state;
}

void set_differential_state(const AnalyzedSystem& prepared, const std::vector<double>& state,
                            LeftLimit& left) {
  left.solution.reset();
  std::size_t k = 0;
  for (VarId column : ids<VarId>(prepared.system.unknowns.size())) {
    const VarId variable = prepared.system.unknowns[column];
    for (int order = 0; order < prepared.structure.offsets.d[column]; ++order, ++k)
      if (variable.index() < left.jets.size()) {
        left.extrapolated[{variable, order}] = std::abs(state[k] - left.value({variable, order}));
        left.set({variable, order}, state[k]);
      }
  }
}

}  // namespace

void observe_event(const Event& event, const TaylorSolution& solution, HybridState& state) {
  state.resets = event.resets;
  const std::set<std::size_t>& relations = event.cause.relations;
  if (relations.empty()) return;
  state.zeno.observe(event.t, {relations.begin(), relations.end()}, differential_state(solution));
}

// At the limit the guards that have accumulated are zero, and not the errors of an extrapolation:
// the nearest such point, with what was extrapolated further moving more (Gauss-Newton).
void ZenoClosure::move_to_guards(const Accumulation& limit, const Committed& run,
                                 LeftLimit& left) const {
  std::vector<NodeId> roots;
  for (std::size_t k : limit.relations) roots.push_back(model_.relations()[k].guard);
  Incidence incidence;
  std::vector<Leaf> moved;
  for (const Leaf& leaf : incidence.of(model_.graph(), roots))
    if (const auto at = left.extrapolated.find(leaf);
        at != left.extrapolated.end() && at->second > 0)
      moved.push_back(leaf);
  if (moved.empty()) return;
  CompiledExpressions guards(model_, std::move(roots));
  EvaluationContext now = run.view().at(limit.t);
  now.continuous = now.before = [&](Leaf leaf) { return left.value(leaf); };
  const auto values = [&] {
    const auto found = guards.evaluate(now);
    return Eigen::VectorXd(
        Eigen::Map<const Eigen::VectorXd>(found.data(), static_cast<Eigen::Index>(found.size())));
  };
  for (int step = 0; step < kGuardSteps; ++step) {
    const Eigen::VectorXd g = values();
    Eigen::MatrixXd J(g.size(), static_cast<Eigen::Index>(moved.size()));  // by extrapolated sizes
    for (std::size_t j = 0; j < moved.size(); ++j) {
      const double here = left.value(moved[j]), size = left.extrapolated.at(moved[j]);
      left.set(moved[j], here + size);
      J.col(static_cast<Eigen::Index>(j)) = values() - g;
      left.set(moved[j], here);
    }
    const Eigen::VectorXd change = linalg::solve_least_squares(J, g);
    if (!change.allFinite() || !(change.cwiseAbs().maxCoeff() <= 1)) return;
    for (std::size_t j = 0; j < moved.size(); ++j)
      left.set(moved[j], left.value(moved[j]) -
                             change[static_cast<Eigen::Index>(j)] * left.extrapolated.at(moved[j]));
  }
  // What is left of a value that has gone to zero is rounding of what it was.
  for (const Leaf& leaf : moved)
    if (std::abs(left.value(leaf)) <= kRounding * left.extrapolated.at(leaf)) left.set(leaf, 0.0);
}

Event ZenoClosure::event_at(const Accumulation& limit, const Committed& run) const {
  Event event;
  event.t = limit.t;
  event.cause.relations = limit.relations;
  event.cause.is_zeno = true;
  event.before = run.state.choice();
  const std::size_t num_variables = model_.model().num_variables();
  event.left = left_limit(run.solution, run.solution->time(), num_variables);
  set_differential_state(run.solution->mode().prepared, limit.state, event.left);
  move_to_guards(limit, run, event.left);
  event.left.discrete = run.state.discrete;
  return event;
}

Outcome<ZenoClosure::Closed> ZenoClosure::close(const Accumulation& limit, const Committed& run) {
  Closed closed;
  Event& event = closed.event = event_at(limit, run);
  HybridState& state = closed.state = run.state;
  close_contacts(event, run.view().at(limit.t), state);
  state.conditions.assign(state.conditions.size(), true);  // nothing fires
  event.left.discrete = state.discrete;

  ModeChoice candidate = event.before;
  for (std::size_t k : event.cause.relations)
    model_.set_side(model_.surface_of(k), 0, candidate.switches.bits);
  const EventPass pass{limit.t, state, event.left, event.cause};
  Outcome<Trial> found = ModeSearch(trials_, pass).run(candidate);
  if (found)
    if (auto held = hold_by_reactions(pass, event.before.switches.bits, *found)) {
      closed.trial = *std::move(held);
      return closed;
    }
  return Failure{Status::kZeno,
                 fmt::format("events accumulate at t = {:.10g} ({} of {}, ratio {:.6g}) and the "
                             "model does not say what follows",
                             limit.t, limit.num_events,
                             quoted_list(texts_of(model_, limit.relations)), limit.ratio)};
}

// The contacts whose impacts have accumulated.
void ZenoClosure::close_contacts(const Event& event, const EvaluationContext& now,
                                 HybridState& state) {
  if (model_.contacts().empty()) return;
  const auto motions = contacts_.motions(now, [&](Leaf leaf) { return event.left.value(leaf); });
  for (std::size_t k = 0; k < motions.size(); ++k)
    if (const HybridContact& contact = model_.contacts()[k];
        event.cause.relations.count(contact.relation) != 0)
      set_state(contact, closed_state(motions[k].slip, smallest_speed(motions[k])), state.discrete);
}

// A guard that leaves the limit for the side where the resets would act is held by a reaction.
std::optional<Trial> ZenoClosure::hold_by_reactions(const EventPass& pass,
                                                    const std::vector<bool>& flight,
                                                    const Trial& trial) {
  std::vector<std::size_t> pushed;
  for (std::size_t k : pass.cause.relations) {
    const int sign = trials_.signs().sign(trials_.subject(pass, trial), k).sign;
    if (sign != 0 && sign != model_.relations()[k].held_sign(flight[k])) pushed.push_back(k);
  }
  if (pushed.empty()) return trial;
  const std::vector<EqId> rows = reaction_rows(trial.solution->mode(), pass.state);
  if (rows.size() != pushed.size()) return std::nullopt;
  for (const int sign : {1, -1}) {
    const ModeChoice choice = with_reactions(pushed, rows, sign, flight, trial.choice);
    Outcome<Trial> held = trials_.solve_with(pass, choice, trial.discrete);
    if (held && held->reading.wanted.switches.bits == choice.switches.bits &&
        held->reading.wanted.pins == choice.pins)
      return *std::move(held);
  }
  return std::nullopt;
}

ModeChoice ZenoClosure::with_reactions(const std::vector<std::size_t>& pushed,
                                       const std::vector<EqId>& rows, int sign,
                                       const std::vector<bool>& flight, ModeChoice choice) const {
  for (std::size_t i = 0; i < pushed.size(); ++i) {
    const std::size_t surface = model_.surface_of(pushed[i]);
    int side = model_.relations()[pushed[i]].held_sign(flight[pushed[i]]);
    for (const Surface::Side& relation : model_.surfaces()[surface].relations)
      if (relation.relation == pushed[i]) side *= relation.sign;
    choice.pins.push_back({surface, rows[i], sign, side});
    model_.set_side(surface, 0, choice.switches.bits);
  }
  std::sort(choice.pins.begin(), choice.pins.end());
  return choice;
}

// The rows in which the resets of the last event would act continuously.
std::vector<EqId> ZenoClosure::reaction_rows(const CompiledMode& mode,
                                             const HybridState& state) const {
  std::vector<EqId> rows;
  const auto& matching = mode.prepared.structure.transversal.matching;
  for (VarId variable : state.resets)
    if (const auto column = mode.prepared.system.find_column(variable)) {
      const EqId row = matching.var_to_eq[*column];
      if (row.is_valid() && row.index() < model_.residuals().size()) rows.push_back(row);
    }
  return rows;
}

}  // namespace hydae

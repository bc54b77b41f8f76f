// Bits, counters and discrete values that agree with the solution they lead to, at one instant and
// with all values under pre() frozen. Every trial starts from the left limits.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

#include "poly/jet_sign.h"
#include "sim/run.h"

namespace hydae {
namespace {

constexpr int kMostTrialRounds = 20;
constexpr double kNoise = 1e-12;          // of a jet entry, relative to its size so far
constexpr double kSmallestNoise = 1e-15;  // of a value of which nothing is known yet
constexpr double kTimeNoise = 4e-15;      // of a time, relative
constexpr double kLocated = 1e-7;         // of a guard at its own root, relative, at most
// Of a search for a mode that no violated relation leads to.
constexpr std::size_t kMostWidePlaces = 24, kMostWideTrials = 500;

// Bounds between which a counter keeps its value.
std::pair<double, double> bounds_of(Op op, double count) {
  if (op == Op::kFloor || (op == Op::kTrunc && count > 0)) return {count, count + 1};
  if (op == Op::kCeil || count < 0) return {count - 1, count};
  return {-1, 1};
}

// The counter just after the instant: u is within noise of the integer `whole`, or not at all
// (sign 0 and not `is_near`).
double count_at(Op op, double whole, int sign) {
  if (op == Op::kFloor || (op == Op::kTrunc && whole > 0)) return sign >= 0 ? whole : whole - 1;
  if (op == Op::kCeil || (op == Op::kTrunc && whole < 0)) return sign <= 0 ? whole : whole + 1;
  return 0;
}

}  // namespace

void Run::load_table(const std::vector<bool>& bits, const std::vector<double>& counts,
                     const std::vector<double>& values, const std::vector<double>& pre,
                     bool is_initial) {
  for (std::size_t k = 0; k < bits.size(); ++k) table_[hybrid_.bit_slot(k)] = bits[k] ? 1.0 : 0.0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const Counter& counter = hybrid_.counters()[k];
    const auto [lower, upper] = bounds_of(counter.op, counts[k]);
    table_[counter.slot] = counts[k];
    table_[counter.slot + 1] = lower;
    table_[counter.slot + 2] = upper;
  }
  for (VarId variable : hybrid_.discrete_variables()) {
    table_[hybrid_.value_slot(variable)] = values[variable.index()];
    table_[hybrid_.pre_slot(variable)] = pre[variable.index()];
  }
  if (hybrid_.coefficients().empty()) return;
  Instant now;
  now.discrete = &values;
  now.pre = &pre;
  now.table = &table_;
  now.is_initial = is_initial;
  // An inner coefficient comes before the outer one that reads it.
  for (std::size_t k = 0; k < hybrid_.coefficients().size(); ++k) {
    const auto numbers = coefficients_.evaluate(now);
    bool has_changed = false;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      double& place = table_[hybrid_.coefficients()[i].slot];
      has_changed = has_changed || place != numbers[i];
      place = numbers[i];
    }
    if (!has_changed) break;
  }
}

std::vector<bool> Run::truths_of(double t, bool is_initial) {
  Instant now;
  now.t = t;
  now.continuous = now.before = [](Leaf) { return 0.0; };
  now.discrete = now.pre = &state_.discrete;
  now.table = &table_;
  now.is_initial = is_initial;
  std::vector<bool> truths;
  for (double value : conditions_.evaluate(now)) truths.push_back(value == 1.0);
  return truths;
}

// What rounding may do to the entries of a jet. A guard that was located at its root is zero.
std::vector<double> Run::jet_noise(std::size_t relation, const Cause& cause,
                                   std::span<const double> series) const {
  const std::vector<double>& sizes = state_.guards.sizes[relation];
  const double scale = std::abs(stepper_->expansion().scale());
  std::vector<double> noise(series.size());
  double power = 1;
  for (std::size_t n = 0; n < series.size(); ++n, power *= scale) {
    const double size = n < sizes.size() ? sizes[n] * power : 0;
    noise[n] = kNoise * std::max(size, std::abs(series[n]));
  }
  if (noise.empty()) return noise;
  noise[0] = std::max(noise[0], kSmallestNoise);
  // The time itself is known to a few units in its last place.
  if (hybrid_.relations()[relation].is_time_only && series.size() > 1)
    noise[0] = std::max(noise[0], kTimeNoise * std::abs(stepper_->time() * series[1]) / scale);
  // A contact that breaks loose does so without acceleration, but for the error of its time.
  if (hybrid_.relations()[relation].is_slip) {
    const double shift = std::max(cause.uncertainty, cause.time_error) / scale;
    for (std::size_t n = 1; n + 1 < noise.size(); ++n)
      noise[n] = std::max(noise[n], static_cast<double>(n + 1) * std::abs(series[n + 1]) * shift);
  }
  if (cause.relations.count(relation) == 0 || cause.woken.count(relation) != 0) return noise;
  const double size = sizes.empty() ? std::abs(series[0]) : sizes[0];
  const auto left = cause.left_guards.find(relation);
  if (left != cause.left_guards.end()) {
    const double located = std::min(kLocated, settings_.rtol);
    noise[0] = std::max({noise[0], 2 * std::abs(left->second), located * size});
    for (std::size_t n = 1; n < noise.size(); ++n) noise[n] *= std::max(1.0, located / kNoise);
  } else  // at the limit of infinitely many events, which is extrapolated
    noise[0] = std::max(noise[0], kLocated * std::max(1.0, size));
  return noise;
}

// The sign of a guard just after the instant.
poly::JetSign Run::guard_sign(const Cause& cause, std::size_t relation) const {
  const auto series = stepper_->output_series(static_cast<int>(relation));
  return poly::find_jet_sign(series, jet_noise(relation, cause, series));
}

// A guard that has never been large enough to count: a car of a train that no pressure has reached
// yet. Its sign is that of errors.
bool Run::is_dormant(std::size_t relation) const {
  const std::vector<double>& sizes = state_.guards.sizes[relation];
  return !hybrid_.relations()[relation].is_time_only &&
         (sizes.empty() || sizes[0] <= smallest_guards_[relation]) &&
         std::abs(stepper_->output_series(static_cast<int>(relation))[0]) <=
             smallest_guards_[relation];
}

// The switches just after the instant, from the series of their guards.
Switches Run::switches_from_jets(const Cause& cause, const Switches& from) {
  Switches result = from;
  state_.guards.known_zeros.assign(from.bits.size(), 0);
  state_.guards.residues.assign(from.bits.size(), 0.0);
  for (std::size_t k = 0; k < from.bits.size(); ++k) {
    if (is_held(k)) continue;
    const poly::JetSign sign = guard_sign(cause, k);
    const bool keeps_bit = !cause.is_initial && cause.relations.count(k) == 0 && is_dormant(k) &&
                           !hybrid_.relations()[k].is_of_contact;
    if (!hybrid_.relations()[k].is_bound && !keeps_bit)
      result.bits[k] = hybrid_.relations()[k].truth(sign.sign);
    state_.guards.known_zeros[k] = sign.sign == 0 ? 0 : sign.order;
    if (sign.order > 0)
      state_.guards.residues[k] = std::abs(stepper_->output_series(static_cast<int>(k))[0]);
  }
  for (std::size_t k = 0; k < from.counts.size(); ++k)
    result.counts[k] = count_from_jet(hybrid_.counters()[k]);
  return result;
}

double Run::count_from_jet(const Counter& counter) const {
  const auto series = stepper_->output_series(static_cast<int>(counter.lower));
  const double lower = table_[counter.slot + 1];
  std::vector<double> jet(series.begin(), series.end());
  const double u = jet[0] + lower, whole = std::round(u);
  const double noise = 1e-12 * std::max(1.0, std::abs(u));
  jet[0] = std::abs(u - whole) <= noise ? 0.0 : u - whole;
  double size = 0;
  for (double entry : jet) size = std::max(size, std::abs(entry));
  return count_at(counter.op, whole, poly::find_jet_sign(jet, kNoise * size).sign);
}

bool Run::agree_for_continuous(const std::vector<double>& a, const std::vector<double>& b) const {
  return std::all_of(hybrid_.discrete_variables().begin(), hybrid_.discrete_variables().end(),
                     [&](VarId variable) {
                       return !hybrid_.is_read(variable) ||
                              a[variable.index()] == b[variable.index()];
                     });
}

// Discrete values and the solution in the mode of the trial's switches, in agreement.
bool Run::evaluate_trial(double t, const LeftLimit& left, Trial& trial) {
  const auto left_value = [&](Leaf leaf) { return left.value(leaf); };
  std::function<double(Leaf)> values = left_value;
  for (int round = 0; round < kMostTrialRounds; ++round) {
    load_table(trial.bits, trial.counts, state_.discrete, state_.discrete);
    Instant now = instant(t);
    now.continuous = values;
    now.before = left_value;
    DiscreteOutcome outcome = discrete_part_.evaluate(now, state_.conditions);
    if (outcome.has_failed) {
      fail(Status::kDiscreteLoop,
           fmt::format("event at t = {:.10g}: a loop of discrete variables has no solution", t));
      return false;
    }
    const bool agrees = round > 0 && agree_for_continuous(outcome.values, trial.discrete.values);
    trial.discrete = std::move(outcome);
    if (agrees) {
      load_table(trial.bits, trial.counts, trial.discrete.values, state_.discrete);
      return true;
    }
    if (!try_mode(t, left, trial)) return false;
    values = [this, t](Leaf leaf) {
      const auto column = mode_->prepared.system.find_column(leaf.variable);
      return column ? stepper_->value(static_cast<int>(column->index()), leaf.order, t) : 0.0;
    };
  }
  fail(Status::kDiscreteCycle,
       fmt::format("event at t = {:.10g}: discrete values and the solution never agree", t));
  return false;
}

// Each set of guards that are held at zero has its own search for the other switches.
std::optional<Run::Trial> Run::search_mode(double t, const Cause& cause, const LeftLimit& left,
                                           Trial first, const std::set<std::size_t>& held) {
  std::vector<Trial> solved;
  std::set<std::size_t> switching;
  std::set<std::pair<std::vector<Hold>, Switches>> begun;
  silent_conflict_.reset();
  int num_trials = 0;
  bool is_contest = true;  // both sides of limits lead back to them
  std::optional<std::pair<Status, std::string>> first_failure;
  while (begun.emplace(first.holds, Switches{first.bits, first.counts}).second) {
    SwitchSearch search({first.bits, first.counts}, time_relations_);
    std::optional<Switches> wanted;
    bool has_new_holds = false;
    do {
      if (search.has_cycled() && is_contest) {
        if (auto sliding = search_sliding(t, cause, left, solved)) return sliding;
        if (result_.summary.status == Status::kAmbiguousSliding) return std::nullopt;
        is_contest = false;
      }
      Trial trial;
      trial.bits = search.candidate().bits;
      trial.counts = search.candidate().counts;
      trial.holds = first.holds;
      wanted.reset();
      ++num_trials;
      if (!evaluate_trial(t, left, trial)) {
        if (num_trials == 1) first_failure.emplace(result_.summary.status, result_.summary.message);
        continue;
      }
      wanted = switches_from_jets(cause, search.candidate());
      Trial next = trial;
      next.bits = wanted->bits;
      next.holds = holds_from_jets(next);
      wanted->bits = next.bits;
      for (std::size_t k : held) wanted->bits[k] = trial.bits[k];
      has_new_holds = next.holds != trial.holds;
      if (!has_new_holds && *wanted == search.candidate()) {
        result_.summary.status = Status::kSuccess;
        result_.summary.message.clear();
        return trial;
      }
      solved.push_back(trial);
      const auto conflict = switches_between(trial.bits, wanted->bits);
      switching.insert(conflict.begin(), conflict.end());
      is_contest = is_contest && relations_at_limit(cause, conflict) == conflict;
      if (is_silent(conflict) && !has_new_holds)
        silent_conflict_.emplace(search.candidate(), *wanted);
      if (has_new_holds) {
        first = next;
        first.bits = wanted->bits;
        first.counts = wanted->counts;
      }
    } while (!has_new_holds && search.advance(wanted));
  }
  if (!solved.empty()) {
    if (auto sliding = search_sliding(t, cause, left, solved)) return sliding;
    if (result_.summary.status == Status::kAmbiguousSliding) return std::nullopt;
  }
  if (!first_failure && !solved.empty() && !cause.is_silent)
    if (auto found = search_widely(t, cause, left, solved.front())) return found;
  if (first_failure) {  // the switches as the event left them have no solution
    fail(first_failure->first, first_failure->second);
    return std::nullopt;
  }
  std::vector<std::string> texts;
  for (std::size_t k : switching) texts.push_back(hybrid_.relations()[k].text);
  fail(Status::kModeCycle,
       fmt::format("event at t = {:.10g}: no mode agrees with its own solution ({} tried); "
                   "switching: {}",
                   t, num_trials, quoted_list(texts)));
  return std::nullopt;
}

// The solution may have to jump further than any relation asks for: a trigger with positive
// feedback goes from one end of its range to the other, since neither the end nor the range between
// is consistent. Modes that differ in one or two relations are tried, with what they ask for.
std::optional<Run::Trial> Run::search_widely(double t, const Cause& cause, const LeftLimit& left,
                                             const Trial& first) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < first.bits.size(); ++k)
    if (!hybrid_.relations()[k].is_time_only && !hybrid_.relations()[k].is_bound)
      places.push_back(k);
  if (places.size() > kMostWidePlaces) return std::nullopt;
  std::set<Switches> tried;
  const auto follow = [&](Trial trial) -> std::optional<Trial> {
    while (tried.emplace(trial.bits, trial.counts).second && tried.size() <= kMostWideTrials) {
      if (!evaluate_trial(t, left, trial)) return std::nullopt;
      Trial next = trial;
      const Switches wanted = switches_from_jets(cause, {trial.bits, trial.counts});
      next.bits = wanted.bits;
      next.counts = wanted.counts;
      if (holds_from_jets(next) != trial.holds) return std::nullopt;
      if (next.bits == trial.bits && next.counts == trial.counts) return trial;
      trial = std::move(next);
    }
    return std::nullopt;
  };
  const auto last_failure = std::pair(result_.summary.status, result_.summary.message);
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = a; b < places.size(); ++b) {
      Trial trial = first;
      trial.bits[places[a]] = !trial.bits[places[a]];
      if (b != a) trial.bits[places[b]] = !trial.bits[places[b]];
      if (auto found = follow(std::move(trial))) {
        result_.summary.status = Status::kSuccess;
        result_.summary.message.clear();
        return found;
      }
    }
  std::tie(result_.summary.status, result_.summary.message) = last_failure;
  return std::nullopt;
}

std::set<std::size_t> Run::switches_between(const std::vector<bool>& a,
                                            const std::vector<bool>& b) const {
  std::set<std::size_t> places;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k] != b[k]) places.insert(k);
  return places;
}

// A silent switch may lead to an expression that is undefined just there, such as sin(x)/x at 0,
// and only there. Then the solution before the switch serves for a moment: a small part of a step,
// in which a continuous expression does not change.
std::optional<Run::Trial> Run::step_over(double& t, const LeftLimit& left) {
  if (!silent_conflict_) return std::nullopt;
  const auto [from, wanted] = *silent_conflict_;
  Trial trial;
  trial.bits = from.bits;
  trial.counts = from.counts;
  trial.holds = state_.holds;
  if (!evaluate_trial(t, left, trial)) return std::nullopt;
  Cause next;
  const double room = (next_time_event(stepper_->reach(), next) - t) * 0.5;
  std::vector<std::pair<double, LeftLimit>> later;
  for (double part : {1e-6, 1e-5, 1e-4, 1e-3}) {
    const double moment = t + part * room;
    if (moment != t) later.emplace_back(moment, left_limit(moment));
  }
  if (later.empty()) return std::nullopt;
  record_until(later.back().first);
  for (const auto& [moment, limit] : later) {
    Trial candidate;
    candidate.bits = wanted.bits;
    candidate.counts = wanted.counts;
    candidate.holds = state_.holds;
    auto found = search_mode(moment, {}, limit, candidate, {});
    if (!found) continue;
    t = moment;
    return found;
  }
  return std::nullopt;
}

}  // namespace hydae

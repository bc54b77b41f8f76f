#include "sim/guard_signs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/incidence.h"
#include "sim/guard_watch.h"
#include "sim/settings.h"
#include "sim/switch_table.h"

namespace hydae {
namespace {

constexpr double kNoise = 1e-12;  // of a jet entry, relative to its size so far
constexpr double kLastDigitsOfSize = 4 * std::numeric_limits<double>::epsilon();
constexpr double kRoundings = 8;      // of a value, in roundings of what it is computed from
constexpr double kTimeNoise = 4e-15;  // of a time, relative
constexpr double kZeroBefore = 100;   // errors of a guard that is zero, in tolerances of its size
constexpr double kMostShift = 1e-3;   // by errors of a time, relative to the scale of the series
constexpr double kLocated = 1e-7;     // of a guard at its own root, relative, at most

// Smallest guard whose sign counts where the equations are not solved, relative to the nominal
// values in it: well above rounding, and far below what the absolute tolerance resolves.
constexpr double kSmallestGuard = 1e-15, kSmallestPartOfTolerance = 1e-3;

std::vector<double> smallest_guards(const HybridModel& hybrid, double atol) {
  const double smallest = std::max(kSmallestGuard, kSmallestPartOfTolerance * atol);
  const Model& model = hybrid.model();
  const std::vector<double> parameters = model.parameter_values();
  std::vector<double> sizes;
  Incidence incidence;
  for (const Relation& relation : hybrid.relations()) {
    double nominal = std::numeric_limits<double>::infinity();
    for (const Leaf& leaf : incidence.of(hybrid.graph(), relation.guard))
      nominal =
          std::min(nominal, nominal_of(model, model.all_variables()[leaf.variable], parameters));
    sizes.push_back(smallest * (std::isfinite(nominal) ? nominal : 1.0));
  }
  return sizes;
}

// The counter just after the instant: u is within noise of the integer `whole`, or not at all
// (sign 0 and not `is_near`).
double count_at(Op op, double whole, int sign) {
  if (op == Op::kFloor || (op == Op::kTrunc && whole > 0)) return sign >= 0 ? whole : whole - 1;
  if (op == Op::kCeil || (op == Op::kTrunc && whole < 0)) return sign <= 0 ? whole : whole + 1;
  return 0;
}

double largest_of(std::span<const double> series) {
  double largest = 0;
  for (double coefficient : series) largest = std::max(largest, std::abs(coefficient));
  return largest;
}

// How fast coefficients grow, at least 1: the step that a series is scaled by may be longer than it
// converges. From half to half.
double growth_of(std::span<const double> series) {
  const std::size_t half = series.size() / 2;
  const double first = largest_of(series.first(half)), second = largest_of(series.subspan(half));
  if (!(first > 0)) return 1;
  return std::max(1.0, std::pow(second / first, 1 / static_cast<double>(half)));
}

// Of each entry, relative to the largest up to it: those behind it may be those of a step that the
// series does not reach over, and say nothing of it.
std::vector<double> noise_so_far(std::span<const double> jet, double relative, double size) {
  std::vector<double> noise;
  for (double entry : jet) {
    size = std::max(size, std::abs(entry));
    noise.push_back(relative * size);
  }
  return noise;
}

// The time in which a guard of these sizes, by derivative, moves by its own size.
double own_time(const std::vector<double>& sizes) {
  double time = std::numeric_limits<double>::infinity();
  for (std::size_t n = 1; n < sizes.size(); ++n)
    if (sizes[n] > 0 && sizes[0] > 0)
      time = std::min(time, std::pow(sizes[0] / sizes[n], 1.0 / static_cast<double>(n)));
  return std::isfinite(time) ? time : 0;
}

// The sign of the leading impulse of an output, 0 if it has none.
int impulse_sign(const GuardSigns::Subject& subject, std::size_t output) {
  if (subject.impulses == nullptr || output >= subject.impulses->size()) return 0;
  const std::vector<double>& impulses = (*subject.impulses)[output];
  return impulses.empty() ? 0 : impulses.front() > 0 ? 1 : -1;
}

// How far a guard may be on the wrong side by the entries before the one that decides: each of them
// counts until that one has outgrown it.
double residue(std::span<const double> series, int order) {
  const auto k = static_cast<std::size_t>(order);
  if (k >= series.size()) return std::abs(series[0]);
  double sum = 0;
  for (std::size_t n = 0; n < k; ++n) {
    const double part = std::abs(series[n] / series[k]), left = static_cast<double>(k - n);
    sum += std::abs(series[n]) * std::pow(part, static_cast<double>(n) / left);
  }
  return sum;
}

// The derivatives that vanish at the instant (of a contact that breaks loose, of what a torque that
// changes its sign has held, of the gap of a diode whose current has vanished) do so but for the
// error of its time.
void add_noise_of_time(const Cause& cause, double scale, std::span<const double> series,
                       std::vector<double>& noise) {
  const double shift = std::min(kMostShift, std::max(cause.uncertainty, cause.time_error) / scale);
  for (std::size_t n = 1; n + 1 < noise.size(); ++n)
    noise[n] = std::max(noise[n], static_cast<double>(n + 1) * std::abs(series[n + 1]) * shift);
}

// The derivatives before the one that decides may keep the guard on the other side by more than the
// errors of the solution, until that one has outgrown them: then they are not errors.
bool is_far_off(std::span<const double> series, int order, const std::vector<double>& sizes,
                double rtol) {
  double size = sizes.empty() ? 0 : sizes[0];
  for (double coefficient : series) size = std::max(size, std::abs(coefficient));
  return order > 0 && residue(series, order) > kZeroBefore * rtol * size;
}

// The entry that makes a guard go to this side, behind its value, which is zero.
int first_entry_of_sign(std::span<const double> jet, int sign) {
  if (jet.empty()) return 0;
  for (std::size_t n = 1; n < jet.size(); ++n)
    if (sign * jet[n] > 0) return static_cast<int>(n);
  return 1;
}

}  // namespace

bool is_share(const CompiledMode& mode, std::size_t output) {
  return mode.layout.is_exit(output) && mode.pins[mode.layout.exit_of(output) / 2].is_sliding();
}

GuardSigns::GuardSigns(const HybridModel& model, double rtol, double atol, OutputRooms& outputs)
    : model_(model), rtol_(rtol), smallest_(smallest_guards(model, atol)), outputs_(outputs) {}

// The relation of the cause whose root this one has, too: one with the same guard. Of relations
// that nobody watches nothing else is known.
std::optional<std::size_t> GuardSigns::located_with(const Subject& subject,
                                                    std::size_t relation) const {
  const Cause& cause = subject.cause;
  if (subject.is_exchanged(relation) && !subject.exchanged->at(relation)) return std::nullopt;
  if (cause.relations.count(relation) != 0) return relation;
  if (model_.relations()[relation].is_bound) return std::nullopt;
  for (const auto& side : model_.surfaces()[model_.surface_of(relation)].relations)
    if (cause.relations.count(side.relation) != 0) return side.relation;
  return std::nullopt;
}

// What rounding may do to the entries of a jet. A guard that was located at its root is zero.
std::vector<double> GuardSigns::noise(const Look& look, std::size_t relation,
                                      std::span<const double> series,
                                      std::span<const double> roundings) const {
  const Subject& subject = look.subject;
  const auto located = located_with(subject, relation);
  const std::vector<double>& sizes = subject.sizes(located.value_or(relation));
  const double scale = std::abs(subject.solution.stepper().expansion().scale());
  std::vector<double> noise(series.size());
  // What moves the guard less than the last digits of what its lower derivatives have moved it by
  // is rounding: where a mode holds it at zero its late entries are all rounding, and so small that
  // nothing was known of them. A guard that has crossed is asked how far it moves in its own time,
  // not in a step that may be short for other reasons. The same holds for what rounding in the
  // equations makes of it.
  const double shorter = located ? std::min(1.0, scale / own_time(sizes)) : 1;
  double power = 1, digits = 0;
  for (std::size_t n = 0; n < series.size(); ++n, power *= scale, digits *= shorter) {
    const double size = n < sizes.size() ? sizes[n] * power : 0;
    if (n < roundings.size()) digits = std::max(digits, kRoundings * roundings[n]);
    noise[n] = std::max(digits, kNoise * std::max(size, std::abs(series[n])));
    if (n > 0) digits = std::max(digits, kLastDigitsOfSize * size);
  }
  if (noise.empty()) return noise;
  StepOutputs& outputs = look.errors.outputs;
  outputs.value(relation, 0);
  if (const double rounding = outputs.rounding(relation); std::isfinite(rounding))
    noise[0] = std::max(noise[0], kRoundings * rounding);
  if (subject.guard_errors != nullptr && relation < subject.guard_errors->size())
    noise[0] = std::max(noise[0], 2 * (*subject.guard_errors)[relation]);
  // The time itself is known to a few units in its last place.
  if (model_.relations()[relation].is_time_only && series.size() > 1)
    noise[0] =
        std::max(noise[0], kTimeNoise * std::abs(subject.solution.time() * series[1]) / scale);
  add_noise_of_location(subject, relation, noise);
  const Relation& r = model_.relations()[relation];
  const bool is_other = !located || subject.is_exchanged(relation);
  if (r.is_slip || (is_other && !r.is_time_only))
    add_noise_of_time(subject.cause, scale, series, noise);
  // What the equations before the instant have held at zero they have held there up to errors of
  // the solution, and so are the derivatives that are zero in the new mode.
  if (!located && look.was_held[relation]) {
    const double growth = growth_of(series);
    double largest = 0, factor = 1;
    for (std::size_t n = 0; n < series.size(); ++n, factor *= growth)
      largest = std::max(largest, std::abs(series[n]) / factor);
    factor = rtol_ * largest;
    for (std::size_t n = 0; n < noise.size(); ++n, factor *= growth)
      noise[n] = std::max(noise[n], factor);
  }
  return noise;
}

GuardSigns::Errors GuardSigns::errors_of(const TaylorSolution& solution) const {
  StepOutputs& outputs = outputs_.over_step(solution);
  return {solution, outputs, outputs_.probe(solution)};
}

// The left limit first: both may have one room.
GuardSigns::Look GuardSigns::look(const Subject& subject) const {
  const std::vector<bool>& was_held = held_before(subject);
  return {subject, errors_of(subject.solution), was_held};
}

const std::vector<bool>& GuardSigns::held_before(const Subject& subject) const {
  const std::size_t n = model_.relations().size();
  if (subject.left == nullptr) {
    held_ = {nullptr, 0, 0, std::vector<bool>(n, false)};
    return held_.is_held;
  }
  const TaylorSolution& left = *subject.left;
  const double time = left.time(), reach = left.stepper().reach();
  if (held_.solution == &left && held_.time == time && held_.reach == reach) return held_.is_held;
  held_ = {&left, time, reach, {}};
  const Errors errors = errors_of(left);
  for (std::size_t k = 0; k < n; ++k)
    held_.is_held.push_back(is_zero(errors, k, largest_of(left.output(k))));
  return held_.is_held;
}

bool GuardSigns::is_zero(const Errors& errors, std::size_t relation, double coefficient) const {
  const double size = errors.outputs.size_of_terms(relation);
  if (std::abs(coefficient) <= std::min(kLocated, rtol_) * (std::isfinite(size) ? size : 0))
    return true;
  const double scale = errors.solution.stepper().expansion().scale();
  if (known_.are_far_below(coefficient, relation, scale)) return false;
  const auto roundings = errors.roundings(relation);
  if (!roundings.empty()) known_.note(relation, roundings, scale);
  return std::abs(coefficient) <= kRoundings * largest_of(roundings);
}

bool GuardSigns::vanishes(const TaylorSolution& solution, std::size_t relation) const {
  return is_zero(errors_of(solution), relation, solution.output(relation)[0]);
}

// States come with their last digits, whatever the equations are.
std::span<const double> GuardSigns::Errors::roundings(std::size_t relation) const {
  const std::vector<int>& d = solution.stepper().program().structure().d;
  const auto leaves = outputs.leaves_of(relation);
  const bool is_of_states = std::all_of(leaves.begin(), leaves.end(), [&](int leaf) {
    const codegen::JetEntry entry = outputs.leaves()[static_cast<std::size_t>(leaf)];
    return entry.order < d[static_cast<std::size_t>(entry.variable)];
  });
  if (is_of_states) return {};
  return probe.roundings(relation);
}

void GuardSigns::add_noise_of_location(const Subject& subject, std::size_t relation,
                                       std::vector<double>& noise) const {
  const Cause& cause = subject.cause;
  const double of_derivatives = std::max(1.0, std::min(kLocated, rtol_) / kNoise);
  // What left its surface was held there: value and first derivative are as good as the location of
  // the exit.
  for (const auto& [surface, side] : cause.exits)
    if (surface == model_.surface_of(relation))
      for (double& bound : noise) bound *= of_derivatives;
  const auto located_relation = located_with(subject, relation);
  if (!located_relation) return;
  const std::vector<double>& sizes = subject.sizes(*located_relation);
  const double size = sizes.empty() ? std::abs(subject.solution.output(relation)[0]) : sizes[0];
  const auto left = cause.left_guards.find(*located_relation);
  if (left != cause.left_guards.end()) {
    const double located = std::min(kLocated, rtol_);
    noise[0] = std::max({noise[0], 2 * std::abs(left->second), located * size});
    for (std::size_t n = 1; n < noise.size(); ++n) noise[n] *= of_derivatives;
  } else {  // at the limit of infinitely many events, which is extrapolated
    noise[0] = std::max(noise[0], kLocated * size);
  }
}

poly::JetSign GuardSigns::sign(const Look& look, std::size_t relation) const {
  if (const int sign = impulse_sign(look.subject, relation)) return {sign, 0, true};
  return regular_sign(look, relation);
}

poly::JetSign GuardSigns::regular_sign(const Look& look, std::size_t relation) const {
  const auto series = look.subject.solution.output(relation);
  const auto end = std::find_if_not(series.begin(), series.end(),
                                    [](double coefficient) { return std::isfinite(coefficient); });
  const auto jet = series.first(static_cast<std::size_t>(end - series.begin()));
  std::vector<double> noise = this->noise(look, relation, jet, {});
  poly::JetSign found = poly::find_jet_sign(jet, noise);
  const double scale = look.subject.solution.stepper().expansion().scale();
  const bool is_sure =
      found.sign != 0 &&
      known_.are_far_below(jet[static_cast<std::size_t>(found.order)], relation, scale);
  if (const auto roundings = is_sure ? jet.first(0) : look.errors.roundings(relation);
      !roundings.empty()) {
    known_.note(relation, roundings, scale);
    noise = this->noise(look, relation, jet, roundings);
    found = poly::find_jet_sign(jet, noise);
  }
  // At a pole, at a branch point such as the root of zero, next to a kink that was crossed, and
  // where too much is taken for errors, derivatives say nothing; values behind the instant do.
  const bool is_cause = look.subject.cause.relations.count(relation) != 0;
  const bool is_open =
      found.sign == 0
          ? jet.size() < series.size() || is_cause
          : is_cause && is_far_off(jet, found.order, look.subject.sizes(relation), rtol_);
  if (!is_open) return found;
  const int sign =
      find_sign_behind(look.errors.outputs, relation, 0, {.noise = jet.empty() ? 0 : noise[0]})
          .sign;
  return sign == 0 ? found : poly::JetSign{sign, first_entry_of_sign(jet, sign), true};
}

poly::JetSign GuardSigns::sign(const Subject& subject, std::size_t relation) const {
  return sign(look(subject), relation);
}

poly::JetSign GuardSigns::regular_sign(const Subject& subject, std::size_t relation) const {
  return regular_sign(look(subject), relation);
}

bool GuardSigns::is_zero_before(const TaylorSolution& before, double t, const GuardMemory& memory,
                                std::size_t relation) const {
  const auto series = before.output(relation);
  const double tau = (t - before.time()) / before.stepper().expansion().scale();
  double value = 0, size = 0;
  for (std::size_t n = series.size(); n-- > 0;) {
    value = value * tau + series[n];
    size = size * std::abs(tau) + std::abs(series[n]);
  }
  if (!memory.sizes[relation].empty()) size = std::max(size, memory.sizes[relation][0]);
  return !std::isfinite(value) || std::abs(value) <= kZeroBefore * rtol_ * size;
}

bool GuardSigns::is_dormant(const GuardMemory& memory, std::size_t relation, double value) const {
  if (relation >= memory.is_given.size() || memory.is_given[relation]) return false;
  const std::vector<double>& sizes = memory.sizes[relation];
  return (sizes.empty() || sizes[0] <= smallest_[relation]) &&
         std::abs(value) <= smallest_[relation];
}

std::vector<double> GuardSigns::values(const TaylorSolution& solution, double t) const {
  StepOutputs& outputs = outputs_.over_step(solution);
  const double step = outputs.to() - outputs.from();
  const double place = step == 0 ? 0 : (t - outputs.from()) / step;
  std::vector<double> values;
  for (std::size_t k = 0; k < model_.relations().size(); ++k)
    values.push_back(outputs.value(k, place));
  return values;
}

std::set<std::size_t> GuardSigns::at_limit(const Subject& subject,
                                           const std::set<std::size_t>& relations) const {
  std::set<std::size_t> list;
  const Look look = this->look(subject);
  for (std::size_t k : relations)
    if (!model_.relations()[k].is_time_only && sign(look, k).order > 0) list.insert(k);
  return list;
}

GuardReading GuardSigns::read(const Subject& subject, const ModeChoice& choice) const {
  GuardReading reading;
  reading.wanted = choice;
  const Look look = this->look(subject);
  read_guards(look, reading);
  std::vector<double>& counts = reading.wanted.switches.counts;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const Count count = this->count(look, model_.counters()[k], counts[k]);
    counts[k] = subject.cause.is_initial ? count.here : count.behind;
    if (counts[k] != count.behind) reading.leaving.insert(model_.counters()[k].lower);
  }
  read_exits(subject, reading);
  return reading;
}

void GuardSigns::read_guards(const Look& look, GuardReading& reading) const {
  const Subject& subject = look.subject;
  std::vector<bool>& bits = reading.wanted.switches.bits;
  const CompiledMode& mode = subject.solution.mode();
  reading.known_zeros.assign(mode.layout.exit(mode.layout.num_exits), 0);
  reading.residues.assign(bits.size(), 0.0);
  for (std::size_t k = 0; k < bits.size(); ++k) {
    const Relation& relation = model_.relations()[k];
    if (is_pinned_in(mode.pins, model_.surface_of(k))) continue;
    const poly::JetSign found = sign(look, k);
    if (!relation.is_bound) bits[k] = truth(look, k, found, bits[k]);
    if (subject.cause.is_initial && !relation.is_bound && bits[k] != relation.truth(found.sign))
      reading.leaving.insert(k);
    const poly::JetSign after = impulse_sign(subject, k) == 0 ? found : regular_sign(look, k);
    reading.known_zeros[k] = after.sign == 0 ? 0 : after.order;
    if (after.order > 0) reading.residues[k] = residue(subject.solution.output(k), after.order);
    if (after.sign == 0 && after.is_defined) reading.residues[k] = rounding_at_rest(look, k);
  }
}

// A guard that the mode holds at zero: it stays there but for the rounding of what it has been, and
// cannot fire by that.
double GuardSigns::rounding_at_rest(const Look& look, std::size_t relation) const {
  const std::vector<double>& sizes = look.subject.sizes(relation);
  const double of_size = sizes.empty() ? 0 : kNoise * sizes[0];
  const double of_equations = kRoundings * largest_of(look.errors.roundings(relation));
  return std::max({of_size, of_equations, largest_of(look.subject.solution.output(relation))});
}

// Just after the instant. At the start a relation may have the value that it has at that point: the
// change right behind it is an event of its own.
bool GuardSigns::truth(const Look& look, std::size_t relation, const poly::JetSign& found,
                       bool now) const {
  const Subject& subject = look.subject;
  const Relation& r = model_.relations()[relation];
  // The sign of a guard that is all errors says nothing; one that is zero for all time does.
  const auto series = subject.solution.output(relation);
  if (found.sign != 0 && !r.is_of_contact && !r.is_time_only && r.is_watched &&
      subject.cause.relations.count(relation) == 0 &&
      is_dormant(subject.memory, relation, series[0]) &&
      !(moved_so_far(subject, series) > smallest_[relation] && look.was_held[relation]))
    return subject.before != nullptr ? (*subject.before)[relation] : now;
  const bool after = r.truth(found.sign);
  const bool is_at_limit = found.order > 0 && found.sign != 0;
  if (!subject.cause.is_initial || !is_at_limit || r.is_of_contact) return after;
  return now == r.truth(0) ? now : after;
}

// How far a guard gets in a step as long as the last one: the series of a departure are those of a
// moment.
double GuardSigns::moved_so_far(const Subject& subject, std::span<const double> series) const {
  double largest = 0;
  for (double coefficient : series) largest = std::max(largest, std::abs(coefficient));
  if (subject.left == nullptr || series.size() < 2) return largest;
  const integrate::TaylorStepper& before = subject.left->stepper();
  const double scale = std::abs(subject.solution.stepper().expansion().scale());
  return std::max(largest, std::abs(series[1] * (before.reach() - before.time()) / scale));
}

// Holds that do not last just after the instant: the bits of their relations go to their sides.
void GuardSigns::read_exits(const Subject& subject, GuardReading& reading) const {
  const TaylorSolution& solution = subject.solution;
  const CompiledMode& mode = solution.mode();
  for (std::size_t exit = 0; exit < mode.layout.num_exits; ++exit) {
    const std::size_t output = mode.layout.exit(exit);
    const auto series = solution.output(output);
    const double size = is_share(mode, output) ? 1 : 0;
    const poly::JetSign sign = poly::find_jet_sign(series, noise_so_far(series, kShareNoise, size));
    reading.known_zeros[output] = sign.sign == 0 ? 0 : sign.order;
    const int impulse = impulse_sign(subject, output);
    if ((impulse != 0 ? impulse : sign.sign) >= 0) continue;
    const auto [surface, side] = surface_and_side(mode.pins, exit);
    leave(model_, surface, side, reading.wanted);
  }
}

GuardSigns::Count GuardSigns::count(const Look& look, const Counter& counter, double now) const {
  const auto series = look.subject.solution.output(counter.lower);
  std::vector<double> jet(series.begin(), series.end());
  const double u = jet[0] + counter_bounds(counter.op, now).first, whole = std::round(u);
  // What u is computed from may be large beside it, the time above all.
  look.errors.outputs.value(counter.lower, 0);
  const double rounding = look.errors.outputs.error(counter.lower, 0);
  const double noise = std::max(kNoise * std::max(1.0, std::abs(u)),
                                std::isfinite(rounding) ? kRoundings * rounding : 0.0);
  jet[0] = std::abs(u - whole) <= noise ? 0.0 : u - whole;
  const std::vector<double> of_jet = noise_so_far(jet, kNoise, 0);
  const double behind = count_at(counter.op, whole, poly::find_jet_sign(jet, of_jet).sign);
  return {jet[0] == 0 ? whole : behind, behind};
}

}  // namespace hydae

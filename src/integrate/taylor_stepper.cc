#include "integrate/taylor_stepper.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include <hydae/error.h>

#include "integrate/step_kernels.h"

namespace hydae::integrate {
namespace {

constexpr double kMostMiss = 10;    // of a step that is believed, in tolerances
constexpr double kMostNoise = 1e4;  // of it at tight tolerances, in rounding errors
constexpr double kShortest = 0.25;  // of a step that was not believed: the next one is not shorter
constexpr double kShorter = 0.8;    // than the step that the miss asks for
constexpr double kFirstGuess = 1e-2;  // step at which the first expansion is scaled
constexpr double kRescale = 1e-4;     // of the guess if coefficients overflow
constexpr double kLeastMiss = 1e-9;   // of a variable without a state, relative: less is rounding
constexpr int kStandsFor = 3;         // refusals: what is more and does not fall
constexpr double kStands = 0.1;       // part of a miss that an error of the series does not leave
constexpr double kFading = 0.5;       // of the size of a variable from step to step
constexpr double kIllConditioned = 1e-6;  // relative: what is less and does not fall is rounding

// Of a step that the coefficients say nothing about.
constexpr double kUnearnedGrowth = 2;
// Of the last four terms of a series over the four before: more does not come from rounding alone.
constexpr double kMostGrowthOfTerms = 100;
// Growth that needs no look inside.
constexpr double kPlainGrowth = 1.5;
// Where such a step is looked at: not at fractions that a model may have.
constexpr double kLooks[] = {0.2764, 0.5257, 0.7639};
// A series may end where the step ends, at an event: it is looked at before.
constexpr double kBeforeEnd = 0.9871;

std::size_t slot(int variable) { return static_cast<std::size_t>(variable); }

// n (n-1) ... (n-q+1)
double falling(std::size_t n, int q) {
  double product = 1;
  for (int k = 0; k < q; ++k) product *= static_cast<double>(n - static_cast<std::size_t>(k));
  return product;
}

// Derivative q of a series at tau, less its value at 0: sum_{n>q} c_n n!/(n-q)! tau^(n-q) /
// scale^q.
double increment_of(std::span<const double> series, int q, double tau, double scale) {
  double sum = 0;
  const auto first = static_cast<std::size_t>(q);
  if (q == 0)
    for (std::size_t n = series.size() - 1; n > 0; --n) sum = (sum + series[n]) * tau;
  else if (q == 1)
    for (std::size_t n = series.size() - 1; n > 1; --n)
      sum = (sum + series[n] * static_cast<double>(n)) * tau;
  else
    for (std::size_t n = series.size() - 1; n > first; --n)
      sum = (sum + series[n] * falling(n, q)) * tau;
  for (int k = 0; k < q; ++k) sum /= scale;
  return sum;
}

}  // namespace

TaylorStepper::TaylorStepper(std::shared_ptr<const codegen::Program> program,
                             const TaylorOptions& options, std::vector<double> atol)
    : expansion_(program, options.order > 0 ? options.order : order_for_tolerance(options.rtol)),
      options_(options),
      atol_(std::move(atol)),
      order_(expansion_.max_order()) {
  set_nominal(expansion_);
  list_components();
  make_tables();
  sizes_.resize(static_cast<std::size_t>(order_) + 1);
  state_.resize(program->entries().size());
  carry_.resize(state_.size());
  next_state_.resize(state_.size());
  next_carry_.resize(state_.size());
  weights_.resize(static_cast<std::size_t>(program->num_state()));
  next_weights_.resize(weights_.size());
  parameters_.resize(static_cast<std::size_t>(program->num_parameters()));
  recent_.resize(atol_.size());
}

void TaylorStepper::set_tolerances(std::span<const double> atol) {
  if (std::equal(atol.begin(), atol.end(), atol_.begin())) return;
  std::copy(atol.begin(), atol.end(), atol_.begin());
  set_nominal(expansion_);
  if (next_) set_nominal(*next_);
  if (!is_expanded_) return;
  rounding_ = set_weights(state_, weights_);
  measure_coefficients();
}

// As far as the tolerances tell.
void TaylorStepper::set_nominal(codegen::Expansion& expansion) {
  nominal_ = atol_;
  for (double& size : nominal_) size /= options_.rtol;
  expansion.set_nominal(nominal_);
}

void TaylorStepper::list_components() {
  const codegen::Structure& structure = program().structure();
  for (const codegen::BlockShape& block : structure.blocks)
    for (int j : block.variables)
      given_.push_back({j, structure.d[static_cast<std::size_t>(j)] - block.lead});
  std::sort(given_.begin(), given_.end(),
            [](const Given& a, const Given& b) { return a.variable < b.variable; });
  for (int e = 0; e < program().num_state(); ++e) {
    const codegen::JetEntry entry = program().entries()[static_cast<std::size_t>(e)];
    components_.push_back({entry.variable, static_cast<std::size_t>(entry.order)});
    Given& given = given_[static_cast<std::size_t>(entry.variable)];
    if (entry.order + 1 == given.derivative) given.entry = e;
  }
  // Variables without a state are looked at by their own series.
  for (const Given& given : given_)
    if (given.entry < 0) components_.push_back({given.variable, 0});
  can_deceive_ = program().can_be_flat() || program().has_roots();
  for (int b = 0; b < program().num_blocks(); ++b)
    can_deceive_ = can_deceive_ || !program().is_quasilinear(b);
}

void TaylorStepper::set_parameters(std::span<const double> values) {
  expansion_.set_parameters(values);
  parameters_.assign(values.begin(), values.end());
  has_parameters_ahead_ = false;
  is_expanded_ = false;
}

void TaylorStepper::make_tables() {
  int length = 0, highest = 0;
  for (int d : program().structure().d) length = std::max(length, d + order_);
  for (const codegen::JetEntry& entry : program().entries())
    highest = std::max(highest, entry.order);
  for (const Given& given : given_) highest = std::max(highest, given.derivative);
  for (int q = 0; q <= highest; ++q) {
    std::vector<double>& factors = falling_.emplace_back();
    for (int n = q; n < length; ++n) factors.push_back(falling(static_cast<std::size_t>(n), q));
  }
  terms_ = falling_;
  powers_.resize(static_cast<std::size_t>((length + 3) / 4 * 4));
}

void TaylorStepper::start(double t, std::span<const double> state, double direction, double step) {
  if (state.size() != state_.size())
    throw UsageError(fmt::format("{} state values, expected {}", state.size(), state_.size()));
  t_ = t;
  std::copy(state.begin(), state.end(), state_.begin());
  std::fill(carry_.begin(), carry_.end(), 0.0);
  expansion_.forget_past();
  if (next_) next_->forget_past();
  direction_ = direction;
  guess_ = last_step_ = std::abs(step);
  longest_ = options_.max_step > 0 ? options_.max_step : std::numeric_limits<double>::infinity();
  refused_.reset();
  noise_ = 0;
  std::fill(recent_.begin(), recent_.end(), 0.0);
  num_standing_ = 0;
  next_time_.reset();
  departure_.reset();
  is_expanded_ = false;
  is_first_ = true;
  is_step_too_small_ = false;
}

double TaylorStepper::smallest_step() const {
  const double ulps = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), 1e-290);
  return std::max(options_.min_step, ulps);
}

double TaylorStepper::tolerance(int variable, double value) const {
  return options_.margin *
         (atol_[static_cast<std::size_t>(variable)] + options_.rtol * std::abs(value));
}

// Of each entry of the state, 1 / tolerance. Returns the rounding error of the largest one, in
// tolerances.
double TaylorStepper::set_weights(std::span<const double> state,
                                  std::vector<double>& weights) const {
  double largest = 0;
  for (std::size_t e = 0; e < weights.size(); ++e) {
    weights[e] = 1.0 / tolerance(components_[e].variable, state[e]);
    largest = std::max(largest, std::abs(state[e]) * weights[e]);
  }
  return std::numeric_limits<double>::epsilon() * largest;
}

bool TaylorStepper::try_expand() {
  rounding_ = set_weights(state_, weights_);
  while (true) {
    ++counters_.expansions;
    last_ = expansion_.expand({.time = t_,
                               .step = direction_ * guess_,
                               .order = order_,
                               .state = state_,
                               .weights = weights_});
    // The first guess of the scale may be too coarse by orders of magnitude.
    const bool is_overflow = last_.status == codegen::ExpandStatus::kNotFinite;
    if (!is_first_ || !is_overflow || kRescale * guess_ < smallest_step()) break;
    guess_ *= kRescale;
  }
  if (!last_.ok()) return false;
  counters_.max_displacement = std::max(counters_.max_displacement, last_.displacement);
  return true;
}

bool TaylorStepper::expand(double limit) {
  limit_ = limit;
  if (!is_expanded_) {
    if (guess_ == 0) guess_ = kFirstGuess * std::min(1.0, std::abs(limit - t_));
    if (guess_ == 0) guess_ = kFirstGuess;
    if (!try_expand()) return false;
    measure_coefficients();
    is_expanded_ = true;
  }
  choose_reach();
  wanted_ = std::abs(reach_ - t_);
  is_step_too_small_ = wanted_ < smallest_step() && reach_ != limit;
  return !is_step_too_small_;
}

// The last eight orders, as many as choose_step() looks at.
void TaylorStepper::measure_coefficients() {
  std::fill(sizes_.begin(), sizes_.end(), 0.0);
  const auto p = static_cast<std::size_t>(order_);
  const std::size_t first = p >= 8 ? p - 7 : 1;
  const double inverse_scale = 1.0 / std::abs(expansion_.scale());
  const StepKernels& kernels = step_kernels();
  LastEight last;
  for (std::size_t k = 0; k < components_.size(); ++k) {
    Component& component = components_[k];
    const std::span<const double> series = expansion_.series(component.variable);
    const std::size_t q = component.derivative;
    component.unit =
        k < weights_.size()
            ? weights_[k]
            : 1.0 / tolerance(component.variable,
                              std::max(std::abs(series[0]), recent_[slot(component.variable)]));
    for (std::size_t i = 0; i < q; ++i) component.unit *= inverse_scale;
    const double *factors = falling_[q].data() + first, *values = series.data() + q + first;
    if (p >= 8 && p + q < series.size()) {
      kernels.measure(component.unit, factors, values, last);
      continue;
    }
    for (std::size_t n = first; n <= p && n + q < series.size(); ++n)
      sizes_[n] = std::max(sizes_[n], std::abs(component.unit * falling_[q][n] * series[n + q]));
  }
  growth_ = last.growth;
  for (std::size_t i = 0; i < 8 && p >= 8; ++i)
    sizes_[first + i] = std::max(sizes_[first + i], last.sizes[i]);
}

int TaylorStepper::limiting_entry() const {
  const auto p = static_cast<std::size_t>(order_);
  double largest = 0;
  int entry = -1;
  for (std::size_t k = 0; k < components_.size(); ++k) {
    const Component& component = components_[k];
    const std::span<const double> series = expansion_.series(component.variable);
    const std::size_t q = component.derivative;
    for (std::size_t n = p > 3 ? p - 3 : 1; n <= p && n + q < series.size(); ++n) {
      const double size = std::abs(component.unit * falling_[q][n] * series[n + q]);
      if (size <= largest) continue;
      largest = size;
      entry = k < weights_.size() ? static_cast<int>(k) : -1;
    }
  }
  return entry;
}

void TaylorStepper::choose_reach() {
  choice_ = choose_step(sizes_, rounding_, is_first_);
  double tau = choice_.tau;
  // A function may be as good as constant now and not later. Then its coefficients vanish, are
  // rounding errors, or are tiny and grow from order to order at the scale of the step.
  const double before_growth = std::pow(kMostGrowthOfTerms * kMostGrowthOfTerms / growth_, 1.0 / 8);
  is_earned_ = !program().can_be_flat() || (choice_.is_earned && tau <= before_growth);
  if (!is_earned_)
    tau = std::min(tau, std::max(kUnearnedGrowth, choice_.is_earned ? before_growth : 0.0));
  const double scale = std::abs(expansion_.scale());
  guess_ = std::min({tau * scale, longest_, std::abs(limit_ - t_)});
  if (program().can_be_flat())
    guess_ = std::max(expansion_.first_change(guess_ / scale) * scale, smallest_step());
  guess_ = std::min(guess_ < std::abs(limit_ - t_) ? guess_ : tau * scale, longest_);
  // The last two steps share what is left, rather than leave a tiny one.
  const double left = std::abs(limit_ - t_);
  if (guess_ >= left)
    reach_ = limit_;
  else
    reach_ = t_ + direction_ * (guess_ > 0.7 * left ? 0.5 * left : guess_);
}

// --- whether a step is believed

bool TaylorStepper::settle() {
  while (true) {
    const bool is_good =
        is_believed_inside() && (reach_ == limit_ ? is_believed_where_it_ends(reach_)
                                                  : is_believed(reach_, Look::kWholeSeries));
    if (is_good) return true;
    if (!shorten_after_miss(reach_)) return false;
  }
}

bool TaylorStepper::confirm(double t) {
  if (is_believed_where_it_ends(t)) return true;
  const double reach = reach_;
  if (shorten_after_miss(t)) return false;
  reach_ = reach;  // what is not believed however short the step ends here
  return true;
}

bool TaylorStepper::is_believed(double t, Look look) {
  if (!expand_at(t, look)) return false;
  const double most = std::max(kMostMiss, kMostNoise * next_rounding_);
  return miss_.state <= most && miss_.value <= std::max(most, 2 * noise_);
}

// What no series continues is looked at only if coefficients can deceive. At an event a root may
// vanish: then there are no series, but those at hand are good until there.
bool TaylorStepper::is_believed_where_it_ends(double t) {
  if (!can_deceive_) return true;
  if (is_believed(t, Look::kDerivatives)) return true;
  return !last_.ok() && is_believed(t_ + kBeforeEnd * (t - t_), Look::kDerivatives);
}

// A step that grows although the coefficients say nothing about it is looked at in between.
bool TaylorStepper::is_believed_inside() {
  if (is_earned_ || std::abs(reach_ - t_) <= kPlainGrowth * last_step_) return true;
  return std::all_of(std::begin(kLooks), std::end(kLooks), [&](double part) {
    return is_believed(t_ + part * (reach_ - t_), Look::kDerivatives);
  });
}

// The solution at t from the state that the series predict.
bool TaylorStepper::expand_at(double t, Look look) {
  predict(t);
  if (!next_) {
    next_.emplace(expansion_.shared_program(), order_);
    set_nominal(*next_);
  }
  if (!has_parameters_ahead_) next_->set_parameters(parameters_);
  has_parameters_ahead_ = true;
  next_time_.reset();
  next_rounding_ = set_weights(next_state_, next_weights_);
  ++counters_.expansions;
  last_ = next_->expand({.time = t,
                         .step = direction_ * guess_,
                         .order = look == Look::kWholeSeries ? order_ : 1,
                         .state = next_state_,
                         .weights = next_weights_});
  miss_ = last_.ok() ? miss_at(t) : Miss{HUGE_VAL, HUGE_VAL};
  if (look == Look::kWholeSeries) next_time_ = t;
  return last_.ok();
}

// How far the derivatives of the series are from those that the equations give, in tolerances. An
// error e of a series of order p at the end of a step h shows as p e / h in its derivative; where a
// longer step was not believed there may be no series to speak of, and a difference lasts for h.
TaylorStepper::Miss TaylorStepper::miss_at(double t) const {
  const double part = std::abs(t - t_) / (refused_ ? 1 : order_);
  Miss largest{last_.displacement, 0};
  for (const Given& given : given_) {
    const auto q = static_cast<std::size_t>(given.derivative);
    const std::span<const double> series = expansion_.series(given.variable);
    const double predicted =
        step_kernels().dot(series.data() + q, terms_[q].data(), series.size() - q);
    double found = next_->series(given.variable)[q] * falling_[q][0];
    for (std::size_t k = 0; k < q; ++k) found /= next_->scale();
    const double miss = std::abs(predicted - found);
    if (given.entry >= 0) {
      const double weight = next_weights_[static_cast<std::size_t>(given.entry)];
      largest.state = std::max(largest.state, part * miss * weight);
      continue;
    }
    // Relative to its size here and before: where it passes zero, it is as accurate as beside it.
    double size = std::max(std::abs(found), recent_[slot(given.variable)]);
    for (std::size_t n = q; n < std::min(q + 2, series.size()); ++n)
      size = std::max(size, std::abs(series[n] * terms_[q][n - q]));
    const double in_tolerances = miss / tolerance(given.variable, size);
    if (in_tolerances * options_.margin * options_.rtol > kLeastMiss)
      largest.value = std::max(largest.value, in_tolerances);
  }
  return largest;
}

// An error of the series falls with the step, steeply. What does not is rounding of ill-conditioned
// equations: at once if it is small, else if it stands several times.
bool TaylorStepper::is_noise() const {
  if (!refused_ || miss_.state > std::max(kMostMiss, kMostNoise * next_rounding_)) return false;
  if (miss_.value < kStands * refused_->value) return false;
  return refused_->value * options_.margin * options_.rtol < kIllConditioned ||
         num_standing_ >= kStandsFor;
}

// False: the step is too short.
bool TaylorStepper::shorten_after_miss(double t) {
  if (is_noise()) {
    noise_ = refused_->value;
    reach_ = refused_reach_;
    refused_.reset();
    num_standing_ = 0;
    return true;
  }
  const bool stands = refused_ && miss_.value >= kStands * refused_->value;
  num_standing_ = stands ? num_standing_ + 1 : 0;
  const double share = kShorter * std::pow(std::max(miss_.state, miss_.value), -1.0 / order_);
  wanted_ = std::clamp(share, kShortest, kShorter) * std::abs(t - t_);
  ++counters_.rejected_steps;
  is_step_too_small_ = !(wanted_ >= smallest_step());
  if (is_step_too_small_) return false;
  refused_ = miss_;
  refused_reach_ = t;
  guess_ = longest_ = wanted_;
  reach_ = t_ + direction_ * wanted_;
  return true;
}

// Entries of the state at `t` by the series: the increment first, the value last, and the rounding
// error of their sum for the next step.
void TaylorStepper::predict(double t) {
  fill_terms((t - t_) / expansion_.scale());
  const std::span<const codegen::JetEntry> entries = program().entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const std::span<const double> series = expansion_.series(entries[e].variable);
    const auto q = static_cast<std::size_t>(entries[e].order);
    const double now = expansion_.state()[e];
    const double increment =
        step_kernels().dot(series.data() + q + 1, terms_[q].data() + 1, series.size() - q - 1) +
        carry_[e];
    next_state_[e] = now + increment;
    next_carry_[e] = increment - (next_state_[e] - now);
  }
}

void TaylorStepper::fill_terms(double tau) {
  const StepKernels& kernels = step_kernels();
  kernels.fill_powers(tau, powers_.data(), powers_.size());
  double unit = 1;
  for (std::size_t q = 0; q < terms_.size(); ++q, unit /= expansion_.scale())
    kernels.multiply(falling_[q].data(), powers_.data(), unit, terms_[q].data(), terms_[q].size());
}

void TaylorStepper::remember_sizes() {
  for (const Given& given : given_)
    if (given.entry < 0) {
      double& size = recent_[slot(given.variable)];
      const double here = std::abs(expansion_.series(given.variable)[0]);
      size = std::isfinite(here) ? std::max(kFading * size, here) : size;
    }
}

void TaylorStepper::advance(double t) {
  if (is_expanded_) remember_sizes();
  const bool is_known = next_time_ == t;
  if (!is_known) predict(t);
  std::swap(state_, next_state_);
  std::swap(carry_, next_carry_);
  last_step_ = std::abs(t - t_);
  t_ = t;
  longest_ = options_.max_step > 0 ? options_.max_step : std::numeric_limits<double>::infinity();
  refused_.reset();
  num_standing_ = 0;
  next_time_.reset();
  departure_.reset();
  is_expanded_ = is_known;
  is_first_ = false;
  ++counters_.steps;
  if (!is_known) return;
  std::swap(expansion_, *next_);
  std::swap(weights_, next_weights_);
  rounding_ = next_rounding_;
  counters_.max_displacement = std::max(counters_.max_displacement, last_.displacement);
  measure_coefficients();
}

double TaylorStepper::value(int variable, int derivative, double t) const {
  if (departure_ && t == departure_->t && !departure_->jets.empty()) {
    const std::vector<double>& jet = departure_->jets[slot(variable)];
    if (slot(derivative) < jet.size()) return jet[slot(derivative)];
  }
  const std::span<const double> series = expansion_.series(variable);
  const double scale = expansion_.scale();
  double here = series[static_cast<std::size_t>(derivative)] *
                falling(static_cast<std::size_t>(derivative), derivative);
  for (int k = 0; k < derivative; ++k) here /= scale;
  return here + (t == t_ ? 0.0 : increment_of(series, derivative, (t - t_) / scale, scale));
}

}  // namespace hydae::integrate

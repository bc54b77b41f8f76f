#include "integrate/taylor_stepper.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include <hydae/error.h>

#include "linalg/simd.h"

namespace hydae::integrate {
namespace {

constexpr double kMostDisplacement = 10;  // of the projection, in units of the tolerance
constexpr double kMostNoise = 1e4;        // of it at tight tolerances, in rounding errors
constexpr double kShorten = 0.25;         // of a step that was taken back
constexpr double kFirstGuess = 1e-2;      // step at which the first expansion is scaled
constexpr double kRescale = 1e-4;         // of the guess if coefficients overflow
constexpr double kLeastMiss = 1e-9;       // of an iterated variable, relative: less is rounding
constexpr double kIllConditioned = 1e-6;  // the same for an ill-conditioned iteration

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

// sum a_i b_i, the last terms (of a series: the smallest) first.
double dot(const double* a, const double* b, std::size_t count) {
  using linalg::load4;
  double rest = 0;
  for (; count % 4 != 0; --count) rest += a[count - 1] * b[count - 1];
  if (count == 0) return rest;
  linalg::Vec4 sum{};
  for (; count > 0; count -= 4) sum += load4(a + count - 4) * load4(b + count - 4);
  return rest + linalg::sum4(sum);
}

HYDAE_INLINE linalg::Vec4 largest4(const linalg::Vec4& bound, const linalg::Vec4& value) {
  const linalg::Vec4 above = value > bound ? value : bound;
  return -value > above ? -value : above;
}

}  // namespace

TaylorStepper::TaylorStepper(std::shared_ptr<const codegen::Program> program,
                             const TaylorOptions& options, std::vector<double> atol)
    : expansion_(program, options.order > 0 ? options.order : order_for_tolerance(options.rtol)),
      options_(options),
      atol_(std::move(atol)),
      order_(expansion_.max_order()) {
  for (int e = 0; e < program->num_state(); ++e) {
    const codegen::JetEntry entry = program->entries()[static_cast<std::size_t>(e)];
    components_.push_back({entry.variable, static_cast<std::size_t>(entry.order)});
  }
  for (std::size_t e = components_.size(); e < program->entries().size(); ++e)
    if (program->entries()[e].order == 0) iterated_.push_back(e);
  if (!iterated_.empty()) end_.emplace(program, 1);
  // Variables without a state are looked at by their own series.
  std::vector<bool> has_state(static_cast<std::size_t>(program->num_variables()), false);
  for (const Component& component : components_)
    has_state[static_cast<std::size_t>(component.variable)] = true;
  for (int j = 0; j < program->num_variables(); ++j)
    if (!has_state[static_cast<std::size_t>(j)]) components_.push_back({j, 0});
  make_tables();
  sizes_.resize(static_cast<std::size_t>(order_) + 1);
  state_.resize(program->entries().size());
  carry_.resize(state_.size());
  end_state_.resize(state_.size());
  weights_.resize(static_cast<std::size_t>(program->num_state()));
}

void TaylorStepper::set_parameters(std::span<const double> values) {
  expansion_.set_parameters(values);
  if (end_) end_->set_parameters(values);
  is_expanded_ = false;
}

void TaylorStepper::make_tables() {
  int length = 0, highest = 0;
  for (int d : program().structure().d) length = std::max(length, d + order_);
  for (const codegen::JetEntry& entry : program().entries())
    highest = std::max(highest, entry.order);
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
  previous_state_ = state_;
  previous_carry_ = carry_;
  direction_ = direction;
  guess_ = step != 0 ? std::abs(step) : kFirstGuess;
  has_previous_ = false;
  is_expanded_ = false;
  is_first_ = true;
  is_step_too_small_ = false;
}

double TaylorStepper::smallest_step() const {
  const double ulps = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), 1e-290);
  return std::max(options_.min_step, ulps);
}

void TaylorStepper::set_tolerances() {
  double largest = 0;
  for (std::size_t e = 0; e < weights_.size(); ++e) {
    const double atol = atol_[static_cast<std::size_t>(components_[e].variable)];
    weights_[e] = 1.0 / (options_.margin * (atol + options_.rtol * std::abs(state_[e])));
    largest = std::max(largest, std::abs(state_[e]) * weights_[e]);
  }
  rounding_ = std::numeric_limits<double>::epsilon() * largest;
}

bool TaylorStepper::try_expand() {
  set_tolerances();
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
  const double most = std::max(kMostDisplacement, kMostNoise * rounding_);
  const bool is_acceptable = !has_previous_ || last_.displacement <= most;
  if (is_acceptable)
    counters_.max_displacement = std::max(counters_.max_displacement, last_.displacement);
  return is_acceptable;
}

// Back to the start of the last step, with a shorter one. False if there is none or it is too
// short.
bool TaylorStepper::take_back() {
  if (!has_previous_) return false;
  const double step = kShorten * std::abs(t_ - previous_t_);
  t_ = previous_t_;
  state_ = previous_state_;
  carry_ = previous_carry_;
  has_previous_ = false;
  wanted_ = step;
  is_step_too_small_ = step < smallest_step();
  if (is_step_too_small_) return false;
  guess_ = step;
  ++counters_.rejected_steps;
  --counters_.steps;
  return true;
}

bool TaylorStepper::expand(double limit) {
  if (!is_expanded_) {
    longest_ = options_.max_step > 0 ? options_.max_step : std::numeric_limits<double>::infinity();
    if (!try_expand()) {
      const codegen::ExpandResult failure = last_;
      if (!take_back()) {
        last_ = failure;
        return false;
      }
      longest_ = guess_;
      if (!try_expand()) return false;
    }
    measure_coefficients();
    is_expanded_ = true;
  }
  choose_reach(limit, longest_);
  if (end_) keep_end_accurate();
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
  linalg::Vec4 early{}, late{};
  for (std::size_t k = 0; k < components_.size(); ++k) {
    Component& component = components_[k];
    const std::span<const double> series = expansion_.series(component.variable);
    const std::size_t q = component.derivative;
    component.unit = k < weights_.size() ? weights_[k] : 1.0 / tolerance_of(component.variable);
    for (std::size_t i = 0; i < q; ++i) component.unit *= inverse_scale;
    const double *factors = falling_[q].data() + first, *values = series.data() + q + first;
    if (p >= 8 && p + q < series.size()) {
      using linalg::load4;
      early = largest4(early, component.unit * load4(factors) * load4(values));
      late = largest4(late, component.unit * load4(factors + 4) * load4(values + 4));
      continue;
    }
    for (std::size_t n = first; n <= p && n + q < series.size(); ++n)
      sizes_[n] = std::max(sizes_[n], std::abs(component.unit * falling_[q][n] * series[n + q]));
  }
  for (std::size_t i = 0; i < 4 && p >= 8; ++i) {
    sizes_[first + i] = std::max(sizes_[first + i], early[i]);
    sizes_[first + i + 4] = std::max(sizes_[first + i + 4], late[i]);
  }
}

// Of a variable without a state.
double TaylorStepper::tolerance_of(int variable) const {
  const double size = std::abs(expansion_.series(variable)[0]);
  return options_.margin * (atol_[static_cast<std::size_t>(variable)] + options_.rtol * size);
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

void TaylorStepper::choose_reach(double limit, double longest) {
  choice_ = choose_step(sizes_, rounding_, is_first_);
  guess_ = std::min(choice_.tau * std::abs(expansion_.scale()), longest);
  // The last two steps share what is left, rather than leave a tiny one.
  const double left = std::abs(limit - t_);
  if (guess_ >= left)
    reach_ = limit;
  else
    reach_ = t_ + direction_ * (guess_ > 0.7 * left ? 0.5 * left : guess_);
}

// An error of the series falls with the step, steeply; what is small and does not fall is rounding
// of an ill-conditioned iteration.
void TaylorStepper::keep_end_accurate() {
  const double most = std::max(kMostDisplacement * options_.margin * options_.rtol, kLeastMiss);
  const double reach = reach_, guess = guess_;
  double last = std::numeric_limits<double>::infinity();
  for (double error = error_of_end(); error > most; error = error_of_end()) {
    const bool is_rounding = error > 0.5 * last && last < kIllConditioned;
    guess_ = kShorten * std::abs(reach_ - t_);
    if (is_rounding || guess_ < smallest_step()) {
      reach_ = reach;
      guess_ = guess;
      return;
    }
    reach_ = t_ + direction_ * guess_;
    last = error;
  }
}

bool TaylorStepper::confirm(double t) {
  if (!end_) return true;
  const double reach = std::exchange(reach_, t), guess = guess_;
  keep_end_accurate();
  if (reach_ != t) return false;
  reach_ = reach;
  guess_ = guess;
  return true;
}

// Of algebraic variables that are found by iteration, relative; absolutely where they are small.
double TaylorStepper::error_of_end() {
  predict(reach_, end_state_);
  const codegen::ExpandResult result = end_->expand({.time = reach_,
                                                     .step = direction_ * guess_,
                                                     .order = 1,
                                                     .state = end_state_,
                                                     .weights = {}});
  if (!result.ok()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t e : iterated_) {
    const auto variable = static_cast<std::size_t>(program().entries()[e].variable);
    const double value = end_->state()[e], size = std::abs(value) + atol_[variable] / options_.rtol;
    largest = std::max(largest, std::abs(value - end_state_[e]) / size);
  }
  return largest;
}

// Entries of the state at `t` by the series, without what is carried.
void TaylorStepper::predict(double t, std::vector<double>& entries) {
  fill_terms((t - t_) / expansion_.scale());
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const codegen::JetEntry entry = program().entries()[e];
    const std::span<const double> series = expansion_.series(entry.variable);
    const auto q = static_cast<std::size_t>(entry.order);
    entries[e] = expansion_.state()[e] +
                 dot(series.data() + q + 1, terms_[q].data() + 1, series.size() - q - 1);
  }
}

void TaylorStepper::fill_terms(double tau) {
  const double square = tau * tau;
  linalg::Vec4 power = {1, tau, square, square * tau};
  for (std::size_t n = 0; n < powers_.size(); n += 4, power *= square * square)
    linalg::store4(powers_.data() + n, power);
  double unit = 1;
  for (std::size_t q = 0; q < terms_.size(); ++q, unit /= expansion_.scale())
    for (std::size_t i = 0; i < terms_[q].size(); ++i)
      terms_[q][i] = falling_[q][i] * powers_[i] * unit;
}

void TaylorStepper::advance(double t) {
  previous_t_ = t_;
  std::copy(expansion_.state().begin(), expansion_.state().end(), previous_state_.begin());
  previous_carry_ = carry_;
  fill_terms((t - t_) / expansion_.scale());
  const std::span<const codegen::JetEntry> entries = program().entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const std::span<const double> series = expansion_.series(entries[e].variable);
    const auto q = static_cast<std::size_t>(entries[e].order);
    // The increment first, the value last, and the rounding error of their sum into the next step.
    const double now = expansion_.state()[e];
    const double increment =
        dot(series.data() + q + 1, terms_[q].data() + 1, series.size() - q - 1) + carry_[e];
    state_[e] = now + increment;
    carry_[e] = increment - (state_[e] - now);
  }
  t_ = t;
  has_previous_ = true;
  is_expanded_ = false;
  is_first_ = false;
  ++counters_.steps;
}

double TaylorStepper::value(int variable, int derivative, double t) const {
  const std::span<const double> series = expansion_.series(variable);
  const double scale = expansion_.scale();
  double here = series[static_cast<std::size_t>(derivative)] *
                falling(static_cast<std::size_t>(derivative), derivative);
  for (int k = 0; k < derivative; ++k) here /= scale;
  return here + (t == t_ ? 0.0 : increment_of(series, derivative, (t - t_) / scale, scale));
}

}  // namespace hydae::integrate

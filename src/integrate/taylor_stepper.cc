#include "integrate/taylor_stepper.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hydae/error.h>

#include "integrate/step_size.h"

namespace hydae::integrate {
namespace {

constexpr double kMostDisplacement = 10;  // of the projection, in units of the tolerance
constexpr double kShorten = 0.25;         // of a step that was taken back
constexpr double kFirstGuess = 1e-2;      // step at which the first expansion is scaled
constexpr double kRescale = 1e-4;         // of the guess if coefficients overflow

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
  for (int e = 0; e < program->num_state(); ++e) {
    const codegen::JetEntry entry = program->entries()[static_cast<std::size_t>(e)];
    components_.push_back({entry.variable, entry.order, static_cast<std::size_t>(entry.order)});
  }
  // Variables without a state are looked at by their own series.
  std::vector<bool> has_state(static_cast<std::size_t>(program->num_variables()), false);
  for (const Component& component : components_)
    has_state[static_cast<std::size_t>(component.variable)] = true;
  for (int j = 0; j < program->num_variables(); ++j)
    if (!has_state[static_cast<std::size_t>(j)]) components_.push_back({j, 0, 0});
  sizes_.resize(static_cast<std::size_t>(order_) + 1);
  state_.resize(program->entries().size());
  carry_.resize(state_.size());
  weights_.resize(static_cast<std::size_t>(program->num_state()));
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
  is_first_ = true;
  is_step_too_small_ = false;
}

double TaylorStepper::smallest_step() const {
  const double ulps = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), 1e-290);
  return std::max(options_.min_step, ulps);
}

void TaylorStepper::set_tolerances() {
  for (Component& component : components_)
    component.tolerance = options_.margin * atol_[static_cast<std::size_t>(component.variable)];
  for (std::size_t e = 0; e < weights_.size(); ++e) {
    Component& component = components_[e];
    component.tolerance += options_.margin * options_.rtol * std::abs(state_[e]);
    weights_[e] = 1.0 / component.tolerance;
  }
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
  const bool is_acceptable = !has_previous_ || last_.displacement <= kMostDisplacement;
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
  is_step_too_small_ = step < smallest_step();
  if (is_step_too_small_) return false;
  guess_ = step;
  ++counters_.rejected_steps;
  --counters_.steps;
  return true;
}

bool TaylorStepper::expand(double limit) {
  double longest =
      options_.max_step > 0 ? options_.max_step : std::numeric_limits<double>::infinity();
  if (!try_expand()) {
    const codegen::ExpandResult failure = last_;
    if (!take_back()) {
      last_ = failure;
      return false;
    }
    longest = guess_;
    if (!try_expand()) return false;
  }
  measure_coefficients();
  choose_reach(limit, longest);
  is_step_too_small_ = std::abs(reach_ - t_) < smallest_step() && reach_ != limit;
  return !is_step_too_small_;
}

void TaylorStepper::measure_coefficients() {
  std::fill(sizes_.begin(), sizes_.end(), 0.0);
  const auto p = static_cast<std::size_t>(order_);
  const std::size_t first = p > 8 ? p - 7 : 1;
  const double scale = std::abs(expansion_.scale());
  double largest = 0;
  for (std::size_t k = 0; k < components_.size(); ++k) {
    Component& component = components_[k];
    const std::span<const double> series = expansion_.series(component.variable);
    if (k >= weights_.size())
      component.tolerance = options_.margin * (atol_[static_cast<std::size_t>(component.variable)] +
                                               options_.rtol * std::abs(series[0]));
    double unit = 1.0 / component.tolerance;
    for (int q = 0; q < component.derivative; ++q) unit /= scale;
    for (std::size_t n = first; n <= p && n + component.first < series.size(); ++n) {
      double factor = unit;
      for (int q = 0; q < component.derivative; ++q)
        factor *= static_cast<double>(n + component.first - static_cast<std::size_t>(q));
      const double size = factor * std::abs(series[n + component.first]);
      if (size > sizes_[n]) sizes_[n] = size;
      if (n + 3 >= p && size > largest) {
        largest = size;
        limiting_entry_ = k < weights_.size() ? static_cast<int>(k) : -1;
      }
    }
  }
}

void TaylorStepper::choose_reach(double limit, double longest) {
  const StepChoice choice = choose_step(sizes_, is_first_);
  const double scale = std::abs(expansion_.scale());
  radius_ = choice.radius * scale;
  guess_ = std::min(choice.tau * scale, longest);
  // The last two steps share what is left, rather than leave a tiny one.
  const double left = std::abs(limit - t_);
  if (guess_ >= left)
    reach_ = limit;
  else
    reach_ = t_ + direction_ * (guess_ > 0.7 * left ? 0.5 * left : guess_);
}

void TaylorStepper::advance(double t) {
  previous_t_ = t_;
  std::copy(expansion_.state().begin(), expansion_.state().end(), previous_state_.begin());
  previous_carry_ = carry_;
  const double scale = expansion_.scale(), tau = (t - t_) / scale;
  const std::span<const codegen::JetEntry> entries = program().entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto series = expansion_.series(entries[e].variable);
    // The increment first, the value last, and the rounding error of their sum into the next step.
    const double now = expansion_.state()[e];
    const double increment = increment_of(series, entries[e].order, tau, scale) + carry_[e];
    state_[e] = now + increment;
    carry_[e] = increment - (state_[e] - now);
  }
  t_ = t;
  has_previous_ = true;
  is_first_ = false;
  ++counters_.steps;
}

double TaylorStepper::value(int variable, int derivative, double t) const {
  const std::span<const double> series = expansion_.series(variable);
  const double scale = expansion_.scale();
  double here = series[static_cast<std::size_t>(derivative)] *
                falling(static_cast<std::size_t>(derivative), derivative);
  for (int k = 0; k < derivative; ++k) here /= scale;
  return here + increment_of(series, derivative, (t - t_) / scale, scale);
}

}  // namespace hydae::integrate

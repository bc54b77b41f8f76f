#include "sim/rounding_probe.h"

#include <algorithm>
#include <cmath>

namespace hydae {
namespace {

constexpr unsigned kNumPatterns = 3;  // as is usual: that all of them are small by chance is rare
// Coefficients: those that decide a sign are the first that do not vanish.
constexpr int kOrder = 5;
// What rounding does to the solution is to first order what it does to the equations, as long as
// the smallest change that makes them singular is far larger.
constexpr double kMostCondition = 1e12;

}  // namespace

RoundingProbe::RoundingProbe(std::shared_ptr<const codegen::Program> program)
    : program_(std::move(program)) {}

void RoundingProbe::aim(const codegen::Expansion& of, const std::vector<double>& table) {
  of_ = &of;
  table_ = table;
}

bool RoundingProbe::is_measured() const {
  return expansion_ && measured_.time == of_->time() && measured_.scale == of_->scale() &&
         measured_.table == table_ && std::ranges::equal(measured_.state, of_->state());
}

void RoundingProbe::measure() {
  if (!expansion_) expansion_.emplace(program_, kOrder, codegen::RowTerms::kAll);
  measured_ = {of_->time(), of_->scale(), {of_->state().begin(), of_->state().end()}, table_};
  roundings_.assign(static_cast<std::size_t>(program_->num_outputs()) * kOrder, 0.0);
  expansion_->set_parameters(table_);
  codegen::ExpandRequest request{.time = measured_.time,
                                 .step = measured_.scale,
                                 .order = std::min(kOrder, of_->order()),
                                 .state = measured_.state};
  std::vector<double> plain;
  is_known_ = expand(request, plain);
  for (unsigned pattern = 1; is_known_ && pattern <= kNumPatterns; ++pattern) {
    request.disturbance = pattern;
    is_known_ = compare(request, plain);
  }
}

bool RoundingProbe::compare(const codegen::ExpandRequest& request,
                            const std::vector<double>& plain) {
  std::vector<double> moved;
  if (!expand(request, moved)) return false;
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const double change = std::abs(moved[k] - plain[k]);
    if (change > roundings_[k]) roundings_[k] = change;
  }
  return true;
}

// All outputs, by coefficient; zero behind the last one.
bool RoundingProbe::expand(const codegen::ExpandRequest& request, std::vector<double>& series) {
  const codegen::ExpandResult result = expansion_->expand(request);
  if (!result.ok() || !(result.condition < kMostCondition)) return false;
  series.assign(roundings_.size(), 0.0);
  for (int k = 0; k < program_->num_outputs(); ++k) {
    const auto output = expansion_->output_series(k);
    std::copy_n(output.begin(), std::min<std::size_t>(output.size(), kOrder),
                series.begin() + std::ptrdiff_t{k} * kOrder);
  }
  return true;
}

std::span<const double> RoundingProbe::roundings(std::size_t output) {
  if (!is_measured()) measure();
  if (!is_known_) return {};
  return std::span<const double>(roundings_).subspan(output * kOrder, kOrder);
}

void KnownRoundings::note(std::size_t guard, std::span<const double> roundings, double scale) {
  std::vector<double>& known = by_guard_[guard];
  known.assign(roundings.begin(), roundings.end());
  double power = 1;
  for (double& rounding : known) {
    rounding /= power;
    power *= std::abs(scale);
  }
}

// A unit may be a million times another one.
bool KnownRoundings::are_far_below(double entry, std::size_t guard, double scale) const {
  constexpr double kFar = 1e6;
  const auto known = by_guard_.find(guard);
  if (known == by_guard_.end()) return false;
  double largest = 0, power = 1;
  for (double rounding : known->second) {
    largest = std::max(largest, rounding * power);
    power *= std::abs(scale);
  }
  return largest > 0 && std::abs(entry) > kFar * largest;
}

}  // namespace hydae

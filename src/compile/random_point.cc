#include "compile/random_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compile/start_values.h"

namespace hydae {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// SplitMix64 (Steele, Lea, Flood 2014): a good mixer of counters.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Into [min, max]. A start value outside its bounds must not put all samples on a bound, where
// derivatives may vanish.
double reflected(double value, double min, double max) {
  if (value < min) value = 2 * min - value;
  if (value > max) value = 2 * max - value;
  return std::clamp(value, min, std::max(min, max));
}

}  // namespace

SampleSpace::SampleSpace(const Model& model, std::vector<double> table)
    : parameters_(table.empty() ? model.parameter_values() : std::move(table)),
      start_time_(model.experiment.start_time.value_or(0.0)) {
  const auto number = [&](const std::optional<Expr>& expr, double otherwise) {
    return expr ? number_of(model, *expr, parameters_).value_or(otherwise) : otherwise;
  };
  centres_.reserve(model.num_variables());
  for (const Variable& variable : model.all_variables()) {
    Centre centre;
    centre.nominal = std::abs(number(variable.nominal, 1.0));
    centre.min = number(variable.min, -kUnbounded);
    centre.max = number(variable.max, kUnbounded);
    for (const StartValue& start : variable.starts) {
      const auto order = static_cast<std::size_t>(start.order);
      if (centre.starts.size() <= order) centre.starts.resize(order + 1, 0.0);
      centre.starts[order] = number(start.value, 0.0);
    }
    centres_.push_back(std::move(centre));
  }
}

SamplePoint::SamplePoint(const SampleSpace& space, int attempt)
    : space_(&space), seed_(mixed(static_cast<std::uint64_t>(attempt) + 1)) {
  static constexpr double kSpreads[] = {
      0.1, 0.5, 0.02, 1e-3};  // about the start values, by turns: where a model is defined
  spread_ = kSpreads[static_cast<std::size_t>(attempt / 6) % std::size(kSpreads)];
  is_relative_ = attempt % 2 == 1;
  is_elsewhere_ = attempt % 3 == 2;
  time_ = space.start_time_ + spread_ * (1.1 + random(~0ull, 0));
}

double SamplePoint::random(std::uint64_t a, std::uint64_t b) const {
  const std::uint64_t bits = mixed(seed_ ^ mixed(a * 0x10001 + b));
  return 2.0 * static_cast<double>(bits >> 11) * 0x1p-53 - 1.0;
}

double SamplePoint::value(Leaf leaf) const {
  const std::size_t v = leaf.variable.index();
  const double u = random(v, static_cast<std::uint64_t>(leaf.order));
  if (v >= space_->centres_.size()) return 1.0 + spread_ * u;  // an unknown that a repair has added
  const SampleSpace::Centre& centre = space_->centres_[v];
  const auto order = static_cast<std::size_t>(leaf.order);
  const bool has_start = !is_elsewhere_ && order < centre.starts.size();
  const double start = has_start ? centre.starts[order] : centre.nominal;
  const double scale =
      is_relative_ && start != 0 ? std::abs(start) : std::max(std::abs(start), centre.nominal);
  const double value = start + spread_ * scale * u;
  return leaf.order == 0 ? reflected(value, centre.min, centre.max) : value;
}

double SamplePoint::start_or_value(Leaf leaf) const {
  const auto order = static_cast<std::size_t>(leaf.order);
  if (leaf.variable.index() < space_->centres_.size()) {
    const std::vector<double>& starts = space_->centres_[leaf.variable.index()].starts;
    if (order < starts.size() && starts[order] != 0) return starts[order];
  }
  return value(leaf);
}

std::vector<double> SamplePoint::values(const std::vector<Leaf>& leaves) const {
  std::vector<double> values;
  values.reserve(leaves.size());
  for (Leaf leaf : leaves) values.push_back(value(leaf));
  return values;
}

}  // namespace hydae

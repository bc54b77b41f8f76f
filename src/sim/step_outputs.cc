#include "sim/step_outputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "poly/polynomial.h"

namespace hydae {
namespace {

// Of a series of an output. More of them reach further before the step must be divided, and cost
// their square; functions with a rate of w need parts of about 6/w with twenty.
constexpr int kNumCoefficients = 20;
constexpr double kUnit = std::numeric_limits<double>::epsilon();
// Of an interpolated leaf, relative to its size: eight digits decide signs as well as states do.
constexpr double kPoor = 1e-8;

// Over the step: where a leaf passes zero, it is as accurate as beside it. By its first
// derivatives: the others may be those of a series that does not come as far as the end of the step
// (of a past whose pieces are short), and say nothing of sizes.
double size_of(const LeafOverStep& leaf, double value) {
  constexpr std::size_t kDerivatives = 2;
  double size = std::abs(value);
  for (std::size_t n = 0; n < leaf.coefficients.size() && n <= kDerivatives; ++n)
    size = std::max(size, std::abs(leaf.coefficients[n]));
  return size;
}

}  // namespace

StepOutputs::StepOutputs(OutputProgram program)
    : program_(std::move(program.program)),
      expansion_(program_, kNumCoefficients),
      leaves_(std::move(program.leaves)),
      over_step_(leaves_.size()),
      is_read_(leaves_.size(), 0),
      is_measured_(leaves_.size(), 0),
      errors_(leaves_.size(), 0.0),
      remainders_(leaves_.size(), 0.0) {}

void StepOutputs::set_parameters(std::span<const double> values) {
  expansion_.set_parameters(values);
  parameters_.assign(values.begin(), values.end());
  is_enclosure_current_ = false;
}

void StepOutputs::begin(double from, double to, LeafSource& source) {
  from_ = from;
  to_ = to;
  source_ = &source;
  is_enclosure_current_ = false;
  std::fill(is_read_.begin(), is_read_.end(), 0);
  std::fill(is_measured_.begin(), is_measured_.end(), 0);
}

const LeafOverStep& StepOutputs::leaf(int input) {
  const auto i = static_cast<std::size_t>(input);
  if (is_read_[i] == 0) {
    over_step_[i].coefficients.clear();
    over_step_[i].error = over_step_[i].rounding = 0;
    over_step_[i].is_carried = true;
    source_->read(i, over_step_[i]);
    is_read_[i] = 1;
  }
  return over_step_[i];
}

const LeafOverStep& StepOutputs::leaf_with_errors(int input) {
  leaf(input);
  const auto i = static_cast<std::size_t>(input);
  if (std::exchange(is_measured_[i], 1) == 0) source_->measure(i, over_step_[i]);
  return over_step_[i];
}

// The polynomial about another place, cut off where the series ends: what is cut is small where
// the part of the step is.
void StepOutputs::fill(int input, double begin, double width) {
  const LeafOverStep& over_step = leaf(input);
  const std::span<double> out = expansion_.input(input);
  remainders_[static_cast<std::size_t>(input)] = 0;
  if (over_step.coefficients.empty()) return interpolate(input, begin, width);
  local_.assign(over_step.coefficients.begin(), over_step.coefficients.end());
  poly::recentre(local_, begin, width);
  const std::size_t count = std::min(local_.size(), out.size());
  std::copy_n(local_.begin(), count, out.begin());
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(count), out.end(), 0.0);
}

void StepOutputs::interpolate(int input, double begin, double width) {
  std::array<double, poly::Interpolation::kNumPoints> values{};
  double size = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = source_->value(static_cast<std::size_t>(input),
                               begin + width * poly::Interpolation::points()[k]);
    size = std::max(size, std::abs(values[k]));
  }
  const poly::Interpolation over_part(values);
  const std::span<double> out = expansion_.input(input);
  std::fill(out.begin(), out.end(), 0.0);
  std::ranges::copy(over_part.coefficients(), out.begin());
  remainders_[static_cast<std::size_t>(input)] = over_part.remainder();
  has_remainders_ = has_remainders_ || over_part.remainder() > 0;
  if (!(over_part.remainder() <= kPoor * size)) is_poor_ = true;
}

double StepOutputs::interpolation_error(std::size_t output) {
  if (!has_remainders_) return 0;
  return expansion_.error_of_value(static_cast<int>(output), remainders_, 0);
}

std::span<const double> StepOutputs::series(std::size_t output, double begin, double width) {
  const int k = static_cast<int>(output);
  if (expansion_.has_code(k)) return {};
  is_poor_ = has_remainders_ = false;
  expansion_.set_time(from_ + begin * (to_ - from_), width * (to_ - from_));
  for (int input : expansion_.inputs_of(k)) fill(input, begin, width);
  if (!expansion_.expand(k)) return {};
  return expansion_.series(k);
}

bool StepOutputs::enclose(std::size_t output, const EnclosedPart& part,
                          OutputEnclosure& enclosure) {
  if (!enclosure_) enclosure_.emplace(program_);
  if (!std::exchange(is_enclosure_current_, true)) {
    enclosure_->set_parameters(parameters_);
    enclosure_->begin(from_, to_);
  }
  const auto polynomial = [this](int input) { return &leaf(input).coefficients; };
  return enclosure_->enclose(static_cast<int>(output), polynomial, part, enclosure);
}

double StepOutputs::value(std::size_t output, double place) {
  const int k = static_cast<int>(output);
  expansion_.set_time(from_ + place * (to_ - from_), 0);
  for (int input : expansion_.inputs_of(k)) {
    const std::vector<double>& coefficients = leaf(input).coefficients;
    expansion_.input(input)[0] = coefficients.empty()
                                     ? source_->value(static_cast<std::size_t>(input), place)
                                     : poly::evaluate(coefficients, place);
  }
  return expansion_.evaluate(k);
}

double StepOutputs::error_of_leaf(int input, double place) {
  const LeafOverStep& over_step = leaf_with_errors(input);
  return over_step.error * std::pow(place, over_step.error_order) + over_step.rounding +
         kUnit * std::abs(expansion_.input(input)[0]);
}

double StepOutputs::error_by_leaves(std::size_t output) {
  return expansion_.error_of_value(static_cast<int>(output), errors_,
                                   kUnit * std::max(std::abs(from_), std::abs(to_)));
}

double StepOutputs::error(std::size_t output, double place) {
  for (int input : expansion_.inputs_of(static_cast<int>(output)))
    errors_[static_cast<std::size_t>(input)] = error_of_leaf(input, place);
  return error_by_leaves(output);
}

double StepOutputs::inherited_error(std::size_t output, double place, double rtol) {
  for (int input : expansion_.inputs_of(static_cast<int>(output))) {
    double& error = errors_[static_cast<std::size_t>(input)];
    error = error_of_leaf(input, place);
    if (!leaf(input).is_carried)
      error = std::min(error, rtol * std::abs(expansion_.input(input)[0]));
  }
  return error_by_leaves(output);
}

double StepOutputs::rounding(std::size_t output) {
  for (int input : leaves_of(output))
    errors_[static_cast<std::size_t>(input)] =
        kUnit * size_of(leaf(input), expansion_.input(input)[0]) + leaf_with_errors(input).rounding;
  return error_by_leaves(output);
}

double StepOutputs::size_of_terms(std::size_t output) {
  value(output, 0);
  for (int input : leaves_of(output))
    errors_[static_cast<std::size_t>(input)] = size_of(leaf(input), expansion_.input(input)[0]);
  return expansion_.error_of_value(static_cast<int>(output), errors_, 0);
}

}  // namespace hydae

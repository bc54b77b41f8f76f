#include "sim/step_enclosure.h"

namespace hydae {
namespace {

using poly::Interval;

// The last one is the remainder. Parts of a step in which twenty coefficients converge are halved a
// few times for ten of them, which cost a quarter each.
constexpr int kNumEnclosed = 10;

// Powers of s over its part: even ones are not negative.
Interval power_of(Interval s, int exponent) { return pow(s, exponent); }

}  // namespace

Interval OutputEnclosure::range(int num_zeros) const {
  Interval sum = 0;
  for (std::size_t k = static_cast<std::size_t>(num_zeros); k < coefficients.size(); ++k)
    sum += coefficients[k] * power_of(variable, static_cast<int>(k) - num_zeros);
  if (num_zeros > 0) return sum;
  // Both contain it.
  const double lower = std::max(sum.lower(), value.lower());
  const double upper = std::min(sum.upper(), value.upper());
  return lower <= upper ? Interval::hull(lower, upper) : sum;
}

Interval OutputEnclosure::slope() const {
  Interval sum = 0;
  for (std::size_t k = 1; k < coefficients.size(); ++k)
    sum += Interval(static_cast<double>(k)) * coefficients[k] *
           power_of(variable, static_cast<int>(k) - 1);
  return sum;
}

StepEnclosure::StepEnclosure(std::shared_ptr<const codegen::Program> program)
    : expansion_(std::move(program), kNumEnclosed) {}

// p(centre + unit (s + tau)) in powers of tau: about the centre, then for all s at once.
void StepEnclosure::fill(int leaf, const std::vector<double>& polynomial, Interval centre,
                         const EnclosedPart& part, Interval s) {
  local_.assign(polynomial.begin(), polynomial.end());
  const std::size_t n = local_.size();
  const auto shift = [&](Interval by) {
    for (std::size_t k = 0; k + 1 < n; ++k)
      for (std::size_t i = n - 1; i-- > k;) local_[i] += by * local_[i + 1];
  };
  shift(centre);
  Interval power = 1;
  for (Interval& coefficient : local_) {
    coefficient = coefficient * power;
    power = power * Interval(part.unit);
  }
  if (s.lower() != 0 || s.upper() != 0) shift(s);
  const auto out = expansion_.input(leaf);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = k < n ? local_[k] : Interval(0);
}

std::span<const Interval> StepEnclosure::expand(int output, const Polynomials& polynomials,
                                                const EnclosedPart& part, Interval s) {
  const Interval centre = part.centre;
  const Interval place = centre + Interval(part.unit) * s;
  expansion_.set_time(Interval(from_) + place * Interval(length_),
                      Interval(part.unit) * Interval(length_));
  for (int leaf : expansion_.inputs_of(output)) {
    const std::vector<double>* polynomial = polynomials(leaf);
    if (polynomial == nullptr || polynomial->empty()) return {};
    fill(leaf, *polynomial, centre, part, s);
  }
  return expansion_.expand(output);
}

bool StepEnclosure::enclose(int output, const Polynomials& polynomials, const EnclosedPart& part,
                            OutputEnclosure& enclosure) {
  if (expansion_.has_code(output)) return false;
  enclosure.variable = Interval::hull(part.from, 1);
  const auto at = expand(output, polynomials, part, 0);
  if (at.empty()) return false;
  enclosure.coefficients.assign(at.begin(), at.end());
  const auto over = expand(output, polynomials, part, enclosure.variable);
  enclosure.value = over[0];
  enclosure.coefficients.back() = over.back();
  return true;
}

}  // namespace hydae

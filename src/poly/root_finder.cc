#include "poly/root_finder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "poly/polynomial.h"

namespace hydae::poly {
namespace {

constexpr double kRounding = 0.5 * std::numeric_limits<double>::epsilon();
constexpr double kSmallestWidth = 0x1p-50;  // cells are not halved below this

bool are_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

double largest_magnitude(std::span<const double> values) {
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  return largest;
}

double sum_of_magnitudes(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += std::abs(v);
  return sum;
}

}  // namespace

RootKind Root::kind() const {
  if (sign_before == 0 || sign_after == 0) return RootKind::kOpen;
  return sign_before == sign_after ? RootKind::kTouch : RootKind::kCrossing;
}

double Root::uncertainty() const { return std::max(tau - lower, upper - tau); }

const RootSearch& RootFinder::find(std::span<const double> coefficients,
                                   const RootOptions& options) {
  options_ = options;
  result_.status = RootStatus::kComplete;
  result_.start_sign = 0;
  result_.start.reset();
  result_.roots.clear();
  band_.reset();
  last_sign_ = 0;
  if (load(coefficients, options) && !is_cleared_by_sum()) search();
  return result_;
}

// Takes the coefficients without known zeros at 0 and without leading zeros, scaled so that the
// largest is in [1/2, 1). Returns whether there is something to search.
bool RootFinder::load(std::span<const double> coefficients, const RootOptions& options) {
  if (!are_finite(coefficients) || !std::isfinite(options.remainder) || options.remainder < 0) {
    result_.status = RootStatus::kNotFinite;
    return false;
  }
  const auto skipped = static_cast<std::size_t>(std::max(0, options.num_known_zeros));
  coefficients = coefficients.subspan(std::min(skipped, coefficients.size()));
  while (!coefficients.empty() && coefficients.back() == 0) {
    coefficients = coefficients.first(coefficients.size() - 1);
  }
  if (coefficients.empty()) {
    result_.status = RootStatus::kIdenticallyZero;
    return false;
  }
  int exponent = 0;
  std::frexp(largest_magnitude(coefficients), &exponent);
  const double scale = std::ldexp(1.0, -std::clamp(exponent, -1000, 1000));
  size_ = coefficients.size();
  p_.resize(size_);
  for (std::size_t k = 0; k < size_; ++k) p_[k] = scale * coefficients[k];

  // Rounding of the coefficients, of the conversion and of the halvings, whose coefficients shrink
  // towards a root at least geometrically: docs/math/events.md, "Rounding".
  const double rounding = 3 * static_cast<double>(size_) * kRounding * sum_of_magnitudes(p_);
  rho_ = scale * options.remainder + rounding;
  return true;
}

// Most guards are far from zero: |p_0| > sum of the rest already decides.
bool RootFinder::is_cleared_by_sum() {
  const double rest = sum_of_magnitudes(std::span(p_).subspan(1));
  if (!(std::abs(p_[0]) - rest > rho_)) return false;
  result_.start_sign = p_[0] > 0 ? 1 : -1;
  return true;
}

// Cells from left to right; what each one shows is appended to the chain "sign, band, sign, band,
// ...".
void RootFinder::search() {
  cells_.assign(1, {0, 1});
  if (cells_b_.size() < size_) cells_b_.resize(size_);
  converter_.convert(p_, row(0));
  while (!cells_.empty()) {
    const Cell cell = cells_.back();
    if (is_done(cell.begin)) return;
    if (resolve(cell, row(cells_.size() - 1))) {
      cells_.pop_back();
    } else {
      split(cell);
    }
  }
  if (band_) close_band(0);
}

bool RootFinder::is_done(double begin) const {
  if (band_) return false;
  const auto is_event = [](const Root& root) { return root.kind() != RootKind::kTouch; };
  return begin > options_.until ||
         (options_.stops_at_first && !result_.roots.empty() && is_event(result_.roots.back()));
}

// Reports the cell if its Bernstein coefficients decide it.
bool RootFinder::resolve(const Cell& cell, std::span<const double> b) {
  if (const int sign = certified_sign(b, rho_); sign != 0) {
    meet_sign(sign);
    return true;
  }
  if (largest_magnitude(b) <= rho_ || cell.width <= kSmallestWidth) {
    meet_band(cell.begin, cell.begin + cell.width);
    return true;
  }
  const int direction = certified_direction(b);
  if (direction != 0) add_monotone(cell, b, direction);
  return direction != 0;
}

// On a monotone piece |p| <= rho is one interval; its ends solve p = -rho and p = +rho, and are
// moved outwards by the last bit that the solution leaves open.
void RootFinder::add_monotone(const Cell& cell, std::span<const double> b, int direction) {
  const double begin = cell.begin, end = cell.begin + cell.width;
  const Bracket bracket{begin, end, direction > 0};
  const double low = direction * b.front(), high = direction * b.back();
  double lower = begin, upper = end;
  if (low < -rho_) {
    meet_sign(-direction);
    lower = std::max(begin, (1 - 2 * kRounding) * solve_in_bracket(p_, -direction * rho_, bracket));
  }
  if (high > rho_) {
    upper = std::min(end, (1 + 2 * kRounding) * solve_in_bracket(p_, direction * rho_, bracket));
  }
  meet_band(lower, std::max(lower, upper));
  if (high > rho_) meet_sign(direction);
}

void RootFinder::split(const Cell& cell) {
  const double half = 0.5 * cell.width;
  cells_.back() = {cell.begin + half, half};
  cells_.push_back({cell.begin, half});
  if (cells_b_.size() < cells_.size() * size_) cells_b_.resize(cells_.size() * size_);
  split_in_half(row(cells_.size() - 2), row(cells_.size() - 1));
}

void RootFinder::meet_sign(int sign) {
  if (band_) close_band(sign);
  if (last_sign_ == 0 && !result_.start) result_.start_sign = sign;
  last_sign_ = sign;
}

void RootFinder::meet_band(double lower, double upper) {
  if (!band_) band_ = Root{.lower = lower, .sign_before = last_sign_};
  band_->upper = upper;
}

void RootFinder::close_band(int sign_after) {
  band_->sign_after = sign_after;
  if (band_->sign_before == 0 && sign_after == 0) {
    result_.status = RootStatus::kBelowRemainder;
  } else if (band_->sign_before == 0) {
    result_.start = refine(*band_);
  } else {
    result_.roots.push_back(refine(*band_));
  }
  band_.reset();
}

// Expands p about the interval and takes the root of its (m-1)-th derivative: that root is simple,
// and for an m-fold root it is the root itself, for a cluster its centre, for a touch the extremum.
Root RootFinder::refine(Root root) {
  const bool at_start = root.sign_before == 0, at_end = root.sign_after == 0;
  double centre = 0.5 * (root.lower + root.upper), width = 0.5 * (root.upper - root.lower);
  if (at_start || at_end) {
    centre = at_start ? root.lower : root.upper;
    width = root.upper - root.lower;
  }
  width = std::max(width, kSmallestWidth);
  local_.assign(p_.begin(), p_.end());
  recentre(local_, centre, width);
  root.multiplicity = estimate_multiplicity(root, local_);
  const auto f = differentiate(local_, root.multiplicity - 1);

  const double begin = (root.lower - centre) / width, end = (root.upper - centre) / width;
  const double f_begin = evaluate(f, begin), f_end = evaluate(f, end);
  double s = 0;
  if (f_begin * f_end < 0) s = solve_in_bracket(f, 0, {begin, end, f_begin < f_end});
  root.tau = std::clamp(centre + width * s, root.lower, root.upper);
  return root;
}

// The order whose Taylor term is largest at the ends of the interval; odd for a crossing, even for
// a touch.
int RootFinder::estimate_multiplicity(const Root& root, std::span<const double> local) const {
  const RootKind kind = root.kind();
  const std::size_t first = kind == RootKind::kTouch ? 2 : 1;
  const std::size_t stride = kind == RootKind::kOpen ? 1 : 2;
  std::size_t best = first;
  for (std::size_t k = first; k < local.size(); k += stride) {
    if (std::abs(local[k]) > std::abs(local[best])) best = k;
  }
  return static_cast<int>(best);
}

}  // namespace hydae::poly

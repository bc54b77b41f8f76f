#include "codegen/engine.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <numbers>

#include <hydae/error.h>

#include "base/check.h"
#include "codegen/sleeping.h"
#include "linalg/simd.h"
#include "linalg/small_inverse.h"

namespace hydae::codegen {
namespace {

constexpr int kMaxCoefficients = 500;  // p + max d: beyond, factorial factors leave the range
constexpr int kMaxSweeps = 10;         // of the projection
constexpr double kMostNoise = 1e4;     // in rounding errors: sweeps that gain nothing may end here
constexpr double kMaxCondition = 1e14;

// (m+1) (m+2) ... (m+q)
double rising(int m, int q) {
  double product = 1;
  for (int i = 1; i <= q; ++i) product *= m + i;
  return product;
}

}  // namespace

Engine::Engine(std::shared_ptr<const Program> program, int max_order)
    : program_(std::move(program)), max_order_(max_order) {
  const Structure& structure = program_->structure();
  int max_d = 0, max_lead = 0;
  for (int d : structure.d) max_d = std::max(max_d, d);
  if (max_order < 1 || max_order + max_d > kMaxCoefficients) {
    throw UsageError(
        fmt::format("order {} is not between 1 and {}", max_order, kMaxCoefficients - max_d));
  }
  tape_ = link(*program_, max_order);
  std::size_t largest = 1;
  for (const LinkedBlock& block : tape_.blocks) {
    first_kappa_ = std::max(first_kappa_, block.max_local_c);
    max_lead = std::max(max_lead, block.lead);
    largest = std::max<std::size_t>(largest, linalg::padded(block.size));
  }
  for (const LinkedBundle& bundle : tape_.bundles) {
    largest = std::max<std::size_t>(largest, bundle.blocks.last - bundle.blocks.first);
  }
  num_kappa_ = first_kappa_ + max_order + max_lead;
  num_c_ = first_kappa_ + 1;
  num_fill_ = tape_.fill_factors.last - tape_.fill_factors.first;
  num_orders_ = max_order + max_d + 1;
  max_exponent_ = static_cast<int>(200.0 / num_orders_ * std::log2(10.0));

  data_.resize(tape_.data_size);
  scalars_.resize(program_->stages().fused.scalars.size());
  rhs_.resize(largest);
  solution_.resize(largest);
  newton_value_.resize(largest);
  newton_size_.resize(largest);
  nominal_.assign(structure.d.size(), 1.0);
  for (std::size_t i = 0; i < tape_.instrs.size(); ++i)
    if (can_sleep(tape_.instrs[i])) sleepers_.push_back(static_cast<int>(i));
  deltas_.resize(tape_.num_deltas);
  partials_.resize(tape_.num_partials);
  gradients_.resize(tape_.num_gradients);
  gradients_[0] = 1;
  inverse_.resize(tape_.blocks.size());
  condition_.resize(tape_.blocks.size());
  make_unit_tables();
  power_.resize(num_orders_);
  inverse_power_.resize(num_orders_);
  const std::size_t entries = program_->entries().size();
  input_.resize(entries);
  state_.resize(entries);
  displacement_.resize(program_->num_state());
  set_parameters(std::vector<double>(program_->num_parameters()));
}

void Engine::set_parameters(std::span<const double> values) {
  if (static_cast<int>(values.size()) != program_->num_parameters()) {
    throw UsageError(
        fmt::format("{} values for {} parameters", values.size(), program_->num_parameters()));
  }
  const ScalarTape& tape = program_->stages().fused.scalars;
  tape.evaluate_all(values, scalars_);
  set_numbers(tape_, scalars_);
  bad_scalar_ = find_bad_scalar();
  for (const auto& [target, number] : tape_.constant_partials) {
    partials_[target] = tape_.numbers[number];
  }
  for (std::size_t b = 0; b < tape_.blocks.size(); ++b) {
    if (tape_.blocks[b].is_constant) compute_matrix(static_cast<int>(b));
  }
}

// The operation on finite numbers from which the first number that is not finite comes; or -1.
ScalarId Engine::find_bad_scalar() const {
  const auto is_bad = [this](ScalarId id) { return id >= 0 && !std::isfinite(scalars_[id]); };
  const auto used = std::find_if(tape_.number_sources.begin(), tape_.number_sources.end(), is_bad);
  if (used == tape_.number_sources.end()) return -1;
  ScalarId id = *used;
  while (true) {
    const ScalarTape::Scalar& scalar = program_->stages().fused.scalars.scalar(id);
    if (is_bad(scalar.a))
      id = scalar.a;
    else if (is_bad(scalar.b))
      id = scalar.b;
    else
      return id;
  }
}

// --- scale of time

// A power of two near the step: scaling is then exact. Held while it is near enough, so that the
// tables stay; never so far from one that scale^(number of coefficients) leaves the range.
void Engine::choose_scale(double step) {
  int exponent = 0;
  const double mantissa = std::frexp(std::abs(step), &exponent);  // in [1/2, 1)
  if (mantissa < std::numbers::sqrt2 / 2) --exponent;             // rounded logarithm
  exponent = std::clamp(exponent, -max_exponent_, max_exponent_);
  const bool is_near =
      scale_ != 0 && (scale_ < 0) == (step < 0) && std::abs(scale_exponent_ - exponent) <= 1;
  if (is_near) return;
  scale_exponent_ = exponent;
  scale_ = std::copysign(std::ldexp(1.0, exponent), step);
  fill_tables();
}

// The factors of a solve for scale 1; those of a row multiply h^-c, those of a fill h^e:
//   kappa >= 0: J U = -(c+kappa)!/kappa! h^-c r,  (x_j^(q))_m = kappa!/m! h^e U,  e = d_j - q,
//   kappa < 0:  the same without kappa!           m = kappa + e.  Zero where an order is negative.
void Engine::make_unit_tables() {
  for (int kappa = -first_kappa_; kappa < num_kappa_ - first_kappa_; ++kappa) {
    for (int c = 0; c < num_c_; ++c) {
      const double product =
          kappa >= 0 ? rising(kappa, c) : (c + kappa >= 0 ? rising(0, c + kappa) : 0);
      unit_row_factor_.push_back(-product);
    }
    for (int e = tape_.fill_factors.first; e < tape_.fill_factors.last; ++e) {
      const int m = kappa + e;
      double factor = 0;
      if (m >= 0 && kappa < 0) factor = 1 / rising(0, m);
      if (m >= 0 && kappa >= 0) factor = e >= 0 ? 1 / rising(kappa, e) : rising(m, -e);
      unit_fill_factor_.push_back(factor);
    }
  }
  row_factor_.resize(unit_row_factor_.size());
  fill_factor_.resize(unit_fill_factor_.size());
  column_power_.resize(std::max(num_c_, num_fill_));
}

// table(kappa, i) = unit(kappa, i) * column_power_[i]
void Engine::scale_columns(const std::vector<double>& unit, int width, std::vector<double>& table) {
  for (std::size_t first = 0; first < unit.size(); first += width) {
    for (int i = 0; i < width; ++i) table[first + i] = unit[first + i] * column_power_[i];
  }
}

void Engine::fill_tables() {
  double factorial = 1, h_m = 1;
  for (int m = 0; m < num_orders_; ++m, h_m *= scale_) {
    if (m > 0) factorial *= m;
    power_[m] = h_m / factorial;
    inverse_power_[m] = factorial / h_m;
  }
  column_power_[0] = 1;
  for (int c = 1; c < num_c_; ++c) column_power_[c] = column_power_[c - 1] / scale_;
  scale_columns(unit_row_factor_, num_c_, row_factor_);
  column_power_[0] = std::pow(scale_, tape_.fill_factors.first);
  for (int i = 1; i < num_fill_; ++i) column_power_[i] = column_power_[i - 1] * scale_;
  scale_columns(unit_fill_factor_, num_fill_, fill_factor_);
}

// --- before the stages

void Engine::check(const ExpandRequest& request) const {
  if (request.state.size() != input_.size()) {
    throw UsageError(
        fmt::format("{} state values, expected {}", request.state.size(), input_.size()));
  }
  if (!request.weights.empty() && request.weights.size() != displacement_.size()) {
    throw UsageError(
        fmt::format("{} weights, expected {}", request.weights.size(), displacement_.size()));
  }
  if (request.order < 1 || request.order > max_order_) {
    throw UsageError(fmt::format("order {} is not between 1 and {}", request.order, max_order_));
  }
  if (!std::isfinite(request.step) || request.step == 0 || !std::isfinite(request.time)) {
    throw UsageError(fmt::format("time {} and step {}", request.time, request.step));
  }
}

ExpandResult Engine::expand(const ExpandRequest& request) {
  check(request);
  request_ = request;
  result_ = {};
  time_ = request.time;
  order_ = request.order;
  std::copy(request.state.begin(), request.state.end(), input_.begin());
  choose_scale(request.step);
  if (!is_input_valid() || !complete_guesses() || !project()) return result_;
  if (!run_stages(0, order_ - 1) || !is_finite()) return result_;
  read_guesses();
  for (std::size_t b = 0; b < condition_.size(); ++b) {
    if (condition_[b] <= result_.condition) continue;
    result_.condition = condition_[b];
    result_.block = static_cast<int>(b);
  }
  return result_;
}

bool Engine::is_input_valid() {
  if (bad_scalar_ >= 0) {
    const ScalarTape::Scalar& scalar = program_->stages().fused.scalars.scalar(bad_scalar_);
    result_.status = ExpandStatus::kUndefinedFunction;
    result_.op = scalar.op;
    result_.tag = scalar.tag;
    result_.argument = scalar.a >= 0 ? scalars_[scalar.b >= 0 ? scalar.b : scalar.a] : 0;
    return false;
  }
  for (int e = 0; e < program_->num_state(); ++e) {
    if (!std::isfinite(input_[e])) return fail(ExpandStatus::kNotFinite, -1);
  }
  for (std::size_t b = 0; b < tape_.blocks.size(); ++b) {
    if (tape_.blocks[b].is_constant && !(condition_[b] < kMaxCondition)) {
      result_.condition = condition_[b];
      return fail(ExpandStatus::kSingularBlock, static_cast<int>(b));
    }
  }
  return true;
}

// Guesses that are not known are found by a first run without the projections that need them.
bool Engine::complete_guesses() {
  const auto is_unknown = [](double value) { return !std::isfinite(value); };
  if (std::none_of(input_.begin() + program_->num_state(), input_.end(), is_unknown)) return true;
  for (std::size_t b = 0; b < tape_.blocks.size(); ++b) {
    const LinkedBlock& block = tape_.blocks[b];
    for (int k = 0; k < block.size && !block.is_quasilinear; ++k) {
      const int guess = tape_.column_guess[block.first_row + k];
      if (guess >= 0 && is_unknown(input_[guess])) {
        return fail(ExpandStatus::kNotConverged, static_cast<int>(b));
      }
    }
  }
  has_guesses_ = false;
  load();
  const bool is_done = run_prologue() && run_stages(-program_->stages().max_c, 0);
  has_guesses_ = true;
  if (!is_done) return false;
  read_guesses();
  std::copy(state_.begin() + program_->num_state(), state_.end(),
            input_.begin() + program_->num_state());
  return true;
}

// One Gauss-Newton sweep over the stages k < 0; again while the state moves by more than its
// tolerance, unless that is what rounding makes it do.
bool Engine::project() {
  double last_change = std::numeric_limits<double>::infinity();
  while (true) {
    load();
    if (!run_prologue() || !run_stages(-program_->stages().max_c, -1)) return false;
    ++result_.sweeps;
    const double change = read_projected_state();
    const bool is_stagnant = change >= 0.5 * last_change;
    if (change <= 1 || (is_stagnant && change <= kMostNoise * rounding_of_state())) return true;
    last_change = change;
    if (result_.sweeps == kMaxSweeps) return fail(ExpandStatus::kNotConverged, -1);
    std::copy_n(state_.begin(), program_->num_state(), input_.begin());
  }
}

// The state after the projection; returns its largest weighted change by the last sweep.
double Engine::read_projected_state() {
  double change = 0;
  for (int e = 0; e < program_->num_state(); ++e) {
    const StateRead& read = tape_.state_reads[e];
    state_[e] = data_[read.place] * inverse_power_[read.order];
    displacement_[e] = state_[e] - request_.state[e];
    if (request_.weights.empty()) continue;
    const double weight = request_.weights[e];
    change = std::max(change, std::abs(state_[e] - input_[e]) * weight);
    result_.displacement = std::max(result_.displacement, std::abs(displacement_[e]) * weight);
  }
  return change;
}

// Of the largest state entry, in units of its tolerance.
double Engine::rounding_of_state() const {
  double largest = 0;
  for (std::size_t e = 0; e < request_.weights.size(); ++e)
    largest = std::max(largest, std::abs(state_[e]) * request_.weights[e]);
  return std::numeric_limits<double>::epsilon() * largest;
}

void Engine::load() {
  std::memset(data_.data() + tape_.leaves.first, 0,
              (tape_.leaves.last - tape_.leaves.first) * sizeof(double));
  if (tape_.time.out >= 0) {
    data_[tape_.time.out] = data_[tape_.time.rev] = time_;
    data_[tape_.time.out + 1] = data_[tape_.time.rev - 1] = scale_;
  }
  for (const Load& l : tape_.loads) {
    const double value = input_[l.entry] * power_[l.order];
    data_[l.place.out + l.order] = value;
    data_[l.place.rev - l.order] = value;
  }
}

// Order 0 of what the matrices depend on, from the state as given and the guesses.
bool Engine::run_prologue() {
  for (const Load& l : tape_.guess_loads) {
    data_[l.place.out] = data_[l.place.rev] = input_[l.entry];
  }
  for (const Instr& instr : tape_.prologue) {
    if (!evaluate_at_zero(instr, data_.data()) && has_guesses_ && !is_enough(instr))
      return fail_function(instr);
  }
  for (std::size_t b = 0; b < tape_.blocks.size(); ++b) {
    const LinkedBlock& block = tape_.blocks[b];
    const bool is_later = block.is_late && (block.max_local_c == 0 || !has_guesses_);
    if (block.is_constant || is_later) continue;
    if (!compute_matrix(static_cast<int>(b))) return false;
  }
  for (const Load& l : tape_.guess_loads) data_[l.place.out] = data_[l.place.rev] = 0;
  return true;
}

void Engine::compute_partials(const LinkedBlock& block) {
  for (int i = block.partials.first; i < block.partials.last; ++i) {
    const LinkedPartial& rule = tape_.partials[i];
    const double factor = tape_.numbers[rule.factor], p = data_[rule.p], q = data_[rule.q];
    double& value = partials_[rule.target];
    switch (rule.rule) {
      case Partial::Rule::kNumber: value = factor; break;
      case Partial::Rule::kTimes: value = factor * p; break;
      case Partial::Rule::kOver: value = factor / p; break;
      case Partial::Rule::kRatio: value = factor * p / q; break;
      case Partial::Rule::kPower:
        value = q != 0 ? factor * p / q : factor * std::pow(q, factor - 1);
        break;
    }
  }
}

bool Engine::compute_matrix(int b) {
  const LinkedBlock& block = tape_.blocks[b];
  compute_partials(block);
  for (int e = block.correction_edges.first; e < block.correction_edges.last; ++e) {
    CorrectionEdge& edge = tape_.correction_edges[e];
    edge.multiplier = partials_[edge.partial];
  }
  std::fill(gradients_.begin() + block.gradients.first, gradients_.begin() + block.gradients.last,
            0);
  for (int i = block.gradient_terms.first; i < block.gradient_terms.last; ++i) {
    const GradientTerm& term = tape_.gradient_terms[i];
    gradients_[term.target] += partials_[term.partial] * gradients_[term.source];
  }
  if (block.matrix < 0) {
    condition_[b] = compute_scalar_matrix(b);
  } else {
    linalg::SystemMatrix& matrix = tape_.matrices[block.matrix];
    const std::span<double> values = matrix.values();
    for (int e = 0; e < block.num_entries; ++e) {
      values[matrix.slot(e)] = gradients_[block.first_entry + e];
    }
    matrix.factorize();
    condition_[b] = matrix.condition();
  }
  if (condition_[b] < kMaxCondition) return true;
  result_.condition = condition_[b];
  return fail(ExpandStatus::kSingularBlock, b);
}

// A single number is as good as singular if it is what cancellation left over.
double Engine::compute_scalar_matrix(int b) {
  const LinkedBlock& block = tape_.blocks[b];
  double sum = 0, size = 0;
  for (int i = block.first_row_term; i < block.gradient_terms.last; ++i) {
    const GradientTerm& term = tape_.gradient_terms[i];
    const double part = partials_[term.partial] * gradients_[term.source];
    sum += part;
    size += std::abs(part);
  }
  inverse_[b] = 1 / sum;
  const bool is_regular = std::isfinite(inverse_[b]) && std::isfinite(sum);
  return is_regular ? size / std::abs(sum) : std::numeric_limits<double>::infinity();
}

// --- results

// Not finite numbers spread through the stages that follow: one look at the end is enough.
bool Engine::is_finite() {
  linalg::Vec4 check{};
  double rest = 0;
  const auto look = [&](std::span<const double> values) {
    std::size_t n = 0;
    for (; n + 4 <= values.size(); n += 4) check += linalg::load4(values.data() + n) * 0.0;
    for (; n < values.size(); ++n) rest += values[n] * 0.0;
  };
  for (int j = 0; j < program_->num_variables(); ++j) look(series(j));
  return linalg::sum4(check) + rest == 0 || fail(ExpandStatus::kNotFinite, find_overflow());
}

// The block where a coefficient of lowest order is not finite.
int Engine::find_overflow() const {
  const Structure& structure = program_->structure();
  for (int k = -program_->stages().max_c; k < order_; ++k) {
    for (std::size_t b = 0; b < structure.blocks.size(); ++b) {
      for (int j : structure.blocks[b].variables) {
        const int m = structure.d[j] + k;
        if (m >= 0 && !std::isfinite(series(j)[m])) return static_cast<int>(b);
      }
    }
  }
  return -1;
}

void Engine::read_guesses() {
  for (std::size_t e = program_->num_state(); e < state_.size(); ++e) {
    const StateRead& read = tape_.state_reads[e];
    state_[e] = data_[read.place] * inverse_power_[read.order];
  }
}

std::span<const double> Engine::series(int variable) const {
  const int count = program_->structure().d[variable] + order_;
  return {data_.data() + tape_.base[variable].out, static_cast<std::size_t>(count)};
}

double Engine::first_change(double tau) const {
  for (int i : sleepers_) {
    const Instr& instr = tape_.instrs[i];
    const int count = order_ + instr.offset;  // coefficients of the argument that are known
    if (count < 2) continue;
    tau = wake_time(instr, {data_.data() + instr.a, static_cast<std::size_t>(count)}, tau);
  }
  return tau;
}

std::span<const double> Engine::output_series(int output) const {
  const int count = std::max(0, order_ - program_->output_shift(output));
  return {data_.data() + tape_.outputs[output].out, static_cast<std::size_t>(count)};
}

bool Engine::fail(ExpandStatus status, int block) {
  result_.status = status;
  result_.block = block;
  return false;
}

bool Engine::fail_function(const Instr& instr) {
  const Series& series = program_->stages().fused.series[instr.series];
  result_.status = ExpandStatus::kUndefinedFunction;
  result_.op = series.function;
  result_.tag = series.tag;
  result_.argument = data_[tape_.argument_place[instr.series]];
  if (instr.call != nullptr) result_.text = instr.call->failure();
  return false;
}

}  // namespace hydae::codegen

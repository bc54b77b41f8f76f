#include "codegen/engine.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hydae/error.h>

#include "codegen/disturbance.h"
#include "codegen/sleeping.h"
#include "linalg/simd.h"

namespace hydae::codegen {
namespace {

constexpr int kMaxCoefficients = 500;  // p + max d: beyond, factorial factors leave the range
constexpr int kMaxSweeps = 10;         // of the projection
constexpr double kMostNoise = 1e4;     // in rounding errors: sweeps that gain nothing may end here

int largest_d(const Program& program) {
  int largest = 0;
  for (int d : program.structure().d) largest = std::max(largest, d);
  return largest;
}

int checked_order(const Program& program, int max_order) {
  const int most = kMaxCoefficients - largest_d(program);
  if (max_order < 1 || max_order > most)
    throw UsageError(fmt::format("order {} is not between 1 and {}", max_order, most));
  return max_order;
}

ScaleExtent extent_of(const Program& program, const LinkedTape& tape, int max_order) {
  ScaleExtent extent;
  int max_lead = 0;
  for (const LinkedBlock& block : tape.blocks) {
    extent.first_kappa = std::max(extent.first_kappa, block.max_local_c);
    max_lead = std::max(max_lead, block.lead);
  }
  extent.num_kappa = extent.first_kappa + max_order + max_lead;
  extent.first_fill = tape.fill_factors.first;
  extent.num_fill = tape.fill_factors.last - tape.fill_factors.first;
  extent.num_orders = max_order + largest_d(program) + 1;
  return extent;
}

// The operation on finite numbers from which the first number that is not finite comes; or -1.
ScalarId find_bad_scalar(const LinkedTape& tape, const ScalarTape& scalars,
                         std::span<const double> values) {
  const auto is_bad = [&](ScalarId id) { return id >= 0 && !std::isfinite(values[id]); };
  const auto used = std::find_if(tape.number_sources.begin(), tape.number_sources.end(), is_bad);
  if (used == tape.number_sources.end()) return -1;
  ScalarId id = *used;
  while (true) {
    const ScalarTape::Scalar& scalar = scalars.scalar(id);
    if (is_bad(scalar.a))
      id = scalar.a;
    else if (is_bad(scalar.b))
      id = scalar.b;
    else
      return id;
  }
}

// The state by its last digits, and the time that is returned.
double disturbed(const ExpandRequest& request, std::span<double> state) {
  int place = 0;
  for (double& value : state) value *= 1 + disturbance(request.disturbance, ~place++);
  return request.time * (1 + disturbance(request.disturbance, ~place));
}

}  // namespace

Engine::Engine(std::shared_ptr<const Program> program, int max_order, RowTerms terms)
    : program_(std::move(program)),
      max_order_(checked_order(*program_, max_order)),
      tape_(link(*program_, max_order, terms)),
      scale_(extent_of(*program_, tape_, max_order)),
      matrices_(tape_),
      series_(tape_),
      stages_({*program_, tape_, scale_, matrices_, series_, result_}) {
  scalars_.resize(program_->stages().fused.scalars.size());
  for (std::size_t i = 0; i < tape_.instrs.size(); ++i)
    if (can_sleep(tape_.instrs[i])) sleepers_.push_back(static_cast<int>(i));
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
  bad_scalar_ = find_bad_scalar(tape_, tape, scalars_);
  matrices_.compute_constant_ones(series_.data());
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
  scale_.choose(request.step);
  stages_.set_request(request.wants_values, request.disturbance);
  if (request.disturbance != 0)
    time_ = disturbed(request, std::span(input_).first(program_->num_state()));
  if (!is_input_valid() || !complete_guesses() || !project()) return result_;
  if (!stages_.run(0, order_ - 1) || !is_finite()) return result_;
  read_guesses();
  for (int b = 0; b < program_->num_blocks(); ++b) {
    if (matrices_.condition(b) <= result_.condition) continue;
    result_.condition = matrices_.condition(b);
    result_.block = b;
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
    if (!std::isfinite(input_[e])) return stages_.fail(ExpandStatus::kNotFinite, -1);
  }
  for (std::size_t b = 0; b < tape_.blocks.size(); ++b) {
    const int block = static_cast<int>(b);
    if (tape_.blocks[b].is_constant && !matrices_.is_regular(block)) {
      result_.condition = matrices_.condition(block);
      return stages_.fail(ExpandStatus::kSingularBlock, block);
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
        return stages_.fail(ExpandStatus::kNotConverged, static_cast<int>(b));
      }
    }
  }
  constexpr bool kHasGuesses = false;
  if (!stages_.begin(time_, input_, kHasGuesses)) return false;
  if (!stages_.run(-program_->stages().max_c, 0)) return false;
  read_guesses();
  std::copy(state_.begin() + program_->num_state(), state_.end(),
            input_.begin() + program_->num_state());
  return true;
}

// One Gauss-Newton sweep over the stages k < 0; again while the state moves by more than its
// tolerance, unless that is what rounding makes it do.
bool Engine::project() {
  constexpr bool kHasGuesses = true;
  double last_change = std::numeric_limits<double>::infinity();
  while (true) {
    if (!stages_.begin(time_, input_, kHasGuesses)) return false;
    if (!stages_.run(-program_->stages().max_c, -1)) return false;
    ++result_.sweeps;
    const double change = read_projected_state();
    const bool is_stagnant = change >= 0.5 * last_change;
    if (change <= 1 || (is_stagnant && change <= kMostNoise * rounding_of_state())) return true;
    last_change = change;
    if (result_.sweeps == kMaxSweeps) return stages_.fail(ExpandStatus::kNotConverged, -1);
    std::copy_n(state_.begin(), program_->num_state(), input_.begin());
  }
}

// The state after the projection; returns its largest weighted change by the last sweep.
double Engine::read_projected_state() {
  double change = 0;
  for (int e = 0; e < program_->num_state(); ++e) {
    const StateRead& read = tape_.state_reads[e];
    state_[e] = series_.data()[read.place] * scale_.inverse_power(read.order);
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
  return linalg::sum4(check) + rest == 0 || stages_.fail(ExpandStatus::kNotFinite, find_overflow());
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
    state_[e] = series_.data()[read.place] * scale_.inverse_power(read.order);
  }
}

std::span<const double> Engine::series(int variable) const {
  const int count = program_->structure().d[variable] + order_;
  return {series_.data() + tape_.base[variable].out, static_cast<std::size_t>(count)};
}

double Engine::first_change(double tau) const {
  for (int i : sleepers_) {
    const Instr& instr = tape_.instrs[i];
    const int count = order_ + instr.offset;  // coefficients of the argument that are known
    if (count < 2) continue;
    tau = wake_time(instr, {series_.data() + instr.a, static_cast<std::size_t>(count)}, tau);
  }
  return tau;
}

std::span<const double> Engine::output_series(int output) const {
  const int count = std::max(0, order_ - program_->output_shift(output));
  return {series_.data() + tape_.outputs[output].out, static_cast<std::size_t>(count)};
}

}  // namespace hydae::codegen

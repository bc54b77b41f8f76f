#include "codegen/output_expansion.h"

#include <algorithm>
#include <cmath>

#include "codegen/recurrences.h"
#include "codegen/sleeping.h"
#include "poly/convergence.h"

namespace hydae::codegen {

OutputExpansion::OutputExpansion(std::shared_ptr<const Program> program, int num_coefficients)
    : program_(std::move(program)),
      tape_(link(*program_, num_coefficients)),
      cones_(*program_, tape_),
      size_(num_coefficients),
      data_(static_cast<std::size_t>(tape_.data_size)),
      scalars_(program_->stages().fused.scalars.size()),
      errors_(data_.size()),
      gradients_(data_.size()) {
  set_parameters(std::vector<double>(static_cast<std::size_t>(program_->num_parameters())));
}

void OutputExpansion::set_parameters(std::span<const double> values) {
  program_->stages().fused.scalars.evaluate_all(values, scalars_);
  set_numbers(tape_, scalars_);
  measured_ = -1;
}

void OutputExpansion::set_time(double centre, double width) {
  if (tape_.time.out < 0) return;
  data_[tape_.time.out] = data_[tape_.time.rev] = centre;
  if (size_ > 1) data_[tape_.time.out + 1] = data_[tape_.time.rev - 1] = width;
}

std::span<double> OutputExpansion::input(int variable) {
  return {data_.data() + tape_.base[static_cast<std::size_t>(variable)].out,
          static_cast<std::size_t>(size_)};
}

// Inputs nobody reads backwards share one place for that.
void OutputExpansion::copy_backwards(const OutputCone& cone, int count) {
  for (int j : cone.inputs) {
    const Place& place = tape_.base[static_cast<std::size_t>(j)];
    for (int m = 0; m < count; ++m) data_[place.rev - m] = data_[place.out + m];
  }
}

bool OutputExpansion::expand(int output) {
  const OutputCone& cone = cones_.of(output);
  measured_ = -1;
  copy_backwards(cone, size_);
  double* data = data_.data();
  for (int i : cone.instrs)
    if (!evaluate_at_zero(tape_.output_instrs[i], data)) return false;
  for (int m = 1; m < size_; ++m)
    for (int i : cone.instrs) {
      const Instr& instr = tape_.output_instrs[i];
      instr.kernels[kernel_index(m)](&instr, &instr + 1, data, m);
    }
  const auto values = series(output);
  return std::all_of(values.begin(), values.end(), [](double c) { return std::isfinite(c); });
}

double OutputExpansion::first_change(int output) {
  constexpr double kMostTail = 1;  // of an argument: sizes of functions are its logarithms
  double tau = 1;
  for (int i : cones_.of(output).sleepers) {
    const Instr& instr = tape_.output_instrs[i];
    const std::span<const double> argument(data_.data() + instr.a, static_cast<std::size_t>(size_));
    if (!is_asleep(instr, argument[0])) continue;
    const auto tail = poly::estimate_tail(argument);
    tau = tail && *tail <= kMostTail ? wake_time(instr, argument, tau) : std::min(tau, 0.5);
  }
  return tau;
}

double OutputExpansion::evaluate(int output) {
  const OutputCone& cone = cones_.of(output);
  measured_ = -1;
  copy_backwards(cone, 1);
  for (int i : cone.instrs) evaluate_at_zero(tape_.output_instrs[i], data_.data());
  return series(output)[0];
}

std::span<const double> OutputExpansion::series(int output) const {
  return {data_.data() + tape_.outputs[static_cast<std::size_t>(output)].out,
          static_cast<std::size_t>(size_)};
}

// Where first order says nothing: bounds of all terms.
double OutputExpansion::running_error(const OutputCone& cone, int output,
                                      std::span<const double> input_errors, double time_error) {
  const auto put = [this](const Place& place, double error) {
    errors_[place.out] = errors_[place.rev] = error;
  };
  if (tape_.time.out >= 0) put(tape_.time, time_error);
  for (int j : cone.inputs)
    put(tape_.base[static_cast<std::size_t>(j)],
        input_errors.empty() ? 0 : input_errors[static_cast<std::size_t>(j)]);
  for (int i : cone.instrs) add_error_at_zero(tape_.output_instrs[i], data_.data(), errors_.data());
  return errors_[tape_.outputs[static_cast<std::size_t>(output)].out];
}

void OutputExpansion::measure(const OutputCone& cone, int output) {
  measured_ = output;
  rounding_ = 0;
  const auto clear = [this](const Place& place) {
    gradients_[place.out] = gradients_[place.rev] = 0;
  };
  if (tape_.time.out >= 0) clear(tape_.time);
  for (int j : cone.inputs) clear(tape_.base[static_cast<std::size_t>(j)]);
  gradients_[tape_.outputs[static_cast<std::size_t>(output)].out] = 1;
  for (std::size_t k = cone.instrs.size(); k-- > 0;) {
    const Instr& instr = tape_.output_instrs[cone.instrs[k]];
    rounding_ += rounding_at_zero(instr, data_.data(), gradients_.data());
    pull_gradient_at_zero(instr, data_.data(), gradients_.data());
  }
}

double OutputExpansion::error_of_value(int output, std::span<const double> input_errors,
                                       double time_error) {
  const OutputCone& cone = cones_.of(output);
  if (measured_ != output) measure(cone, output);
  const auto gradient = [this](const Place& place) {
    return std::abs(gradients_[place.out] + (place.rev == place.out ? 0 : gradients_[place.rev]));
  };
  double error = rounding_;
  if (tape_.time.out >= 0) error += gradient(tape_.time) * time_error;
  for (int j : cone.inputs)
    error += gradient(tape_.base[static_cast<std::size_t>(j)]) *
             input_errors[static_cast<std::size_t>(j)];
  return std::isfinite(error) ? error : running_error(cone, output, input_errors, time_error);
}

}  // namespace hydae::codegen

#include "codegen/output_expansion.h"

#include <algorithm>
#include <cmath>

#include "codegen/running_error.h"

namespace hydae::codegen {

OutputExpansion::OutputExpansion(std::shared_ptr<const Program> program, int num_coefficients)
    : program_(std::move(program)),
      tape_(link(*program_, num_coefficients)),
      size_(num_coefficients),
      data_(static_cast<std::size_t>(tape_.data_size)),
      scalars_(program_->stages().fused.scalars.size()),
      errors_(data_.size()),
      cones_(static_cast<std::size_t>(program_->num_outputs())),
      instr_of_series_(program_->stages().fused.series.size(), -1) {
  for (std::size_t i = 0; i < tape_.output_instrs.size(); ++i) {
    const SeriesId v = tape_.output_instrs[i].series;
    if (v >= 0) instr_of_series_[static_cast<std::size_t>(v)] = static_cast<int>(i);
  }
  set_parameters(std::vector<double>(static_cast<std::size_t>(program_->num_parameters())));
}

void OutputExpansion::set_parameters(std::span<const double> values) {
  program_->stages().fused.scalars.evaluate_all(values, scalars_);
  set_numbers(tape_, scalars_);
}

OutputExpansion::Cone& OutputExpansion::cone(int output) {
  Cone& cone = cones_[static_cast<std::size_t>(output)];
  if (!cone.is_made) make_cone(output, cone);
  return cone;
}

void OutputExpansion::make_cone(int output, Cone& cone) {
  const FusedTape& fused = program_->stages().fused;
  std::vector<char> is_read(fused.series.size(), 0);
  std::vector<SeriesId> waiting;
  const auto read = [&](SeriesId v, bool) {
    if (is_read[static_cast<std::size_t>(v)]++ == 0) waiting.push_back(v);
  };
  visit_operands(fused.outputs[static_cast<std::size_t>(output)], read);
  while (!waiting.empty()) {
    const auto v = static_cast<std::size_t>(waiting.back());
    waiting.pop_back();
    const Series& series = fused.series[v];
    visit_operands(series, read);
    if (series.op == SeriesOp::kVariable) cone.inputs.push_back(series.variable);
    if (series.op == SeriesOp::kCall) cone.has_code = true;
    if (instr_of_series_[v] >= 0) cone.instrs.push_back(instr_of_series_[v]);
  }
  std::sort(cone.inputs.begin(), cone.inputs.end());
  std::sort(cone.instrs.begin(), cone.instrs.end());
  const std::size_t first_output = tape_.output_instrs.size() - tape_.outputs.size();
  cone.instrs.push_back(static_cast<int>(first_output) + output);
  cone.is_made = true;
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
void OutputExpansion::copy_backwards(const Cone& cone, int count) {
  for (int j : cone.inputs) {
    const Place& place = tape_.base[static_cast<std::size_t>(j)];
    for (int m = 0; m < count; ++m) data_[place.rev - m] = data_[place.out + m];
  }
}

bool OutputExpansion::expand(int output) {
  const Cone& cone = this->cone(output);
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

double OutputExpansion::evaluate(int output) {
  const Cone& cone = this->cone(output);
  copy_backwards(cone, 1);
  for (int i : cone.instrs) evaluate_at_zero(tape_.output_instrs[i], data_.data());
  return series(output)[0];
}

std::span<const double> OutputExpansion::series(int output) const {
  return {data_.data() + tape_.outputs[static_cast<std::size_t>(output)].out,
          static_cast<std::size_t>(size_)};
}

double OutputExpansion::error_of_value(int output, std::span<const double> input_errors,
                                       double time_error) {
  const Cone& cone = this->cone(output);
  const auto put = [this](const Place& place, double error) {
    errors_[place.out] = errors_[place.rev] = error;
  };
  if (tape_.time.out >= 0) put(tape_.time, time_error);
  for (int j : cone.inputs)
    put(tape_.base[static_cast<std::size_t>(j)], input_errors[static_cast<std::size_t>(j)]);
  for (int i : cone.instrs) add_error_at_zero(tape_.output_instrs[i], data_.data(), errors_.data());
  return errors_[tape_.outputs[static_cast<std::size_t>(output)].out];
}

}  // namespace hydae::codegen

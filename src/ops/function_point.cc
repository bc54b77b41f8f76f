#include "ops/function_point.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "ops/exact_jacobian.h"

namespace hydae {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// A step of about `relative` that x + h - x gives back exactly.
double step_at(double x, double relative) {
  const volatile double moved = x + relative * std::max(1.0, std::abs(x));
  return moved - x;
}

}  // namespace

FunctionPoint::FunctionPoint(const Function& function, int order)
    : function_(&function), order_(order), n_(function.num_inputs), m_(function.num_outputs) {
  const auto n = static_cast<std::size_t>(n_), m = static_cast<std::size_t>(m_);
  in_.resize(n);
  outputs_.resize(m);
  if (order_ >= 1) jacobian_.resize(m * n);
  if (order_ >= 2) hessian_.resize(m * n * n);
  for (auto* scratch : {&plus_, &minus_, &slope_}) scratch->resize(order_ >= 2 ? m * n + m : m);
}

void FunctionPoint::evaluate(std::span<const double> in) {
  std::copy(in.begin(), in.end(), in_.begin());
  call(outputs_);
  if (order_ >= 1) compute_jacobian();
  if (order_ < 2) return;
  if (function_->jacobian)
    compute_hessian_from_jacobian();
  else
    compute_hessian_from_values();
}

std::string FunctionPoint::try_evaluate(std::span<const double> in) {
  const auto call_text = [&] {
    std::string text = function_->name + "(";
    for (std::size_t k = 0; k < in.size(); ++k)
      text += fmt::format("{}{:.10g}", k == 0 ? "" : ", ", in[k]);
    return text + ")";
  };
  try {
    evaluate(in);
  } catch (const std::exception& error) {
    return fmt::format("{}: {}", call_text(), error.what());
  } catch (...) {
    return fmt::format("{} throws", call_text());
  }
  for (const double output : outputs_)
    if (!std::isfinite(output)) return fmt::format("{} returns {}", call_text(), output);
  for (const double derivative : jacobian_)
    if (!std::isfinite(derivative))
      return fmt::format("{}: its derivative is {}", call_text(), derivative);
  return "";
}

bool FunctionPoint::try_map(Map map, int input, double value, std::span<double> out) {
  const double here = in_[input];
  in_[input] = value;
  bool is_defined = true;
  try {
    (this->*map)(out);
  } catch (const std::exception&) {
    is_defined = false;
  }
  in_[input] = here;
  return is_defined &&
         std::all_of(out.begin(), out.end(), [](double v) { return std::isfinite(v); });
}

// Slope of all results of `map` along one input; NaN where neither side is defined.
void FunctionPoint::difference(Map map, int input, std::span<const double> here,
                               std::span<double> slope) {
  const double x = in_[input], h = step_at(x, std::cbrt(kEpsilon));
  const std::size_t count = here.size();
  const std::span<double> plus(plus_.data(), count), minus(minus_.data(), count);
  const bool has_plus = try_map(map, input, x + h, plus);
  const bool has_minus = try_map(map, input, x - h, minus);
  const double width = (has_plus ? h : 0) + (has_minus ? h : 0);
  for (std::size_t i = 0; i < count; ++i)
    slope[i] = ((has_plus ? plus[i] : here[i]) - (has_minus ? minus[i] : here[i])) / width;
}

void FunctionPoint::compute_jacobian() {
  if (function_->jacobian) return call_jacobian(jacobian_);
  const std::span<double> slope(slope_.data(), static_cast<std::size_t>(m_));
  for (int j = 0; j < n_; ++j) {
    difference(&FunctionPoint::call, j, outputs_, slope);
    for (int i = 0; i < m_; ++i) jacobian_[i * n_ + j] = slope[i];
  }
}

void FunctionPoint::compute_hessian_from_jacobian() {
  if (const auto* exact = function_->jacobian.target<ExactJacobian>())
    return exact->derivative(in_, hessian_);
  const std::span<double> slope(slope_.data(), jacobian_.size());
  for (int k = 0; k < n_; ++k) {
    difference(&FunctionPoint::call_jacobian, k, jacobian_, slope);
    for (int i = 0; i < m_; ++i)
      for (int j = 0; j < n_; ++j) hessian_[(i * n_ + j) * n_ + k] = slope[i * n_ + j];
  }
  for (int i = 0; i < m_; ++i)
    for (int j = 0; j < n_; ++j)
      for (int k = 0; k < j; ++k) {
        double& lower = hessian_[(i * n_ + j) * n_ + k];
        double& upper = hessian_[(i * n_ + k) * n_ + j];
        lower = upper = 0.5 * (lower + upper);
      }
}

// f_jk = (f(+,+) - f(+,-) - f(-,+) + f(-,-)) / 4hk, with both steps along one input for j = k.
void FunctionPoint::compute_hessian_from_values() {
  const double relative = std::sqrt(std::sqrt(kEpsilon));
  const std::span<double> out(slope_.data(), static_cast<std::size_t>(m_));
  std::fill(hessian_.begin(), hessian_.end(), 0.0);
  for (int j = 0; j < n_; ++j)
    for (int k = j; k < n_; ++k) {
      const double xj = in_[j], h = step_at(xj, relative), l = step_at(in_[k], relative);
      for (int corner = 0; corner < 4; ++corner) {
        const double sj = corner & 1 ? -1 : 1, sk = corner & 2 ? -1 : 1;
        in_[j] = xj + sj * h;
        const bool is_defined = try_map(&FunctionPoint::call, k, in_[k] + sk * l, out);
        in_[j] = xj;
        for (int i = 0; i < m_; ++i) {
          const double term = is_defined ? sj * sk * out[i] / (4 * h * l) : std::nan("");
          hessian_[(i * n_ + j) * n_ + k] += term;
          if (k != j) hessian_[(i * n_ + k) * n_ + j] += term;
        }
      }
    }
}

}  // namespace hydae

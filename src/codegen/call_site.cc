#include "codegen/call_site.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hydae::codegen {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

double binomial(int n, int k) {
  double value = 1;
  for (int i = 1; i <= k; ++i) value *= static_cast<double>(n - k + i) / i;
  return value;
}

// Weight of g(i h) in the difference of `order` at 0, central: averaged for odd orders.
double central_weight(int order, int i) {
  const auto term = [order](int k) {  // (-1)^k of the point (order/2 - k) h
    return k < 0 || k > order ? 0.0 : (k % 2 == 0 ? 1 : -1) * binomial(order, k);
  };
  if (order % 2 == 0) return term(order / 2 - i);
  return 0.5 * (term((order + 1) / 2 - i) + term((order - 1) / 2 - i));
}

double forward_weight(int order, int i) {
  return ((order - i) % 2 == 0 ? 1 : -1) * binomial(order, i);
}

double factorial(int n) {
  double product = 1;
  for (int i = 2; i <= n; ++i) product *= i;
  return product;
}

}  // namespace

CallSite::CallSite(BlackBox code, std::vector<int> arguments, std::vector<Result> outputs,
                   std::vector<Result> partials)
    : code_(std::move(code)),
      arguments_(std::move(arguments)),
      outputs_(std::move(outputs)),
      partials_(std::move(partials)),
      in_(arguments_.size()),
      slope_(arguments_.size()),
      out_(outputs_.size()),
      jacobian_(partials_.size()),
      sample_(outputs_.size()),
      sum_(outputs_.size()) {}

bool CallSite::evaluate(double* data) {
  for (std::size_t j = 0; j < in_.size(); ++j) in_[j] = data[arguments_[j]];
  failure_ = code_.call(in_, out_, jacobian_);
  const auto put = [data](const std::vector<Result>& places, const std::vector<double>& values) {
    for (std::size_t i = 0; i < places.size(); ++i)
      data[places[i].out] = data[places[i].rev] = values[i];
  };
  put(outputs_, out_);
  put(partials_, jacobian_);
  return failure_.empty();
}

void CallSite::expand(double* data, int m) {
  std::fill(sum_.begin(), sum_.end(), 0.0);
  if (m > 1) difference(data, m);
  const std::size_t n = arguments_.size();
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    double value = sum_[i];
    for (std::size_t j = 0; j < n; ++j)
      value += data[partials_[i * n + j].out] * data[arguments_[j] + m];
    data[outputs_[i].out + m] = data[outputs_[i].rev - m] = value;
  }
}

// sum_ = [tau^m] f(v(tau)) with v cut off before order m; by f' = J v' where J is the better one.
void CallSite::difference(const double* data, int m) {
  const int order = code_.has_jacobian ? m - 1 : m;
  const double h = spacing(data, m, order);
  if (h == 0) return;  // the arguments do not move
  for (Side side : {Side::kBoth, Side::kAfter, Side::kBefore})
    if (try_difference(data, m, order, h, side)) return;
  std::fill(sum_.begin(), sum_.end(), std::numeric_limits<double>::quiet_NaN());
}

// Arguments move by about eps^(1/(order+2)) of their size, where errors of rounding, eps/h^order,
// and of the difference, h^2, are alike. Zero if they do not move.
double CallSite::spacing(const double* data, int m, int order) const {
  const double relative = std::pow(kEpsilon, 1.0 / (order + 2));
  double h = std::numeric_limits<double>::infinity();
  for (const int v : arguments_)
    for (int i = 1; i < m; ++i) {
      if (data[v + i] == 0) continue;
      const double ratio = relative * std::max(1.0, std::abs(data[v])) / std::abs(data[v + i]);
      h = std::min(h, std::pow(ratio, 1.0 / i));
    }
  return std::isfinite(h) ? h : 0.0;
}

bool CallSite::try_difference(const double* data, int m, int order, double h, Side side) {
  const bool is_central = side == Side::kBoth;
  const int first = is_central ? -((order + 1) / 2) : 0, last = is_central ? -first : order;
  if (side == Side::kBefore) h = -h;
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (int i = first; i <= last; ++i) {
    const double weight = is_central ? central_weight(order, i) : forward_weight(order, i);
    if (weight == 0) continue;
    if (!sample(data, m, i * h)) return false;
    for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += weight * sample_[k];
  }
  const double unit = std::pow(h, order) * factorial(order) * (code_.has_jacobian ? m : 1);
  for (double& value : sum_) value /= unit;
  return true;
}

// sample_ = f(v(tau)), or its derivative by tau.
bool CallSite::sample(const double* data, int m, double tau) {
  const std::size_t n = arguments_.size();
  for (std::size_t j = 0; j < n; ++j) {
    in_[j] = slope_[j] = 0;
    for (int i = m - 1; i >= 0; --i) {
      slope_[j] = slope_[j] * tau + in_[j];
      in_[j] = in_[j] * tau + data[arguments_[j] + i];
    }
  }
  const bool has_jacobian = code_.has_jacobian;
  if (!code_
           .call(in_, has_jacobian ? out_ : sample_,
                 has_jacobian ? std::span(jacobian_) : std::span<double>())
           .empty())
    return false;
  for (std::size_t i = 0; i < outputs_.size() && has_jacobian; ++i) {
    sample_[i] = 0;
    for (std::size_t j = 0; j < n; ++j) sample_[i] += jacobian_[i * n + j] * slope_[j];
  }
  return true;
}

}  // namespace hydae::codegen

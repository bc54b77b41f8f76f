// The discrete Fourier transform of the standard library: of n real samples u, n even, with m =
// n/2 + 1, the amplitudes |X_k|/m and phases arg(X_k) of X_k = sum_j u_j*exp(-2*pi*i*j*k/n) for
// k = 0, ..., m - 1.
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <numbers>

#include "modelica/external/native_calls.h"
#include "modelica/external/native_functions.h"

namespace hydae::modelica::native {

namespace {

// By definition: n*m multiplications. Results: amplitudes, then phases.
void transform(std::span<const double> samples, std::span<double> out) {
  const std::size_t n = samples.size(), m = n / 2 + 1;
  std::vector<std::complex<double>> roots(n);
  for (std::size_t j = 0; j < n; ++j)
    roots[j] =
        std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n));
  for (std::size_t k = 0; k < m; ++k) {
    std::complex<double> sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += samples[j] * roots[j * k % n];
    out[k] = std::abs(sum) / static_cast<double>(m);
    out[m + k] = std::arg(sum);
  }
}

}  // namespace

Function make_fourier(int n) {
  Function function;
  function.name = fmt::format("fourier{}", n);
  function.num_inputs = n;
  function.num_outputs = 2 * (n / 2 + 1);
  function.evaluate = transform;
  return function;
}

std::vector<Value> fourier(const Call& call) {
  const std::vector<NodeId>& samples = call.inputs[0].cells;
  const std::size_t m = samples.size() / 2 + 1;
  if (!call.inputs[0].is_numeric() || samples.empty() || samples.size() % 2 != 0)
    call.session.fail("size-mismatch", "a Fourier transform needs an even number of samples",
                      call.range);
  const std::vector<NodeId> cells =
      call_native(call.session, make_fourier(static_cast<int>(samples.size())), samples);
  const auto middle = cells.begin() + static_cast<std::ptrdiff_t>(m);
  const Sizes sizes = {static_cast<int>(m)};
  return {call.session.evaluator->integer(0),
          Value::array_of(BaseType::kReal, sizes, {cells.begin(), middle}),
          Value::array_of(BaseType::kReal, sizes, {middle, cells.end()})};
}

}  // namespace hydae::modelica::native

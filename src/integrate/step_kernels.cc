#include "integrate/step_kernels.h"

#include "linalg/simd.h"

namespace hydae::integrate::HYDAE_VARIANT {
namespace {

using linalg::load4;
using linalg::store4;
using linalg::sum4;
using linalg::Vec4;

double dot(const double* a, const double* b, std::size_t count) {
  double rest = 0;
  for (; count % 4 != 0; --count) rest += a[count - 1] * b[count - 1];
  if (count == 0) return rest;
  Vec4 sum{};
  for (; count > 0; count -= 4) sum += load4(a + count - 4) * load4(b + count - 4);
  return rest + sum4(sum);
}

HYDAE_INLINE Vec4 largest4(const Vec4& bound, const Vec4& value) {
  const Vec4 above = value > bound ? value : bound;
  return -value > above ? -value : above;
}

void measure(double unit, const double* factors, const double* values, LastEight& last) {
  const Vec4 first_half = unit * load4(factors) * load4(values);
  const Vec4 second_half = unit * load4(factors + 4) * load4(values + 4);
  store4(last.sizes, largest4(load4(last.sizes), first_half));
  store4(last.sizes + 4, largest4(load4(last.sizes + 4), second_half));
  const double before = sum4(first_half * first_half), after = sum4(second_half * second_half);
  if (after > last.growth * before) last.growth = after / before;
}

void fill_powers(double tau, double* powers, std::size_t count) {
  const double square = tau * tau;
  Vec4 power = {1, tau, square, square * tau};
  for (std::size_t n = 0; n < count; n += 4, power *= square * square) store4(powers + n, power);
}

void multiply(const double* a, const double* b, double unit, double* out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = a[i] * b[i] * unit;
}

constexpr StepKernels kStepKernels = {&dot, &measure, &fill_powers, &multiply};

}  // namespace

const StepKernels& kernels() { return kStepKernels; }

}  // namespace hydae::integrate::HYDAE_VARIANT

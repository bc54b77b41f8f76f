// Products with small matrices; built once for each kind of processor (simd.h).
#include <algorithm>
#include <array>
#include <utility>

#include "linalg/simd.h"
#include "linalg/small_kernels.h"

namespace hydae::linalg::HYDAE_VARIANT {
namespace {

template <int W>
HYDAE_INLINE void product(int n, const double* inverse, const double* x, double* y) {
  constexpr int ld = 4 * W;
  Vec4 sum[W];
  for (int w = 0; w < W; ++w) sum[w] = load4(inverse + 4 * w) * x[0];
  for (int j = 1; j < n; ++j) {
    for (int w = 0; w < W; ++w) sum[w] += load4(inverse + j * ld + 4 * w) * x[j];
  }
  for (int w = 0; w < W; ++w) store4(y + 4 * w, sum[w]);
}

template <int W>
void multiply_any(int n, const double* inverse, const double* x, double* y) {
  product<W>(n, inverse, x, y);
}

template <int N>
void multiply_fixed(int, const double* inverse, const double* x, double* y) {
  product<padded(N) / 4>(N, inverse, x, y);
}

constexpr int kMaxFixed = 8;  // unrolled

template <std::size_t... I>
constexpr std::array<MultiplyKernel, kMaxSmall + 1> make_kernels(std::index_sequence<I...>) {
  return {nullptr, (I < kMaxFixed ? &multiply_fixed<std::min<int>(I + 1, kMaxFixed)>
                                  : &multiply_any<padded(I + 1) / 4>)...};
}

constexpr auto kMultiply = make_kernels(std::make_index_sequence<kMaxSmall>());

}  // namespace

const MultiplyKernel* multiply_kernels() { return kMultiply.data(); }

}  // namespace hydae::linalg::HYDAE_VARIANT

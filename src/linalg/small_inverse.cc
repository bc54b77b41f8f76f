#include "linalg/small_inverse.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "linalg/simd.h"

namespace hydae::linalg {
namespace {

// Lane masks: all bits of lane i set or cleared, by loading at a shifted position.
using Mask4 = long long __attribute__((vector_size(32)));

HYDAE_INLINE Vec4 keep(const Vec4& v, const Mask4& mask) { return (Vec4)((Mask4)v & mask); }

// Gauss-Jordan elimination in place on the *columns* of the stored matrix, each of W vectors: the
// transpose of a matrix has the transposed inverse, so the layout by columns is kept.
// Step k: x_k <- x_k / pivot with 1/pivot at position k; x_i <- (x_i with 0 at k) - x_i[k] x_k.
template <int W>
bool eliminate(int n, double* a, int* order) {
  constexpr int ld = 4 * W;
  double scale[kMaxSmall];
  for (int i = 0; i < n; ++i) {
    double largest = 0;
    for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(a[i * ld + j]));
    if (!(largest > 0) || !std::isfinite(largest)) return false;
    scale[i] = 1 / largest;
    order[i] = i;
  }
  for (int k = 0; k < n; ++k) {
    int p = k;
    double best = -1;
    for (int i = k; i < n; ++i) {
      const double size = std::abs(a[i * ld + k]) * scale[i];
      if (size > best) best = size, p = i;
    }
    if (!(best > 0)) return false;
    if (p != k) {
      std::swap_ranges(a + p * ld, a + (p + 1) * ld, a + k * ld);
      std::swap(scale[p], scale[k]);
      std::swap(order[p], order[k]);
    }
    const double inverse_pivot = 1 / a[k * ld + k];
    if (!std::isfinite(inverse_pivot)) return false;
    Mask4 not_k[W];
    Vec4 row[W];
    for (int w = 0; w < W; ++w) {
      const int lane = k - 4 * w;
      for (int l = 0; l < 4; ++l) not_k[w][l] = l == lane ? 0 : -1;
      const Vec4 at_k = (Vec4)((Mask4)all4(inverse_pivot) & ~not_k[w]);
      row[w] = keep(load4(a + k * ld + 4 * w), not_k[w]) * inverse_pivot + at_k;
      store4(a + k * ld + 4 * w, row[w]);
    }
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      double* x = a + i * ld;
      const double factor = -x[k];
      for (int w = 0; w < W; ++w) {
        store4(x + 4 * w, keep(load4(x + 4 * w), not_k[w]) + factor * row[w]);
      }
    }
  }
  return true;
}

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

}  // namespace

bool invert(int n, double* a, int* order) {
  HYDAE_CHECK(n >= 1 && n <= kMaxSmall);
  switch (padded(n) / 4) {
    case 1:
      return eliminate<1>(n, a, order);
    case 2:
      return eliminate<2>(n, a, order);
    case 3:
      return eliminate<3>(n, a, order);
    case 4:
      return eliminate<4>(n, a, order);
    case 5:
      return eliminate<5>(n, a, order);
    default:
      return eliminate<6>(n, a, order);
  }
}

void multiply(int n, const double* inverse, const int* order, const double* x, double* y) {
  double permuted[kMaxSmall];
  switch (padded(n) / 4) {
    case 1:
      product<1>(n, inverse, x, permuted);
      break;
    case 2:
      product<2>(n, inverse, x, permuted);
      break;
    case 3:
      product<3>(n, inverse, x, permuted);
      break;
    case 4:
      product<4>(n, inverse, x, permuted);
      break;
    case 5:
      product<5>(n, inverse, x, permuted);
      break;
    default:
      product<6>(n, inverse, x, permuted);
      break;
  }
  for (int i = 0; i < n; ++i) y[order[i]] = permuted[i];
}

double sensitivity(int n, const double* a, const double* inverse, const int* order) {
  const int ld = padded(n);
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    const double* column = a + order[i] * ld;  // a(:, order[i]) against row order[i] of the inverse
    for (int j = 0; j < n; ++j) {
      largest = std::max(largest, std::abs(column[j] * inverse[i + j * ld]));
    }
  }
  return largest;
}

}  // namespace hydae::linalg

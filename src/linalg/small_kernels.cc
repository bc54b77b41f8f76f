// Elimination in small matrices; built once for each kind of processor (simd.h). Products and sums
// are not fused: a cofactor a*b - c*d of equal products would keep the rounding of one of them.
#include "linalg/small_kernels.h"

#include <algorithm>
#include <cmath>

#include "linalg/simd.h"
#include "linalg/small_inverse.h"

namespace hydae::linalg::HYDAE_VARIANT {
namespace {

// Lane masks: all bits of lane i set or cleared, by loading at a shifted position.
using Mask4 = long long __attribute__((vector_size(32)));

HYDAE_INLINE Vec4 keep(const Vec4& v, const Mask4& mask) { return (Vec4)((Mask4)v & mask); }

// Gauss-Jordan elimination in place on the *columns* of the stored matrix, each of W vectors: the
// transpose of a matrix has the transposed inverse, so the layout by columns is kept.
// Step k: x_k <- x_k / pivot with 1/pivot at position k; x_i <- (x_i with 0 at k) - x_i[k] x_k.
// Exchanging columns of the matrix exchanges rows of the inverse: row i of the result belongs to
// row order[i] of the inverse.
template <int W>
double eliminate(int n, double* a, int* order) {
  constexpr int ld = 4 * W;
  double scale[kMaxSmall];
  for (int i = 0; i < n; ++i) {
    double largest = 0;
    for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(a[i * ld + j]));
    if (!(largest > 0) || !std::isfinite(largest)) return 0;
    scale[i] = 1 / largest;
    order[i] = i;
  }
  double smallest = 1;
  for (int k = 0; k < n; ++k) {
    int p = k;
    double best = -1;
    for (int i = k; i < n; ++i) {
      const double size = std::abs(a[i * ld + k]) * scale[i];
      if (size > best) best = size, p = i;
    }
    if (p != k) {
      std::swap_ranges(a + p * ld, a + (p + 1) * ld, a + k * ld);
      std::swap(scale[p], scale[k]);
      std::swap(order[p], order[k]);
    }
    smallest = std::min(smallest, best);
    const double inverse_pivot = 1 / a[k * ld + k];
    if (!(best > 0) || !std::isfinite(inverse_pivot)) return 0;
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
  return smallest;
}

void permute_rows(int n, double* a, const int* order) {
  bool is_identity = true;
  for (int i = 0; i < n; ++i) is_identity &= order[i] == i;
  if (is_identity) return;
  for (int j = 0; j < n; ++j) {
    double column[kMaxSmall];
    for (int i = 0; i < n; ++i) column[order[i]] = a[j * padded(n) + i];
    for (int i = 0; i < n; ++i) a[j * padded(n) + i] = column[i];
  }
}

// By cofactors: as accurate for three unknowns, whatever the scaling, and several times faster. The
// determinant relative to the sum of its terms takes the place of the smallest pivot.
double invert_three(double* a) {
  const double m00 = a[5] * a[10] - a[9] * a[6], m01 = a[9] * a[2] - a[1] * a[10],
               m02 = a[1] * a[6] - a[5] * a[2];
  const double t0 = a[0] * m00, t1 = a[4] * m01, t2 = a[8] * m02;
  const double determinant = t0 + t1 + t2, inverse = 1 / determinant;
  if (!std::isfinite(inverse) || !std::isfinite(determinant)) return 0;
  const double m10 = a[8] * a[6] - a[4] * a[10], m11 = a[0] * a[10] - a[8] * a[2],
               m12 = a[4] * a[2] - a[0] * a[6];
  const double m20 = a[4] * a[9] - a[8] * a[5], m21 = a[8] * a[1] - a[0] * a[9],
               m22 = a[0] * a[5] - a[4] * a[1];
  const double size = std::abs(t0) + std::abs(t1) + std::abs(t2);
  a[0] = m00 * inverse, a[1] = m01 * inverse, a[2] = m02 * inverse, a[3] = 0;
  a[4] = m10 * inverse, a[5] = m11 * inverse, a[6] = m12 * inverse, a[7] = 0;
  a[8] = m20 * inverse, a[9] = m21 * inverse, a[10] = m22 * inverse, a[11] = 0;
  return std::abs(determinant) / size;
}

}  // namespace

double invert(int n, double* a) {
  if (n == 3) {
    double copy[12];
    std::copy(a, a + 12, copy);
    const double ratio = invert_three(a);
    if (ratio > 0) return ratio;
    std::copy(copy, copy + 12, a);  // overflow or underflow of a product: scale
  }
  int order[kMaxSmall];
  double smallest = 0;
  switch (padded(n) / 4) {
    case 1: smallest = eliminate<1>(n, a, order); break;
    case 2: smallest = eliminate<2>(n, a, order); break;
    case 3: smallest = eliminate<3>(n, a, order); break;
    case 4: smallest = eliminate<4>(n, a, order); break;
    case 5: smallest = eliminate<5>(n, a, order); break;
    case 6: smallest = eliminate<6>(n, a, order); break;
    case 7: smallest = eliminate<7>(n, a, order); break;
    case 8: smallest = eliminate<8>(n, a, order); break;
    case 9: smallest = eliminate<9>(n, a, order); break;
    default: smallest = eliminate<10>(n, a, order); break;
  }
  if (smallest > 0) permute_rows(n, a, order);
  return smallest;
}

}  // namespace hydae::linalg::HYDAE_VARIANT

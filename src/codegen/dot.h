// The inner loop of all Taylor recurrences: sum_{i=0}^{M} a_i b_{M-i}, with b stored backwards.
//
// A vector load that overlaps a scalar just stored waits some ten nanoseconds for the store to
// reach the cache; a scalar load does not. So the two newest coefficients of both factors are read
// as scalars and the vectors cover the older middle. All bounds are known at compile time for M >=
// 0; M = kAnyOrder is the loop for orders beyond the specialised ones.
#pragma once

#include "linalg/simd.h"

namespace hydae::codegen {

using linalg::load4;
using linalg::sum4;
using linalg::Vec4;

inline constexpr int kAnyOrder = -1;

// Vectors of four in the middle of a sum over 0..m: terms 2 .. 4*count+1, at most term m-2.
constexpr int middle_vectors(int m) { return m >= 7 ? (m - 3) / 4 : 0; }

// `scalar` and `vector` receive the two parts of the sum; q[i] = b_{m-i}. Unused if m < 0.
template <int M>
HYDAE_INLINE void dot_parts(const double* a, const double* q, int m, double& scalar, Vec4& vector) {
  if constexpr (M != kAnyOrder) m = M;
  constexpr bool is_short = M != kAnyOrder && M < 7;
  scalar = 0;
  if constexpr (is_short) {
    vector = Vec4{};
#pragma GCC unroll 8
    for (int i = 0; i <= m; ++i) scalar += a[i] * q[i];
    return;
  }
  if (M == kAnyOrder && m < 7) {
    vector = Vec4{};
    for (int i = 0; i <= m; ++i) scalar += a[i] * q[i];
    return;
  }
  const int count = middle_vectors(m);
  scalar = a[0] * q[0] + a[1] * q[1];
  Vec4 even = load4(a + 2) * load4(q + 2), odd{};
#pragma GCC unroll 32
  for (int c = 1; c < count; ++c) {
    Vec4& part = c % 2 == 0 ? even : odd;
    part += load4(a + 2 + 4 * c) * load4(q + 2 + 4 * c);
  }
  vector = even + odd;
#pragma GCC unroll 8
  for (int i = 2 + 4 * count; i <= m; ++i) scalar += a[i] * q[i];
}

template <int M>
HYDAE_INLINE double dot(const double* a, const double* q, int m) {
  if constexpr (M != kAnyOrder && M < 0) return 0;
  double scalar;
  Vec4 vector;
  dot_parts<M>(a, q, m, scalar, vector);
  return scalar + sum4(vector);
}

}  // namespace hydae::codegen

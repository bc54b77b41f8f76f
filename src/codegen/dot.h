// The inner loop of all Taylor recurrences: sum_{i=0}^{M} a_i b_{M-i}, with b stored backwards.
//
// A vector load that overlaps a scalar just stored waits some ten nanoseconds for the store to
// reach the cache; a scalar load does not. So the two newest coefficients of both factors are read
// as scalars and the vectors cover the older middle. The newest products are summed apart and added
// last: everything else can be computed before they are known.
//
// All bounds are known at compile time for M >= 0; M = kAnyOrder is the loop for higher orders.
#pragma once

#include "linalg/simd.h"

namespace hydae::codegen {

using linalg::load4;
using linalg::sum4;
using linalg::Vec4;

inline constexpr int kAnyOrder = -1;
inline constexpr int kEmpty = -2;  // a sum without terms

// From this order on there is a middle of vectors: terms 2 .. 4*count+1, at most term m-2.
inline constexpr int kFirstVectorOrder = 7;
constexpr int middle_vectors(int m) { return (m - 3) / 4; }

struct DotParts {
  double newest = 0, older = 0;
  Vec4 middle = {};  // meaningful if kHasMiddle<M>
};

template <int M>
inline constexpr bool kHasMiddle = M == kAnyOrder || M >= kFirstVectorOrder;

// The first factor of a sum of products: a series, or the difference of two.
struct Plain {
  const double* a;
  double operator[](int i) const { return a[i]; }
  HYDAE_INLINE Vec4 four(int i) const { return load4(a + i); }
};
struct Difference {  // factor * w - u
  const double *w, *u;
  double factor;
  double operator[](int i) const { return factor * w[i] - u[i]; }
  HYDAE_INLINE Vec4 four(int i) const { return factor * load4(w + i) - load4(u + i); }
};

// q[i] = b_{m-i}
template <int M, class First>
HYDAE_INLINE void dot_parts(const First& a, const double* q, int m, DotParts& parts) {
  if constexpr (M == kEmpty) return;
  if constexpr (M >= 0 && M < kFirstVectorOrder) {
    // Newest are i = 0, 1, M-1, M: for short sums nearly everything.
    if constexpr (M >= 4) {
      parts.older = a[2] * q[2];
#pragma GCC unroll 4
      for (int i = 3; i <= M - 2; ++i) parts.older += a[i] * q[i];
    }
    parts.newest = a[M] * q[M];
    if constexpr (M >= 1) parts.newest += a[0] * q[0];
    if constexpr (M >= 2) parts.older += a[1] * q[1];
    if constexpr (M >= 3) parts.older += a[M - 1] * q[M - 1];
    return;
  }
  if constexpr (M != kAnyOrder) m = M;
  if (M == kAnyOrder && m < kFirstVectorOrder) {
    for (int i = 0; i <= m; ++i) parts.older += a[i] * q[i];
    return;
  }
  const int count = middle_vectors(m);
  Vec4 even = a.four(2) * load4(q + 2), odd{};
#pragma GCC unroll 32
  for (int c = 1; c < count; ++c) {
    Vec4& part = c % 2 == 0 ? even : odd;
    part += a.four(2 + 4 * c) * load4(q + 2 + 4 * c);
  }
  parts.middle = count > 1 ? even + odd : even;
#pragma GCC unroll 8
  for (int i = 2 + 4 * count; i <= m - 2; ++i) parts.older += a[i] * q[i];
  parts.older += a[1] * q[1] + a[m - 1] * q[m - 1];
  parts.newest = a[0] * q[0] + a[m] * q[m];
}

template <int M, class First>
HYDAE_INLINE double dot(const First& a, const double* q, int m) {
  DotParts parts;
  dot_parts<M>(a, q, m, parts);
  if constexpr (kHasMiddle<M>) parts.older += sum4(parts.middle);
  return parts.older + parts.newest;
}

template <int M>
HYDAE_INLINE double dot(const double* a, const double* q, int m) {
  return dot<M>(Plain{a}, q, m);
}

// From this order on half of a square has a vector: terms 2 .. 4*count+1 of its (m+1)/2 pairs.
template <int M>
inline constexpr bool kHasSquareMiddle = M == kAnyOrder || M >= 11;

// Half of sum_{i=0}^{m} a_i a_{m-i}, whose terms come in equal pairs. q[i] = a_{m-i}.
template <int M>
HYDAE_INLINE void half_square_parts(const double* a, const double* q, int m, DotParts& parts) {
  if constexpr (M == kEmpty) return;
  if constexpr (M != kAnyOrder) m = M;
  if (m < 0) return;
  const int pairs = (m + 1) / 2;
  if (m % 2 == 0) parts.older = 0.5 * a[m / 2] * q[m / 2];
  if (pairs == 0) return;
  int i = 2;
  if constexpr (kHasSquareMiddle<M>) {
#pragma GCC unroll 16
    for (; i + 4 <= pairs; i += 4) parts.middle += load4(a + i) * load4(q + i);
  }
#pragma GCC unroll 8
  for (; i < pairs; ++i) parts.older += a[i] * q[i];
  if (pairs > 1) parts.older += a[1] * q[1];
  parts.newest = a[0] * q[0];
}

template <int M>
HYDAE_INLINE double square(const double* a, const double* q, int m) {
  DotParts parts;
  half_square_parts<M>(a, q, m, parts);
  if constexpr (kHasSquareMiddle<M>) parts.older += sum4(parts.middle);
  return 2 * (parts.older + parts.newest);
}

}  // namespace hydae::codegen

// Four doubles as one value, in the vector notation of GCC and Clang: AVX2 where the target has it,
// pairs of SSE2 or plain code elsewhere. Arithmetic operators work elementwise.
//
// Sources that are all such loops are built twice (hydae_vector_kernels() of CMake): for every
// processor, in namespace `plain`, and with AVX2 and FMA, in namespace `wide`. HYDAE_VARIANT is
// the name at hand. Which one runs is decided once, when the program does.
#pragma once

namespace hydae::linalg {

using Vec4 = double __attribute__((vector_size(32)));

#define HYDAE_INLINE inline __attribute__((always_inline))

// Copies, which are one or two moves: the memory is that of doubles, aligned as they are.
HYDAE_INLINE Vec4 load4(const double* p) {
  Vec4 v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
HYDAE_INLINE void store4(double* p, const Vec4& v) { __builtin_memcpy(p, &v, sizeof v); }
HYDAE_INLINE Vec4 all4(double a) { return Vec4{a, a, a, a}; }
HYDAE_INLINE double sum4(const Vec4& v) { return (v[0] + v[2]) + (v[1] + v[3]); }

}  // namespace hydae::linalg

#ifdef HYDAE_HAS_WIDE
#define HYDAE_DECLARE_VARIANTS(declaration) \
  namespace plain {                         \
  declaration;                              \
  }                                         \
  namespace wide {                          \
  declaration;                              \
  }
#define HYDAE_CHOOSE_VARIANT(function)                                               \
  (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &wide::function \
                                                                   : &plain::function)
#else
#define HYDAE_DECLARE_VARIANTS(declaration) \
  namespace plain {                         \
  declaration;                              \
  }
#define HYDAE_CHOOSE_VARIANT(function) (&plain::function)
#endif

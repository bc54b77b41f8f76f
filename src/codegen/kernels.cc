#include "codegen/kernels.h"

#include <array>
#include <cmath>
#include <utility>

#include "codegen/dot.h"

namespace hydae::codegen::HYDAE_VARIANT {
namespace {

template <int M>
struct Order {
  // M - 1 and M - 2 keep the meaning "any order".
  static constexpr int kMinus1 = M == kAnyOrder ? kAnyOrder : (M >= 1 ? M - 1 : kEmpty);
  static constexpr int kMinus2 = M == kAnyOrder ? kAnyOrder : (M >= 2 ? M - 2 : kEmpty);
};

HYDAE_INLINE void put(double* d, int out, int rev, int m, double value) {
  d[out + m] = value;
  d[rev - m] = value;
}

// w_i = i u_i for the newest coefficient; the one before again, because u may have been corrected.
HYDAE_INLINE void put_weighted(double* d, int w, int u, int m) {
  d[w + m - 1] = (m - 1) * d[u + m - 1];
  d[w + m] = m * d[u + m];
}

// sum_{i=1}^{m} a_i b_{m-i}
template <int M>
HYDAE_INLINE double tail_dot(const double* d, int a, int b_rev, int m) {
  return dot<Order<M>::kMinus1>(d + a + 1, d + b_rev - (m - 1), m - 1);
}

// sum_{i=1}^{m} a_i b_{m-i} for a_i = factor w_i - u_i, given from i = 1 on
template <int M>
HYDAE_INLINE double tail_dot(const Difference& a, const double* d, int b_rev, int m) {
  return dot<Order<M>::kMinus1>(a, d + b_rev - (m - 1), m - 1);
}

// sum_{i=1}^{m-1} a_i a_{m-i}
template <int M>
HYDAE_INLINE double inner_square(const double* d, int a, int a_rev, int m) {
  return square<Order<M>::kMinus2>(d + a + 1, d + a_rev - (m - 1), m - 2);
}

// sum_{i=1}^{m-1} a_i b_{m-i}
template <int M>
HYDAE_INLINE double inner_dot(const double* d, int a, int b_rev, int m) {
  return dot<Order<M>::kMinus2>(d + a + 1, d + b_rev - (m - 1), m - 2);
}

// d_m[place] is coefficient m of an operand.
HYDAE_INLINE double linear_value(const LinearPart* first, const LinearPart* last,
                                 const double* d_m) {
  double sum = 0;
  for (; first != last; ++first) sum += first->factor * d_m[first->place];
  return sum;
}

template <int M>
HYDAE_INLINE double form_value(const Instr& in, const double* d, int m,
                               const LinearPart* linear_end) {
  if constexpr (M != kAnyOrder) m = M;
  double newest = linear_value(in.linear, linear_end, d + m), older = 0;
  Vec4 middle{};
  for (const ProductPart* p = in.products; p != in.squares; ++p) {
    DotParts parts;
    dot_parts<M>(Plain{d + p->left}, d + p->right_rev - m, m, parts);
    newest += p->factor * parts.newest;
    older += p->factor * parts.older;
    if constexpr (kHasMiddle<M>) middle += p->factor * parts.middle;
  }
  for (const ProductPart* p = in.squares; p != in.squares_end; ++p) {
    DotParts parts;
    half_square_parts<M>(d + p->left, d + p->right_rev - m, m, parts);
    const double twice = 2 * p->factor;
    newest += twice * parts.newest;
    older += twice * parts.older;
    if constexpr (kHasSquareMiddle<M>) middle += twice * parts.middle;
  }
  if constexpr (kHasMiddle<M>) older += sum4(middle);
  return newest + older;
}

template <int M>
double form_kernel(const Instr& in, const double* d, int m, const LinearPart* linear_end) {
  return form_value<M>(in, d, m, linear_end);
}

template <int M>
void row_kernel(const Instr* row, const Instr* last, const double* d, int m, RowValues to) {
  do {
    *to.values++ = to.factor * form_value<M>(*row, d, m, row->leading);
  } while (++row != last);
}

void linear_row_kernel(const Instr* row, const Instr* last, const double* d, int m, RowValues to) {
  do {
    *to.values++ = to.factor * linear_value(row->linear, row->leading, d + m);
  } while (++row != last);
}

template <int M>
struct SumKernel {
  static void run(const Instr& in, double* d, int m) {
    if constexpr (M != kAnyOrder) m = M;
    put(d, in.out, in.rev, m, form_value<M>(in, d, m, in.leading));
  }
};

template <int>
struct LinearSumKernel {
  static void run(const Instr& in, double* d, int m) {
    put(d, in.out, in.rev, m, linear_value(in.linear, in.leading, d + m));
  }
};

template <int>
struct PairSumKernel {
  static void run(const Instr& in, double* d, int m) {
    const LinearPart &first = in.linear[0], &second = in.linear[1];
    const double* d_m = d + m;
    const double sum = first.factor * d_m[first.place] + second.factor * d_m[second.place];
    put(d, in.out, in.rev, m, sum);
  }
};

// s' = c u', c' = -+ s u'
template <int M, int kSign>
HYDAE_INLINE void circular(const Instr& in, double* d, int m) {
  if constexpr (M != kAnyOrder) m = M;
  put_weighted(d, in.w, in.a, m);
  const double inverse_m = 1.0 / m;
  const double s = tail_dot<M>(d, in.w, in.rev2, m) * inverse_m;
  const double c = tail_dot<M>(d, in.w, in.rev, m) * (kSign * inverse_m);
  put(d, in.out, in.rev, m, s);
  put(d, in.out2, in.rev2, m, c);
}

template <int M>
struct SinCosKernel {
  static void run(const Instr& in, double* d, int m) { circular<M, -1>(in, d, m); }
};

template <int M>
struct SinhCoshKernel {
  static void run(const Instr& in, double* d, int m) { circular<M, 1>(in, d, m); }
};

// v' = z u', z = 1 +- v^2
template <int M, int kSign>
HYDAE_INLINE void tangent(const Instr& in, double* d, int m) {
  if constexpr (M != kAnyOrder) m = M;
  put_weighted(d, in.w, in.a, m);
  put(d, in.out, in.rev, m, tail_dot<M>(d, in.w, in.rev2, m) * (1.0 / m));
  put(d, in.out2, in.rev2, m, kSign * square<M>(d + in.out, d + in.rev - m, m));
}

template <int M>
struct TanKernel {
  static void run(const Instr& in, double* d, int m) { tangent<M, 1>(in, d, m); }
};

template <int M>
struct TanhKernel {
  static void run(const Instr& in, double* d, int m) { tangent<M, -1>(in, d, m); }
};

// v' = v u'
template <int M>
struct ExpKernel {
  static void run(const Instr& in, double* d, int m) {
    if constexpr (M != kAnyOrder) m = M;
    put_weighted(d, in.w, in.a, m);
    put(d, in.out, in.rev, m, tail_dot<M>(d, in.w, in.rev, m) * (1.0 / m));
  }
};

// Of an argument a + b t only w_1 = b is there.
template <int kSign>
void linear_circular(const Instr& in, double* d, int m) {
  const double rate = d[in.a + 1] * (1.0 / m);
  const double s = rate * d[in.out2 + m - 1], c = kSign * rate * d[in.out + m - 1];
  put(d, in.out, in.rev, m, s);
  put(d, in.out2, in.rev2, m, c);
}

template <int>
struct LinearSinCosKernel {
  static void run(const Instr& in, double* d, int m) { linear_circular<-1>(in, d, m); }
};

template <int>
struct LinearSinhCoshKernel {
  static void run(const Instr& in, double* d, int m) { linear_circular<1>(in, d, m); }
};

template <int>
struct LinearExpKernel {
  static void run(const Instr& in, double* d, int m) {
    put(d, in.out, in.rev, m, d[in.a + 1] * (1.0 / m) * d[in.out + m - 1]);
  }
};

// Kept from order 1 on: order 0 may still be corrected by the projection in its own stage.
HYDAE_INLINE double kept_inverse(const Instr& in, double* d, int m, int place, double factor) {
  if (m == 1) d[in.inverse] = 1 / (factor * d[place]);
  return d[in.inverse];
}

// v b = a
template <int M>
struct QuotientKernel {
  static void run(const Instr& in, double* d, int m) {
    if constexpr (M != kAnyOrder) m = M;
    const double inverse = kept_inverse(in, d, m, in.b, 1);
    put(d, in.out, in.rev, m, (d[in.a + m] - tail_dot<M>(d, in.b, in.rev, m)) * inverse);
  }
};

template <int M>
struct ReciprocalKernel {
  static void run(const Instr& in, double* d, int m) {
    if constexpr (M != kAnyOrder) m = M;
    const double inverse = kept_inverse(in, d, m, in.a, 1);
    put(d, in.out, in.rev, m, -tail_dot<M>(d, in.a, in.rev, m) * inverse);
  }
};

// v v = u
template <int M>
struct SqrtKernel {
  static void run(const Instr& in, double* d, int m) {
    if constexpr (M != kAnyOrder) m = M;
    const double inverse = kept_inverse(in, d, m, in.out, 2);
    put(d, in.out, in.rev, m, (d[in.a + m] - inner_square<M>(d, in.out, in.rev, m)) * inverse);
  }
};

// u v' = e v u'
template <int M>
struct PowerKernel {
  static void run(const Instr& in, double* d, int m) {
    if constexpr (M != kAnyOrder) m = M;
    put_weighted(d, in.w, in.a, m);
    const double inverse = kept_inverse(in, d, m, in.a, 1);
    const double factor = (in.number + 1) * (1.0 / m);
    put(d, in.out, in.rev, m,
        tail_dot<M>(Difference{d + in.w + 1, d + in.a + 1, factor}, d, in.rev, m) * inverse);
  }
};

// b v' = scalar a'
template <int M>
struct IntegralKernel {
  static void run(const Instr& in, double* d, int m) {
    if constexpr (M != kAnyOrder) m = M;
    d[in.w + m - 1] = (m - 1) * d[in.out + m - 1];
    const double inverse = kept_inverse(in, d, m, in.b, 1);
    const double sum = inner_dot<M>(d, in.w, in.b_rev, m) * (1.0 / m);
    put(d, in.out, in.rev, m, (in.number * d[in.a + m] - sum) * inverse);
  }
};

// z v' = x y' - y x', with a = y, b = x, c = z = x^2 + y^2
template <int M>
struct Atan2Kernel {
  static void run(const Instr& in, double* d, int m) {
    if constexpr (M != kAnyOrder) m = M;
    put_weighted(d, in.w, in.a, m);
    put_weighted(d, in.w2, in.b, m);
    d[in.w3 + m - 1] = (m - 1) * d[in.out + m - 1];
    const double inverse = kept_inverse(in, d, m, in.c, 1);
    const double turn = tail_dot<M>(d, in.w, in.b_rev, m) - tail_dot<M>(d, in.w2, in.a_rev, m);
    const double sum = inner_dot<M>(d, in.w3, in.c_rev, m);
    put(d, in.out, in.rev, m, (turn - sum) * (1.0 / m) * inverse);
  }
};

// u^e for e = 0, 1, 2, ... known only at run time, where u_0 may be zero: coefficient m by repeated
// multiplication of truncated series, without memory of lower orders.
void integer_power(const Instr& in, double* d, int m) {
  constexpr int kCapacity = 512;
  double square[kCapacity], power[kCapacity];
  const int n = std::min(m, kCapacity - 1);
  const auto multiply = [n](double* x, const double* y) {
    for (int i = n; i >= 0; --i) {
      double sum = 0;
      for (int j = 0; j <= i; ++j) sum += x[i - j] * y[j];
      x[i] = sum;
    }
  };
  for (int i = 0; i <= n; ++i) square[i] = d[in.a + i], power[i] = 0;
  power[0] = 1;
  for (double e = in.number; e >= 1; e = std::floor(e / 2)) {
    if (std::fmod(e, 2) == 1) multiply(power, square);
    if (e >= 2) {
      double copy[kCapacity];
      std::copy(square, square + n + 1, copy);
      multiply(square, copy);
    }
  }
  put(d, in.out, in.rev, m, power[n]);
}

constexpr int kCount = kMaxSpecialized + 2;

// Orders with code of their own. Where another variant of this file serves the processors of today,
// few: they are most of the time that it takes to compile.
#if defined(HYDAE_HAS_WIDE) && !defined(__AVX2__)
constexpr int kSpecialized = 16;
#else
constexpr int kSpecialized = kMaxSpecialized;
#endif

template <std::size_t I>
constexpr int kOrderOf = I <= kSpecialized ? static_cast<int>(I) : kAnyOrder;

template <template <int> class K, int M>
void run_all(const Instr* in, const Instr* last, double* d, int m) {
  do {
    K<M>::run(*in, d, m);
  } while (++in != last);
}

template <template <int> class K, std::size_t... I>
constexpr std::array<Kernel, kCount> make_row(std::index_sequence<I...>) {
  return {&run_all<K, 1>, &run_all<K, kOrderOf<I + 1>>..., &run_all<K, kAnyOrder>};
}

template <template <int> class K>
constexpr std::array<Kernel, kCount> kRow =
    make_row<K>(std::make_index_sequence<kMaxSpecialized>());

template <std::size_t... I>
constexpr std::array<FormKernel, kCount> make_forms(std::index_sequence<I...>) {
  return {&form_kernel<kOrderOf<I>>..., &form_kernel<kAnyOrder>};
}

constexpr std::array<FormKernel, kCount> kForms =
    make_forms(std::make_index_sequence<kMaxSpecialized + 1>());

template <std::size_t... I>
constexpr std::array<RowKernel, kCount> make_row_kernels(std::index_sequence<I...>) {
  return {&row_kernel<kOrderOf<I>>..., &row_kernel<kAnyOrder>};
}

constexpr std::array<RowKernel, kCount> kRowKernels =
    make_row_kernels(std::make_index_sequence<kMaxSpecialized + 1>());

constexpr std::array<RowKernel, kCount> make_linear_row_kernels() {
  std::array<RowKernel, kCount> row{};
  row.fill(&linear_row_kernel);
  return row;
}

constexpr std::array<RowKernel, kCount> kLinearRowKernels = make_linear_row_kernels();

template <int>
struct IntegerPowerKernel {
  static void run(const Instr& in, double* d, int m) { integer_power(in, d, m); }
};

template <int>
struct CallKernel {
  static void run(const Instr& in, double* d, int m) { in.call->expand(d, m); }
};

// One kernel for all orders.
template <template <int> class K>
constexpr std::array<Kernel, kCount> make_constant_row() {
  std::array<Kernel, kCount> row{};
  row.fill(&run_all<K, kAnyOrder>);
  return row;
}

template <template <int> class K>
constexpr std::array<Kernel, kCount> kConstantRow = make_constant_row<K>();

const Kernel* find_kernels(SeriesOp op, Variant variant) {
  if (variant == Variant::kLinearSum) return kConstantRow<LinearSumKernel>.data();
  if (variant == Variant::kPairSum) return kConstantRow<PairSumKernel>.data();
  if (variant == Variant::kIntegerPower) return kConstantRow<IntegerPowerKernel>.data();
  if (variant == Variant::kLinearArgument) {
    if (op == SeriesOp::kSinCos) return kConstantRow<LinearSinCosKernel>.data();
    if (op == SeriesOp::kSinhCosh) return kConstantRow<LinearSinhCoshKernel>.data();
    if (op == SeriesOp::kExp) return kConstantRow<LinearExpKernel>.data();
  }
  switch (op) {
    case SeriesOp::kSum: return kRow<SumKernel>.data();
    case SeriesOp::kSinCos: return kRow<SinCosKernel>.data();
    case SeriesOp::kSinhCosh: return kRow<SinhCoshKernel>.data();
    case SeriesOp::kTan: return kRow<TanKernel>.data();
    case SeriesOp::kTanh: return kRow<TanhKernel>.data();
    case SeriesOp::kExp: return kRow<ExpKernel>.data();
    case SeriesOp::kQuotient: return kRow<QuotientKernel>.data();
    case SeriesOp::kReciprocal: return kRow<ReciprocalKernel>.data();
    case SeriesOp::kSqrt: return kRow<SqrtKernel>.data();
    case SeriesOp::kPower: return kRow<PowerKernel>.data();
    case SeriesOp::kIntegral: return kRow<IntegralKernel>.data();
    case SeriesOp::kAtan2: return kRow<Atan2Kernel>.data();
    case SeriesOp::kCall: return kConstantRow<CallKernel>.data();
    case SeriesOp::kTime:
    case SeriesOp::kVariable:
    case SeriesOp::kSecond: break;
  }
  return nullptr;
}

const RowKernel* find_row_kernels(Variant variant) {
  return variant == Variant::kGeneral ? kRowKernels.data() : kLinearRowKernels.data();
}

constexpr KernelTable kTable = {&find_kernels, &find_row_kernels, kForms.data()};

}  // namespace

const KernelTable& kernel_table() { return kTable; }

}  // namespace hydae::codegen::HYDAE_VARIANT

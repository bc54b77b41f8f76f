#include "codegen/kernels.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "codegen/dot.h"

namespace hydae::codegen {

HYDAE_DECLARE_VARIANTS(const KernelTable& kernel_table())

namespace {

// Memory of one operation: five series of 128 coefficients, forwards and backwards, and workspace.
struct Bench {
  static constexpr int kLength = 128;
  std::vector<double> data = std::vector<double>(20 * kLength);
  Instr instr;

  static constexpr int out(int series) { return 2 * series * kLength; }
  static constexpr int rev(int series) { return 2 * series * kLength + 2 * kLength - 1; }

  // 1.5 a - 2.5 b + 0.5 a b + 3 c^2, without its constant.
  const LinearPart linear[2] = {{1.5, out(2)}, {-2.5, out(3)}};
  const ProductPart products[2] = {{0.5, out(2), rev(3)}, {3, out(4), rev(4)}};

  explicit Bench(SeriesOp op) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(0.5, 1.5);
    for (int series = 0; series < 5; ++series) {
      for (int m = 0; m < kLength; ++m) {
        data[out(series) + m] = data[rev(series) - m] = number(random) * std::pow(0.9, m);
      }
    }
    instr.op = op;
    instr.out = out(0), instr.rev = rev(0);
    instr.out2 = out(1), instr.rev2 = rev(1);
    instr.a = out(2), instr.a_rev = rev(2);
    instr.b = out(3), instr.b_rev = rev(3);
    instr.c = out(4), instr.c_rev = rev(4);
    instr.w = out(5), instr.w2 = out(5) + kLength, instr.w3 = out(6);
    instr.inverse = out(7);
    for (int m = 0; m < kLength; ++m) {
      data[instr.w + m] = m * data[instr.a + m];
      data[instr.w2 + m] = m * data[instr.b + m];
      data[instr.w3 + m] = m * data[instr.out + m];
    }
    if (op == SeriesOp::kIntegral) instr.w = instr.w3;
    data[instr.inverse] = 0.8;
    instr.number = 0.7;
    instr.linear = linear;
    instr.leading = instr.leading_end = linear + 2;
    instr.products = products;
    instr.squares = products + 1;
    instr.squares_end = products + 2;
  }
};

constexpr SeriesOp kOps[] = {SeriesOp::kSum,      SeriesOp::kSinCos,     SeriesOp::kSinhCosh,
                             SeriesOp::kTan,      SeriesOp::kTanh,       SeriesOp::kExp,
                             SeriesOp::kQuotient, SeriesOp::kReciprocal, SeriesOp::kSqrt,
                             SeriesOp::kPower,    SeriesOp::kIntegral,   SeriesOp::kAtan2};

// The last entry of each table is the loop for any order: it must do what the unrolled ones do.
// Sums of at most 80 terms of size one in another order of summation.
TEST(Kernels, loop_agrees_with_every_specialised_order) {
  for (SeriesOp op : kOps) {
    const Bench start(op);
    for (int m = 1; m <= kMaxSpecialized; ++m) {
      Bench fixed(op), any(op);
      kernels(op)[m](&fixed.instr, &fixed.instr + 1, fixed.data.data(), m);
      kernels(op)[kMaxSpecialized + 1](&any.instr, &any.instr + 1, any.data.data(), m);
      bool has_changed = false;
      for (std::size_t i = 0; i < fixed.data.size(); ++i) {
        EXPECT_NEAR(fixed.data[i], any.data[i], 1e-13) << int(op) << " order " << m << " at " << i;
        has_changed |= fixed.data[i] != start.data[i];
      }
      EXPECT_TRUE(has_changed);
    }
  }
}

// A processor without AVX2 and FMA runs the other build of the same source: the same to rounding.
TEST(Kernels, every_processor_computes_the_same) {
  const KernelTable &plain = plain::kernel_table(), &chosen = HYDAE_CHOOSE_VARIANT(kernel_table)();
  for (SeriesOp op : kOps) {
    for (int m = 1; m <= kMaxSpecialized + 1; ++m) {
      Bench one(op), other(op);
      plain.kernels(op, Variant::kGeneral)[m](&one.instr, &one.instr + 1, one.data.data(), m);
      chosen.kernels(op, Variant::kGeneral)[m](&other.instr, &other.instr + 1, other.data.data(),
                                               m);
      for (std::size_t i = 0; i < one.data.size(); ++i)
        EXPECT_NEAR(one.data[i], other.data[i], 1e-13) << int(op) << " order " << m << " at " << i;
    }
  }
}

TEST(Kernels, orders_beyond_the_specialised_use_the_loop) {
  EXPECT_EQ(kernel_index(kMaxSpecialized), kMaxSpecialized);
  EXPECT_EQ(kernel_index(kMaxSpecialized + 1), kMaxSpecialized + 1);
  EXPECT_EQ(kernel_index(300), kMaxSpecialized + 1);
}

// By definition, for every order: sum_{i=0}^{m} a_i b_{m-i}.
TEST(Kernels, form_is_the_convolution) {
  for (int m = 0; m <= kMaxSpecialized + 20; ++m) {
    Bench bench(SeriesOp::kSum);
    const double value =
        form_kernels()[kernel_index(m)](bench.instr, bench.data.data(), m, bench.instr.leading);
    const double* d = bench.data.data();
    long double exact = 1.5L * d[Bench::out(2) + m] - 2.5L * d[Bench::out(3) + m];
    for (int i = 0; i <= m; ++i) {
      exact += 0.5L * d[Bench::out(2) + i] * d[Bench::out(3) + m - i];
      exact += 3.0L * d[Bench::out(4) + i] * d[Bench::out(4) + m - i];
    }
    EXPECT_NEAR(value, static_cast<double>(exact), 1e-13) << m;
  }
}

// Kernels of sums without products: the linear part of the form above.
TEST(Kernels, sums_of_linear_terms) {
  for (int m = 1; m <= kMaxSpecialized + 2; ++m) {
    Bench bench(SeriesOp::kSum);
    double* d = bench.data.data();
    const double exact = 1.5 * d[Bench::out(2) + m] - 2.5 * d[Bench::out(3) + m];
    for (Variant variant : {Variant::kLinearSum, Variant::kPairSum}) {
      d[bench.instr.out + m] = d[bench.instr.rev - m] = NAN;
      kernels(SeriesOp::kSum, variant)[kernel_index(m)](&bench.instr, &bench.instr + 1, d, m);
      EXPECT_NEAR(d[bench.instr.out + m], exact, 1e-15);
      EXPECT_EQ(d[bench.instr.rev - m], d[bench.instr.out + m]);
    }
    double row = NAN;
    row_kernels(Variant::kLinearSum)[kernel_index(m)](&bench.instr, &bench.instr + 1, d, m,
                                                      {2, &row});
    EXPECT_NEAR(row, 2 * exact, 2e-15);
  }
}

// Of an argument a + b t, the special recurrences are the general ones with w_i = 0 for i > 1.
TEST(Kernels, functions_of_a_linear_argument_agree_with_the_general_ones) {
  for (SeriesOp op : {SeriesOp::kSinCos, SeriesOp::kSinhCosh, SeriesOp::kExp}) {
    for (int m = 1; m <= kMaxSpecialized + 2; ++m) {
      Bench general(op), linear(op);
      for (Bench* bench : {&general, &linear}) {
        for (int i = 2; i < Bench::kLength; ++i) bench->data[bench->instr.a + i] = 0;
        for (int i = 2; i < Bench::kLength; ++i) bench->data[bench->instr.w + i] = 0;
      }
      kernels(op)[kernel_index(m)](&general.instr, &general.instr + 1, general.data.data(), m);
      kernels(op, Variant::kLinearArgument)[kernel_index(m)](&linear.instr, &linear.instr + 1,
                                                             linear.data.data(), m);
      for (int place : {general.instr.out, general.instr.out2})
        EXPECT_NEAR(linear.data[place + m], general.data[place + m], 1e-15) << int(op) << ' ' << m;
    }
  }
}

// Nothing outside the series may be read: coefficients above m and the neighbours are poison.
TEST(Kernels, coefficients_above_the_order_are_not_read) {
  for (SeriesOp op : kOps) {
    for (int m : {1, 2, 6, 7, 8, 11, 22, 40, 79, 80}) {
      Bench bench(op);
      double* d = bench.data.data();
      for (int series = 0; series < 5; ++series) {
        for (int i = m + 1; i < Bench::kLength; ++i) {
          d[Bench::out(series) + i] = d[Bench::rev(series) - i] = NAN;
        }
      }
      for (int i = m + 1; i < Bench::kLength; ++i) {
        d[bench.instr.w + i] = d[bench.instr.w2 + i] = d[bench.instr.w3 + i] = NAN;
      }
      kernels(op)[kernel_index(m)](&bench.instr, &bench.instr + 1, d, m);
      EXPECT_TRUE(std::isfinite(d[bench.instr.out + m])) << int(op) << ' ' << m;
    }
  }
}

}  // namespace
}  // namespace hydae::codegen

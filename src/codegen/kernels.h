// One Taylor coefficient of one operation. `data` holds all series; coefficient m of a series is at
// data[out + m] and, backwards, at data[rev - m].
#pragma once

#include <cstdint>

#include "codegen/fused_tape.h"

namespace hydae::codegen {

struct Instr;
// Coefficient m of one or more operations of the same kind and offset, one after the other.
using Kernel = void (*)(const Instr* first, const Instr* last, double* data, int m);
using FormKernel = double (*)(const Instr& instr, const double* data, int m, int num_linear);
// Values of rows, times `factor`, without their leading terms and constants.
using RowKernel = void (*)(const Instr* first, const Instr* last, const double* data, int m,
                           double factor, double* values);

// Cases of an operation with a recurrence of their own.
enum class Variant : std::uint8_t {
  kGeneral,
  kIntegerPower,    // kPower with exponent 0, 1, 2, ...: the base may be zero
  kLinearArgument,  // kSinCos, kSinhCosh, kExp of a + b t
};

// An operation with its places in memory. What sums need comes first: it fits one line of the
// cache.
struct alignas(64) Instr {
  const Kernel* kernels = nullptr;  // by order
  // Sums. args: places of linear operands, then of leading ones, then pairs (out, rev) of factors,
  // squares last.
  // numbers: the constant, then one factor per term in the same order. Others: numbers[0] is the
  // scalar.
  const int* args = nullptr;
  const double* numbers = nullptr;
  int offset = 0;
  int num_linear = 0, num_leading = 0;
  int num_products = 0, num_squares = 0;                     // squares are among the products
  int out = 0, rev = 0;                                      // result
  int out2 = 0, rev2 = 0;                                    // second result of pairs
  int a = 0, a_rev = 0, b = 0, b_rev = 0, c = 0, c_rev = 0;  // operands
  int w = 0, w2 = 0, w3 = 0;  // i*u_i of the argument, of the second argument, of the result
  int inverse = 0;            // one number kept from order 1 on, e.g. 1/b_0
  int first_arg = 0, first_number = 0;
  SeriesId series = -1;
  SeriesOp op = SeriesOp::kSum;
  TermOp function = TermOp::kAdd;
  Variant variant = Variant::kGeneral;
};

inline constexpr int kMaxSpecialized = 47;

// Kernels by order: entry m for 1 <= m <= kMaxSpecialized, entry kMaxSpecialized + 1 for any order.
const Kernel* kernels(SeriesOp op, Variant variant = Variant::kGeneral);
// Value of the form at order m, from the first `num_linear` linear terms and all products. The
// constant is not included.
const FormKernel* form_kernels();
const RowKernel* row_kernels();

constexpr int kernel_index(int m) { return m <= kMaxSpecialized ? m : kMaxSpecialized + 1; }

// Order 0 of any operation. False if the function is undefined there: not differentiable, or its
// value not finite.
bool evaluate_at_zero(const Instr& instr, double* data);

}  // namespace hydae::codegen

// One Taylor coefficient of one operation. `data` holds all series; coefficient m of a series is at
// data[out + m] and, backwards, at data[rev - m].
#pragma once

#include <cstdint>

#include "codegen/call_site.h"
#include "codegen/fused_tape.h"

namespace hydae::codegen {

struct Instr;
struct LinearPart;
// Coefficient m of one or more operations of the same kind and offset, one after the other.
using Kernel = void (*)(const Instr* first, const Instr* last, double* data, int m);
// Its linear terms end at `linear_end`; the constant is not included.
using FormKernel = double (*)(const Instr& instr, const double* data, int m,
                              const LinearPart* linear_end);
// Values of rows without their leading terms and constants, times a factor, one after the other.
struct RowValues {
  double factor = 0;
  double* values = nullptr;
};
using RowKernel = void (*)(const Instr* first, const Instr* last, const double* data, int m,
                           RowValues to);

// Cases of an operation with a recurrence of their own.
enum class Variant : std::uint8_t {
  kGeneral,
  kLinearSum,       // kSum without products
  kPairSum,         // kSum of two linear terms
  kIntegerPower,    // kPower with exponent 0, 1, 2, ...: the base may be zero
  kLinearArgument,  // kSinCos, kSinhCosh, kExp of a + b t
};

// Terms of a sum, with their operands' places. `number` is where the factor comes from.
struct LinearPart {
  double factor = 0;
  int place = 0, number = 0;
};
struct ProductPart {
  double factor = 0;
  int left = 0, right_rev = 0, number = 0;
};

// What a sum needs: one line of the cache.
struct SumPlaces {
  const Kernel* kernels = nullptr;  // by order
  // Each list ends where the next one begins.
  const LinearPart *linear = nullptr, *leading = nullptr, *leading_end = nullptr;
  const ProductPart *products = nullptr, *squares = nullptr, *squares_end = nullptr;
  int out = 0, rev = 0;  // result
};

// What other operations need besides.
struct OperandPlaces {
  int out2 = 0, rev2 = 0;                                    // second result of pairs
  int a = 0, a_rev = 0, b = 0, b_rev = 0, c = 0, c_rev = 0;  // operands
  int w = 0, w2 = 0, w3 = 0;  // i*u_i of the argument, of the second argument, of the result
  int inverse = 0;            // one number kept from order 1 on, e.g. 1/b_0
};

// An operation with its places in memory.
struct alignas(64) Instr : SumPlaces, OperandPlaces {
  double number = 0;  // constant of a sum; scalar of others
  int offset = 0;
  int number_source = 0;  // of `number`
  int first_linear = 0, first_leading = 0, last_leading = 0;
  int first_product = 0, first_square = 0, last_square = 0;
  SeriesId series = -1;
  SeriesOp op = SeriesOp::kSum;
  Op function = Op::kAdd;
  Variant variant = Variant::kGeneral;
  bool is_denominator = false;  // of kExp, kSinhCosh: its overflow does no harm
  CallSite* call = nullptr;     // kCall
};

inline constexpr int kMaxSpecialized = 47;

// Kernels by order: entry m for 1 <= m <= kMaxSpecialized, entry kMaxSpecialized + 1 for any order.
const Kernel* kernels(SeriesOp op, Variant variant = Variant::kGeneral);
const FormKernel* form_kernels();
const RowKernel* row_kernels(Variant variant);  // of a sum

// The same of one build of kernels.cc; the one for this processor is behind the functions above.
struct KernelTable {
  const Kernel* (*kernels)(SeriesOp op, Variant variant);
  const RowKernel* (*row_kernels)(Variant variant);
  const FormKernel* form_kernels;
};

constexpr int kernel_index(int m) { return m <= kMaxSpecialized ? m : kMaxSpecialized + 1; }

// Order 0 of any operation. False if the function is undefined there: not differentiable, or its
// value not finite.
bool evaluate_at_zero(const Instr& instr, double* data);

}  // namespace hydae::codegen

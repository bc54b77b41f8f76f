#include "codegen/running_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hydae::codegen {
namespace {

constexpr double kUnit = 0.5 * std::numeric_limits<double>::epsilon();

double of_sum(const Instr& in, const double* d, const double* e) {
  double error = 0, size = std::abs(in.number);
  for (const LinearPart* p = in.linear; p != in.leading; ++p) {
    error += std::abs(p->factor) * e[p->place];
    size += std::abs(p->factor * d[p->place]);
  }
  for (const ProductPart* p = in.products; p != in.squares_end; ++p) {
    const double left = std::abs(d[p->left]), right = std::abs(d[p->right_rev]);
    error += std::abs(p->factor) * (left * e[p->right_rev] + right * e[p->left]);
    size += std::abs(p->factor) * left * right;
  }
  return error + kUnit * size;
}

// |dv/da| error of a + |dv/db| error of b. Where a derivative is infinite the value moves by more
// than first order says: the root of an error.
double of_function(const Instr& in, const double* d, const double* e) {
  const double v = d[in.out], a = d[in.a];
  switch (in.op) {
    case SeriesOp::kSinCos: return std::abs(d[in.out2]) * e[in.a];
    case SeriesOp::kSinhCosh: return std::abs(d[in.out2]) * e[in.a];
    case SeriesOp::kTan:
    case SeriesOp::kTanh: return std::abs(d[in.out2]) * e[in.a];
    case SeriesOp::kExp: return std::abs(v) * e[in.a];
    case SeriesOp::kQuotient: return (e[in.a] + std::abs(v) * e[in.b]) / std::abs(d[in.b]);
    case SeriesOp::kReciprocal: return v * v * e[in.a];
    case SeriesOp::kSqrt: return std::min(std::sqrt(e[in.a]), e[in.a] / (2 * std::abs(v)));
    case SeriesOp::kPower:
      return a != 0 ? std::abs(in.number * v / a) * e[in.a] : std::pow(e[in.a], in.number);
    case SeriesOp::kIntegral: return std::abs(in.number / d[in.b]) * e[in.a];
    case SeriesOp::kAtan2:
      return (std::abs(d[in.b]) * e[in.a] + std::abs(a) * e[in.b]) / std::abs(d[in.c]);
    default: return 0;  // of code nothing is known
  }
}

double of_second(const Instr& in, const double* d, const double* e) {
  const double v = d[in.out];
  switch (in.op) {
    case SeriesOp::kSinCos:
    case SeriesOp::kSinhCosh: return std::abs(v) * e[in.a];
    case SeriesOp::kTan:
    case SeriesOp::kTanh: return std::abs(2 * v * d[in.out2]) * e[in.a];
    default: return 0;
  }
}

bool is_pair(SeriesOp op) {
  return op == SeriesOp::kSinCos || op == SeriesOp::kSinhCosh || op == SeriesOp::kTan ||
         op == SeriesOp::kTanh;
}

}  // namespace

void add_error_at_zero(const Instr& in, const double* d, double* e) {
  const bool is_sum = in.op == SeriesOp::kSum;
  const double first = is_sum ? of_sum(in, d, e) : of_function(in, d, e);
  const double second = is_pair(in.op) ? of_second(in, d, e) + kUnit * std::abs(d[in.out2]) : 0;
  e[in.out] = e[in.rev] = first + kUnit * std::abs(d[in.out]);
  if (is_pair(in.op)) e[in.out2] = e[in.rev2] = second;
}

}  // namespace hydae::codegen

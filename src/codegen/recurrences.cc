#include "codegen/recurrences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "ops/operation.h"

namespace hydae::codegen {
namespace {

using Rule = Partial::Rule;
using Edges = std::vector<Edge>;

constexpr double kUnit = 0.5 * std::numeric_limits<double>::epsilon();

bool put(double* d, const Instr& in, double value) {
  d[in.out] = value;
  d[in.rev] = value;
  return std::isfinite(value);
}

bool put_second(double* d, const Instr& in, double value) {
  d[in.out2] = value;
  d[in.rev2] = value;
  return std::isfinite(value);
}

ScalarId number(FusedTape& tape, double value) { return tape.scalars.constant(value); }

struct Sum {
  // Overflow is noticed where it does harm.
  static bool at_zero(const Instr& in, double* d) {
    double sum = in.number;
    for (const LinearPart* p = in.linear; p != in.leading; ++p) sum += p->factor * d[p->place];
    for (const ProductPart* p = in.products; p != in.squares_end; ++p)
      sum += p->factor * (d[p->left] * d[p->right_rev]);
    put(d, in, sum);
    return true;
  }
  static Edges partials(FusedTape& tape, SeriesId id) {
    Edges edges;
    visit_partials(tape.series[id].form, [&](const Edge& edge) { edges.push_back(edge); });
    return edges;
  }
  // Of its own terms.
  static double rounding(const Instr& in, const double* d) {
    double size = std::abs(in.number);
    for (const LinearPart* p = in.linear; p != in.leading; ++p)
      size += std::abs(p->factor * d[p->place]);
    for (const ProductPart* p = in.products; p != in.squares_end; ++p)
      size += std::abs(p->factor * d[p->left] * d[p->right_rev]);
    return kUnit * size;
  }
  static double error(const Instr& in, const double* d, const double* e) {
    double error = rounding(in, d);
    for (const LinearPart* p = in.linear; p != in.leading; ++p)
      error += std::abs(p->factor) * e[p->place];
    for (const ProductPart* p = in.products; p != in.squares_end; ++p)
      error += std::abs(p->factor) *
               (std::abs(d[p->left]) * e[p->right_rev] + std::abs(d[p->right_rev]) * e[p->left]);
    return error;
  }
  static void pull(const Instr& in, const double* d, Gradient by, double* g) {
    for (const LinearPart* p = in.linear; p != in.leading; ++p) g[p->place] += p->factor * by.first;
    for (const ProductPart* p = in.products; p != in.squares_end; ++p) {
      g[p->left] += p->factor * d[p->right_rev] * by.first;
      g[p->right_rev] += p->factor * d[p->left] * by.first;
    }
  }
};

// The derivative of the first result is the second one.
struct Pair {
  static Edges partials(FusedTape& tape, SeriesId id) {
    return {{{Rule::kTimes, ScalarTape::kOne, id + 1}, tape.series[id].a}};
  }
  static double error(const Instr& in, const double* d, const double* e) {
    return std::abs(d[in.out2]) * e[in.a];
  }
};

struct Sine : Pair {
  static bool at_zero(const Instr& in, double* d) {
    const bool is_finite = put(d, in, std::sin(d[in.a]));
    return put_second(d, in, std::cos(d[in.a])) && is_finite;
  }
  static double second_error(const Instr& in, const double* d, const double* e) {
    return std::abs(d[in.out]) * e[in.a];
  }
  static void pull(const Instr& in, const double* d, Gradient by, double* g) {
    g[in.a] += by.first * d[in.out2] - by.second * d[in.out];
  }
};

// What is as good as infinite, and has a square: the value of what overflows in a denominator.
constexpr double kHuge = 1e150;

struct HyperbolicSine : Pair {
  static bool at_zero(const Instr& in, double* d) {
    double sinh = std::sinh(d[in.a]), cosh = std::cosh(d[in.a]);
    if (in.is_denominator && cosh > kHuge) sinh = std::copysign(cosh = kHuge, sinh);
    return put(d, in, sinh) & put_second(d, in, cosh);
  }
  static double second_error(const Instr& in, const double* d, const double* e) {
    return std::abs(d[in.out]) * e[in.a];
  }
  static void pull(const Instr& in, const double* d, Gradient by, double* g) {
    g[in.a] += by.first * d[in.out2] + by.second * d[in.out];
  }
};

// The second result is z = 1 + v^2 (tangent) or 1 - v^2.
template <int kSign>
struct TangentPair : Pair {
  static double second_error(const Instr& in, const double* d, const double* e) {
    return std::abs(2 * d[in.out] * d[in.out2]) * e[in.a];
  }
  static void pull(const Instr& in, const double* d, Gradient by, double* g) {
    g[in.a] += (by.first + kSign * 2 * d[in.out] * by.second) * d[in.out2];
  }
};

struct Tangent : TangentPair<1> {
  static bool at_zero(const Instr& in, double* d) {
    const double v = std::tan(d[in.a]);
    return put(d, in, v) & put_second(d, in, 1 + v * v);
  }
};

struct HyperbolicTangent : TangentPair<-1> {
  static bool at_zero(const Instr& in, double* d) {
    const double c = std::cosh(d[in.a]);  // 1/c^2 is right where 1 - v^2 cancels, and 0 beyond
    return put(d, in, std::tanh(d[in.a])) & put_second(d, in, 1 / c / c);
  }
};

struct Exponential {
  static bool at_zero(const Instr& in, double* d) {
    const double value = std::exp(d[in.a]);
    return put(d, in, in.is_denominator && value > kHuge ? kHuge : value);
  }
  static Edges partials(FusedTape& tape, SeriesId id) {
    return {{{Rule::kTimes, ScalarTape::kOne, id}, tape.series[id].a}};
  }
  static double error(const Instr& in, const double* d, const double* e) {
    return std::abs(d[in.out]) * e[in.a];
  }
  static void pull(const Instr& in, const double* d, Gradient by, double* g) {
    g[in.a] += by.first * d[in.out];
  }
};

struct Quotient {
  static bool at_zero(const Instr& in, double* d) {
    return put(d, in, d[in.a] / d[in.b]) && d[in.b] != 0;
  }
  static Edges partials(FusedTape& tape, SeriesId id) {
    const SeriesId a = tape.series[id].a, b = tape.series[id].b;
    return {{{Rule::kOver, ScalarTape::kOne, b}, a}, {{Rule::kRatio, number(tape, -1), id, b}, b}};
  }
  static double error(const Instr& in, const double* d, const double* e) {
    return (e[in.a] + std::abs(d[in.out]) * e[in.b]) / std::abs(d[in.b]);
  }
  static void pull(const Instr& in, const double* d, Gradient by, double* g) {
    g[in.a] += by.first / d[in.b];
    g[in.b] -= by.first * d[in.out] / d[in.b];
  }
};

struct Reciprocal {
  static bool at_zero(const Instr& in, double* d) { return put(d, in, 1 / d[in.a]); }
  static Edges partials(FusedTape& tape, SeriesId id) {
    const SeriesId a = tape.series[id].a;
    return {{{Rule::kRatio, number(tape, -1), id, a}, a}};
  }
  static double error(const Instr& in, const double* d, const double* e) {
    return d[in.out] * d[in.out] * e[in.a];
  }
  static void pull(const Instr& in, const double* d, Gradient by, double* g) {
    g[in.a] -= by.first * d[in.out] * d[in.out];
  }
};

// Where a derivative is infinite the value moves by more than first order says: the root of an
// error.
struct Root {
  static bool at_zero(const Instr& in, double* d) {
    return put(d, in, std::sqrt(d[in.a])) && ops::is_smooth_at(Op::kSqrt, d[in.a]);
  }
  static Edges partials(FusedTape& tape, SeriesId id) {
    return {{{Rule::kOver, number(tape, 0.5), id}, tape.series[id].a}};
  }
  static double error(const Instr& in, const double* d, const double* e) {
    return std::min(std::sqrt(e[in.a]), e[in.a] / (2 * std::abs(d[in.out])));
  }
  static void pull(const Instr& in, const double* d, Gradient by, double* g) {
    g[in.a] += by.first / (2 * d[in.out]);
  }
};

struct Power {
  // A power of zero is differentiable only for exponents 0, 1, 2, ...; of a negative number only
  // for whole exponents.
  static bool at_zero(const Instr& in, double* d) {
    const double base = d[in.a], exponent = in.number;
    const bool is_whole = exponent == std::floor(exponent);
    const bool is_defined =
        base > 0 || in.variant == Variant::kIntegerPower || (base < 0 && is_whole);
    return put(d, in, std::pow(base, exponent)) && is_defined;
  }
  static Edges partials(FusedTape& tape, SeriesId id) {
    const Series& v = tape.series[id];
    return {{{Rule::kPower, v.scalar, id, v.a}, v.a}};
  }
  static double error(const Instr& in, const double* d, const double* e) {
    const double a = d[in.a];
    return a != 0 ? std::abs(in.number * d[in.out] / a) * e[in.a] : std::pow(e[in.a], in.number);
  }
  // Of a power of zero: that of the first power is one, of higher ones nothing.
  static double slope(const Instr& in, const double* d) {
    if (d[in.a] != 0) return in.number * d[in.out] / d[in.a];
    return in.number == 1 ? 1 : in.number == 0 || in.number > 1 ? 0 : HUGE_VAL;
  }
  static void pull(const Instr& in, const double* d, Gradient by, double* g) {
    g[in.a] += by.first * slope(in, d);
  }
};

// v' b = scalar a'; the function it stands for is known by the table of operations.
struct Integral {
  static bool at_zero(const Instr& in, double* d) {
    return put(d, in, ops::apply(in.function, d[in.a])) && ops::is_smooth_at(in.function, d[in.a]);
  }
  static Edges partials(FusedTape& tape, SeriesId id) {
    const Series& v = tape.series[id];
    return {{{Rule::kOver, v.scalar, v.b}, v.a}};
  }
  static double error(const Instr& in, const double* d, const double* e) {
    return std::abs(in.number / d[in.b]) * e[in.a];
  }
  static void pull(const Instr& in, const double* d, Gradient by, double* g) {
    g[in.a] += by.first * in.number / d[in.b];
  }
};

struct Angle {
  static bool at_zero(const Instr& in, double* d) {
    return put(d, in, std::atan2(d[in.a], d[in.b])) && d[in.c] > 0;
  }
  static Edges partials(FusedTape& tape, SeriesId id) {
    const Series v = tape.series[id];
    return {{{Rule::kRatio, ScalarTape::kOne, v.b, v.c}, v.a},
            {{Rule::kRatio, number(tape, -1), v.a, v.c}, v.b}};
  }
  static double error(const Instr& in, const double* d, const double* e) {
    return (std::abs(d[in.b]) * e[in.a] + std::abs(d[in.a]) * e[in.b]) / std::abs(d[in.c]);
  }
  static void pull(const Instr& in, const double* d, Gradient by, double* g) {
    g[in.a] += by.first * d[in.b] / d[in.c];
    g[in.b] -= by.first * d[in.a] / d[in.c];
  }
};

// Result number `result` of a call: an output, whose derivatives are results, too, or one of these,
// which nobody reads but as a factor.
Edges partials_of_result(const FusedTape& tape, SeriesId call, int result) {
  const Series& series = tape.series[call];
  const int m = tape.codes[series.code].num_outputs, n = static_cast<int>(series.arguments.size());
  Edges edges;
  for (int j = 0; j < n && result < m; ++j)
    edges.push_back(
        {{Rule::kTimes, ScalarTape::kOne, call + m + result * n + j}, series.arguments[j]});
  return edges;
}

struct CodeCall {
  static bool at_zero(const Instr& in, double* d) { return in.call->evaluate(d); }
  static Edges partials(FusedTape& tape, SeriesId id) { return partials_of_result(tape, id, 0); }
  static double error(const Instr&, const double*, const double*) { return 0; }  // nothing is known
  static void pull(const Instr&, const double*, Gradient, double*) {}
};

// Second results: cos' = -sin u', cosh' = sinh u', and z = 1 +- v^2 of tan and tanh.
struct Second {
  static Edges partials(FusedTape& tape, SeriesId id) {
    const SeriesId first = tape.series[id].a;
    const SeriesOp op = tape.series[first].op;
    const SeriesId a = tape.series[first].a;
    if (op == SeriesOp::kCall) return partials_of_result(tape, first, id - first);
    if (op == SeriesOp::kSinCos) return {{{Rule::kTimes, number(tape, -1), first}, a}};
    if (op == SeriesOp::kSinhCosh) return {{{Rule::kTimes, number(tape, 1), first}, a}};
    if (op == SeriesOp::kTan) return {{{Rule::kTimes, number(tape, 2), first}, first}};
    if (op == SeriesOp::kTanh) return {{{Rule::kTimes, number(tape, -2), first}, first}};
    fail_check("a series with two results", __FILE__, __LINE__);
  }
};

struct Leaf {
  static bool at_zero(const Instr&, double*) { fail_check("an operation", __FILE__, __LINE__); }
  static Edges partials(FusedTape&, SeriesId) { return {}; }
  static double error(const Instr&, const double*, const double*) { return 0; }
  static void pull(const Instr&, const double*, Gradient, double*) {}
};

enum class Shape { kPlain, kMayBeFlat, kMaySleep };

template <class R>
constexpr Recurrence row_of(const char* text, Shape shape) {
  Recurrence row = {.at_zero = &R::at_zero, .partials = &R::partials, .error = &R::error};
  row.pull = &R::pull;
  if constexpr (requires { &R::second_error; }) row.second_error = &R::second_error;
  row.text = text;
  row.can_be_flat = shape != Shape::kPlain;
  row.can_sleep = shape == Shape::kMaySleep;
  return row;
}

constexpr std::size_t kNumSeriesOps = static_cast<std::size_t>(SeriesOp::kCall) + 1;

// Polynomials, roots and sines always show in their coefficients how they will change.
constexpr std::array<Recurrence, kNumSeriesOps> kRecurrences = [] {
  using enum Shape;
  std::array<Recurrence, kNumSeriesOps> rows{};
  const auto at = [&rows](SeriesOp op) -> Recurrence& {
    return rows[static_cast<std::size_t>(op)];
  };
  at(SeriesOp::kTime) = at(SeriesOp::kVariable) = row_of<Leaf>(nullptr, kPlain);
  at(SeriesOp::kSum) = row_of<Sum>(nullptr, kPlain);
  at(SeriesOp::kSinCos) = row_of<Sine>("sin({a}), s{next} = cos", kPlain);
  at(SeriesOp::kSinhCosh) = row_of<HyperbolicSine>("sinh({a}), s{next} = cosh", kMaySleep);
  at(SeriesOp::kTan) = row_of<Tangent>("tan({a}), s{next} = 1 + tan^2", kPlain);
  at(SeriesOp::kTanh) = row_of<HyperbolicTangent>("tanh({a}), s{next} = 1 - tanh^2", kMaySleep);
  at(SeriesOp::kSecond) = row_of<Leaf>(nullptr, kPlain);
  at(SeriesOp::kSecond).partials = &Second::partials;
  at(SeriesOp::kExp) = row_of<Exponential>("exp({a})", kMaySleep);
  at(SeriesOp::kQuotient) = row_of<Quotient>("{a} / {b}", kMayBeFlat);
  at(SeriesOp::kReciprocal) = row_of<Reciprocal>("1 / {a}", kMayBeFlat);
  at(SeriesOp::kSqrt) = row_of<Root>("sqrt({a})", kPlain);
  at(SeriesOp::kPower) = row_of<Power>("{a} ^ {scalar}", kMayBeFlat);
  at(SeriesOp::kIntegral) = row_of<Integral>("{function}({a})", kMayBeFlat);
  at(SeriesOp::kAtan2) = row_of<Angle>("atan2({a}, {b})", kMayBeFlat);
  at(SeriesOp::kCall) = row_of<CodeCall>(nullptr, kMayBeFlat);
  return rows;
}();

}  // namespace

const Recurrence& recurrence(SeriesOp op) { return kRecurrences[static_cast<std::size_t>(op)]; }

bool evaluate_at_zero(const Instr& in, double* d) { return recurrence(in.op).at_zero(in, d); }

void add_error_at_zero(const Instr& in, const double* d, double* e) {
  const Recurrence& row = recurrence(in.op);
  const double first = row.error(in, d, e);
  const double second = row.second_error ? row.second_error(in, d, e) : 0;
  e[in.out] = e[in.rev] = first + kUnit * std::abs(d[in.out]);
  if (row.second_error) e[in.out2] = e[in.rev2] = second + kUnit * std::abs(d[in.out2]);
}

double rounding_at_zero(const Instr& in, const double* d, const double* g) {
  const auto gradient = [g](int out, int rev) {
    return std::abs(g[out] + (rev == out ? 0 : g[rev]));
  };
  const double of_terms = in.op == SeriesOp::kSum ? Sum::rounding(in, d) : 0;
  const double first = gradient(in.out, in.rev) * (of_terms + kUnit * std::abs(d[in.out]));
  return ops::is_pair(in.op) ? first + gradient(in.out2, in.rev2) * kUnit * std::abs(d[in.out2])
                             : first;
}

void pull_gradient_at_zero(const Instr& in, const double* d, double* g) {
  const auto take = [g](int out, int rev) {
    const double sum = g[out] + (rev == out ? 0 : g[rev]);
    g[out] = g[rev] = 0;
    return sum;
  };
  const Gradient by = {take(in.out, in.rev), ops::is_pair(in.op) ? take(in.out2, in.rev2) : 0};
  if (by.first != 0 || by.second != 0) recurrence(in.op).pull(in, d, by, g);
}

}  // namespace hydae::codegen

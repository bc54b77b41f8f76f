#include "codegen/interval_expansion.h"

#include <gtest/gtest.h>
#include <random>

#include "codegen/output_expansion.h"

namespace hydae::codegen {
namespace {

using poly::Interval;

std::shared_ptr<const Program> program_with(const TapeBuilder& tape, std::vector<TermId> outputs) {
  ProgramInput input;
  input.outputs = std::move(outputs);
  input.structure.d = {0, 0};
  input.num_parameters = 1;
  return std::make_shared<const Program>(tape, input);
}

// One output for each operation of the tape, of x = 0.3 + 0.2 tau and y = 0.5 - 0.1 tau + tau^2/20.
std::vector<TermId> all_operations(TapeBuilder& tape) {
  const TermId x = tape.variable(0), y = tape.variable(1), two = tape.constant(2);
  return {tape.add(tape.mul(x, y), tape.mul(tape.constant(-3), x)),
          tape.mul(x, x),
          tape.unary(Op::kSin, tape.mul(two, x)),
          tape.unary(Op::kCos, tape.mul(y, x)),
          tape.unary(Op::kTan, x),
          tape.unary(Op::kSinh, y),
          tape.unary(Op::kCosh, y),
          tape.unary(Op::kTanh, tape.mul(two, y)),
          tape.unary(Op::kExp, tape.mul(x, y)),
          tape.div(x, tape.add(y, two)),
          tape.div(tape.constant(1), tape.add(y, x)),
          tape.unary(Op::kSqrt, tape.add(x, y)),
          tape.pow(tape.add(x, y), tape.constant(1.7)),
          tape.pow(x, tape.parameter(0)),
          tape.unary(Op::kLog, y),
          tape.unary(Op::kLog10, tape.add(x, y)),
          tape.unary(Op::kAsin, x),
          tape.unary(Op::kAcos, x),
          tape.unary(Op::kAtan, tape.mul(two, y)),
          tape.atan2(y, x),
          tape.unary(Op::kSin, tape.mul(tape.time(), y))};
}

constexpr double kX[] = {0.3, 0.2}, kY[] = {0.5, -0.1, 0.05};
constexpr int kSize = 8;

// Coefficients of both about s, and about all s of an interval.
template <class Number, class Fill>
void fill_about(Number s, const Fill& put) {
  put(0, 0, Number(kX[0]) + Number(kX[1]) * s), put(0, 1, Number(kX[1]));
  put(1, 0, Number(kY[0]) + Number(kY[1]) * s + Number(kY[2]) * s * s);
  put(1, 1, Number(kY[1]) + Number(2 * kY[2]) * s), put(1, 2, Number(kY[2]));
}

// Lagrange's remainder rests on this: over a neighbourhood, coefficient n contains the coefficient
// n about each of its points. Rounding of the plain coefficients is far below 1e-12 of them.
TEST(IntervalExpansion, contains_the_series_about_every_point_of_a_neighbourhood) {
  TapeBuilder tape;
  const std::vector<TermId> outputs = all_operations(tape);
  const auto program = program_with(tape, outputs);
  IntervalExpansion enclosures(program, kSize);
  OutputExpansion plain(program, kSize);
  const std::vector<double> parameters = {3};
  enclosures.set_parameters(parameters);
  plain.set_parameters(parameters);
  const Interval part = Interval::hull(-0.25, 0.5);
  for (int k = 0; k < static_cast<int>(outputs.size()); ++k) {
    for (int j : {0, 1}) std::ranges::fill(enclosures.input(j), Interval(0));
    fill_about(part, [&](int j, std::size_t n, Interval c) { enclosures.input(j)[n] = c; });
    enclosures.set_time(Interval(2) + part, 1);
    const auto sets = enclosures.expand(k);
    for (double s : {-0.25, -0.1, 0.0, 0.2, 0.4, 0.5}) {
      for (int j : {0, 1}) std::ranges::fill(plain.input(j), 0.0);
      fill_about(s, [&](int j, std::size_t n, double c) { plain.input(j)[n] = c; });
      plain.set_time(2 + s, 1);
      ASSERT_TRUE(plain.expand(k)) << k;
      for (std::size_t n = 0; n < kSize; ++n) {
        const double c = plain.series(k)[n], rounding = 1e-12 * (1 + std::abs(c));
        EXPECT_GE(c, sets[n].lower() - rounding) << k << ", order " << n;
        EXPECT_LE(c, sets[n].upper() + rounding) << k << ", order " << n;
        EXPECT_TRUE(sets[n].is_finite()) << k << ", order " << n;
      }
    }
  }
}

// Of a point the sets are as narrow as rounding: what they prove is not lost in their own width.
TEST(IntervalExpansion, of_a_point_is_narrow) {
  TapeBuilder tape;
  const std::vector<TermId> outputs = all_operations(tape);
  IntervalExpansion enclosures(program_with(tape, outputs), kSize);
  enclosures.set_parameters(std::vector{3.0});
  for (int k = 0; k < static_cast<int>(outputs.size()); ++k) {
    for (int j : {0, 1}) std::ranges::fill(enclosures.input(j), Interval(0));
    fill_about(Interval(0), [&](int j, std::size_t n, Interval c) { enclosures.input(j)[n] = c; });
    enclosures.set_time(2, 1);
    for (const Interval& set : enclosures.expand(k))
      EXPECT_LT(set.upper() - set.lower(), 1e-11) << k;
  }
}

// sqrt(x^2) over x in [-1, 1]: the value is in [0, 1], and nothing is known of its derivatives.
TEST(IntervalExpansion, says_nothing_of_derivatives_at_a_kink) {
  TapeBuilder tape;
  const TermId x = tape.variable(0);
  IntervalExpansion enclosures(program_with(tape, {tape.unary(Op::kSqrt, tape.mul(x, x))}), 3);
  enclosures.input(0)[0] = Interval::hull(-1, 1);
  enclosures.input(0)[1] = 1;
  enclosures.input(0)[2] = 0;
  const auto sets = enclosures.expand(0);
  EXPECT_TRUE(sets[0].contains(0) && sets[0].contains(1) && sets[0].is_finite());
  EXPECT_FALSE(sets[1].is_finite());
}

}  // namespace
}  // namespace hydae::codegen

#include "codegen/sleeping.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace hydae::codegen {
namespace {

Instr operation(SeriesOp op, bool is_denominator = false) {
  Instr instr;
  instr.op = op;
  instr.is_denominator = is_denominator;
  return instr;
}

// -(k (tau - c))^2 is -35 at c - sqrt(35)/k.
TEST(Sleeping, a_pulse_wakes_before_its_peak) {
  for (double k : {20.0, 1e3, 1e6})
    for (double c : {0.3456, 0.7, 0.999}) {
      const std::vector<double> u = {-k * k * c * c, 2 * k * k * c, -k * k};
      EXPECT_NEAR(wake_time(operation(SeriesOp::kExp), u, 1), c - std::sqrt(35.0) / k, 1e-7);
    }
}

TEST(Sleeping, what_stays_asleep_or_is_awake_does_not_shorten_a_step) {
  EXPECT_EQ(wake_time(operation(SeriesOp::kExp), std::vector<double>{-100, 60, 0}, 1), 1);
  EXPECT_EQ(wake_time(operation(SeriesOp::kExp), std::vector<double>{-100, 30, -60}, 1), 1);
  EXPECT_EQ(wake_time(operation(SeriesOp::kExp), std::vector<double>{-10, 60, 0}, 1), 1);
  // A large exponential is no constant unless all that is left of it is its reciprocal.
  EXPECT_EQ(wake_time(operation(SeriesOp::kExp), std::vector<double>{100, -200}, 1), 1);
}

// exp(-35) counts, its square does not: -35 + 60 tau is half of it at 17.5/60. From -10 on all do.
TEST(Sleeping, what_has_just_woken_is_approached_by_halves) {
  EXPECT_NEAR(wake_time(operation(SeriesOp::kExp), std::vector<double>{-35, 60}, 1), 17.5 / 60,
              1e-7);
  EXPECT_EQ(wake_time(operation(SeriesOp::kExp), std::vector<double>{-35, 17}, 1), 1);
  EXPECT_EQ(wake_time(operation(SeriesOp::kExp), std::vector<double>{-9, 60}, 1), 1);
}

TEST(Sleeping, reciprocals_and_tanh_wake_where_they_change) {
  // 1/(1 + exp(100 - 200 tau)): its argument is 35 at 0.325. tanh(100 (tau - 0.5)): 2u is -35
  // there.
  const std::vector<double> u = {100, -200};
  EXPECT_NEAR(wake_time(operation(SeriesOp::kExp, true), u, 1), 0.325, 1e-7);
  EXPECT_NEAR(wake_time(operation(SeriesOp::kTanh), u, 1), 0.4125, 1e-7);
  EXPECT_NEAR(wake_time(operation(SeriesOp::kTanh), std::vector<double>{-100, 200}, 1), 0.4125,
              1e-7);
}

}  // namespace
}  // namespace hydae::codegen

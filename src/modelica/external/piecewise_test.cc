// Interpolation of tables against values computed by hand.
#include <gtest/gtest.h>

#include "modelica/external/table_blocks.h"

namespace hydae::modelica {
namespace {

const std::vector<double> kX = {0, 1, 2, 4};
const std::vector<double> kSquares = {0, 1, 4, 16};

TEST(Piecewise, linear_segments_and_extrapolation) {
  const auto line =
      PiecewiseFunction::make(kX, kSquares, Smoothness::kLinear, Extrapolation::kLastTwoPoints);
  EXPECT_DOUBLE_EQ(line.value(0.5), 0.5);
  EXPECT_DOUBLE_EQ(line.value(3), 10);   // slope 6 from (2, 4)
  EXPECT_DOUBLE_EQ(line.value(5), 22);   // the last slope goes on
  EXPECT_DOUBLE_EQ(line.value(-1), -1);  // the first slope goes on
  const auto hold =
      PiecewiseFunction::make(kX, kSquares, Smoothness::kLinear, Extrapolation::kHold);
  EXPECT_DOUBLE_EQ(hold.value(5), 16);
  EXPECT_DOUBLE_EQ(hold.value(-1), 0);
}

TEST(Piecewise, constant_segments_take_the_left_knot) {
  const auto steps =
      PiecewiseFunction::make(kX, kSquares, Smoothness::kConstant, Extrapolation::kHold);
  EXPECT_DOUBLE_EQ(steps.value(1.999), 1);
  EXPECT_DOUBLE_EQ(steps.value(2), 4);
  EXPECT_DOUBLE_EQ(steps.value(4), 16);
}

TEST(Piecewise, equal_abscissae_are_a_jump) {
  const auto jump = PiecewiseFunction::make({0, 1, 1, 2}, {0, 1, 5, 6}, Smoothness::kLinear,
                                            Extrapolation::kHold);
  EXPECT_DOUBLE_EQ(jump.value(0.75), 0.75);
  EXPECT_DOUBLE_EQ(jump.value(1), 5);
  EXPECT_DOUBLE_EQ(jump.value(1.5), 5.5);
}

// All spline methods interpolate, are continuous with their slope, and reproduce a straight line.
TEST(Piecewise, splines_interpolate_smoothly) {
  for (const Smoothness smoothness : {Smoothness::kAkima, Smoothness::kFritschButland,
                                      Smoothness::kSteffen, Smoothness::kModifiedAkima}) {
    const auto spline =
        PiecewiseFunction::make(kX, kSquares, smoothness, Extrapolation::kLastTwoPoints);
    for (std::size_t i = 0; i < kX.size(); ++i)
      EXPECT_NEAR(spline.value(kX[i]), kSquares[i], 1e-14);
    for (const double knot : kX) {
      const double h = 1e-6;
      const double left = (spline.value(knot) - spline.value(knot - h)) / h;
      const double right = (spline.value(knot + h) - spline.value(knot)) / h;
      EXPECT_NEAR(left, right, 1e-4);  // second derivative times h
    }
    const auto line = PiecewiseFunction::make({0, 1, 3, 4}, {1, 3, 7, 9}, smoothness,
                                              Extrapolation::kLastTwoPoints);
    EXPECT_NEAR(line.value(2.2), 5.4, 1e-14);
    EXPECT_NEAR(line.value(6), 13, 1e-13);
  }
}

// Akima slope at x = 1 of 0, 0, 1, 3 (unit steps): d = 0, 1, 2; left weight |d0 - d(-1)| with the
// extension d(-1) = 2*0 - 1 = -1 is 1, right weight |d2 - d1| is 1: slope (1*0 + 1*1)/2.
TEST(Piecewise, akima_slope_by_hand) {
  const auto akima =
      PiecewiseFunction::make({0, 1, 2, 3}, {0, 0, 1, 3}, Smoothness::kAkima, Extrapolation::kHold);
  const double h = 1e-7;
  EXPECT_NEAR((akima.value(1 + h) - akima.value(1 - h)) / (2 * h), 0.5, 1e-6);
}

}  // namespace
}  // namespace hydae::modelica

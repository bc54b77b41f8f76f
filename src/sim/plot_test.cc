#include "sim/plot.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>

#include "sim/plot_axis.h"

namespace hydae {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> texts(const Picture& picture) {
  std::vector<std::string> out;
  for (const Label& label : picture.labels) out.push_back(label.text);
  return out;
}

std::vector<Stroke> curves(const Picture& picture) {
  std::vector<Stroke> out;
  for (const Stroke& stroke : picture.strokes)
    if (stroke.width > 1) out.push_back(stroke);
  return out;
}

std::vector<std::string> marks(double low, double high, int most) {
  std::vector<std::string> out;
  for (const AxisMark& mark : marks_of({low, high}, most)) out.push_back(mark.text);
  return out;
}

TEST(PlotAxis, marks_are_round_numbers_with_the_digits_they_need) {
  EXPECT_THAT(marks(0, 1, 5), testing::ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
  EXPECT_THAT(marks(-3, 7, 5), testing::ElementsAre("-2", "0", "2", "4", "6"));
  EXPECT_THAT(marks(1e-9, 3e-9, 3), testing::ElementsAre("1e-09", "2e-09", "3e-09"));
  // Between 1000.001 and 1000.003 the marks 1000.001, 1000.002, ... differ in the seventh digit.
  EXPECT_THAT(marks(1000.0009, 1000.0031, 3),
              testing::ElementsAre("1000.001", "1000.002", "1000.003"));
}

TEST(PlotAxis, constants_and_noise_have_a_range) {
  RangeFinder zero, noise, huge, nothing;
  zero.add(0);
  noise.add(1);
  noise.add(1 + 1e-15);
  huge.add(-1e308);
  huge.add(1e308);
  nothing.add(std::nan(""));
  EXPECT_EQ(zero.range().high, 1);
  EXPECT_NEAR(noise.range().low, 0.9, 1e-12);
  EXPECT_TRUE(std::isfinite(huge.range_with_margin().high - huge.range_with_margin().low));
  EXPECT_EQ(nothing.range().high, 1);
}

// Twelve curves, more than there are colours: no two of them look alike, and each is named.
TEST(Plot, twelve_curves_can_be_told_apart) {
  std::vector<Column> columns;
  for (int k = 1; k <= 12; ++k) columns.push_back({"x[" + std::to_string(k) + "]", "m", ""});
  Trajectory t(columns);
  t.add_row(0.0, std::vector<double>(12, 1.0));
  t.add_row(1.0, std::vector<double>(12, 2.0));
  const Picture picture = plot(t, {.title = "it's <b>"});
  std::set<std::pair<std::string, std::vector<double>>> styles;
  for (const Stroke& curve : curves(picture)) styles.emplace(curve.colour, curve.dashes);
  EXPECT_EQ(styles.size(), 12u);
  for (int k = 1; k <= 12; ++k)
    EXPECT_THAT(texts(picture), testing::Contains("x[" + std::to_string(k) + "]"));
  EXPECT_THAT(texts(picture), testing::IsSupersetOf({"time [s]", "[m]", "it's <b>"}));
  EXPECT_THAT(to_svg(picture), HasSubstr(">it's &lt;b&gt;</text>"));
}

TEST(Plot, each_unit_has_its_own_panel) {
  Trajectory t({{"x", "m", ""}, {"v", "m/s", ""}, {"y", "m", ""}});
  t.add_row(0.0, std::vector<double>{1, 2, 3});
  EXPECT_THAT(texts(plot(t, {})), testing::IsSupersetOf({"[m]", "[m/s]", "x", "v", "y"}));
}

TEST(Plot, what_a_drawing_program_would_obey_is_written_out) {
  Trajectory t({{"'a\x1b[31m'", "V\n!touch pwned\n#", ""}});
  t.add_row(0.0, std::vector<double>{1});
  const std::string svg = to_svg(t);
  EXPECT_THAT(svg, HasSubstr("[V\\n!touch pwned\\n#]"));
  EXPECT_THAT(svg, HasSubstr("'a\\x1b[31m'"));
  EXPECT_THAT(svg, Not(HasSubstr("\x1b")));
}

TEST(Plot, numbers_that_are_not_finite_break_a_curve) {
  Trajectory t({{"x", "", ""}});
  const double inf = std::numeric_limits<double>::infinity();
  for (double value : {1.0, 2.0, std::nan(""), 3.0, 4.0, inf, 5.0})
    t.add_row(static_cast<double>(t.num_rows()), std::vector<double>{value});
  // Three pieces and the sample in the legend.
  EXPECT_EQ(curves(plot(t, {})).size(), 4u);
  EXPECT_THAT(to_svg(t), Not(testing::AnyOf(HasSubstr("nan"), HasSubstr("inf"))));
}

// A million rows of a fast oscillation: at most four points in each half pixel, and the extremes
// are among them.
TEST(Plot, many_rows_make_a_small_picture) {
  Trajectory t({{"x", "", ""}});
  for (int k = 0; k < 1'000'000; ++k)
    t.add_row(k, std::vector<double>{std::sin(0.37 * k) * (k == 123'456 ? 3 : 1)});
  const Stroke curve = curves(plot(t, {})).front();
  EXPECT_LT(curve.points.size(), 8u * 900u);
  const auto low = [](const PicturePoint& a, const PicturePoint& b) { return a.y < b.y; };
  const auto [top, bottom] = std::minmax_element(curve.points.begin(), curve.points.end(), low);
  // sin(0.37 * 123456) = -0.989...; the deepest point of the panel is its own.
  EXPECT_GT(bottom->y - top->y, 340);
}

TEST(Plot, an_empty_trajectory_is_an_empty_frame) {
  EXPECT_THAT(to_svg(Trajectory()), HasSubstr("<svg"));
}

}  // namespace
}  // namespace hydae

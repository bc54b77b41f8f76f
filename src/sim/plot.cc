#include "sim/plot.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "base/printable.h"
#include "sim/plot_axis.h"

namespace hydae {
namespace {

// Okabe and Ito's palette, which colour-blind people can tell apart; dashes from the seventh curve
// on.
constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73",
                                    "#CC79A7", "#E69F00", "#000000"};
const std::vector<double> kDashes[] = {{}, {7, 4}, {2, 3}, {9, 3, 2, 3}};
constexpr const char *kGridColour = "#dddddd", *kFrameColour = "#555555";

// Sizes in units of the picture, about a pixel each.
constexpr double kLeft = 80, kTitleHeight = 34, kAxisHeight = 50, kGap = 18;
constexpr double kTextSize = 12, kTitleSize = 15, kLineHeight = 18, kSample = 26, kPadding = 10;
constexpr double kCharacterWidth = 0.6 * kTextSize;  // on the average
constexpr std::size_t kLongestLegend = 36;           // characters of a name in a legend
constexpr int kMarksAcross = 9;
constexpr double kHeightOfMark = 45;  // room for one round number of an upright axis

struct Panel {
  std::string unit;
  std::vector<std::size_t> columns;
  double top = 0, bottom = 0;
  Range range{};
};

std::size_t num_characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// A long name keeps its end, which tells it from its neighbours.
std::string legend_name(const std::string& name) {
  const std::string text = printable_line(name);
  const std::size_t length = num_characters(text);
  if (length <= kLongestLegend) return text;
  std::size_t at = 0;
  for (std::size_t dropped = 0; dropped < length - kLongestLegend + 1; ++at)
    dropped += at + 1 < text.size() && (text[at + 1] & 0xc0) == 0x80 ? 0 : 1;
  return "\xe2\x80\xa6" + text.substr(at);
}

class Plotter {
 public:
  Plotter(const Trajectory& trajectory, const PlotOptions& options)
      : trajectory_(trajectory), options_(options) {}

  Picture draw() {
    lay_out();
    picture_.labels.push_back({{picture_.width / 2, kTitleHeight - 12},
                               printable_line(options_.title),
                               Label::Anchor::kMiddle,
                               kTitleSize});
    for (const Panel& panel : panels_) {
      draw_grid(panel);
      for (std::size_t n = 0; n < panel.columns.size(); ++n) draw_curve(panel, n);
      draw_frame(panel);
      draw_legend(panel);
    }
    label_axis(panels_.back());
    return std::move(picture_);
  }

 private:
  void lay_out() {
    std::map<std::string, std::vector<std::size_t>> groups;
    std::size_t longest = 0;
    for (std::size_t k = 0; k < trajectory_.columns().size(); ++k) {
      groups[trajectory_.columns()[k].unit].push_back(k);
      longest = std::max(longest, num_characters(legend_name(trajectory_.columns()[k].name)));
    }
    for (const auto& [unit, columns] : groups) panels_.push_back({unit, columns});
    if (panels_.empty()) panels_.emplace_back();
    right_ = options_.width - kSample - 3 * kPadding -
             kCharacterWidth * static_cast<double>(std::max<std::size_t>(longest, 4));
    const double height = panels_.size() > 2 ? options_.height / 2.0 : options_.height;
    double top = kTitleHeight;
    for (Panel& panel : panels_) {
      panel.top = top;
      panel.bottom = top + height - kGap;
      panel.range = range_of(panel);
      top += height;
    }
    RangeFinder times;
    for (double t : trajectory_.times()) times.add(t);
    across_ = times.range();
    picture_.width = options_.width;
    picture_.height = top - kGap + kAxisHeight;
  }

  Range range_of(const Panel& panel) const {
    RangeFinder finder;
    for (std::size_t r = 0; r < trajectory_.num_rows(); ++r)
      for (std::size_t column : panel.columns) finder.add(trajectory_.value(r, column));
    return finder.range_with_margin();
  }

  double x_of(double t) const {
    return kLeft + (t - across_.low) / (across_.high - across_.low) * (right_ - kLeft);
  }
  static double y_of(const Panel& panel, double value) {
    const double share = (value - panel.range.low) / (panel.range.high - panel.range.low);
    return panel.bottom - std::clamp(share, 0.0, 1.0) * (panel.bottom - panel.top);
  }

  void line(PicturePoint from, PicturePoint to, const char* colour) {
    picture_.strokes.push_back({{from, to}, colour, 1});
  }

  void draw_grid(const Panel& panel) {
    for (const AxisMark& mark : marks_of(across_, kMarksAcross))
      line({x_of(mark.value), panel.top}, {x_of(mark.value), panel.bottom}, kGridColour);
    const int most = std::max(2, static_cast<int>((panel.bottom - panel.top) / kHeightOfMark));
    for (const AxisMark& mark : marks_of(panel.range, most)) {
      const double y = y_of(panel, mark.value);
      line({kLeft, y}, {right_, y}, kGridColour);
      picture_.labels.push_back(
          {{kLeft - 6, y + 0.35 * kTextSize}, mark.text, Label::Anchor::kRight, kTextSize});
    }
    if (!panel.unit.empty())
      picture_.labels.push_back({{kTextSize + 4, (panel.top + panel.bottom) / 2},
                                 fmt::format("[{}]", legend_name(panel.unit)),
                                 Label::Anchor::kMiddle,
                                 kTextSize,
                                 true});
  }

  void draw_frame(const Panel& panel) {
    picture_.strokes.push_back({{{kLeft, panel.top},
                                 {right_, panel.top},
                                 {right_, panel.bottom},
                                 {kLeft, panel.bottom},
                                 {kLeft, panel.top}},
                                kFrameColour,
                                1});
  }

  Stroke style_of(std::size_t n) const {
    Stroke stroke;
    stroke.colour = kColours[n % std::size(kColours)];
    stroke.dashes = kDashes[n / std::size(kColours) % std::size(kDashes)];
    stroke.width = 1.6;
    return stroke;
  }

  // Pieces between numbers that are not finite.
  void draw_curve(const Panel& panel, std::size_t n) {
    Stroke piece = style_of(n);
    const auto finish = [&] {
      if (piece.points.size() == 1) piece.points.push_back(piece.points.front());
      if (!piece.points.empty()) picture_.strokes.push_back(piece);
      piece.points.clear();
    };
    for (std::size_t r = 0; r < trajectory_.num_rows(); ++r) {
      const double value = trajectory_.value(r, panel.columns[n]), t = trajectory_.times()[r];
      if (std::isfinite(value) && std::isfinite(t))
        add_point(piece.points, {x_of(t), y_of(panel, value)});
      else
        finish();
    }
    finish();
  }

  // Of neighbours in one column of pixels the first, the lowest, the highest and the last are
  // enough, so that a picture of a million rows has not a million points.
  static void add_point(std::vector<PicturePoint>& points, PicturePoint point) {
    const auto column = [](const PicturePoint& p) { return std::floor(2 * p.x); };
    const std::size_t n = points.size();
    const bool is_between = n >= 2 && column(points[n - 1]) == column(point) &&
                            column(points[n - 2]) == column(point) &&
                            (point.y - points[n - 1].y) * (points[n - 1].y - points[n - 2].y) >= 0;
    if (is_between)
      points.back() = point;
    else if (n >= 4 && column(points[n - 4]) == column(point) &&
             column(points[n - 1]) == column(point))
      fold(points, point);
    else
      points.push_back(point);
  }

  // The last four points and the new one lie in one column: first, extremes, last.
  static void fold(std::vector<PicturePoint>& points, PicturePoint point) {
    const auto from = points.end() - 3;
    const auto below = [](const PicturePoint& a, const PicturePoint& b) { return a.y < b.y; };
    const auto [low, high] = std::minmax_element(from, points.end(), below);
    const PicturePoint least = *low, greatest = *high;
    const bool is_low_first = low < high;
    from[0] = is_low_first ? least : greatest;
    from[1] = is_low_first ? greatest : least;
    from[2] = point;
  }

  void draw_legend(const Panel& panel) {
    const auto room =
        static_cast<std::size_t>(std::max(1.0, (panel.bottom - panel.top) / kLineHeight - 0.5));
    const bool is_cut = panel.columns.size() > room;
    const std::size_t shown = is_cut ? room - 1 : panel.columns.size();
    double y = panel.top + kLineHeight / 2;
    const double x = right_ + kPadding;
    const auto write = [&](const std::string& text) {
      picture_.labels.push_back({{x + kSample + kPadding / 2, y + 0.35 * kTextSize},
                                 text,
                                 Label::Anchor::kLeft,
                                 kTextSize});
      y += kLineHeight;
    };
    for (std::size_t n = 0; n < shown; ++n) {
      Stroke sample = style_of(n);
      sample.points = {{x, y}, {x + kSample, y}};
      picture_.strokes.push_back(std::move(sample));
      write(legend_name(trajectory_.columns()[panel.columns[n]].name));
    }
    if (is_cut) write(fmt::format("and {} more", panel.columns.size() - shown));
  }

  void label_axis(const Panel& lowest) {
    for (const AxisMark& mark : marks_of(across_, kMarksAcross))
      picture_.labels.push_back({{x_of(mark.value), lowest.bottom + kTextSize + 5},
                                 mark.text,
                                 Label::Anchor::kMiddle,
                                 kTextSize});
    const Column& axis = trajectory_.axis();
    const std::string unit =
        axis.unit.empty() ? "" : fmt::format(" [{}]", printable_line(axis.unit));
    picture_.labels.push_back({{(kLeft + right_) / 2, lowest.bottom + 2.8 * kTextSize + 5},
                               legend_name(axis.name) + unit,
                               Label::Anchor::kMiddle,
                               kTextSize});
  }

  const Trajectory& trajectory_;
  const PlotOptions& options_;
  std::vector<Panel> panels_;
  Range across_;
  double right_ = 0;  // edge of the panels
  Picture picture_;
};

}  // namespace

Picture plot(const Trajectory& trajectory, const PlotOptions& options) {
  return Plotter(trajectory, options).draw();
}

std::string to_svg(const Trajectory& trajectory, const PlotOptions& options) {
  return to_svg(plot(trajectory, options));
}

}  // namespace hydae

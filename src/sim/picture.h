// A drawing as a list of strokes and labels, in units of a picture that begins at the upper left
// corner. What draws it (SVG text here, cairo in the tool) needs to know nothing of trajectories.
#pragma once

#include <string>
#include <vector>

namespace hydae {

struct PicturePoint {
  double x = 0, y = 0;
};

struct Stroke {
  std::vector<PicturePoint> points;
  const char* colour = "#000000";  // #rrggbb
  double width = 1;
  std::vector<double> dashes{};  // lengths of line and gap in turn; empty: a full line
};

struct Label {
  enum class Anchor { kLeft, kMiddle, kRight };
  PicturePoint at;   // on the base line
  std::string text;  // UTF-8 without control characters
  Anchor anchor = Anchor::kLeft;
  double size = 12;
  bool is_upwards = false;  // turned by a right angle, reading upwards
};

struct Picture {
  double width = 0, height = 0;
  std::vector<Stroke> strokes;
  std::vector<Label> labels;
};

std::string to_svg(const Picture& picture);

}  // namespace hydae

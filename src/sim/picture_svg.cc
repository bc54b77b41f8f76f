// A drawing as SVG text: shapes and text only, nothing that a viewer would load or run.
#include <fmt/format.h>

#include "base/printable.h"
#include "sim/picture.h"

namespace hydae {
namespace {

// Hundredths of a unit are finer than any screen.
std::string coordinate(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string stroke_text(const Stroke& stroke) {
  std::string out = "<polyline points=\"";
  for (std::size_t k = 0; k < stroke.points.size(); ++k) {
    const PicturePoint& point = stroke.points[k];
    out += fmt::format("{}{},{}", k == 0 ? "" : " ", coordinate(point.x), coordinate(point.y));
  }
  out += fmt::format("\" stroke=\"{}\" stroke-width=\"{}\"", stroke.colour, stroke.width);
  if (!stroke.dashes.empty())
    out += fmt::format(" stroke-dasharray=\"{}\"", fmt::join(stroke.dashes, " "));
  return out + "/>\n";
}

std::string label_text(const Label& label) {
  const char* anchor = label.anchor == Label::Anchor::kLeft     ? "start"
                       : label.anchor == Label::Anchor::kMiddle ? "middle"
                                                                : "end";
  const std::string x = coordinate(label.at.x), y = coordinate(label.at.y);
  const std::string turn =
      label.is_upwards ? fmt::format(" transform=\"rotate(-90 {} {})\"", x, y) : "";
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", x,
                     y, label.size, anchor, turn, xml_text(label.text));
}

}  // namespace

std::string to_svg(const Picture& picture) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      picture.width, picture.height);
  out += "<g fill=\"none\" stroke-linejoin=\"round\">\n";
  for (const Stroke& stroke : picture.strokes) out += stroke_text(stroke);
  out += "</g>\n<g font-family=\"sans-serif\" fill=\"#222222\">\n";
  for (const Label& label : picture.labels) out += label_text(label);
  return out + "</g>\n</svg>\n";
}

}  // namespace hydae

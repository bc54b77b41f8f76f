#include "tool/picture_file.h"

#include <cstdlib>
#include <fmt/format.h>

#include <hydae/error.h>

#ifdef HYDAE_HAS_CAIRO
#include <cairo-pdf.h>
#include <cairo.h>
#endif

namespace hydae::tool {

#ifdef HYDAE_HAS_CAIRO
namespace {

constexpr double kPixelsPerUnit = 1.5;  // of PNG: sharp enough to be printed small

struct Colour {
  double red = 0, green = 0, blue = 0;
};

Colour colour_of(const char* text) {  // #rrggbb
  const unsigned long bits = std::strtoul(text + 1, nullptr, 16);
  const auto part = [&](int shift) { return static_cast<double>(bits >> shift & 0xff) / 255; };
  return {part(16), part(8), part(0)};
}

void draw(cairo_t* cairo, const Stroke& stroke) {
  const Colour colour = colour_of(stroke.colour);
  cairo_set_source_rgb(cairo, colour.red, colour.green, colour.blue);
  cairo_set_line_width(cairo, stroke.width);
  cairo_set_dash(cairo, stroke.dashes.data(), static_cast<int>(stroke.dashes.size()), 0);
  cairo_new_path(cairo);
  for (const PicturePoint& point : stroke.points) cairo_line_to(cairo, point.x, point.y);
  cairo_stroke(cairo);
}

void draw(cairo_t* cairo, const Label& label) {
  cairo_save(cairo);
  cairo_set_source_rgb(cairo, 0.13, 0.13, 0.13);
  cairo_set_font_size(cairo, label.size);
  cairo_text_extents_t extents;
  cairo_text_extents(cairo, label.text.c_str(), &extents);
  const double share = label.anchor == Label::Anchor::kLeft     ? 0
                       : label.anchor == Label::Anchor::kMiddle ? 0.5
                                                                : 1;
  cairo_translate(cairo, label.at.x, label.at.y);
  if (label.is_upwards) cairo_rotate(cairo, -std::acos(0.0));
  cairo_move_to(cairo, -share * extents.x_advance, 0);
  cairo_show_text(cairo, label.text.c_str());
  cairo_restore(cairo);
}

void draw(cairo_t* cairo, const Picture& picture) {
  cairo_set_source_rgb(cairo, 1, 1, 1);
  cairo_paint(cairo);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  for (const Stroke& stroke : picture.strokes) draw(cairo, stroke);
  for (const Label& label : picture.labels) draw(cairo, label);
}

cairo_status_t append(void* closure, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void require(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw UsageError(
        fmt::format("the picture cannot be drawn: {}", cairo_status_to_string(status)));
}

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

cairo_surface_t* make_surface(const Picture& picture, bool is_pdf, std::string& out) {
  if (is_pdf)
    return cairo_pdf_surface_create_for_stream(append, &out, picture.width, picture.height);
  const auto pixels = [](double length) { return static_cast<int>(kPixelsPerUnit * length); };
  return cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(picture.width),
                                    pixels(picture.height));
}

std::string cairo_bytes(const Picture& picture, bool is_pdf) {
  std::string out;
  const Surface surface(make_surface(picture, is_pdf, out), cairo_surface_destroy);
  {
    const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cairo(cairo_create(surface.get()),
                                                                   cairo_destroy);
    if (!is_pdf) cairo_scale(cairo.get(), kPixelsPerUnit, kPixelsPerUnit);
    draw(cairo.get(), picture);
    require(cairo_status(cairo.get()));
  }
  if (!is_pdf) require(cairo_surface_write_to_png_stream(surface.get(), append, &out));
  cairo_surface_finish(surface.get());
  require(cairo_surface_status(surface.get()));
  return out;
}

}  // namespace

const std::vector<std::string>& picture_suffixes() {
  static const std::vector<std::string> suffixes = {".svg", ".png", ".pdf"};
  return suffixes;
}

std::string picture_bytes(const Picture& picture, const std::string& suffix) {
  return suffix == ".svg" ? to_svg(picture) : cairo_bytes(picture, suffix == ".pdf");
}

#else

const std::vector<std::string>& picture_suffixes() {
  static const std::vector<std::string> suffixes = {".svg"};
  return suffixes;
}

std::string picture_bytes(const Picture& picture, const std::string&) { return to_svg(picture); }

#endif

}  // namespace hydae::tool

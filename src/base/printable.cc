#include "base/printable.h"

#include <fmt/format.h>

namespace hydae {
namespace {

// Length of the UTF-8 character that begins at `at`; 0 if there is none.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80                    ? 1
                             : lead >= 0xc2 && lead <= 0xdf ? 2
                             : lead >= 0xe0 && lead <= 0xef ? 3
                             : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                            : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  // Overlong forms, halves of surrogate pairs, beyond the last code point.
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
      (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f))
    return 0;
  return length;
}

char32_t code_point(std::string_view character) {
  constexpr unsigned char kPayloadOfLead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t code = static_cast<unsigned char>(character[0]) & kPayloadOfLead[character.size()];
  for (char c : character.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
  return code;
}

bool is_obeyed(char32_t c) {
  const bool is_control = c < 0x20 || (c >= 0x7f && c <= 0x9f);
  const bool turns_direction = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
                               c == 0x200e || c == 0x200f || c == 0x061c;
  const bool breaks_line = c == 0x2028 || c == 0x2029;
  const bool is_no_character = (c & 0xfffe) == 0xfffe;
  return is_control || turns_direction || breaks_line || is_no_character;
}

std::string written_out(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  const auto number = static_cast<unsigned>(c);
  return c < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
}

std::string shown(std::string_view text, std::string_view kept) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at++]));
      continue;
    }
    const std::string_view character = text.substr(at, length);
    const char32_t code = code_point(character);
    if (is_obeyed(code) && kept.find(character[0]) == std::string_view::npos)
      out += written_out(code);
    else
      out += character;
    at += length;
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, "\n\t"); }
std::string printable_line(std::string_view text) { return shown(text, ""); }

std::string xml_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace hydae

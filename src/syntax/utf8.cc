#include "syntax/utf8.h"

namespace hydae::syntax {

namespace {

// Bytes of a sequence by its first byte; 0 if none begins so.
std::uint32_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

bool is_scalar_value(std::uint32_t value, std::uint32_t size) {
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xD800 && value < 0xE000;
  return value >= kSmallest[size] && value <= 0x10FFFF && !is_surrogate;
}

}  // namespace

CodePoint decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const CodePoint invalid = {byte(0), 1, false};
  const std::uint32_t size = sequence_length(byte(0));
  if (size == 0 || size > text.size()) return invalid;
  if (size == 1) return {byte(0), 1, true};
  std::uint32_t value = byte(0) & (0x7Fu >> size);
  for (std::uint32_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return invalid;
    value = value << 6 | (byte(i) & 0x3F);
  }
  return is_scalar_value(value, size) ? CodePoint{value, size, true} : invalid;
}

bool is_letter(std::uint32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (c < 0xC0) return c == 0xAA || c == 0xB5 || c == 0xBA;
  if (c < 0x2000) return c != 0xD7 && c != 0xF7;
  return (c >= 0x2C00 && c < 0xD800) && !(c >= 0x3000 && c < 0x3040);
}

}  // namespace hydae::syntax

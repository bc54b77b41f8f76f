#include "syntax/utf8.h"

#include <gtest/gtest.h>
#include <string>

namespace hydae::syntax {
namespace {

// The encoding of RFC 3629, section 3, written as its table.
std::string encode(std::uint32_t c) {
  const auto byte = [](std::uint32_t b) { return std::string(1, static_cast<char>(b)); };
  const auto tail = [&](int shift) { return byte(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) return byte(0xC0 | c >> 6) + tail(0);
  if (c < 0x10000) return byte(0xE0 | c >> 12) + tail(6) + tail(0);
  return byte(0xF0 | c >> 18) + tail(12) + tail(6) + tail(0);
}

TEST(Utf8, decodes_every_code_point_and_refuses_surrogates) {
  for (std::uint32_t c = 0; c <= 0x10FFFF; ++c) {
    const std::string text = encode(c);
    const CodePoint decoded = decode_utf8(text + "x");
    const bool is_surrogate = c >= 0xD800 && c <= 0xDFFF;
    ASSERT_EQ(decoded.is_valid, !is_surrogate) << c;
    if (is_surrogate) continue;
    ASSERT_EQ(decoded.value, c);
    ASSERT_EQ(decoded.size, text.size());
  }
}

TEST(Utf8, refuses_overlong_cut_and_stray_sequences_one_byte_at_a_time) {
  for (const char* text :
       {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xF0\x80\x80\x80", "\x80", "\xC3", "\xE2\x82",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3x", "\xE2\x82x"}) {
    EXPECT_FALSE(decode_utf8(text).is_valid) << text;
    EXPECT_EQ(decode_utf8(text).size, 1u);
  }
}

}  // namespace
}  // namespace hydae::syntax

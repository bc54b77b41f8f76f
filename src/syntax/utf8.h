// Decoding of UTF-8, for the places where text may hold more than ASCII.
#pragma once

#include <cstdint>
#include <string_view>

namespace hydae::syntax {

struct CodePoint {
  std::uint32_t value = 0;
  std::uint32_t size = 1;  // bytes
  bool is_valid = false;   // else `value` is the first byte
};

// The code point at the beginning of `text`, which is not empty. Overlong forms, surrogates and
// values above U+10FFFF are not valid.
CodePoint decode_utf8(std::string_view text);

// A letter of some script, roughly: enough to tell a word from a symbol in a message.
bool is_letter(std::uint32_t code_point);

}  // namespace hydae::syntax

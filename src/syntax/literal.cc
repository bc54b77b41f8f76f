#include "syntax/literal.h"

#include <algorithm>
#include <charconv>

namespace hydae::syntax {

namespace {

// Whether a number out of the range of double is too small rather than too large: its first digit
// other than 0 stands behind the decimal point after the exponent is applied.
bool is_tiny(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, e);
  const std::size_t first = digits.find_first_of("123456789");
  if (first == digits.npos) return true;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto magnitude = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  std::string_view exponent = e == text.npos ? "0" : text.substr(e + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  std::int64_t value = 0;
  const auto read = std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
  if (read.ec == std::errc::result_out_of_range) return exponent.starts_with('-');
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;  // beyond any file size
  return magnitude + std::clamp(value, -kHuge, kHuge) <= 0;
}

}  // namespace

std::optional<std::int64_t> integer_value(std::string_view digits) {
  std::int64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec != std::errc()) return {};
  return value;
}

std::optional<double> real_value(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc()) return value;
  if (is_tiny(text)) return 0.0;
  return {};
}

}  // namespace hydae::syntax

#include "base/derivative_name.h"

#include <charconv>
#include <fmt/format.h>

namespace hydae {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string derivative_name(std::string_view name, int order) {
  if (order == 0) return std::string(name);
  return order == 1 ? fmt::format("der({})", name) : fmt::format("der({},{})", name, order);
}

std::pair<std::string, int> parse_derivative_name(std::string_view text) {
  const std::pair<std::string, int> plain{std::string(text), 0};
  if (!text.starts_with("der(") || !text.ends_with(")")) return plain;
  const std::string_view inner = text.substr(4, text.size() - 5);
  // A comma inside brackets belongs to the name: der(x[1,2]).
  const std::size_t comma = inner.rfind(',');
  if (comma == std::string_view::npos || inner.find(']', comma) != std::string_view::npos)
    return {std::string(trimmed(inner)), 1};
  const std::string_view digits = trimmed(inner.substr(comma + 1));
  int order = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), order);
  if (error != std::errc() || end != digits.data() + digits.size() || order < 1) return plain;
  return {std::string(trimmed(inner.substr(0, comma))), order};
}

}  // namespace hydae

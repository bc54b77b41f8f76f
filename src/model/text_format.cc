#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>

#include <hydae/text_format.h>

namespace hydae {

namespace {

constexpr int kMostCharacters = 1000;

std::string padded(std::string text, const TextFormat& format) {
  const auto least = static_cast<std::size_t>(std::max(0, format.minimum_length));
  if (text.size() >= least) return text;
  const std::string blanks(least - text.size(), ' ');
  return format.is_left_justified ? text + blanks : blanks + text;
}

std::string by_c_format(double value, const TextFormat& format) {
  char buffer[2 * kMostCharacters];
  const char conversion = format.c_format.back();
  const bool is_real = std::string("eEfFgG").find(conversion) != std::string::npos;
  const std::string head = "%" + format.c_format.substr(0, format.c_format.size() - 1);
  const int length = is_real
                         ? std::snprintf(buffer, sizeof buffer, (head + conversion).c_str(), value)
                         : std::snprintf(buffer, sizeof buffer, (head + "ll" + conversion).c_str(),
                                         static_cast<long long>(value));
  return length < 0 ? "" : std::string(buffer, std::min<std::size_t>(length, sizeof buffer - 1));
}

std::string literal(double value, const TextFormat& format) {
  const auto place = static_cast<std::size_t>(value) - 1;
  return place < format.literals.size() ? format.literals[place] : fmt::format("{}", value);
}

}  // namespace

std::optional<std::string> checked_c_format(const std::string& given, TextFormat::Kind kind) {
  std::size_t at = given.starts_with('%') ? 1 : 0;
  const std::size_t begin = at;
  const auto number = [&] {
    int value = 0;
    for (; at < given.size() && given[at] >= '0' && given[at] <= '9'; ++at)
      value = std::min(kMostCharacters + 1, 10 * value + (given[at] - '0'));
    return value;
  };
  while (at < given.size() && std::string("-+ #0").find(given[at]) != std::string::npos) ++at;
  if (number() > kMostCharacters) return std::nullopt;
  if (at < given.size() && given[at] == '.') {
    ++at;
    if (number() > kMostCharacters) return std::nullopt;
  }
  if (at + 1 != given.size()) return std::nullopt;
  const bool is_integer = kind == TextFormat::Kind::kInteger;
  const std::string allowed = is_integer ? "eEfFgGdiuxXo" : "eEfFgG";
  if (allowed.find(given[at]) == std::string::npos) return std::nullopt;
  return given.substr(begin);
}

std::string to_text(double value, const TextFormat& format) {
  if (!format.c_format.empty() && std::isfinite(value)) return by_c_format(value, format);
  if (!std::isfinite(value))
    return padded(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf", format);
  switch (format.kind) {
    case TextFormat::Kind::kBoolean: return padded(value != 0 ? "true" : "false", format);
    case TextFormat::Kind::kEnumeration: return padded(literal(value, format), format);
    case TextFormat::Kind::kInteger: return padded(fmt::format("{:.0f}", value), format);
    case TextFormat::Kind::kReal: break;
  }
  const int digits = std::clamp(format.significant_digits, 1, kMostCharacters);
  return padded(fmt::format("{:.{}g}", value, digits), format);
}

}  // namespace hydae

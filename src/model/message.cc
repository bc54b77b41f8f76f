#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include <hydae/message.h>

namespace hydae {

namespace {

// Control characters that no text of a message needs: \1 node kind digits length side \3 format \3
// literal \3 ... \2
constexpr char kBegin = '\x01', kEnd = '\x02', kNext = '\x03';

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : text)
    if (c == kNext)
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

std::optional<MessageNumber> parse_number(std::string_view inside) {
  const std::vector<std::string> parts = split(inside);
  unsigned node = 0, kind = 0, digits = 0, length = 0, is_left = 0;
  if (parts.size() < 2 || std::sscanf(parts[0].c_str(), "%u %u %u %u %u", &node, &kind, &digits,
                                      &length, &is_left) != 5)
    return std::nullopt;
  MessageNumber out;
  out.value = NodeId(node);
  out.format.kind = static_cast<TextFormat::Kind>(std::min(kind, 3u));
  out.format.significant_digits = static_cast<int>(digits);
  out.format.minimum_length = static_cast<int>(length);
  out.format.is_left_justified = is_left != 0;
  const auto c_format = checked_c_format(parts[1], out.format.kind);
  if (c_format) out.format.c_format = *c_format;
  out.format.literals.assign(parts.begin() + 2, parts.end());
  return out;
}

}  // namespace

std::string message_placeholder(NodeId value, const TextFormat& format) {
  std::string out =
      kBegin + fmt::format("{} {} {} {} {}", value.index(), static_cast<int>(format.kind),
                           std::max(0, format.significant_digits),
                           std::max(0, format.minimum_length), format.is_left_justified ? 1 : 0);
  out += kNext + format.c_format;
  for (const std::string& literal : format.literals) out += kNext + literal;
  return out + kEnd;
}

bool has_placeholder(const std::string& text) { return text.find(kBegin) != std::string::npos; }

Message parse_message(const std::string& message) {
  Message out;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = message[at] == kBegin ? message.find(kEnd, at) : std::string::npos;
    std::optional<MessageNumber> number;
    if (end != std::string::npos)
      number = parse_number(std::string_view(message).substr(at + 1, end - at - 1));
    if (!number) {
      out.text += message[at++];
      continue;
    }
    number->position = out.text.size();
    out.numbers.push_back(std::move(*number));
    at = end + 1;
  }
  return out;
}

std::string replace_values(const std::string& message,
                           const std::function<NodeId(NodeId)>& replace) {
  const Message parsed = parse_message(message);
  std::string out;
  std::size_t done = 0;
  for (const MessageNumber& number : parsed.numbers) {
    out += parsed.text.substr(done, number.position - done) +
           message_placeholder(replace(number.value), number.format);
    done = number.position;
  }
  return out + parsed.text.substr(done);
}

std::string message_text(const Message& message, std::span<const double> numbers) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t k = 0; k < message.numbers.size() && k < numbers.size(); ++k) {
    const MessageNumber& number = message.numbers[k];
    out += message.text.substr(done, number.position - done) + to_text(numbers[k], number.format);
    done = number.position;
  }
  return out + message.text.substr(done);
}

}  // namespace hydae

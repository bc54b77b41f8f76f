// The string functions of the standard library, on texts that are known. Positions count from 1; a
// scan that finds nothing returns the position where it began.
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>

#include "modelica/external/native_calls.h"

namespace hydae::modelica::native {

namespace {

std::size_t skip_blanks(const std::string& text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

std::size_t start_of(std::int64_t position, const std::string& text) {
  return position < 1 ? 0 : std::min(static_cast<std::size_t>(position - 1), text.size());
}

std::int64_t position_of(std::size_t at) { return static_cast<std::int64_t>(at) + 1; }

std::size_t skip_digits(const std::string& text, std::size_t at) {
  while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

// End of the number that begins at `at`; `at` itself if there is none.
std::size_t end_of_number(const std::string& text, std::size_t at, bool is_unsigned, bool is_real) {
  std::size_t end = at;
  const bool has_sign = end < text.size() && (text[end] == '+' || text[end] == '-');
  if (has_sign && !is_unsigned) ++end;
  const std::size_t digits = end;
  end = skip_digits(text, end);
  const bool is_followed =
      end < text.size() && std::string(".eE").find(text[end]) != std::string::npos;
  if (!is_real) return end == digits || is_followed ? at : end;
  std::size_t num_digits = end - digits;
  if (end < text.size() && text[end] == '.') {
    const std::size_t fraction = skip_digits(text, end + 1);
    num_digits += fraction - end - 1;
    if (num_digits > 0) end = fraction;
  }
  if (num_digits == 0) return at;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    const std::size_t last = skip_digits(text, exponent);
    if (last > exponent) end = last;
  }
  return end;
}

}  // namespace

std::vector<Value> string_length(const Call& call) {
  return {call.session.evaluator->integer(static_cast<std::int64_t>(call.text(0).size()))};
}

// The hash function of Arash Partow over the bytes, as a signed number of 32 bits.
std::vector<Value> hash_string(const Call& call) {
  std::uint32_t hash = 0xAAAAAAAA;
  const std::string& whole = call.text(0);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const std::uint32_t byte = static_cast<unsigned char>(whole[i]);
    hash ^=
        i % 2 == 0 ? (hash << 7) ^ (byte * (hash >> 3)) : ~((hash << 11) + (byte ^ (hash >> 5)));
  }
  return {call.session.evaluator->integer(static_cast<std::int32_t>(hash))};
}

std::vector<Value> substring(const Call& call) {
  const std::string& whole = call.text(0);
  const std::int64_t first = call.integer(1), last = call.integer(2);
  if (first < 1 || last > static_cast<std::int64_t>(whole.size()) || last < first)
    call.session.fail(
        "index-out-of-range",
        fmt::format("there is no substring {} to {} of {} characters", first, last, whole.size()),
        call.range);
  return {Value::string(whole.substr(static_cast<std::size_t>(first - 1),
                                     static_cast<std::size_t>(last - first + 1)))};
}

// -1, 0 or 1 as an enumeration: Less, Equal, Greater.
std::vector<Value> compare(const Call& call) {
  std::string a = call.text(0), b = call.text(1);
  if (!call.boolean(2)) {
    for (char& c : a) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (char& c : b) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const int order = a.compare(b);
  return {call.session.evaluator->integer(order < 0 ? 1 : order == 0 ? 2 : 3)};
}

std::vector<Value> skip_white_space(const Call& call) {
  const std::string& whole = call.text(0);
  return {call.session.evaluator->integer(
      position_of(skip_blanks(whole, start_of(call.integer(1), whole))))};
}

std::vector<Value> scan_identifier(const Call& call) {
  const std::string& whole = call.text(0);
  const std::size_t begin = skip_blanks(whole, start_of(call.integer(1), whole));
  std::size_t end = begin;
  if (end < whole.size() && std::isalpha(static_cast<unsigned char>(whole[end])))
    while (end < whole.size() &&
           (std::isalnum(static_cast<unsigned char>(whole[end])) || whole[end] == '_'))
      ++end;
  Evaluator& evaluator = *call.session.evaluator;
  if (end == begin) return {evaluator.integer(call.integer(1)), Value::string("")};
  return {evaluator.integer(position_of(end)), Value::string(whole.substr(begin, end - begin))};
}

std::vector<Value> scan_integer(const Call& call) {
  const std::string& whole = call.text(0);
  const std::size_t begin = skip_blanks(whole, start_of(call.integer(1), whole));
  const std::size_t end = end_of_number(whole, begin, call.boolean(2), false);
  Evaluator& evaluator = *call.session.evaluator;
  if (end == begin) return {evaluator.integer(call.integer(1)), evaluator.integer(0)};
  return {evaluator.integer(position_of(end)),
          evaluator.integer(std::atoll(whole.substr(begin, end - begin).c_str()))};
}

std::vector<Value> scan_real(const Call& call) {
  const std::string& whole = call.text(0);
  const std::size_t begin = skip_blanks(whole, start_of(call.integer(1), whole));
  const std::size_t end = end_of_number(whole, begin, call.boolean(2), true);
  Evaluator& evaluator = *call.session.evaluator;
  if (end == begin) return {evaluator.integer(call.integer(1)), evaluator.real(0)};
  return {evaluator.integer(position_of(end)),
          evaluator.real(std::strtod(whole.substr(begin, end - begin).c_str(), nullptr))};
}

std::vector<Value> scan_string(const Call& call) {
  const std::string& whole = call.text(0);
  const std::size_t begin = skip_blanks(whole, start_of(call.integer(1), whole));
  Evaluator& evaluator = *call.session.evaluator;
  if (begin >= whole.size() || whole[begin] != '"')
    return {evaluator.integer(call.integer(1)), Value::string("")};
  std::size_t end = begin + 1;
  while (end < whole.size() && whole[end] != '"') end += whole[end] == '\\' ? 2 : 1;
  if (end >= whole.size()) return {evaluator.integer(call.integer(1)), Value::string("")};
  return {evaluator.integer(position_of(end + 1)),
          Value::string(whole.substr(begin + 1, end - begin - 1))};
}

}  // namespace hydae::modelica::native

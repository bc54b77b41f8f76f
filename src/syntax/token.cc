#include "syntax/token.h"

#include <array>

namespace hydae::syntax {

namespace {

constexpr auto kSpellings = std::to_array<std::string_view>({
    // clang-format off
    "", "", "", "", "", "",
    "algorithm", "and", "annotation", "block", "break", "class", "connect", "connector", "constant",
    "constrainedby", "der", "discrete", "each", "else", "elseif", "elsewhen", "encapsulated", "end",
    "enumeration", "equation", "expandable", "extends", "external", "false", "final", "flow", "for",
    "function", "if", "import", "impure", "in", "initial", "inner", "input", "loop", "model", "not",
    "operator", "or", "outer", "output", "package", "parameter", "partial", "protected", "public",
    "pure", "record", "redeclare", "replaceable", "return", "stream", "then", "true", "type", "when",
    "while", "within",
    "(", ")", "[", "]", "{", "}", ";", ",", ".", ":", "=", ":=",
    "+", "-", "*", "/", "^", ".+", ".-", ".*", "./", ".^",
    "<", "<=", ">", ">=", "==", "<>",
    // clang-format on
});
static_assert(kSpellings.size() == static_cast<std::size_t>(TokenKind::kNotEqual) + 1);
static_assert(kSpellings[static_cast<std::size_t>(kLastKeyword)] == "within");

// Keywords by a hash of their length and outer letters, with open addressing.
constexpr std::size_t kNumSlots = 256;

constexpr std::size_t slot_of(std::string_view word) {
  const auto letter = [&](std::size_t i) { return static_cast<unsigned char>(word[i]); };
  return (letter(0) * 7u + letter(1) * 31u + letter(word.size() - 1) + word.size() * 53u) %
         kNumSlots;
}

constexpr auto kKeywordSlots = [] {
  std::array<TokenKind, kNumSlots> slots{};  // kEndOfFile: free
  for (std::size_t k = static_cast<std::size_t>(kFirstKeyword);
       k <= static_cast<std::size_t>(kLastKeyword); ++k) {
    std::size_t slot = slot_of(kSpellings[k]);
    while (slots[slot] != TokenKind::kEndOfFile) slot = (slot + 1) % kNumSlots;
    slots[slot] = static_cast<TokenKind>(k);
  }
  return slots;
}();

constexpr std::size_t kShortestKeyword = 2, kLongestKeyword = 13;

}  // namespace

std::string_view spelling(TokenKind kind) { return kSpellings[static_cast<std::size_t>(kind)]; }

TokenKind keyword_or_ident(std::string_view word) {
  if (word.size() < kShortestKeyword || word.size() > kLongestKeyword) return TokenKind::kIdent;
  for (std::size_t slot = slot_of(word); kKeywordSlots[slot] != TokenKind::kEndOfFile;
       slot = (slot + 1) % kNumSlots)
    if (spelling(kKeywordSlots[slot]) == word) return kKeywordSlots[slot];
  return TokenKind::kIdent;
}

}  // namespace hydae::syntax

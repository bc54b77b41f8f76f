#include "syntax/lexer.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>

#include "syntax/utf8.h"

namespace hydae::syntax {

namespace {

constexpr std::size_t kMostErrors = 100;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_word_char(char c) { return is_word_start(c) || is_digit(c); }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
constexpr bool is_printable_ascii(char c) { return c >= ' ' && c < 0x7F; }

// Characters that may follow a backslash.
constexpr bool is_escape(char c) {
  return std::string_view("'\"?\\abfnrtv").find(c) != std::string_view::npos;
}

struct Operator {
  std::string_view text;
  TokenKind kind;
  const char* help = nullptr;  // for operators of other languages: what Modelica writes
};

// Grouped by their first character; in a group, longer before shorter.
constexpr auto kOperators = std::to_array<Operator>({
    {"(", TokenKind::kLeftParen},
    {")", TokenKind::kRightParen},
    {"[", TokenKind::kLeftBracket},
    {"]", TokenKind::kRightBracket},
    {"{", TokenKind::kLeftBrace},
    {"}", TokenKind::kRightBrace},
    {";", TokenKind::kSemicolon},
    {",", TokenKind::kComma},
    {":=", TokenKind::kAssign},
    {":", TokenKind::kColon},
    {".+", TokenKind::kDotPlus},
    {".-", TokenKind::kDotMinus},
    {".*", TokenKind::kDotStar},
    {"./", TokenKind::kDotSlash},
    {".^", TokenKind::kDotCaret},
    {".", TokenKind::kDot},
    {"%", TokenKind::kInvalid, "the remainder of a division is `mod(a, b)`"},
    {"+", TokenKind::kPlus},
    {"-", TokenKind::kMinus},
    {"**", TokenKind::kCaret, "the power operator is `^`"},
    {"*", TokenKind::kStar},
    {"/", TokenKind::kSlash},
    {"^", TokenKind::kCaret},
    {"<=", TokenKind::kLessEqual},
    {"<>", TokenKind::kNotEqual},
    {"<", TokenKind::kLess},
    {">=", TokenKind::kGreaterEqual},
    {">", TokenKind::kGreater},
    {"==", TokenKind::kEqualEqual},
    {"=", TokenKind::kEquals},
    {"!=", TokenKind::kNotEqual, "not equal is written `<>`"},
    {"!", TokenKind::kNot, "negation is written `not`"},
    {"~=", TokenKind::kNotEqual, "not equal is written `<>`"},
    {"&&", TokenKind::kAnd, "conjunction is written `and`"},
    {"&", TokenKind::kAnd, "conjunction is written `and`"},
    {"||", TokenKind::kOr, "disjunction is written `or`"},
    {"|", TokenKind::kOr, "disjunction is written `or`"},
});

// Index of the first operator that begins with each character; kOperators.size() if none does.
constexpr auto kFirstOperator = [] {
  std::array<std::uint8_t, 256> first{};
  first.fill(kOperators.size());
  for (std::size_t i = kOperators.size(); i-- > 0;)
    first[static_cast<unsigned char>(kOperators[i].text[0])] = static_cast<std::uint8_t>(i);
  return first;
}();

// The longest operator at the beginning of `text`, which is not empty; null if there is none.
const Operator* find_operator(std::string_view text) {
  std::size_t i = kFirstOperator[static_cast<unsigned char>(text[0])];
  for (; i < kOperators.size() && kOperators[i].text[0] == text[0]; ++i)
    if (text.starts_with(kOperators[i].text)) return &kOperators[i];
  return nullptr;
}

class Lexer {
 public:
  Lexer(std::string_view text, SourceId source, SymbolTable& symbols, Diagnostics& diagnostics)
      : text_(text), source_(source), symbols_(symbols), diagnostics_(diagnostics) {}

  std::vector<Token> run();

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  std::string_view from(std::size_t begin) const { return text_.substr(begin, pos_ - begin); }
  std::string_view rest() const { return text_.substr(pos_); }
  void emit(TokenKind kind, std::size_t begin, Symbol symbol = {});
  Diagnostic& error(const char* code, std::string message, std::size_t begin, std::size_t end);

  void skip_blanks();
  void block_comment();
  void token();
  void word();
  void foreign_word(std::size_t begin);
  void number();
  void string();
  void check_string(std::size_t begin);
  void curly_string();
  void quoted_ident();
  void check_quoted_ident(std::size_t begin);
  void symbol_or_invalid();
  void invalid();

  std::size_t end_of_line(std::size_t from) const;
  std::size_t next_line_with_keyword(std::size_t from) const;

  std::string_view text_;
  SourceId source_;
  SymbolTable& symbols_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  std::size_t pos_ = 0;
  std::size_t num_errors_ = 0;
  // Set when a search for the end of a comment or string reached the end of the text: later ones
  // are cut at the end of their line, which keeps the whole linear.
  bool no_comment_end_ = false;
  bool no_string_end_ = false;
};

std::vector<Token> Lexer::run() {
  if (text_.starts_with("\xEF\xBB\xBF")) pos_ = 3;
  tokens_.reserve(text_.size() / 6 + 1);
  for (skip_blanks(); pos_ < text_.size(); skip_blanks()) {
    token();
    if (num_errors_ < kMostErrors) continue;
    error("too-many-errors", "too many errors: the rest of the file is not read", pos_, pos_);
    break;
  }
  emit(TokenKind::kEndOfFile, pos_);
  return std::move(tokens_);
}

void Lexer::emit(TokenKind kind, std::size_t begin, Symbol symbol) {
  tokens_.push_back(
      {kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(pos_), symbol});
}

Diagnostic& Lexer::error(const char* code, std::string message, std::size_t begin,
                         std::size_t end) {
  ++num_errors_;
  return diagnostics_.error(
      code, std::move(message),
      {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
}

std::size_t Lexer::end_of_line(std::size_t from) const {
  return std::min(text_.find('\n', from), text_.size());
}

// Where to go on after an unclosed string or comment: the next line that begins with a keyword.
std::size_t Lexer::next_line_with_keyword(std::size_t from) const {
  for (std::size_t i = end_of_line(from); i < text_.size(); i = end_of_line(i)) {
    while (i < text_.size() && is_blank(text_[i])) ++i;
    std::size_t end = i;
    while (end < text_.size() && is_word_char(text_[end])) ++end;
    if (keyword_or_ident(text_.substr(i, end - i)) != TokenKind::kIdent) return i;
  }
  return text_.size();
}

void Lexer::skip_blanks() {
  while (pos_ < text_.size()) {
    if (is_blank(text_[pos_])) {
      ++pos_;
    } else if (text_[pos_] == '/' && at(pos_ + 1) == '/') {
      pos_ = end_of_line(pos_);
    } else if (text_[pos_] == '/' && at(pos_ + 1) == '*') {
      block_comment();
    } else {
      return;
    }
  }
}

void Lexer::block_comment() {
  const std::size_t begin = pos_;
  const std::size_t close = no_comment_end_ ? text_.npos : text_.find("*/", begin + 2);
  if (close != text_.npos) {
    pos_ = close + 2;
    return;
  }
  pos_ = no_comment_end_ ? end_of_line(begin) : next_line_with_keyword(begin);
  no_comment_end_ = true;
  error("unterminated", "this comment has no end", begin, begin + 2).help = "close it with `*/`";
}

void Lexer::token() {
  const char c = text_[pos_];
  if (is_word_start(c)) return word();
  if (is_digit(c) || (c == '.' && is_digit(at(pos_ + 1)))) return number();
  if (c == '"') return string();
  if (c == '\'') return quoted_ident();
  symbol_or_invalid();
}

void Lexer::word() {
  const std::size_t begin = pos_;
  while (is_word_char(at(pos_))) ++pos_;
  if (!is_ascii(at(pos_)) && is_letter(decode_utf8(rest()).value)) return foreign_word(begin);
  const TokenKind kind = keyword_or_ident(from(begin));
  emit(kind, begin, kind == TokenKind::kIdent ? symbols_.intern(from(begin)) : Symbol());
}

// The rest of a word that has letters beyond ASCII: one message, read as a name.
void Lexer::foreign_word(std::size_t begin) {
  while (pos_ < text_.size()) {
    const CodePoint c = decode_utf8(rest());
    if (!is_word_char(text_[pos_]) && !(c.is_valid && is_letter(c.value))) break;
    pos_ += c.size;
  }
  error("invalid-character", fmt::format("`{}` cannot be a name", from(begin)), begin, pos_).label =
      "names have only the letters a-z and A-Z, digits and `_`";
  emit(TokenKind::kIdent, begin, symbols_.intern(from(begin)));
}

void Lexer::number() {
  const std::size_t begin = pos_;
  const auto skip_digits = [&] {
    while (is_digit(at(pos_))) ++pos_;
  };
  skip_digits();
  bool is_real = at(pos_) == '.';
  if (is_real) ++pos_;
  skip_digits();
  if (at(pos_) == 'e' || at(pos_) == 'E') {
    const std::size_t digit = pos_ + 1 + (at(pos_ + 1) == '+' || at(pos_ + 1) == '-' ? 1 : 0);
    if (is_digit(at(digit))) {
      is_real = true;
      pos_ = digit;
      skip_digits();
    }
  }
  // `1then` is two tokens, `1x` is a slip.
  std::size_t end = pos_;
  while (is_word_char(at(end))) ++end;
  if (end > pos_ && keyword_or_ident(text_.substr(pos_, end - pos_)) == TokenKind::kIdent) {
    pos_ = end;
    error("invalid-number", fmt::format("`{}` is neither a number nor a name", from(begin)), begin,
          pos_);
    return emit(TokenKind::kInvalid, begin);
  }
  emit(is_real ? TokenKind::kReal : TokenKind::kInteger, begin);
}

void Lexer::string() {
  const std::size_t begin = pos_++;
  const std::size_t limit = no_string_end_ ? end_of_line(begin) : text_.size();
  bool is_plain = true;
  while (pos_ < limit && text_[pos_] != '"') {
    if (text_[pos_] == '\\' || !is_ascii(text_[pos_])) is_plain = false;
    pos_ += text_[pos_] == '\\' && pos_ + 1 < limit ? 2 : 1;
  }
  if (pos_ < limit) {
    ++pos_;
    if (!is_plain) check_string(begin);
    return emit(TokenKind::kString, begin);
  }
  pos_ = no_string_end_ ? limit : next_line_with_keyword(begin);
  no_string_end_ = true;
  error("unterminated", "this string has no end", begin, begin + 1).help = "close it with `\"`";
  emit(TokenKind::kInvalid, begin);
}

// Escapes and encoding of the string from `begin` to here; reports the first fault.
void Lexer::check_string(std::size_t begin) {
  for (std::size_t i = begin + 1; i + 1 < pos_;) {
    if (is_ascii(text_[i]) && text_[i] != '\\') {
      ++i;
      continue;
    }
    const CodePoint c = decode_utf8(text_.substr(i));
    if (!c.is_valid) {
      error("invalid-character", fmt::format("byte 0x{:02X} is not valid UTF-8", c.value), i, i + 1)
          .label = "in this string";
      return;
    }
    if (c.value == '\\' && !is_escape(text_[i + 1])) {
      const CodePoint escaped = decode_utf8(text_.substr(i + 1));
      const std::string_view sequence = text_.substr(i, 1 + escaped.size);
      Diagnostic& d =
          error("invalid-escape", "unknown escape sequence in a string", i, i + sequence.size());
      d.help = "a backslash itself is written `\\\\`";
      return;
    }
    i += c.value == '\\' ? 2 : c.size;
  }
}

void Lexer::quoted_ident() {
  const std::size_t begin = pos_++;
  const std::size_t limit = end_of_line(begin);
  bool is_plain = true;
  while (pos_ < limit && text_[pos_] != '\'') {
    if (text_[pos_] == '\\' || !is_printable_ascii(text_[pos_])) is_plain = false;
    pos_ += text_[pos_] == '\\' && pos_ + 1 < limit ? 2 : 1;
  }
  if (pos_ >= limit) {
    error("unterminated", "this quoted name has no end on its line", begin, begin + 1).help =
        "close it with `'`";
    return emit(TokenKind::kInvalid, begin);
  }
  ++pos_;
  if (is_plain) return emit(TokenKind::kIdent, begin, symbols_.intern(from(begin)));
  check_quoted_ident(begin);
}

// The escapes \" and \? are redundant: with and without them it is the same name (2.3.1).
void Lexer::check_quoted_ident(std::size_t begin) {
  std::string name;
  for (std::size_t i = begin; i < pos_; ++i) {
    const char c = text_[i];
    if (c == '\\' && is_escape(text_[i + 1])) {
      ++i;
      if (text_[i] != '"' && text_[i] != '?') name += c;
    } else if (c == '\\' || !is_printable_ascii(c)) {
      error("invalid-character", "a quoted name has only printable ASCII characters and escapes", i,
            i + decode_utf8(text_.substr(i)).size);
      return emit(TokenKind::kInvalid, begin);
    }
    name += text_[i];
  }
  emit(TokenKind::kIdent, begin, symbols_.intern(name));
}

void Lexer::symbol_or_invalid() {
  const Operator* op = find_operator(rest());
  if (op == nullptr) return rest().starts_with("\xE2\x80\x9C") ? curly_string() : invalid();
  const std::size_t begin = pos_;
  pos_ += op->text.size();
  if (op->help != nullptr)
    error("foreign-operator", fmt::format("`{}` is not an operator of Modelica", op->text), begin,
          pos_)
        .help = op->help;
  emit(op->kind, begin);
}

// Text between typographic quotes.
void Lexer::curly_string() {
  constexpr std::string_view kClose = "\xE2\x80\x9D";
  const std::size_t begin = pos_;
  const std::size_t close = text_.substr(0, end_of_line(begin)).find(kClose, begin);
  pos_ = close == text_.npos ? begin + kClose.size() : close + kClose.size();
  error("invalid-character", "typographic quotes do not make a string", begin, pos_).help =
      "use the plain quote `\"`";
  emit(TokenKind::kInvalid, begin);
}

// "character `%`", "character `§` (U+00A7)", "byte 0xFF"
std::string description(CodePoint c, std::string_view text) {
  const std::string_view bytes = text.substr(0, c.size);
  if (!c.is_valid) return fmt::format("byte 0x{:02X}", c.value);
  if (!is_ascii(text[0])) return fmt::format("character `{}` (U+{:04X})", bytes, c.value);
  return is_printable_ascii(text[0]) ? fmt::format("character `{}`", bytes)
                                     : fmt::format("byte 0x{:02X}", c.value);
}

void Lexer::invalid() {
  const std::size_t begin = pos_;
  const CodePoint first = decode_utf8(rest());
  if (first.is_valid && !is_ascii(text_[pos_]) && is_letter(first.value))
    return foreign_word(begin);
  const auto is_invalid = [&] {
    const char c = at(pos_);
    return pos_ < text_.size() && !is_blank(c) && !is_word_char(c) && c != '"' && c != '\'' &&
           find_operator(rest()) == nullptr;
  };
  do pos_ += decode_utf8(rest()).size;
  while (is_invalid());
  error("invalid-character", "unexpected " + description(first, text_.substr(begin)), begin, pos_);
  emit(TokenKind::kInvalid, begin);
}

}  // namespace

std::vector<Token> lex(std::string_view text, SourceId source, SymbolTable& symbols,
                       Diagnostics& diagnostics) {
  if (text.size() > kLargestFile) {
    diagnostics.error("file-too-large",
                      fmt::format("the file has {} MB; the limit is {} MB", text.size() >> 20,
                                  kLargestFile >> 20),
                      {source, 0, 0});
    return {Token()};
  }
  return Lexer(text, source, symbols, diagnostics).run();
}

}  // namespace hydae::syntax

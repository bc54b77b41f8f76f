#include "syntax/cursor.h"

#include <fmt/format.h>

namespace hydae::syntax {

namespace {

// Keywords with which a declaration begins.
bool is_declarative(TokenKind kind) {
  switch (kind) {
    case TokenKind::kClass:
    case TokenKind::kModel:
    case TokenKind::kBlock:
    case TokenKind::kRecord:
    case TokenKind::kConnector:
    case TokenKind::kType:
    case TokenKind::kPackage:
    case TokenKind::kFunction:
    case TokenKind::kPartial:
    case TokenKind::kEncapsulated:
    case TokenKind::kReplaceable:
    case TokenKind::kRedeclare:
    case TokenKind::kFinal:
    case TokenKind::kInner:
    case TokenKind::kOuter:
    case TokenKind::kFlow:
    case TokenKind::kStream:
    case TokenKind::kDiscrete:
    case TokenKind::kParameter:
    case TokenKind::kConstant:
    case TokenKind::kInput:
    case TokenKind::kOutput:
    case TokenKind::kImport:
    case TokenKind::kExtends: return true;
    default: return false;
  }
}

// Keywords that, at the beginning of a line and outside brackets, begin a new unit.
bool begins_unit(TokenKind kind) {
  switch (kind) {
    case TokenKind::kConnect:
    case TokenKind::kWhen:
    case TokenKind::kElseif:
    case TokenKind::kElsewhen:
    case TokenKind::kElse: return true;
    default: return is_declarative(kind);
  }
}

// Keywords that cannot stand inside an element, equation or statement.
bool ends_unit(TokenKind kind, TokenKind following) {
  switch (kind) {
    case TokenKind::kEquation:
    case TokenKind::kAlgorithm:
    case TokenKind::kPublic:
    case TokenKind::kProtected:
    case TokenKind::kExternal:
    case TokenKind::kEndOfFile: return true;
    case TokenKind::kInitial:
      return following == TokenKind::kEquation || following == TokenKind::kAlgorithm;
    case TokenKind::kEnd:
      return following == TokenKind::kIdent || following == TokenKind::kIf ||
             following == TokenKind::kFor || following == TokenKind::kWhen ||
             following == TokenKind::kWhile || following == TokenKind::kSemicolon;
    default: return false;
  }
}

// Tokens that stand behind a name: a keyword before one of them was meant as a name.
bool follows_name(TokenKind kind) {
  switch (kind) {
    case TokenKind::kSemicolon:
    case TokenKind::kComma:
    case TokenKind::kEquals:
    case TokenKind::kAssign:
    case TokenKind::kDot:
    case TokenKind::kRightParen:
    case TokenKind::kRightBracket:
    case TokenKind::kRightBrace:
    case TokenKind::kLeftBracket:
    case TokenKind::kLeftParen:
    case TokenKind::kString: return true;
    default: return is_operator(kind);
  }
}

}  // namespace

bool Cursor::expect(TokenKind kind, std::string_view purpose) {
  if (accept(kind)) return true;
  const std::string what =
      fmt::format("`{}`{}{}", spelling(kind), purpose.empty() ? "" : " ", purpose);
  if (is_on_new_line())
    error("missing " + what, gap());
  else
    expected(what);
  return false;
}

bool Cursor::at_keyword_as_name() const { return is_declarative(kind()) && follows_name(kind(1)); }

Ident Cursor::expect_ident(std::string_view what) {
  if (at(TokenKind::kIdent)) {
    const Token& token = next();
    return {token.symbol, range(token)};
  }
  const bool ends_line = has_line_break(peek().end, peek(1).begin);
  const bool is_meant = at_keyword_as_name() || (is_keyword(kind()) && !is_on_new_line() &&
                                                 (follows_name(kind(1)) || ends_line));
  if (!is_meant) {
    expected(what);
    return {};
  }
  const std::string_view word = spelling(kind());
  error(fmt::format("`{}` is a keyword and cannot be {}", word, what), range(), {},
        fmt::format("choose another name, or quote it: `'{}'`", word));
  const Token& token = next();
  return {symbols_.intern(word), range(token)};
}

Name Cursor::expect_name(std::string_view what, NameForm form) {
  Name name;
  const std::uint32_t first = begin();
  if (form == NameForm::kLocal && at(TokenKind::kDot)) expected(what);
  name.is_global = accept(TokenKind::kDot);
  std::vector<Ident> parts;
  Ident part = expect_ident(what);
  while (part.is_valid()) {
    parts.push_back(part);
    if (!at(TokenKind::kDot) || kind(1) == TokenKind::kStar || kind(1) == TokenKind::kLeftBrace)
      break;
    next();
    part = expect_ident(what);
  }
  name.parts = arena_.list<Ident>(parts);
  name.range = range_from(first);
  return name;
}

void Cursor::expect_semicolon(std::string_view unit) {
  if (accept(TokenKind::kSemicolon)) return;
  if (is_on_new_line() || ends_unit(kind(), kind(1)))
    return error(fmt::format("missing `;` after {}", unit), gap(), {});
  error(fmt::format("expected `;` after {}, found {}", unit, found()), range(), {});
  skip_unit();
}

void Cursor::skip_unit() {
  std::size_t round = 0, square = 0;  // open brackets
  const auto close = [](std::size_t& open) { open -= open > 0 ? 1 : 0; };
  for (; !ends_unit(kind(), kind(1)); next()) {
    if (round + square == 0 && begins_unit(kind()) && is_on_new_line()) return;
    switch (kind()) {
      case TokenKind::kLeftParen:
      case TokenKind::kLeftBrace: ++round; break;
      case TokenKind::kRightParen:
      case TokenKind::kRightBrace: close(round); break;
      case TokenKind::kLeftBracket: ++square; break;
      case TokenKind::kRightBracket: close(square); break;
      case TokenKind::kSemicolon:
        if (square > 0) break;
        next();
        return;
      default: break;
    }
  }
}

Diagnostic* Cursor::error(std::string message, SourceRange range) {
  const bool is_known = is_silent();
  last_error_ = index();
  if (is_known || num_errors_ > kMostErrors) return nullptr;
  if (++num_errors_ <= kMostErrors) return &diagnostics_.error("syntax", std::move(message), range);
  diagnostics_.error("too-many-errors", "too many errors: the rest of the file is not read", range);
  skip_to_end();
  return nullptr;
}

void Cursor::error(std::string message, SourceRange range, std::string label, std::string help) {
  Diagnostic* d = error(std::move(message), range);
  if (d == nullptr) return;
  d->label = std::move(label);
  d->help = std::move(help);
}

void Cursor::warning(std::string code, std::string message, SourceRange range, std::string help) {
  Diagnostic warning;
  warning.severity = Severity::kWarning;
  warning.code = std::move(code);
  warning.message = std::move(message);
  warning.range = range;
  warning.help = std::move(help);
  diagnostics_.add(std::move(warning));
}

void Cursor::expected(std::string_view what) {
  error(fmt::format("expected {}, found {}", what, found()));
}

std::string Cursor::found() const {
  constexpr std::size_t kLongest = 40;
  const auto shortened = [](std::string_view word) {
    return std::string(word.substr(0, kLongest)) + (word.size() > kLongest ? "..." : "");
  };
  const Token& following = peek(1);
  switch (kind()) {
    case TokenKind::kEndOfFile: return "the end of the file";
    case TokenKind::kString: return "a string";
    case TokenKind::kEnd:
      if (following.kind != TokenKind::kIdent && !is_keyword(following.kind)) break;
      return fmt::format("`end {}`", shortened(text(following)));
    default: break;
  }
  return fmt::format("{}`{}`", is_keyword(kind()) ? "keyword " : "", shortened(text(peek())));
}

}  // namespace hydae::syntax

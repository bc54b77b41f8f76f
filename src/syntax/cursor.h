// A place in the tokens of one file, with what every part of the parser does there: look, take,
// expect, report. Of the errors at one token only the first is reported, for the rest follow from
// it; after kMostErrors the cursor jumps to the end of the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <hydae/diagnostic.h>
#include <hydae/source.h>

#include "syntax/expression.h"
#include "syntax/token.h"

namespace hydae::syntax {

enum class NameForm {
  kLocal,   // A.B.C
  kGlobal,  // also .A.B.C
};

class Cursor {
 public:
  static constexpr std::size_t kMostErrors = 100;

  Cursor(std::string_view text, SourceId source, std::vector<Token> tokens, SymbolTable& symbols,
         Arena& arena, Diagnostics& diagnostics);

  // Looking.
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(index_ + ahead, tokens_.size() - 1)];
  }
  TokenKind kind(std::size_t ahead = 0) const { return peek(ahead).kind; }
  bool at(TokenKind kind) const { return peek().kind == kind; }
  bool at(TokenKind first, TokenKind second) const { return at(first) && kind(1) == second; }
  bool at_end() const { return at(TokenKind::kEndOfFile); }
  std::size_t index() const { return index_; }
  // Whether a line break stands before this token.
  bool is_on_new_line() const { return has_line_break(previous_end_, begin()); }
  // At a keyword of declarations that was meant as a name: `x = input + 1`.
  bool at_keyword_as_name() const;
  std::string_view text(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

  // Taking.
  const Token& next();
  bool accept(TokenKind kind);
  // Takes `kind`, or reports "expected `x`, found `y`" and takes nothing.
  bool expect(TokenKind kind, std::string_view purpose = {});
  // Takes an identifier; a keyword in its place is reported and taken if it is meant as a name.
  // Invalid if there is none.
  Ident expect_ident(std::string_view what);
  // A name; without parts, after a message, if there is none.
  Name expect_name(std::string_view what, NameForm form = NameForm::kGlobal);
  // Takes the `;` behind a complete element, equation or statement. If it is missing where a new
  // line begins, only that is reported; else the rest of the unit is skipped.
  void expect_semicolon(std::string_view unit);
  // Skips what is left of a broken element, equation or statement: up to and with its `;`, or up to
  // a keyword that begins something else.
  void skip_unit();

  // Places.
  std::uint32_t begin() const { return peek().begin; }
  std::uint32_t previous_end() const { return previous_end_; }
  SourceRange range() const { return range(peek()); }
  SourceRange range(const Token& token) const { return {source_, token.begin, token.end}; }
  // From `begin` to the end of the last token taken.
  SourceRange range_from(std::uint32_t begin) const {
    return {source_, begin, std::max(begin, previous_end_)};
  }
  // Between the last token taken and this one: where something is missing.
  SourceRange gap() const { return {source_, previous_end_, previous_end_}; }

  // Reporting. The result is null if is_silent().
  // Whether an error was already reported at this token.
  bool is_silent() const { return at(TokenKind::kInvalid) || last_error_ == index_; }
  Diagnostic* error(std::string message, SourceRange range);
  Diagnostic* error(std::string message) { return error(std::move(message), range()); }
  void error(std::string message, SourceRange range, std::string label, std::string help = {});
  void warning(std::string code, std::string message, SourceRange range, std::string help);
  void expected(std::string_view what);
  // How a message names this token: "`x`", "keyword `in`", "`end if`", "the end of the file".
  std::string found() const;

  template <class T>
  T* make(std::uint32_t begin) {
    T* node = arena_.make<T>();
    node->range = range_from(begin);
    return node;
  }
  template <class T>
  List<T> list(std::span<const T> items) {
    return arena_.list(items);
  }
  Arena& arena() { return arena_; }
  SymbolTable& symbols() { return symbols_; }

 private:
  bool has_line_break(std::uint32_t begin, std::uint32_t end) const;

  std::string_view text_;
  SourceId source_;
  std::vector<Token> tokens_;
  SymbolTable& symbols_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  std::size_t index_ = 0;
  std::uint32_t previous_end_ = 0;
  std::size_t last_error_ = static_cast<std::size_t>(-1);
  std::size_t num_errors_ = 0;
};

}  // namespace hydae::syntax

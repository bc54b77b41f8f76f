// A place in the tokens of one file, with what every part of the parser does there beside looking
// and taking (token_stream.h): expect, report. Of the errors at one token only the first is
// reported, for the rest follow from it; after kMostErrors the cursor jumps to the end of the file.
#pragma once

#include <string>
#include <string_view>

#include <hydae/diagnostic.h>
#include <hydae/source.h>

#include "syntax/expression.h"
#include "syntax/token_stream.h"

namespace hydae::syntax {

enum class NameForm {
  kLocal,   // A.B.C
  kGlobal,  // also .A.B.C
};

class Cursor : public TokenStream {
 public:
  static constexpr std::size_t kMostErrors = 100;

  Cursor(TokenStream tokens, SymbolTable& symbols, Arena& arena, Diagnostics& diagnostics)
      : TokenStream(std::move(tokens)),
        symbols_(symbols),
        arena_(arena),
        diagnostics_(diagnostics) {}

  // At a keyword of declarations that was meant as a name: `x = input + 1`.
  bool at_keyword_as_name() const;

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

  // Reporting. The result is null if is_silent().
  // Whether an error was already reported at this token.
  bool is_silent() const { return at(TokenKind::kInvalid) || last_error_ == index(); }
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
  SymbolTable& symbols_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  std::size_t last_error_ = static_cast<std::size_t>(-1);
  std::size_t num_errors_ = 0;
};

}  // namespace hydae::syntax

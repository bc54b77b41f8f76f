// The work of Printer: a list of what is still to be printed, in which nodes expand into more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <hydae/source.h>

#include "syntax/symbol.h"
#include "syntax/tree.h"

namespace hydae::syntax {

// What is still to be printed: text, a line break, or a node that expands into more pieces.
struct Piece {
  enum class Kind : std::uint8_t {
    kText,
    kLine,    // a line break and the indentation
    kIndent,  // lines from here on stand further right
    kDedent,
    kExpr,
    kModification,
    kArgument,
    kElement,
    kEquation,
    kStatement,
    kClass,
  };

  Piece(Kind piece_kind) : kind(piece_kind) {}
  Piece(std::string_view piece_text) : kind(Kind::kText), text(piece_text) {}
  Piece(const char* piece_text) : Piece(std::string_view(piece_text)) {}
  Piece(const Expr* e) : kind(Kind::kExpr), node(e) {}
  Piece(const Modification* m) : kind(Kind::kModification), node(m) {}
  Piece(const Argument* a) : kind(Kind::kArgument), node(a) {}
  Piece(const Element* e) : kind(Kind::kElement), node(e) {}
  Piece(const Equation* e) : kind(Kind::kEquation), node(e) {}
  Piece(const Statement* s) : kind(Kind::kStatement), node(s) {}
  Piece(const ClassDefinition* c) : kind(Kind::kClass), node(c) {}

  Kind kind;
  std::string_view text;
  const void* node = nullptr;
};

inline constexpr Piece::Kind kLine = Piece::Kind::kLine;
inline constexpr Piece::Kind kIndent = Piece::Kind::kIndent;
inline constexpr Piece::Kind kDedent = Piece::Kind::kDedent;

// The pieces of the node being expanded. Names and numbers are put as they were written.
class Pieces {
 public:
  Pieces(const SourceSet& sources, const SymbolTable& symbols)
      : sources_(sources), symbols_(symbols) {}

  template <class... Items>
  void put(Items... items) {
    (list_.push_back(Piece(items)), ...);
  }
  void put_if(bool condition, std::string_view text) {
    if (condition) put(text);
  }
  void put_text(SourceRange range) { put(sources_.text(range)); }
  void put_ident(const Ident& ident) {  // invalid ones are in trees with errors only
    put(ident.is_valid() ? symbols_.text(ident.symbol) : std::string_view("?"));
  }
  void put_name(const Name& name);

  // Moves all to the end of `pending`, the first one last.
  void hand_over(std::vector<Piece>& pending);

 private:
  const SourceSet& sources_;
  const SymbolTable& symbols_;
  std::vector<Piece> list_;
};

// What a node consists of. print_expression.cc, print_tree.cc
void expand(Pieces& to, const Expr& e);
void expand(Pieces& to, const Modification& m);
void expand(Pieces& to, const Argument& a);
void expand(Pieces& to, const Element& e);
void expand(Pieces& to, const Equation& e);
void expand(Pieces& to, const Statement& s);
void expand(Pieces& to, const ClassDefinition& c);

void expand_operands(Pieces& to, const Expr& e);  // without parentheses around it
void put_list(Pieces& to, List<const Expr*> items);
void put_iterators(Pieces& to, List<Iterator> iterators);
void put_subscripts(Pieces& to, List<const Expr*> subscripts);

// Expands one node at a time, so that depth needs no recursion: works the pieces off from the first
// to the last.
class Writer {
 public:
  Writer(const SourceSet& sources, const SymbolTable& symbols) : expansion_(sources, symbols) {}

  std::string run(Piece root);
  std::string run(const SyntaxFile& file);
  std::string run(const Name& name);

 private:
  // Deeper lines are not moved further, or the blanks would outgrow the text.
  static constexpr std::size_t kDeepestIndentation = 40;

  std::string work_off();
  void write(const Piece& piece);

  Pieces expansion_;
  std::vector<Piece> pending_;  // the next one last
  std::string out_;
  std::size_t indentation_ = 0;
};

}  // namespace hydae::syntax

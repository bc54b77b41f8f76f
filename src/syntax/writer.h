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

// Expands one node at a time, so that depth needs no recursion: `put` collects the pieces of the
// node being expanded, `run` works them off from the first to the last.
class Writer {
 public:
  Writer(const SourceSet& sources, const SymbolTable& symbols)
      : sources_(sources), symbols_(symbols) {}

  std::string run(Piece root);
  std::string run(const SyntaxFile& file);
  std::string run(const Name& name);

 private:
  // Deeper lines are not moved further, or the blanks would outgrow the text.
  static constexpr std::size_t kDeepestIndentation = 40;

  template <class... Pieces>
  void put(Pieces... pieces) {
    (expansion_.push_back(Piece(pieces)), ...);
  }
  void work_off();
  void write(const Piece& piece);

  void expand(const Expr& e);
  void expand_operands(const Expr& e);
  void expand(const ReferenceExpr& e);
  void expand(const IfExpr& e);
  void expand(const CallExpr& e);
  void expand(const RangeExpr& e);
  void expand(const MatrixExpr& e);
  void expand(const ComprehensionExpr& e);

  void expand(const Modification& m);
  void expand(const Argument& a);
  void expand(const ModifyArgument& a);
  void expand(const Element& e);
  void expand_declaration(const Element& e);
  void expand(const ImportElement& e);
  void expand(const ExtendsElement& e);
  void expand(const ComponentElement& e);
  void expand(const Equation& e);
  void expand(const Statement& s);
  void expand(const ClassDefinition& c);
  void expand(const LongClass& c);
  void expand(const ShortClass& c);
  void expand(const EnumerationClass& c);
  void expand(const DerivativeClass& c);
  void expand(const Section& section);
  void expand(const External& external);

  void put_text(SourceRange range) { put(sources_.text(range)); }
  void put_ident(const Ident& ident) {  // invalid ones are in trees with errors only
    put(ident.is_valid() ? symbols_.text(ident.symbol) : std::string_view("?"));
  }
  void put_name(const Name& name);
  void put_if(bool condition, std::string_view text) {
    if (condition) put(text);
  }
  void put_list(List<const Expr*> items);
  void put_named(List<NamedArgument> named, bool is_first);
  void put_iterators(List<Iterator> iterators);
  void put_subscripts(List<const Expr*> subscripts);
  void put_description(List<const StringExpr*> strings);
  void put_comment(const Comment& comment);
  void put_modification(const Modification* modification);
  template <class Node>
  void put_units(List<const Node*> units);
  template <class Node>
  void put_branches(const char* first, const char* further, List<Branch<Node>> branches);
  template <class Node>
  void put_loop(List<Iterator> iterators, List<const Node*> body);

  const SourceSet& sources_;
  const SymbolTable& symbols_;
  std::string out_;
  std::vector<Piece> pending_;  // the next one last
  std::vector<Piece> expansion_;
  std::size_t indentation_ = 0;
};

}  // namespace hydae::syntax

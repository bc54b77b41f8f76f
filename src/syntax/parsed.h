// For tests: a text with its syntax tree and all that the tree refers to.
#pragma once

#include <string>
#include <utility>

#include "syntax/parser.h"
#include "syntax/printer.h"

namespace hydae::syntax {

struct Parsed {
  explicit Parsed(std::string text)
      : source(sources.add("a.mo", std::move(text))), file(parse(sources, source, symbols)) {}

  std::string messages() const { return render(file.diagnostics, &sources); }
  std::string print() const { return Printer(sources, symbols).print(file); }
  template <class Node>
  std::string print(const Node& node) const {
    return Printer(sources, symbols).print(node);
  }
  std::string_view text(const Ident& ident) const { return symbols.text(ident.symbol); }
  std::string_view text(SourceRange range) const { return sources.text(range); }
  const LongClass& first_class() const { return as<LongClass>(*file.classes.front()); }

  SourceSet sources;
  SymbolTable symbols;
  SourceId source;
  SyntaxFile file;
};

inline std::string messages_of(const std::string& text) { return Parsed(text).messages(); }

}  // namespace hydae::syntax

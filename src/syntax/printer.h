// Syntax tree -> Modelica text. Everything of the tree is printed, also descriptions and
// annotations, in one layout: parsing the text and printing again gives the same text.
#pragma once

#include <string>

#include <hydae/source.h>

#include "syntax/symbol.h"
#include "syntax/tree.h"

namespace hydae::syntax {

class Printer {
 public:
  // `sources` and `symbols` are those that the printed trees were made with.
  Printer(const SourceSet& sources, const SymbolTable& symbols)
      : sources_(sources), symbols_(symbols) {}

  std::string print(const SyntaxFile& file) const;
  std::string print(const ClassDefinition& definition) const;
  std::string print(const Element& element) const;
  std::string print(const Modification& modification) const;
  std::string print(const Equation& equation) const;
  std::string print(const Statement& statement) const;
  std::string print(const Expr& expr) const;
  std::string print(const Name& name) const;

 private:
  const SourceSet& sources_;
  const SymbolTable& symbols_;
};

}  // namespace hydae::syntax

// Tokens -> classes and the file (A.2.1, A.2.2).
#pragma once

#include <vector>

#include "syntax/cursor.h"
#include "syntax/declaration_parser.h"
#include "syntax/equation_parser.h"
#include "syntax/expression_parser.h"
#include "syntax/task.h"
#include "syntax/tree.h"

namespace hydae::syntax {

class ClassParser {
 public:
  explicit ClassParser(Cursor& cursor)
      : cursor_(cursor),
        expressions_(cursor),
        declarations_(cursor, expressions_),
        equations_(cursor, expressions_, declarations_) {}

  // `within A.B;`, which is the next token.
  Name within();
  // All classes up to the end of the file.
  Task<List<const ClassDefinition*>> classes();

 private:
  struct Body;

  Task<ClassDefinition*> class_definition();
  Task<LongClass*> long_class(ClassPrefix prefix);
  Task<Section> section();
  Task<Section> implied_section(ClassKind kind);
  Task<const External*> external();
  Task<const Modification*> class_annotation();
  bool at_class_end();
  void close_class(const LongClass& definition);
  void close_nameless_class();

  Task<Element*> element();
  Task<Element*> unfinished_element(std::uint32_t begin);
  Task<Element*> extends_clause();
  Task<Element*> import_clause();
  void import_members(ImportElement& element);
  bool at_equation() const;
  std::size_t behind_brackets(std::size_t i) const;

  Cursor& cursor_;
  ExpressionParser expressions_;
  DeclarationParser declarations_;
  EquationParser equations_;
  std::vector<Symbol> open_;  // names of the classes around, innermost last
};

}  // namespace hydae::syntax

// Tokens -> equations and statements (A.2.6). Both have the same blocks (if, for, when) around
// different simple forms: the templates take `Node` = Equation or Statement.
#pragma once

#include <vector>

#include "syntax/cursor.h"
#include "syntax/declaration_parser.h"
#include "syntax/expression_parser.h"
#include "syntax/task.h"
#include "syntax/tree.h"

namespace hydae::syntax {

class EquationParser {
 public:
  EquationParser(Cursor& cursor, ExpressionParser& expressions, DeclarationParser& declarations)
      : cursor_(cursor), expressions_(expressions), declarations_(declarations) {}

  // All up to a keyword that begins another section or an element, or ends the class.
  Task<List<const Equation*>> equations() { return units<Equation>(); }
  Task<List<const Statement*>> statements() { return units<Statement>(); }
  bool at_section() const;

 private:
  template <class Node>
  Task<List<const Node*>> units();
  template <class Node>
  Task<Node*> block();
  template <class Node>
  Task<Node*> for_block();
  template <class Node>
  Task<List<Branch<Node>>> branches(TokenKind opening);
  template <class Node>
  Node* simple();
  template <class Node>
  Task<Node*> while_block();

  const Expr* branch_condition(TokenKind opening, bool is_first);
  bool at_block() const;
  bool at_branch() const;
  bool at_end_of_units() const;
  void close_block();

  Equation* simple_equation();
  Equation* relation(const Expr* left, std::uint32_t begin);
  Equation* connect();
  const CallExpr* find_call(const Expr* e) const;
  Equation* equation_without_equals(const Expr* left, std::uint32_t begin);
  Statement* simple_statement();
  Statement* assignment(const Expr* target, std::uint32_t begin);
  Statement* assign_call(List<const Expr*> targets, const Expr* value, std::uint32_t begin);
  template <class Node>
  Node* broken(const Expr* e, std::string_view wanted);

  struct OpenBlock {
    TokenKind keyword;
    SourceRange range;
  };

  Cursor& cursor_;
  ExpressionParser& expressions_;
  DeclarationParser& declarations_;
  std::vector<OpenBlock> open_;  // innermost last
};

}  // namespace hydae::syntax
